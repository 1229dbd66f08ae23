"""Exercises on a chat turn by turn: what a cache keeps of it, and what makes it compute the same again."""

from collections.abc import Iterable

from tokviz import exercises as ex

NAME = "qwen3"  # which has the markers of ChatML, and those of reasoning
LINES_MAX = 30
SPIDER, ANT = "How many legs does a spider have?", "And an ant?"
MORE, CRAB = "Which has more legs, a spider or an ant?", "And a crab?"

Said = list[tuple[str, ...]]  # role, words, and perhaps channel and recipient


def messages_in_lines(text: str) -> Said:
    """Return the lines of a text as messages, role and words; the user begins, and the assistant answers.

    >>> messages_in_lines("Hi!\\n\\nHello!")
    [('user', 'Hi!'), ('assistant', 'Hello!')]
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > LINES_MAX:
        raise ValueError(f"The chat has {len(lines)} messages; write at most {LINES_MAX}, each on a line.")
    return [("assistant" if n % 2 else "user", line) for n, line in enumerate(lines)]


def chat_of(said: Said, chat_format: str = "ChatML") -> ex.ChatTokens:
    """Return messages, role and words, as the tokens of a prompt."""
    return ex.chat(ex.load(NAME), _dicts(said), chat_format=chat_format)


def turns_of(said: Said, chat_format: str = "ChatML", *, block: int = 1) -> ex.Turns:
    """Return messages, role, words and perhaps reasoning, turn by turn."""
    return ex.turns(ex.load(NAME), _dicts(said), chat_format=chat_format, block=block)


def _dicts(said: Said) -> list[dict[str, str]]:
    return [dict(zip(("role", "content", "reasoning_content"), each, strict=False)) for each in said]


def line_of_ids(label: str, ids: Iterable[int], *, show_ids: bool = False) -> ex.Line:
    """Return ids as a line of tokens."""
    tokenizer = ex.load(NAME)
    return ex.Line(label, ex.token_spans(tokenizer, ids), tokenizer, show_ids=show_ids)


def links_to_chat(said: Said, prompt: str, *, chat_format: str = "", section: str = "Turns") -> tuple[ex.Link, ...]:
    """Return links to a chat on the page of turns, and to a prompt on the usual pages."""
    chat = ex.Link("Chat turns", said[-1][1], NAME, messages=tuple(said), chat_format=chat_format, section=section)
    shown = ex.Link("Playground", prompt, NAME, allow_special=True)
    return ex.usual_links(prompt, chat, shown, tokenizer=NAME)


def again_scene(text: str) -> ex.Scene:
    """Return the scene of a chat that is given again for every answer."""
    said = messages_in_lines(text)
    found = turns_of(said, block=ex.BLOCK)
    given = [turn for turn in found.turns if turn.is_request]
    n_given, n_cached = sum(turn.n_tokens for turn in given), sum(turn.n_cached for turn in given)
    return ex.Scene(
        ex.Number(
            f"The first prompt has **{given[0].n_tokens:,}** tokens. How many in all for "
            f"{ex.quantity(len(given), 'answer')}? (Within a tenth is close enough.)",
            n_given,
            near=n_given // 10,
        ),
        ex.Table(
            ("answer", "its prompt", "in the cache", "computed"),
            tuple((turn.number, turn.n_tokens, turn.n_cached, turn.n_tokens - turn.n_cached) for turn in given),
        ),
        ex.Say(
            "Each prompt has the whole chat in it. A **prefix cache** keeps what was computed, and serves the next "
            f"prompt as far as its tokens are the same. So only **{n_given - n_cached:,}** of the {n_given:,} are "
            "computed."
        ),
        ex.Say(
            "A model remembers nothing itself. The cache has the answers too, and they count from the beginning, "
            f"here in whole blocks of {ex.BLOCK}.",
            detail=True,
        ),
        links=links_to_chat(said, given[-1].prompt.text),
    )


def beginning_scene(text: str) -> ex.Scene:
    """Return the scene of two system messages, of which a cache keeps the common beginning."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 2:
        raise ValueError(f"There are two requests, so write two lines, each with a system message, not {len(lines)}.")
    requests: list[Said] = [[("system", line), ("user", SPIDER)] for line in lines]
    first, second = (chat_of(said).text for said in requests)
    shared = ex.shared_prefix(ex.load(NAME), first, second, allowed_special="all")
    return ex.Scene(
        ex.Plain(f"Each is followed by the same question: “{SPIDER}”"),
        ex.Number(
            f"The second prompt has **{shared.n_after:,}** tokens. How many of them are in the cache of the first? "
            "(Within 3 is close enough.)",
            shared.n_tokens,
            near=3,
        ),
        ex.Lines(*(ex.token_line(NAME, _message_at(0, prompt), label=label, allowed_special="all")
                   for label, prompt in (("the first begins", first), ("the second begins", second)))),
        ex.Say(
            "A cache knows a prompt only by its beginning: from the first token that differs, everything is "
            "computed again. So what changes, such as the time, belongs at the end."
        ),
        links=links_to_chat(requests[1], second),
    )  # fmt: skip


