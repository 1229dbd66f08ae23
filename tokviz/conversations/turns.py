"""A chat turn by turn: what each prompt keeps of what the model had read and written before.

A model that answers reads the prompt of a turn and writes its answer; a cache then has the tokens of both. The prompt
of the next turn is made anew from all messages, and the cache serves it as far as its tokens are the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from tokviz.chats.formats import ChatFormat, named_or_default_format
from tokviz.chats.messages import messages_of
from tokviz.chats.prompt import BEFORE, NO_PROMPT, Message, Prompt
from tokviz.conversations import turn_words
from tokviz.conversations.growing_tokens import GrowingTokens, rest_of_prompt, special_token_ends
from tokviz.core.common_prefix import common_length, differing_stretches
from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import AnyTokenizer, as_tokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.vocabulary import UnknownTokenError
from tokviz.seams.canonical import Canonical, canonical
from tokviz.system.sandbox import SandboxError

LEAD_MAX = 200  # characters that lead to an answer, such as a marker and its role
BLOCK = 16  # tokens that a cache keeps or drops together, in vLLM unless set otherwise


@dataclass(frozen=True)
class Rewriting:
    """A stretch that a prompt has in place of what was there before, in what is written of one message.

    message: its index, BEFORE (-1) in what precedes all messages. start: in the prompt, in characters. old, new: the
    text that was there and the one that is there now; either may be empty.
    """

    message: int
    start: int
    old: str
    new: str

    @property
    def n_characters(self) -> int:
        """The characters of the longer of both."""
        return max(len(self.old), len(self.new))


@dataclass(frozen=True, eq=False)
class Turn:
    """What a model is given in a turn, beside what a cache has of the turn before: its prompt and the answer to it.

    number: from 1. is_request: whether the model is to answer; otherwise the chat is complete, as it is trained on.
    prompt: of the first n_messages messages. n_kept: characters that both have at their beginning. n_shared: tokens
    that both have at their beginning, n_cached: those of them in whole blocks. n_before: tokens of what was there
    before, `n_old` of this prompt that begin before new_start, the character with which new messages begin. rewritten:
    what has changed before that. answer_ids: of the answer, after the tokens of the prompt since its last special
    token; is_produced: whether those of the answer were given. tokenizer: the one that they belong to.
    """

    number: int
    is_request: bool
    n_messages: int
    prompt: Prompt
    n_tokens: int
    n_kept: int
    n_shared: int
    n_cached: int
    n_before: int
    n_old: int
    new_start: int
    rewritten: tuple[Rewriting, ...]
    answer_ids: tuple[int, ...] = ()
    is_produced: bool = False
    tokenizer: AnyTokenizer | None = None

    @cached_property
    def answer(self) -> Canonical | None:
        """The `answer_ids` beside canonical ids; None without an answer, or if the merges are not known."""
        is_known = self.answer_ids and isinstance(self.tokenizer, Tokenizer)
        return canonical(self.tokenizer, self.answer_ids, allowed_special="all") if is_known else None

    @property
    def n_again(self) -> int:
        """The tokens of earlier turns that are computed again."""
        return max(self.n_old - self.n_cached, 0)

    @property
    def keeps_text(self) -> bool:
        """Whether the prompt begins as the turn before ended."""
        return not self.rewritten

    @property
    def keeps_tokens(self) -> bool:
        """Whether its tokens begin as those of the turn before."""
        return self.n_shared == self.n_before


@dataclass(frozen=True, eq=False)
class Turns:
    """A chat turn by turn. block: how many tokens a cache keeps or drops together."""

    tokenizer: AnyTokenizer
    chat_format: ChatFormat
    messages: tuple[Message, ...]
    turns: tuple[Turn, ...]
    block: int

    @property
    def keeps_prefix(self) -> bool:
        """Whether the prompt of every turn begins with the text, and the tokens, with which the turn before ended."""
        return all(turn.keeps_text and turn.keeps_tokens for turn in self.turns)

    @property
    def verdict(self) -> str:
        """Whether a cache can go on from turn to turn, and if not, where it cannot, in a sentence or two."""
        return turn_words.verdict(self)

    @cached_property
    def n_again(self) -> int:
        """The tokens of all turns that are computed again, though a cache had read or written them."""
        return sum(turn.n_again for turn in self.turns if not (turn.keeps_text and turn.keeps_tokens))


def turns(
    tokenizer: Any,
    messages: Iterable[Message | Mapping[str, Any]] | Mapping[str, Any],
    *,
    chat_format: ChatFormat | str | None = None,
    ids: Sequence[Sequence[int] | None] = (),
    block: int = BLOCK,
    known: dict[Any, Any] | None = None,
) -> Turns:
    """Return what the prompt of each turn keeps of the turn before.

    messages, chat_format: as `tokviz.chat` takes them. A turn is a prompt that the assistant answers; if the last
    message is the assistant's, the whole chat is one more. ids: the ids of each answer that the model produced, None
    where they are not known; it is then taken to have written what the template makes of the message, with the white
    space that the message has. block: how many tokens a cache keeps or drops together. known: tokens of earlier calls
    under this tokenizer, for a chat that is edited; it is added to. Raises ValueError as `chat` does, with the turn
    that a template refuses and its words, and for more lists of ids than answers.

    >>> import tokviz
    >>> said = [("user", "Hi!"), ("assistant", " Hello! "), ("user", "Bye!")]
    >>> chat = [{"role": role, "content": content} for role, content in said]
    >>> found = turns(tokviz.load("cl100k_base"), chat, chat_format="Tags", block=1)
    >>> [(turn.n_tokens, turn.n_cached) for turn in found.turns], found.turns[1].rewritten[0]
    ([(10, 0), (24, 9)], Rewriting(message=1, start=28, old=' ', new=''))
    """
    if block < 1:
        raise ValueError(f"a block must have at least 1 token, not {block}")
    base, given = as_tokenizer(tokenizer, "turns"), messages_of(messages, images=True)
    if chat_format is None or isinstance(chat_format, str):
        chat_format = named_or_default_format(chat_format, base)
    answers = list(answer_ranges(given))
    if len(ids) > len(answers):
        raise ValueError(f"there are ids of {len(ids)} answers, but the assistant answers {len(answers)} times")
    compared = _Comparison(chat_format.tokenizer(base), given, chat_format, block, {} if known is None else known)
    return Turns(compared.tokenizer, chat_format, tuple(given), tuple(compared.turns(answers, ids)), block)


def answer_ranges(messages: Sequence[Message]) -> Iterator[tuple[int, int]]:
    """Yield the first message of each answer of the assistant, and the first one after it.

    >>> list(answer_ranges([Message("user", "1+1"), Message("assistant", "?", "analysis"), Message("assistant", "2")]))
    [(1, 3)]
    """
    start = None
    for number, message in enumerate([*messages, Message("user", "")]):
        if message.role == "assistant" and start is None:
            start = number
        elif message.role != "assistant" and start is not None:
            yield start, number
            start = None


@dataclass
class _Comparison:
    tokenizer: AnyTokenizer
    messages: list[Message]
    chat_format: ChatFormat
    block: int
    known: dict[Any, Any]
    tokens: GrowingTokens = field(init=False)
    before: Prompt = NO_PROMPT  # what the cache has
    n_before: int = 0  # tokens of that

    def __post_init__(self) -> None:
        self.tokens = GrowingTokens(self.tokenizer, self.known)

    def turns(self, answers: Sequence[tuple[int, int]], ids: Sequence[Sequence[int] | None]) -> Iterator[Turn]:
        """Yield the turns in order."""
        ends_answered = bool(answers) and answers[-1][1] == len(self.messages)
        cuts = [cut for start, stop in answers for cut in ((start, True), (stop, False))]
        prompts = self._prompts([*cuts, (len(self.messages), not ends_answered)])
        given = [*ids, *[None] * (len(answers) - len(ids))]
        for number, (start, stop) in enumerate(answers):
            request, answered = prompts[2 * number : 2 * number + 2]
            turn = self._turn(number + 1, request, start)
            produced = given[number]
            with _naming_turn(number + 1):
                answer_ids = self._take_answer(request, answered, (start, stop), produced)
            is_produced = produced is not None
            yield replace(turn, answer_ids=answer_ids, is_produced=is_produced, tokenizer=self.tokenizer)
        yield self._turn(len(answers) + 1, prompts[-1], len(self.messages), is_request=not ends_answered)

    def _prompts(self, cuts: Sequence[tuple[int, bool]]) -> list[Prompt]:
        """Return all prompts; the ValueError of a format that refuses some names the first turn that it refuses."""
        try:
            return self.chat_format.prompts(self.messages, cuts)
        except SandboxError:
            raise  # all turns together take too long
        except ValueError:
            for i, cut in enumerate(cuts):
                with _naming_turn(i // 2 + 1):
                    self.chat_format.prompts(self.messages, [cut])
            raise

    def _turn(self, number: int, prompt: Prompt, n_messages: int, *, is_request: bool = True) -> Turn:
        """Return what a prompt keeps of what the cache has, which it then becomes."""
        n_kept = common_length(self.before.text, prompt.text)
        n_shared = self.tokens.replace(prompt, n_kept)
        seen = len(self.before.begins)
        rewritten = tuple(rewritings(self.before, prompt)) if n_kept < len(self.before.text) else ()
        new_start = _new_start(prompt, seen) if number > 1 else 0
        turn = Turn(
            number=number,
            is_request=is_request,
            n_messages=n_messages,
            prompt=prompt,
            n_tokens=len(self.tokens.ids),
            n_kept=n_kept,
            n_shared=n_shared,
            n_cached=n_shared // self.block * self.block,
            n_before=self.n_before,
            n_old=self.tokens.n_beginning_before(new_start),
            new_start=new_start,
            rewritten=rewritten,
        )
        self.before, self.n_before = prompt, turn.n_tokens
        return turn

    def _take_answer(
        self, request: Prompt, answered: Prompt, places: tuple[int, int], produced: Sequence[int] | None
    ) -> tuple[int, ...]:
        """Have the cache take an answer too; return its ids after the last ones of the prompt."""
        written = answered_prompt(request, answered, self.messages, places)
        begin = len(request.text)
        # A model stops after its last special token; what the template adds is not its own.
        ends = special_token_ends(self.tokenizer, rest_of_prompt(written, begin))
        written = replace(written, text=written.text[: begin + ends[-1]] if ends else written.text)
        n_request = len(self.tokens.ids)
        ids = self.tokens.append_text(written, begin) if produced is None else self.tokens.append(produced)
        if produced is not None:
            written = replace(written, text=request.text + self.tokenizer.decode(ids))
        self.before, self.n_before = written, len(self.tokens.ids)
        return *self.tokens.after_last_special(n_request), *ids


@contextmanager
def _naming_turn(number: int) -> Iterator[None]:
    try:
        yield
    except ValueError as e:
        kind = UnknownTokenError if isinstance(e, UnknownTokenError) else ValueError
        raise kind(f"turn {number}: {e}") from e


def answered_prompt(request: Prompt, answered: Prompt, messages: Sequence[Message], places: tuple[int, int]) -> Prompt:
    """Return a prompt with its answer as the model wrote it: as the template has it, but with all that messages say.

    answered: what the template makes of the messages with the answer. places: the answer's first message, and the
    first one after it.
    """
    start, stop = places
    begin_of_answer, said_from = _answer_begins(request, answered, start)
    at = said_from
    text, markers = request.text, [*(request.markers or ())]

    def keep(begin: int, end: int) -> str:
        """Return the text so far, with a stretch of what the template makes."""
        shift = len(text) - begin
        markers.extend((a + shift, b + shift) for a, b in answered.markers or () if begin <= a and b <= end)
        return text + answered.text[begin:end]

    for number in range(start, stop):
        said = [(a, b) for a, b, owner in answered.contents if owner == number and a >= at]
        content, begin, end = well_formed_text(messages[number].content), at, at
        if said and not messages[number].is_call:
            begin, end = said[0][0], said[-1][1]
            lead, part, tail = content.partition(answered.text[begin:end])
            if not part:
                continue  # not as the message has it
            lead = "" if answered.text.endswith(lead, said_from, begin) else lead
            tail = "" if answered.text.startswith(tail, end) else tail
            content = lead + part + tail
        elif said or not content.strip():
            continue
        text = keep(at, begin) + content
        at = end
    text = keep(at, len(answered.text))
    begins = (*request.begins, begin_of_answer, *[None] * (stop - start - 1))
    return Prompt(text, (), begins, None, answered.markers and tuple(markers))


def _answer_begins(request: Prompt, answered: Prompt, start: int) -> tuple[int, int]:
    """Return where an answer begins in its request, with what leads to it, and after that in the text that has it."""
    common = common_length(request.text, answered.text)
    first = next((each for each in answered.begins[start:] if each is not None), common)
    if first <= common:
        return first, common
    # The template writes earlier messages otherwise once they are answered; what leads to the answer is the same.
    rest = answered.text[first : first + LEAD_MAX]
    n_lead = max(n for n in range(len(rest) + 1) if request.text.endswith(rest[:n]))
    return len(request.text) - n_lead, first + n_lead


def rewritings(before: Prompt, prompt: Prompt) -> Iterator[Rewriting]:
    """Yield what a prompt has in place of what was there before, message by message.

    >>> old, new = (Prompt(f"<u>Hi!{text}", (), (0, 6), None) for text in ("<a>Hm. Ho!", "<a>Ho!</a>"))
    >>> list(rewritings(old, new))
    [Rewriting(message=1, start=10, old='m. Ho!', new='o!</a>')]
    """
    old, new, at = _stretches(before), _stretches(prompt), 0
    for number, (start, stop) in old.items():
        begin, end = new.get(number, (at, at))
        was, now, at = before.text[start:stop], prompt.text[begin:end], end
        if stop == len(before.text):
            if now.startswith(was):
                continue
            if was == was.rstrip():
                now = now.rstrip()  # what a template adds after an answer replaces nothing
        was, now, n_common = differing_stretches(was, now)
        lead, kept, tail = was.partition(now) if now else ("", "", "")
        if kept:  # it is only trimmed
            changes = [(begin + n_common, lead, ""), (begin + n_common + len(now), tail, "")]
        else:
            changes = [(begin + n_common, was, now)]
        yield from (Rewriting(number, *change) for change in changes if change[1] or change[2])
    for number, (start, stop) in new.items():
        if number not in old and number < len(before.begins) and start < stop:
            yield Rewriting(number, start, "", prompt.text[start:stop])


def _stretches(prompt: Prompt) -> dict[int, tuple[int, int]]:
    """Return the stretch that is written of each message whose beginning is known, and of what precedes them."""
    known = sorted((begin, number) for number, begin in enumerate(prompt.begins) if begin is not None)
    bounds = [(0, BEFORE), *known, (len(prompt.text), BEFORE)]
    return {number: (start, stop) for (start, number), (stop, _) in pairwise(bounds)}


def _new_start(prompt: Prompt, seen: int) -> int:
    """Return where the messages begin that come after the first `seen`, in characters; the end if there are none."""
    begins = [begin for begin in prompt.begins[seen:] if begin is not None]
    said = [start for start, _, owner in prompt.contents if owner >= seen]
    return min(begins or said, default=len(prompt.text))
