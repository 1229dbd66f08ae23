"""Names in pickers and in the address: they lead to a tokenizer, or the page says why there is none."""

from itertools import product

import pytest
from opening import box, opened, seen, without_script

from pages.ui.session_tokenizers.tokenizer_list import _take_compared_or_explain, tokenizer_choice_label
from tokviz.formats.elsewhere import ELSEWHERE, HUB, reason_not_included_of_family
from tokviz.formats.pretrained import INCLUDED

PAGES = ["app.py", "pages/vocabulary.py", "pages/merges.py"]
QUICK = [("app.py", "Llama"), ("pages/merges.py", "Claude")]
NOT_INCLUDED = [family for family, it in ELSEWHERE.items() if not it.is_partly_included]


def told(app):
    return [text.value for text in app.text]


@pytest.mark.parametrize(
    ("page", "family"),
    [pytest.param(*each, marks=[pytest.mark.slow] * (each not in QUICK)) for each in product(PAGES, NOT_INCLUDED)],
)
def test_picking_one_that_is_not_included_says_why_and_changes_nothing(page, family):
    app = opened(page, tokenizer="gpt2", merges_tokenizer="gpt2")
    reason = f"{reason_not_included_of_family(family)}."
    box(app.selectbox, "Tokenizer").set_value(family).run()
    assert not app.exception and not app.error
    assert reason in told(app)
    assert app.session_state["tokenizer"] == "gpt2" and box(app.selectbox, "Tokenizer").value == "gpt2"
    assert reason not in told(app.run())


def test_the_pickers_of_several_take_models_and_say_what_is_not_included():
    app = opened("pages/compare.py", compared=["gpt2", "cl100k_base"])
    picker = app.multiselect(key="compared")
    picker.set_value([*picker.value, "openai/GPT-5 mini", "GPT-2", "Claude Sonnet"]).run()
    assert app.session_state["compared"] == ["gpt2", "cl100k_base", "o200k_base"] and not app.exception
    assert f"{reason_not_included_of_family('Claude')}." in "\n".join(told(app)).splitlines()


def test_a_comparison_says_each_reason_and_leaves_the_other_picker_alone():
    with without_script() as state:
        state.update(model="gpt-5", compared=["Claude", "GPT-4o", "gpt2", "Gemini 1"])
        _take_compared_or_explain()
        assert (state.model, state.compared) == ("gpt-5", ["o200k_base", "gpt2"])
        assert [reason.split()[0] for reason in state.told.splitlines()] == ["Claude", "Gemini"]


def test_every_picker_lists_the_same_in_the_same_order_with_those_chosen_last_first():
    app = opened("app.py")
    for name in ("qwen3", "mistral-v3", "gpt2"):
        box(app.selectbox, "Tokenizer").set_value(name).run()
    lists = [box(app.selectbox, "Tokenizer").options]
    for page in ("pages/merges.py", "pages/seams.py", "pages/compare.py"):
        app.switch_page(page).run()
        lists.append((app.multiselect(key="compared") if "compare" in page else box(app.selectbox, "Tok")).options)
    for listed in lists:
        own = [label for label in listed if label.startswith("Trained on ")]
        first = listed[len(own) :]
        assert first[: len(INCLUDED)] == lists[0][: len(INCLUDED)] and listed[-1] == lists[0][-1]
        assert first[:4] == ["GPT-2 · gpt2", "Mistral 7B v0.3", "Qwen 3", "Qwen 3.5"]
    assert lists[1][0] == "Trained on the rhyme"


@pytest.mark.parametrize(
    ("name", "tokenizer", "shown"),
    [
        ("qwen 3", "qwen3", "qwen3"),
        ("openai/gpt-5-mini", "o200k_base", "openai/gpt-5-mini"),
        ("gpt2", "gpt2", "gpt2"),
    ],
)
def test_an_address_names_the_tokenizer_by_any_name(name, tokenizer, shown):
    app = opened("app.py", query={"tokenizer": name})
    assert app.session_state["tokenizer"] == tokenizer and box(app.selectbox, "Tokenizer").value == shown
    assert app.session_state["compared"][-1] == tokenizer and not app.query_params


def test_an_address_that_names_none_that_is_included_says_why():
    for name, words in (
        ("Grok", reason_not_included_of_family("Grok")),
        ("gpt-5" * 9_000, "no tokenizer or model 'gpt-5gpt"),
    ):
        app = opened("app.py", query={"tokenizer": name})
        assert any(words in text and len(text) < 400 for text in told(app)) and not app.exception
        assert box(app.selectbox, "Tokenizer").value == "cl100k_base"


def test_merges_opens_on_the_tokenizer_that_its_address_names():
    app = opened("pages/merges.py", query={"tokenizer": "GPT-2"})
    assert box(app.selectbox, "Tokenizer").value == "gpt2" and app.session_state["step"] > 0
    assert not [name for name in app.session_state["kept"] if name.startswith("Trained on ")]


def test_labels_are_different_and_short_enough_for_a_narrow_picker():
    with without_script():
        labels = [tokenizer_choice_label(name) for name in INCLUDED]
    assert len({*labels}) == len(labels) and max(map(len, labels)) < 25


def test_the_place_where_files_are_opened_names_all_that_have_files():
    (words,) = [text for text in told(seen("pages/compare.py")) if text.startswith("Llama is not")]
    for family, it in ELSEWHERE.items():
        assert (f"{HUB}/{it.where} and open" in words) == bool(it.where), family
