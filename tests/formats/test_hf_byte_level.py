"""tokenizer.json: ids and offsets are those of the `tokenizers` library, joined to Tokenizer or not."""

import base64
import hashlib
import inspect
import json
import resource
import sys
import time
from functools import partial
from itertools import product

import pytest
from each import each, quick
from hf_files import LLAMA3, QWEN2, byte_level, every_way, library_of, splitting
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import tokviz
from tokviz.core.bpe import parents
from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.core.samples import sample
from tokviz.core.spans import text_spans
from tokviz.formats.equivalence import probe_texts
from tokviz.formats.files import read_tokenizer, tokenizer_file_text
from tokviz.formats.huggingface.byte_alphabet import alphabet_bytes
from tokviz.formats.huggingface.byte_level import byte_level_tokenizer
from tokviz.formats.huggingface.library import Library, unmade_tokens
from tokviz.formats.huggingface.pre_tokenizer import byte_level_pattern
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.llama_cpp_patterns import PATTERNS
from tokviz.formats.wrong_files import library_refusal_error
from tokviz.system import foreign_engine
from tokviz.system.recent import Recent
from tokviz.text.unknown_text import unknown_text_figures
from tokviz.vocabulary.facts import vocabulary_facts

ByteLevel = pre_tokenizers.ByteLevel
BOS = "<|begin_of_text|>"
TEMPLATE = processors.TemplateProcessing(single=f"{BOS} $A", special_tokens=[(BOS, 0)])
DEEPSEEK = [one.replace(r"\r\n", "\r\n") for one in PATTERNS["deepseek-v3"]]  # as in its file: with real line ends
JOINED = {
    "gpt2": lambda: byte_level(),
    "gpt2, special tokens later": lambda: byte_level(special=(), later=("<|endoftext|>", "<|end", "<s> x")),
    "gpt2, merges as texts": lambda: as_texts(byte_level()),
    "gpt2, merges with a version": lambda: with_version(as_texts(byte_level())),
    "gpt2, the flag normalized": lambda: byte_level(special=(AddedToken("<|endoftext|>", normalized=True),)),
    "llama3": lambda: byte_level(splitting(LLAMA3), special=(BOS,), processor=TEMPLATE, ignore_merges=True),
    "llama3, every way": lambda: every_way(byte_level(splitting(LLAMA3), special=(BOS,), ignore_merges=True)),
    "qwen2, not normalised": lambda: byte_level(splitting(QWEN2)),
    "gpt-4, only what matches": lambda: byte_level(splitting(LLAMA3, "removed", invert=True)),
    "no split": lambda: byte_level(ByteLevel(add_prefix_space=False, use_regex=False)),
    "a token that always matches": lambda: not_special(byte_level(), "<|endoftext|>"),
    "one that always matches, others not": lambda: not_special(
        byte_level(splitting(QWEN2), special=("<|endoftext|>", "<think>", "<s> x")), "<think>"
    ),
    "several steps": lambda: byte_level(
        in_turn(
            pre_tokenizers.Punctuation("contiguous"),
            Split(Regex("[aeiou]"), "merged_with_previous"),
            Split("th", "merged_with_next", invert=True),
            pre_tokenizers.Digits(False),
            Split(Regex("[0-9][0-9]"), "isolated", invert=True),
            ByteLevel(False),
        )
    ),
    "digits first": lambda: byte_level(in_turn(pre_tokenizers.Digits(True), ByteLevel(False))),
    "deepseek-v3": lambda: byte_level(
        in_turn(*(Split(Regex(one), "isolated") for one in DEEPSEEK), ByteLevel(False, use_regex=False))
    ),
    "two rounds that never meet": lambda: byte_level(special=("<s> x", AddedToken("<|endoftext|>", normalized=True))),
    "a token that no merge makes": lambda: with_token(byte_level(), "theĠtheĠ"),
    "a token that no merge makes, taken whole": lambda: with_model(
        with_token(byte_level(ByteLevel(False, use_regex=False)), "theĠtheĠ"), ignore_merges=True
    ),
    "ids in another order than merges": lambda: shuffled(byte_level()),
    "NFC, as Qwen's": lambda: byte_level(splitting(QWEN2), normalizer=normalizers.NFC()),
    "NFKD in lower case": lambda: byte_level(normalizer=in_order(normalizers.NFKD(), normalizers.Lowercase())),
    "a space before what begins with none": lambda: byte_level(ByteLevel(add_prefix_space=True)),
    "a space before everything": lambda: byte_level(normalizer=normalizers.Prepend(" ")),
    "gaps in the split": lambda: byte_level(splitting(r"\p{L}+|[0-9]{2}")),
    "gaps, a version, special tokens later": lambda: with_version(
        as_texts(byte_level(splitting(r"\p{L}+|[0-9]{2}"), special=(), later=("<|endoftext|>", "<|end", "<s> x")))
    ),
}
Split = pre_tokenizers.Split
BEHIND = {
    "normalizer 'Strip'": lambda: byte_level(splitting(QWEN2), normalizer=normalizers.Strip()),
    "normalizer 'NFC' changes": lambda: byte_level(normalizer=in_order(normalizers.Lowercase(), normalizers.NFC())),
    "and its pre-tokenizer in bytes": lambda: byte_level(normalizer=normalizers.Replace(" ", "▁")),
    "searched for in the changed text": lambda: byte_level(
        special=(AddedToken("<é>", normalized=True),), normalizer=normalizers.NFC()
    ),
    "puts a space before each pretoken": lambda: byte_level(
        in_turn(Split(Regex("[aeiou]"), "isolated"), ByteLevel(True, use_regex=False))
    ),
    "splits bytes, after ByteLevel": lambda: byte_level(in_turn(ByteLevel(False), pre_tokenizers.Digits())),
    "splits by more than regular expressions": lambda: byte_level(
        in_turn(pre_tokenizers.UnicodeScripts(), ByteLevel(False))
    ),
    "drops text (Split, 'Removed')": lambda: byte_level(splitting(r"\s+", "removed")),
    "drops text (Punctuation, 'Removed')": lambda: byte_level(
        in_turn(pre_tokenizers.Punctuation("removed"), ByteLevel(False))
    ),
    "the flag lstrip": lambda: byte_level(special=(AddedToken("<mask>", lstrip=True),)),
    "the flag rstrip": lambda: byte_level(special=(AddedToken("<mask>", rstrip=True),)),
    "the flag single_word": lambda: byte_level(special=(AddedToken("<mask>", single_word=True),)),
    "two rounds": lambda: byte_level(special=("<a>", AddedToken("<a>>", normalized=True))),
    "end_of_word_suffix": lambda: with_model(byte_level(), end_of_word_suffix="</w>"),
    "read differently": lambda: byte_level(splitting(r"\w+|\W")),
    "twice, or without an id": lambda: made_twice(byte_level()),
    "tokens that no merge makes are taken whole": lambda: shuffled(
        with_model(with_token(byte_level(), "theĠtheĠ"), ignore_merges=True)
    ),
    "it has no merge of": lambda: never_made(byte_level()),
    "not written in bytes": lambda: with_token(byte_level(), "▁the"),
    "lacks the byte 244": lambda: without_byte(byte_level()),
}


