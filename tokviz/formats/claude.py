"""How many tokens Claude needs, as the package ctok reconstructs it: Anthropic has not published the tokenizer itself.

An extra brings the package, which is imported when it first counts. It knows no boundaries.
"""

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec

from tokviz.system.recent import recent
from tokviz.system.sandbox import call

# The version of Claude to ask ctok for. Opus 4.7 has the vocabulary of 4.8, and a longer frame around a message.
CLAUDE_VERSIONS = {"Claude (counts)": "4.8", "Claude 3 to 4.6 (counts)": "3.0"}
RECONSTRUCTED = "Counts of Claude are reconstructed and unofficial; where its tokens begin and end is not known."
_OF_FRAME = "⟨pad⟩"  # no text has it: ctok writes a text's own brackets as bytes
SECONDS, CHARACTERS_MAX = 10, 300_000  # 100,000 characters take half a second, of rare scripts up to three


def claude_names() -> list[str]:
    """Return the names of the counts of Claude, the newest first; none where ctok is not installed."""
    return list(CLAUDE_VERSIONS) if find_spec("ctok") else []


def claude_token_counts(name: str, texts: Iterable[str]) -> list[int]:
    """Return how many tokens each text has under a name of `CLAUDE_VERSIONS`, without the frame of a message."""
    tokenize, version = import_module("ctok").tokenize, CLAUDE_VERSIONS[name]
    return [sum(token != _OF_FRAME for token in tokenize(text, version)) if text else 0 for text in texts]


@recent(maxsize=16)
def claude_token_counts_within_limits(name: str, texts: tuple[str, ...]) -> list[int]:
    """Return what `claude_token_counts` does, counted in a child process.

    Raises ValueError for more than 300,000 characters, and if counting takes more than ten seconds or fails.
    """
    if (n_chars := sum(map(len, texts))) > CHARACTERS_MAX:
        raise ValueError(f"{name} is for at most {CHARACTERS_MAX:,} characters, and these texts have {n_chars:,}")
    return call(claude_token_counts, name, texts, seconds=SECONDS, what=name, key="ctok")
