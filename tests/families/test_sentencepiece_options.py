"""What SentencePiece is trained with: the library's own results, its own defaults, and those of Llama 2."""

import io

import pytest
import sentencepiece
from google.protobuf import text_format
from sentencepiece.sentencepiece_model_pb2 import ModelProto, NormalizerSpec, TrainerSpec

from tokviz.core.samples import sample
from tokviz.families.library_training import train_sentencepiece
from tokviz.families.sentencepiece_options import (
    DEFAULTS,
    LLAMA_2,
    NORMALIZATION_RULES,
    NOT_TAKEN,
    OURS,
    non_default_trainer_options,
)

TEXT = "\n".join(
    (
        sample("english"),
        sample("python"),
        "On 24 March 2026 the ﬁrst ①②③ of 1,250  runners passed…   café, ﬀ, Ⅳ, １２３, ™",
        "        return None",
        "                ",
        "A page\x0cand\u2028a line; the end",
    )
    * 3
)
# What Llama 2's tokenizer.model says of its own training, without the names of its files.
LLAMA_2_TRAINER = """
    model_type: BPE vocab_size: 32000 self_test_sample_size: 0 input_format: "text" character_coverage: 0.99995
    input_sentence_size: 200000000 seed_sentencepiece_size: 1000000 shrinking_factor: 0.75 num_threads: 80
    num_sub_iterations: 2 max_sentence_length: 4192 shuffle_input_sentence: true max_sentencepiece_length: 16
    split_by_unicode_script: true split_by_whitespace: true split_by_number: true treat_whitespace_as_suffix: false
    split_digits: true allow_whitespace_only_pieces: true vocabulary_output_piece_score: true hard_vocab_limit: true
    use_all_vocab: false byte_fallback: true required_chars: "" unk_id: 0 bos_id: 1 eos_id: 2 pad_id: -1
    unk_surface: " \\342\\201\\207 " unk_piece: "<unk>" bos_piece: "<s>" eos_piece: "</s>" pad_piece: "<pad>"
    train_extremely_large_corpus: false enable_differential_privacy: false differential_privacy_noise_level: 0.0
    differential_privacy_clipping_threshold: 0
"""
LLAMA_2_NORMALIZER = """
    name: "identity" precompiled_charsmap: "" add_dummy_prefix: true remove_extra_whitespaces: false
    normalization_rule_tsv: ""
"""
SPECS = (TrainerSpec(), NormalizerSpec())
NORMAL = ModelProto.SentencePiece.NORMAL
# How much text there is, where it comes from, and how fast it is gone through.
OF_THE_RUN = {"vocab_size", "input_format", "input_sentence_size", "num_threads", "max_sentence_length"}


def pieces(model: bytes) -> list[tuple[str, float, int]]:
    return [(piece.piece, piece.score, piece.type) for piece in ModelProto.FromString(model).pieces]


def by_the_library(tmp_path, **flags: object) -> bytes:
    """Return the model that the published command trains on a file."""
    file = tmp_path / "text.txt"
    file.write_text(TEXT, encoding="utf-8")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(input=str(file), model_writer=model, minloglevel=3, **flags)
    return model.getvalue()


def test_as_llama_2_all_pieces_and_scores_are_those_of_the_published_command(tmp_path):
    expected = by_the_library(
        tmp_path,
        model_type="bpe",
        vocab_size=700,
        self_test_sample_size=0,
        input_format="text",
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        input_sentence_size=200_000_000,
        max_sentence_length=4192,
        seed_sentencepiece_size=1_000_000,
        shuffle_input_sentence=True,
        character_coverage=0.99995,
        byte_fallback=True,
        split_digits=True,
        split_by_unicode_script=True,
        split_by_whitespace=True,
        split_by_number=True,
        max_sentencepiece_length=16,
        add_dummy_prefix=True,
        allow_whitespace_only_pieces=True,
        unk_surface=" \u2047 ",
        unk_id=0,
        bos_id=1,
        eos_id=2,
        pad_id=-1,
        num_threads=2,
    )
    made = train_sentencepiece(TEXT, vocab_size=700, **LLAMA_2)
    assert pieces(made.data) == pieces(expected)
    library = sentencepiece.SentencePieceProcessor(model_proto=expected)
    for text in (TEXT, "  two  spaces, 2026\n\tand a tab ﬁ"):
        assert made.encode(text) == library.encode(text)