def in_order(*steps):
    return normalizers.Sequence([*steps])


def made_twice(spec):
    return with_model(spec, merges=[*spec["model"]["merges"], spec["model"]["merges"][0]])


def in_turn(*steps):
    return pre_tokenizers.Sequence([*steps])


def with_model(spec, **changes):
    return spec | {"model": spec["model"] | changes}


def as_texts(spec):
    merges = [" ".join(pair) for pair in spec["model"]["merges"]]
    return with_model(spec, merges=merges)


def with_version(spec):
    return with_model(spec, merges=["#version: 0.2", *spec["model"]["merges"]])


def not_special(spec, name):
    added = [token | {"special": token["content"] != name} for token in spec["added_tokens"]]
    return spec | {"added_tokens": added}


def shuffled(spec):
    merges = spec["model"]["merges"]
    return with_model(spec, merges=[*merges[:100], merges[101], merges[100], *merges[102:]])


def never_made(spec):
    # Of a token made as ab + c the file says a + bc, which the merges before it never leave standing.
    merges, vocab = spec["model"]["merges"], spec["model"]["vocab"]
    for i, (left, right) in enumerate(merges):
        other = [left[0], left[1:] + right]
        if len(left) > 1 and vocab.get(other[1], 10**6) < vocab[left + right]:
            return with_model(spec, merges=[*merges[:i], other, *merges[i + 1 :]])
    raise AssertionError("no merge to change")


def with_token(spec, token):
    vocab = spec["model"]["vocab"]
    return with_model(spec, vocab=vocab | {token: len(vocab)})