def answer_in_two(text: str) -> tuple[str, str]:
    """Return an answer without its reasoning, and the reasoning.

    >>> answer_in_two("<think>\\nHm.\\n</think>\\n\\nYes.")
    ('Yes.', 'Hm.')
    """
    thought, end, answer = text.partition("</think>")
    return (answer.strip("\n"), thought.removeprefix("<think>").strip("\n")) if end else (text, "")


def rewritten_scene(text: str) -> ex.Scene:
    """Return the scene of an answer from which a template takes reasoning and white space."""
    answer, thought = answer_in_two(text)
    before, turn = turns_of([("user", MORE), ("assistant", answer, thought), ("user", CRAB)], "As Qwen 3").turns
    rows: Said = [("user", MORE), ("assistant", answer), ("user", CRAB)]
    if thought:
        rows.insert(1, ("assistant", thought, "analysis", ""))
    now = _message_at(before.prompt.text.rindex(ex.START), turn.prompt.text)
    n_computed = turn.n_tokens - turn.n_shared
    return ex.Scene(
        ex.Plain(f"It answers “{MORE}” Then you ask “{CRAB}”"),
        ex.Number(
            f"The cache has **{turn.n_before:,}** tokens, question and answer, and the next prompt has "
            f"**{turn.n_tokens:,}**. How many of these must be computed? (Within 3 is close enough.)",
            n_computed,
            near=3,
        ),
        ex.Lines(
            line_of_ids("the answer in the cache", _answer_of(before).ids),
            ex.token_line(NAME, now, label="the answer in the next prompt", allowed_special="all"),
        ),
        ex.Say(
            "Nothing was taken out, so the next prompt begins as the cache does, and only what is new is computed."
            if turn.keeps_tokens
            else "The answer is not there as the model wrote it, and the cache is of no use from the first token "
            "that differs. In whole blocks of "
            f"{ex.BLOCK}, {turn.n_tokens - turn.n_shared // ex.BLOCK * ex.BLOCK} tokens are computed here."
        ),
        links=links_to_chat(rows, turn.prompt.text, chat_format="As Qwen 3"),
    )


def _message_at(start: int, prompt: str) -> str:
    """Return the message that begins at a character of a prompt."""
    return prompt[start : prompt.index(ex.END, start) + len(ex.END)]


def _answer_of(turn: ex.Turn) -> ex.Canonical:
    """Return the ids of an answer and those of its text, both with the generation prompt before them."""
    if turn.answer is None:
        raise ValueError(f"turn {turn.number} has no answer")
    return turn.answer


def seam_scene(text: str) -> ex.Scene:
    """Return the scene of an answer that is encoded again, with the generation prompt before it."""
    said: Said = [("user", SPIDER), ("assistant", text), ("user", ANT)]
    before, turn = turns_of(said).turns
    answer, again = _answer_of(before), turn.n_old - turn.n_shared
    lead = 2  # tokens of the generation prompt before its line end
    return ex.Scene(
        ex.Say("The next prompt has this text unchanged, between the same markers, and is encoded as a whole."),
        ex.yes_or_no_question(
            "Does the answer have the **same tokens** in the next prompt?",
            turn.keeps_tokens,
            "Yes, the same",
            "No, different ones",
        ),
        ex.Lines(
            line_of_ids("as the model wrote it", answer.ids[lead:], show_ids=True),
            line_of_ids("encoded again", answer.canonical[lead:], show_ids=True),
        ),
        ex.Say(
            "No token reaches across the place where the answer begins, so both ways give the same ids."
            if turn.keeps_tokens
            else "The text is the same, the ids are not: **retokenization**. A cache computes "
            f"{ex.quantity(again, 'token')} again, so append to the ids that were produced."
        ),
        ex.Say(
            "The model was given a line end and wrote what follows it; encoded as a whole, both become other "
            "tokens. In reinforcement learning a reward would go to ids that the model never wrote.",
            detail=True,
        ),
        links=links_to_chat(said, turn.prompt.text),
    )
