"""The lines of Python that load a .model file in minbpe, or in a class that a tutorial made after it.

In: a tokenizer, the name of its file, and the version it is written in. Out: source code that ends with
`tokenizer`. Such a class takes the pattern from the file and goes on cutting by the one it was made with, so
the lines compile it anew. It also drops text that the pattern does not match, and of a pattern with groups
takes these; a split pattern where that matters gets no lines.
"""

from tokviz.core.patterns import SPLIT_PATTERNS, compiled, shortened
from tokviz.core.pretokens import TIMEOUT_SECONDS
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence_texts import probe_texts
from tokviz.formats.minbpe import VERSIONS
from tokviz.system import sandbox

CHECK_SECONDS = 20.0  # for all probe texts
_MADE = {
    "minbpe v1": "from minbpe import RegexTokenizer\n\ntokenizer = RegexTokenizer()\n",
    "bpe v1": "\ntokenizer = RegexTokenizer()  # the class of your tutorial\n",
    "thai tokenizer v1.0": "\ntokenizer = ThaiTokenizer()  # the class of your tutorial\n",
}
_NONE = r"[\s\S]+"  # where there is no split pattern, the whole text is one pretoken


def minbpe_code(tokenizer: Tokenizer, file_name: str, *, version: str = VERSIONS[0]) -> str:
    """Return the lines; ValueError for a split pattern that minbpe cuts by otherwise.

    >>> import tokviz
    >>> print(minbpe_code(tokviz.train("low", vocab_size=257, split_pattern="gpt2"), "my.model"))
    import regex
    from minbpe import RegexTokenizer
    <BLANKLINE>
    tokenizer = RegexTokenizer()
    tokenizer.load("my.model")
    tokenizer.compiled_pattern = regex.compile(tokenizer.pattern)  # load() does not compile it
    <BLANKLINE>
    """
    if tokenizer.split_pattern not in SPLIT_PATTERNS:
        what = f"the split pattern {shortened(tokenizer.split_pattern)}"
        sandbox.call(_check, tokenizer, seconds=CHECK_SECONDS, what=what)
    pattern = f'r"{_NONE}"' if tokenizer.split_pattern == "none" else "tokenizer.pattern"
    return (
        f'import regex\n{_MADE[version]}tokenizer.load("{file_name}")\n'
        f"tokenizer.compiled_pattern = regex.compile({pattern})  # load() does not compile it\n"
    )


def _check(tokenizer: Tokenizer) -> None:
    """Raise ValueError where minbpe takes other pretokens of a probe text."""
    pattern = compiled(tokenizer.split_pattern)
    for text in probe_texts():
        pretokens = tokenizer.pretokens(text)  # which refuses a pattern that does not end
        if [piece for piece in pattern.findall(text, timeout=TIMEOUT_SECONDS) if piece] != pretokens:
            raise ValueError(
                f"minbpe cuts otherwise by the split pattern {shortened(tokenizer.split_pattern)}: of a pattern with "
                f"groups it takes these alone, and it drops what nothing matches; {shortened(text, 40)}, for one, "
                "gives other tokens there"
            )
