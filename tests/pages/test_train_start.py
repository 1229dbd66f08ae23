"""The train page beginning with a tokenizer: what it asks, what it says of the gain, and what a link and a tab keep."""

import pytest
from opening import after_training, box, button, labels, opened, without_script

import tokviz
from pages.ui.train.progress import latest_merge_lines
from pages.ui.train.run import train_at_once
from pages.ui.train.settings import chosen_start_tokenizer, chosen_training_task, possible_start_names
from tokviz.core.samples import sample
from tokviz.formats.files import tokenizer_file_text
from tokviz.records.session_tokenizer import Kept, kept_from_file, kept_tokens, unpack_kept
from tokviz.training.held_out import split_held_out
from tokviz.training.plan import Plan

THAI = sample("thai")


def continued(text=THAI, start="cl100k_base", new_tokens=50, **state):
    return after_training(opened("pages/train.py", text, train_start=start, new_tokens=new_tokens, **state))


def low_lower_lowest() -> Kept:
    return train_at_once("low lower lowest " * 9, Plan(260, "cl100k"), "my tokenizer")


def record_of(app, name="my tokenizer"):
    return app.session_state["kept"][name]


@pytest.mark.slow
def test_a_tokenizer_learns_thai_and_the_gain_is_told():
    app = continued(hold_out=True)
    assert not app.exception
    start, learned = tokviz.load("cl100k_base"), record_of(app).tokenizer
    rest, held = split_held_out(THAI)
    assert learned == tokviz.train(rest, vocab_size=100_306, min_count=2, start=start)
    table = app.table[0].value
    texts = {"Training text": rest, "The tenth left out": held, "The English sample": sample("english")}
    for name, text in texts.items():
        before, after = len(start.encode(text)), len(learned.encode(text))
        assert list(table.loc[name][["tokens before", "after"]]) == [f"{before:,}", f"{after:,}"]
    assert table.loc["The English sample"]["change"] == "none"
    assert table.loc["The tenth left out"]["change"].startswith("−")
    assert "Learned 50 merges." in [each.value for each in app.header]
    assert "The embedding grows by 50 rows, from 100,277 to 100,327." in [each.value for each in app.caption]
    assert any(each.value.startswith("No text gets more tokens: ") for each in app.caption)
    assert list(app.dataframe[-1].value["id"]) == list(range(100_277, 100_327))


def test_the_form_asks_for_new_tokens_and_takes_the_split_pattern_of_the_tokenizer():
    app = opened("pages/train.py", THAI)
    assert {*labels(app, "number_input")} == {"Vocabulary size", "Stop when no pair occurs … times"}
    app = box(app.selectbox, "Begin with").select("o200k_base").run()
    assert {*labels(app, "number_input")} == {"New tokens", "Stop when no pair occurs … times"}
    assert "Split pattern" not in labels(app, "selectbox")
    assert "Split pattern: o200k, that of GPT-4o" in [each.value for each in app.text]
    assert not any("split pattern cuts" in each.value for each in app.caption)  # cl100k would cut marks off
    app = box(app.selectbox, "Begin with").select("cl100k_base").run()
    assert any("split pattern cuts" in each.value for each in app.caption) and "Use GPT-4o's" not in labels(app)


def test_byte_level_tokenizers_of_the_session_can_be_continued_and_no_others():
    trained = {"my tokenizer": low_lower_lowest()}
    ranks = kept_from_file(tokenizer_file_text(trained["my tokenizer"].tokenizer, ".model").encode(), "file.model")
    records = {"file": ranks, "words": kept_tokens("words", "words", ["a"])}
    text, before = "newest newer " * 9, trained["my tokenizer"].tokenizer
    app = opened("pages/train.py", text, kept=trained | records, train_start="file", new_tokens=3, train_name="more")
    begins = box(app.selectbox, "Begin with")
    assert begins.options[:3] == ["Nothing but bytes", "my tokenizer", "file"] and len(begins.options) == 6
    more = record_of(after_training(app), "more")
    assert more.tokenizer == tokviz.train(text, vocab_size=263, start=before)
    assert unpack_kept(more.packed_record) == more
    with without_script() as state:
        state.update(kept=trained, train_start="my tokenizer", new_tokens=3, train_name="more")
        plan = chosen_training_task([text], ()).plan
    assert (plan.start, plan.vocab_size, plan.split_pattern) == (before, 263, before.split_pattern)


def test_the_tokenizer_that_training_begins_with_stays():
    with without_script() as state, pytest.raises(ValueError, match="begins with my tokenizer, which stays"):
        state.update(kept={"my tokenizer": low_lower_lowest()}, train_start="my tokenizer")
        chosen_training_task(["low"], ())


@pytest.mark.slow
@pytest.mark.parametrize("start", ["gpt2", "cl100k_base"])
def test_files_that_are_sure_to_hold_it_are_offered_at_once_and_one_that_cannot_says_so_beside_its_button(start):
    app = button(continued("ที่ " * 9, start=start, new_tokens=2), "Download").click().run()
    assert labels(app, "download_button") == ["PNG", "SVG", ".json", ".tiktoken", ".vocab"]
    assert "Make .json" not in labels(app)
    assert button(app, ".model").disabled and not app.error and not app.exception
    refusal = "A .model file cannot hold this tokenizer: its byte ids are not 0 to 255 in order."
    assert refusal in [each.value for each in app.text]
    assert "Version of .model" not in labels(app, "selectbox")


@pytest.mark.slow
def test_a_text_that_teaches_nothing_new_is_told():
    app = continued("low", new_tokens=5)
    assert not app.exception and not app.table
    assert any("Nothing was learned" in each.value for each in app.info)


@pytest.mark.slow
def test_special_tokens_of_the_start_stay_and_files_are_offered_that_can_hold_it():
    app = continued("ที่ " * 9, start="gpt2", new_tokens=2, special="<pad>")
    learned = record_of(app).tokenizer
    assert learned.special_tokens == {"<|endoftext|>": 50_256, "<pad>": 50_259}
    assert not app.exception
    app = button(app, "Download").click().run()
    assert labels(app, "download_button") == ["PNG", "SVG", ".tiktoken", ".vocab"]
    button(app, "Make .json").click().run()
    app = button(app, "Download").click().run()
    assert labels(app, "download_button") == ["PNG", "SVG", ".json", ".tiktoken", ".vocab"]
    assert "Make .json" not in labels(app)
    refusal = "A .model file cannot hold this tokenizer: its byte ids are not 0 to 255 in order."
    assert refusal in [each.value for each in app.text] and button(app, ".model").disabled and not app.error


def test_merges_go_by_with_the_tokens_of_the_start():
    start = low_lower_lowest().tokenizer
    steps = [*tokviz.train_steps("lowlowlow\nlowlowlow\n", vocab_size=262, start=start)]
    lines = latest_merge_lines(steps, start)
    assert lines[-1].startswith("1  low + low → lowlow ") and len(lines) == len(steps) == 2
    assert " → lowlowlow " in lines[0]


def test_a_tokenizer_that_is_gone_is_not_begun_with():
    app = opened("pages/train.py", "low", train_start="gone")
    begins = box(app.selectbox, "Begin with")
    assert not app.exception and begins.value == ""
    with without_script() as state:
        for name in ("", "gpt2", "gone"):
            state.train_start = name
            assert (chosen_start_tokenizer() and chosen_start_tokenizer().name) == (name if name == "gpt2" else None)
        assert "gone" not in possible_start_names()
