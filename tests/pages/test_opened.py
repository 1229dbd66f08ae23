"""Opened tokenizers: their records, their names, and what a view is told of their tokens."""

import pytest
from each import quick
from foreign_files import wordpiece_file
from opening import box, button, data_sent, part
from opening import opened as page
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui.playground.result import token_table, token_table_csv_bytes
from pages.ui.session_tokenizers.families_form import FAMILIES, kept_family_tokenizer
from pages.ui.session_tokenizers.open_tokenizer import opened_tokenizer_summary
from pages.ui.vocabulary.vocabulary_charts import LOOKS
from tokviz.core.samples import sample
from tokviz.core.spans import text_spans
from tokviz.families.library_training import train_sentencepiece
from tokviz.families.sentencepiece_options import LLAMA_2
from tokviz.formats.files import tokenizer_file_text
from tokviz.formats.python_code import (
    Example,
    files_read_by_tokviz_and_tiktoken_code,
    tiktoken_code_if_equivalent,
    tokviz_code,
)
from tokviz.live.document import Document
from tokviz.live.views.token_view import TokenView
from tokviz.live.views.vocabulary_data import packed_vocabulary_columns, token_report
from tokviz.records.packing import pack, unpack
from tokviz.records.session_tokenizer import Kept, kept_from_file, unpack_kept
from tokviz.vocabulary.facts import vocabulary_facts
from tokviz.vocabulary.report import overlap, unused_token_indices

SENTENCEPIECE = {
    "SentencePiece BPE": {"model_type": "bpe", "character_coverage": 0.999},
    "SentencePiece Unigram": {"model_type": "unigram", "character_coverage": 0.999, "byte_fallback": False},
}
TEXT = "  The theory, naïve ☃☃ ที่นี่\n\nth\ud83d "


@pytest.fixture(scope="module", params=FAMILIES)
def opened(request) -> Kept:
    text = sample("english")
    return kept_family_tokenizer(
        request.param, text, 400, options=SENTENCEPIECE.get(request.param, {}), taken=["bytes"]
    )


def test_a_line_says_what_was_opened(opened):
    tokenizer, words = opened.tokenizer, opened_tokenizer_summary(opened)
    assert words.startswith(f"Now using {tokenizer.name}: {tokenizer.kind}, {tokenizer.n_vocab:,} ids, ")
    told = {"WordPiece": ("BertNormalizer", "tokenizer.json"), "SentencePiece": ("nmt_nfkc", "SentencePiece")}
    normalizer, kind = told.get(tokenizer.kind.split()[0], ("", ""))
    assert ("Texts are normalized first" in words) == bool(normalizer)
    assert f" tokens. Texts are normalized first: {normalizer}." in words or not normalizer
    assert words.endswith(f" Its file was recognised as {kind}." if kind else ", no special tokens.")


def test_a_line_says_it_once_and_the_page_lists_the_special_tokens():
    record = kept_from_file(wordpiece_file(), "WordPiece.json")
    app = page("app.py", "a", just_opened=record, _more="Special tokens")
    assert f"✓ {opened_tokenizer_summary(record)}" in [text.value for text in app.text]
    assert "0  [UNK]" in app.code[0].value.splitlines()[0]
    assert not any("Now using " in text.value for text in app.run().text)


# What has a file is unpacked alike, each in a process.
UNPACKED = quick(FAMILIES, "Characters", "Words", "WordPiece")


@pytest.mark.parametrize("opened", UNPACKED, indirect=True)
def test_what_comes_back_from_a_tab_encodes_alike(opened):
    back = unpack_kept(opened.packed_record)
    assert (
        back == opened and back.tokenizer.name == opened.tokenizer.name and back.tokenizer.kind == opened.tokenizer.kind
    )
    assert back.tokenizer.encode(TEXT) == opened.tokenizer.encode(TEXT)


