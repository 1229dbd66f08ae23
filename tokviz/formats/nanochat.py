"""nanochat's tokenizer.pkl: a pickled `tiktoken.Encoding`, of which only the plain data is taken.

Unpickling may run code that a file names. Here a file can name one thing, that class, and gets an empty stand-in for
it; a file that names anything else is refused before anything of that is imported.
"""

import io
import pickle
import re
from typing import TypeGuard, TypeVar

from tokviz.core.patterns import as_one_part_pattern, short_repr
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.format import Format, Source, naming

# The class comes first: after the protocol and perhaps a frame, as an argument of the opcode that names it.
PICKLED_ENCODING = re.compile(rb"\x80[\x02-\x05](?:\x95.{8})?(?:c|\x8c\x0d|X\x0d\0\0\0)tiktoken\.core", re.DOTALL)
_REFUSED = "a pickled file other than an encoding of tiktoken; opening one may run code, so it is not opened"
Key = TypeVar("Key")


def pickled_encoding_parts(data: bytes) -> tuple[str, dict[bytes, int], dict[str, int]]:
    """Return split pattern, ranks and special tokens of a pickled encoding.

    Raises ValueError for a pickle of anything else, and for one that is damaged. A few bytes may ask for gigabytes or
    hours, so call it in a process with limits.

    >>> import tiktoken
    >>> ranks = {bytes([i]): i for i in range(256)}
    >>> encoding = tiktoken.Encoding("x", pat_str=".", mergeable_ranks=ranks, special_tokens={"<|bos|>": 256})
    >>> pattern, read, special = pickled_encoding_parts(pickle.dumps(encoding))
    >>> pattern, read == ranks, special
    ('.', True, {'<|bos|>': 256})
    """
    try:
        state = _pickled_encoding_state(data)
    except _OtherPickle as e:
        raise ValueError(f"{_REFUSED} ({short_repr(str(e))})") from e
    except (pickle.UnpicklingError, EOFError) as e:
        raise ValueError(f"damaged or cut off; fetch it again ({short_repr(str(e))})") from e
    except MemoryError:
        raise
    except Exception as e:  # unpickling may raise any, as the documentation of pickle says
        raise ValueError("damaged: its opcodes do not fit together; fetch it again") from e
    if isinstance(state, str):
        raise ValueError(f"it only names the encoding {short_repr(state)} of tiktoken, and holds no tokens")
    parts = state if isinstance(state, dict) else {}
    pattern, ranks, special = (parts.get(key) for key in ("pat_str", "mergeable_ranks", "special_tokens"))
    if not isinstance(pattern, str) or not _is_table_of_ints(ranks, bytes) or not _is_table_of_ints(special, str):
        raise ValueError("damaged: expected a pat_str, mergeable_ranks and special_tokens")
    return as_one_part_pattern(pattern), ranks, special


def _is_table_of_ints(table: object, key_type: type[Key]) -> TypeGuard[dict[Key, int]]:
    return isinstance(table, dict) and all(
        isinstance(key, key_type) and type(value) is int for key, value in table.items()
    )


class _OtherPickle(Exception):
    """A pickle holds something other than an encoding."""


def _pickled_encoding_state(data: bytes) -> object:
    """Return the state of the encoding in a pickle; _OtherPickle for a pickle of anything else."""

    class Encoding:  # a new one for each file, which can change nothing that the next one sees
        state: object = None

        def __setstate__(self, state: object) -> None:
            self.state = state

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> type[Encoding]:
            if (module, name) != ("tiktoken.core", "Encoding"):
                raise _OtherPickle(f"it names {module}.{name}")
            return Encoding

    if not PICKLED_ENCODING.match(data):
        raise _OtherPickle("it does not begin with an encoding")
    encoding = Unpickler(io.BytesIO(data)).load()
    if type(encoding) is not Encoding or encoding.state is None:
        raise _OtherPickle("it does not hold an encoding")
    return encoding.state


def read_nanochat(source: Source) -> Tokenizer:
    """Return the tokenizer in a tokenizer.pkl; ValueError as in `pickled_encoding_parts`."""
    with naming(source.file_name):
        return Tokenizer(source.name, *pickled_encoding_parts(source.data))


NANOCHAT = Format(
    "nanochat",
    PICKLED_ENCODING.match,
    read_nanochat,
    words="nanochat's tokenizer.pkl",
    names=("tokenizer.pkl",),
)
