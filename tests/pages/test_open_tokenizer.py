"""The ways to open a tokenizer: files given together, the header of a GGUF file, and what this computer has."""

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from foreign_files import wordpiece_file
from gguf_files import byte_level_gguf
from opening import State, box, button, data_sent, labels, opened, part, uploaded, without_script

import tokviz
from pages.ui.options import widget_key
from pages.ui.session_tokenizers import file_opener, local_opener
from pages.ui.session_tokenizers.file_opener import UPLOADER, unpacked_header
from pages.ui.session_tokenizers.given_file import GivenFile
from tokviz.formats.gguf.header import header_bytes
from tokviz.records.session_tokenizer import kept_tokens, model_name_if_any, unpack_kept
from tokviz.server.local_tokenizers import LocalTokenizer, SearchResult

TEXT = "The ferry left at noon"


@pytest.fixture
def state() -> Iterator[State]:
    with without_script() as state:
        yield state


def opener():
    from pages.ui.session_tokenizers.open_tokenizer import add_and_choose_opened_tokenizer_if_any, show_open_menu

    add_and_choose_opened_tokenizer_if_any()
    show_open_menu()


@pytest.fixture(scope="module")
def spec(tmp_path_factory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("spec") / "x.json"
    tokviz.train(TEXT * 3, vocab_size=270, split_pattern="gpt2").save(path)
    return json.loads(path.read_text())


def packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def give(app, files: dict[str, bytes]):
    return uploaded(app, *files.items(), label="Tokenizer files")


def chosen(app):
    """Return the tokenizer that was opened and is the chosen one, None if none is."""
    if "kept" not in app.session_state or "tokenizer" not in app.session_state:
        return None
    opened = app.session_state["kept"].get(app.session_state["tokenizer"])
    return opened and opened.tokenizer


def test_a_file_that_is_refused_stays_until_it_is_taken_out():
    app = give(opened("app.py", _open_way="A tokenizer"), {"a.json": b"{}"})
    assert "a.json" in app.code[0].value and len(box(app.file_uploader, "Tokenizer files").value) == 1
    assert app.run().error
    app = box(app.file_uploader, "Tokenizer files").clear().run()
    assert not app.error
    app = give(app, {"berta.json": wordpiece_file()})
    assert chosen(app).name == "berta" and not box(app.file_uploader, "Tokenizer files").value


def test_files_that_are_too_many_or_too_large_together_are_refused(monkeypatch):
    app = give(part(opener), {f"{i}.json": b"{}" for i in range(13)})
    assert "13 files; a tokenizer has at most 12" in app.code[0].value
    monkeypatch.setattr(file_opener, "MAX_FILE_BYTES", 1_000_000)
    app = give(part(opener), {"a.json": bytes(600_000), "b.json": bytes(600_000)})
    assert "These files have 1,200,000 bytes; a tokenizer's files may have up to 1,000,000" in app.code[0].value


def test_a_header_from_the_browser_is_given_under_the_name_of_its_file(state, spec):
    header = byte_level_gguf(spec)
    message = {"name": "mine.gguf", "header": packed(header)}
    file_opener._take_or_refuse_header(widget_key("gguf_file"), message)
    assert (state.given_file.name, state.given_file.data, state.given_file.beside) == ("mine.gguf", header, {})
    assert state[f"{UPLOADER}:version"] == 1  # what was in the uploader is no longer what is opened
    state.clear()
    file_opener._take_or_refuse_header("_gguf_file 7", message)
    assert state.given_file is None  # of a component that is gone
    message["header"] = "damaged"
    file_opener._take_or_refuse_header(widget_key("gguf_file"), message)
    assert state.given_file is None and "The browser's copy of this file arrived damaged" in state.refused


@pytest.mark.parametrize("sent", [None, 3, "", "a", "YQ==", packed(b"GGUF" * 99)[:-9], packed(b"a")[1:]])
def test_a_header_that_is_damaged_on_its_way_is_refused(sent):
    with pytest.raises(ValueError, match="The browser's copy of this file arrived damaged"):
        unpacked_header(sent)


def test_a_header_is_unpacked_up_to_a_limit(monkeypatch):
    assert file_opener.MAX_FILE_BYTES == 50_000_000
    monkeypatch.setattr(file_opener, "MAX_FILE_BYTES", 500_000)
    assert unpacked_header(packed(bytes(500_000))) == bytes(500_000)
    with pytest.raises(ValueError, match="or has over 500,000 bytes"):
        unpacked_header(packed(bytes(500_001)))


def test_a_gguf_file_whose_split_pattern_is_not_known_is_opened_with_one_that_is_given(spec):
    app = give(part(opener), {"mine.gguf": byte_level_gguf(spec, "nobody-knows")})
    assert any("its pre-tokenizer 'nobody-knows' is not known here" in text.value for text in app.text)
    assert not app.text_area and not app.error and chosen(app) is None
    box(app.selectbox, "Split pattern").set_value("gpt2")
    app = button(app, "Open it").click().run()
    known = give(part(opener), {"mine.gguf": byte_level_gguf(spec)})
    assert chosen(app).encode(TEXT) == chosen(known).encode(TEXT) and chosen(app).split_pattern == "gpt2"


def test_another_file_can_be_taken_in_place_of_one_that_is_asked_about(spec):
    given = GivenFile(byte_level_gguf(spec, "nobody-knows"), "mine.gguf")
    app = button(part(opener, given_file=given), "Choose another file").click().run()
    assert "Split pattern" not in labels(app, "selectbox")
    app = give(app, {"a.tiktoken": b"YQ== 0\n"})
    assert "Split pattern" in labels(app, "selectbox") and "Choose another file" not in labels(app)
    app = app.file_uploader[0].clear().run()
    assert "Split pattern" not in labels(app, "selectbox")


BYTE_RANKS = b"".join(b"%s %d\n" % (base64.b64encode(bytes([i])), i) for i in range(256))
DAMAGED = {
    "cut off.json": b'{"model": {"type": "BPE"',
    "empty.json": b'{"model": {"type": "BPE", "vocab": {}}}',
    "twice.tiktoken": b"YQ== 0\nYQ== 1\n" * 999,
    "id.model": b"minbpe v1\n\n0\n97 999\n",
}


QUICK = [("cut off.json", "twice.tiktoken"), ("twice.tiktoken", "empty.json"), ("id.model", "")]
PAIRS = [(first, second) for first in DAMAGED for second in ("", "empty.json", "twice.tiktoken")]


@pytest.mark.parametrize(
    ("first", "second"), [pytest.param(*pair, marks=[pytest.mark.slow] * (pair not in QUICK)) for pair in PAIRS]
)
def test_a_good_file_is_opened_that_joins_damaged_ones(first, second):
    app, files = part(opener), {}
    for name in filter(None, dict.fromkeys((first, second))):
        files[name] = DAMAGED[name]
        app = give(app, files)
        if name.endswith(".tiktoken"):
            app = button(app, "Open it").click().run()
        assert app.code[0].value.startswith(name) and chosen(app) is None
    app = give(app, files | {"good.tiktoken": BYTE_RANKS})
    assert any("good.tiktoken holds only ranks" in text.value for text in app.text) and not app.error
    app = button(app, "Open it").click().run()
    assert chosen(app).name == "good" and not app.error
    assert not app.session_state["kept"]["good"].origin.beside


def test_two_halves_are_opened_together_also_where_they_join_a_damaged_file_one_after_the_other(spec):
    files = {"cut off.json": DAMAGED["cut off.json"]}
    app = give(part(opener), files)
    files["vocab.json"] = json.dumps(spec["model"]["vocab"]).encode()
    app = give(app, files)
    assert "give the merges.txt that belongs to it too" in app.code[0].value
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in spec["model"]["merges"]]
    app = give(app, files | {"merges.txt": "\n".join(["#version: 0.2", *merges]).encode()})
    assert not app.error
    whole = chosen(give(part(opener), {"whole.json": json.dumps(spec).encode()}))
    assert chosen(app).name == "vocab.json" and chosen(app).encode(TEXT) == whole.encode(TEXT)
    record = app.session_state["kept"]["vocab.json"]
    assert unpack_kept(record.packed_record).tokenizer.encode(TEXT) == whole.encode(TEXT)


