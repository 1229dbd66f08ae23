// The header of a GGUF file is all that is taken of it, and what is none is said in words.

import assert from "node:assert/strict";
import test from "node:test";
import { headerOf } from "../../assets/gguf_file/header.js";

const BYTES_MAX = 8_000_000;

/** Bytes of values: [size in bytes, number], a string with its length before it, or bytes. */
function written(values, isLittle = true) {
  const pieces = values.map((value) => {
    if (value instanceof Uint8Array) return value;
    if (typeof value === "string") {
      const text = new TextEncoder().encode(value);
      return new Uint8Array([...written([[8, text.length]], isLittle), ...text]);
    }
    const piece = new DataView(new ArrayBuffer(value[0]));
    if (value[0] === 8) piece.setBigUint64(0, BigInt(value[1]), isLittle);
    else if (value[0] === 4) piece.setUint32(0, value[1], isLittle);
    else piece.setUint8(value[0] - 1, value[1]);
    return new Uint8Array(piece.buffer);
  });
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  return all;
}

const MAGIC = new TextEncoder().encode("GGUF");
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
const SCALARS = SIZES.flatMap((size, type) => (size ? [`of type ${type}`, [4, type], [size, 1]] : []));
const STRINGS = ["tokens", [4, 9], [4, 8], [8, 3], "low", "", "ภาษา"];
const SCORES = ["scores", [4, 9], [4, 6], [8, 3], new Uint8Array(12)];
const PAIRS = ["name", [4, 8], "mine", ...SCALARS, ...STRINGS, ...SCORES];

function header({ version = 3, pairs = PAIRS, count = 14, isLittle = true }) {
  return written([MAGIC, [4, version], [8, 7], [8, count], ...pairs], isLittle);
}

function fileOf(...parts) {
  return new Blob(parts);
}

for (const version of [2, 3]) {
  for (const isLittle of [true, false]) {
    test(`version ${version}, ${isLittle ? "little" : "big"}-endian: the header, and nothing behind it`, async () => {
      const expected = header({ version, isLittle });
      const found = await headerOf(fileOf(expected, new Uint8Array(5_000_000).fill(1)), BYTES_MAX);
      assert.deepEqual(found, expected);
      assert.deepEqual(await headerOf(fileOf(expected), BYTES_MAX), expected); // nothing behind it
    });
  }
}

test("a header of megabytes is read in steps, and never more of the file than twice that", async () => {
  const tokens = written(Array.from({ length: 200_000 }, (_, i) => `token ${i}`));
  const expected = header({ pairs: ["tokens", [4, 9], [4, 8], [8, 200_000], tokens], count: 1 });
  const file = fileOf(expected, new Uint8Array(20_000_000));
  let furthest = 0;
  const counted = { size: file.size, slice: (from, to) => { furthest = to; return file.slice(from, to); } };
  assert.deepEqual(await headerOf(counted, BYTES_MAX), expected);
  assert.ok(expected.length > 3_000_000 && furthest < 2 * expected.length);
});

test("arrays of arrays are walked through, down to a few", async () => {
  const nested = (depth) => (depth ? [[4, 9], [8, 1], ...nested(depth - 1)] : [[4, 0], [8, 2], new Uint8Array(2)]);
  const few = header({ pairs: ["nested", [4, 9], ...nested(2)], count: 1 });
  assert.deepEqual(await headerOf(fileOf(few), BYTES_MAX), few);
  const many = header({ pairs: ["nested", [4, 9], ...nested(9)], count: 1 });
  await assert.rejects(headerOf(fileOf(many), BYTES_MAX), /damaged: type 9/);
});

test("a file cut off anywhere in its header says so", async () => {
  const whole = header({});
  for (let size = 4; size < whole.length; size += 7) {
    await assert.rejects(headerOf(fileOf(whole.subarray(0, size)), BYTES_MAX), /ends in the middle of its header/);
  }
});

test("what is no GGUF, or not one of these versions, is refused", async () => {
  for (const bytes of [new Uint8Array(0), new Uint8Array(99), new TextEncoder().encode('{"model": {}}')]) {
    await assert.rejects(headerOf(fileOf(bytes), BYTES_MAX), /not a GGUF file/);
  }
  await assert.rejects(headerOf(fileOf(header({ version: 1 })), BYTES_MAX), /GGUF 1; versions 2 and 3/);
  await assert.rejects(headerOf(fileOf(header({ version: 4, isLittle: false })), BYTES_MAX), /GGUF 4;/);
});

test("a hostile length or number is refused at once", async () => {
  const huge = 2n ** 60n;
  const headers = [
    header({ pairs: [[8, huge]], count: 1 }),
    header({ pairs: ["a", [4, 8], [8, huge]], count: 1 }),
    header({ pairs: ["a", [4, 9], [4, 4], [8, huge]], count: 1 }),
    header({ pairs: ["a", [4, 9], [4, 8], [8, huge]], count: 1 }),
    header({ pairs: [], count: huge }),
  ];
  for (const bytes of headers) {
    await assert.rejects(headerOf(fileOf(bytes), BYTES_MAX), /ends in the middle/);
    const longer = fileOf(bytes, new Uint8Array(10_000_000));
    await assert.rejects(headerOf(longer, BYTES_MAX), /damaged, or over 8,000,000 bytes/);
  }
  const unknown = header({ pairs: ["a", [4, 77], [8, 1]], count: 1 });
  await assert.rejects(headerOf(fileOf(unknown), BYTES_MAX), /damaged: type 77 .* unknown/);
});
