"""Special tokens: the ids they get, which of them are recognised in a text, and how people write them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer

ALL_SPECIAL = "all"
NAMED = 10  # in an error
SPECIAL_ID_MAX = 2**31 - 1_000  # ids are held as int32, and a chat's markers may come after the last
_WITH_ID = re.compile(r"(.+)=([0-9]{1,10})", re.DOTALL)
SpecialTokens = Collection[str] | Mapping[str, int]


def recognised_special_names(tokenizer: AnyTokenizer, allowed_special: str | Collection[str]) -> Collection[str]:
    """Return the special tokens to recognise, with those that always match; ValueError for a name that is none.

    >>> import tokviz
    >>> [*recognised_special_names(tokviz.load("gpt2"), "all")], recognised_special_names(tokviz.load("gpt2"), ())
    (['<|endoftext|>'], [])
    """
    special_tokens, always = tokenizer.special_tokens, getattr(tokenizer, "always_special", ())
    if allowed_special == ALL_SPECIAL:
        return special_tokens
    names = [allowed_special] if isinstance(allowed_special, str) else list(allowed_special)
    for name in names:
        if name not in special_tokens:
            known = ", ".join(map(short_repr, islice(special_tokens, NAMED))) or "none"
            more = len(special_tokens) - NAMED
            known += f" and {more:,} more" if more > 0 else ""
            raise ValueError(
                f"{short_repr(name)} is not a special token of {tokenizer.name}, which has {known}; "
                'allow "all", or a set of these'
            )
    return [*names, *(name for name in always if name not in names)] if names else [*always]


def special_tokens_from_words(words: Iterable[str]) -> SpecialTokens:
    """Return special tokens as people write them: names, or all with ids after an equals sign.

    Raises ValueError for a name given twice, and if some have ids and others do not.

    >>> special_tokens_from_words(["<s>", "<pad>"]), special_tokens_from_words(["<s>=1101", "<k=v>=1102"])
    (['<s>', '<pad>'], {'<s>': 1101, '<k=v>': 1102})
    """
    ids: dict[str, int | None] = {}
    for word in words:
        match = _WITH_ID.fullmatch(word)
        name, token_id = (match[1], int(match[2])) if match else (word, None)
        if name in ids:
            raise ValueError(f"the special token {name!r} is given twice")
        ids[name] = token_id
    without = [name for name, token_id in ids.items() if token_id is None]
    if without and len(without) < len(ids):
        raise ValueError(f"the special token {without[0]!r} has no id, but others do: give all of them an id, or none")
    return without or ids


def special_tokens_with_ids(special_tokens: SpecialTokens, *, first: int) -> dict[str, int]:
    """Return special tokens with their ids; those given by name alone get ids from `first` on.

    Raises ValueError for empty or repeated names, ids that are not integers, that collide or that
    lie inside the vocabulary.

    >>> special_tokens_with_ids(["<s>", "</s>"], first=300)
    {'<s>': 300, '</s>': 301}
    """
    if isinstance(special_tokens, str):
        raise ValueError(f"special tokens must be a collection of str, not the str {special_tokens!r}")
    given = special_tokens if isinstance(special_tokens, Mapping) else None
    names = list(special_tokens)
    ids = list(range(first, first + len(names))) if given is None else list(given.values())
    for name, token_id in zip(names, ids, strict=True):
        if not isinstance(name, str) or not name:
            raise ValueError(f"a special token must be a str that is not empty, not {name!r}")
        if isinstance(token_id, bool) or not isinstance(token_id, int):
            raise ValueError(f"the id of the special token {name!r} is {token_id!r}, not an integer")
        if token_id > SPECIAL_ID_MAX:
            raise ValueError(f"the id {token_id} of the special token {name!r} is over {SPECIAL_ID_MAX}")
        if token_id < first:
            raise ValueError(
                f"the id {token_id} of the special token {name!r} lies inside the vocabulary, which ends at {first - 1}"
            )
    for what, values in (("special token", names), ("special token id", ids)):
        if twice := [value for value, n in Counter(values).items() if n > 1]:
            raise ValueError(f"the {what} {twice[0]!r} is given twice")
    return dict(zip(names, ids, strict=True))
