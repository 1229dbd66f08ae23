"""Pretokens: a text cut by a split pattern, before any merge.

In: text and a split pattern. Out: pretokens whose join is the text, or their counts over documents.
Training, encoding, tracing and pages all cut here and nowhere else. What no alternative of the
pattern matches becomes a pretoken of its own, empty matches are ignored: nothing is ever lost. A
pattern that does not end is stopped by a timeout.
"""

from collections.abc import Collection, Iterable, Iterator

import regex

from tokviz.patterns import compiled, shortened

# The named patterns cut 5 to 10 million characters a second here, so that the timeout leaves a slow
# machine room and still ends a pattern that backtracks for ever.
TIMEOUT_SECONDS = 2.0
CHARACTERS_PER_EXTRA_SECOND = 200_000


def pretokens(text: str, split_pattern: str = "cl100k", *, timeout: float | None = None) -> list[str]:
    """Return the pretokens of a text; joined, they are the text.

    `timeout` is in seconds; by default 2, and one more for every 200,000 characters. Raises
    ValueError for a pattern that does not compile, does not end in time, or calls itself for ever.

    >>> pretokens("Hello world, it's 12345!")
    ['Hello', ' world', ',', ' it', "'s", ' ', '123', '45', '!']
    >>> pretokens("abc-def", "[a-z]+")
    ['abc', '-', 'def']
    >>> pretokens("one pretoken", "none")
    ['one pretoken']
    """
    if not text:
        return []
    pattern = compiled(split_pattern)
    if not pattern.pattern:
        return [text]
    if timeout is None:
        timeout = TIMEOUT_SECONDS + len(text) / CHARACTERS_PER_EXTRA_SECOND
    try:
        if not pattern.groups:
            found = pattern.findall(text, timeout=timeout)
            # Matches are disjoint and in order, so equal lengths mean that nothing was left out.
            if sum(map(len, found)) == len(text):
                return [pretoken for pretoken in found if pretoken]
        return list(_with_gaps(text, pattern, timeout))
    except TimeoutError as e:
        raise too_long(pattern.pattern, text, timeout) from e
    except MemoryError as e:
        raise ValueError(
            f"the split pattern {shortened(pattern.pattern)} ran out of memory: a group that calls itself before "
            "it has read a character never ends"
        ) from e


def too_long(pattern: str, text: str, timeout: float) -> ValueError:
    """Return the error for a pattern that did not end within `timeout` seconds on a text."""
    return ValueError(
        f"the split pattern {shortened(pattern)} did not end within {timeout:.1f} seconds on "
        f"{len(text):,} characters: nested repeats such as (a+)+ make it try too many ways"
    )


def _with_gaps(text: str, pattern: regex.Pattern[str], timeout: float) -> Iterator[str]:
    """Yield the non-empty matches, and as pretokens of their own the texts between them."""
    end = 0
    for match in pattern.finditer(text, timeout=timeout):
        # \K in a pattern can move the start of a match, but never before the end of the last one.
        start, stop = match.span()
        if start == stop:
            continue
        if start > end:
            yield text[end:start]
        yield text[start:stop]
        end = stop
    if end < len(text):
        yield text[end:]


def well_formed(text: str) -> str:
    """Return the text with every lone surrogate replaced by U+FFFD, as tiktoken does.

    >>> well_formed("a\\ud83d")
    'a\ufffd'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        # Through UTF-16, so that a pair of surrogates becomes the character it stands for.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def split_special(text: str, special_tokens: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text in order, each with whether it is a special token.

    Of two special tokens that match at a place the longer wins. Empty parts are left out.

    >>> list(split_special("a<s>b", ["<s>"]))
    [('a', False), ('<s>', True), ('b', False)]
    """
    if not special_tokens:
        if text:
            yield text, False
        return
    longest_first = sorted(special_tokens, key=len, reverse=True)
    parts = regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text)
    for i, part in enumerate(parts):
        if part:
            yield part, i % 2 == 1


def pretoken_counts(
    documents: Iterable[str],
    split_pattern: str = "cl100k",
    *,
    special_tokens: Collection[str] = (),
) -> dict[str, int]:
    """Return how often each distinct pretoken occurs, in the order of first occurrence.

    No pretoken reaches from one document into the next, or into a special token; special tokens
    themselves are not counted.

    >>> pretoken_counts(["to be or", " not to be"], "gpt2")
    {'to': 1, ' be': 2, ' or': 1, ' not': 1, ' to': 1}
    """
    counts: dict[str, int] = {}
    for document in documents:
        if not isinstance(document, str):
            raise ValueError(f"a document is a str, not {type(document).__name__}: {shortened(document)}")
        for part, is_special in split_special(well_formed(document), special_tokens):
            if not is_special:
                for pretoken in pretokens(part, split_pattern):
                    counts[pretoken] = counts.get(pretoken, 0) + 1
    return counts
