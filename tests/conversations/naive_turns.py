"""A chat turn by turn as it is defined: every prompt made afresh, every text encoded whole, and lists compared."""

from collections.abc import Sequence
from itertools import takewhile

from tokviz.chats.prompt import Message, Prompt, prompt_pretokens_and_markers, prompt_spans
from tokviz.conversations.answers import answered_prompt
from tokviz.conversations.growing_tokens import special_token_ends
from tokviz.core.tokenizer import Tokenizer


def naive_turns(tokenizer, messages: Sequence[Message], chat_format, ids: Sequence = (), block: int = 16) -> list[dict]:
    """Return what `turns` says of each turn, by the names of its fields; "before": what the cache has, as a text."""
    found, text, cached, seen = [], "", [], 0
    for number, (is_request, n_messages) in enumerate(turn_ends(messages)):
        try:
            prompt = chat_format.prompt(messages[:n_messages], reply=is_request)
            begins = chat_format.prompts(messages, [(n_messages, is_request)])[0]
            tokens, starts = encoded(tokenizer, prompt)
            n_shared = n_common(cached, tokens)
            n_old = sum(start < (start_of_new(tokenizer, begins, seen) if found else 0) for start in starts)
            turn = {
                "is_request": is_request,
                "n_messages": n_messages,
                "n_tokens": len(tokens),
                "n_kept": n_common(text, prompt.text),
                "n_shared": n_shared,
                "n_cached": n_shared - n_shared % block,
                "n_before": len(cached),
                "keeps_text": prompt.text.startswith(text),
                "keeps_tokens": tokens[: len(cached)] == cached,
                "n_old": n_old,
                "n_again": max(n_old - n_shared + n_shared % block, 0),
                "text": prompt.text,
                "before": text,
            }
            found.append(turn)
            text, cached = prompt.text, tokens
            if is_request and n_messages < len(messages):
                seen = n_messages + n_in_answer(messages, n_messages)
                answer = answer_text(tokenizer, messages, chat_format, prompt, (n_messages, seen))
                produced = ids[number] if number < len(ids) else None
                cached = [*tokens, *(encode_more(tokenizer, answer) if produced is None else produced)]
                text += answer.text if produced is None else tokenizer.decode(produced)
        except ValueError as e:
            raise ValueError(f"turn {number + 1}: {e}") from e
    return found


def turn_ends(messages: Sequence[Message]) -> list[tuple[bool, int]]:
    """Return whether each turn is answered, and how many messages it has."""
    roles = [message.role for message in messages]
    starts = [i for i in range(len(roles)) if roles[i] == "assistant" and (i == 0 or roles[i - 1] != "assistant")]
    return [*((True, i) for i in starts), (not roles or roles[-1] != "assistant", len(roles))]


def n_in_answer(messages: Sequence[Message], start: int) -> int:
    return len([*takewhile(lambda message: message.role == "assistant", messages[start:])])


def answer_text(tokenizer, messages, chat_format, request: Prompt, places: tuple[int, int]) -> Prompt:
    """Return what the model wrote: the answer as `answered_prompt` has it, ended by a special token or not."""
    (answered,) = chat_format.prompts(messages, [(places[1], False)])
    whole = answered_prompt(request, answered, messages, places)
    begin = len(request.text)
    markers = whole.markers and tuple((a - begin, b - begin) for a, b in whole.markers if a >= begin)
    answer = Prompt(whole.text[begin:], (), (), None, markers)
    ends = special_token_ends(tokenizer, answer)
    is_ended = ends and (answer.text[ends[-1] :] or " ").isspace()
    return Prompt(answer.text[: ends[-1]] if is_ended else answer.text, (), (), None, markers)


def start_of_new(tokenizer, prompt: Prompt, seen: int) -> int:
    """Return where the messages begin that are new in a prompt, or white space before them, after a special token."""
    begins = [begin for begin in prompt.begins[seen:] if begin is not None]
    start = min(begins or [start for start, _, owner in prompt.contents if owner >= seen], default=len(prompt.text))
    ends = [end for end in special_token_ends(tokenizer, prompt) if end <= start]
    return ends[-1] if ends and not prompt.text[ends[-1] : start].strip() else start


def encoded(tokenizer, prompt: Prompt) -> tuple[list[int], list[int]]:
    """Return the ids of a prompt, and where each begins, in characters."""
    spans = prompt_spans(tokenizer, prompt)
    return spans.ids.tolist(), spans.char_starts.tolist()


def encode_more(tokenizer, answer: Prompt) -> list[int]:
    """Return the ids of an answer, of which a tokenizer that puts a space first must not take the first as such."""
    if not isinstance(tokenizer, Tokenizer) or not tokenizer.normalizer.prefix:
        return encoded(tokenizer, answer)[0]
    pieces = prompt_pretokens_and_markers(tokenizer, answer, is_first=False)
    parts = ([tokenizer.special_tokens[text]] if is_one else tokenizer.encode_pretoken(text) for text, is_one in pieces)
    return [i for part in parts for i in part]


def n_common(one: Sequence, other: Sequence) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
