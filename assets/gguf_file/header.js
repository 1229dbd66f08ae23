// The header of a GGUF file: everything before the list of tensors and the weights. It is found by walking over the
// key-value pairs, as https://github.com/ggml-org/ggml/blob/master/docs/gguf.md describes them.

import { groupedNumber } from "../shared/words.js";

const FIRST_BYTES = 1 << 20; // read at once; then twice as many, until the header is all there
const STRING = 8;
const ARRAY = 9;
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, null, null, 8, 8, 8]; // of the other types, in bytes
const NESTED_MAX = 4; // arrays of arrays; files that are in use have none
const NO_GGUF = "This is not a GGUF file: it would begin with the letters GGUF.";
const CUT_OFF = "The file ends in the middle of its header: is the download complete?";

/** The first bytes of a file, up to the end of its key-value pairs; an Error says in plain words why there are none. */
export async function headerOf(file, bytesMax) {
  for (let size = FIRST_BYTES; ; size *= 2) {
    const bytes = new Uint8Array(await file.slice(0, size).arrayBuffer());
    const end = endOfPairs(bytes, Math.min(bytesMax, file.size), file.size > bytesMax);
    if (end <= bytes.length) return bytes.subarray(0, end);
  }
}

/** Where the pairs end, or Infinity if more bytes are needed. The header must not go beyond `last`. */
function endOfPairs(bytes, last, isLonger) {
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "GGUF") throw new Error(NO_GGUF);
  const view = new DataView(bytes.buffer);
  const tooLong = `Its header is damaged, or over ${groupedNumber(last)} bytes.`;
  let at = 4;

  /** Step over bytes, which must be in the file; return where they begin. */
  const step = (size) => {
    if (at + size > last) throw new Error(isLonger ? tooLong : CUT_OFF);
    if (at + size > bytes.length) throw new More();
    at += size;
    return at - size;
  };
  try {
    const isLittle = view.getUint16(step(4), true) !== 0; // a big-endian version begins with zeros
    const version = view.getUint32(at - 4, isLittle);
    if (version !== 2 && version !== 3) throw new Error(`This is GGUF ${version}; versions 2 and 3 can be opened.`);
    const count = () => Number(view.getBigUint64(step(8), isLittle));
    const value = (type, depth) => {
      if (type === STRING) step(count());
      else if (type === ARRAY && depth < NESTED_MAX) values(view.getUint32(step(4), isLittle), count(), depth + 1);
      else if (SIZES[type]) step(SIZES[type]);
      else throw new Error(`Its header is damaged: type ${type} before byte ${groupedNumber(at)} is unknown.`);
    };
    const values = (type, n, depth) => {
      if (SIZES[type]) step(SIZES[type] * n);
      else for (let i = 0; i < n; i++) value(type, depth);
    };
    step(8); // the number of tensors
    for (let left = count(); left > 0; left--) {
      step(count()); // the key
      value(view.getUint32(step(4), isLittle), 0);
    }
    return at;
  } catch (error) {
    if (error instanceof More) return Infinity;
    throw error;
  }
}

/** More bytes of the file are needed. */
class More extends Error {}