def test_a_damaged_file_is_named_again_while_only_what_belongs_to_it_is_added():
    app = give(part(opener), {"cut off.json": DAMAGED["cut off.json"]})
    app = give(app, {"cut off.json": DAMAGED["cut off.json"], "tokenizer_config.json": b'{"eos_token": "</s>"}'})
    assert app.code[0].value.startswith("cut off.json") and chosen(app) is None


@pytest.mark.slow
def test_the_rules_of_known_ranks_are_filled_in(tmp_path):
    path = tmp_path / "mine.tiktoken"
    tokviz.load("gpt2").save(path)
    app = give(part(opener), {"mine.tiktoken": path.read_bytes()})
    assert any("tokviz knows them: OpenAI, gpt2" in text.value for text in app.text)
    assert app.text_area[-1].value == "<|endoftext|> 50256" and chosen(app) is None
    made = chosen(button(app, "Open it").click().run())
    assert (made.split_pattern, made.special_tokens) == ("gpt2", {"<|endoftext|>": 50256})
    app = give(part(opener), {"own.tiktoken": BYTE_RANKS})
    assert any("own.tiktoken holds only ranks. Which rules" in text.value for text in app.text)
    assert app.text_area[-1].value == ""


def ways(app) -> list[str]:
    return next(group for group in app.button_group if group.key == "_open_way").options


