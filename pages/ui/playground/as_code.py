"""The few lines of Python that give what the playground shows: with tokviz, and with tiktoken.

In: what is shown. Out: source code that ends with `ids`, or for token ids with `text`, and the files it
reads: a tokenizer trained here, and what is too long to stand in the code.
"""

import json
import re
from itertools import pairwise

from pages.ui.playground.playground_result import PlaygroundResult
from tokviz import AnyTokenizer, Tokenizer
from tokviz.core.chat import END, START
from tokviz.core.patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import well_formed
from tokviz.formats.exports import file_text
from tokviz.formats.hf_tokenizer import HFTokenizer
from tokviz.formats.pretrained import PRETRAINED
from tokviz.formats.sentencepiece import SentencePieceTokenizer
from tokviz.formats.tiktoken_code import tiktoken_code as code_of_ranks

LONG_WHITE_SPACE = re.compile(r"\s{10000}")
INLINE_MAX = 2_000  # characters of a text, or ids, that stand in the code itself
TEXT_FILE, MESSAGES_FILE, IDS_FILE = "text.txt", "messages.json", "ids.json"
MODEL_FILE, JSON_FILE, RANKS_FILE = "tokenizer.model", "tokenizer.json", "tokenizer.tiktoken"


def files_of_code(shown: PlaygroundResult) -> dict[str, bytes]:
    """Return the files that the code reads, by their names.

    Raises ValueError for a tokenizer that no file can hold.
    """
    files = {}
    if shown.base.name not in PRETRAINED:
        name, data = _file_of(shown.base)
        files[name] = data
        if tiktoken_code(shown):
            files[RANKS_FILE] = file_text(shown.base, ".tiktoken").encode()
    if shown.source == "Text" and len(shown.text) > INLINE_MAX:
        files[TEXT_FILE] = well_formed(shown.text).encode()
    if shown.source == "Chat" and _has_long_messages(shown):
        files[MESSAGES_FILE] = json.dumps([(role, well_formed(text)) for role, text in shown.messages]).encode()
    if shown.source == "Ids" and len(shown.spans) > INLINE_MAX:
        files[IDS_FILE] = json.dumps(shown.spans.ids.tolist()).encode()
    return files


def _file_of(tokenizer: AnyTokenizer) -> tuple[str, bytes]:
    """Return the name and the content of a file that holds a tokenizer; ValueError where none can."""
    if isinstance(tokenizer, HFTokenizer):
        return JSON_FILE, tokenizer.data
    if isinstance(tokenizer, SentencePieceTokenizer):
        return MODEL_FILE, tokenizer.data
    if not isinstance(tokenizer, Tokenizer):
        raise ValueError(
            f"{tokenizer.kind} are for teaching, and no file holds them; tokviz.families.teaching makes them anew"
        )
    try:
        return MODEL_FILE, file_text(tokenizer, ".model").encode()
    except ValueError:
        return JSON_FILE, file_text(tokenizer, ".json").encode()


def tokviz_code(shown: PlaygroundResult) -> str:
    """Return the lines that use tokviz."""
    base = shown.base.name
    made = f'tokviz.load("{base}")' if base in PRETRAINED else f'tokviz.Tokenizer.read("{_file_of(shown.base)[0]}")'
    if shown.source == "Chat":
        return (
            "import tokviz\nfrom tokviz.core.chat import chat_ids, chat_tokenizer\n\n"
            f"tokenizer = chat_tokenizer({made})\n{_messages(shown)}ids = chat_ids(tokenizer, messages)\n"
        )
    lines = f"import tokviz\n\ntokenizer = {made}\n"
    if shown.source == "Ids":
        return lines + f"{_ids(shown)}text = tokenizer.decode(ids)\n"
    allowed = ', allowed_special="all"' if shown.allow_special else ""
    return lines + f"{_text(shown)}ids = tokenizer.encode(text{allowed})\n"


def tiktoken_code(shown: PlaygroundResult) -> str | None:
    """Return the lines that use tiktoken alone; None where it might give something else.

    None too for what is no byte-level BPE. Its engine knows another dialect of regular expressions and
    drops text that nothing matches, fails on very long white space, and of two special tokens that match
    takes any. So of the tokenizers that do not ship it gets those with a named split pattern.
    """
    if not isinstance(shown.base, Tokenizer) or _tiktoken_differs(shown):
        return None
    base = shown.base.name
    if base in PRETRAINED:
        lines = f'import tiktoken\n\nencoding = tiktoken.get_encoding("{base}")\n'
        if shown.source == "Chat":
            lines += _with_markers(shown)
    elif shown.tokenizer.split_pattern in SPLIT_PATTERNS:
        lines = code_of_ranks(shown.tokenizer, RANKS_FILE)
    else:
        return None
    if shown.source == "Chat":
        start, end = (shown.tokenizer.special_tokens[marker] for marker in (START, END))
        return (
            f"{lines}{_messages(shown)}ids = []\nfor role, text in messages:\n"
            f'    ids += [{start}, *encoding.encode_ordinary(f"{{role}}\\n{{text}}"), {end}]\n'
            f'    ids += encoding.encode_ordinary("\\n")\n'
            f'ids += [{start}, *encoding.encode_ordinary("assistant\\n")]\n'
        )
    if shown.source == "Ids":
        return f"{lines}{_ids(shown)}text = encoding.decode(ids)\n"
    call = 'encode(text, allowed_special="all")' if shown.allow_special else "encode_ordinary(text)"
    return f"{lines}{_text(shown)}ids = encoding.{call}\n"


def _tiktoken_differs(shown: PlaygroundResult) -> bool:
    special = sorted(shown.tokenizer.special_tokens) if shown.allow_special else []
    ambiguous = any(longer.startswith(shorter) for shorter, longer in pairwise(special))
    return ambiguous or bool(LONG_WHITE_SPACE.search(shown.text))


def _with_markers(shown: PlaygroundResult) -> str:
    """Return the lines that add the markers of ChatML to an encoding of tiktoken's."""
    markers = {marker: shown.tokenizer.special_tokens[marker] for marker in (START, END)}
    return (
        "encoding = tiktoken.Encoding(\n"
        f"    {shown.tokenizer.name!r},\n"
        "    pat_str=encoding._pat_str,\n"
        "    mergeable_ranks=encoding._mergeable_ranks,\n"
        f"    special_tokens=encoding._special_tokens | {markers},\n"
        ")\n"
    )


def _text(shown: PlaygroundResult) -> str:
    if len(shown.text) > INLINE_MAX:
        return f'text = open("{TEXT_FILE}", encoding="utf-8", newline="").read()\n'
    return f"text = {well_formed(shown.text)!r}\n"


def _ids(shown: PlaygroundResult) -> str:
    if len(shown.spans) > INLINE_MAX:
        return f'import json\n\nids = json.load(open("{IDS_FILE}"))\n'
    return f"ids = {shown.spans.ids.tolist()}\n"


def _has_long_messages(shown: PlaygroundResult) -> bool:
    return sum(len(text) for _, text in shown.messages) > INLINE_MAX


def _messages(shown: PlaygroundResult) -> str:
    if _has_long_messages(shown):
        return f'import json\n\nmessages = json.load(open("{MESSAGES_FILE}"))\n'
    rows = "".join(f"    ({role!r}, {well_formed(text)!r}),\n" for role, text in shown.messages)
    return f"messages = [\n{rows}]\n"
