"""HFTokenizer: any tokenizer.json, run by the `tokenizers` library in a child process with limits on time and memory.

Post-processor, truncation and padding are left out, since they add to a text or take from it, and so is dropout, which
is random. The library executes nothing in a file.
"""

import json
from collections.abc import Collection
from functools import partial
from typing import Any

from tokviz.core.bpe import check_tokens_within_limits
from tokviz.core.patterns import short_repr
from tokviz.core.pretokens import well_formed_text
from tokviz.core.spans import TokenSpans, spans_from_byte_offsets
from tokviz.formats.format import naming
from tokviz.formats.huggingface.library import (
    Library,
    alignments,
    decoded_text,
    encoded_ids,
    ids_and_character_places,
    library_facts,
)
from tokviz.formats.huggingface.placement import byte_places
from tokviz.formats.library_tokenizer import LibraryTokenizer


def parsed_json(data: bytes, name: str, what: str) -> Any:
    """Return the JSON in a file; `name` is the file's, `what` says what it should be.

    Raises ValueError for what is not JSON in UTF-8.

    >>> parsed_json(b"[1", "x.json", "a tekken.json")
    Traceback (most recent call last):
    ValueError: x.json, line 1: not JSON from character 3 of the file on; it is cut off or damaged, so fetch it again
    """
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as e:
        raise ValueError(f"{name}: not UTF-8 at byte {e.start:,}, so not {what}; fetch it again") from e
    except RecursionError as e:
        raise ValueError(f"{name}: JSON nested too deeply to be {what}") from e
    except json.JSONDecodeError as e:
        raise ValueError(
            f"{name}, line {e.lineno}: not JSON from character {e.pos + 1:,} of the file on; it is cut off or damaged, "
            f"so fetch it again"
        ) from e
    except ValueError as e:
        raise ValueError(f"{name}: a number too long to be an id or a score; the file is damaged") from e


def parsed_spec(data: bytes, name: str) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json; ValueError for anything else."""
    spec = parsed_json(data, name, "a tokenizer.json")
    if not isinstance(spec, dict) or not isinstance(spec.get("model"), dict):
        raise ValueError(
            f"{name}: JSON, but not a tokenizer.json: it has no model. (tokenizer_config.json and the like hold only a "
            "part; open the tokenizer.json beside them.)"
        )
    added = spec.get("added_tokens") or []
    if not isinstance(added, list) or not all(isinstance(token, dict) for token in added):
        raise ValueError(f"{name}: its added_tokens are not a list of tokens")
    for token in added:
        if not isinstance(token.get("content"), str) or not isinstance(token.get("id"), int):
            raise ValueError(f"{name}: expected an added token with its id and content, not {short_repr(token)}")
    with naming(name):
        check_tokens_within_limits([token["content"] for token in added])
    return spec


class HFTokenizer(LibraryTokenizer):
    """A tokenizer.json run by the `tokenizers` library.

    >>> model = {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"}
    >>> split = {"type": "WhitespaceSplit"}
    >>> spec = {"version": "1.0", "model": model, "pre_tokenizer": split, "added_tokens": []}
    >>> toy = HFTokenizer("toy", json.dumps(spec).encode())
    >>> toy.encode("a b"), toy.spans("a b").char_starts.tolist(), toy.unknown_id
    ([1, 0], [0, 2], 0)
    """

    file_name = "tokenizer.json"
    seconds = 10.0  # a million characters take about two

    @staticmethod
    def load(data: bytes) -> Library:
        """Return the library's tokenizers of a tokenizer.json."""
        return Library(parsed_spec(data, "a tokenizer.json"))

    facts = staticmethod(library_facts)
    # Added tokens that are not special always match, except inside a longer special token.
    encoded_ids = staticmethod(encoded_ids)
    decoded_text = staticmethod(decoded_text)

    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> TokenSpans:
        """Return the tokens of a text with their offsets in it; errors as in `encode`."""
        text = well_formed_text(text)
        ids, places = self.ask(ids_and_character_places, [text], self.allowed_names(allowed_special))
        bytes_of = {token_id: self.token_bytes(token_id) for token_id in set(ids)}
        tokens = [bytes_of[token_id] for token_id in ids]
        starts, ends = byte_places(text, tokens, places, partial(self.ask, alignments))
        return spans_from_byte_offsets(text.encode(), ids, starts, ends)