def values(spec: TrainerSpec | NormalizerSpec) -> dict[str, object]:
    return {f.name: getattr(spec, f.name) for f in spec.DESCRIPTOR.fields if f.name not in OF_THE_RUN}


def test_as_llama_2_a_model_says_of_its_training_what_llama_2s_says():
    made = ModelProto.FromString(train_sentencepiece(TEXT, vocab_size=700, **LLAMA_2).data)
    assert values(made.trainer_spec) == values(text_format.Parse(LLAMA_2_TRAINER, TrainerSpec()))
    assert values(made.normalizer_spec) == values(text_format.Parse(LLAMA_2_NORMALIZER, NormalizerSpec()))


def test_what_llama_2_chose_shows():
    llama, usual = (train_sentencepiece(TEXT, vocab_size=700, **options) for options in (LLAMA_2, {}))
    assert llama.decode(llama.encode("two  spaces ﬁ")) == "two  spaces ﬁ"
    assert usual.decode(usual.encode("two  spaces ﬁ")) == "two spaces fi"
    assert not any(
        len(token) > 1 and any(map(str.isdigit, token)) for token, _, kind in pieces(llama.data) if kind == NORMAL
    )
    assert any(token.strip("▁") == "" and len(token) > 3 for token, _, _ in pieces(llama.data))


def test_the_defaults_are_the_librarys_but_for_bytes_and_one_thread():
    made = ModelProto.FromString(train_sentencepiece(TEXT, vocab_size=700, byte_fallback=False).data)
    assert made.normalizer_spec.name == DEFAULTS["normalization_rule_name"] == "nmt_nfkc"
    library = {f.name: getattr(spec, f.name) for spec in SPECS for f in spec.DESCRIPTOR.fields}
    assert {"model_type", "normalization_rule_name", "byte_fallback", "num_threads"} == OURS.keys()
    for name in DEFAULTS.keys() - OURS.keys():
        assert DEFAULTS[name] == pytest.approx(library[name]), name


# One value for each option other than its default.
CHANGED = {
    "input_format": "text",
    "model_type": "char",
    "character_coverage": 0.99,
    "input_sentence_size": 120,
    "shuffle_input_sentence": False,
    "seed_sentencepiece_size": 900,
    "shrinking_factor": 0.6,
    "max_sentence_length": 60,
    "num_threads": 2,
    "num_sub_iterations": 3,
    "max_sentencepiece_length": 9,
    "split_by_unicode_script": False,
    "split_by_number": False,
    "split_by_whitespace": False,
    "treat_whitespace_as_suffix": True,
    "allow_whitespace_only_pieces": True,
    "split_digits": True,
    "pretokenization_delimiter": "|",
    "control_symbols": ["<a>", "a control"],
    "user_defined_symbols": ["<b>", "a,b"],
    "required_chars": "é☃",
    "byte_fallback": False,
    "vocabulary_output_piece_score": False,
    "hard_vocab_limit": False,
    "use_all_vocab": True,
    "unk_id": 3,
    "bos_id": -1,
    "eos_id": 4,
    "pad_id": 5,
    "unk_piece": "[UNK]",
    "bos_piece": "[CLS]",
    "eos_piece": "[SEP]",
    "pad_piece": "[PAD]",
    "unk_surface": " ? ",
    "auto_character_coverage": True,
    "accept_language": ["en", "th"],
    "self_test_sample_size": 5,
    "mining_sentence_size": 7,
    "training_sentence_size": 8,
    "train_extremely_large_corpus": True,
    "enable_differential_privacy": True,
    "differential_privacy_noise_level": 0.5,
    "differential_privacy_clipping_threshold": 2,
    "normalization_rule_name": "nfkc_cf",
    "add_dummy_prefix": False,
    "remove_extra_whitespaces": False,
    "escape_whitespaces": True,  # no training takes False
}
# The library draws lines by chance, or takes the first ones.
NEEDED = {"use_all_vocab": {"model_type": "word"}, "input_sentence_size": {"shuffle_input_sentence": False}}


@pytest.mark.parametrize("name", CHANGED)
def test_every_option_of_the_trainer_is_passed_on(tmp_path, name):
    options = {"model_type": "bpe"} | NEEDED.get(name, {}) | {name: CHANGED[name]}
    flags = {"byte_fallback": True, "num_threads": 1, "normalization_rule_name": "nmt_nfkc"} | options
    expected = by_the_library(tmp_path, vocab_size=700, **flags)
    made = train_sentencepiece(TEXT, vocab_size=700, **options).data
    assert pieces(made) == pieces(expected)
    of_the_run = {"input", "max_sentence_length"} - {name}
    assert {key: value for key, value in told(made).items() if key not in of_the_run} == {
        key: value for key, value in told(expected).items() if key not in of_the_run
    }
    # A model does not tell all of them.
    if name not in OURS and name != "escape_whitespaces":
        assert non_default_trainer_options(options, vocab_size=700)[name] == CHANGED[name]


