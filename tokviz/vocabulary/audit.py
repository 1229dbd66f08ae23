"""The audit of a vocabulary: what is known of each token, and signs of too little training."""

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import regex

from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.system.recent import recent
from tokviz.text.glyphs import text_or_none
from tokviz.vocabulary.absorbed import Absorbed, tokens_absorbed
from tokviz.vocabulary.reach import ALONE, IN_CONTEXT, NEVER, NOT_FOUND, SPACED, Reach, reach_by_token_id

# How people write special tokens: <|endoftext|>, <s>, </s>, [INST], <<SYS>>, <start_of_turn>, <unk>.
_LIKE_SPECIAL = regex.compile(
    r"\s?(?:<\|[^\s|<>]+\|>?|\[/?(?:INST|CLS|SEP|PAD|MASK|UNK|BOS|EOS)\]|<<SYS>>"
    r"|</?(?:s|pad|unk|bos|eos|mask|sep|cls|start_of_turn|end_of_turn)>)"
)
# What is done to a text so that tokens which differ only in this become the same: case, space, form.
_TWINS: tuple[Callable[[str], str], ...] = (str.casefold, str.strip, partial(unicodedata.normalize, "NFKC"))

NO_TEXT, PART, CONTEXT, ABSORBED, LIKE_SPECIAL = SIGNS = (
    "no text has it", "part of a character", "only in context", "absorbed", "like a special token"
)  # fmt: skip


@dataclass(frozen=True)
class AuditedToken:
    """A token that is not special. text: None for a part of a character.

    reach: as in `tokviz.vocabulary.reach`. same_but_case, same_but_space, same_but_form: the id of the first other
    token with the same text but for that (form: NFKC), None if there is none. absorbed: as in
    `tokviz.vocabulary.absorbed`, None for most. signs: which of `SIGNS` speak for too little training.
    """

    token_id: int
    token: bytes
    text: str | None
    reach: Reach
    same_but_case: int | None
    same_but_space: int | None
    same_but_form: int | None
    absorbed: Absorbed | None
    signs: tuple[str, ...]


@dataclass(frozen=True)
class PlainSpecial:
    """A special token, and the ids of its text where that is plain text."""

    token_id: int
    text: str
    plain_ids: tuple[int, ...]


@dataclass(frozen=True)
class Audit:
    """What an audit found: all tokens that are not special, in the order of ids, and the special ones."""

    name: str
    tokens: tuple[AuditedToken, ...]
    special: tuple[PlainSpecial, ...]

    @property
    def candidates(self) -> list[AuditedToken]:
        """The tokens that may have been trained too little, by signs that need no model.

        "no text has it" and "part of a character" are those of Land and Bartolo (2024), single bytes left out that
        only stand for part of a character, since other characters need them. "only in context" and "absorbed" are near
        to theirs. A model may have learned such a token all the same.
        """
        return [token for token in self.tokens if token.signs]

    @property
    def summary(self) -> dict[str, int]:
        """How many tokens each finding has, by its name."""
        counts = {name: sum(map(is_so, self.tokens)) for name, (_, is_so) in FINDINGS.items()}
        return {"tokens": len(self.tokens), "special tokens": len(self.special), **counts}


