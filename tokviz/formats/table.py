"""The formats of tokenizer files. Each is declared in its own module; opening, saving and messages follow from here."""

from tokviz.formats.format import Format
from tokviz.formats.gguf.conversion import GGUF
from tokviz.formats.huggingface.tokenizer_json import TOKENIZER_JSON
from tokviz.formats.huggingface.vocab_merges import MERGES_TXT, VOCAB_JSON
from tokviz.formats.minbpe import LISTING, MINBPE
from tokviz.formats.nanochat import NANOCHAT
from tokviz.formats.sentencepiece import SENTENCEPIECE
from tokviz.formats.tekken import TEKKEN
from tokviz.formats.tiktoken_rules import TIKTOKEN
from tokviz.formats.wrong_files import BOM

# The formats that say most come last: in a folder they are looked for first, and messages name them first.
FORMATS = (
    MINBPE,
    LISTING,
    GGUF,
    VOCAB_JSON,
    MERGES_TXT,
    NANOCHAT,
    TIKTOKEN,
    SENTENCEPIECE,
    TEKKEN,
    TOKENIZER_JSON,  # after the others in JSON: its reader says what is wrong with JSON of any other kind
)


def file_format_if_known(data: bytes) -> Format | None:
    """Return the format of a file, of which the beginning is enough; None if it begins like none.

    >>> [file_format_if_known(data).name for data in (b"YQ== 0\\n", b'{"model": {}}', b"minbpe v1\\n", b"GGUF")]
    ['tiktoken', 'tokenizer.json', 'minbpe', 'GGUF']
    """
    data = data.removeprefix(BOM)
    return next((one for one in FORMATS if one.recognises and one.recognises(data)), None)


def file_kinds_in_words(*left_out: str) -> str:
    """Return what the files that are read are called, as one enumerates them; without the formats of some names."""
    *words, last = (one.words for one in reversed(FORMATS) if one.words and one.name not in left_out)
    return f"{', '.join(words)}, or {last}"


def file_names() -> tuple[str, ...]:
    """Return the names of tokenizer files in a folder, first those of the formats that say most."""
    return tuple(name for one in reversed(FORMATS) for name in one.names)


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of the tokenizer files that have no name of their own in a folder."""
    return tuple(one.suffix for one in FORMATS if one.read and one.suffix and not one.names)
