"""The formats of tokenizer files, one value for each kind; everything else about them follows from this table."""

import re

from tokviz.formats import minbpe, readers
from tokviz.formats.format import OTHER, Format
from tokviz.formats.gguf import MAGIC
from tokviz.formats.huggingface.export import tokenizer_json
from tokviz.formats.huggingface.vocab_merges import half
from tokviz.formats.nanochat import PICKLED_ENCODING
from tokviz.formats.tekken import TEKKEN
from tokviz.formats.tiktoken import LINE, tiktoken_text
from tokviz.formats.wrong_files import BOM

_MINBPE = re.compile(rb"(?:minbpe|bpe|thai tokenizer) v[0-9.]+\s*\n")
_MODEL = re.compile(rb'"model"\s*+:\s*+\{')  # in a tokenizer.json, and in no other JSON beside one
_PIECE = re.compile(rb"\A\n.{1,9}\n.{1,200}\x15", re.DOTALL)  # the first piece and its score; no text has that


def _is_json(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{"


def _is_ranks(data: bytes) -> bool:
    return bool(LINE.fullmatch(data[:10_000].split(b"\n", 1)[0]))


def _is_sentencepiece(data: bytes) -> bool:
    return data[:1] == b"\n" and not _is_json(data)


def _is_gguf(data: bytes) -> bool:
    return data.startswith(MAGIC)


def _is_vocab(data: bytes) -> bool:
    return half(data) == "vocab.json"


def _is_merges(data: bytes) -> bool:
    return half(data) == "merges.txt"


def _is_tekken(data: bytes) -> bool:
    return _is_json(data) and bool(TEKKEN.search(data[:5_000]))


TIKTOKEN = Format(
    "tiktoken",
    _is_ranks,
    readers.from_ranks,
    tiktoken_text,
    suffix=".tiktoken",
    purpose="The ranks, for tiktoken, which also needs the lines below",
    takes=("split_pattern", "special_tokens"),
    words="a .tiktoken",
    lacks_pattern=readers.ranks_lack_pattern,
    place=1,
)
SENTENCEPIECE = Format(
    "SentencePiece",
    _is_sentencepiece,
    readers.from_sentencepiece,
    words="a .model of SentencePiece",
    names=("tokenizer.model", "spiece.model", "sentencepiece.bpe.model"),
    place=1,
    mark=_PIECE,
)
TOKENIZER_JSON = Format(
    "tokenizer.json",
    _is_json,
    readers.from_json,
    tokenizer_json,
    suffix=".json",
    purpose="tokenizer.json, for the tokenizers library of Hugging Face and all that use it",
    words="a tokenizer.json",
    names=("tokenizer.json",),
    mark=_MODEL,
)
# The formats that say most stand last: in a folder they are looked for first, and messages name them first.
FORMATS = (
    Format(
        "minbpe",
        _MINBPE.match,
        readers.from_minbpe,
        minbpe.tokenizer_text,
        suffix=".model",
        purpose="The format of minbpe and of the classes that tutorials modelled on it",
        takes=("split_pattern", "special_tokens", "version"),
        words=f"a .model of the minbpe family ({', '.join(minbpe.VERSIONS)})",
        place=1,
    ),
    Format(
        ".vocab",
        write=minbpe.tokenizer_listing,
        suffix=".vocab",
        purpose="A listing for people: every token, and the two it is made of",
    ),
    Format(
        "GGUF",
        _is_gguf,
        readers.from_gguf,
        suffix=".gguf",
        takes=("split_pattern",),
        words="a .gguf",
        lacks_pattern=readers.gguf_lacks_pattern,
    ),
    Format(
        "vocab.json",
        _is_vocab,
        readers.from_halves,
        takes=("split_pattern",),
        words="a vocab.json with its merges.txt",
        names=("vocab.json",),
        place=2,  # or added_tokens.json, which is shorter
    ),
    Format(
        "merges.txt",
        _is_merges,
        readers.from_halves,
        takes=("split_pattern",),
        place=OTHER,
    ),
    Format(
        "nanochat",
        PICKLED_ENCODING.match,
        readers.from_nanochat,
        words="nanochat's tokenizer.pkl",
        names=("tokenizer.pkl",),
    ),
    TIKTOKEN,
    SENTENCEPIECE,
    Format(
        "tekken.json",
        _is_tekken,
        readers.from_tekken,
        words="a tekken.json",
        names=("tekken.json",),
    ),
    TOKENIZER_JSON,  # after the others in JSON: its reader says what is wrong with JSON of any other kind
)


def file_format(data: bytes) -> Format | None:
    """Return the format of a file, of which the beginning is enough; None if it begins like none.

    >>> [file_format(data).name for data in (b"YQ== 0\\n", b'{"model": {}}', b"minbpe v1\\n", b"GGUF")]
    ['tiktoken', 'tokenizer.json', 'minbpe', 'GGUF']
    """
    data = data.removeprefix(BOM)
    return next((one for one in FORMATS if one.recognises and one.recognises(data)), None)


def format_words(*left_out: str) -> str:
    """Return what the files that are read are called, as one enumerates them; without the formats of some names."""
    *words, last = (one.words for one in reversed(FORMATS) if one.words and one.name not in left_out)
    return f"{', '.join(words)}, or {last}"