def test_its_vocabulary_is_browsed_like_any_other(opened):
    tokenizer = opened.tokenizer
    facts = vocabulary_facts(tokenizer)
    ids = [i for i in range(tokenizer.n_vocab) if i in tokenizer]
    assert facts.ids.tolist() == ids and facts.tokens == [tokenizer.token_bytes(i) for i in ids]
    special = {*tokenizer.special_tokens.values(), tokenizer.unknown_id} - {None}
    assert {i for i in ids if facts.kind(ids.index(i)) == "special"} == special
    assert packed_vocabulary_columns(tokenizer)["count"] == len(ids)
    spans = text_spans(tokenizer, TEXT)
    used = int(spans.ids[0])
    assert token_report(tokenizer, used, spans)["n_uses"] == spans.ids.tolist().count(used)
    assert used not in set(facts.ids[unused_token_indices(tokenizer, spans.ids.tolist())])
    shared = overlap(tokenizer, tokviz.load("gpt2"))
    tokens = {token for token, i in zip(facts.tokens, ids, strict=True) if i not in special}
    assert {facts.tokens[token] for token in shared.common} == tokens & tokviz.load("gpt2").mergeable_ranks.keys()


@pytest.mark.parametrize("opened", quick(FAMILIES, "Words", "WordPiece"), indirect=True)
@pytest.mark.parametrize("number", quick(range(len(LOOKS)), 0))
def test_the_vocabulary_page_shows_it(request, opened, number):
    """number: of the look among all, counted from another one for each family, so that those that are quick vary."""
    look = [*LOOKS][(number + 2 * [*FAMILIES].index(request.node.callspec.params["opened"])) % len(LOOKS)]
    name = opened.tokenizer.name
    app = page("pages/vocabulary.py", TEXT, kept={name: opened}, tokenizer=name, vocabulary_look=look)
    assert not app.exception and not app.error


def test_a_view_is_told_the_names_that_the_text_does_not_tell(opened):
    tokenizer = opened.tokenizer
    view = TokenView(Document(TEXT), tokenizer)
    told, spans = view.reply(whole=True), view.spans()
    assert ("placed" in told) == ("labels" in told) == (not isinstance(tokenizer, tokviz.Tokenizer))
    if "labels" not in told:
        return
    labels = dict(told["labels"])
    for i, token_id in enumerate(spans.ids.tolist()):
        if token_id == tokenizer.unknown_id or spans.byte_starts[i] == spans.byte_ends[i]:
            assert labels[token_id].encode() == tokenizer.token_bytes(token_id)
    assert view.answer({"token": 0, "revision": told["revision"]})["error"].startswith(tokenizer.kind)
    assert len(token_table(tokenizer, spans)) == len(spans) and token_table_csv_bytes(tokenizer, spans)


def test_the_code_of_what_is_shown_gives_the_same_ids(opened, tmp_path, monkeypatch):
    tokenizer = opened.tokenizer
    example = Example(tokenizer, "text", text_spans(tokenizer, TEXT).text)
    if tokenizer.kind in ("characters", "words"):
        with pytest.raises(ValueError, match=f"{tokenizer.kind} are for teaching, and no file holds them"):
            files_read_by_tokviz_and_tiktoken_code(example)
        return
    for name, data in files_read_by_tokviz_and_tiktoken_code(example).items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    for code in filter(None, (tokviz_code(example), tiktoken_code_if_equivalent(example))):
        scope: dict = {}
        exec(code, scope)
        assert scope["ids"] == tokenizer.encode(TEXT)


def test_a_name_that_is_taken_gets_a_number():
    tokenizer = tokviz.train("the theory of the thing", vocab_size=260, special_tokens=["<s>"])
    one = kept_from_file(tokenizer_file_text(tokenizer, ".json").encode(), "gpt2.json", taken=["gpt2", "gpt2 (2)"])
    assert one.tokenizer == tokenizer and one.tokenizer.name == "gpt2 (3)"
    assert unpack_kept(one.packed_record).tokenizer.name == "gpt2 (3)"
    ranks = kept_from_file(
        tokenizer_file_text(tokenizer, ".tiktoken").encode(),
        ".tiktoken",
        split_pattern="gpt2",
        special_tokens={"<s>": 260},
    )
    assert unpack_kept(ranks.packed_record).tokenizer.special_tokens == {"<s>": 260}


