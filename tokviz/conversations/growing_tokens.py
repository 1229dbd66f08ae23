"""The tokens of a prompt that others like it replace again and again: what both have in common is encoded once."""

from collections.abc import Callable, Hashable, Iterable
from itertools import accumulate

import numpy as np

from tokviz.chats.prompt import Prompt, prompt_ids, prompt_spans
from tokviz.core.cut_places import last_safe_cut
from tokviz.core.normalizer import PLAIN, Normalizer
from tokviz.core.pretokens import split_at_special_tokens
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans, token_spans
from tokviz.core.tokenizer import Tokenizer

TAIL = 1_000  # tokens
CUTTABLE = (PLAIN, Normalizer("NFC"))  # normalizers that change nothing about where a text may be cut


class GrowingTokens:
    """The tokens of a prompt, `ids` with where each begins and ends in the text, in characters.

    Encoding begins anew at a special token, or where the split pattern cuts whatever follows. known: what
    was encoded before, for a chat that is edited; it is added to.
    """

    def __init__(self, tokenizer: AnyTokenizer, known: dict[Hashable, TokenSpans]) -> None:
        self.tokenizer = tokenizer
        self._known = known
        self.ids, self.starts, self.ends = (np.empty(0, np.int32) for _ in range(3))
        self._special = np.array(sorted(tokenizer.special_tokens.values()), np.int32)
        self._special_at = np.empty(0, np.int32)  # in tokens
        self._longest = max(map(len, tokenizer.special_tokens), default=0)
        self._n_encoded = 0  # characters at the beginning whose tokens are those of encoding them

    def replace(self, prompt: Prompt, n_common: int) -> int:
        """Take the tokens of another prompt, which has its first characters in common with the last text.

        Returns how many tokens both have in common at their beginning.
        """
        first = self._restart(prompt.text[: min(n_common, self._n_encoded)])
        begin = int(self.ends[first - 1]) if first else 0
        rest = rest_of_prompt(prompt, begin) if begin else prompt
        spans = self._known_or_new((rest.text, rest.markers), lambda: prompt_spans(self.tokenizer, rest))
        before = self.ids[first:]
        self._splice(first, spans, begin)
        self._n_encoded = len(prompt.text)
        shortest = min(len(before), len(spans))
        differs = before[:shortest] != spans.ids[:shortest]
        return first + (int(differs.argmax()) if differs.any() else shortest)

    def append(self, ids: Iterable[int]) -> list[int]:
        """Append the tokens that a model produced, encoded or not as their text is; return their ids."""
        ids = tuple(ids)
        return self._append(self._known_or_new(ids, lambda: token_spans(self.tokenizer, ids)))

    def append_text(self, prompt: Prompt, begin: int) -> list[int]:
        """Append the tokens of a prompt from a character on, encoded without what comes before; return their ids."""
        rest, goes_on = rest_of_prompt(prompt, begin), begin > 0

        def spans() -> TokenSpans:
            if not isinstance(self.tokenizer, Tokenizer):
                return token_spans(self.tokenizer, prompt_spans(self.tokenizer, rest).ids)
            return token_spans(self.tokenizer, prompt_ids(self.tokenizer, rest, is_first=not goes_on))

        return self._append(self._known_or_new((rest.text, rest.markers, goes_on), spans))

    def _append(self, spans: TokenSpans) -> list[int]:
        self._splice(len(self.ids), spans, int(self.ends[-1]) if len(self.ends) else 0)
        ids: list[int] = spans.ids.tolist()
        return ids

    def n_beginning_before(self, place: int) -> int:
        """Return how many tokens begin before a character of the text."""
        return int(np.searchsorted(self.starts, place))

    def after_last_special(self, stop: int) -> list[int]:
        """Return the tokens from the last special token to a place, in tokens; none if they are too many to matter."""
        i = int(np.searchsorted(self._special_at, stop))
        start = int(self._special_at[i - 1]) if i else 0
        ids: list[int] = self.ids[start:stop].tolist() if stop - start <= TAIL else []
        return ids

    def _known_or_new(self, key: Hashable, make: Callable[[], TokenSpans]) -> TokenSpans:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def _restart(self, common: str) -> int:
        """Return the last of the tokens of a text before which nothing that follows the text can change, else 0."""
        if not isinstance(self.tokenizer, Tokenizer) or self.tokenizer.normalizer.prefix:
            return 0
        common = common[: max(len(common) - self._longest, 0)]
        certain = np.searchsorted(self.ends, len(common), side="right")
        i = int(np.searchsorted(self._special_at, certain))
        special = int(self._special_at[i - 1]) if i else 0
        if self.tokenizer.normalizer not in CUTTABLE:
            return special
        cut = last_safe_cut(common, self.tokenizer.split_pattern)
        # A cut inside a special token is after its beginning, which is known.
        return max(special, int(np.searchsorted(self.ends, cut, side="right")))

    def _splice(self, first: int, spans: TokenSpans, begin: int) -> None:
        self.ids = np.concatenate([self.ids[:first], spans.ids])
        self.starts = np.concatenate([self.starts[:first], spans.char_starts + np.int32(begin)])
        self.ends = np.concatenate([self.ends[:first], spans.char_ends + np.int32(begin)])
        found = np.flatnonzero(np.isin(spans.ids, self._special)).astype(np.int32) + np.int32(first)
        self._special_at = np.concatenate([self._special_at[: np.searchsorted(self._special_at, first)], found])


def rest_of_prompt(prompt: Prompt, begin: int) -> Prompt:
    """Return text and markers of a prompt from a character on."""
    markers = prompt.markers and tuple((a - begin, b - begin) for a, b in prompt.markers if a >= begin)
    return Prompt(prompt.text[begin:], (), (), None, markers)


def special_token_ends(tokenizer: AnyTokenizer, prompt: Prompt) -> list[int]:
    """Return where special tokens end in a prompt, in characters."""
    if prompt.markers is not None:
        return [stop for _, stop in prompt.markers]
    stretches = list(split_at_special_tokens(prompt.text, tokenizer.special_tokens))
    ends = accumulate(len(stretch) for stretch, _ in stretches)
    return [end for end, (_, is_special) in zip(ends, stretches, strict=True) if is_special]
