"""Conversations turn by turn: what each prompt keeps, what is trained on, and what another format makes of them."""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from tokviz import AnyTokenizer, Message, Template, Tokenizer, TokenSpans
from tokviz.chats.formats import ChatFormat, with_tools
from tokviz.chats.prompt import prompt_spans
from tokviz.conversations.assistant_mask import assistant_mask
from tokviz.conversations.rewritings import changed_runs, differences_in_words, format_differences
from tokviz.conversations.rollouts import Rollout, rollouts
from tokviz.conversations.turn_words import message_name, report_sections, turn_name, turn_sentences
from tokviz.conversations.turns import Rewriting, Turn, Turns, turns
from tokviz.live.columns import TokenColumns
from tokviz.live.document import Document, State, units_of
from tokviz.live.look import PLAIN, Look
from tokviz.live.views.prompt_view import Row
from tokviz.live.views.seams.canonical_view import differences_data
from tokviz.live.views.seams.seams_view import SeamsView, stretch_data
from tokviz.live.views.sent_tokens import token_spelling_data
from tokviz.system.sandbox import is_busy_error

LEAD, LEAD_MAX, SHOWN = 24, 200, 600  # tokens of a prompt before those that a cache lacks, at most, and in all
CHARACTERS = 600  # of a stretch that is written out
LISTED = 20  # stretches that differ
CONVERSATIONS_MAX = 200
KNOWN_MAX = 2_000  # stretches


class ConversationView(SeamsView):
    """A conversation, of rows or one of those that are written in a document, in a format under a tokenizer."""

    def __init__(
        self,
        source: tuple[Row, ...] | Document,
        tokenizer: AnyTokenizer,
        chat_format: ChatFormat,
        *,
        look: Look = PLAIN,
        **options: Any,
    ) -> None:
        super().__init__(source if isinstance(source, Document) else [row[1] for row in source], tokenizer, look=look)
        self.document = None
        self.source, self.format, self.options = source, chat_format, options
        self.chosen = [0, -1]  # the conversation, and its turn; below 0 it is the last
        self._rollouts: list[Rollout] = []
        self._data: dict[str, Any] = {}
        self._known: dict[Any, Any] = {}  # tokens of stretches, from key to key

    def read_changed(self, states: tuple[State, ...] = ()) -> None:
        """Read the messages."""
        try:
            found = list(islice(self._conversations(), CONVERSATIONS_MAX + 1))
            self._rollouts, self._data, self.waits = found[:CONVERSATIONS_MAX], {"words": ""}, False
            if any(rollout.messages for rollout in self._rollouts):
                self.chosen[0] = min(self.chosen[0], len(self._rollouts) - 1)
                rollout = self._rollouts[self.chosen[0]]
                more = (
                    [f"only the first {CONVERSATIONS_MAX} conversations are shown"] if found[CONVERSATIONS_MAX:] else []
                )
                notice = "; ".join([*rollout.notices, *more]) or None
                self._data = {**self.conversation_data(rollout), "notice": notice}
        except ValueError as e:
            self._data, self.waits = {"words": "", "notice": str(e)}, is_busy_error(e)

    def _conversations(self) -> Iterator[Rollout]:
        if isinstance(self.source, Document):
            yield from rollouts(self.source.text)
        else:
            yield Rollout("", tuple(Message(role, text.text, channel, to) for role, text, channel, to in self.source))

    @abstractmethod
    def conversation_data(self, rollout: Rollout) -> dict[str, Any]:
        """Return what is shown of a conversation; ValueError if there is nothing to show."""

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return what is shown, with the names of the conversations."""
        return {
            "names": [rollout.name for rollout in self._rollouts],
            "chosen": self.chosen,
            "notice": None,
            **self._data,
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is shown of another conversation, and of a turn of it: {"chosen": [conversation, turn]}."""
        conversation, turn = map(int, question["chosen"])
        if conversation not in range(len(self._rollouts)):
            raise ValueError(f"there is no conversation {conversation}")
        self.chosen = [conversation, turn]
        self.read_changed()
        return {"section": self.section, "revision": self.revision, **self.reply_data(whole=True)}

    def stretch_of_spans(self, spans: TokenSpans, first: int, stop: int) -> dict[str, Any]:
        """Return the tokens first..stop-1 with their text; a few more where they share a character."""
        shown = stretch_data(self.tokenizer, TokenColumns.of_spans(spans), units_of(spans.text), first, stop)
        return self.stretch_with_marks(shown | token_spelling_data(self.tokenizer, lambda: spans))

    def changes_data(
        self, changes: Sequence[Rewriting], rollout: Rollout, line_of: Callable[[int], Any] = lambda _: None
    ) -> list[dict[str, Any]]:
        """Return stretches that two prompts have differently; line_of: what writes a character of the new one."""
        return [
            {
                "whose": message_name(rollout.messages, each.message),
                **dict(zip(("old", "new"), changed_runs(shortened(each.old), shortened(each.new)), strict=True)),
                "line": line_of(each.start),
            }
            for each in changes[:LISTED]
        ]


