"""Tokenizer: one class for all BPE that falls back to bytes, pretrained or trained here."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from tokviz.core.batch import decoded_bytes, results_by_text
from tokviz.core.cut_places import PART
from tokviz.core.engine import Engine
from tokviz.core.normalizer import PLAIN, Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import pattern_name_or_regex, short_repr
from tokviz.core.pretokens import pretokens, split_at_special_tokens, well_formed_text
from tokviz.core.protocol import MERGES, AnyTokenizer, EncodingTokenizer, as_tokenizer, checked_texts, family_error
from tokviz.core.spans import TokenSpans, spans_from_byte_offsets, token_spans
from tokviz.core.special_tokens import SpecialTokens, recognised_special_names, special_tokens_with_ids
from tokviz.core.steps import TrainStep
from tokviz.core.vocabulary import Vocabulary

if TYPE_CHECKING:
    import tiktoken
    import tokenizers

T = TypeVar("T")
MANY_IDS = 50_000  # fewer are decoded here before an engine is made


class Tokenizer(Vocabulary, EncodingTokenizer):
    """A BPE tokenizer that knows every text: its merges begin with bytes, or with characters and fall back to bytes.

    Two tokenizers are equal when all but their names are; the name is a label.

    >>> from tokviz.core.bpe import ranks_from_merges
    >>> tokenizer = Tokenizer("toy", "none", ranks_from_merges([(97, 97)]), {"<end>": 300})
    >>> tokenizer.encode("aab<end>"), tokenizer.encode("aab<end>", allowed_special="all")
    ([256, 98, 60, 101, 110, 100, 62], [256, 98, 300])
    """

    def __init__(
        self,
        name: str,
        split_pattern: str,
        mergeable_ranks: Mapping[bytes, int],
        special_tokens: Mapping[str, int] | None = None,
        always_special: Collection[str] = (),
        takes_whole: bool = True,
        normalizer: Normalizer = PLAIN,
    ) -> None:
        """Check and keep what makes a tokenizer; its ranks may be `OrderedRanks`.

        always_special: the special tokens that are recognised in every text, allowed or not, such as `<think>` in
        Qwen's. takes_whole: whether a pretoken that equals a token becomes that token even where merges do not make it,
        as in tiktoken; the tokenizers library calls it ignore_merges. normalizer: what changes a text before it is
        split.
        Raises ValueError for a pattern that does not compile, ranks that lack a byte or use an id
        twice, and special tokens that are empty or whose ids collide.
        """
        self.split_pattern = pattern_name_or_regex(split_pattern)
        super().__init__(name, mergeable_ranks, special_tokens)
        self.always_special, self.takes_whole = frozenset(always_special), takes_whole
        self.normalizer = normalizer
        if unknown := self.always_special - self.special_tokens.keys():
            raise ValueError(
                f"always_special names {short_repr(min(unknown))}, which is not a special token: add it to these"
            )

    @classmethod
    def from_steps(
        cls,
        steps: Iterable[TrainStep],
        *,
        split_pattern: str | None = None,
        special_tokens: SpecialTokens = (),
        name: str = "trained",
        start: "Tokenizer | None" = None,
    ) -> Self:
        """Return the tokenizer made of the merges learned so far, on top of the merges of `start` if there is one.

        split_pattern: by default the one of `start`, else cl100k. Special tokens given by name alone get the ids
        after the last merge; the special tokens of `start` keep theirs. Raises ValueError for a split pattern other
        than the one of `start`, for a special token that it has already, and as the class does.

        >>> from tokviz.training.training import train_steps
        >>> steps = list(train_steps("low lower", vocab_size=300))[:2]
        >>> tokenizer = Tokenizer.from_steps(steps, split_pattern="cl100k", special_tokens=["<s>"])
        >>> tokenizer.encode("lowest"), tokenizer.special_tokens
        ([257, 101, 115, 116], {'<s>': 258})
        """
        if start is None:
            pattern = "cl100k" if split_pattern is None else split_pattern
            start = Tokenizer(name, pattern, {bytes([i]): i for i in range(256)})
        start = tokenizer_with_merges(start, "continued training")
        if split_pattern is not None and pattern_name_or_regex(split_pattern) != start.split_pattern:
            raise ValueError(
                f"{start.name} has the split pattern {short_repr(start.split_pattern)}, and its merges go on under "
                f"that: leave out {short_repr(split_pattern)}"
            )
        ranks, first, known = dict(start.mergeable_ranks), start.n_vocab, start.special_tokens
        for step in steps:
            ranks[step.token_bytes] = step.token_id
            first = step.token_id + 1
        added = special_tokens_with_ids(special_tokens, first=first)
        if twice := next((token for token in added if token in known), None):
            raise ValueError(f"{start.name} has the special token {twice!r} already: leave it out")
        more = start.always_special, start.takes_whole, start.normalizer
        return cls(name, start.split_pattern, ranks, known | added, *more)

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        split_pattern: str | None = None,
        special_tokens: SpecialTokens | None = None,
    ) -> AnyTokenizer:
        """Return the tokenizer in a file, known by its content; named as by `tokviz.read`.

        Reads tokenizer.json, tekken.json, vocab.json with merges.txt, GGUF, .tiktoken, SentencePiece's .model, the
        minbpe family, and nanochat's tokenizer.pkl; or a folder with one of them. BPE that knows every text becomes a
        `Tokenizer` if this class can express its rules; anything else runs through the library of its format, and
        `reason` says why. `split_pattern` and `special_tokens` replace what a file of the minbpe family says; a
        .tiktoken file that is not well known needs the pattern, and so does a GGUF file whose own is not known. Raises
        ValueError for a damaged file, and OSError for one that is not there or cannot be read.
        """
        from tokviz.formats.files import read  # the formats are above this class

        return read(path, split_pattern=split_pattern, special_tokens=special_tokens)

    def save(self, path: str | Path, *, version: str | None = None) -> None:
        """Write the tokenizer to a file, in the format of its suffix, whole or not at all.

        minbpe reads .model, the `tokenizers` library .json, and tiktoken .tiktoken once it is given the split
        pattern and the special tokens; `Tokenizer.read` reads all three. .vocab is a listing for people. Of a
        .tiktoken file the special tokens that always match do so only where they are allowed.
        `version`, for .model files alone, is "minbpe v1" or what another class checks for: "bpe v1",
        "thai tokenizer v1.0". Raises ValueError for another suffix or version, and for what the format cannot express.
        """
        from tokviz.formats.files import save

        save(self, path, version=version)

    def to_tiktoken(self) -> "tiktoken.Encoding":
        """Return an encoding of tiktoken with the same ids; FamilyError where there is none, with the reason.

        `encode_ordinary` is then `encode`, and `encode(text, allowed_special="all")` is this one's. tiktoken itself
        fails on about a million characters of white space in a row.

        >>> import tokviz
        >>> tokviz.load("gpt2").to_tiktoken().encode("hello world")
        [31373, 995]
        """
        from tokviz.formats.library_objects import tiktoken_encoding  # the formats are above this class

        return tiktoken_encoding(self)

    def to_huggingface(self) -> "tokenizers.Tokenizer":
        """Return a tokenizer of the `tokenizers` library with the same ids; FamilyError where there is none.

        It recognises all special tokens, as `allowed_special="all"` does, and none that do not always match once its
        `encode_special_tokens` is True.

        >>> import tokviz
        >>> tokviz.train("low lower", vocab_size=258).to_huggingface().encode("lower").ids
        [257, 101, 114]
        """
        from tokviz.formats.library_objects import huggingface_tokenizer

        return huggingface_tokenizer(self)

    def truncated(self, n_merges: int) -> "Tokenizer":
        """Return this tokenizer with its first `n_merges` merges only; special tokens keep their ids.

        >>> from tokviz.core.bpe import ranks_from_merges
        >>> Tokenizer("toy", "none", ranks_from_merges([(97, 97)])).truncated(0).encode("aa")
        [97, 97]
        """
        if not 0 <= n_merges <= len(self.merge_tokens):
            raise ValueError(
                f"{self.name} has {len(self.merge_tokens)} merges: cut it to a number from 0 to that, not {n_merges!r}"
            )
        dropped = set(self.merge_tokens[n_merges:])
        ids = {token: i for token, i in self.mergeable_ranks.items() if token not in dropped}
        return self.with_vocabulary(ids, self.special_tokens)

    def with_vocabulary(
        self,
        ids: Mapping[bytes, int],
        special_tokens: Mapping[str, int],
        *,
        name: str | None = None,
        split_pattern: str | None = None,
        new_ids: Mapping[int, int] | None = None,
    ) -> "Tokenizer":
        """Return a tokenizer of these tokens that treats texts as this one does, and merges in the same order.

        new_ids: the new id of each byte by its old one, if they change.

        >>> from tokviz.core.bpe import ranks_from_merges
        >>> toy = Tokenizer("toy", "none", ranks_from_merges([(97, 97)]), {"<end>": 300})
        >>> toy.with_vocabulary({bytes([i]): i for i in range(256)}, {}).encode("aa<end>", allowed_special="all")
        [97, 97, 60, 101, 110, 100, 62]
        """
        always = self.always_special & special_tokens.keys()
        if isinstance(self.mergeable_ranks, OrderedRanks) and ids is not self.mergeable_ranks:
            ids = self.mergeable_ranks.with_ids(ids, new_ids)
        pattern = self.split_pattern if split_pattern is None else split_pattern
        return Tokenizer(name or self.name, pattern, ids, special_tokens, always, self.takes_whole, self.normalizer)

    def with_special_tokens(self, added: Mapping[str, int], *, name: str) -> "Tokenizer":
        """Return this tokenizer with more special tokens. Both share what encodes plain text, which is slow to make.

        >>> from tokviz.core.bpe import ranks_from_merges
        >>> toy = Tokenizer("toy", "none", ranks_from_merges([(97, 97)]))
        >>> toy.with_special_tokens({"<end>": 300}, name="toy + end").encode("aa<end>", allowed_special="all")
        [256, 300]
        """
        special = {**self.special_tokens, **added}
        made = self.with_vocabulary(self.mergeable_ranks, special, name=name)
        made._engine = self._engine
        return made

    def pretokens(self, text: str) -> list[str]:
        """Return the pretokens of a text; joined, they are the normalized text (lone surrogates are U+FFFD)."""
        return pretokens(self.normalizer.normalized(well_formed_text(text)) if text else "", self.split_pattern)

    def normalized(
        self, text: str, *, allowed_special: str | Collection[str] = (), is_first: bool = True
    ) -> tuple[str, np.ndarray | None]:
        """Return a text as its tokens give it, and for each byte of that, and for its end, the byte it comes from.

        Lone surrogates are U+FFFD. The second is int32, as `Normalizer.sources` returns it; None if nothing changed.
        Special tokens and errors are as in `pieces`.

        >>> toy = Tokenizer("toy", "none", {bytes([i]): i for i in range(256)}, normalizer=Normalizer(prefix="each"))
        >>> toy.normalized("ab")
        (' ab', array([0, 0, 1, 2], dtype=int32))
        """
        text = well_formed_text(text)
        if self.normalizer.is_plain:
            return text, None
        texts, sources, begin = [], [], 0
        for stretch, is_special, begins in self._stretches_and_special_tokens(text, allowed_special, is_first):
            normalizer = PLAIN if is_special else self.normalizer
            texts.append(normalizer.normalized(stretch, is_first=begins))
            found = normalizer.sources(stretch, is_first=begins)
            sources.append(found[:-1] + np.int32(begin))
            begin += int(found[-1])
        changed = "".join(texts)
        return changed, None if changed == text else np.append(np.concatenate(sources), np.int32(begin))

    def pieces(
        self, text: str, *, allowed_special: str | Collection[str] = (), is_first: bool = True
    ) -> Iterator[tuple[str, bool]]:
        """Yield the pretokens and the allowed special tokens of a text, each with whether it is one.

        Special tokens that are not allowed are plain text. The text between two is normalized first; is_first: whether
        this text begins a longer one. Raises ValueError for a name in `allowed_special` that is not a special token of
        this tokenizer.
        """
        for stretch, is_special, begins in self._stretches_and_special_tokens(
            well_formed_text(text), allowed_special, is_first
        ):
            if is_special:
                yield stretch, True
            else:
                for pretoken in pretokens(self.normalizer.normalized(stretch, is_first=begins), self.split_pattern):
                    yield pretoken, False

    def _stretches_and_special_tokens(
        self, text: str, allowed_special: str | Collection[str], is_first: bool
    ) -> Iterator[tuple[str, bool, bool]]:
        found = split_at_special_tokens(text, recognised_special_names(self, allowed_special))
        return self.normalizer.stretches(found, self.always_special, is_first=is_first)

    def encode(self, text: str, *, allowed_special: str | Collection[str] = ()) -> list[int]:
        """Return the token ids of a text.

        allowed_special: "all", or a set of special tokens to recognise; others are plain text.
        Lone surrogates become U+FFFD. Raises ValueError where the split pattern does not end, TypeError for anything
        but a str. A long text is encoded by a thread on each core where the split pattern is a named one.

        >>> import tokviz
        >>> tokviz.load("cl100k_base").encode("3221+2334=5555")
        [15805, 16, 10, 12994, 19, 28, 14148, 20]
        """
        ids: list[int] = self.encode_to_numpy(text, allowed_special=allowed_special).tolist()
        return ids

    def encode_to_numpy(self, text: str, *, allowed_special: str | Collection[str] = ()) -> np.ndarray:
        """Return the token ids of a text, uint32, without a Python integer for each; otherwise as `encode`."""
        if isinstance(text, str) and 0 < len(text) <= PART and not recognised_special_names(self, allowed_special):
            return self._engine.ids(self.normalizer.normalized(well_formed_text(text)))
        return next(self.encode_iter([text], allowed_special=allowed_special))

    def encode_iter(self, texts: Iterable[str], *, allowed_special: str | Collection[str] = ()) -> Iterator[np.ndarray]:
        """Yield the token ids of each text, uint32, in order, for as many texts as there are.

        All cores share the texts if the split pattern is a named one. A few hundred thousand characters are read ahead
        and held. Otherwise as `encode`.

        >>> import tokviz
        >>> [ids.tolist() for ids in tokviz.load("gpt2").encode_iter(["hello world", ""])]
        [[31373, 995], []]
        """
        for arrays in self._results_by_text(texts, allowed_special, np.asarray):
            yield np.concatenate([np.empty(0, np.uint32), *arrays])

    def count_iter(self, texts: Iterable[str], *, allowed_special: str | Collection[str] = ()) -> Iterator[int]:
        """Yield how many tokens each text has, in order; otherwise as `encode_iter`.

        >>> import tokviz
        >>> list(tokviz.load("gpt2").count_iter(["hello world", ""]))
        [2, 0]
        """
        yield from map(sum, self._results_by_text(texts, allowed_special, len))

    def _results_by_text(
        self, texts: Iterable[str], allowed_special: str | Collection[str], of_ids: Callable[[np.ndarray], T]
    ) -> Iterator[list[T]]:
        texts = checked_texts(texts)
        names = recognised_special_names(self, allowed_special)
        special = {name: self.special_tokens[name] for name in names}
        always = self.always_special
        return results_by_text(self._engine, texts, special, of_ids, normalizer=self.normalizer, always_special=always)

    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> TokenSpans:
        """Return the tokens of a text with their offsets in it, as `tokviz.text_spans` does; errors as in `encode`."""
        spans = token_spans(self, self.encode_to_numpy(text, allowed_special=allowed_special))
        sources = self.normalized(text, allowed_special=allowed_special)[1]
        if sources is None:
            return spans
        data = well_formed_text(text).encode()
        return spans_from_byte_offsets(data, spans.ids, sources[spans.byte_starts], sources[spans.byte_ends])

    def encode_pretoken(self, pretoken: str) -> list[int]:
        """Return the token ids of a pretoken, without cutting it again: a pattern that looks around might cut it alone.

        >>> import tokviz
        >>> tokviz.load("gpt2").encode_pretoken("low low")
        [9319, 1877]
        """
        return self._engine.pretoken_ids(pretoken)

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self.split_pattern, self.mergeable_ranks, takes_whole=self.takes_whole)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes of the tokens joined; errors as in `token_bytes`."""
        ids = ids if isinstance(ids, (list, np.ndarray)) else list(ids)
        if len(ids) < MANY_IDS:
            return super().decode_bytes(ids)
        try:
            return decoded_bytes(self._engine, ids, super().decode_bytes)
        except ValueError:
            return super().decode_bytes(ids)  # which counts the ids from the first one of all

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens; bytes that are not valid UTF-8 become U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def _compared_fields(self) -> tuple[object, ...]:
        parts = self.split_pattern, self.mergeable_ranks, self.special_tokens
        return *parts, self.always_special, self.takes_whole, self.normalizer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tokenizer) and self._compared_fields() == other._compared_fields()

    def __hash__(self) -> int:
        return hash((self.split_pattern, len(self.mergeable_ranks), frozenset(self.special_tokens.items())))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # The engine cannot be pickled; it is made again from the ranks.
        return type(self), (self.name, *self._compared_fields())

    def __repr__(self) -> str:
        return (
            f"Tokenizer({self.name!r}, split_pattern={short_repr(self.split_pattern, 40)}, "
            f"{len(self.mergeable_ranks)} tokens, {len(self.special_tokens)} special)"
        )


def tokenizer_with_merges(given: Any, asked: str, *, needs: str = MERGES) -> Tokenizer:
    """Return a tokenizer whose merges are known, which another library may hold.

    Raises FamilyError, with what was `asked` and what that `needs`, for any other.

    >>> import tiktoken
    >>> tokenizer_with_merges(tiktoken.get_encoding("gpt2"), "a trace").name
    'gpt2'
    """
    tokenizer = as_tokenizer(given, asked, needs=needs)
    if not isinstance(tokenizer, Tokenizer):
        raise family_error(tokenizer, asked, needs=needs)
    return tokenizer
