"""What the playground shows, what it was made from, and its tokens as a table to download, CSV or JSON.

The table has a row for each token. `bytes` are in hex, and `text` is empty if they are not whole characters. Offsets
count bytes, characters and UTF-16 units; a token with part of a character has the offsets of the whole character.
"""

import json
from dataclasses import dataclass

import pandas as pd

from tokviz import AnyTokenizer, TokenSpans
from tokviz.core.spans import offset_columns
from tokviz.formats.python_code import Example
from tokviz.live.look import PLAIN, Look
from tokviz.text.glyphs import text_or_none


@dataclass(frozen=True)
class PlaygroundResult:
    """Tokens, and the input that they come from as an example for code.

    tokenizer: for a chat, the chosen one with the markers.
    """

    tokenizer: AnyTokenizer
    spans: TokenSpans
    example: Example
    look: Look = PLAIN


def token_table(tokenizer: AnyTokenizer, spans: TokenSpans) -> pd.DataFrame:
    """Return the tokens as a table with a row each, in the order of the text.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> token_table(gpt2, tokviz.token_spans(gpt2, gpt2.encode("a你")))[["id", "text", "bytes", "char_start"]]
          id text  bytes  char_start
    0     64    a     61           0
    1  19526       e4 bd           1
    2    254          a0           1
    """
    ids = spans.ids.tolist()
    names = {token_id: _text_if_utf8_and_hex(tokenizer, token_id) for token_id in set(ids)}
    special = set(tokenizer.special_tokens.values())
    return pd.DataFrame(
        {
            "id": spans.ids,
            "text": [names[token_id][0] for token_id in ids],
            "bytes": [names[token_id][1] for token_id in ids],
            **offset_columns(spans),
            "special": [token_id in special for token_id in ids],
        }
    )


def _text_if_utf8_and_hex(tokenizer: AnyTokenizer, token_id: int) -> tuple[str, str]:
    """Return the text of a token, empty if its bytes are not UTF-8, and its bytes in hexadecimal."""
    token = tokenizer.token_bytes(token_id)
    return text_or_none(token) or "", token.hex(" ")


def token_table_csv_bytes(tokenizer: AnyTokenizer, spans: TokenSpans) -> bytes:
    """Return the table as CSV, UTF-8 with a byte order mark, without which spreadsheets guess wrong."""
    table = token_table(tokenizer, spans)
    return table.to_csv(index_label="token", quoting=2, lineterminator="\r\n").encode("utf-8-sig")


def token_table_json_bytes(tokenizer: AnyTokenizer, spans: TokenSpans) -> bytes:
    """Return tokenizer, text, ids and the table as JSON."""
    rows = token_table(tokenizer, spans).to_dict("records")
    value = {"tokenizer": tokenizer.name, "text": spans.text, "ids": spans.ids.tolist(), "tokens": rows}
    return json.dumps(value, ensure_ascii=False).encode()
