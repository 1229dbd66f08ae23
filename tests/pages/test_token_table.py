"""The table of tokens, as it is read back from its files."""

import io
import json

import pandas as pd

import tokviz
from pages.ui.playground.result import token_table_csv_bytes, token_table_json_bytes

TEXT = 'a, "b"\r\n=1+1\t你 น้ำ 👩‍🍳\x00<|endoftext|> '


def table_of(data: bytes) -> pd.DataFrame:
    # Python's own engine leaves line ends and NUL inside quotes as they are.
    return pd.read_csv(io.BytesIO(data), keep_default_na=False, engine="python", encoding="utf-8-sig")


def test_csv_and_json_hold_every_token():
    tokenizer = tokviz.load("gpt2")
    ids = tokenizer.encode(TEXT, allowed_special="all")
    spans = tokviz.token_spans(tokenizer, ids)
    table, value = (
        table_of(token_table_csv_bytes(tokenizer, spans)),
        json.loads(token_table_json_bytes(tokenizer, spans)),
    )
    assert table["id"].tolist() == value["ids"] == ids
    assert value["text"] == TEXT and value["tokenizer"] == "gpt2"
    assert b"".join(map(bytes.fromhex, table["bytes"])) == TEXT.encode()
    units = TEXT.encode("utf-16-le")
    for row in value["tokens"]:
        token = tokenizer.token_bytes(row["id"])
        assert TEXT.encode()[row["byte_start"] : row["byte_end"]] == token == bytes.fromhex(row["bytes"])
        shown = TEXT[row["char_start"] : row["char_end"]]
        assert shown == units[2 * row["utf16_start"] : 2 * row["utf16_end"]].decode("utf-16-le")
        assert row["text"] == (shown if shown.encode() == token else "")
        assert row["special"] == (row["id"] == 50256)
    assert any(not row["text"] for row in value["tokens"])


def test_no_tokens_make_an_empty_table():
    tokenizer = tokviz.load("gpt2")
    spans = tokviz.token_spans(tokenizer, [])
    assert len(table_of(token_table_csv_bytes(tokenizer, spans))) == 0
    assert json.loads(token_table_json_bytes(tokenizer, spans))["tokens"] == []
