"""The tokenizers that a server has: the included ones, and files that the person who starts it names."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import tokenizers

from tokviz.api import TOKENIZERS
from tokviz.api.refusal import Refusal
from tokviz.chats.formats import Template, given_or_default_format, marker_format_names
from tokviz.core.chat_settings import DEFAULT, ChatSettings
from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.chat_settings_file import chat_settings_if_any
from tokviz.formats.elsewhere import reason_not_included
from tokviz.formats.files import tokenizer_of_file
from tokviz.formats.folders import TokenizerFile, read_tokenizer_file
from tokviz.formats.format import is_json
from tokviz.formats.gguf.header import MAGIC, tokenizer_values
from tokviz.formats.huggingface.tokenizer import parsed_json
from tokviz.formats.huggingface.tokenizer_config import parsed_config
from tokviz.formats.pretrained import ENCODINGS, INCLUDED, load_for_model
from tokviz.formats.wrong_files import library_refusal_error
from tokviz.system import sandbox
from tokviz.system.recent import recent

DEFAULT_NAME = "cl100k_base"
SECONDS = 5.0  # of processor time, for a post-processor


@dataclass(frozen=True, eq=False)
class Served:
    """A tokenizer with what its models do with it. begin, end: the ids that they are given around a text."""

    tokenizer: AnyTokenizer
    begin: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    settings: ChatSettings = field(default_factory=ChatSettings)

    @property
    def template(self) -> Template | None:
        """Its chat template; None if it has none."""
        source = self.settings.templates.get(DEFAULT)
        return Template(DEFAULT, source, tuple(self.settings.tokens.items())) if source else None

    @property
    def uses_child(self) -> bool:
        """Whether some work with it is done by a child process, for which a request waits."""
        return not isinstance(self.tokenizer, Tokenizer) or self.template is not None


OWN: dict[str, Served] = {}  # those from files, by their names


def served(name: str | None) -> Served:
    """Return a tokenizer by its name, or an included one by that of a model; without a name, the default.

    The default is the one from a file if there is just one. An answer about a chat names its tokenizer "gpt2 + ChatML"
    if that lacks the markers, and so may a request. Raises Refusal, with what this server has, for any other name, and
    ValueError for another format.
    """
    name = name or (next(iter(OWN)) if len(OWN) == 1 else DEFAULT_NAME)
    if name in OWN:
        return OWN[name]
    base, plus, chat_format = name.rpartition(" + ")
    if plus:
        return _served_with_markers(base, chat_format)
    tokenizer = pretrained_tokenizer(name)
    begin = INCLUDED[tokenizer.name].begin
    if not begin:
        return Served(tokenizer)
    return Served(tokenizer, (tokenizer.special_tokens[begin],), settings=ChatSettings({}, {"bos_token": begin}))


@recent(maxsize=4)  # to make one takes up to 50 ms
def _served_with_markers(name: str, chat_format: str) -> Served:
    base = served(name).tokenizer
    return Served(given_or_default_format(chat_format, base).tokenizer(base))


def with_markers_of_chats(tokenizer: AnyTokenizer) -> AnyTokenizer:
    """Return a tokenizer that is served with the markers that its chats have by default, if they have any."""
    formats = marker_format_names(tokenizer)
    return served(f"{tokenizer.name} + {formats[0]}").tokenizer if formats else tokenizer


def pretrained_tokenizer(name: str) -> Tokenizer:
    """Return an included tokenizer by its name, or that of a model; 404 with what this server has for any other."""
    try:
        return load_for_model(name)
    except ValueError as e:
        reason = str(e) if name in ENCODINGS else reason_not_included(name)
        reason = reason or f"there is no tokenizer or model {short_repr(name)}"
        names = sorted((*OWN, *ENCODINGS), key=lambda each: -SequenceMatcher(None, name.lower(), each.lower()).ratio())
        raise Refusal(404, f"{reason}. This server has {', '.join(names)}, and knows models that use one") from e


def named_files(words: Iterable[str]) -> dict[str, Served]:
    """Return the tokenizers in files or folders by their names, read from words such as "my.json" or "mine=my.json".

    Raises ValueError for two with one name, and errors as `tokviz.read` does.
    """
    found: dict[str, Served] = {}
    for each in words:
        name, _, path = each.partition("=") if "=" in each and not Path(each).exists() else ("", "", each)
        one = _served_file(read_tokenizer_file(Path(path)), name)
        name = name or one.tokenizer.name
        if name in found:
            raise ValueError(f"two tokenizers have the name {name}: give one of them another, as in NAME={path}")
        found[name] = one
    return found


def read_own_tokenizers() -> None:
    """Read the files that the environment names into `OWN`."""
    OWN.update(named_files(filter(None, os.environ.get(TOKENIZERS, "").split(os.pathsep))))


def _served_file(file: TokenizerFile, name: str) -> Served:
    tokenizer = tokenizer_of_file(file, name=name or None)
    settings = chat_settings_if_any(file.data, file.name, file.beside) or ChatSettings()
    begin, end = _ids_around_text(file)
    says = {**parsed_config(file.beside), **(tokenizer_values(file.data) if file.data.startswith(MAGIC) else {})}
    for ids, role in (begin, "bos"), (end, "eos"):
        token = settings.tokens.get(f"{role}_token", "")
        adds = says.get(f"add_{role}_token") or says.get(f"tokenizer.ggml.add_{role}_token")
        if adds and not ids and token in tokenizer.special_tokens:
            ids.append(tokenizer.special_tokens[token])
    return Served(tokenizer, tuple(begin), tuple(end), settings)


def _ids_around_text(file: TokenizerFile) -> tuple[list[int], list[int]]:
    """Return the ids that the post-processor of a tokenizer.json puts before and after a text; none for other files."""
    spec = parsed_json(file.data, file.name, "a tokenizer.json") if is_json(file.data) else {}
    processor = spec.get("post_processor")
    if not isinstance(processor, dict):  # a vocab.json may have a token of that name
        return [], []
    try:
        return sandbox.call(ids_of_post_processor, processor, seconds=SECONDS, what="the post-processor")
    except ValueError as e:
        raise library_refusal_error(e, f"{file.name}, post_processor") from e


def ids_of_post_processor(processor: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    """Return the ids that a post-processor of a tokenizer.json puts before and after a text.

    >>> ids_of_post_processor({"type": "BertProcessing", "cls": ["[CLS]", 101], "sep": ["[SEP]", 102]})
    ([101], [102])
    """
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    spec = {"version": "1.0", "added_tokens": [], "model": model, "post_processor": processor}
    made = tokenizers.Tokenizer.from_str(json.dumps(spec)).encode("a")
    text = made.special_tokens_mask.index(0)
    return made.ids[:text], made.ids[text + 1 :]
