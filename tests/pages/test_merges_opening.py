"""What the Merges page shows at first, and what wins over it."""

from urllib.parse import unquote

import pytest
from opening import after_training, button, data_sent, linked, opened, option_of, part, seen, text_of
from streamlit.testing.v1 import AppTest
from trainings import made

import tokviz
from pages.ui.merges.replays import CLASSICAL, RHYME, TIE
from pages.ui.playground.page import EXAMPLES
from pages.ui.seams.sections import OPENING
from pages.ui.shared.text import START_TEXT
from tokviz.core.bpe import ranks_from_merges
from tokviz.core.samples import sample
from tokviz.live.edit import Edit
from tokviz.training.naive import pair_counts

PAGE = "pages/merges.py"
OWN = "she sells sea shells on the sea shore, and the shells she sells are sea shells\n" * 2
SHORT = "nothing is twice"


def shown(app: AppTest) -> tuple[str, str, int]:
    """Return the tokenizer, the text and the step that a page shows."""
    assert not app.exception
    step = option_of(app, "step")
    return app.selectbox[0].value, text_of(app), step


def machine(app: AppTest) -> dict[str, object]:
    """Return what the time machine of a page was sent."""
    return next(data for data in data_sent(app) if data.get("view") == "machine")


def texts_of(*scripts: str, example: str | None = None) -> list[str]:
    """Return the text that each page opens with, one after the other in one script run. example: chosen before."""

    def script():
        import streamlit as st

        from pages.ui.frame.frame import set_up_page
        from pages.ui.merges.opening import choose_opening_once
        from pages.ui.pages import MERGES, PAGES, SEAMS
        from pages.ui.seams.sections import show_example_of_section_if_untouched
        from pages.ui.shared.text import set_shared_text_to_example, shared_text

        opens = {MERGES.title: choose_opening_once, SEAMS.title: show_example_of_section_if_untouched}
        if st.session_state.taken:
            set_shared_text_to_example(st.session_state.taken)
        for name in st.session_state.scripts:
            page = next(page for page in PAGES.values() if page.script == name)
            set_up_page(page)
            if page.title in opens:
                opens[page.title]()
            st.session_state.texts.append(shared_text())

    app = part(script, scripts=scripts, texts=[], taken=example)
    assert not app.exception
    return app.session_state["texts"]


def first_change(text: str) -> int:
    """Return how many merges of GPT-4 come before the first that changes a text."""
    gaps = tokviz.trace(tokviz.load("cl100k_base"), text).gaps
    return int(gaps[gaps >= 0].min())


def test_in_the_rhyme_one_pair_leads_at_nine_of_the_first_ten_merges():
    tokenizer = tokviz.train(RHYME, vocab_size=266)
    ties = 0
    for step in range(10):
        cut = tokenizer.truncated(step)
        counts = pair_counts([cut.encode(pretoken) for pretoken in cut.pretokens(RHYME)])
        first, second = sorted(counts.values(), reverse=True)[:2]
        ties += first == second
    assert 3 <= RHYME.count("\n") <= 6 and ties == 1


def test_a_first_visit_shows_the_rhyme_and_a_tokenizer_trained_on_it_before_its_first_merge():
    app = seen(PAGE)
    assert shown(app) == ("Trained on the rhyme", RHYME, 0)
    assert machine(app)["predicting"] and not machine(app)["plays"]
    view = app.session_state["live"].views["machine"]
    revision = view.reply(whole=True)["revision"]
    answer = view.answer({"k": 0, "revision": revision, "pretoken": None, "stays": [1, 0]})
    assert answer["table"]["source"] == "corpus" and answer["table"]["n_tied"] == 1


def test_the_greeting_leads_there_from_an_example():
    app = button(opened("app.py"), next(iter(EXAMPLES))).click().run()
    app = app.switch_page(PAGE)
    app.query_params["watch"] = "merges"
    assert shown(app.run()) == ("Trained on the rhyme", RHYME, 0)
    assert "watch" not in app.query_params
    # Whoever has gone on from there finds the step again.
    app.session_state["step"] = 7
    app.query_params["watch"] = "merges"
    assert shown(app.run())[2] == 7
    # The same button shows it after another tokenizer was looked at, too.
    app = button(app, "Show GPT-4's merges").click().run()
    app.query_params["watch"] = "merges"
    assert shown(app.run()) == ("Trained on the rhyme", RHYME, 0)