def without_byte(spec):
    vocab = {token: i for token, i in spec["model"]["vocab"].items() if token != "ô"}
    return with_model(spec, vocab=vocab)


def read(spec, name="file"):
    return read_tokenizer(json.dumps(spec).encode(), f"{name}.json")


def same_as_the_library(tokenizer, spec, texts):
    without = {"post_processor": None}
    for allowed, library in (
        ("all", library_of(spec | without)),
        ((), library_of(spec | without, plain_special=True)),
    ):
        for text in map(well_formed_text, texts):
            expected = library.encode(text)
            spans = text_spans(tokenizer, text, allowed_special=allowed)
            assert tokenizer.encode(text, allowed_special=allowed) == spans.ids.tolist() == expected.ids
            if not isinstance(tokenizer, tokviz.Tokenizer) or tokenizer.normalizer.is_plain:
                assert list(zip(spans.char_starts.tolist(), spans.char_ends.tolist(), strict=True)) == expected.offsets


@pytest.mark.parametrize(
    "name",
    quick(
        JOINED,
        "llama3, every way",
        "gaps, a version, special tokens later",
        "NFC, as Qwen's",
    ),
)
def test_byte_level_bpe_joins_with_the_ids_and_offsets_of_the_library(name):
    spec = JOINED[name]()
    tokenizer = read(spec)
    assert isinstance(tokenizer, tokviz.Tokenizer) and tokenizer.name == "file"
    texts = [
        *ODD,
        *probe_texts(),
        "the the ",
        "the the the ",
        "a<|endoftext|>b <|end <s> x<|begin_of_text|><think>x</think> <think>",
    ]
    same_as_the_library(tokenizer, spec, texts)
    # The post-processor of the file adds its tokens only when asked to.
    assert library_of(spec).encode("plain", add_special_tokens=False).ids == tokenizer.encode("plain")
    assert tokviz.trace(tokenizer, "the theory").ids_at(len(tokenizer.merges)) == tokenizer.encode("the theory")
    assert read(json.loads(tokenizer_file_text(tokenizer, ".json"))) == tokenizer


BEHAVIORS = ("isolated", "contiguous", "merged_with_previous", "merged_with_next")
SPLITS = [Regex("[ab]"), Regex("a+|b"), Regex(r"\s+(?!\S)"), Regex("(?<=a)b"), "ab", "."]
STEPS = [
    *(Split(pattern, kept, invert=invert) for pattern in SPLITS for kept in BEHAVIORS for invert in (False, True)),
    *map(pre_tokenizers.Punctuation, BEHAVIORS),
    pre_tokenizers.Digits(True),
    pre_tokenizers.Digits(False),
]


def assert_cuts_alike(steps, text):
    spec = byte_level(in_turn(*steps, ByteLevel(False, use_regex=False)))
    library = [piece for piece, _ in in_turn(*steps).pre_tokenize_str(text)]
    assert pretokens(text, byte_level_pattern(spec["pre_tokenizer"])) == library


@pytest.mark.slow
@each("step", STEPS)
def test_a_step_of_any_behaviour_becomes_a_part_that_cuts_alike(step):
    assert_cuts_alike([step], "xaabab  ..!1²22 ab.\n\u2e52ก!?b a12 3x")
    assert_cuts_alike([step], "ab.1 xaab ")


@pytest.mark.slow
@given(st.lists(st.sampled_from(STEPS), min_size=2, max_size=3), st.text("aab  .!1²2\n\u2e52ก", max_size=12))
def test_so_do_several_steps_in_turn(steps, text):
    assert_cuts_alike(steps, text)


@given(st.text(max_size=30) | st.text("ab '\n\r12sStlL<|endoftext>", max_size=30))
def test_any_text_has_the_ids_and_offsets_of_the_library(hf_pair, text):
    for spec, tokenizer in hf_pair:
        same_as_the_library(tokenizer, spec, [text])


@pytest.fixture(scope="module")
def hf_pair():
    return [(spec, read(spec)) for spec in (JOINED["gpt2"](), JOINED["llama3"](), JOINED["NFC, as Qwen's"]())]


