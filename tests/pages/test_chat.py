"""The chat of the playground under an opened tokenizer: the templates of its files, and what a conversation costs."""

import json

import pytest
from opening import opened
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui.playground.chat_formats import chat_settings_of
from tokviz.formats.files import tokenizer_file_text
from tokviz.records.session_tokenizer import kept_from_file, unpack_kept

TEMPLATE = """\
{{- bos_token }}
{%- for message in messages %}
{{- "<turn>" + message.role + "\\n" + message.content | trim + "</turn>\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- "<turn>assistant\\n" }}
{%- endif %}"""
SHORT = "{{ messages[-1].content }}"
CONFIG = {
    "chat_template": [{"name": "default", "template": TEMPLATE}, {"name": "short", "template": SHORT}],
    "bos_token": {"content": "<s>"},
}


@pytest.fixture(scope="module")
def record():
    tokenizer = tokviz.train("to be or not to be", vocab_size=262, special_tokens=["<s>", "<turn>", "</turn>"])
    beside = {"tokenizer_config.json": json.dumps(CONFIG).encode()}
    return kept_from_file(tokenizer_file_text(tokenizer, ".json").encode(), "mine.json", beside=beside)


def page(record, **state) -> AppTest:
    return opened("app.py", kept={"mine": record}, tokenizer="mine", input="Chat", **state)


def prompt_of(app):
    return app.session_state["live"].views["chat"].prompt_and_spans()


@pytest.mark.slow
def test_its_own_template_is_its_usual_format_also_after_a_reload(record):
    app = page(unpack_kept(record.packed_record))
    assert not app.exception
    options = app.selectbox(key="chat_format").options
    assert options[:4] == ["Default format", "Its own template", "Its own template, short", "ChatML"]
    prompt, spans = prompt_of(app)
    assert prompt.text.startswith("<s><turn>system\nAnswer in one sentence.</turn>\n<turn>user\n")
    assert prompt.text.endswith("</turn>\n<turn>assistant\n")
    special = record.tokenizer.special_tokens
    assert spans.ids.tolist().count(special["<turn>"]) == 3 and spans.ids[0] == special["<s>"]
    said = [prompt.text[start:end] for start, end, _ in prompt.contents]
    assert said == ["Answer in one sentence.", "How many r's are in strawberry?"]


def test_another_template_of_its_is_chosen_by_name_and_an_answer_need_not_begin(record):
    app = page(record, chat_format="Its own template, short", chat_reply=False)
    assert prompt_of(app)[0].text == "How many r's are in strawberry?"


def test_a_conversation_is_compared_each_tokenizer_in_its_own_format(record):
    app = page(record, chat_compared=True, compared=["gpt2", "mine", "o200k_harmony", "gone"])
    assert not app.exception
    table = app.dataframe[0].value.set_index("tokenizer")
    assert list(table["format"]) == ["Its own template", "ChatML", "harmony"]
    _, spans = prompt_of(app)
    assert table.loc["mine"]["tokens"] == len(spans) and table.loc["GPT-2 · gpt2"]["1 system"] == "10 (5)"
    assert table.loc["gpt-oss · o200k_harmony"]["before all"] > 40 and table.loc["GPT-2 · gpt2"]["before all"] == 0


def test_a_tokenizer_whose_files_say_nothing_of_chats_has_none(record):
    tokenizer = tokviz.train("abab", vocab_size=257)
    other = kept_from_file(tokenizer_file_text(tokenizer, ".model").encode(), "other.model")
    assert other.origin.chat_settings is None and record.origin.chat_settings.tokens == {"bos_token": "<s>"}
    assert not chat_settings_of("gpt2").templates