@pytest.mark.parametrize("where", ["typed", "sample"])
def test_an_example_gives_way_and_ones_own_text_does_not(where):
    if where == "typed":
        app = opened(PAGE, OWN)
        assert shown(app) == ("Trained on your text", OWN, 0)
        assert len(app.session_state["kept"]["Trained on your text"].origin.steps) >= 10
    else:
        app = button(opened("app.py"), "English").click().run()
        assert shown(app.switch_page(PAGE).run()) == ("Trained on the rhyme", RHYME, 0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (EXAMPLES["Thai sentence"], ("Trained on the rhyme", RHYME, 0)),
        (OWN, ("Trained on your text", OWN, 0)),
        (SHORT, ("cl100k_base", SHORT, first_change(SHORT))),
    ],
)
def test_a_text_taken_on_another_page_is_not_shown_under_a_tokenizer_trained_on_the_rhyme(text, found):
    app = opened(PAGE).switch_page("app.py").run()
    if text in EXAMPLES.values():
        button(app, "Thai sentence").click().run()
    else:
        app.session_state["live"].get_or_add_document("text").set_text(text)
        app.run()
    assert shown(app.switch_page(PAGE).run()) == found


@pytest.mark.parametrize("text", [SHORT, "ab " * 20_000])
def test_a_text_to_learn_little_from_is_shown_under_gpt4_where_it_first_changes(text):
    app = opened(PAGE, text)
    assert shown(app) == ("cl100k_base", text, first_change(text))
    assert "kept" not in app.session_state or not app.session_state["kept"]


def test_what_was_trained_on_the_rhyme_of_another_page_is_watched_on_it():
    app = opened("pages/train.py", vocab_size=270)
    assert text_of(app) == RHYME
    app = button(after_training(app), "Guess").click().run()
    assert shown(app.switch_page(PAGE).run()) == ("my tokenizer", RHYME, 0)


def test_what_somebody_has_chosen_stays():
    mine = made(tokviz.train(OWN, vocab_size=270, name="mine"))
    assert shown(opened(PAGE, START_TEXT, tokenizer="mine", kept={"mine": mine}))[:2] == ("mine", START_TEXT)
    app = opened(PAGE)
    app.selectbox[0].set_value("cl100k_base").run()
    app.switch_page("pages/compare.py").run()
    assert shown(app.switch_page(PAGE).run())[0] == "cl100k_base"


@pytest.mark.parametrize(("first", "named"), [("app.py", {"text": START_TEXT}), (PAGE, {"tokenizer": "cl100k_base"})])
def test_a_link_that_names_a_text_or_a_tokenizer_wins(named, first):
    app = linked(first, **named)
    assert shown(app.switch_page(PAGE).run())[:2] == ("cl100k_base", START_TEXT)


def test_a_pretrained_one_chosen_elsewhere_does_not_keep_the_rhyme_from_a_first_visit():
    app = opened(PAGE, tokenizer="gpt2")
    assert shown(app) == ("Trained on the rhyme", RHYME, 0)
    assert app.session_state["tokenizer"] == "gpt2"


@pytest.mark.parametrize(
    ("kept", "name", "step"),
    [
        ({"tokenizer": "gpt2"}, "Trained on the rhyme", 0),
        ({"text_size": "Large"}, "Trained on the rhyme", 0),
        ({"merges_opened": True, "merges_tokenizer": "o200k_base", "step": 41}, "o200k_base", 41),
        ({"merges_opened": True, "step": 41}, "cl100k_base", 41),
    ],
)
def test_a_tab_that_was_never_here_opens_on_the_rhyme_and_any_other_where_it_was(kept, name, step):
    def script(kept, out):
        from pages.ui.frame import tab_memory
        from pages.ui.merges.opening import choose_opening_once
        from pages.ui.options import option_value, session_id
        from pages.ui.session_tokenizers.tokenizer_list import merges_tokenizer_name

        choose_opening_once()
        message = {"session": session_id(), "kept": {"values": kept}}
        for _ in range(2):  # the tab says it until it is told that it was heard
            tab_memory._restore_from_tab(message)
            choose_opening_once()
        out += [merges_tokenizer_name(), option_value("step")]

    out = []
    kwargs = {"kept": kept, "out": out}
    assert not AppTest.from_function(script, default_timeout=60, kwargs=kwargs).run().exception
    assert out == [name, step]


