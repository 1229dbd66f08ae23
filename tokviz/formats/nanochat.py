"""nanochat's tokenizer.pkl: a pickled `tiktoken.Encoding`, read as plain data and never unpickled.

Unpickling may run code. This reads the opcodes one by one with `pickletools`, knows only those of texts, bytes, whole
numbers, tuples and dicts, and lets no class but that one stand for the whole. Anything else is refused.
"""

import pickletools
import re
from typing import Any

from tokviz.core.patterns import shortened

PICKLED_ENCODING = re.compile(rb"\x80[\x02-\x05].{0,20}tiktoken\.core", re.DOTALL)
_CLASS = ("tiktoken.core", "Encoding")
_MARK, _ENCODING_CLASS, _ENCODING = object(), object(), object()
_CONSTANTS = {
    "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BININT", "BININT1",
    "BININT2", "LONG1",
}  # fmt: skip
_IGNORED = {"PROTO", "FRAME"}


def encoding_parts(data: bytes, name: str) -> tuple[str, dict[bytes, int], dict[str, int]]:
    """Return split pattern, ranks and special tokens of a pickled encoding; `name` is that of the file in errors.

    Raises ValueError for a pickle of anything else, and for one that is damaged.

    >>> import pickle, tiktoken
    >>> ranks = {bytes([i]): i for i in range(256)}
    >>> encoding = tiktoken.Encoding("x", pat_str=".", mergeable_ranks=ranks, special_tokens={"<|bos|>": 256})
    >>> pattern, read, special = encoding_parts(pickle.dumps(encoding), "tokenizer.pkl")
    >>> pattern, read == ranks, special
    ('.', True, {'<|bos|>': 256})
    """
    try:
        state = _Machine().state(data)
    except _OtherPickle as e:
        raise ValueError(f"{name}: {_REFUSED} ({shortened(str(e))})") from e
    except ValueError as e:  # pickletools does not know an opcode, or comes to the end of the file too early
        raise ValueError(f"{name}: damaged or cut off; fetch it again ({shortened(str(e))})") from e
    except (IndexError, KeyError, TypeError) as e:
        raise ValueError(f"{name}: damaged: its opcodes do not fit together; fetch it again") from e
    if isinstance(state, str):
        raise ValueError(f"{name}: it only names the encoding {shortened(state)} of tiktoken, and holds no tokens")
    state = state if isinstance(state, dict) else {}
    pattern, ranks, special = (state.get(key) for key in ("pat_str", "mergeable_ranks", "special_tokens"))
    if not isinstance(pattern, str) or not _is_table(ranks, bytes) or not _is_table(special, str):
        raise ValueError(f"{name}: damaged: expected a pat_str, mergeable_ranks and special_tokens")
    return pattern, ranks, special


_REFUSED = "a pickled file other than an encoding of tiktoken; opening one may run code, so it is not opened"


def _is_table(table: Any, key_type: type) -> bool:
    return isinstance(table, dict) and all(
        isinstance(key, key_type) and type(value) is int for key, value in table.items()
    )


class _OtherPickle(Exception):
    """A pickle holds something other than an encoding."""


class _Machine:
    """The few opcodes of an encoding, on a stack and a memo that hold plain data alone."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.built: Any = None

    def state(self, data: bytes) -> Any:
        """Return the state of the encoding in a pickle; _OtherPickle for what no encoding has."""
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name == "STOP":
                break
            self._step(opcode.name, argument)
        if self.stack != [_ENCODING]:
            raise _OtherPickle("it does not hold an encoding")
        return self.built

    def _step(self, opcode: str, argument: Any) -> None:
        stack, memo = self.stack, self.memo
        match opcode:
            case _ if opcode in _IGNORED:
                pass
            case _ if opcode in _CONSTANTS:
                stack.append(argument)
            case "MEMOIZE":
                memo[len(memo)] = stack[-1]
            case "BINPUT" | "LONG_BINPUT":
                memo[argument] = stack[-1]
            case "BINGET" | "LONG_BINGET":
                stack.append(memo[argument])
            case "EMPTY_TUPLE":
                stack.append(())
            case "EMPTY_DICT":
                stack.append({})
            case "MARK":
                stack.append(_MARK)
            case "SETITEM":
                value, key = stack.pop(), stack.pop()
                self._set([key, value])
            case "SETITEMS":
                at = len(stack) - 1 - stack[::-1].index(_MARK)
                items = stack[at + 1 :]
                del stack[at:]
                self._set(items)
            case "GLOBAL" | "STACK_GLOBAL":
                named = tuple(argument.split(" ")) if opcode == "GLOBAL" else tuple(stack[-2:])
                if named != _CLASS:
                    raise _OtherPickle(f"it names {'.'.join(map(str, named))}")
                if opcode == "STACK_GLOBAL":
                    del stack[-2:]
                stack.append(_ENCODING_CLASS)
            case "NEWOBJ":
                if stack[-2:] != [_ENCODING_CLASS, ()]:
                    raise _OtherPickle("it makes another object")
                stack[-2:] = [_ENCODING]
            case "BUILD":
                self.built = stack.pop()
            case _:
                raise _OtherPickle(f"it has the opcode {opcode}")

    def _set(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, dict) or len(items) % 2:
            raise TypeError
        target.update(zip(items[::2], items[1::2], strict=True))