# What an audit can find of a token: its name, what that means, and whether a token has it.
FINDINGS: dict[str, tuple[str, Callable[[AuditedToken], bool]]] = {
    "never": ("No text can produce it; this is proved.", lambda token: token.reach.reach == NEVER),
    "only in context": (
        "Its own text encodes to other tokens, or it holds a part of a character; but longer texts have it.",
        lambda token: token.reach.reach == IN_CONTEXT,
    ),
    "not found": (
        "Neither a text that has it nor a proof that there is none was found.",
        lambda token: token.reach.reach == NOT_FOUND,
    ),
    "not UTF-8 alone": ("It holds a part of a character.", lambda token: token.text is None),
    "own text encodes to others": (
        "It is whole text, but that text alone encodes to other tokens.",
        lambda token: token.text is not None and token.reach.reach != ALONE,
    ),
    "same but for case": (
        "Another token differs from it only in capital letters.",
        lambda token: token.same_but_case is not None,
    ),
    "same but for space": (
        "Another token differs from it only in the white space around it.",
        lambda token: token.same_but_space is not None,
    ),
    "same but for normal form": (
        "Another token is the same text in normal form KC.",
        lambda token: token.same_but_form is not None,
    ),
    "absorbed": (
        "As soon as it was learned, a later merge absorbed nearly every occurrence.",
        lambda token: token.absorbed is not None,
    ),
    "like a special token": (
        "Ordinary text in the form of a special token, such as <|end|>.",
        lambda token: LIKE_SPECIAL in token.signs,
    ),
    "under-training candidates": (
        "There are signs, found without the model, that it was hardly trained on.",
        lambda token: bool(token.signs),
    ),
}


def audit(tokenizer: Any) -> Audit:
    """Return what an audit of a vocabulary finds; some seconds for 200,000 tokens, then kept for a while.

    Raises FamilyError for a tokenizer whose merges are not known.

    >>> import tokviz
    >>> found = audit(tokviz.train("low lower lowest", vocab_size=262)).summary
    >>> found["never"], found["not UTF-8 alone"], found["own text encodes to others"], found["same but for space"]
    (13, 128, 0, 2)
    """
    tokenizer = tokenizer_with_merges(tokenizer, "an audit")
    found = _cached_audit(tokenizer)
    return replace(found, name=tokenizer.name)  # what is kept may be of an equal one of another name


@recent(maxsize=4)
def _cached_audit(tokenizer: Tokenizer) -> Audit:
    ordinary = sorted(tokenizer.ordinary_tokens.items())
    texts = {token_id: text for token_id, token in ordinary if (text := text_or_none(token)) is not None}
    used = {token_id: text for token_id, text in texts.items() if token_id not in tokenizer.unused_bytes}
    case, space, form = (_first_twin_by_id(used, same) for same in _TWINS)
    reached, taken = reach_by_token_id(tokenizer), {one.token_id: one for one in tokens_absorbed(tokenizer)}
    tokens = (
        AuditedToken(
            token_id=i,
            token=token,
            text=texts.get(i),
            reach=reached[i],
            same_but_case=case.get(i),
            same_but_space=space.get(i),
            same_but_form=form.get(i),
            absorbed=taken.get(i),
            signs=tuple(_undertraining_signs(token, texts.get(i), reached[i], i in taken)),
        )
        for i, token in ordinary
    )
    special = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    # Not `Tokenizer.encode`, which recognises some special tokens always.
    plain = tokenizer.with_vocabulary(tokenizer.mergeable_ranks, {})
    return Audit(
        tokenizer.name, tuple(tokens), tuple(PlainSpecial(i, text, tuple(plain.encode(text))) for text, i in special)
    )


def _first_twin_by_id(texts: dict[int, str], same: Callable[[str], str]) -> dict[int, int]:
    """Return for each id the first other one whose text becomes the same; texts that become empty have none."""
    groups: dict[str, list[int]] = {}
    for token_id, text in texts.items():
        groups.setdefault(same(text), []).append(token_id)
    groups.pop("", None)
    return {
        token_id: group[1] if token_id == group[0] else group[0]
        for group in groups.values()
        if len(group) > 1
        for token_id in group
    }


def _undertraining_signs(token: bytes, text: str | None, reach: Reach, is_absorbed: bool) -> Iterable[str]:
    """Yield the signs of too little training of a token."""
    if reach.reach in (NEVER, NOT_FOUND):
        yield NO_TEXT
    elif text is None and len(token) > 1:
        yield PART
    elif text is not None and reach.reach == IN_CONTEXT and not reach.why.startswith(SPACED):
        yield CONTEXT
    if is_absorbed:
        yield ABSORBED
    if text is not None and _LIKE_SPECIAL.fullmatch(text):
        yield LIKE_SPECIAL
