"""What a vocabulary reveals: its longest tokens, near-duplicates, markup, scripts, tokens hardly ever used, and what
it shares with another one.

Long tokens are mostly boilerplate, and markup was mostly not meant to be learned: both suggest that the training text
needs cleaning. Special tokens are left out everywhere, since nobody learned them from a text. Every table of tokens has
the columns of `learned_tokens`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import regex

from tokviz.analysis.vocabulary_facts import KINDS, PART, SCRIPTS, SPECIAL, AnyVocabulary, vocabulary_facts
from tokviz.system.recent import recent

PARTS = "parts of characters"  # in the place of a script
_LETTER = r"\p{L}"
# What a token must hold to get this name; shorter parts of these occur in ordinary text too.
_MARKUP = {
    "address": regex.compile(r"\bhttps?\b|://|\bwww\b|\.(?:com|org|net|html?|php|jpe?g|png|svg)\b", regex.IGNORECASE),
    "tag": regex.compile(r"</|<[a-z!]|/>|\b(?:href|src|class|style|width|colspan)=", regex.IGNORECASE),
    "entity": regex.compile(r"&(?:#|[a-z]{2,6};|(?:nbsp|quot|amp|lt|gt)\b)", regex.IGNORECASE),
    "wiki markup": regex.compile(r"\[\[|\]\]|\{\{|\}\}|\{\||\|-|'''"),
    "escape": regex.compile(r"\\[nrtux]|%[0-9A-F]{2}"),
}


@recent(maxsize=8)
def learned_tokens(vocabulary: AnyVocabulary) -> pd.DataFrame:
    """Return the tokens that are not special, a row each, in the order of ids.

    Columns: id; token, its bytes; text, missing where it holds a part of a character; kind; script, that of its first
    character that has one; n_chars, 0 for a part of a character. Takes half a second for 200,000 tokens.

    >>> import tokviz
    >>> learned_tokens(tokviz.load("gpt2")).loc[262, ["text", "kind", "script"]].tolist()
    [' the', 'whole word', 'Latin']
    """
    facts = vocabulary_facts(vocabulary)
    tokens = pd.DataFrame(
        {
            "id": facts.ids,
            "token": facts.tokens,
            "text": facts.texts,
            "kind": np.array(KINDS)[facts.kinds],
            "script": np.where(facts.kinds == PART, PARTS, np.array(SCRIPTS)[facts.scripts]),
            "n_chars": facts.n_chars,
        }
    )
    return tokens[facts.kinds != SPECIAL].reset_index(drop=True)


def longest_tokens(vocabulary: AnyVocabulary, n: int = 20, *, words_only: bool = False) -> pd.DataFrame:
    """Return the n tokens with the most characters; of equal ones the lower id comes first.

    Tokens that hold a part of a character are left out. `words_only`: only letters, which tell more about the
    training text than the runs of white space and dashes that would come first.

    >>> import tokviz
    >>> longest_tokens(tokviz.load("cl100k_base"), 1)["n_chars"].tolist()
    [128]
    >>> longest_tokens(tokviz.load("gpt2"), 2, words_only=True)["text"].str[:4].tolist()
    ['ÃÂÃÂ', 'ÃÂÃÂ']
    """
    tokens = learned_tokens(vocabulary)
    wanted = tokens["kind"].isin(["whole word", "piece"]) if words_only else tokens["text"].notna()
    return tokens[wanted].nlargest(max(n, 0), "n_chars")


def near_duplicates(vocabulary: AnyVocabulary, text: str | None = None) -> pd.DataFrame:
    """Return the tokens that differ from others only in case or in white space around them, the largest group first.

    The column `same` is what the tokens of a group have in common. Only tokens with a letter count. With a `text`,
    only the group of that text, if there is one.

    >>> import tokviz
    >>> near_duplicates(tokviz.load("cl100k_base"), "Egg")["text"].tolist()
    [' egg', 'egg', ' Egg']
    """
    found = _equal_but_for_case_and_space(vocabulary)
    return found if text is None else found[found["same"] == text.strip().casefold()]


@recent(maxsize=8)
def _equal_but_for_case_and_space(vocabulary: AnyVocabulary) -> pd.DataFrame:
    tokens = learned_tokens(vocabulary).dropna(subset="text")
    tokens = tokens[[regex.search(_LETTER, text) is not None for text in tokens["text"]]]
    tokens = tokens.assign(same=[text.strip().casefold() for text in tokens["text"]])
    groups = tokens.groupby("same", sort=False)["id"]
    tokens = tokens.assign(size=groups.transform("size"), first=groups.transform("first"))
    tokens = tokens[tokens["size"] > 1].sort_values(["size", "first", "id"], ascending=[False, True, True])
    return tokens.drop(columns=["size", "first"])


def markup_tokens(vocabulary: AnyVocabulary) -> pd.DataFrame:
    """Return the tokens that hold a part of a web address, a tag, an entity, wiki markup or an escape, by id.

    The column `holds` says which; a token that holds several gets the first of these names.

    >>> import tokviz
    >>> markup_tokens(tokviz.train("<br/><br/>", vocab_size=260))["text"].tolist()
    ['/>', '<br', '/><']
    """
    tokens = learned_tokens(vocabulary).dropna(subset="text")
    holds = [next((name for name, found in _MARKUP.items() if found.search(text)), None) for text in tokens["text"]]
    return tokens.assign(holds=pd.Series(holds, tokens.index)).dropna(subset="holds")


def script_coverage(vocabulary: AnyVocabulary) -> dict[str, int]:
    """Return how many tokens each script has, the most first, and how many are parts of characters.

    "none" are white space, digits, punctuation and symbols, "parts of characters" are tokens that are not UTF-8 on
    their own.

    >>> import tokviz
    >>> script_coverage(tokviz.train("ก a", vocab_size=257, split_pattern="none"))
    {'parts of characters': 129, 'none': 76, 'Latin': 52}
    """
    return {str(script): n for script, n in learned_tokens(vocabulary)["script"].value_counts().items()}


def rarely_used(vocabulary: AnyVocabulary, ids: Iterable[int], *, at_most: int = 0) -> pd.DataFrame:
    """Return the tokens that occur at most `at_most` times among the ids of a text, in the order of ids.

    >>> import tokviz
    >>> tokenizer = tokviz.train("low lower", vocab_size=258)
    >>> rarely_used(tokenizer, tokenizer.encode("low lower")).tail(1)["token"].tolist()
    [b'lo']
    """
    tokens = learned_tokens(vocabulary)
    counts = pd.Series(list(ids), dtype=np.int64).value_counts()
    return tokens[tokens["id"].map(counts).fillna(0) <= at_most]


@dataclass(frozen=True, eq=False)
class Overlap:
    """What two vocabularies share; tokens are the same if their bytes are, whatever their ids.

    So tokens of one vocabulary with the same bytes, as byte fallback has, count once. only_left, only_right, common:
    the tokens, in the order of ids, those in both with the ids of the left one.
    """

    only_left: pd.DataFrame
    only_right: pd.DataFrame
    common: pd.DataFrame

    @property
    def n_left(self) -> int:
        """How many tokens the left one has."""
        return len(self.only_left) + len(self.common)

    @property
    def n_right(self) -> int:
        """How many tokens the right one has."""
        return len(self.only_right) + len(self.common)

    @property
    def n_either(self) -> int:
        """How many tokens are in at least one of them."""
        return len(self.only_left) + len(self.only_right) + len(self.common)

    @property
    def jaccard(self) -> float:
        """The tokens in both, divided by those in either; 0.0 if neither has any."""
        return len(self.common) / (self.n_either or 1)

    def by_script(self) -> pd.DataFrame:
        """Return a row for each script, and for parts of characters: tokens in `left`, in `right`, and in `both`."""
        sides = {"left": self.only_left, "right": self.only_right, "both": self.common}
        counts = pd.DataFrame({name: side["script"].value_counts() for name, side in sides.items()})
        counts = counts.fillna(0).astype(int)
        return counts.assign(left=counts["left"] + counts["both"], right=counts["right"] + counts["both"])


def overlap(left: AnyVocabulary, right: AnyVocabulary) -> Overlap:
    """Return what two vocabularies have in common, special tokens left out.

    >>> import tokviz
    >>> shared = overlap(tokviz.load("gpt2"), tokviz.load("cl100k_base"))
    >>> len(shared.common), round(shared.jaccard, 2)
    (43066, 0.4)
    """
    mine, theirs = (learned_tokens(side).drop_duplicates("token") for side in (left, right))
    in_both = mine["token"].isin(theirs["token"])
    return Overlap(mine[~in_both], theirs[~theirs["token"].isin(mine["token"])], mine[in_both])
