"""A chat turn by turn: what each prompt keeps of what the model had read and written before.

A model that answers reads the prompt of a turn and writes its answer; a cache then has the tokens of both. The prompt
of the next turn is made anew from all messages, and the cache serves it as far as its tokens are the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tokviz.chats.formats import ChatFormat, given_or_default_format
from tokviz.chats.messages import messages_of
from tokviz.chats.prompt import NO_PROMPT, Message, Prompt
from tokviz.conversations import turn_words
from tokviz.conversations.answers import answer_ranges, answered_prompt
from tokviz.conversations.growing_tokens import GrowingTokens, rest_of_prompt, special_token_ends
from tokviz.conversations.rewritings import Rewriting, rewritings
from tokviz.core.common_prefix import common_length
from tokviz.core.protocol import AnyTokenizer, as_tokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.vocabulary import UnknownTokenError
from tokviz.seams.canonical import Canonical, canonical
from tokviz.system.sandbox import SandboxError

BLOCK = 16  # tokens that a cache keeps or drops together, in vLLM unless set otherwise


@dataclass(frozen=True, eq=False)
class Turn:
    """What a model is given in a turn, beside what a cache has of the turn before: its prompt and the answer to it.

    number: from 1. is_request: whether the model is to answer; otherwise the chat is complete, as it is trained on.
    prompt: of the first n_messages messages. n_kept: characters that both have at their beginning. n_shared: tokens
    that both have at their beginning, n_cached: those of them in whole blocks. n_before: tokens of what was there
    before, `n_old` of this prompt that begin before new_start, the character with which new messages begin, with white
    space that the template writes after the special token that ended the answer. rewritten:
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

    @property
    def keeps_prefix(self) -> bool:
        """Whether it keeps both."""
        return self.keeps_text and self.keeps_tokens


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
        return all(turn.keeps_prefix for turn in self.turns)

    @property
    def verdict(self) -> str:
        """Whether a cache can go on from turn to turn, and if not, where it cannot, in a sentence or two."""
        return turn_words.verdict(self)

    @cached_property
    def n_again(self) -> int:
        """The tokens of all turns that are computed again, though a cache had read or written them."""
        return sum(turn.n_again for turn in self.turns if not turn.keeps_prefix)


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
    chat_format = given_or_default_format(chat_format, base)
    answers = list(answer_ranges(given))
    if len(ids) > len(answers):
        raise ValueError(f"there are ids of {len(ids)} answers, but the assistant answers {len(answers)} times")
    compared = _Comparison(chat_format.tokenizer(base), given, chat_format, block, {} if known is None else known)
    return Turns(compared.tokenizer, chat_format, tuple(given), tuple(compared.turns(answers, ids)), block)


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
        new_start = self._new_start(prompt, seen) if number > 1 else 0
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

    def _new_start(self, prompt: Prompt, seen: int) -> int:
        """Return where what comes after the first `seen` messages begins, in characters; the end if nothing does.

        White space that the template writes after the special token that ends an answer is new: no model wrote it.
        """
        begins = [begin for begin in prompt.begins[seen:] if begin is not None]
        said = [start for start, _, owner in prompt.contents if owner >= seen]
        start = min(begins or said, default=len(prompt.text))
        head = prompt.text[:start].rstrip()
        is_ended = (
            head.endswith(tuple(self.tokenizer.special_tokens))
            if prompt.markers is None
            else any(stop == len(head) for _, stop in prompt.markers)
        )
        return len(head) if is_ended else start

    def _take_answer(
        self, request: Prompt, answered: Prompt, places: tuple[int, int], produced: Sequence[int] | None
    ) -> tuple[int, ...]:
        """Have the cache take an answer too; return its ids after the last ones of the prompt."""
        written = answered_prompt(request, answered, self.messages, places)
        begin = len(request.text)
        # A model stops at the special token that ends its answer; white space that the template adds is not its own.
        ends = special_token_ends(self.tokenizer, rest_of_prompt(written, begin))
        if ends and not written.text[begin + ends[-1] :].strip():
            written = replace(written, text=written.text[: begin + ends[-1]])
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
