"""The page of seams: its sections, their examples, what a link holds, and tokenizers that have no merges to show."""

import pytest
from opening import button, linked, opened, text_of, without_script
from streamlit.testing.v1 import AppTest
from trainings import made

import tokviz
from pages.ui.seams.sections import OPENING, SECTIONS
from pages.ui.shared.text import START_TEXT
from tokviz.families.teaching import list_tokenizer
from tokviz.live.views.seams.seams_view import SeamsView

PAGE = "pages/seams.py"


def view_of(app: AppTest, section: str) -> SeamsView:
    return app.session_state["live"].views[f"seams {section}"]


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_shows_its_view_and_every_example_of_it(section):
    app = opened(PAGE, "The tokens of this text", seams_section=section)
    assert not app.exception and not app.info
    examples = SECTIONS[section].examples
    assert {f"_example_{section}_{name}" for name in examples} <= {button.key for button in app.button}
    app.button(key=f"_example_{section}_{[*examples][-1]}").click().run()
    assert not app.exception
    for example in reversed(examples.values()):  # the last one is shown
        reply = view_of(app, section).reply(whole=True)
        assert reply["section"] and reply["notice"] is None
        with without_script() as state:
            state.live = app.session_state["live"]
            example.set_documents()


def test_the_select_that_a_phone_has_chooses_a_section_too():
    app = opened(PAGE, "The tokens of this text")
    app.selectbox(key="_seams_section Settled").select("Ids").run()
    assert app.segmented_control(key="seams_section").value == "Ids"
    assert app.selectbox(key="_seams_section Ids").value == "Ids"


def test_the_first_text_gives_way_in_each_section_to_one_that_shows_what_it_is_about():
    app = opened(PAGE, START_TEXT)
    assert text_of(app) == OPENING and view_of(app, "Settled").reply(whole=True)["open"]
    app.session_state["seams_section"] = "Chunks"
    app.run()
    assert len(view_of(app, "Chunks").reply(whole=True)["chunks"]) > 3
    app.session_state["seams_section"] = "Two texts"
    app.run()
    counts = view_of(app, "Two texts").reply(whole=True)["counts"]
    assert text_of(app).startswith("Today is") and counts["tokens"] > 0
    assert app.session_state["common_example"] == START_TEXT
    assert text_of(opened(PAGE, "my own text")) == "my own text"
    assert text_of(linked(PAGE, text=START_TEXT)) == START_TEXT


def test_the_trailing_space_is_explained():
    app = opened(PAGE, "The tokens of this text")
    app.button(key="_example_Settled_Trailing space").click().run()
    reply = view_of(app, "Settled").reply(whole=True)
    assert reply["space"]["whole"][1] == tokviz.load("cl100k_base").encode(" yes")[0] and reply["open"] == [7]


def test_the_ids_of_the_text_are_canonical_and_those_of_its_parts_are_not():
    app = opened(PAGE, "One two <|endoftext|>", seams_section="Ids")
    app.button(key="_example_Ids_Two parts joined").click().run()
    assert view_of(app, "Ids").reply(whole=True)["differences"]
    button(app, "The text’s ids").click().run()
    documents = app.session_state["live"].documents
    assert documents["checked_ids"].text == str(tokviz.load("cl100k_base").encode("One two <|endoftext|>"))
    assert view_of(app, "Ids").reply(whole=True)["words"].startswith("Canonical")


def test_the_cache_keeps_blocks():
    app = opened(PAGE, "word " * 20, seams_section="Two texts", cache_block=16)
    assert view_of(app, "Two texts").reply(whole=True)["counts"]["cached"] == 16
    app = opened(PAGE, "word " * 20, seams_section="Two texts", cache_block=5)
    assert not app.exception and view_of(app, "Two texts").reply(whole=True)["counts"]["cached"] == 20


def test_chunks_have_the_size_and_the_overlap_that_are_set():
    options = {"seams_section": "Chunks", "chunk_tokens": 1, "chunk_overlap": 99}  # the nearest that may be set
    app = linked(PAGE, **options, text="word " * 20)
    assert not app.exception
    view = view_of(app, "Chunks")
    assert (view.tokens, view.overlap) == (8, 7) and len(view.reply(whole=True)["chunks"]) > 3
    app.number_input(key="chunk_overlap").set_value(0).run()
    assert len(view_of(app, "Chunks").reply(whole=True)["chunks"]) == 3


def test_a_link_shows_the_same_section_texts_and_choice():
    options = {"seams_section": "A cut", "seams_cut": 3, "tokenizer": "gpt2", "seams_piece": 5}
    app = linked(PAGE, **options, text="one", second="two", checked_ids="1 2")
    assert not app.exception and text_of(app) == "one"
    assert [app.session_state["live"].documents[name].text for name in ("second", "checked_ids")] == ["two", "1 2"]
    assert app.session_state["seams_cut"] == 3 and view_of(app, "A cut").tokenizer.name == "gpt2"
    assert "seams_piece" not in app.session_state  # which is of another type


@pytest.mark.parametrize("section", SECTIONS)
def test_other_families_have_two_texts_and_hear_why_not_the_rest(section):
    words = {"words": made(list_tokenizer("words", "the strawberry"))}
    app = opened(PAGE, "the strawberry", kept=words, tokenizer="words", seams_section=section)
    assert not app.exception
    assert bool(app.info) == (section not in ("Two texts", "Chunks"))