def test_gpt4_over_the_text_on_view_is_one_click_away():
    app = button(opened(PAGE, OWN), "Show GPT-4's merges").click().run()
    assert shown(app) == ("cl100k_base", OWN, first_change(OWN))
    assert not machine(app)["predicting"]
    assert "Show GPT-4's merges" not in [each.label for each in app.button]
    # Where all pages share another one, it is chosen for this page alone.
    app = button(opened(PAGE, SHORT, tokenizer="gpt2"), "Show GPT-4's merges").click().run()
    assert shown(app) == ("cl100k_base", SHORT, first_change(SHORT))
    assert app.session_state["tokenizer"] == "gpt2"


def test_a_streak_is_shared_with_its_puzzle():
    app = opened(PAGE)
    app.session_state["step"], app.session_state["streak"] = 12, 12
    card = app.run().code[0].value
    assert card.startswith("I guessed 12 merges in a row.")
    packed = unquote(card.split("?s=")[1])
    other = opened(PAGE, query={"s": packed})
    assert shown(other) == ("Trained on the rhyme", RHYME, 0)
    assert option_of(other, "predicting")
    assert not app.run().code  # once


def test_the_classical_example_shows_both_ways_through_the_tie_and_is_an_example_too():
    app = button(opened(PAGE), CLASSICAL).click().run()
    assert shown(app)[1] == CLASSICAL
    assert (machine(app)["step"], machine(app)["plays"], machine(app)["predicting"]) == (0, True, False)
    assert app.table[0].value.equals(TIE)
    app.query_params["watch"] = "merges"
    button(app, "Show GPT-4's merges").click().run()
    assert shown(app)[1] == RHYME


def test_each_page_shows_its_own_example_until_somebody_changes_it():
    seams, example = "pages/seams.py", EXAMPLES["Thai sentence"]
    pages = ("app.py", PAGE, seams, "app.py", PAGE, "app.py")
    assert texts_of(*pages, example=example) == [example, RHYME, example, example, RHYME, example]
    # A first text that nobody has chosen gives way on Seams too, and comes back.
    pages = ("app.py", seams, PAGE, "pages/compare.py", PAGE)
    assert texts_of(*pages) == [START_TEXT, OPENING, RHYME, START_TEXT, RHYME]
    app = opened("app.py").switch_page(PAGE).run()
    assert machine(app)["example"] == text_of(app) == RHYME
    document = app.session_state["live"].get_or_add_document("text")
    document.edit(Edit(0, 0, "x"))
    assert machine(app.run())["example"] is None
    for page in ("app.py", seams, PAGE):
        assert text_of(app.switch_page(page).run()) == f"x{RHYME}", page


def test_an_example_that_somebody_has_chosen_on_this_page_stays():
    app = button(opened(PAGE), "English").click().run()
    for page in (PAGE, "app.py", PAGE):
        assert text_of(app.switch_page(page).run()) == sample("english")
    app = button(app, "Rhyme").click().run()
    assert text_of(app.switch_page("app.py").run()) == RHYME


@pytest.mark.parametrize(
    ("way", "merges"),
    [
        ("textbook", ((97, 97), (97, 98), (256, 257))),
        ("usual implementation", ((97, 97), (256, 97), (257, 98))),
    ],
)
def test_the_tie_is_explained_with_what_the_merges_give(way, merges):
    tokenizer, letters = tokviz.Tokenizer(way, "none", ranks_from_merges(merges)), {256: "Z", 257: "Y", 258: "X"}

    def text(ids):
        return "".join(letters.get(token_id, chr(token_id)) for token_id in ids)

    texts = [text(tokenizer.truncated(k).encode(CLASSICAL)) for k in range(4)]
    made = [f"{letter} = {text(pair)}:  {after}" for letter, pair, after in zip("ZYX", merges, texts[1:], strict=True)]
    assert TIE[way].tolist() == [CLASSICAL, *made]
