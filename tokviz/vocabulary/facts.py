"""What a vocabulary consists of: the kind, the script and the length of every token.

Kinds are judged from the text of a token alone; only a dictionary knows words.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.vocabulary import Vocabulary
from tokviz.system.recent import recent
from tokviz.text.character_kinds import SCRIPT_NAMES

AnyVocabulary = Vocabulary | AnyTokenizer  # the tokens of either are known

# The first pattern that a token matches counts; a token that matches none is mixed.
_LETTERS = r"[\p{L}\p{M}][\p{L}\p{M}'’\u200c\u200d]*"
_KIND_PATTERNS = {
    "white space": r"\s+",
    "digits": r" ?\p{N}+",
    "space + letters": " " + _LETTERS,
    "letters": _LETTERS,
    "symbols": r"[^\p{L}\p{N}]+",
    "mixed": r"(?s:.+)",
}
SPECIAL, PART = 0, 1  # of KINDS
KINDS = ("special", "part of a character", *_KIND_PATTERNS)
_KIND = regex.compile("|".join(rf"({pattern})\Z" for pattern in _KIND_PATTERNS.values()))
_FIRST_OF_PATTERNS = len(KINDS) - len(_KIND_PATTERNS)

NO_SCRIPT, OTHER_SCRIPT = "none", "other"
SCRIPTS = (NO_SCRIPT, *SCRIPT_NAMES, OTHER_SCRIPT)


@dataclass(frozen=True, eq=False)
class VocabularyFacts:
    """The tokens of a vocabulary, in the order of ids, as columns with one entry per token.

    ids, int32. tokens: their bytes. kinds and scripts, uint8: indexes into KINDS and SCRIPTS; the script of a
    token is that of its first character that has one. n_bytes, n_chars, int32: its length; 0 characters if it
    holds a part of one.
    """

    ids: np.ndarray
    tokens: list[bytes]
    kinds: np.ndarray
    scripts: np.ndarray
    n_bytes: np.ndarray
    n_chars: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    def kind(self, token: int) -> str:
        """Return the kind of the token at an index, which is not its id."""
        return KINDS[self.kinds[token]]

    def script(self, token: int) -> str:
        """Return the script of the token at an index."""
        return SCRIPTS[self.scripts[token]]

    @cached_property
    def texts(self) -> list[str | None]:
        """The texts of the tokens, None for those that hold a part of a character."""
        return [None if kind == PART else token.decode() for token, kind in zip(self.tokens, self.kinds, strict=True)]


@recent(maxsize=8)
def vocabulary_facts(vocabulary: AnyVocabulary) -> VocabularyFacts:
    """Return the kind, script and length of every token; takes half a second for 200,000 tokens.

    The token for text outside the vocabulary counts as special.

    >>> import tokviz
    >>> facts = vocabulary_facts(tokviz.load("gpt2"))
    >>> [(facts.tokens[i], facts.kind(i), facts.script(i)) for i in (262, 278)]
    [(b' the', 'space + letters', 'Latin'), (b'ing', 'letters', 'Latin')]
    """
    special = {token_id: text.encode("utf-8", "replace") for text, token_id in vocabulary.special_tokens.items()}
    if isinstance(vocabulary, Vocabulary):
        learned = vocabulary.ordinary_tokens
    else:
        learned = {i: vocabulary.token_bytes(i) for i in range(vocabulary.n_vocab) if i in vocabulary}
    table = sorted((learned | special).items())
    ids = [token_id for token_id, _ in table]
    tokens = [token for _, token in table]
    kinds = np.array([kind_index(token) for token in tokens], np.uint8)
    kinds[np.isin(ids, [*special, vocabulary.unknown_id if vocabulary.unknown_id is not None else -1])] = SPECIAL
    whole = [token.decode(errors="ignore") for token in tokens]
    return VocabularyFacts(
        ids=np.array(ids, np.int32),
        tokens=tokens,
        kinds=kinds,
        scripts=_script_indices(whole),
        n_bytes=np.fromiter(map(len, tokens), np.int32, len(tokens)),
        n_chars=np.where(kinds == PART, 0, np.fromiter(map(len, whole), np.int32, len(tokens))),
    )


def kind_index(token: bytes) -> int:
    """Return the kind of a token that is not special, as an index into KINDS.

    >>> [KINDS[kind_index(token)] for token in (b" don't", b"ing", b"();\\n", b" 2024", b".get", b"\\n\\n")]
    ['space + letters', 'letters', 'symbols', 'digits', 'mixed', 'white space']
    """
    try:
        match = _KIND.match(token.decode())
    except UnicodeDecodeError:
        return PART
    return _FIRST_OF_PATTERNS + match.lastindex - 1 if match and match.lastindex else len(KINDS) - 1


def _script_indices(texts: list[str]) -> np.ndarray:
    """Return the script of each text, as an index into SCRIPTS: that of the first character which has one."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    distinct, places = np.unique(points, return_inverse=True)
    by_character = np.array(_character_script_indices("".join(map(chr, distinct))), np.uint8)
    result = np.zeros(len(texts), np.uint8)
    if not len(points):
        return result
    scripts = by_character[places]
    owner = np.repeat(np.arange(len(texts)), np.fromiter(map(len, texts), np.int64, len(texts)))
    telling = np.flatnonzero(scripts)
    # Written backwards, so that the first of each text stays.
    result[owner[telling][::-1]] = scripts[telling][::-1]
    return result


def _character_script_indices(text: str) -> list[int]:
    """Return the script of each character, 0 for those that all scripts share."""
    found = [SCRIPTS.index(OTHER_SCRIPT)] * len(text)
    shared = r"[\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}]"
    for index, one in enumerate([shared, *(rf"\p{{Script={name}}}" for name in SCRIPT_NAMES)]):
        for match in regex.finditer(one, text):
            found[match.start()] = index
    return found
