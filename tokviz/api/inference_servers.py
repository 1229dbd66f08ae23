"""The addresses that vLLM and llama.cpp have for tokens, as their clients use them: requests, and the work for them.

Sources: vllm/entrypoints/serve/tokenize/protocol.py of vllm-project/vllm, and tools/server of ggml-org/llama.cpp. Which
of the two is asked for text follows from the field with the text: "content" is llama.cpp's, "prompt" and "messages" are
vLLM's.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np

from tokviz.api.answer import JsonText, json_of
from tokviz.api.fields import IDS_MAX, Ids, Ignored, Messages, Name, Text
from tokviz.api.messages import StrictRequest
from tokviz.api.refusal import Refusal
from tokviz.api.tokenizers import OWN, Served, served, with_markers_of_chats
from tokviz.api.work import Answer, decoded_bytes_of_each
from tokviz.chats.formats import Template, given_or_default_format
from tokviz.chats.messages import messages_of
from tokviz.chats.prompt import Prompt, prompt_spans
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.huggingface.byte_alphabet import alphabet_text
from tokviz.formats.library_tokenizer import LibraryTokenizer
from tokviz.formats.pretrained import ENCODINGS, INCLUDED
from tokviz.text.glyphs import text_or_none

# What ends a document where no file says it: of OpenAI and Qwen, Llama 3, SentencePiece, Gemma and DeepSeek.
ENDS = ("<|endoftext|>", "<|end_of_text|>", "</s>", "<eos>", "<｜end▁of▁sentence｜>")


class InferenceRequest(StrictRequest):
    """What every request may have: the name of the tokenizer."""

    model: Name | None = None


class ContentRequest(InferenceRequest):
    """A text to tokenize, as for llama.cpp."""

    content: Text
    add_special: bool = False
    parse_special: bool = True
    with_pieces: bool = False


class PromptRequest(InferenceRequest):
    """A text to tokenize, as for vLLM."""

    prompt: Text
    add_special_tokens: bool = True
    return_token_strs: bool | None = None


class MessagesRequest(InferenceRequest):
    """A chat to tokenize, as for vLLM. What it says of images changes nothing, since there are none."""

    messages: Messages
    add_special_tokens: bool = False
    return_token_strs: bool | None = None
    add_generation_prompt: bool | None = None
    continue_final_message: bool = False
    chat_template: Text | None = None
    media_io_kwargs: Ignored = None
    mm_processor_kwargs: Ignored = None


class TokensRequest(InferenceRequest):
    """Ids to turn into a text, in the same words for both."""

    tokens: Ids


def tokenize(asked: ContentRequest | PromptRequest | MessagesRequest) -> Answer:
    """Return the ids of a text or a chat, in the words of the server whose request it is."""
    one = served(asked.model)
    if isinstance(asked, ContentRequest):
        ids = one.tokenizer.encode_to_numpy(asked.content, allowed_special="all" if asked.parse_special else ())
        ids = with_ids_around(one, ids) if asked.add_special else ids
        return {"tokens": json_of_each(ids, lambda i: id_and_piece(one.tokenizer, i)) if asked.with_pieces else ids}
    if isinstance(asked, PromptRequest):
        tokenizer, ids = one.tokenizer, one.tokenizer.encode_to_numpy(asked.prompt, allowed_special="all")
    else:
        tokenizer, ids = chat_tokenizer_and_ids(one, asked)
    ids = with_ids_around(one, ids) if asked.add_special_tokens else ids
    names = json_of_each(ids, lambda i: vocabulary_name(tokenizer, i)) if asked.return_token_strs else None
    return {"count": len(ids), "max_model_len": IDS_MAX, "tokens": ids, "token_strs": names}


def detokenize(asked: TokensRequest) -> Answer:
    """Return the text of ids under both its names: nothing in a request says which server it is meant for.

    Ids that the tokenizer lacks may be markers of a chat, which `tokenize` gave.
    """
    tokenizer = served(asked.model).tokenizer
    if not all(each in tokenizer for each in asked.tokens):
        tokenizer = with_markers_of_chats(tokenizer)
    (data,) = decoded_bytes_of_each(tokenizer, [asked.tokens])
    text = JsonText(json_of(data.decode("utf-8", "replace")))
    return {"content": text, "prompt": text}


def tokenizer_info(_asked: None) -> Answer:
    """Return what a tokenizer_config.json would say of the default tokenizer."""
    one = served(None)
    known = {"tokenizer_class": type(one.tokenizer).__name__, "bos_token": None}
    known["eos_token"] = next((each for each in ENDS if each in one.tokenizer.special_tokens), None)
    template = {"chat_template": one.template.source} if one.template else {}
    return JsonText(json_of({**known, **one.settings.tokens, **template}))


def health(_asked: None) -> Answer:
    """Say that the server answers."""
    return {"status": "ok"}


def models(_asked: None) -> Answer:
    """List the tokenizers as OpenAI's API lists models."""
    makers = dict.fromkeys(OWN, "user") | {name: INCLUDED[name].maker for name in ENCODINGS if name not in OWN}
    listed = [{"id": name, "object": "model", "created": 0, "owned_by": maker} for name, maker in makers.items()]
    return {"object": "list", "data": listed}