@pytest.fixture
def found(tmp_path, spec) -> SearchResult:
    path = tmp_path / "small.gguf"
    path.write_bytes(byte_level_gguf(spec, tensors=1_000))
    return SearchResult(
        (LocalTokenizer("ada/small", "BPE", path.stat().st_size, path, path.resolve()),), is_complete=True
    )


def test_this_computer_is_searched_only_where_that_is_allowed_and_asked_for(found, monkeypatch):
    searched = []
    monkeypatch.setattr(local_opener, "search_for_tokenizers", lambda folders: searched.append(folders) or found)
    assert "Other programs" not in ways(part(opener))
    monkeypatch.setattr(local_opener, "has_same_machine_mark", lambda _: True)
    app = part(opener, _open_way="Other programs")
    assert "Other programs" in ways(app) and not searched
    assert any("Hugging Face: " in text.value for text in app.text)
    app = button(app, "Search this computer").click().run()
    assert len(searched) == 1 and not app.exception
    [shown] = [data for data in data_sent(app) if "tokenizers" in data and "search" in data]
    folder = str(found.tokenizers[0].path.parent)
    assert shown["tokenizers"] == [{"name": "ada/small", "family": "BPE", "size": "5 kB", "folder": folder}]
    monkeypatch.setattr(local_opener, "has_same_machine_mark", lambda _: False)
    assert "Other programs" not in ways(app.run()) and not app.exception


def test_only_a_file_that_this_session_has_found_is_opened_and_only_where_that_is_allowed(found, state, monkeypatch):
    message: dict[str, Any] = {"search": 1, "number": 0}
    monkeypatch.setattr(local_opener, "has_same_machine_mark", lambda _: True)
    local_opener._take_or_refuse_chosen_file(message)
    assert state.given_file is None  # nothing has been searched
    state.update(local_found=found, local_search=1)
    path = str(found.tokenizers[0].path)
    for wrong in ({"number": 1}, {"number": -1}, {"number": None}, {"number": path}, {"path": path, "search": 0}):
        message.update({"search": 1, "number": 0} | wrong)
        local_opener._take_or_refuse_chosen_file(message)
        assert state.given_file is None
    message.update(search=1, number=0)
    for name in ("has_same_machine_mark", "browser_is_on_this_computer"):
        with monkeypatch.context() as patch:
            patch.setattr(local_opener, name, lambda *_: False)
            local_opener._take_or_refuse_chosen_file(message)
        assert state.given_file is None
    local_opener._take_or_refuse_chosen_file(message)
    with found.tokenizers[0].path.open("rb") as file:
        assert state.given_file.data == header_bytes(file, "x") and state.given_file.name == "small.gguf"
    Path(found.tokenizers[0].path).unlink()
    local_opener._take_or_refuse_chosen_file(message)
    assert state.given_file is None and "ada/small is no longer where it was found: search again" in state.refused


