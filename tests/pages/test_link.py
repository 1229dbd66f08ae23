"""Links: what they carry, what they say they do not, and that a hostile one is told in words."""

import ipaddress
import random
import string

import pytest
from foreign_files import wordpiece_file
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opening import button, opened, text_of
from streamlit.testing.v1 import AppTest
from trainings import trained_of

import tokviz
from pages.ui.frame import link
from tokviz.formats.pretrained import short_name
from tokviz.records.packing import pack, unpack
from tokviz.records.session_tokenizer import Kept, kept_from_file, kept_tokens

PAGES = ["pages/compare.py", "app.py"]


def trained(name: str) -> Kept:
    steps = tuple(tokviz.train_steps("low lower lowest", vocab_size=260))
    return trained_of(tokviz.Tokenizer.from_steps(steps, split_pattern="gpt2", name=name), steps, 16)


def large(name: str) -> Kept:
    drawn = random.Random(1)
    return kept_tokens(name, "words", ["".join(drawn.choices(string.ascii_letters, k=9)) for _ in range(12_000)])


def shared(page: str, text: str, tokenizers: list[Kept], **options: object) -> tuple[str, AppTest]:
    """Return what the link of a page holds, packed, and the page with its dialog."""
    app = opened(page, text, kept={one.name: one for one in tokenizers}, **options)
    button(app, "Share").click()
    app.run()
    assert not app.exception
    return app.code[-1].value.partition("?s=")[2], app


def followed(packed: str, page: str = "pages/compare.py") -> AppTest:
    app = opened(page, query={"s": packed})
    assert not app.exception
    return app


def test_a_comparison_is_shown_again_with_its_text_view_and_tokenizers():
    tokenizers = [
        trained("mine"),
        kept_from_file(wordpiece_file(), "pieces.json"),
        kept_tokens("two", "words", ["low", "er"]),
    ]
    names = ["mine", "gpt2", "pieces", "two"]
    packed, _ = shared(
        "pages/compare.py", "lower", tokenizers, compared=names, compare_view="Vocabulary size", reference="two"
    )
    app = followed(packed)
    state = app.session_state
    assert (text_of(app), state["compared"], state["compare_view"]) == ("lower", names, "Vocabulary size")
    assert state["reference"] == "two"
    here = {name: one.tokenizer for name, one in state["kept"].items()}
    for one in tokenizers:
        assert here[one.tokenizer.name].encode("lower 你") == one.tokenizer.encode("lower 你")


def test_a_link_to_a_training_carries_the_tokenizer_it_begins_with():
    packed, _ = shared("pages/train.py", "newest", [trained("mine")], train_start="mine", new_tokens=7)
    app = followed(packed, "pages/train.py")
    assert next(box.value for box in app.selectbox if box.label == "Begin with") == "mine"
    assert next(box.value for box in app.number_input if box.label == "New tokens") == 7
    assert app.session_state["kept"]["mine"] == trained("mine")


@pytest.mark.slow
def test_a_link_carries_a_tokenizer_that_continued_from_a_large_one():
    start = tokviz.load("cl100k_base")
    steps = tuple(tokviz.train_steps("ที่นี่ ที่นั่น " * 9, vocab_size=100_260, start=start))
    tokenizer = tokviz.Tokenizer.from_steps(steps, start=start, name="more")
    more = trained_of(tokenizer, steps, 99, start=start, n_before=999)
    packed, app = shared("pages/compare.py", "ที่", [more], compared=["more", "gpt2"])
    assert not app.warning
    assert followed(packed).session_state["kept"]["more"] == more


@pytest.mark.parametrize("page", PAGES)
def test_a_tokenizer_too_large_for_a_link_is_named_and_the_rest_is_shown(page):
    packed, app = shared(
        page, "lower", [large("*big* words"), kept_tokens("two words", "words", ["low"])],
        tokenizer="*big* words", compared=["*big* words", "two words", "gpt2"],
    )  # fmt: skip
    assert any("too large for a link" in warning.value for warning in app.warning)
    assert any("*big* words" in text.value for text in app.text)
    other = followed(packed, page)
    if page == "app.py":
        assert "tokenizer" not in unpack(packed) and other.selectbox[0].value == "cl100k_base"
        assert any("shows GPT-4" in text.value for text in app.text)
    else:
        assert other.session_state["compared"] == ["two words", "gpt2"]


def test_where_nothing_of_what_is_compared_has_room_the_link_says_what_it_shows():
    packed, app = shared("pages/compare.py", "lower", [large("big words")], compared=["big words"])
    shown = followed(packed).session_state["compared"]
    assert f"Instead of those compared here, the link shows {', '.join(map(short_name, shown))}." in [
        text.value for text in app.text
    ]


def test_whoever_opens_a_link_is_told_which_tokenizers_it_has_no_room_for_until_they_are_here():
    names = ["*big* words", "Llama 2", "gpt2"]
    packed, _ = shared("pages/compare.py", "lower", [large(name) for name in names[:2]], compared=names)

    def told(app: AppTest) -> list[str]:
        return [
            line for text in app.text for line in text.value.split("\n") if "ask the person who made the link" in line
        ]

    app = followed(packed)
    big, llama = sorted(told(app))
    assert big.startswith("*big* words: ask") and llama.startswith("Llama 2: ask")
    assert "huggingface.co/meta-llama" in llama and "huggingface" not in big
    app.session_state["kept"][names[0]] = large(names[0])
    assert told(app.switch_page("app.py").run()) == [llama]
    assert not told(button(app, "Go on without them").click().run()) and not app.warning


