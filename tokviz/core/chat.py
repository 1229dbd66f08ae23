"""Chat messages as ChatML tokens.

No encoding that ships has the markers `<|im_start|>` and `<|im_end|>`, so we derive a tokenizer that does. Only this
module puts markers between messages: a marker that somebody types into one stays plain text.
"""

from collections.abc import Iterable

from tokviz.core.tokenizer import Tokenizer

START, END = "<|im_start|>", "<|im_end|>"
ROLES = ("system", "user", "assistant", "tool")

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
    special = dict(tokenizer.special_tokens)
    if START in special and END in special:
        return tokenizer
    known = MARKER_IDS.get(tokenizer.name, {})
    for marker in (START, END):
        if marker not in special:
            special[marker] = known.get(marker, max([tokenizer.n_vocab - 1, *special.values()]) + 1)
    return Tokenizer(f"{tokenizer.name} + ChatML", tokenizer.split_pattern, tokenizer.mergeable_ranks, special)


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
    start, end = tokenizer.special_tokens[START], tokenizer.special_tokens[END]
    ids: list[int] = []
    for role, text in messages:
        ids += [start, *tokenizer.encode(f"{role}\n{text}"), end, *tokenizer.encode("\n")]
    if reply:
        ids += [start, *tokenizer.encode("assistant\n")]
    return ids
