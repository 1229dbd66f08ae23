"""The hub: off by default, and without a network it says so; nothing is fetched in these tests."""

import io
import urllib.error

import pytest

from tokviz.formats.minbpe import MAX_FILE_BYTES
from tokviz.server import hub


@pytest.fixture
def asked(monkeypatch):
    """Switch the hub on, with a stand-in for the network: addresses asked for, and what they give."""
    monkeypatch.setenv("TOKVIZ_HUB", "1")
    given: dict[str, object] = {}

    def urlopen(address, timeout):
        value = given.get(address.removeprefix("https://huggingface.co/"), 404)
        if isinstance(value, int):
            raise urllib.error.HTTPError(address, value, "no", None, None)
        if isinstance(value, Exception):
            raise value
        return io.BytesIO(value)

    monkeypatch.setattr(hub.urllib.request, "urlopen", urlopen)
    return given


def test_it_is_off_unless_switched_on(monkeypatch):
    monkeypatch.delenv("TOKVIZ_HUB", raising=False)
    monkeypatch.setattr(hub.urllib.request, "urlopen", lambda *_, **__: pytest.fail("asked the network"))
    with pytest.raises(ValueError, match=r"off: this server fetches nothing. .* TOKVIZ_HUB=1"):
        hub.fetch_tokenizer_file_from_hub("gpt2")


def test_a_repository_gives_its_tokenizer_json_or_else_its_sentencepiece_model(asked):
    asked["a/b/resolve/main/tokenizer.json"] = b"{}"
    asked["c/resolve/main/tokenizer.model"] = b"\nxyz"
    assert hub.fetch_tokenizer_file_from_hub("a/b") == ("tokenizer.json", b"{}")
    assert hub.fetch_tokenizer_file_from_hub("c") == ("tokenizer.model", b"\nxyz")


@pytest.mark.parametrize("name", ["", "a/b/c", "../a", "a/..", "http://x", "a b", "a?b", "a" * 100, "ก"])
def test_what_is_not_a_name_is_not_asked_for(asked, name):
    with pytest.raises(ValueError, match="is not the name of a repository"):
        hub.fetch_tokenizer_file_from_hub(name)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (404, r"gives no tokenizer.json or tokenizer.model of a/b \(HTTP 404\)"),
        (401, r"\(HTTP 401\): .* needs a login"),
        (urllib.error.URLError("Name or service not known"), "cannot be reached .*: check the network, and try again"),
        (TimeoutError("timed out"), "cannot be reached"),
        (b" " * (MAX_FILE_BYTES + 1), "has over 50,000,000 bytes"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_goes_wrong_is_said_in_words(asked, reply, words):
    asked["a/b/resolve/main/tokenizer.json"] = reply
    with pytest.raises(ValueError, match=words):
        hub.fetch_tokenizer_file_from_hub("a/b")
