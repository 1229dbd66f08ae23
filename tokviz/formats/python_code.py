"""The lines of Python that load a tokenizer and use it: in tokviz, tiktoken, the tokenizers library and minbpe.

tiktoken and minbpe drop text that no alternative of a split pattern matches, and read some patterns differently: a
split pattern of the user's own gets lines only where they cut some odd texts the same.
"""

import json
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import tiktoken

from tokviz.chats.chatml import END, START, chat_tokenizer
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.patterns import compiled_pattern, short_repr, single_pattern
from tokviz.core.pretokens import TIMEOUT_SECONDS
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence import first_differing_probe_if_any
from tokviz.formats.facts import OPENAI
from tokviz.formats.files import tokenizer_file_text
from tokviz.formats.huggingface.regex_dialects import check_portable_regex
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.library_tokenizer import LibraryTokenizer
from tokviz.formats.minbpe import VERSIONS
from tokviz.formats.pretrained import is_pretrained
from tokviz.formats.tiktoken import check_ranks_say_all
from tokviz.system import sandbox
from tokviz.system.recent import recent

INLINE_MAX = 2_000  # characters, or ids, that are part of the code itself
CHECK_SECONDS = 20.0  # for all probe texts
RANKS_FILE, LIBRARY_FILE = "tokenizer.tiktoken", "tokenizer.json"
_LONG_WHITE_SPACE = re.compile(r"\s{10000}")  # on which tiktoken's regex engine fails
WHOLE = r"[\s\S]+"  # without a split pattern the whole text is one pretoken
_MINBPE = {
    "minbpe v1": "from minbpe import RegexTokenizer\n\ntokenizer = RegexTokenizer()\n",
    "bpe v1": "\ntokenizer = RegexTokenizer()  # the class of your tutorial\n",
    "thai tokenizer v1.0": "\ntokenizer = ThaiTokenizer()  # the class of your tutorial\n",
}


@dataclass(frozen=True)
class Example:
    """A tokenizer, and the `value` it is given: a "text", "messages" (pairs of a role and a text) or "ids"."""

    tokenizer: AnyTokenizer
    name: str
    value: str | Sequence[tuple[str, str]] | Sequence[int]
    allow_special: bool = False

    @property
    def is_long(self) -> bool:
        """Whether the code reads the value from a file."""
        return (len(self.value) if self.name == "ids" else sum(map(len, self.texts))) > INLINE_MAX

    @property
    def texts(self) -> list[str]:
        """The text, or the texts of the messages; ids have none."""
        if isinstance(self.value, str):
            return [self.value]
        return [one[1] for one in self.value if not isinstance(one, int)]


def files_read_by_tokviz_and_tiktoken_code(example: Example) -> dict[str, bytes]:
    """Return the files that the code reads, by their names; ValueError for a tokenizer that no file can hold."""
    files = {}
    if not is_pretrained(example.tokenizer):
        name, data = _file_name_and_bytes(example.tokenizer)
        files[name] = data
        if isinstance(example.tokenizer, Tokenizer) and tiktoken_code_if_equivalent(example):
            files[RANKS_FILE] = tokenizer_file_text(example.tokenizer, ".tiktoken").encode()
    if example.is_long and isinstance(example.value, str):
        files["text.txt"] = example.value.encode()
    elif example.is_long:
        files[f"{example.name}.json"] = json.dumps(example.value).encode()
    return files


def _file_name_and_bytes(tokenizer: AnyTokenizer) -> tuple[str, bytes]:
    if isinstance(tokenizer, LibraryTokenizer):
        return tokenizer.file_name, tokenizer.data
    if not isinstance(tokenizer, Tokenizer):
        raise ValueError(
            f"{tokenizer.kind} are for teaching, and no file holds them; tokviz.families.teaching makes them anew"
        )
    with suppress(ValueError):
        return "tokenizer.model", tokenizer_file_text(tokenizer, ".model").encode()
    return LIBRARY_FILE, tokenizers_file_bytes(tokenizer)


def tokviz_code(example: Example) -> str:
    """Return the lines that use tokviz; they end in `ids`, or of ids in `text`.

    >>> import tokviz
    >>> print(tokviz_code(Example(tokviz.load("gpt2"), "text", "Hi!")).replace("\\n\\n", "\\n"))
    import tokviz
    tokenizer = tokviz.load("gpt2")
    text = 'Hi!'
    ids = tokenizer.encode(text)
    <BLANKLINE>
    """
    if is_pretrained(example.tokenizer):
        made = f'load("{example.tokenizer.name}")'
    else:
        made = f'Tokenizer.read("{_file_name_and_bytes(example.tokenizer)[0]}")'
    if example.name == "messages":
        return (
            "import tokviz\nfrom tokviz.chats.chatml import chat_ids, chat_tokenizer\n\n"
            f"tokenizer = chat_tokenizer(tokviz.{made})\n{_assignment(example)}ids = chat_ids(tokenizer, messages)\n"
        )
    allowed = ', allowed_special="all"' if example.allow_special else ""
    use = "text = tokenizer.decode(ids)" if example.name == "ids" else f"ids = tokenizer.encode(text{allowed})"
    return f"import tokviz\n\ntokenizer = tokviz.{made}\n{_assignment(example)}{use}\n"


