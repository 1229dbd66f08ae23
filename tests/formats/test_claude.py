"""Counts of Claude wherever they show, by a stand-in for the package that reconstructs them: it needs Python 3.12."""

import json
import sys
from importlib.util import find_spec

import pytest
import streamlit as st
from opening import opened, part, without_script

from pages.ui.languages.figures import parity_figures_showing_errors, picture_caption
from pages.ui.shared.claude_counts import chosen_claude_names, show_claude_picker
from tokviz import load
from tokviz.cli import main
from tokviz.formats.claude import (
    CLAUDE_VERSIONS,
    RECONSTRUCTED,
    claude_names,
    claude_token_counts,
    claude_token_counts_within_limits,
)
from tokviz.languages.table import parallel_sentences
from tokviz.system import sandbox

NEW, OLD = CLAUDE_VERSIONS
STAND_IN = """
def tokenize(text, version):
    if "!" in text:
        raise ValueError("no count")
    return ["⟨pad⟩"] * 7 + list(text) + ["⟨bow⟩"] * {"4.8": 0, "3.0": 1}[version]
"""


@pytest.fixture
def ctok(tmp_path, monkeypatch):
    """The package, with a token for each character, and one more under the older version."""
    (tmp_path / "ctok.py").write_text(STAND_IN, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sandbox, "inside", True)
    sys.modules.pop("ctok", None)
    yield
    sys.modules.pop("ctok", None)


def numbers_alone():
    from pages.ui.compare.numbers import Comparison, show_numbers
    from tokviz import load
    from tokviz.core.spans import text_spans

    show_numbers(Comparison("low low", {"gpt2": text_spans(load("gpt2"), "low low")}, "gpt2"))


def captions(app):
    return [caption.value for caption in app.caption]


def test_a_text_has_its_own_tokens_without_those_of_a_message(ctok):
    assert claude_names() == [NEW, OLD] and "ctok" not in sys.modules
    texts = ["", "a b", "a\ud83d", "⟨pad⟩"]
    assert claude_token_counts(NEW, texts) == [0, 3, 2, 5] and claude_token_counts(OLD, texts) == [0, 4, 3, 6]


def test_on_pages_a_text_may_be_refused_with_the_reason(ctok):
    assert claude_token_counts_within_limits(NEW, ("b", "c d")) == [1, 3]
    for text, words in (("a" * 300_001, "at most 300,000 characters, and these texts have 300,002"), ("!", "no count")):
        with pytest.raises(ValueError, match=words):
            claude_token_counts_within_limits(NEW, ("b", text))


def test_claude_has_counts_and_no_tokenizer(ctok):
    for name in (NEW, OLD, "Claude Sonnet", "claude"):
        with pytest.raises(ValueError, match=r"^Claude is not included: .*; pip install 'tokviz\[claude\]' brings"):
            load(name)


def test_numbers_have_a_row_of_the_count_that_is_chosen(ctok):
    app = part(numbers_alone, claude_counts=[OLD], price=2.0)
    assert not app.exception and not app.error and RECONSTRUCTED in captions(app)
    shown = app.dataframe[0].value.set_index("tokenizer")
    assert list(shown.index) == ["GPT-2 · gpt2", OLD] and shown["tokens"][OLD] == 8 and shown["cost"][OLD] == 16e-6
    assert shown["characters per token"][OLD] == 7 / 8 and shown["tokens per word"][OLD] == 4
    missing = shown.columns[shown.loc[OLD].isna()]
    assert {*missing} == {"distinct", "words in one token", "vocabulary used", "agreement"}
    app.button_group(key="claude_counts").set_value([NEW]).run()
    assert app.dataframe[0].value.set_index("tokenizer")["tokens"].to_dict() == {"GPT-2 · gpt2": 2, NEW: 7}


@pytest.mark.skipif(find_spec("ctok") is not None, reason="ctok is installed")
def test_without_the_package_there_is_no_choice(monkeypatch, capsys):
    monkeypatch.delattr(st, "pills")
    with without_script() as state:
        state["claude_counts"] = [NEW]
        show_claude_picker()
        assert chosen_claude_names() == []
    assert main(["count", "--tokenizer", NEW]) == 1 and "pip install 'tokviz[claude]'" in capsys.readouterr().err


def test_languages_show_what_each_pays_and_never_boundaries(ctok):
    app = opened("pages/languages.py", languages_view="Table", compared=["gpt2"], claude_counts=[NEW])
    assert not app.exception and not app.error and captions(app).count(RECONSTRUCTED) == 1
    shown = app.dataframe[0].value.set_index("code")
    n_thai, n_english = (sum(len(each[code]) for each in parallel_sentences()) for code in ("th", "en"))
    assert shown[NEW]["th"] == pytest.approx(n_thai / n_english) and shown[f"{NEW} 95%"]["th"]
    assert app.button_group(key="sentence_tokenizer").options == ["GPT-2"]
    assert picture_caption(parity_figures_showing_errors(["gpt2", NEW])).endswith(RECONSTRUCTED)
    assert f"By {NEW}" in app.selectbox(key="languages_order").options


def test_count_has_a_row_of_texts_and_none_of_chats(ctok, tmp_path, capsys):
    chat = {"messages": [{"role": "user", "content": "low"}]}
    lines = [{"text": "low low"}, {"prompt": "a", "completion": "bc"}, {"text": "!"}, chat]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert main(["count", str(tmp_path / "a.jsonl"), "-t", NEW, "-t", "gpt2", "--json"]) == 0
    out, err = capsys.readouterr()
    gpt2, found = json.loads(out)
    assert (gpt2["tokenizer"], gpt2["n_documents"]) == ("gpt2", 4)
    assert (found["tokenizer"], found["n_documents"], found["n_tokens"]) == (NEW, 2, 10)
    assert found["by_part"] == {"text": 7, "prompt": 1, "completion": 2}
    assert (found["n_uncounted"], found["format"]) == (2, "none")
    assert "line 3: not counted under Claude (counts): no count" in err and err.count(RECONSTRUCTED) == 1
    assert "line 4: not counted under Claude (counts): it counts texts, not chats" in err
