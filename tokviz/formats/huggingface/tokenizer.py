"""HFTokenizer: any tokenizer.json, run by the `tokenizers` library in a child process with limits on time and memory.

Post-processor, truncation and padding are left out, since they add to a text or take from it, and so is dropout, which
is random. The library executes nothing in a file.
"""

import json
import os
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import tokenizers

from tokviz.core.bpe import check_weights
from tokviz.core.patterns import shortened
from tokviz.core.pretokens import well_formed
from tokviz.core.spans import TokenSpans, placed_spans
from tokviz.core.special_tokens import SPECIAL_ID_MAX, allowed_names
from tokviz.formats.huggingface.byte_alphabet import read_bytes
from tokviz.formats.huggingface.byte_level import model_type
from tokviz.formats.library_tokenizer import LibraryTokenizer

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # one text at a time gains nothing from threads
GAP_MAX = 1_000_000  # ids without a token; files in use leave out some hundred


def parsed_json(data: bytes, name: str, what: str) -> Any:
    """Return what the JSON in a file holds; `name` is that of the file, `what` says what it should be.

    Raises ValueError for what is not JSON in UTF-8.

    >>> parsed_json(b"[1", "x.json", "a tekken.json")
    Traceback (most recent call last):
    ValueError: x.json, line 1: not JSON from character 3 of the file on; it is cut off or damaged, so fetch it again …
    """
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as e:
        raise ValueError(f"{name}: not UTF-8 at byte {e.start:,}, so not {what}; fetch it again") from e
    except RecursionError as e:
        raise ValueError(f"{name}: JSON nested too deeply to be {what}") from e
    except json.JSONDecodeError as e:
        raise ValueError(
            f"{name}, line {e.lineno}: not JSON from character {e.pos + 1:,} of the file on; it is cut off or damaged, "
            f"so fetch it again ({e.msg})"
        ) from e
    except ValueError as e:
        raise ValueError(f"{name}: a number too long to be an id or a score; the file is damaged") from e


def parsed_spec(data: bytes, name: str) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json; ValueError for anything else."""
    spec = parsed_json(data, name, "a tokenizer.json")
    if not isinstance(spec, dict) or not isinstance(spec.get("model"), dict):
        raise ValueError(
            f"{name}: JSON, but not a tokenizer.json: it has no model. (tokenizer_config.json and the like hold only a "
            "part; open the tokenizer.json beside them.)"
        )
    added = spec.get("added_tokens") or []
    if not isinstance(added, list) or not all(isinstance(token, dict) for token in added):
        raise ValueError(f"{name}: its added_tokens are not a list of tokens")
    for token in added:
        if not isinstance(token.get("content"), str) or not isinstance(token.get("id"), int):
            raise ValueError(f"{name}: expected an added token with its id and content, not {shortened(token)}")
    _check_weights([token["content"] for token in added], name)
    return spec


def _check_weights(tokens: Collection[str], name: str) -> None:
    try:
        check_weights(tokens)
    except ValueError as e:
        raise ValueError(f"{name}: {e}") from None


class _Library:
    """The library's tokenizers of a parsed tokenizer.json: one for each set of allowed special tokens."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.spec = spec
        self._engines: dict[frozenset[str], tokenizers.Tokenizer] = {}

    def engine(self, allowed: frozenset[str]) -> tokenizers.Tokenizer:
        """Return the library's tokenizer that recognises the allowed special tokens and takes others for text."""
        engine = self._engines.get(allowed)
        if engine is None:
            added = [
                token | {"special": token.get("special") and str(token.get("content")) not in allowed}
                for token in self.spec.get("added_tokens") or []
            ]
            left_out: dict[str, Any] = {"truncation": None, "padding": None, "post_processor": None}
            if self.spec["model"].get("dropout"):
                left_out["model"] = {**self.spec["model"], "dropout": None}
            engine = tokenizers.Tokenizer.from_str(json.dumps({**self.spec, **left_out, "added_tokens": added}))
            engine.encode_special_tokens = True
            self._engines[allowed] = engine
        return engine


@dataclass(frozen=True)
class _Facts:
    """What is known about a tokenizer.json without a text."""

    kind: str
    token_of: Mapping[int, str]
    added: Mapping[int, str]
    special_tokens: Mapping[str, int]
    unknown_id: int | None
    is_written_in_bytes: bool
    has_byte_fallback: bool
    has_marked_spaces: bool
    normalizer: str


def _facts(library: _Library, name: str) -> _Facts:
    """Return the facts of a tokenizer; ValueError for ids or tokens far beyond those in use."""
    spec, engine = library.spec, library.engine(frozenset())
    id_of: dict[str, int] = engine.get_vocab(with_added_tokens=True)
    token_of = {token_id: token for token, token_id in id_of.items()}
    highest = max(token_of, default=0)
    if highest > SPECIAL_ID_MAX:
        raise ValueError(f"{name}: the id {highest} is over {SPECIAL_ID_MAX}")
    if highest > len(token_of) + GAP_MAX:  # views go through all ids
        raise ValueError(
            f"{name}: the id {highest} is far beyond its {len(token_of):,} tokens; at most {GAP_MAX:,} ids may be left "
            "out"
        )
    _check_weights(id_of, name)
    added = sorted(engine.get_added_tokens_decoder().items())
    model, kind = spec["model"], model_type(spec)
    unknown = model.get("unk_id") if kind == "Unigram" else id_of.get(str(model.get("unk_token")))
    return _Facts(
        kind,
        token_of,
        {token_id: token.content for token_id, token in added},
        {token.content: token_id for token_id, token in added if token.special},
        unknown if isinstance(unknown, Hashable) and unknown in token_of else None,
        '"ByteLevel"' in json.dumps([spec.get("pre_tokenizer"), spec.get("decoder")]),
        bool(model.get("byte_fallback")),
        "▁" in json.dumps(spec.get("decoder"), ensure_ascii=False),
        _normalizer_names(spec.get("normalizer") or {}),
    )


