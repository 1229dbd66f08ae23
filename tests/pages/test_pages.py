"""Every page opens by its own address, and shows no exception on odd texts."""

import re
from contextlib import nullcontext

import pytest
from opening import after_training, button, data_sent, linked, opened, seen, text_of, without_script
from streamlit.testing.v1 import AppTest
from trainings import made, trained_of

import tokviz
from pages.ui.holding import restore_values
from pages.ui.options import OPTIONS, option_default, option_value
from pages.ui.pages import PAGES
from pages.ui.playground.chat_formats import MINE, chat_format
from pages.ui.playground.chat_rows import ChatMessages, chat_rows
from pages.ui.shared.live import document
from pages.ui.train.settings import chosen_training_task
from tokviz.chats.formats import checked_prompt
from tokviz.core.samples import sample
from tokviz.families.teaching import list_tokenizer
from tokviz.formats.pretrained import full_name
from tokviz.text.metrics import Throughput
from tokviz.vocabulary.replacement import replacement_report

SCRIPTS = [page.script for page in PAGES.values()]
ODD = {
    "empty": "",
    "spaces": "   ",
    "line ends": "\r\n\n\t",
    "joined emoji": "👩‍👩‍👧‍👦🇹🇭",
    "thai": "น้ำเปล่า ที่นี่",
    "tamil": "வணக்கம்",
    "chinese": "你好，世界",
    "right to left": "שלום مرحبا \u202eabc",
    "lone surrogate": "a\ud83d b",
    "byte order mark": "\ufeffa",
    "nul": "a\x00b",
    "html": "<script>alert(1)</script> ![x](http://example.org/x.png) <|endoftext|>",
    "one letter": "a" * 100_000,
}

GPT2, GPT4 = map(full_name, ("gpt2", "cl100k_base"))


@pytest.mark.parametrize("page", SCRIPTS)
def test_page_opens_as_the_first_request(page):
    app = seen(page)
    assert not app.exception
    assert len(app.title) == 1


@pytest.mark.parametrize("page", SCRIPTS)
def test_no_two_examples_of_a_page_have_the_same_name(page):
    labels = [button.label for button in seen(page).button if (button.key or "").startswith(("_example_", "_sample_"))]
    assert len({label.casefold() for label in labels}) == len(labels)


@pytest.mark.parametrize("page", SCRIPTS)
def test_page_shows_odd_texts_at_once_and_keeps_them_also_where_the_chosen_tokenizer_is_gone(page):
    text = "\n".join(ODD.values())
    app = opened(page, text, tokenizer="too large for the tab", compared=["gone", "gpt2"])
    assert not app.exception
    assert not app.error
    assert text_of(app) == text


def test_the_menu_that_a_dialog_is_opened_from_closes():
    app = opened("app.py", "a text")
    before = popover_ids(app)
    button(app, "Show as code").click().run()
    assert not app.exception
    # To a browser another id is another popover, which is closed.
    assert {label for label, name in popover_ids(app).items() if before[label] != name} == {"More"}


def popover_ids(app: AppTest) -> dict[str, str]:
    return {one.proto.popover.label: one.proto.id for one in app.get("popover")}


@pytest.mark.slow
@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("page", SCRIPTS)
def test_odd_texts_show_no_exception_and_are_kept(page, text):
    app = opened(page, text)
    assert not app.exception
    assert not app.error
    assert text_of(app) == text


def trained(app: AppTest) -> tokviz.Tokenizer:
    (only,) = app.session_state["kept"].values()
    return only.tokenizer