def test_a_link_that_names_tokenizers_without_holding_them_says_so():
    app = followed(pack({"compared": ["a\nb\ud800", "gpt2", "x" * 90], "tokenizer": "\ud83d", "missing": [7, {}]}))
    (told,) = (text.value for text in app.text if "ask the person" in text.value)
    assert [line.partition(":")[0] for line in told.split("\n")] == ["\ufffd", "a b\ufffd", "x" * 40]
    assert not followed(pack({"compared": ["gpt2"], "text": "low"})).warning


def test_a_step_is_shown_again_under_the_tokenizer_of_the_merges_page():
    shown = {"merges_tokenizer": "mine", "step": 2, "predicting": True}
    packed, _ = shared("pages/merges.py", "lower", [trained("mine")], **shown)
    app = followed(packed, "pages/merges.py")
    assert {key: app.session_state[key] for key in shown} == shown
    assert "tokenizer" not in app.session_state and text_of(app) == "lower"
    # A link that only names the tokenizer of all pages is shown under that one.
    packed = pack({"tokenizer": "gpt2", "text": "lower"})
    app.query_params["s"] = packed
    app.run()
    assert app.selectbox[0].value == "gpt2" and app.selectbox[0].format_func("gpt2") == "GPT-2 · gpt2"


def test_whatever_option_names_a_tokenizer_the_link_carries_it_and_knows_it_by_its_new_name():
    packed, _ = shared("pages/vocabulary.py", "lower", [trained("mine")], overlap_with="mine", tokenizer="gpt2")
    app = followed(packed, "pages/vocabulary.py")
    assert app.session_state["overlap_with"] == "mine" in app.session_state["kept"]
    app = followed(pack({"sentence_tokenizer": "gpt2", "tokenizers": [trained("gpt2").packed_record]}))
    assert app.session_state["sentence_tokenizer"] == "gpt2 (2)"
    assert app.session_state["kept"]["gpt2 (2)"] == trained("gpt2")


def test_the_playground_carries_what_was_opened():
    pieces = kept_from_file(wordpiece_file(), "WordPiece.json")
    packed, _ = shared("app.py", "lower", [pieces], tokenizer="WordPiece")
    assert followed(packed, "app.py").selectbox[0].value == "WordPiece"


def test_tokenizers_of_a_link_do_not_take_each_others_names_nor_those_that_ship():
    app = followed(
        pack({
            "compared": ["gpt2", "cl100k_base"],
            "tokenizers": [trained("gpt2").packed_record, kept_tokens("cl100k_base", "words", ["a"]).packed_record],
            "text": "a",
        })
    )  # fmt: skip
    assert app.session_state["compared"] == ["gpt2 (2)", "cl100k_base (2)"]
    assert app.session_state["kept"]["gpt2 (2)"] == trained("gpt2")


OPTIONS = ("compared", "compare_view", "reference", "tokenizer")
RECORD = unpack(kept_tokens("two", "words", ["low"]).packed_record)
FILE = unpack(kept_from_file(wordpiece_file(), "pieces.json").packed_record)


def hostile(texts: st.SearchStrategy[str]):
    """Give a test values of links that may be anything."""
    json = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | texts | st.just("gpt2"),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "a"]), inner, max_size=3),
        max_leaves=4,
    )
    changed = st.builds(
        lambda record, key, value: pack(record | {key: value}),
        st.sampled_from([RECORD, FILE]),
        st.sampled_from(["name", "kind", "tokens", "file", "file_name", "split_pattern", "special_tokens"]),
        json,
    )
    return given(
        key=st.sampled_from(["tokenizers", "text", "missing", *OPTIONS]),
        value=json | st.lists(changed, min_size=1, max_size=2),
    )


@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@hostile(st.sampled_from(["", "a", "\x00", "\ud83d", "ที่", "<b>"]))  # the first st.text() takes a second to prepare
def test_a_hostile_link_gives_no_trace(key, value):
    follow_hostile(key, value)


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@hostile(st.text(max_size=5))
def test_no_hostile_link_gives_a_trace(key, value):
    follow_hostile(key, value)


def follow_hostile(key: str, value: object) -> None:
    good = {"compared": ["two", "gpt2"], "tokenizers": [pack(RECORD)], "text": "low"}
    followed(pack(good | {key: value}))


def test_what_unpacks_to_too_much_is_refused_in_words():
    app = followed(pack({"tokenizers": [kept_tokens("two", "words", ["a" * 3_000_000]).packed_record], "text": "low"}))
    assert any("cannot be read" in one.value for one in app.code) and text_of(app) != "low"


@pytest.mark.parametrize(("address", "command"), [("192.168.7.9", "HOST=192.168.7.9"), (None, "HOST=…")])
def test_where_only_this_computer_has_the_page_it_says_how_to_serve_it(monkeypatch, address, command):
    monkeypatch.setattr(link, "own_ip_address", lambda: address)
    assert f"`make serve {command}`" in link.serving_instructions()
    monkeypatch.setattr(link, "IS_CHECKOUT", False)
    assert f"`tokviz serve {command.replace('HOST=', '--host ')}`" in link.serving_instructions()


def test_an_address_that_others_reach_has_a_qr_code_unless_a_phone_could_not_read_it():
    def page(address: str):
        from pages.ui.frame.link import show_qr_code_or_why_not

        show_qr_code_or_why_not(address)

    short = AppTest.from_function(page, kwargs={"address": "http://tokviz.example/?s=abc"}).run()
    assert not short.exception and [type(each).__name__ for each in short.main.children.values()] == ["Image"]
    long = AppTest.from_function(page, kwargs={"address": "http://tokviz.example/?s=" + "x" * 1000}).run()
    assert not long.exception and "too long for a QR code" in long.caption[0].value and len(long.main.children) == 1


def test_the_address_in_the_network_is_numeric_or_none():
    found = link.own_ip_address()
    assert found is None or ipaddress.ip_address(found).version == 4