def tiktoken_code_if_equivalent(example: Example) -> str | None:
    """Return the lines that use tiktoken alone; None where it might give something else.

    It knows byte-level BPE only, fails on very long white space, and of two special tokens that match takes any. Of
    the tokenizers that do not ship it gets those with a named split pattern.
    """
    tokenizer, is_shipped = example.tokenizer, is_pretrained(example.tokenizer)
    if not isinstance(tokenizer, Tokenizer) or tokenizer.split_pattern not in SPLIT_PATTERNS:
        return None
    if (is_shipped and tokenizer.name not in OPENAI) or any(map(_LONG_WHITE_SPACE.search, example.texts)):
        return None
    try:
        check_runs_in_tiktoken(tokenizer, tokenizer.special_tokens if example.allow_special else ())
    except ValueError:
        return None
    if is_shipped:
        lines = f'import tiktoken\n\nencoding = tiktoken.get_encoding("{tokenizer.name}")\n'
    else:
        lines = tiktoken_loading_code(tokenizer, RANKS_FILE)
    lines += _assignment(example)
    if example.name == "messages":
        return lines + _chat_ids_lines(tokenizer, "encoding.encode_ordinary({})")
    call = 'encode(text, allowed_special="all")' if example.allow_special else "encode_ordinary(text)"
    return lines + ("text = encoding.decode(ids)\n" if example.name == "ids" else f"ids = encoding.{call}\n")


def tokenizers_code_if_possible(example: Example) -> str | None:
    """Return the lines that use the tokenizers library alone, on `tokenizers_file_bytes`; None where it cannot run it.

    >>> import tokviz
    >>> print(tokenizers_code_if_possible(Example(tokviz.load("gpt2"), "text", "Hi!")).replace("\\n\\n", "\\n"))
    import tokenizers
    tokenizer = tokenizers.Tokenizer.from_file("tokenizer.json")
    tokenizer.encode_special_tokens = True  # as plain text
    text = 'Hi!'
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    <BLANKLINE>
    """
    tokenizer = example.tokenizer
    try:
        if not is_pretrained(tokenizer):  # those can be written
            tokenizers_file_bytes(tokenizer)
    except ValueError:
        return None
    lines = f'import tokenizers\n\ntokenizer = tokenizers.Tokenizer.from_file("{LIBRARY_FILE}")\n'
    if isinstance(tokenizer, HFTokenizer):
        lines += "tokenizer.no_truncation()\ntokenizer.no_padding()\n"
        if "dropout" in (tokenizer.reason or ""):
            lines += "tokenizer.model.dropout = None\n"
    if example.name == "ids":
        return f"{lines}{_assignment(example)}text = tokenizer.decode(ids, skip_special_tokens=False)\n"
    if not example.allow_special:
        lines += "tokenizer.encode_special_tokens = True  # as plain text\n"
    lines += _assignment(example)
    if example.name == "messages" and isinstance(tokenizer, Tokenizer):
        return lines + _chat_ids_lines(tokenizer, "tokenizer.encode({}, add_special_tokens=False).ids")
    return f"{lines}ids = tokenizer.encode(text, add_special_tokens=False).ids\n"


@recent(maxsize=4)
def tokenizers_file_bytes(tokenizer: AnyTokenizer) -> bytes:
    """Return the tokenizer.json that `tokenizers_code_if_possible` reads; ValueError if none can hold the tokenizer."""
    if isinstance(tokenizer, HFTokenizer):
        return tokenizer.data
    if not isinstance(tokenizer, Tokenizer):
        raise ValueError(f"a {LIBRARY_FILE} cannot hold {tokenizer.kind}")
    return tokenizer_file_text(tokenizer, ".json").encode()


def _chat_ids_lines(tokenizer: Tokenizer, encode: str) -> str:
    """Return the lines that make `ids` of messages in ChatML; `encode` is the call for a text, with {} for it."""
    special = chat_tokenizer(tokenizer).special_tokens
    start, end = special[START], special[END]
    turn, line_end, answer = (encode.format(text) for text in (r'f"{role}\n{text}"', r'"\n"', r'"assistant\n"'))
    return (
        f"ids = []\nfor role, text in messages:\n    ids += [{start}, *{turn}, {end}]\n    ids += {line_end}\n"
        f"ids += [{start}, *{answer}]\n"
    )


