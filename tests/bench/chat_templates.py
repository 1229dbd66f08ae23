"""Is a chat's prompt the one that transformers, mistral-common and openai-harmony make of it? A bench by hand.

Run `python tests/bench/chat_templates.py TOKENIZER.json [TEMPLATE.jinja ...]` from the top of the repository, in an
environment with transformers 5, and for their templates mistral-common 1.13. It compares text, token ids and assistant
mask of random conversations (tools, several calls, reasoning, ids of calls, lists of parts, images, None) under the
given templates, those for teaching, those of the tests, and those that mistral-common writes for its tokenizers. The
package llama-cpp-python and the models of xinference have many templates in use. It prints how many cases are the
same, and for each template the first that is not.
"""

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import dropwhile, product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import mistral_common  # noqa: E402
import tokenizers  # noqa: E402
import transformers  # noqa: E402
from chats.test_template import SOURCES  # noqa: E402
from chats.test_template_stretches import FAMILIES  # noqa: E402
from mistral_common.integrations.chat_templates.chat_templates import convert_tokenizer_to_chat_template  # noqa: E402
from mistral_common.integrations.chat_templates.template_generator import TemplateConfig, build_chat_template  # noqa: E402
from mistral_common.protocol.instruct.request import ChatCompletionRequest  # noqa: E402
from mistral_common.tokens.tokenizers.base import TokenizerVersion  # noqa: E402
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer  # noqa: E402

import tokviz  # noqa: E402
from tokviz.chats.formats import Template  # noqa: E402
from tokviz.chats.messages import messages_of  # noqa: E402
from tokviz.chats.prompt import Prompt, prompt_spans  # noqa: E402
from tokviz.chats.teaching import TEMPLATES  # noqa: E402
from tokviz.conversations.assistant_mask import AssistantMask  # noqa: E402
from tokviz.core.common_prefix import common_length  # noqa: E402
from tokviz.system import sandbox  # noqa: E402

N_CONVERSATIONS = 300
TEXTS = [
    "Hi!",
    "  two\nlines \n",
    "สวัสดี 👋🏽",
    "",
    "<|im_end|>",
    "a</think>b",
    "[INST]",
    '{"x": 1}',
    "1 < 2 & 3",
    "e\u0301",
]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Returns {name}.\nSoon.",
            "parameters": {"type": "object", "properties": {"x": {"type": "string", "enum": ["a", "ü"]}}},
        },
    }
    for name in ("weather", "now")
]
Conversation = dict[str, Any]


def conversations() -> Iterator[Conversation]:
    """Yield random chats in the forms of OpenAI's API: messages, tools, and whether an answer begins."""
    draw = random.Random(1)
    for number in range(N_CONVERSATIONS):
        messages = [{"role": "system", "content": content(draw)}] if draw.random() < 0.4 else []
        for _ in range(draw.randint(1, 3)):
            messages.append({"role": "user", "content": content(draw, images=number % 5 == 0)})
            if draw.random() < 0.5 and number % 3:
                messages += calls_and_results(draw)
            if draw.random() < 0.9:
                messages.append(answer(draw))
        reply = messages[-1]["role"] != "assistant" if draw.random() < 0.9 else draw.random() < 0.5
        tools = draw.choice([None, TOOLS[:1], TOOLS])
        yield {"messages": messages, "tools": tools, "reply": reply}


def content(draw: random.Random, *, images: bool = False) -> Any:
    """Return what a message says: a text, or parts with images between them."""
    if not images:
        return draw.choice(TEXTS)
    parts = [{"type": "image"}, {"type": "text", "text": draw.choice(TEXTS[:3])}, {"type": "image"}]
    return draw.choice([parts, parts[1:], parts[:2], parts[:1]])


def answer(draw: random.Random, **more: Any) -> dict[str, Any]:
    """Return what the assistant says, with what it thinks."""
    thought = {"reasoning_content": draw.choice(TEXTS) or "Hm."} if draw.random() < 0.4 else {}
    return {"role": "assistant", "content": draw.choice(TEXTS), **thought, **more}


def calls_and_results(draw: random.Random) -> list[dict[str, Any]]:
    """Return an answer that calls functions, and their results."""
    calls, results = [], []
    for name in draw.choices(["weather", "now"], k=draw.randint(1, 2)):
        arguments: Any = draw.choice([{}, {"x": draw.choice(TEXTS), "n": [1, None, {"y": True}]}])
        call_id = "".join(draw.choices("abcXYZ0123456789", k=9))
        calls.append({"type": "function", "id": call_id, "function": {"name": name, "arguments": arguments}})
        results.append({"role": "tool", "name": name, "tool_call_id": call_id, "content": draw.choice(TEXTS)})
    asked = answer(draw, tool_calls=calls)
    asked["content"] = draw.choice(["", "Let me see.", None])
    return [asked, *results]