def test_training_puts_a_tokenizer_on_the_shelf_of_every_page(processes):
    app = opened("pages/train.py", sample("english"), vocab_size=300, special="<s>=1101 </s>=1105")
    app = after_training(app)
    assert not app.exception and not app.error
    tokenizer = trained(app)
    assert tokenizer.special_tokens == {"<s>": 1_101, "</s>": 1_105}
    assert tokenizer.merges == tokviz.train(sample("english"), vocab_size=300, min_count=2).merges
    merges = app.dataframe[0].value
    assert merges["merge"].tolist() == list(range(1, 45))
    assert merges["count"][0] == next(tokviz.train_steps(sample("english"), vocab_size=300)).count
    app.switch_page("pages/merges.py").run()
    assert not app.exception
    assert machine(app)["history"]["tokenizer"]["name"] == tokenizer.name
    app.switch_page("pages/compare.py").run()
    assert tokenizer.name in app.multiselect[0].options


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"pattern": "your own", "own_pattern": "(a"}, "not a regular expression"),
        ({"special": "<s> <s>"}, "given twice"),
        ({"special": "<s>=1101 </s>"}, "'</s>' has no id, but others do: give all of them an id, or none"),
        ({"special": "<s>=300"}, "the id 300 of the special token '<s>' lies inside the vocabulary, which ends at 511"),
        ({"special": "<s>=1101 </s>=1101"}, "given twice"),
        ({"special": "<s>=1101 <s>=1102"}, "given twice"),
        ({"special": "<s>=9999999999"}, "is over"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_the_training(settings, words):
    with without_script() as state, pytest.raises(ValueError, match=re.escape(words)):
        state.update(settings)
        chosen_training_task(["low lower"], ())


def test_what_is_refused_is_told_on_the_page():
    app = after_training(opened("pages/train.py", "some text", pattern="your own", own_pattern="(a"))
    assert not app.exception and "not a regular expression" in app.code[0].value
    app.session_state["pattern"], app.session_state["special"] = "gpt2", "<s> <s>"
    app = after_training(app)
    assert not app.exception and "given twice" in app.code[0].value
    assert not app.session_state["kept"]


@pytest.mark.slow
def test_a_pattern_that_does_not_end_is_refused_in_words():
    app = opened("pages/train.py", "a" * 60 + "b", pattern="your own", own_pattern="(a|aa)+$")
    app = after_training(app)
    assert not app.exception
    assert "did not end" in app.code[0].value


def machine(app: AppTest) -> dict:
    """Return what the time machine on a page was sent, and what its browser is then told."""
    data = next(data for data in data_sent(app) if data.get("view") == "machine")
    view = app.session_state["live"].views["machine"]
    history = view.reply(whole=True)
    question = {
        "revision": history["revision"],
        "k": data["step"],
        "pretoken": None,
        "stays": [data["step_version"], data["step"]],
    }
    return {**data, "history": history, "answer": view.answer(question)}


def test_the_merges_page_names_the_merge_that_comes_next():
    app = opened("pages/merges.py", "the other", merges_tokenizer="gpt2", step=2)
    assert not app.exception
    data = machine(app)
    answer = data["answer"]
    assert data["history"]["tokenizer"]["n_merges"] == 50_000
    assert (answer["k"], answer["just"]["rank"], answer["next"]["rank"]) == (2, 1, 2)
    chosen, *rest = answer["table"]["rows"]
    assert bytes.fromhex(answer["next"]["made"][0]) == bytes.fromhex(chosen["left"][0] + chosen["right"][0]) == b"he"
    assert (chosen["count"], chosen["rank"], chosen["chosen"]) == (2, 2, True)
    assert not any(row["chosen"] for row in rest) and answer["table"]["source"] == "elsewhere"


def test_a_replay_trains_and_counts_over_its_training_text():
    app = opened("pages/merges.py", "some other text")
    button(app, "English").click().run()
    assert not app.exception
    assert trained(app) == tokviz.train(sample("english"), vocab_size=556, min_count=2)
    assert text_of(app) == sample("english")
    assert app.session_state["merges_tokenizer"] == "Trained on English"
    # Neither the tokenizer of all pages nor those compared change, but it is in their lists.
    app.switch_page("pages/compare.py").run()
    assert app.session_state["compared"] == option_default("compared")
    assert "Trained on English" in app.multiselect[0].options
    app.switch_page("pages/merges.py").run()
    assert app.session_state["merges_tokenizer"] == "Trained on English"
    data = machine(app)
    first = next(tokviz.train_steps(sample("english"), vocab_size=556))
    top = data["answer"]["table"]["rows"][0]
    assert data["step"] == data["answer"]["k"] == 0
    assert data["answer"]["table"]["source"] == "corpus"
    assert (top["left"][1], top["right"][1], top["count"], top["chosen"]) == (*first.pair, first.count, True)


def test_the_merges_page_has_its_own_tokenizer_or_the_one_that_all_pages_share():
    app = opened("pages/merges.py", "low", tokenizer="gpt2")
    assert app.selectbox[0].value == machine(app)["history"]["tokenizer"]["name"] == "gpt2"
    app.selectbox[0].set_value("o200k_base").run()
    assert machine(app)["history"]["tokenizer"]["name"] == app.session_state["merges_tokenizer"] == "o200k_base"
    app.selectbox[0].set_value("gpt2").run()
    assert not app.session_state["merges_tokenizer"] and machine(app)["history"]["tokenizer"]["name"] == "gpt2"
    app.selectbox[0].set_value("o200k_base").run()
    app = button(app, "Use it in the playground").click().run()
    assert (app.session_state["tokenizer"], app.session_state["merges_tokenizer"]) == ("o200k_base", "")
    assert app.selectbox[0].value == machine(app)["history"]["tokenizer"]["name"] == "o200k_base"


def test_a_text_beyond_the_limit_is_shown_by_its_beginning_and_a_step_beyond_it_is_the_last():
    app = opened("pages/merges.py", "ab " * 40_000, merges_tokenizer="gpt2", step=10**30)
    assert not app.exception and machine(app)["answer"]["k"] == 50_000
    assert "first 100,000" in machine(app)["history"]["notice"]
    assert machine(app)["history"]["text"] == ("ab " * 40_000)[:100_000]


def test_a_step_below_the_first_is_the_first():
    app = opened("pages/merges.py", "the", merges_tokenizer="gpt2", step=-5)
    assert not app.exception and machine(app)["answer"]["k"] == 0


def test_the_step_at_which_the_browser_stays_is_kept_until_another_one_is_given():
    app = opened("pages/merges.py", "the ferry", tokenizer="gpt2")
    data = machine(app)
    view = app.session_state["live"].views["machine"]
    view.stays = (data["step_version"], 41)
    app.switch_page("pages/train.py").run()
    assert next(sent for sent in data_sent(app) if "value" in sent)["value"]["values"]["step"] == 41
    app.switch_page("pages/merges.py").run()
    assert machine(app)["step"] == 41
    view.stays = (data["step_version"], 43)
    button(app, "Thai").click().run()
    assert machine(app)["step"] == 0
    assert not app.exception


def test_compare_shows_the_figures_of_each_tokenizer():
    app = opened("pages/compare.py", "3221+2334=5555", compared=["gpt2", "cl100k_base"], reference="cl100k_base")
    figures = app.dataframe[0].value.set_index("tokenizer")
    assert figures["tokens"].to_dict() == {GPT2: 8, GPT4: 8}
    assert figures["agreement"][GPT4] == 1.0 > figures["agreement"][GPT2]
    assert "MB/s" not in figures and "cost" not in figures
    app.number_input[0].set_value(2.5).run()
    button(app, "Measure speed").click().run()
    assert not app.exception
    figures = app.dataframe[0].value.set_index("tokenizer")
    assert figures["cost"].to_dict() == dict.fromkeys((GPT2, GPT4), 8 * 2.5 / 1000000.0)
    assert (figures["MB/s"] > 0).all()
    assert "unknown" not in figures and not any("*Unknown text*" in caption.value for caption in app.caption)


def test_what_changes_is_shown_for_two_tokenizers_from_the_reference_to_the_other(monkeypatch):
    made_reports = []

    def report(*arguments, names):
        made_reports.append(names)
        return replacement_report(*arguments, names=names)

    monkeypatch.setattr("pages.ui.compare.numbers.replacement_report", report)
    app = opened("pages/compare.py", "low 1998", compared=["gpt2", "r50k_base"], reference="r50k_base")
    button(app, "What changes").click().run()
    assert not app.exception
    assert any("From r50k_base to gpt2" in each.body and "Nothing changes" in each.body for each in app.get("html"))
    button(app, "What changes").click().run()
    assert made_reports == [("r50k_base", "gpt2")]
    app = opened("pages/compare.py", "low", compared=["gpt2", "cl100k_base", "o200k_base"])
    assert "What changes" not in [each.label for each in app.button]


def test_a_tokenizer_that_does_not_end_in_time_is_told_and_the_speed_of_others_is_measured(monkeypatch):
    def throughput(encode, text):
        if encode.__self__.name == "gpt2":
            raise ValueError("gpt2 on 50,000 characters did not end within 10 seconds")
        return Throughput(1e6, 5, 1, 4)

    app = opened("pages/compare.py", "low", compared=["gpt2", "cl100k_base"])
    monkeypatch.setattr("pages.ui.compare.numbers.throughput", throughput)
    button(app, "Measure speed").click().run()
    assert not app.exception and [error.value for error in app.error] == ["Some speeds could not be measured"]
    assert any("gpt2 on 50,000 characters did not end" in code.value for code in app.code)
    speeds = app.dataframe[0].value.set_index("tokenizer")["MB/s"]
    assert speeds[GPT4] == 1.0 and speeds.isna()[GPT2]
    assert any("looks up the pretokens" in caption.value for caption in app.caption)


def test_without_a_text_there_are_no_figures_but_zeroes():
    app = opened("pages/compare.py", "", compared=["gpt2", "cl100k_base"])
    assert not app.exception and app.dataframe[0].proto.placeholder == "–"
    figures = app.dataframe[0].value.set_index("tokenizer")
    assert {name for name in figures if figures[name].notna().any()} == {"tokens", "distinct", "vocabulary used"}
    assert not figures[["tokens", "distinct", "vocabulary used"]].any(axis=None)


def test_tokenizers_compared_are_told_once_and_figures_that_there_are_none_of_are_missing_numbers():
    app = opened("pages/compare.py", "สวัสดีครับ", compared=["gpt2", "gpt2", "no", "cl100k_base"] * 3)
    assert not app.exception and app.multiselect[0].value == ["gpt2", "cl100k_base"]
    figures = app.dataframe[0].value
    assert figures["tokens per word"].isna().all() and figures["tokens per word"].dtype == float
    assert figures["words in one token"].isna().all()


def test_unknown_text_has_a_column_where_a_tokenizer_has_some():
    words = made(list_tokenizer("words", "one two"))
    app = opened("pages/compare.py", "one สอง", kept={"words": words}, compared=["words", "gpt2"])
    assert not app.exception
    assert app.dataframe[0].value.set_index("tokenizer")["unknown"].to_dict() == {"words": 0.5, GPT2: 0}
    assert any("*Unknown text*" in caption.value for caption in app.caption)
    assert any("than “words” here" in text.value for text in app.text)


def test_a_pattern_that_does_not_end_leaves_the_other_columns(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.2)
    tokenizer = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    app = opened(
        "pages/compare.py", "a" * 60 + "b", compared=["hostile", "gpt2", "cl100k_base"],
        kept={"hostile": trained_of(tokenizer, (), 1)},
    )  # fmt: skip
    assert not app.exception
    assert list(app.dataframe[0].value["tokenizer"]) == [GPT2, GPT4]
    columns = app.session_state["live"].views["compare"].reply(whole=True)["columns"]
    assert "did not end" in columns[0]["problem"] and not columns[1]["problem"]


def test_kept_values_are_made_to_fit_their_widgets():
    fitting = {  # for each what is kept, and what it becomes
        "vocab_size": (10**9, 100_000),
        "min_count": (0, 1),
        "pattern": ("none such", "cl100k"),
        "special": ("\ud83d", "\ufffd"),
        "train_name": ("n" * 99, "n" * 40),
    }
    app = opened("pages/train.py", "some text", **{key: kept for key, (kept, _) in fitting.items()})
    assert not app.exception
    assert {key: app.session_state[key] for key in fitting} == {key: fits for key, (_, fits) in fitting.items()}


def test_a_price_that_a_browser_gives_back_as_a_whole_number_is_kept():
    with without_script():
        restore_values({"price": 2, "vocab_size": 2.5}, OPTIONS)
        assert type(option_value("price")) is float and option_value("vocab_size") == 512


def test_a_switch_that_is_set_and_disabled_at_once_keeps_what_was_set():
    app = opened("app.py", "some text", _more="Special tokens")
    app.toggle(key="allow_special").set_value(True)
    app.segmented_control(key="input").set_value("Chat").run()
    assert app.toggle(key="allow_special").disabled
    app.segmented_control(key="input").set_value("Text").run()
    assert app.toggle(key="allow_special").value


def test_a_link_sets_what_it_shows_and_nothing_else():
    app = linked(tokenizer="gpt2", train_on="Files", unknown=1, input=3, text="linked")
    assert not app.exception
    assert app.session_state["tokenizer"] == "gpt2" and text_of(app) == "linked"
    assert "train_on" not in app.session_state


@pytest.mark.parametrize(
    "rows",
    [
        [["user", "a"]] * 2,
        [["nobody", "x"]],
        [3],
        "no",
        [["a" * 12, "user"]] * 2,
        [["a" * 12, "nobody"]],
        [["../x", "user"]],
        [["user"] * 3],
    ],
)
def test_rows_of_a_link_are_taken_where_they_are_rows(rows):
    with without_script():
        ChatMessages().restore_if_valid(rows)
        assert all(row.role == "user" and len(row.key) == 12 for row in chat_rows())


def test_a_link_sets_channel_function_and_format_of_a_chat_but_none_that_there_is_not():
    rows = [["user", "a"], ["assistant", "{}", "commentary", "functions.f"], ["assistant", "b", "nonsense", "f"],
            ["nobody", "x"], 3]  # fmt: skip
    options = {"input": "Chat", "tokenizer": "o200k_harmony", "chat_format": "nonsense", "chat_effort": "high"}
    app = linked(**options, rows=rows, functions='[{"name": "f"}]', template="{{ 7 }}")
    assert not app.exception
    found = [(row.role, row.channel, row.recipient) for row in app.session_state["rows"]]
    assert found == [("user", "final", ""), ("assistant", "commentary", "functions.f"), ("assistant", "final", "")]
    assert app.selectbox(key="chat_format").value == "" and app.session_state["chat_effort"] == "high"
    view = app.session_state["live"].views["chat"]
    prompt, _ = view.prompt_and_spans()
    assert "Reasoning: high" in prompt.text and "type f = () => any;" in prompt.text


FAILING = ["{{ 1 // 0 }}", "{% for %}", "{{ raise_exception('no') }}"]
SOUND = ["{{ '\ud800' }}", ""]


@pytest.mark.parametrize(
    "template", [FAILING[0], *(pytest.param(each, marks=pytest.mark.slow) for each in [*FAILING[1:], *SOUND])]
)
def test_a_chat_whose_template_fails_says_so_and_nothing_breaks(template):
    app = linked(input="Chat", chat_format=MINE, chat_compared=True, template=template)
    assert not app.exception
    problem = app.session_state["live"].views["chat"].reply(whole=True)["notice"]
    assert (problem is None) == (template in SOUND)


def test_a_template_that_fails_is_refused_in_words():
    with without_script():
        messages = [row.message for row in chat_rows()]
        for template in (*FAILING, *SOUND):
            document("template").set_text(template)
            made = chat_format(MINE, tokviz.load("gpt2"))
            with nullcontext() if template in SOUND else pytest.raises(ValueError):
                checked_prompt(made, messages, reply=True)


@pytest.mark.slow
def test_a_link_with_a_regex_that_never_ends_shows_its_text_all_the_same():
    tokenizer = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    app = linked(tokenizer="hostile", text="a" * 60 + "b", tokenizers=[trained_of(tokenizer, (), 1).packed_record])
    assert not app.exception
    assert app.selectbox[0].value == "hostile"
    view = app.session_state["live"].views["playground"]
    assert "did not end" in view.reply(whole=True)["notice"] and text_of(app) == "a" * 60 + "b"


def test_options_outlive_a_change_of_page_where_an_empty_choice_stays_empty():
    app = opened("pages/compare.py", "some text")
    app.multiselect[0].set_value([]).run()
    app.switch_page("pages/train.py").run()
    app.number_input[0].set_value(300).run()
    app.switch_page("pages/languages.py").run()
    assert app.multiselect[0].value == []
    app.switch_page("pages/train.py").run()
    assert app.number_input[0].value == 300 and not app.exception


def test_a_press_that_no_run_has_come_to_is_told_to_the_next():
    def script():
        import streamlit as st

        from pages.ui.shared.buttons import show_button

        if st.checkbox("cut short"):
            st.stop()
        st.text(str(show_button("Press")))

    app = AppTest.from_function(script).run()
    app.checkbox[0].set_value(True)
    app.button[0].click().run()
    app.checkbox[0].set_value(False).run()
    assert app.text[0].value == "True"
    assert app.run().text[0].value == "False"