def _assignment(example: Example) -> str:
    """Return the line that gives the example's value its name."""
    if not example.is_long:
        rows = "".join(f"    {message!r},\n" for message in example.value) if example.name == "messages" else ""
        return f"{example.name} = [\n{rows}]\n" if rows else f"{example.name} = {example.value!r}\n"
    if isinstance(example.value, str):
        return 'text = open("text.txt", encoding="utf-8", newline="").read()\n'
    return f'import json\n\n{example.name} = json.load(open("{example.name}.json"))\n'


def tiktoken_loading_code(tokenizer: Tokenizer, file_name: str) -> str:
    """Return the lines that load a .tiktoken file and make `encoding`; ValueError where tiktoken cuts otherwise.

    tiktoken has no tokens that always match: a comment says which must be allowed.
    """
    check_library_cuts_alike_by_own_pattern(tokenizer, "tiktoken")
    allowed = ", ".join(map(repr, sorted(tokenizer.always_special)))
    always = f"# the same ids: encoding.encode(text, allowed_special={{{allowed}}}, disallowed_special=())\n"
    return (
        "import base64\nimport tiktoken\n\n"
        f'lines = open("{file_name}", "rb").read().splitlines()\n'
        "encoding = tiktoken.Encoding(\n"
        f"    {tokenizer.name!r},\n"
        f"    pat_str={single_pattern(tokenizer.split_pattern) or WHOLE!r},\n"
        "    mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)},\n"
        f"    special_tokens={tokenizer.special_tokens!r},\n"
        f")\n{always if allowed else ''}"
    )


def minbpe_loading_code(tokenizer: Tokenizer, file_name: str, *, version: str = VERSIONS[0]) -> str:
    """Return the lines that load a .model file in minbpe or in a class that a tutorial made after it.

    They end with `tokenizer`. Raises ValueError where minbpe cuts otherwise: it drops what the pattern does not match,
    and of a pattern with groups takes these alone.
    """
    check_library_cuts_alike_by_own_pattern(tokenizer, "minbpe")
    pattern = f'r"{WHOLE}"' if tokenizer.split_pattern == "none" else "tokenizer.pattern"
    return (
        f'import regex\n{_MINBPE[version]}tokenizer.load("{file_name}")\n'
        f"tokenizer.compiled_pattern = regex.compile({pattern})  # load() does not compile it\n"
    )


def check_runs_in_tiktoken(tokenizer: Tokenizer, special_tokens: Collection[str]) -> None:
    """Raise ValueError for a tokenizer to which tiktoken, given these special tokens, would give other ids."""
    check_ranks_say_all(tokenizer)
    check_library_cuts_alike_by_own_pattern(tokenizer, "tiktoken")
    if tokenizer.always_special:
        raise ValueError(f"its special token {min(tokenizer.always_special)!r} matches in every text")
    for shorter, longer in pairwise(sorted(special_tokens)):
        if longer.startswith(shorter):
            raise ValueError(f"where its special tokens {shorter!r} and {longer!r} match, tiktoken takes either")


def check_library_cuts_alike_by_own_pattern(tokenizer: Tokenizer, library: str) -> None:
    """Raise ValueError for a split pattern of the user's own by which a library cuts otherwise."""
    if tokenizer.split_pattern not in SPLIT_PATTERNS:
        what = f"the split pattern {short_repr(tokenizer.split_pattern)}"
        sandbox.call(_refuse_if_library_differs, tokenizer, library, seconds=CHECK_SECONDS, what=what)


def _refuse_if_library_differs(tokenizer: Tokenizer, library: str) -> None:
    pattern = single_pattern(tokenizer.split_pattern)
    refusal = f"{library} cuts otherwise by the split pattern {short_repr(pattern)}"
    try:
        if library == "tiktoken":
            check_portable_regex(pattern)
            ranks = tokenizer.mergeable_ranks
            encoding = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
            differs = first_differing_probe_if_any(tokenizer.encode, encoding.encode_ordinary)
        else:
            found = partial(compiled_pattern(pattern).findall, timeout=TIMEOUT_SECONDS)
            differs = first_differing_probe_if_any(tokenizer.pretokens, lambda text: list(filter(None, found(text))))
    except BaseException as e:  # tiktoken's regex engine panics on some patterns, which is not an Exception
        raise ValueError(f"{refusal}, or does not know it ({e})") from e
    if differs is not None:
        raise ValueError(
            f"{refusal}: it drops what nothing matches, and may read groups and classes differently; "
            f"{short_repr(differs, 40)}, for one, gives other tokens there"
        )
