"""Well-known tokenizers that are not included: typing or picking one says why, and how to open it."""

from itertools import product

import pytest
from opening import opened, seen

from pages.ui.session_tokenizers.elsewhere import ELSEWHERE, HUB, not_included_family_in_name, not_included_text
from tokviz.formats.pretrained import ENCODINGS, MODELS

PAGES = ["app.py", "pages/vocabulary.py"]
QUICK = [("app.py", "Llama"), ("pages/vocabulary.py", "Claude")]


@pytest.mark.parametrize(
    ("page", "family"),
    [pytest.param(*each, marks=[pytest.mark.slow] * (each not in QUICK)) for each in product(PAGES, ELSEWHERE)],
)
def test_picking_one_says_where_it_is_and_changes_nothing(page, family):
    app = opened(page, tokenizer="gpt2")
    before = [text.value for text in app.text].count(not_included_text(family))  # where files are opened
    app.selectbox(key="_tokenizer").set_value(family).run()
    assert not app.exception and not app.error
    assert [text.value for text in app.text].count(not_included_text(family)) == before + 1
    assert app.session_state["tokenizer"] == "gpt2" and app.selectbox(key="_tokenizer").value == "gpt2"
    assert [text.value for text in app.run().text].count(not_included_text(family)) == before


@pytest.mark.parametrize(
    ("typed", "family"),
    [
        ("llama3", "Llama"),
        ("Meta-Llama-3.1-70B-Instruct", "Llama"),
        ("codellama", "Llama"),
        ("gemma 2 27b", "Gemma"),
        ("Qwen1.5-7B", "Qwen"),
        ("DeepSeek-R1-Distill-Qwen-7B", "DeepSeek"),
        ("Mixtral-8x7B", "Mistral"),
        ("claude-3-5-sonnet", "Claude"),
    ],
)
def test_it_goes_by_many_names(typed, family):
    assert not_included_family_in_name(typed) == family


def test_what_is_here_is_never_said_to_be_elsewhere():
    assert [name for name in (*ENCODINGS, *MODELS, "my tokenizer", "") if not_included_family_in_name(name)] == []


def test_the_place_where_files_are_opened_names_them_all():
    (words,) = [text.value for text in seen("pages/compare.py").text if text.value.startswith("Llama is not")]
    for family, it in ELSEWHERE.items():
        assert (f"{HUB}/{it.repository}, and open" in words) == bool(it.repository), family
