"""tokenizer.json: read as a `Tokenizer` if the `tokenizers` library gives the same tokens, and written so that it does.

The library has another regex engine, so named split patterns are written in a form that cuts the same there, and a
pattern of the user's own is tried on probe texts. Special tokens are in the vocabulary too, or would be renumbered.
"""

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any

from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.trace import trace
from tokviz.formats.equivalence import first_differing_probe_if_any, probe_texts
from tokviz.formats.format import Format, Source, is_json
from tokviz.formats.huggingface.bpe_spec import (
    add_special_tokens_and_return_entries,
    byte_fallback_spec,
    byte_level_spec,
)
from tokviz.formats.huggingface.byte_alphabet import alphabet_text
from tokviz.formats.huggingface.byte_fallback import byte_fallback_tokenizer, falls_back_to_bytes
from tokviz.formats.huggingface.byte_level import byte_level_tokenizer
from tokviz.formats.huggingface.library import (
    Library,
    check_vocabulary_within_limits,
    encoded_ids,
    unmade_tokens,
)
from tokviz.formats.huggingface.regex_dialects import oniguruma_parts
from tokviz.formats.huggingface.tokenizer import HFTokenizer, parsed_spec
from tokviz.formats.huggingface.tokenizer_config import config_added_tokens, parsed_config
from tokviz.formats.wrong_files import library_refusal_error
from tokviz.system import sandbox

PROBE_SECONDS = 10.0  # for all probe texts; they take half a second
CHECK_SECONDS = 30.0  # for a file that is written, which is also loaded; o200k_base takes two seconds
SPECIAL_TRIED = 100  # of each kind, where a file is read; one that is written is tried with all
_MODEL = re.compile(rb'"model"\s*+:\s*+\{')  # in a tokenizer.json, and in no other JSON beside one
Allowed = str | tuple[str, ...]


def read_tokenizer_json(source: Source) -> AnyTokenizer:
    """Return a Tokenizer if it gives what the library gives, else the library's, with the reason.

    Tokens that only the tokenizer_config.json beside it names are added, as transformers does.
    """
    data = source.data
    spec = parsed_spec(data, source.file_name)
    added = spec.get("added_tokens") or []
    known = {token["content"] for token in added}
    if more := [token for token in config_added_tokens(parsed_config(source.beside)) if token["content"] not in known]:
        spec["added_tokens"] = [*added, *more]
        data = json.dumps(spec).encode()
    library = cache(partial(Library, spec))
    try:
        return _checked_bpe_tokenizer(source.name, spec, library)
    except ValueError as e:
        reason = str(e)
    except (MemoryError, OSError, ImportError):
        raise
    except BaseException as e:  # a Rust panic is one, and the library reads forms of JSON that we do not
        reason = f"its JSON has an unusual form ({type(e).__name__}: {e})"
    try:
        loaded = library()
    except MemoryError:
        raise
    except BaseException as e:
        raise library_refusal_error(e, source.file_name) from e
    return HFTokenizer(source.name, data, reason=reason, loaded=loaded)


def _checked_bpe_tokenizer(name: str, spec: Mapping[str, Any], library: Callable[[], Library]) -> Tokenizer:
    """Return the BPE of a tokenizer.json; ValueError if `Tokenizer` cannot express it, or the library does otherwise.

    library: loads the library's, once.
    """
    if falls_back_to_bytes(spec):
        joined = byte_fallback_tokenizer(name, spec)
    else:
        joined = byte_level_tokenizer(name, spec, lambda tokens: unmade_tokens(library(), tokens))
    check_vocabulary_within_limits(spec["model"]["vocab"] | joined.special_tokens)
    differs = _first_probe_of_other_ids_if_any(joined, library())
    if differs is not None:
        raise ValueError(f"its tokens differ from those of its merges on {differs[:40]!r}")
    return joined