@pytest.mark.parametrize("reason", BEHIND)
def test_what_the_class_cannot_express_stays_behind_the_library_and_says_why(reason):
    spec = BEHIND[reason]()
    tokenizer = read(spec)
    assert isinstance(tokenizer, HFTokenizer) and reason in tokenizer.reason
    library = library_of(spec)
    for text in map(well_formed_text, [*ODD, "a <mask> b<|endoftext|>"]):
        assert tokenizer.encode(text, allowed_special="all") == library.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("pre_tokenizer", [ByteLevel(add_prefix_space=False), pre_tokenizers.Metaspace()])
def test_dropout_is_left_out_so_that_ids_are_always_the_same(pre_tokenizer):
    spec = byte_level(pre_tokenizer)
    tokenizer = read(with_model(spec, dropout=0.5))
    assert isinstance(tokenizer, HFTokenizer)
    assert "dropout 0.5, which leaves out merges at random in training; it is not used here" in tokenizer.reason
    text = sample("english")
    expected = library_of(spec).encode(text).ids
    assert all(tokenizer.encode(text) == expected for _ in range(3))


def of_characters(**model):
    """Return BPE of characters as Llama 2 has it, ▁ for spaces; `model` says what becomes of unknown ones."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never", split=True)
    bytes_of = [f"<0x{i:02X}>" for i in range(256)]
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=["<unk>", *bytes_of], show_progress=False)
    tokenizer.train_from_iterator([sample("english")], trainer)
    spec = json.loads(tokenizer.to_str())
    return with_model(spec | {"added_tokens": spec["added_tokens"][:1]}, **model)


@pytest.mark.parametrize(
    ("byte_fallback", "fuse_unk"), quick(product((True, False), repeat=2), (True, True), (False, False))
)
def test_unknown_characters_fall_back_or_fuse_as_the_file_says(byte_fallback, fuse_unk):
    spec = of_characters(byte_fallback=byte_fallback, fuse_unk=fuse_unk)
    tokenizer = read(spec)
    same_as_ids(tokenizer, spec, [*ODD, *probe_texts()])
    ids = tokenizer.encode("a☃☃")
    n_unknown = 0 if byte_fallback else 1 if fuse_unk else 2
    assert ids.count(tokenizer.unknown_id) == n_unknown
    if byte_fallback:
        assert b"".join(map(tokenizer.token_bytes, ids[-6:])) == "☃☃".encode()
    assert isinstance(tokenizer, tokviz.Tokenizer) == byte_fallback
    assert unknown_text_figures(tokenizer, text_spans(tokenizer, "a☃☃")).n_unknown == (0 if byte_fallback else 2)


@pytest.mark.parametrize("special", [True, False])
def test_added_tokens_are_decoded_to_what_they_match(special):
    contents = ["éà", "ĠĠé", "<é>", "Ċéx", "ไทย", "<s>", "\ue000"]
    add = "add_special_tokens" if special else "add_tokens"
    library = library_of(byte_level(splitting(r"\w+|\W")))  # which Tokenizer cannot express
    library.decoder = decoders.ByteLevel()
    getattr(library, add)([AddedToken(content, normalized=False) for content in contents])
    tokenizer = read(json.loads(library.to_str()))
    assert isinstance(tokenizer, HFTokenizer)
    for text in (*contents, "éà the ☃éàé <é>\ue000 Ċéx", "a éà b"):
        ids = tokenizer.encode(text, allowed_special="all")
        assert tokenizer.decode(ids) == text == text_spans(tokenizer, text, allowed_special="all").text
        assert b"".join(map(tokenizer.token_bytes, ids)) == text.encode()
    half = tokenizer.encode("☃")[:1]
    assert tokenizer.decode([*half, *tokenizer.encode("éà", allowed_special="all")]) == "\ufffdéà"


@pytest.mark.parametrize(
    ("decoder", "content"),
    [
        (decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]), "<▁>"),
        (decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]), "<0x41>"),
        (decoders.Metaspace(), "x▁"),
        (decoders.WordPiece(), "##x"),
        (decoders.BPEDecoder(suffix="</w>"), "x</w>"),
    ],
)
def test_no_decoder_reads_an_added_token_as_it_reads_the_vocabulary(decoder, content):
    library = library_of({"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})
    library.add_tokens([AddedToken(content, normalized=False)])
    library.decoder = decoder
    tokenizer = read(json.loads(library.to_str()))
    assert content in tokenizer.decode(tokenizer.encode(f"a{content}a"))


def test_only_two_digits_between_the_signs_are_a_byte_and_an_odd_token_spoils_nothing():
    odd = {"<0xzz>": b"<0xzz>", "<0xabc": b"<0xabc", "<0x41": b"<0x41", "<0x>": b"<0x>", "<0x+f>": b"<0x+f>"}
    vocab = {token: i for i, token in enumerate(["<unk>", "<0xE0>", "<0xe1>", *odd])}
    model = {"type": "BPE", "vocab": vocab, "merges": [], "unk_token": "<unk>", "byte_fallback": True}
    tokenizer = read({"version": "1.0", "model": model, "added_tokens": []})
    expected = {"<unk>": b"<unk>", "<0xE0>": b"\xe0", "<0xe1>": b"\xe1"} | odd
    assert {token: tokenizer.token_bytes(i) for token, i in vocab.items()} == expected
    assert vocabulary_facts(tokenizer).tokens == [*expected.values()]
    assert tokenizer.decode([*vocab.values()]) and text_spans(tokenizer, "<0xzz>").text == "<0xzz>"


@pytest.mark.parametrize("ignore_merges", [True, False])
def test_a_pretoken_in_the_vocabulary_is_taken_whole_only_where_the_file_says_so(ignore_merges):
    spec = with_token(byte_level(ignore_merges=ignore_merges), "qzqz")
    tokenizer = read(spec)
    same_as_ids(tokenizer, spec, ["qzqz", "qzqzq", " qzqz qzqz", *ODD])
    assert (tokenizer.encode("qzqz") == [spec["model"]["vocab"]["qzqz"]]) == ignore_merges


def same_as_ids(tokenizer, spec, texts):
    library = library_of(spec, plain_special=True)
    for text in map(well_formed_text, texts):
        assert tokenizer.encode(text) == text_spans(tokenizer, text).ids.tolist() == library.encode(text).ids


def test_llama_3_trims_offsets_after_the_fact():
    # Its post-processor takes the space off a token's offsets; ours are of the bytes the token holds.
    spec = byte_level(splitting(LLAMA3), processor=processors.ByteLevel(trim_offsets=True))
    spans = text_spans(read(spec), "the  theory")
    trimmed = library_of(spec).encode("the  theory").offsets
    for start, end, (first, last) in zip(spans.char_starts, spans.char_ends, trimmed, strict=True):
        assert "the  theory"[start:end].strip() == "the  theory"[first:last]


def other_model(model, trainer, **parts):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    for part, value in parts.items():
        setattr(tokenizer, part, value)
    tokenizer.train_from_iterator([tokviz.sample("english")], trainer)
    return json.loads(tokenizer.to_str())


def test_wordpiece_leaves_out_white_space_and_names_what_is_unknown():
    trainer = trainers.WordPieceTrainer(vocab_size=400, special_tokens=["[UNK]", "[SEP]"], show_progress=False)
    spec = other_model(models.WordPiece(unk_token="[UNK]"), trainer, normalizer=normalizers.BertNormalizer())
    tokenizer = read(spec)
    assert tokenizer.kind == "WordPiece" and tokenizer.special_tokens == {"[UNK]": 0, "[SEP]": 1}
    same_as_the_library(tokenizer, spec, [text for text in ODD if text.isascii()])
    spans = tokenizer.spans("The  CAFÉ ☃ [SEP]", allowed_special=["[SEP]"])
    pieces = [spans.text[a:b] for a, b in zip(spans.char_starts, spans.char_ends, strict=True)]
    assert "".join(pieces) == "TheCAFÉ☃[SEP]"
    assert spans.ids[spans.char_starts.tolist().index(spans.text.index("☃"))] == tokenizer.unknown_id == 0
    assert tokenizer.token_bytes(0) == b"[UNK]"
    assert tokenizer.decode(tokenizer.encode("the")) == "the"


def test_one_special_token_may_be_allowed_alone():
    spec = JOINED["gpt2, special tokens later"]()
    joined, behind = read(spec), HFTokenizer("behind", json.dumps(spec).encode())
    for allowed in (["<|end"], ["<s> x"], ["<s> x", "<|endoftext|>"], []):
        text = "<|end><s> x" if "<|end" in allowed else "<|endoftext|><|end<s> x"
        assert joined.encode(text, allowed_special=allowed) == behind.encode(text, allowed_special=allowed)
    with pytest.raises(ValueError, match=r"'<x>' is not a special token of behind, which has"):
        behind.encode("a", allowed_special=["<x>"])


def test_unknown_ids_are_refused_by_name():
    tokenizer = HFTokenizer("toy", json.dumps(JOINED["gpt2"]()).encode())
    assert tokenizer.decode([1, 2]) and 1 in tokenizer and 99_999 not in tokenizer
    for use in (lambda: tokenizer.decode([1, 99_999]), lambda: tokenizer.token_bytes(99_999)):
        with pytest.raises(KeyError, match="toy has no token 99999; ids run from 0 to"):
            use()
    spec = JOINED["gpt2"]()
    spec["model"]["vocab"]["<far>"] = 5_000
    with pytest.raises(KeyError, match=r"toy has no token 4999; the ids next to it are \d+ and 5000"):
        HFTokenizer("toy", json.dumps(spec).encode()).decode([4_999])


@given(st.data())
def test_merges_are_complete_if_they_name_the_pair_that_makes_each_token(data):
    spec = every_way(byte_level(ignore_merges=data.draw(st.booleans())))
    ranks = {alphabet_bytes(token): i for token, i in spec["model"]["vocab"].items() if token != "<|endoftext|>"}
    merges = spec["model"]["merges"]
    left_out = data.draw(st.sets(st.integers(0, len(merges) - 1), max_size=3))
    kept = [pair for i, pair in enumerate(merges) if i not in left_out]
    spec = with_model(spec, merges=kept)
    missing = {tuple(map(alphabet_bytes, merges[i])) for i in left_out}
    is_complete = missing.isdisjoint(parents(token, ranks) for token in ranks)
    try:
        tokenizer = byte_level_tokenizer("made", spec, partial(unmade_tokens, Library(spec)))
        assert tokenizer.mergeable_ranks == ranks and is_complete
    except ValueError as e:
        assert str(e).startswith("it has no merge of") and not is_complete


@pytest.mark.slow
def test_the_model_made_of_parts_is_the_one_that_the_library_reads_from_the_file():
    for make in (*JOINED.values(), *BEHIND.values(), of_characters):
        spec = make() | {"post_processor": None}
        assert Library(spec).plain_engine.to_str() == library_of(spec).to_str()


def hostile(**changes):
    return json.dumps(BEHIND["puts a space before each pretoken"]() | changes).encode()


REPLACE = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 20}


MEGABYTES = "a" * 9_000_000
CHARSMAP = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(b"\0\0\0\0" + b"a" * 300 + b"\0").decode()}
SMALL_CHARSMAP = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(b"\0\0\0\0aa\0").decode()}


ADDED = {"id": 900, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}


def nested_byte_levels(n):
    """Return n ByteLevels, each in a sequence with the rest."""
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    nested = level
    for _ in range(n - 1):
        nested = {"type": "Sequence", "pretokenizers": [level, nested]}
    return nested


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"model"', "line 1: not JSON from character 9 of the file on; it is cut off or damaged, so fetch"),
        (b'{"a":' * 100_000, "nested too deep"),
        (b"{}", "not a tokenizer.json: it has no model"),
        (b'{"model": {"type": "Magic"}}', "x.json: the tokenizers library does not take this file"),
        (hostile(normalizer={"type": "Precompiled", "precompiled_charsmap": "?"}), "does not take this file"),
        (hostile(model={"type": "WordLevel", "vocab": {MEGABYTES: 0}, "unk_token": "a"}), "a token of 9,000,000 "),
        (hostile(model={"type": "Unigram", "vocab": 5}), "does not take this file"),
        (hostile(added_tokens=[ADDED | {"content": MEGABYTES}]), "a token of 9,000,000 "),
        (hostile(model={"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}),
         "Token `b` out of vocabulary"),
        (hostile(model={"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"], "ab"]}),
         "does not take this file"),
        (hostile(model={"type": "BPE", "vocab": {"a": 0}, "merges": [], "fuse_unk": 1}), "does not take this file"),
        (hostile(added_tokens=[{"id": 900, "content": "<s>"}]), r"\('missing field `single_word`'\)$"),
        (hostile(model={"type": "BPE", "vocab": {"a": 4294967295}, "merges": []}), "id 4294967295 is over"),
        (hostile(model={"type": "WordLevel", "vocab": {"a": 0, "b": 2_000_000_000}, "unk_token": "a"}),
         "the id 2000000000 is far beyond its 3 tokens"),
        (hostile(pre_tokenizer={"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated", "invert": False}),
         r"^x.json: .*\('Oniguruma error: [^0-9]*'\)$"),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_damaged_and_hostile_files_are_refused_in_words(data, words):
    with pytest.raises(ValueError, match=words):
        read_tokenizer(data, "x.json")


def test_nesting_that_can_be_read_but_not_written_is_refused_in_words():
    most = sys.getrecursionlimit() - len(inspect.stack())  # what can be read ends some levels before
    begin = hostile(x=0)[:-2]
    for depth in range(most - 40, most):
        with pytest.raises(ValueError, match=r"nested too deep|does not take"):
            read_tokenizer(begin + b"[" * depth + b"]" * depth + b"}", "x.json")


def test_an_error_without_words_is_named_by_its_type():
    assert "('KeyError')" in str(library_refusal_error(KeyError(), "x.json"))


@pytest.mark.slow
def test_what_the_library_does_with_a_file_has_a_deadline(monkeypatch):
    monkeypatch.setattr(HFTokenizer, "seconds", 0.2)
    endless = {"type": "Split", "pattern": {"Regex": "a*a*c"}, "behavior": "Isolated", "invert": False}
    tokenizer = read_tokenizer(hostile(pre_tokenizer=endless), "slow.json")
    with pytest.raises(ValueError, match="slow on 1,502 characters did not end within"):
        tokenizer.encode("a" * 1500 + "bc")


@pytest.mark.parametrize(
    "changes",
    [
        {"normalizer": {"type": "Sequence", "normalizers": [REPLACE] * 9}},
        {"normalizer": {"type": "Prepend", "prepend": MEGABYTES}},
        {"normalizer": {"type": "Replace", "pattern": {"Regex": "x?"}, "content": MEGABYTES}},
        {"normalizer": {"type": "Sequence", "normalizers": [{"type": "ByteLevel"}] * 40}},
        {"normalizer": CHARSMAP},
        {"normalizer": {"type": "Sequence", "normalizers": [SMALL_CHARSMAP] * 2}},
        {"decoder": {"type": "Replace", "pattern": {"Regex": "x?"}, "content": MEGABYTES}},
        {"decoder": {"type": "Sequence", "decoders": [REPLACE] * 9}},
        {"pre_tokenizer": nested_byte_levels(40)},
        {"model": {"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "a", "max_input_chars_per_word": 10**9,
                   "continuing_subword_prefix": MEGABYTES}},
    ],
    ids=lambda changes: str(changes)[:40],
)  # fmt: skip
@pytest.mark.slow
def test_what_a_file_asks_for_is_bounded_where_it_happens(changes, monkeypatch):
    monkeypatch.setattr(HFTokenizer, "seconds", 1.0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    try:
        tokenizer = read_tokenizer(hostile(**changes), "x.json")
        assert tokenizer.decode(tokenizer.encode("aé " * 300)) is not None
    except ValueError as e:
        assert str(e).startswith(("x:", "x.json", "x on", "loading x"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000
    assert time.process_time() - begun < 2  # of this process; a child's are not counted


@pytest.mark.parametrize(("spec", "is_kept"), [(JOINED["gpt2"], False), (BEHIND["normalizer 'Strip'"], True)])
def test_where_a_file_is_read_only_a_library_that_goes_on_running_it_is_kept(spec, is_kept, monkeypatch):
    monkeypatch.setattr("tokviz.system.sandbox.inside", True)
    monkeypatch.setattr(foreign_engine, "_kept", Recent(6))
    data = json.dumps(spec()).encode()
    read_tokenizer(data, "x.json")
    kept = foreign_engine._kept.known_result((HFTokenizer.load, hashlib.sha256(data).hexdigest()))
    assert isinstance(kept, Library) == is_kept


def test_probes_have_one_deadline_for_all(monkeypatch):
    monkeypatch.setattr("tokviz.system.sandbox.inside", True)  # so that the next line holds where the file is read
    monkeypatch.setattr("tokviz.formats.huggingface.tokenizer_json.PROBE_SECONDS", -1.0)
    tokenizer = read(JOINED["gpt2"]())
    assert isinstance(tokenizer, HFTokenizer) and "trying it on some texts did not end" in tokenizer.reason


def test_a_panic_of_the_library_is_told_in_words():
    panics = {"type": "FixedLength", "length": 0}
    with pytest.raises(ValueError, match=r"x on 3 characters failed: .*chunk size"):
        read_tokenizer(hostile(pre_tokenizer=panics), "x.json").encode("abc")