def shortened(text: str) -> str:
    """Return a text, without its middle if it is long.

    >>> len(shortened("a" * 5_000))
    603
    """
    half = CHARACTERS // 2
    return text if len(text) <= CHARACTERS else f"{text[:half]} … {text[-half:]}"


class TurnsView(ConversationView):
    """What the prompt of each turn keeps of the turn before; `block` as in `tokviz.turns`."""

    section = "turns"
    _found: Turns | None = None

    def report(self) -> dict[str, list[str]]:
        """Return what there is to say of all turns, for scripts; ValueError if there is nothing. Takes the lock."""
        with self.locked_up_to_date():
            if "rows" not in self._data or self._found is None:
                raise ValueError(self._data.get("notice") or "There are no messages yet.")
            return report_sections(self._found)

    def conversation_data(self, rollout: Rollout) -> dict[str, Any]:
        """Return a row for each turn, and what there is to say of the chosen one."""
        chat_format = with_tools(self.format, rollout.tools)
        if len(self._known) > KNOWN_MAX:
            self._known.clear()
        given = {"chat_format": chat_format, "ids": rollout.ids, "known": self._known, **self.options}
        self._found = found = turns(self.tokenizer, rollout.messages, **given)
        rows = [[turn_name(turn), turn.n_tokens, turn.n_cached, turn.n_again] for turn in found.turns]
        chosen = self.chosen[1] if 0 <= self.chosen[1] < len(found.turns) else _first_broken_or_last(found)
        shown = {"words": found.verdict, "rows": rows, "turn": chosen}
        return shown | self._turn_data(found, found.turns[chosen], rollout)

    def _turn_data(self, found: Turns, turn: Turn, rollout: Rollout) -> dict[str, Any]:
        spans = prompt_spans(found.tokenizer, turn.prompt)
        # From the beginning of a message on, rather than from somewhere within it.
        lead = max(min(turn.n_shared, len(spans)) - LEAD, 0)
        begins = [int(spans.char_starts.searchsorted(at)) for at in (0, *turn.prompt.begins) if at is not None]
        first = max((each for each in begins if lead - LEAD_MAX <= each <= lead), default=lead)
        own, before = found.tokenizer, found.turns[max(turn.number - 2, 0)]
        answer = turn.answer if turn.keeps_tokens or turn.rewritten else before.answer
        explained = differences_data(own, answer) if answer and isinstance(own, Tokenizer) else {}
        return {
            "sentences": list(turn_sentences(found, turn)),
            "stretch": self.stretch_of_spans(spans, first, min(first + SHOWN, len(spans))),
            "cached": turn.n_cached,
            "old": turn.n_old,
            "changes": self.changes_data(turn.rewritten, rollout, _line_finder(found, turn)),
            "more": max(len(turn.rewritten) - LISTED, 0),
            **explained,
        }


def _first_broken_or_last(found: Turns) -> int:
    """Return the first turn that does not keep what was there, else the last."""
    broken = (i for i, turn in enumerate(found.turns) if not turn.keeps_prefix)
    return next(broken, len(found.turns) - 1)


def _line_finder(found: Turns, turn: Turn) -> Callable[[int], tuple[int, str] | None]:
    """Return what returns the line of the template, with its number, that writes a character of a prompt."""
    if not turn.rewritten or not isinstance(found.chat_format, Template):
        return lambda _: None
    starts = found.chat_format.line_starts(found.messages[: turn.n_messages], reply=turn.is_request)
    source = found.chat_format.source.splitlines()

    def line_if_known(place: int) -> tuple[int, str] | None:
        i = bisect_right(starts, (place, len(source) + 1)) - 1
        number = starts[i][1] if i >= 0 else 0
        return (number, source[number - 1].strip()[:CHARACTERS]) if 0 < number <= len(source) else None

    return line_if_known


class MaskView(ConversationView):
    """Which tokens of a complete chat a model is trained on."""

    section = "mask"

    def conversation_data(self, rollout: Rollout) -> dict[str, Any]:
        """Return the complete chat, and which of its tokens are trained on, reach across an edge, or are in doubt."""
        mask = assistant_mask(Turns(self.tokenizer, with_tools(self.format, rollout.tools), rollout.messages, (), 1))
        shown = min(len(mask.spans), SHOWN)
        return {
            "words": mask.words,
            "stretch": self.stretch_of_spans(mask.spans, 0, shown),
            "trained": mask.tokens[:shown].tolist(),
            "straddling": [i for i in mask.straddling if i < shown],
            "differing": [i for i in mask.differing if i < shown],
        }


class TwoFormatsView(ConversationView):
    """Where the prompt in one format is another than in a second one, `against`."""

    section = "formats"

    def conversation_data(self, rollout: Rollout) -> dict[str, Any]:
        """Return each stretch that they write differently, message by message."""
        against = self.options["against"]
        changes = format_differences(rollout.messages, with_tools(self.format, rollout.tools), against)
        return {
            "words": differences_in_words(self.format, against, changes),
            "changes": self.changes_data(changes, rollout),
            "more": max(len(changes) - LISTED, 0),
            "formats": [self.format.name, against.name],
        }