def _first_probe_of_other_ids_if_any(
    tokenizer: Tokenizer, library: Library, n_special: int | None = SPECIAL_TRIED
) -> str | None:
    """Return the first probe text of other ids in the library, with special tokens allowed or not; None without one.

    n_special: how many special tokens of each kind are tried, None for all. Raises ValueError if that takes too long.
    """
    deadline = time.process_time() + PROBE_SECONDS
    special, always = tokenizer.special_tokens, tokenizer.always_special
    not_always = {token: i for token, i in special.items() if token not in always}
    names = library.added_tokens_by_id
    if not_always != library.special_ids or any(names.get(special[token]) != token for token in always):
        raise ValueError("its special tokens have other ids in the library than in the file")

    def ours(allowed: Allowed, text: str) -> list[int]:
        if time.process_time() > deadline:
            raise ValueError(f"trying it on some texts did not end within {PROBE_SECONDS:.0f} seconds")
        history = trace(tokenizer, text, allowed_special=allowed)  # to make an engine would take a second
        return history.ids_at(len(tokenizer.merge_tokens))

    def theirs(allowed: Allowed, text: str) -> list[int]:
        return encoded_ids(library, [text], frozenset(not_always if allowed else ()))[0]

    some = sorted(always)[:n_special]
    having = [text for text in probe_texts() if any(token in text for token in not_always)]  # the others are as before
    rounds: tuple[tuple[Allowed, Iterable[str], Iterable[str]], ...] = (
        ((), some, probe_texts()),
        ("all", [*some, *list(not_always)[:n_special]], having),
    )
    found = (
        first_differing_probe_if_any(partial(ours, allowed), partial(theirs, allowed), tried, probes=probes)
        for allowed, tried, probes in rounds
    )
    return next((text for text in found if text is not None), None)


def tokenizer_json(tokenizer: Tokenizer) -> str:
    """Return a tokenizer.json with the ids of this tokenizer, special tokens included.

    Raises ValueError for a split pattern by which the library cuts differently, for a special token with the same name
    as a token of the vocabulary, and for a space that no such file puts before a text.
    """
    spec = byte_fallback_spec(tokenizer) if tokenizer.starts_with_characters else _byte_level_spec(tokenizer)
    text = json.dumps(spec, ensure_ascii=False)
    sandbox.call(
        _check_same_ids, tokenizer, text, seconds=CHECK_SECONDS, what="trying the file in the tokenizers library"
    )
    return text


def _byte_level_spec(tokenizer: Tokenizer) -> dict[str, Any]:
    pattern = tokenizer.split_pattern
    try:
        parts = oniguruma_parts(pattern)
    except ValueError as e:
        raise ValueError(f"a tokenizer.json cannot hold the split pattern {short_repr(pattern)}: {e}") from e
    vocab = {
        alphabet_text(token): i for token, i in sorted(tokenizer.mergeable_ranks.items(), key=lambda item: item[1])
    }
    name_of = {token_id: token for token, token_id in vocab.items()}
    added = add_special_tokens_and_return_entries(vocab, tokenizer)
    return byte_level_spec(
        vocab,
        ((name_of[left], name_of[right]) for left, right in tokenizer.merges),
        parts,
        added,
        ignores_merges=tokenizer.takes_whole and bool(tokenizer.unmerged),
        normalizer=tokenizer.normalizer,
    )


def _check_same_ids(tokenizer: Tokenizer, text: str) -> None:
    """Raise ValueError if the library gives other ids for a probe text."""
    differs = _first_probe_of_other_ids_if_any(tokenizer, Library(json.loads(text)), n_special=None)
    if differs is not None:
        raise ValueError(
            f"a tokenizer.json cannot hold the split pattern {short_repr(tokenizer.split_pattern)}: the regex "
            f"engine of the tokenizers library cuts {short_repr(differs, 40)} differently"
        )


TOKENIZER_JSON = Format(
    "tokenizer.json",
    is_json,
    read_tokenizer_json,
    tokenizer_json,
    suffix=".json",
    purpose="tokenizer.json, for the tokenizers library of Hugging Face and all that use it",
    words="a tokenizer.json",
    names=("tokenizer.json",),
    mark=_MODEL,
)