def _normalizer_names(normalizer: Mapping[str, Any]) -> str:
    """Return the normalizers of a tokenizer.json by their names.

    >>> _normalizer_names({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}]})
    'NFD, Lowercase'
    """
    steps = normalizer.get("normalizers", [normalizer])
    return ", ".join(str(step["type"]) for step in steps if "type" in step)


def _encoded(library: _Library, text: str, allowed: frozenset[str]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the ids of a text, and start and end of each token in characters."""
    encoding = library.engine(allowed).encode(text)
    return encoding.ids, encoding.offsets


class HFTokenizer(LibraryTokenizer):
    """A tokenizer.json run by the `tokenizers` library.

    >>> model = {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"}
    >>> split = {"type": "WhitespaceSplit"}
    >>> spec = {"version": "1.0", "model": model, "pre_tokenizer": split, "added_tokens": []}
    >>> toy = HFTokenizer("toy", json.dumps(spec).encode())
    >>> toy.encode("a b"), toy.spans("a b").char_starts.tolist(), toy.unknown_id
    ([1, 0], [0, 2], 0)
    """

    file_name = "tokenizer.json"
    seconds = 10.0  # a million characters take about two

    def __init__(self, name: str, data: bytes, *, reason: str | None = None) -> None:
        """Load the bytes of a tokenizer.json; ValueError if the library refuses them."""
        super().__init__(name, data, reason)
        facts = self._engine.ask(_facts, name, seconds=self.seconds, what=f"loading {name}")
        self.kind, self.special_tokens, self.unknown_id = facts.kind, facts.special_tokens, facts.unknown_id
        self.normalizer = facts.normalizer
        self._facts, self.token_of = facts, facts.token_of

    @staticmethod
    def load(data: bytes) -> _Library:
        """Return the library's tokenizers of a tokenizer.json."""
        return _Library(parsed_spec(data, "a tokenizer.json"))

    @staticmethod
    def decoded(library: _Library, ids: list[int]) -> str:
        """Return the text of ids, special tokens included."""
        return library.engine(frozenset()).decode(ids, skip_special_tokens=False)

    def _encoding(self, text: str, allowed_special: str | Collection[str]) -> tuple[list[int], list[tuple[int, int]]]:
        return self.ask(_encoded, text, frozenset(allowed_names(self.name, self.special_tokens, allowed_special)))

    def encode(self, text: str, *, allowed_special: str | Collection[str] = ()) -> list[int]:
        """Return the token ids of a text; special tokens that are not allowed are plain text.

        Added tokens that are not special always match, except inside a longer special token. Raises ValueError
        if the library fails or does not end.
        """
        return self._encoding(well_formed(text), allowed_special)[0]

    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> TokenSpans:
        """Return the tokens of a text with their offsets in it; errors as in `encode`."""
        text = well_formed(text)
        ids, offsets = self._encoding(text, allowed_special)
        byte_at = [0, *accumulate(len(character.encode()) for character in text)]
        # The library may place a token before the end of the last one, but never before its start.
        starts = list(accumulate((byte_at[start] for start, _ in offsets), max))
        ends = list(accumulate((byte_at[end] for _, end in offsets), max))
        ends = [max(pair) for pair in zip(starts, ends, strict=True)]
        self._share_characters(ids, starts, ends, text.encode())
        return placed_spans(text.encode(), ids, starts, ends)

    def _share_characters(self, ids: list[int], starts: list[int], ends: list[int], data: bytes) -> None:
        """Split characters that several tokens share into the bytes of each token, if those are known."""
        groups = [i for i in range(len(ids)) if not i or starts[i] >= ends[i - 1]]
        for first, stop in pairwise([*groups, len(ids)]):
            if stop - first > 1:
                pieces = [self.token_bytes(token_id) for token_id in ids[first:stop]]
                begin = starts[first]
                if b"".join(pieces) == data[begin : ends[stop - 1]]:
                    ends[first:stop] = list(accumulate(map(len, pieces), initial=begin))[1:]
                    starts[first:stop] = [begin, *ends[first : stop - 1]]

    def bytes_of(self, token_id: int, token: str) -> bytes:
        """Return the bytes of a token, which the file may write in several ways."""
        if token_id in self._facts.added or token_id == self.unknown_id:
            return token.encode("utf-8", "replace")
        if self._facts.is_written_in_bytes:
            return read_bytes(token) or token.encode()
        if self._facts.has_byte_fallback and len(token) == 6 and token.startswith("<0x"):
            return bytes.fromhex(token[3:5])
        return (token.replace("▁", " ") if self._facts.has_marked_spaces else token).encode()