def told(model: bytes) -> dict[str, object]:
    """Return what a model says of its training."""
    proto = ModelProto.FromString(model)
    return {f.name: getattr(spec, f.name) for spec in (proto.trainer_spec, proto.normalizer_spec)
            for f in spec.DESCRIPTOR.fields}  # fmt: skip


def test_no_option_of_the_trainer_is_forgotten():
    fields = {f.name for spec in SPECS for f in spec.DESCRIPTOR.fields} - {"name"} | {"normalization_rule_name"}
    assert fields == CHANGED.keys() | NOT_TAKEN.keys() and CHANGED.keys() == DEFAULTS.keys()


def test_the_options_of_the_tutorial_give_the_model_of_the_tutorial(tmp_path):
    tutorial = {
        "input_format": "text",
        "model_type": "bpe",
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "input_sentence_size": 200_000_000,
        "max_sentence_length": 4192,
        "seed_sentencepiece_size": 1_000_000,
        "shuffle_input_sentence": True,
        "character_coverage": 0.99995,
        "byte_fallback": True,
        "split_digits": True,
        "split_by_unicode_script": True,
        "split_by_whitespace": True,
        "split_by_number": True,
        "max_sentencepiece_length": 16,
        "add_dummy_prefix": True,
        "allow_whitespace_only_pieces": True,
        "unk_id": 0,
        "bos_id": 1,
        "eos_id": 2,
        "pad_id": -1,
        "num_threads": 2,
    }
    made = train_sentencepiece(TEXT, vocab_size=400, **tutorial)
    assert pieces(made.data) == pieces(by_the_library(tmp_path, vocab_size=400, **tutorial))


def test_a_default_that_is_given_changes_nothing():
    given = {name: value for name, value in DEFAULTS.items() if name != "max_sentence_length"}
    assert train_sentencepiece(TEXT, vocab_size=400, **given).data == train_sentencepiece(TEXT, vocab_size=400).data


def test_lines_longer_than_the_limit_that_is_given_are_left_out():
    text = "low lower lowest\n" * 9 + "xyz" * 2_000
    kept, left_out = (train_sentencepiece(text, vocab_size=275, **o) for o in ({}, {"max_sentence_length": 4192}))
    assert kept.unknown_id is not None and any(b"x" in kept.token_bytes(i) and i > 258 for i in kept.encode("xyz"))
    assert not any(b"x" in left_out.token_bytes(i) and i > 258 for i in left_out.encode("xyz"))


@pytest.mark.parametrize("model_type", ["bpe", "unigram", "word", "char"])
@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("low lower lowest " * 9, {"max_sentence_length": 20}, "^every line is too long: max_sentence_length is 20 "
         "bytes, and the shortest line has 153; leave that option out, or break the lines$"),
        ("ไทย" * 9 + "\n\n" + "x" * 30, {"max_sentence_length": 20}, "the shortest line has 30"),
        ("\x01 \u200b", {}, "^nothing of this text is left to train on: .* normalization drops$"),
        ("low ▅", {}, "^nothing of this text is left to train on: .* a ▅"),
        ("low lower", {"input_format": "tsv"}, "^with input_format tsv, each line must be a text, a tab and how often"),
        ("low\t0", {"input_format": "tsv"}, "at least 1$"),
    ],
)  # fmt: skip
def test_a_text_of_which_nothing_is_left_is_refused_in_words(model_type, text, options, words):
    with pytest.raises(ValueError, match=words):
        train_sentencepiece(text, vocab_size=290, model_type=model_type, **options)


