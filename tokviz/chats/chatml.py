"""ChatML: `<|im_start|>role`, a line end, what the message says, `<|im_end|>`, and a line end.

No encoding of OpenAI's that ships has these markers, so we derive a tokenizer that does. Only this module puts markers
between messages: a marker that somebody types into one stays plain text.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from tokviz.chats.prompt import Message, Piece, Prompt, message_pieces, prompt_spans
from tokviz.core.tokenizer import Tokenizer

START, END = "<|im_start|>", "<|im_end|>"

# cl100k_base: the ids OpenAI gives in tiktoken's README as an example of extending an encoding. For
# o200k_base OpenAI has published none; these are the ids of tiktokenizer (dqbd/tiktokenizer,
# src/models/tokenizer.ts), with which people compare.
MARKER_IDS = {
    "cl100k_base": {START: 100264, END: 100265},
    "o200k_base": {START: 200264, END: 200265},
}


def chat_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer with the markers of ChatML among its special tokens.

    Markers without a published id get the next free ones. A tokenizer that has both is returned as it is.

    >>> import tokviz
    >>> chat_tokenizer(tokviz.load("cl100k_base")).encode("<|im_end|>", allowed_special="all")
    [100265]
    """
    return with_markers(tokenizer, (START, END), "ChatML", MARKER_IDS.get(tokenizer.name, {}))


def with_markers(
    tokenizer: Tokenizer, markers: Iterable[str], format_name: str, known: dict[str, int] | None = None
) -> Tokenizer:
    """Return the tokenizer with these among its special tokens; those it lacks get known ids, or the next free ones."""
    added: dict[str, int] = {}
    for marker in markers:
        if marker not in tokenizer.special_tokens:
            added[marker] = (known or {}).get(marker, max([tokenizer.n_vocab - 1, *added.values()]) + 1)
    if not added:
        return tokenizer
    return tokenizer.with_special_tokens(added, name=f"{tokenizer.name} + {format_name}")


def chatml_prompt(messages: Sequence[Message], *, reply: bool = True) -> Prompt:
    """Return the prompt of messages in ChatML; `reply` adds the beginning of the assistant's, for a model to continue.

    >>> chatml_prompt([Message("user", "Hi!")], reply=False).text
    '<|im_start|>user\\nHi!<|im_end|>\\n'
    """
    pieces: list[Piece] = []
    for number, message in enumerate(messages):
        pieces += message_pieces(number, [(START, f"{message.role}\n")], message.content, END)
        pieces.append(Piece("\n", number))
    if reply:
        pieces += [Piece(START, None, is_marker=True), Piece("assistant\n", None)]
    return Prompt.of_pieces(pieces, len(messages))


def chatml_prompts(messages: Sequence[Message], cuts: Iterable[tuple[int, bool]]) -> list[Prompt]:
    """Return the prompts of the first n messages, for each n and whether an answer begins that `cuts` has.

    >>> [prompt.text for prompt in chatml_prompts([Message("user", "Hi!")], [(0, True), (1, False)])]
    ['<|im_start|>assistant\\n', '<|im_start|>user\\nHi!<|im_end|>\\n']
    """
    whole = chatml_prompt(messages, reply=False)
    ends, owners = [*whole.begins, len(whole.text)], [owner for _, _, owner in whole.contents]
    found = []
    for n, reply in cuts:
        end = ends[n] or 0
        text, markers = whole.text[:end], (whole.markers or ())[: 2 * n]
        if reply:
            text, markers = f"{text}{START}assistant\n", (*markers, (end, end + len(START)))
        contents = whole.contents[: bisect_left(owners, n)]
        found.append(Prompt(text, contents, whole.begins[:n], end if reply and n else None, markers))
    return found


def chat_ids(tokenizer: Tokenizer, messages: Iterable[tuple[str, str]], *, reply: bool = True) -> list[int]:
    """Return the ids of messages, pairs of a role and a text, as ChatML.

    `reply` adds the beginning of the assistant's message, for a model to continue. Raises
    ValueError for a tokenizer without the markers; `chat_tokenizer` gives one that has them.

    >>> import tokviz
    >>> tokenizer = chat_tokenizer(tokviz.load("cl100k_base"))
    >>> tokenizer.decode(chat_ids(tokenizer, [("user", "Hi!")]))
    '<|im_start|>user\\nHi!<|im_end|>\\n<|im_start|>assistant\\n'
    """
    missing = [marker for marker in (START, END) if marker not in tokenizer.special_tokens]
    if missing:
        raise ValueError(f"{tokenizer.name} has no special token {missing[0]}; chat_tokenizer() adds it")
    prompt = chatml_prompt([Message(role, text) for role, text in messages], reply=reply)
    return prompt_spans(tokenizer, prompt).ids.tolist()
