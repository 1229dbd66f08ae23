"""The lines of Python that load a .tiktoken file in tiktoken, which needs more than the file holds.

In: a tokenizer, and the name of its file. Out: source code that ends with `encoding`. tiktoken's regex
engine knows another dialect than ours, and drops text that no alternative matches; so of the tokenizers
with a split pattern of the user's own those get none that tiktoken encodes otherwise.
"""

import tiktoken

from tokviz.core.patterns import SPLIT_PATTERNS, shortened
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence_texts import probe_texts
from tokviz.formats.regex_dialects import check_dialect
from tokviz.system import sandbox

CHECK_SECONDS = 20.0  # for all probe texts


def tiktoken_code(tokenizer: Tokenizer, file_name: str) -> str:
    """Return the lines; ValueError for a split pattern that tiktoken cuts by otherwise.

    >>> import tokviz
    >>> print(tiktoken_code(tokviz.train("low", vocab_size=257, special_tokens=["<s>"]), "my.tiktoken"))
    import base64
    import tiktoken
    <BLANKLINE>
    lines = open("my.tiktoken", "rb").read().splitlines()
    encoding = tiktoken.Encoding(
        'trained',
        pat_str=...,
        mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)},
        special_tokens={'<s>': 257},
    )
    <BLANKLINE>
    """
    pattern = SPLIT_PATTERNS.get(tokenizer.split_pattern, tokenizer.split_pattern) or r"[\s\S]+"
    if tokenizer.split_pattern not in SPLIT_PATTERNS:
        what = f"the split pattern {shortened(pattern)}"
        sandbox.call(_check, tokenizer, pattern, seconds=CHECK_SECONDS, what=what)
    return (
        "import base64\nimport tiktoken\n\n"
        f'lines = open("{file_name}", "rb").read().splitlines()\n'
        "encoding = tiktoken.Encoding(\n"
        f"    {tokenizer.name!r},\n"
        f"    pat_str={pattern!r},\n"
        "    mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)},\n"
        f"    special_tokens={tokenizer.special_tokens!r},\n"
        ")\n"
    )


def _check(tokenizer: Tokenizer, pattern: str) -> None:
    """Raise ValueError where tiktoken gives other ids on a probe text."""
    refusal = f"tiktoken cuts otherwise by the split pattern {shortened(pattern)}"
    try:
        check_dialect(pattern)
        encoding = tiktoken.Encoding(
            tokenizer.name, pat_str=pattern, mergeable_ranks=tokenizer.mergeable_ranks, special_tokens={}
        )
        differs = next(
            (text for text in probe_texts() if encoding.encode_ordinary(text) != tokenizer.encode(text)), None
        )
    except BaseException as e:  # its regex engine panics on some patterns, which is not an Exception
        raise ValueError(f"{refusal}, or does not know it ({e})") from e
    if differs is not None:
        raise ValueError(f"{refusal}: {shortened(differs, 40)}, for one, gives other tokens there")