@pytest.mark.parametrize("change", [{"kind": "sentences"}, {"tokens": 5}, {"name": None, "kind": 3}, {"file": 5}])
def test_a_damaged_record_is_refused_in_words(change):
    good = unpack(kept_family_tokenizer("Words", "a b", 400, options={}, taken=[]).packed_record)
    with pytest.raises(ValueError, match=r"damaged|kind must be one of"):
        unpack_kept(pack(good | change))
    with pytest.raises(ValueError, match="damaged"):
        unpack_kept(pack({}))


def test_the_hub_is_offered_only_where_it_is_switched_on(monkeypatch):
    usual = ["A text", "A tokenizer", "From this text"]
    for switch, ways in (("0", usual), ("1", [*usual, "Hugging Face"])):
        monkeypatch.setenv("TOKVIZ_HUB", switch)
        app = page("app.py")
        assert not app.exception
        assert list(app.segmented_control(key="_open_way").options) == ways


def test_a_family_is_made_from_the_text_on_view_and_compared():
    app = page("app.py", "to be or not to be", _open_way="From this text", family="Words")
    app = button(app, "Make it from this text").click().run()
    assert not app.exception and app.session_state["tokenizer"] == "words"
    app.switch_page("pages/compare.py").run()
    assert not app.exception and app.session_state["compared"][-1] == "words"
    app.switch_page("pages/merges.py").run()
    assert not app.exception and any("needs a BPE tokenizer whose merges are known" in info.value for info in app.info)
    assert not any(data.get("view") == "machine" for data in data_sent(app))
    app.session_state["input"] = "Chat"
    app.switch_page("app.py").run()
    assert not app.exception and any("rendered as in transformers" in caption.value for caption in app.caption)
    formats = app.selectbox(key="chat_format").options
    assert (
        formats[:2] == ["Default format", "Transcript"] and "ChatML" not in formats
    )  # whose markers only byte-level BPE can be given


@pytest.fixture
def from_text() -> AppTest:
    """Where tokenizers are opened, with SentencePiece to be trained on the text."""

    def opener():
        from pages.ui.session_tokenizers.open_tokenizer import add_and_choose_opened_tokenizer_if_any, show_open_menu

        add_and_choose_opened_tokenizer_if_any()
        show_open_menu()

    return part(opener, sample("english"), _open_way="From this text", family="SentencePiece BPE", family_size=400)


def press(app: AppTest, label: str) -> AppTest:
    return button(app, label).click().run()


def chosen_data(app: AppTest) -> bytes:
    name = app.session_state["tokenizer"]
    return next(one.origin.data for one in app.session_state["kept"].values() if one.tokenizer.name == name)


def test_as_llama_2_the_page_trains_what_python_trains(from_text):
    made_by_default = chosen_data(press(from_text, "Make it from this text"))
    assert made_by_default == train_sentencepiece(sample("english"), vocab_size=400).data
    press(from_text, "As Llama 2")
    made_as_llama = chosen_data(press(from_text, "Make it from this text"))
    assert made_as_llama == train_sentencepiece(sample("english"), vocab_size=400, **LLAMA_2).data
    press(from_text, "Defaults")
    assert chosen_data(press(from_text, "Make it from this text")) == made_by_default
    assert not from_text.exception


@pytest.mark.slow
def test_the_page_takes_every_option_and_names_values_that_do_not_go_together(from_text):
    numbers = {each.label: each for each in from_text.number_input}
    numbers["Id of `<pad>`"].set_value(0)
    numbers["Longest token"].set_value(7)
    box(from_text.text_input, "Your own symbols").set_value("<sep> a,b")
    box(from_text.selectbox, "Normalization").set_value("nfkc_cf")
    press(from_text, "Make it from this text")
    assert any("unk_id and pad_id are the same, 0" in code.value for code in from_text.code)
    box(from_text.number_input, "Id of `<unk>`").set_value(3)
    data = chosen_data(press(from_text, "Make it from this text"))
    options = {"unk_id": 3, "pad_id": 0, "max_sentencepiece_length": 7, "normalization_rule_name": "nfkc_cf"}
    symbols = ["<sep>", "a,b"]
    assert data == train_sentencepiece(sample("english"), vocab_size=400, user_defined_symbols=symbols, **options).data
