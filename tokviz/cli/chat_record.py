"""A conversation turn by turn as a record for JSON, and the record as text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from tokviz.chats.formats import ChatFormat
from tokviz.cli.rows import Rows
from tokviz.conversations.assistant_mask import AssistantMask
from tokviz.conversations.rewritings import differences_in_words, format_differences
from tokviz.conversations.turn_words import message_name, turn_name
from tokviz.conversations.turns import Rewriting, Turn, Turns
from tokviz.core.patterns import short_repr
from tokviz.core.tokenizer import tokenizer_with_merges
from tokviz.seams.canonical import Canonical
from tokviz.seams.canonical_words import canonicity_in_words, difference_sentence
from tokviz.text.glyphs import escaped_text

Record = dict[str, Any]
HEADS = {
    "turn": "turn",
    "n_messages": "messages",
    "n_tokens": "tokens",
    "n_shared": "kept",
    "n_cached": "cached",
    "n_again": "again",
    "whose": "whose",
    "change": "rewritten",
}
FIELDS = ("number", "is_request", "n_messages", "n_tokens", "n_kept", "n_shared", "n_cached", "n_before", "n_old",
          "n_again", "new_start", "keeps_text", "keeps_tokens")  # fmt: skip
PLACE = ("start", "end", "canonical_start", "canonical_end", "reason")  # of a difference of ids
LISTED = 10  # findings of a kind in a conversation
CHARACTERS = 60  # of a text that is written otherwise


def turns_record(found: Turns) -> Record:
    """Return the verdict about a conversation, and the figures of each turn."""
    return {
        "verdict": found.verdict,
        "keeps_prefix": found.keeps_prefix,
        "n_again": found.n_again,
        "turns": [_turn_record(found, turn) for turn in found.turns],
    }


def _turn_record(found: Turns, turn: Turn) -> Record:
    record: Record = {"turn": turn_name(turn)} | {name: getattr(turn, name) for name in FIELDS}
    record["n_characters"] = len(turn.prompt.text)
    return record | {"rewritten": [_change_record(found, each) for each in turn.rewritten]}


def _change_record(found: Turns, change: Rewriting) -> Record:
    return {"whose": escaped_text(message_name(found.messages, change.message)), **asdict(change)}


def ids_records(found: Turns) -> list[Record]:
    """Return, of each answer whose ids are given, these beside those of its text, and why they differ."""
    return [_ids_record(turn, turn.answer) for turn in found.turns if turn.is_produced and turn.answer]


def _ids_record(turn: Turn, answer: Canonical) -> Record:
    tokenizer = tokenizer_with_merges(turn.tokenizer, "ids that were produced")
    return {
        "turn": turn.number,
        "words": canonicity_in_words(answer),
        "is_canonical": answer.is_canonical,
        "ids": answer.ids,
        "canonical": answer.canonical,
        "differences": [
            {"words": difference_sentence(tokenizer, answer, each)} | {name: getattr(each, name) for name in PLACE}
            for each in answer.differences
        ],
    }


def mask_record(mask: AssistantMask) -> Record:
    """Return which tokens of a conversation are trained on, and which of them are in doubt."""
    spans = mask.spans

    def token_record(i: int) -> Record:
        start, end = int(spans.char_starts[i]), int(spans.char_ends[i])
        return {"token": i, "char_start": start, "char_end": end, "text": spans.text[start:end]}

    return {
        "words": mask.words,
        "is_marked": mask.marked is not None,
        "ids": spans.ids.tolist(),
        "mask": mask.tokens.astype(int).tolist(),
        "stretches": mask.stretches,
        "derived": mask.derived,
        "straddling": list(map(token_record, mask.straddling)),
        "differing": list(map(token_record, mask.differing)),
    }


def against_record(found: Turns, against: ChatFormat) -> Record:
    """Return where another format writes a conversation differently."""
    changes = format_differences(found.messages, found.chat_format, against)
    words = differences_in_words(found.chat_format, against, changes)
    return {"words": words, "differences": [_change_record(found, each) for each in changes]}


def record_text(record: Record) -> str:
    """Return a record as text, the verdict first."""
    return "\n".join([record["verdict"], str(Rows(list(map(_row, record["turns"])), HEADS)), *_findings(record)])


def _row(turn: Record) -> Record:
    if not turn["rewritten"]:
        change = None if turn["keeps_tokens"] else "nothing, but the tokens are others"
        return {**turn, "whose": None, "change": change}
    first, *more = turn["rewritten"]
    change = _change_text(first) + (f", and {len(more):,} more" if more else "")
    return {**turn, "whose": first["whose"], "change": change}


def _change_text(change: Record) -> str:
    return " → ".join(short_repr(change[key], CHARACTERS) for key in ("old", "new"))


def _findings(record: Record) -> Iterator[str]:
    """Yield the lines after the table."""
    for answer in record.get("ids", ()):
        yield f"Turn {answer['turn']}: {answer['words'] or 'there are no ids.'}"
        yield from _listed([each["words"] for each in answer["differences"]])
    if mask := record.get("mask"):
        yield mask["words"]
        for kind, what in (("straddling", "reaches across an edge"), ("differing", "is in one mask only")):
            yield from _listed([f"token {each['token']:,} {what}: {each['text']!r}" for each in mask[kind]])
    if against := record.get("against"):
        yield against["words"]
        yield from _listed([f"{each['whose']}: {_change_text(each)}" for each in against["differences"]])


def _listed(lines: Sequence[str]) -> Iterable[str]:
    """Return the first lines, indented, and how many more there are."""
    more = [f"  and {len(lines) - LISTED:,} more"] if len(lines) > LISTED else []
    return [*(f"  {line}" for line in lines[:LISTED]), *more]