def may_wait_for_child(asked: object) -> bool:
    """Return whether the work for a request may wait for a child process, or takes some time whatever its length."""
    return isinstance(asked, MessagesRequest) or (asked is not None and any(one.uses_child for one in OWN.values()))


def with_ids_around(one: Served, ids: np.ndarray) -> np.ndarray:
    """Return ids with those that the models of a tokenizer are given around a text."""
    return np.concatenate([np.array(one.begin, int), ids, np.array(one.end, int)])


def chat_tokenizer_and_ids(one: Served, asked: MessagesRequest) -> tuple[AnyTokenizer, np.ndarray]:
    """Return the ids of a chat, and the tokenizer with the markers of its format."""
    if asked.continue_final_message and asked.add_generation_prompt:
        raise Refusal(422, "continue_final_message and add_generation_prompt exclude each other: leave one of them out")
    messages = messages_of(asked.messages)
    tokens = tuple(one.settings.tokens.items())
    given = Template("chat_template", asked.chat_template, tokens) if asked.chat_template else one.template
    chat_format = given or given_or_default_format(None, one.tokenizer)
    tokenizer = chat_format.tokenizer(one.tokenizer)
    begins_reply = asked.add_generation_prompt is not False and not asked.continue_final_message
    prompt = chat_format.prompt(messages, reply=begins_reply)
    if asked.continue_final_message:
        prompt = prompt_open_at_end(prompt, len(messages) - 1)
    return tokenizer, prompt_spans(tokenizer, prompt).ids


def prompt_open_at_end(prompt: Prompt, last: int) -> Prompt:
    """Return a prompt that ends with what its last message says, for a model to continue.

    >>> from tokviz.chats.chatml import Message, chatml_prompt
    >>> prompt_open_at_end(chatml_prompt([Message("assistant", "Sure,")]), 0).text
    '<|im_start|>assistant\\nSure,'
    """
    end = max((end for _, end, message in prompt.contents if message == last), default=None)
    if end is None:
        raise Refusal(422, "continue_final_message: the last message says nothing in this format: leave it out")
    markers = prompt.markers and tuple(each for each in prompt.markers if each[1] <= end)
    return replace(prompt, text=prompt.text[:end], markers=markers, reply=None)


def json_of_each(ids: Iterable[int], of_one: Callable[[int], Any]) -> Iterator[JsonText]:
    """Yield what a function returns for each id, as JSON that is written once for all its places."""
    known: dict[int, JsonText] = {}
    for each in ids:
        token_id = int(each)
        if token_id not in known:
            known[token_id] = JsonText(json_of(of_one(token_id)))
        yield known[token_id]


def id_and_piece(tokenizer: AnyTokenizer, token_id: int) -> dict[str, Any]:
    """Return an id with its token as text, or as its bytes where they are not UTF-8.

    >>> import tokviz
    >>> [id_and_piece(tokviz.load("gpt2"), token_id)["piece"] for token_id in (9319, 224)]
    ['low', [130]]
    """
    data = tokenizer.token_bytes(token_id)
    text = text_or_none(data)
    return {"id": token_id, "piece": list(data) if text is None else text}


def vocabulary_name(tokenizer: AnyTokenizer, token_id: int) -> str:
    """Return a token as files of Hugging Face write it, which vLLM's `token_strs` are.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> [vocabulary_name(gpt2, token_id) for token_id in gpt2.encode("a low<|endoftext|>", allowed_special="all")]
    ['a', 'Ġlow', '<|endoftext|>']
    """
    if not isinstance(tokenizer, Tokenizer):
        return cast(LibraryTokenizer, tokenizer).token_of[token_id]
    data = tokenizer.token_bytes(token_id)
    if tokenizer.special_tokens.get(name := data.decode(errors="replace")) == token_id:
        return name
    if not tokenizer.normalizer.marks_are_spaces:
        return alphabet_text(data)
    text = text_or_none(data)
    return "".join(f"<0x{byte:02X}>" for byte in data) if text is None else text.replace(" ", "▁")
