"""nanochat's tokenizer.pkl, read for its data: the ids of the pickled encoding; any other pickle is refused."""

import collections
import os
import pickle
import sys
import tempfile

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from many_texts import many_texts

from tokviz import Tokenizer, trace
from tokviz.formats.files import read_tokenizer
from tokviz.formats.nanochat import pickled_encoding_parts
from tokviz.system.sandbox import SandboxError

NANOCHAT = (  # as in nanochat/tokenizer.py
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,2}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)
RANKS = {bytes([i]): i for i in range(256)}


def encoding(ranks: dict[bytes, int] = RANKS, pattern: str = ".", **special: int) -> tiktoken.Encoding:
    return tiktoken.Encoding("rustbpe", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_a_pickled_encoding_has_its_ids(trained, protocol):
    library = encoding(trained.mergeable_ranks, NANOCHAT, **{"<|bos|>": 600, "<|user_start|>": 601})
    tokenizer = read_tokenizer(pickle.dumps(library, protocol), "tokenizer.pkl")
    assert isinstance(tokenizer, Tokenizer) and tokenizer.name == "tokenizer"
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode_ordinary(text)
    text = "a<|bos|><|user_start|>b"
    assert tokenizer.encode(text, allowed_special="all") == library.encode(text, allowed_special="all")
    assert trace(tokenizer, "the others").tokens_at(len(tokenizer.merges))[-1] == 10


WAS_HERE = os.path.join(tempfile.gettempdir(), f"tokviz-was-here-{os.getpid()}")


class Evil:
    def __reduce__(self):
        return os.mkdir, (WAS_HERE,)


GOOD = {"name": "x", "pat_str": ".", "mergeable_ranks": RANKS, "special_tokens": {}}
DATA = pickle.dumps(encoding())
PICKLES = {
    "evil": pickle.dumps(Evil()),
    "evil in the state": pickle.dumps(encoding()).replace(b"\x8c\x01.\x94", pickle.dumps(Evil(), 3)[2:-1]),
    "another class": pickle.dumps(collections.OrderedDict(a=tiktoken.Encoding)),
    "a list": pickle.dumps([encoding()]),
    "two encodings": pickle.dumps((encoding(), encoding())),
    "the class alone": pickle.dumps(tiktoken.Encoding),
    "nothing": b"\x80\x04\x8c\x0dtiktoken.core.",
    "a tuple": b"\x80\x04\x8c\rtiktoken.core\x94)\x81.",
    "another class of tiktoken": pickle.dumps(encoding()).replace(b"Encoding", b"Encodinh"),
    "made in another way": pickle.dumps(encoding()).replace(b")\x81", b"}\x81"),
    "never built": pickle.dumps(encoding()).replace(b"ub.", b"u."),
    "made and not built": DATA[: DATA.index(b")\x81") + 2] + b".",
    "built of a number": DATA[: DATA.index(b")\x81") + 2] + b"K\x01b.",
    "another object below": DATA[:2] + b"}" + DATA[2:],
    "one object more": pickle.dumps(encoding()).replace(b")\x81", b"))\x81"),
}


@pytest.mark.parametrize("name", PICKLES)
def test_any_other_pickle_is_refused_and_never_opened(name):
    data = PICKLES[name]
    with pytest.raises(ValueError, match=r"^x\.pkl: (a pickled|damaged)") as refused:
        read_tokenizer(data, "x.pkl")
    with pytest.raises(ValueError, match=r"^(a pickled|damaged)"):
        pickled_encoding_parts(data)
    assert len(str(refused.value)) < 300
    assert not os.path.exists(WAS_HERE)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pat_str": 1}, "expected a pat_str"),
        ({"mergeable_ranks": {"a": 1}}, "expected a pat_str, mergeable_ranks"),
        ({"mergeable_ranks": {b"a": "1"}}, "expected a pat_str, mergeable_ranks"),
        ({"special_tokens": {b"a": 1}}, "and special_tokens"),
        ({"mergeable_ranks": {b"a": 1}}, "lacks the byte 0"),
        ({"pat_str": "(a"}, "not a regular expression"),
    ],
)
def test_an_encoding_of_anything_else_is_refused(change, words):
    data = pickle.dumps(encoding(RANKS | {b"ab": 256}, **{"<s>": 257}))
    state = GOOD | change
    frame = pickle.dumps(state, 4)
    body = frame[frame.index(b"}") :]
    start = data[: data.index(b"\x81") + 1]
    with pytest.raises(ValueError, match=rf"^x\.pkl: .*{words}"):
        read_tokenizer(start[:2] + start[11:] + body[:-1] + b"b.", "x.pkl")


@pytest.mark.parametrize("size", [len(DATA) - 1, 500, 100])
def test_a_pickle_that_is_cut_off_is_to_be_fetched_again(size):
    with pytest.raises(ValueError, match=r"^x\.pkl: damaged or cut off; fetch it again"):
        read_tokenizer(DATA[:size], "x.pkl")


def test_an_encoding_by_name_is_refused_in_words():
    data = pickle.dumps(tiktoken.get_encoding("cl100k_base"))
    with pytest.raises(ValueError, match="it only names the encoding 'cl100k_base' of tiktoken, and holds no tokens"):
        read_tokenizer(data, "tokenizer.pkl")


MADE = b"\x80\x04\x8c\rtiktoken.core\x94\x8c\x08Encoding\x94\x93)\x81"  # up to where an empty encoding is made


@given(st.binary(max_size=200))
def test_any_bytes_behind_the_class_are_refused(data):
    with pytest.raises(ValueError, match=r"^x\b"):
        read_tokenizer(MADE + data, "x")


TUPLES = b")" + b"\x85" * 200_000  # one inside the other
DOUBLED = b")" + b"2\x86" * 60  # each of the one before, twice: 2 ** 60 to go through
ENDLESS = {
    "a place in the memo": (b"r\xff\xff\xff\xff.", "memory"),
    "bytes": (b"\x8e" + b"\xff" * 7 + b"\x0f.", "memory"),
    "a deep key": (b"}(" + TUPLES + b"K\x01ub.", "crash"),
    "a doubled key": (b"}(" + DOUBLED + b"K\x01ub.", "time"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_a_pickle_that_asks_for_too_much_ends_at_a_limit(name, monkeypatch):
    monkeypatch.setattr("tokviz.formats.files.READ_SECONDS", 1.0)
    more, why = ENDLESS[name]
    with pytest.raises(SandboxError) as ended:
        read_tokenizer(MADE + more, "x.pkl")
    assert ended.value.why == why


def test_every_name_but_that_of_the_class_is_refused_before_it_is_looked_up(tmp_path, monkeypatch):
    (tmp_path / "trap.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(tmp_path)
    for named in (b"ctrap\nx\n", b"itrap\nx\n", b"\x8c\x04trap\x8c\x01x\x93", b"ctiktoken.core\nEncoding.decode\n"):
        with pytest.raises(ValueError, match=r"^a pickled file other .* \('it names (trap\.x|tiktoken)"):
            pickled_encoding_parts(MADE + b"(" + named + b"b.")
    assert "trap" not in sys.modules


def test_what_a_pickle_does_to_the_class_stays_with_it():
    changed = b"\x80\x04\x8c\rtiktoken.core\x94\x8c\x08Encoding\x94\x93N}\x8c\x05stateK\x01s\x86b."
    with pytest.raises(ValueError, match=r"^damaged: "):
        pickled_encoding_parts(changed)
    assert pickled_encoding_parts(DATA) == (".", RANKS, {})