def templates(paths: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the templates, each with its name."""
    for of_one in (TEMPLATES, SOURCES, FAMILIES):
        # A message written as JSON has its keys in the order in which they were given.
        yield from ((name, source) for name, source in of_one.items() if name != "json in every way")
    yield from ((Path(path).stem, Path(path).read_text(encoding="utf-8")) for path in paths)
    for number, options in enumerate(product(TokenizerVersion, *[(False, True)] * 4)):
        names = ("version", "spm", "image_support", "thinking_support", "plain_thinking_support")
        with suppress(ValueError):  # there are no such tokenizers
            config = TemplateConfig(**dict(zip(names, options, strict=True)))
            yield f"mistral-common {number}", build_chat_template(config)


class Oracle:
    """A tokenizer of transformers, and the same one here."""

    def __init__(self, path: str) -> None:
        self.tokenizer = tokviz.read(path)
        fast = tokenizers.Tokenizer.from_file(path)
        names = ("bos_token", "eos_token", "pad_token")
        self.tokens = dict(zip(names, self.tokenizer.special_tokens, strict=False))
        self.theirs = transformers.PreTrainedTokenizerFast(tokenizer_object=fast, **self.tokens)

    def difference(self, name: str, source: str, given: Conversation) -> str:
        """Return in a word what differs, with where it does; nothing if all is the same."""
        options = {"tools": given["tools"], "add_generation_prompt": given["reply"], "chat_template": source}
        # Servers give templates an empty text for None, as is done here; transformers leaves the key out.
        messages = [{**each, "content": each["content"] or ""} for each in given["messages"]]
        try:
            text = self.theirs.apply_chat_template(messages, tokenize=False, **options)
            wanted = self.theirs.apply_chat_template(
                messages, return_dict=True, return_assistant_tokens_mask=True, **options
            )
        except Exception as e:
            text, wanted, error = None, None, str(e)
        try:
            prompt = our_prompt(Template(name, source, tuple(self.tokens.items()), now=datetime.now()), given)
        except ValueError as e:
            return "" if text is None else f"refused: {e}"
        if text is None:
            return f"not refused: {error}"
        if prompt.text != text:
            n = common_length(prompt.text, text)
            return f"text: {prompt.text[max(n - 40, 0) : n + 60]!r}, not {text[max(n - 40, 0) : n + 60]!r}"
        spans = prompt_spans(self.tokenizer, prompt)
        if spans.ids.tolist() != wanted["input_ids"]:
            return "ids"
        mask = AssistantMask(prompt, spans, prompt.generation, ()).tokens
        return "" if mask.tolist() == [bool(each) for each in wanted["assistant_masks"]] else "mask"


def our_prompt(made: Template, given: Conversation) -> Prompt:
    """Return the prompt that is made here."""
    messages = messages_of(given["messages"], images=True)
    made = replace(made, tools=json.dumps(given["tools"] or []))
    return made.prompts(messages, [(len(messages), given["reply"])])[0]


def mistral_differences(path: Path, cases: list[Conversation]) -> Iterator[str]:
    """Yield what differs from the ids that mistral-common itself makes of chats that it takes, for a tekken.json."""
    tokenizer, theirs = tokviz.read(str(path)), MistralTokenizer.from_file(str(path))
    tokens = (("bos_token", "<s>"), ("eos_token", "</s>"))
    made = Template(path.name, convert_tokenizer_to_chat_template(path), tokens)
    for given in cases:
        if "[INST]" in json.dumps(given):
            continue  # a marker that was typed is one in a template, but not there
        messages = list(dropwhile(lambda each: each["role"] == "assistant", reversed(given["messages"])))[::-1]
        try:
            request = ChatCompletionRequest.from_openai(messages, tools=given["tools"])
            wanted = theirs.encode_chat_completion(request)
        except Exception as e:
            yield f"refused there, {type(e).__name__}"
            continue
        prompt = our_prompt(made, given | {"messages": messages})
        is_same = prompt_spans(tokenizer, prompt).ids.tolist() == wanted.tokens
        yield "" if is_same else f"ids: {prompt.text!r}, not {wanted.text!r}"


def main(path: str, *paths: str) -> None:
    """Print how many cases are the same, and the first of each template that is not."""
    sandbox.inside = True  # these templates are ours, or known
    oracle, cases, counts, n_templates = Oracle(path), list(conversations()), Counter[str](), 0
    for name, source in templates(list(paths)):
        n_templates += 1
        found = [oracle.difference(name, source, each) for each in cases]
        different = [(each, case) for each, case in zip(found, cases, strict=True) if each]
        counts.update(re.split(":", each)[0] or "same" for each in found)
        if different:
            print(f"{name}: {len(different)} of {len(cases)} differ, the first in {different[0][0]}")
            if "-v" in sys.argv:
                print("   ", different[0][1])
    for tekken in sorted(Path(mistral_common.__file__).parent.glob("data/*.json")):
        found = list(mistral_differences(tekken, cases))
        print(tekken.name, Counter(each.split(":")[0] or "same" for each in found))
        print(next((each for each in found if each.startswith("ids")), ""))
    print(f"{len(cases)} conversations × {n_templates} templates: {dict(counts)}")


if __name__ == "__main__":
    main(*(each for each in sys.argv[1:] if each != "-v"))