@pytest.mark.parametrize(
    "options",
    [
        *({"normalization_rule_name": name} for name in NORMALIZATION_RULES),
        {"remove_extra_whitespaces": False},
        {"split_digits": True},
        {"allow_whitespace_only_pieces": True, "remove_extra_whitespaces": False},
        {"split_by_unicode_script": False},
        {"max_sentencepiece_length": 5},
        {"num_threads": 3},
        {"user_defined_symbols": ["<x>", "a,b", 'say "so"'.replace(" ", "▁"), "\n"]},
        {"unk_id": 3, "bos_id": -1, "eos_id": 2, "pad_id": 0},
        {"character_coverage": 0.98, "byte_fallback": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_every_option_is_the_librarys_own(tmp_path, model_type, options):
    flags = {"model_type": model_type, "byte_fallback": True, "num_threads": 1} | options
    expected = by_the_library(tmp_path, vocab_size=480, **flags)
    made = train_sentencepiece(TEXT, vocab_size=480, model_type=model_type, **options)
    assert pieces(made.data) == pieces(expected)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"normalization_rule_name": "nfd"}, "one of identity, nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf, not 'nfd'"),
        ({"max_sentencepiece_length": 0}, "max_sentencepiece_length must be a whole number between 1 and 512, not 0"),
        ({"max_sentencepiece_length": 2.5}, "whole number between 1 and 512, not 2.5"),
        ({"num_threads": 2_000}, "num_threads must be a whole number between 1 and 1024"),
        ({"split_digits": "yes"}, "split_digits must be True or False, not 'yes'"),
        ({"character_coverage": "most"}, "character_coverage must be a number between 0.98 and 1, not 'most'"),
        ({"unk_id": -1}, "unk_id must be a whole number between 0 and 399, not -1"),
        ({"pad_id": 400}, "pad_id must be a whole number between -1 and 399, not 400"),
        ({"pad_id": 1}, "bos_id and pad_id are the same, 1; give each its own id"),
        ({"user_defined_symbols": "<x>"}, "user_defined_symbols must be a list of names, not '<x>'"),
        ({"user_defined_symbols": [""]}, "a name in user_defined_symbols must be a str that is not empty"),
        ({"user_defined_symbols": ["a\0"]}, "contains no NUL"),
        ({"user_defined_symbols": ["\ud83d"]}, "a name in user_defined_symbols must be a str"),
        ({"user_defined_symbols": ["New York"]}, "writes a space as ▁; write 'New▁York'"),
        ({"user_defined_symbols": ["<x>", "<x>"]}, "'<x>' is a token already"),
        ({"user_defined_symbols": ["<unk>"]}, "'<unk>' is a token already"),
        ({"user_defined_symbols": ["<0x41>"]}, "'<0x41>' is a token already"),
        ({"control_symbols": ["<x>"], "user_defined_symbols": ["<x>"]}, "'<x>' is a token already"),
        ({"unk_piece": "\ud83d"}, "unk_piece must be a str that contains no NUL"),
        ({"input_format": "csv"}, "input_format must be one of text, tsv, not 'csv'"),
        ({"shrinking_factor": float("nan")}, "shrinking_factor must be a number between 0.5 and 0.95, not nan"),
        ({"seed_sentencepiece_size": 2**31}, "whole number between -2147483648 and 2147483647, not 2147483648"),
        ({"input_sentence_size": 10}, "SentencePiece cannot train with these options: .*input_sentence_size"),
        ({"escape_whitespaces": False}, "SentencePiece cannot train with these options: .*escape_whitespaces"),
        ({"input": "/etc/passwd"}, "input is not an option here: the text itself is the first argument"),
        ({"model_prefix": "m"}, "model_prefix is not an option here: the model is returned"),
        ({"normalization_rule_tsv": "/etc/passwd"}, "a training reads no files but the text it is given"),
        ({"seed_sentencepieces_file": "/etc/passwd"}, "a training reads no files but the text it is given"),
        ({"precompiled_charsmap": b""}, "SentencePiece derives it from normalization_rule_name"),
        ({"user_defined_symbols": [f"<{i}>" for i in range(200)]}, "too small: this text needs"),
    ],
)  # fmt: skip
def test_values_that_sentencepiece_cannot_use_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        train_sentencepiece(sample("english"), vocab_size=400, **options)


def test_an_option_that_does_not_exist_is_named():
    with pytest.raises(
        TypeError, match="'normalization' is not an option of SentencePiece's trainer; there are input_format"
    ):
        train_sentencepiece("a", vocab_size=300, normalization="nfkc")


def test_a_user_defined_symbol_is_one_token_wherever_it_stands():
    made = train_sentencepiece(TEXT, vocab_size=600, user_defined_symbols=["<x>", "New▁York"])
    for symbol, text in (("<x>", "a<x>b <x>"), ("New York", "in New York, New York")):
        assert [made.token_bytes(i) for i in made.encode(text)].count(symbol.encode()) == 2
