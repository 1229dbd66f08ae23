"""Every uploader takes a file once, whatever the browser says of it afterwards."""

import pytest
from opening import box, labels, opened, part, text_of
from streamlit.testing.v1 import AppTest

from pages.ui.shared.text import FILE_MB_MAX

TEXT = "A text file"
MIX = {"en": "two words"}


def mix():
    from pages.ui.languages.mix_experiment import show_mix_experiment

    show_mix_experiment()


def training_text():
    from pages.ui.shared.text import show_text_file_popover

    show_text_file_popover()


def late(app: AppTest, name: str, data: bytes) -> AppTest:
    """Give a text to the first uploader, and afterwards send the same message again."""
    box(app.file_uploader, TEXT).upload(name, data, "text/plain")
    for area in app.text_area:
        area.set_value("")  # of an area that is gone when the message comes again, no value could be read
    before = app._tree
    app.run()
    app.run()
    app._tree = before
    return app


def test_a_text_is_taken_once():
    app = late(part(training_text), "a.txt", b"two words")
    assert text_of(app) == "two words"
    app.session_state["live"].get_or_add_document("text").set_text("typed since")
    app.run()
    assert not app.exception and text_of(app) == "typed since"


def test_a_text_of_a_mix_is_taken_once():
    app = late(part(mix), "a.txt", b"two words")
    assert app.session_state["mix_texts"] == MIX
    app.session_state["mix_texts"].clear()
    app.run()
    assert not app.exception and app.session_state["mix_texts"] == {}


@pytest.mark.parametrize("script", [training_text, mix])
def test_a_question_about_an_encoding_goes_with_its_file(script):
    app = part(script)
    box(app.file_uploader, TEXT).upload("thai.txt", "ภาษาไทยไม่เว้นวรรคระหว่างคำ".encode("cp874"), "text/plain").run()
    assert any(label.startswith("Open it as") for label in labels(app))
    box(app.file_uploader, TEXT).clear().run()
    assert not any(label.startswith("Open it as") for label in labels(app))


def test_a_file_that_is_too_large_is_refused_and_taken_out_of_the_uploader():
    app = opened("pages/train.py", "a text")
    app.file_uploader[0].upload("long.txt", b"a" * (FILE_MB_MAX * 1_000_000 + 1), "text/plain").run()
    assert "long.txt has 20,000,001 bytes; a file may have up to 20,000,000." in app.code[0].value
    assert not app.file_uploader[0].value and text_of(app) == "a text"
    assert not app.run().error
