"""What changes where one tokenizer replaces another, in words: texts, tokens, ids, special tokens, cuts and rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from time import monotonic
from typing import Any

import numpy as np
import regex

from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.spans import TokenSpans, text_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence import probe_texts
from tokviz.text.savings import differing_stretches
from tokviz.text.words import quantity
from tokviz.vocabulary.report import overlap

Sections = dict[str, list[str]]  # lines by their headings
NamedText = tuple[str, str]
Cost = tuple[str, int, int]  # of a text: its name, and its tokens in both
SHOWN = 5  # examples in a line, texts in a list
TOKENS_SHOWN = 20
SPECIAL = "<special>"  # next to which normalizers differ
SEARCH_SECONDS = 3  # in the texts of tokens, for one where a rule matters
PROBED_TEXTS, PROBED_CHARS = 100, 20_000  # of the texts, to find one where a rule matters
_LINE = regex.compile(r"[^\n]*\n?(?:[^\S\n]*\n)*")
_RUNS = {
    "runs of digits": regex.compile(r"\p{Nd}{2,}"),
    "indentation": regex.compile(r"(?m)^[ \t]{2,}(?=\S)"),
    "runs of spaces": regex.compile(r"(?<=\S)[ \t]{2,}"),
    "empty lines": regex.compile(r"(?:\r?\n){2,}"),
}
# Each with its value in a tokenizer, and that in words.
_RULES: tuple[tuple[str, Callable[[Tokenizer], Any], Callable[[Any], str]], ...] = (
    ("split pattern", attrgetter("split_pattern"), str),
    ("merges", attrgetter("merge_tokens"), lambda tokens: f"{len(tokens):,}"),
    ("pretokens that are tokens", attrgetter("takes_whole"), lambda whole: "taken whole" if whole else "merged"),
    ("normalizer", attrgetter("normalizer"), lambda normalizer: normalizer.words() or "none"),
)


def sample_texts() -> list[NamedText]:
    """Return the samples that tokviz includes, with their names."""
    return [(f"sample {name}", sample(name)) for name in SAMPLES]


def line_texts(text: str) -> Iterator[NamedText]:
    """Yield the lines of a text, each with its line end and the blank lines after it, and a name with its number."""
    number = 1
    for line in filter(None, _LINE.findall(text)):
        yield f"line {number}, {short_repr(line.strip(), 40)}", line
        number += line.count("\n")


def replacement_report(
    left: AnyTokenizer, right: AnyTokenizer, texts: Iterable[NamedText], *, names: tuple[str, str] | None = None
) -> Sections:
    """Return what changes from one tokenizer to another of any family, in texts with their names.

    names: those of the tokenizers, if not their own. Tokens are the same if their bytes are. Only of byte-level BPE all
    rules are compared, each with the first stretch that is cut differently if it alone changes: in the texts, in odd
    ones, or in the text of a token, searched for at most three seconds. Special tokens in texts are plain text.
    Raises ValueError as `encode` does.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"19": 256, b"98": 257, b"1998": 258}
    >>> old, new = Tokenizer("old", "gpt2", ranks), Tokenizer("new", "cl100k", ranks)
    >>> replacement_report(old, new, [("year", "1998")])["Digits and white space"]
    ["runs of digits: 1 of 1 cut differently, 1 → 3 tokens, ... '1998': '1998' → '19' '9' '8'"]
    >>> replacement_report(old, Tokenizer("same", "gpt2", ranks), [])
    {'From old to same': ['Nothing changes: tokens, ids, special tokens and rules are the same.']}
    """
    before, after = names or (left.name, right.name)
    costs: list[Cost] = []
    runs = {kind: _CutRuns() for kind in _RUNS}
    probed: list[str] = []
    for name, text in texts:
        spans = text_spans(left, text), text_spans(right, text)
        costs.append((name, len(spans[0]), len(spans[1])))
        for kind, pattern in _RUNS.items():
            runs[kind].add_matches(pattern, *spans)
        if len(probed) < PROBED_TEXTS:
            probed.append(text[:PROBED_CHARS])
    found = {
        "Texts": _text_lines(costs),
        "Tokens and ids": _token_lines(left, right, before, after),
        "Special tokens": _special_lines(left.special_tokens, right.special_tokens, before, after),
        "Digits and white space": [f"{kind}: {run}" for kind, run in runs.items() if run.first],
        "Rules": list(_rule_lines(left, right, probed)),
    }
    title = f"From {before} to {after}"
    reasons = [f"Not all rules are compared: {each.name} is {each.kind}." for each in (left, right) if each.reason]
    if not any(found.values()):
        same = "tokens, ids and special tokens" if reasons else "tokens, ids, special tokens and rules"
        return {title: [f"Nothing changes: {same} are the same.", *reasons[:1]]}
    in_all = _cost_line(quantity(len(costs), "text"), sum(cost[1] for cost in costs), sum(cost[2] for cost in costs))
    return {title: [in_all, *reasons[:1]]} | {heading: lines or ["no difference"] for heading, lines in found.items()}


@dataclass
class _CutRuns:
    """Runs of a kind of characters: how many there are, and are cut differently; tokens, and their longest, in both."""

    n_runs: int = 0
    n_differing: int = 0
    n_tokens: tuple[int, int] = (0, 0)
    longest: tuple[int, int] = (0, 0)
    first: str = ""

    def add_matches(self, pattern: regex.Pattern[str], *both: TokenSpans) -> None:
        """Add the runs in a text."""
        for start, end in (match.span() for match in pattern.finditer(both[0].text)):
            left, right = ([both[0].text[a:b] for a, b in pairwise(_places(each, start, end))] for each in both)
            self.n_runs += 1
            self.n_tokens = self.n_tokens[0] + len(left), self.n_tokens[1] + len(right)
            self.longest = max(self.longest[0], *map(len, left)), max(self.longest[1], *map(len, right))
            if left != right:
                self.n_differing += 1
                self.first = self.first or _difference_words("".join(left), left, right)

    def __str__(self) -> str:
        tokens = f"{self.n_tokens[0]:,} → {quantity(self.n_tokens[1], 'token')}"
        longest = f"{self.longest[0]:,} → {quantity(self.longest[1], 'character')}"
        cut = f"{self.n_differing:,} of {self.n_runs:,} cut differently"
        return f"{cut}, {tokens}, the longest of {longest}; {self.first}"


def _places(spans: TokenSpans, start: int, end: int) -> list[int]:
    """Return where tokens end between two places, in characters, with these places around them."""
    first, stop = np.searchsorted(spans.char_ends, [start + 1, end])
    return [start, *np.unique(spans.char_ends[first:stop]).tolist(), end]


def _cost_line(what: str, left: int, right: int) -> str:
    """Return in words what something costs before and after.

    >>> _cost_line("2 texts", 200, 150)
    '2 texts: 200 → 150 tokens (-25.0%)'
    """
    return f"{what}: {left:,} → {quantity(right, 'token')}" + (f" ({right / left - 1:+.1%})" if left else "")


def _text_lines(costs: Iterable[Cost]) -> list[str]:
    """Return the texts that grow and shrink most, as a share of their tokens."""
    ordered = sorted((cost for cost in costs if cost[1] != cost[2]), key=lambda cost: cost[2] / max(cost[1], 1))
    shrunk = [cost for cost in ordered if cost[2] < cost[1]]
    grown = ordered[: len(shrunk) - 1 if shrunk else None : -1]
    counts = [f"{len(grown):,} grow, {len(shrunk):,} shrink"] if ordered else []
    return counts + [_cost_line(*cost) for cost in grown[:SHOWN] + shrunk[:SHOWN]]


def _token_lines(left: AnyTokenizer, right: AnyTokenizer, before: str, after: str) -> list[str]:
    shared = overlap(left, right)
    theirs = dict(zip(shared.right.ids.tolist(), shared.right.tokens, strict=True))
    ours = [each for each in zip(shared.left.ids.tolist(), shared.left.tokens, strict=True) if each[0] in theirs]
    others = [(token_id, token) for token_id, token in ours if token != theirs[token_id]]
    if not (len(shared.only_left) or len(shared.only_right) or others):
        return []
    only = f"{len(shared.only_left):,} only in {before}, {len(shared.only_right):,} only in {after}"
    shown = others[: SHOWN + 1]
    examples = _examples(f"{i} {' → '.join(map(repr, _texts([token, theirs[i]])))}" for i, token in shown)
    return [
        f"{len(shared.common):,} tokens in both, {only}",
        f"{quantity(len(ours) - len(others), 'id')} of the same token, {len(others):,} of another{examples}",
    ]


def _special_lines(left: Mapping[str, int], right: Mapping[str, int], before: str, after: str) -> list[str]:
    kinds = {
        f"only in {before}": [f"{name!r} {i}" for name, i in left.items() if name not in right],
        f"only in {after}": [f"{name!r} {i}" for name, i in right.items() if name not in left],
        "with other ids": [f"{name!r} {i} → {right[name]}" for name, i in left.items() if right.get(name, i) != i],
    }
    return [f"{len(names):,} {kind}{_examples(names)}" for kind, names in kinds.items() if names]


def _rule_lines(left: AnyTokenizer, right: AnyTokenizer, texts: Sequence[str]) -> Iterator[str]:
    if left.kind != right.kind:
        yield f"family: {left.kind} → {right.kind}"
    if not (isinstance(left, Tokenizer) and isinstance(right, Tokenizer)):
        return
    owners = [left] * len(_RULES)
    plain = _with_rules(*owners)
    for i, (name, value, words) in enumerate(_RULES):
        if value(left) != value(right):
            changed = _with_rules(*owners[:i], right, *owners[i + 1 :])
            first = _first_difference(plain, changed, texts)
            yield f"{name}: {short_repr(words(value(left)))} → {short_repr(words(value(right)))}; {first}"
    if names := left.always_special ^ right.always_special:
        yield f"only one recognises in every text: {_difference(left, right, min(names))}{_examples(sorted(names))}"


def _with_rules(*owners: Tokenizer) -> Tokenizer:
    """Return a tokenizer with one special token, and each of the `_RULES` of the tokenizer at its place."""
    split, merges, whole, normalizer = owners
    ranks, special = merges.mergeable_ranks, {SPECIAL: merges.n_vocab}
    return Tokenizer("", split.split_pattern, ranks, special, special, whole.takes_whole, normalizer.normalizer)


def _first_difference(left: Tokenizer, right: Tokenizer, texts: Sequence[str]) -> str:
    """Return the first difference in texts, else in odd ones, else in the text of a token, or that none was found."""
    found = (_difference(left, right, text) for text in (*texts, *probe_texts(), f"a{SPECIAL}b"))
    if first := next(filter(None, found), None):
        return first
    tokens = left.mergeable_ranks.keys() | right.mergeable_ranks.keys()
    known = sorted(text for token in tokens if (text := token.decode(errors="ignore")).encode() == token)
    counts = zip(known, left.count_iter(known), right.count_iter(known), strict=True)
    deadline = monotonic() + SEARCH_SECONDS
    for text, one, other in counts:
        if one != other and (first := _difference(left, right, text)):
            return first
        if monotonic() >= deadline:
            return f"no text was found in {SEARCH_SECONDS} seconds"
    return "no text was found where it matters"


def _difference(left: Tokenizer, right: Tokenizer, text: str) -> str | None:
    """Return in words the first stretch between boundaries of both in which the tokens differ, None without one."""
    spans = text_spans(left, text), text_spans(right, text)
    tokens = left.tokens_bytes(spans[0].ids), right.tokens_bytes(spans[1].ids)
    for start, end, ours, theirs in differing_stretches(spans, tokens):
        stretch = spans[0].data[start:end].decode(errors="replace")
        return _difference_words(stretch, _texts(tokens[0][ours]), _texts(tokens[1][theirs]))
    return None


def _texts(tokens: Iterable[bytes]) -> list[str]:
    return [token.decode(errors="backslashreplace") for token in tokens]


def _difference_words(text: str, *tokens: Sequence[str]) -> str:
    """Return a stretch with the tokens of both, quoted, so that controls show.

    >>> _difference_words("12", ["1", "2"], ["12"])
    "'12': '1' '2' → '12'"
    """
    quoted = (" ".join(map(repr, each[:TOKENS_SHOWN])) + " …" * (len(each) > TOKENS_SHOWN) for each in tokens)
    return f"{short_repr(text)}: {' → '.join(quoted)}"


def _examples(texts: Iterable[str]) -> str:
    """Return the first examples, after a colon; nothing if there are none."""
    shown = list(texts)
    return ": " + ", ".join(shown[:SHOWN]) + ", …" * (len(shown) > SHOWN) if shown else ""