def test_files_with_a_usual_name_are_named_after_their_model(spec):
    tokenizer, config = json.dumps(spec).encode(), b'{"_name_or_path": "ada/small-2.5", "eos_token": "<s>"}'
    app = give(part(opener), {"tokenizer (1).json": tokenizer, "config.json": config})
    assert chosen(app).name == "small-2.5"
    app = give(part(opener), {"mine.json": tokenizer, "tokenizer_config.json": config})
    assert chosen(app).name == "mine"
    app = give(part(opener), {"tokenizer.json": tokenizer, "config.json": b"[" * 100_000})
    assert chosen(app).name == "tokenizer.json"
    app = give(part(opener), {"ggml-model-Q4_K_M.gguf": byte_level_gguf(spec)})
    assert chosen(app).name == "made for a test"


@pytest.mark.parametrize("name", ["", ".", "./", "/", "ada/", 7, None])
def test_a_model_without_a_name_of_use_leaves_a_file_its_own(name):
    found = model_name_if_any(b"{}", "tokenizer.json", {"config.json": json.dumps({"_name_or_path": name}).encode()})
    assert found == ("ada" if name == "ada/" else "")


def test_a_renamed_tokenizer_has_its_new_name_everywhere_and_after_a_reload():
    kept = {name: kept_tokens(name, "words", ["low", "er", name]) for name in ("old words", "other words")}
    compared = ["gpt2", "old words", "other words"]
    app = opened(
        "app.py", "low", kept=kept, tokenizer="old words", compared=compared, reference="old words", _open_way="Rename"
    )
    fields = [field for field in app.text_input if field.label == "Name"]
    assert [field.value for field in fields] == ["other words", "old words"]
    app = fields[1].set_value("  new *words*\n").run()
    assert not app.exception
    state = app.session_state
    assert [*state["kept"]] == ["new *words*", "other words"]
    assert "old words" in state["kept"]["new *words*"].origin.tokens
    assert (state["tokenizer"], state["reference"]) == ("new *words*", "new *words*")
    assert state["compared"] == ["gpt2", "new *words*", "other words"]
    assert box(app.selectbox, "Tokenizer").value == "new *words*"
    tab = next(data["value"] for data in data_sent(app) if "lasting" in data)
    assert [unpack_kept(record).name for record in tab["tokenizers"]] == ["new *words*", "other words"]
    assert not app.switch_page("pages/compare.py").run().exception
    assert app.session_state["compared"] == ["gpt2", "new *words*", "other words"]


@pytest.mark.parametrize(
    ("typed", "name"), [("", "mine"), (" ", "mine"), ("mine", "mine"), ("gpt2", "gpt2 (2)"), ("other", "other (2)")]
)
def test_a_name_that_is_none_or_taken_is_not_given(typed, name):
    kept = {each: kept_tokens(each, "words", ["low", each]) for each in ("other", "mine")}
    app = part(opener, kept=kept, tokenizer="mine", _open_way="Rename")
    app = next(field for field in app.text_input if field.value == "mine").set_value(typed).run()
    assert [*app.session_state["kept"]] == ["other", name] and app.session_state["tokenizer"] == name
    assert [field.value for field in app.text_input if field.label == "Name"] == [name, "other"]
