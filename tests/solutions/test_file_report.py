"""Files that people wrote, right and with the mistakes they make, and what the check says of each."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from each import SLOW

from tokviz.solutions import encoding, pieces, questions, training
from tokviz.solutions.file_report import KINDS, file_report
from tokviz.solutions.outcomes import Outcome, outcomes_of
from tokviz.solutions.questions import Solution
from tokviz.solutions.solution import FUNCTIONS, GIVEN, MERGE, PATTERN, READY, RECOVER, STATS, TRAINED, TRAINING

SOLUTIONS = Path(__file__).parent / "solutions"
LECTURE, COURSE = "after_the_lecture.py", "of_the_course.py"


def changed(folder: Path, file: str, *changes: tuple[str, str]) -> str:
    """Return the path of a copy of a solution with a mistake in it."""
    code = (SOLUTIONS / file).read_text("utf-8")
    for right, wrong in changes:
        assert code.count(right) == 1
        code = code.replace(right, wrong)
    (folder / "solution.py").write_text(code, "utf-8")
    return str(folder / "solution.py")


def written(folder: Path, code: str) -> str:
    (folder / "solution.py").write_text(code, "utf-8")
    return str(folder / "solution.py")


def checked(check, path: str, name: str) -> list[Outcome]:
    """Return what a check says of something in a file."""
    with closing(Solution(path)) as solution:
        return [*outcomes_of(check, solution, name)]


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        (LECTURE, {STATS, MERGE, PATTERN, TRAINED, RECOVER}),
        pytest.param(COURSE, {PATTERN, TRAINING, GIVEN}, marks=pytest.mark.slow),
    ],
)
def test_a_right_solution_has_nothing_to_say_against(trained, monkeypatch, file, kinds):
    monkeypatch.setattr(pieces, "load", lambda _: trained)  # whose merges are quick to recover
    found = file_report(SOLUTIONS / file)
    assert found.is_right and {part.kind for part in found.parts} == kinds
    assert {*found.missing} == KINDS.keys() - kinds


@pytest.mark.slow
def test_a_right_solution_recovers_all_merges_of_cl100k():
    assert file_report(SOLUTIONS / LECTURE).is_right


def test_merges_that_are_not_recovered_are_named(trained, monkeypatch, tmp_path):
    monkeypatch.setattr(pieces, "load", lambda _: trained)
    path = written(tmp_path, "def recover_merges(mergeable_ranks): return {(0, 0): 256}\n")
    [found] = checked(pieces.recovered_merges_outcomes, path, "recover_merges")
    assert found.state == "differs" and "merge 1 of 344: yours is ((0, 0), 256), expected" in found.words


PAIR = "pair = max(stats, key=stats.get)"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("pair = max(reversed(stats), key=stats.get)", "the pair that first occurs last"),
        pytest.param("pair = max(stats, key=lambda p: (stats[p], p))", "the pair with the higher ids", marks=SLOW),
        pytest.param("pair = min(stats, key=lambda p: (-stats[p], p))", "the pair with the lower ids", marks=SLOW),
        ("pair = max(stats, key=lambda p: (stats[p], self.vocab[p[0]], self.vocab[p[1]]))", "greater pair of bytes"),
    ],
)
def test_another_rule_for_ties_is_named(tmp_path, wrong, words):
    path = changed(tmp_path, LECTURE, (PAIR, wrong))
    merges = next(
        each for each in checked(training.trainable_encoder_outcomes, path, "RegexTokenizer") if each.what == "merges"
    )
    assert merges.state == "differs" and "only a rule for ties decides" in merges.words
    assert "All your merges come from ties going to" in merges.words and words in merges.words.split("Expected")[0]
    assert "Expected is the pair that occurs first in the text" in merges.words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ("re.findall(self.pattern, text)]\n        self.vocab", "[text]]\n        self.vocab"),
            "All your merges come from training without a split pattern.",
        ),
        pytest.param(
            (PAIR, "pair = max(stats, key=lambda p: stats[p] + 3 * (p[0] > p[1]))"),
            "no other way of counting",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_is_no_tie_is_told(tmp_path, change, words):
    path = changed(tmp_path, LECTURE, change)
    merges = next(
        each for each in checked(training.trainable_encoder_outcomes, path, "RegexTokenizer") if each.what == "merges"
    )
    assert merges.state == "differs" and words in merges.words


def test_merges_in_the_wrong_order_while_encoding_are_found(tmp_path):
    path = changed(tmp_path, LECTURE, ("pair = min(stats, key=lambda p: self.merges.get(p, float(\"inf\")))",
                                       "pair = max(stats, key=lambda p: self.merges.get(p, -1))"))  # fmt: skip
    states = {each.what: each.state for each in checked(training.trainable_encoder_outcomes, path, "RegexTokenizer")}
    assert states["merges"] == states["round trip"] == "ok" and states["encode"] == "differs"


@pytest.mark.parametrize(
    ("change", "what", "state", "words"),
    [
        (
            ('errors="replace"', 'errors="ignore"'),
            "U+FFFD",
            "differs",
            "first [128]: yours gives '', expected '\ufffd'",
        ),
        (('errors="replace"', 'errors="strict"'), "U+FFFD", "failed", "UnicodeDecodeError: 'utf-8' codec can't decode"),
        pytest.param(
            ("[*self.merges]}", "[*self.merges][:-9]}"), "save and load", "differs", " texts, the first ", marks=SLOW
        ),
        (("Path(model_file)", "Path(model_file + 'x')"), "save and load", "failed", "load: FileNotFoundError"),
    ],
)
def test_decoding_and_saving_are_asked_too(tmp_path, change, what, state, words):
    path = changed(tmp_path, LECTURE, change)
    [found] = [
        each for each in checked(training.trainable_encoder_outcomes, path, "RegexTokenizer") if what in each.what
    ]
    assert found.state == state and words in found.words


BEST = "best = max(counts, key=lambda pair: (counts[pair], pair))"
CUT = "for part in split_special(text, special_tokens):\n        if part not in special_tokens:\n            for match"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            (BEST, "best = max(counts, key=counts.get)"),
            "ties going to the pair that occurs first in the text.",
        ),
        pytest.param(
            (BEST, "best = min(counts, key=lambda pair: (-counts[pair], pair))"),
            "the lexicographically smaller pair",
            marks=SLOW,
        ),
        pytest.param(
            (CUT, CUT.replace("(text, special_tokens)", "(text, [])")),
            "leaving the special tokens in the text.",
            marks=SLOW,
        ),
        ((CUT, CUT.replace("(text,", "(text.replace(special_tokens[0], ''),")), "removing the special tokens"),
    ],
)
def test_what_differs_from_the_course_is_explained(tmp_path, change, words):
    [merges, vocabulary] = checked(training.trainer_outcomes, changed(tmp_path, COURSE, change), "train_bpe")
    assert merges.state == "differs" and words in merges.words and vocabulary.state == "ok"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('tokens = [*(token.encode("utf-8") for token in special_tokens), *(', "tokens = [*("), "it lacks b'<|endo"),
        (("return dict(enumerate(tokens))", "return dict(enumerate(tokens, 1))"), "expected are the ids 0 to 316"),
    ],
)  # fmt: skip
def test_a_vocabulary_lacks_nothing_and_begins_at_0(tmp_path, change, words):
    [_, vocabulary] = checked(training.trainer_outcomes, changed(tmp_path, COURSE, change), "train_bpe")
    assert vocabulary.state == "differs" and words in vocabulary.words


LONGER = "special tokens, of which the longer wins"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "differ"),
    [
        (("yield from self.encode(text)", "yield from self.encode(text.strip())"), ["encode_iterable"]),
        (
            ("ids.append(self.ids[part", "ids.append(0 * self.ids[part"),
            ["special tokens", "special tokens that the vocabulary lacks", LONGER, "encode_iterable"],
        ),
    ],
)
def test_a_class_of_merges_that_encodes_otherwise_than_gpt2_is_found(tmp_path, change, differ):
    found = checked(encoding.vocabulary_encoder_outcomes, changed(tmp_path, COURSE, change), "Tokenizer")
    assert found[0].state == "ok" and [each.what for each in found if each.state == "differs"] == differ


@pytest.mark.slow
def test_decoding_laziness_and_special_tokens_of_ones_own_are_asked_too(tmp_path):
    path = changed(
        tmp_path,
        COURSE,
        ('decode("utf-8", errors="replace")', 'decode("utf-8", errors="ignore")'),
        ("longest_first = sorted(special_tokens, key=len, reverse=True)", "longest_first = special_tokens"),
        ("for text in iterable:", "for text in [*iterable]:"),
        ('self.ids[token.encode("utf-8")] = len', 'self.ids[token.encode("utf-8")] = 0 * len'),
    )
    found = checked(encoding.vocabulary_encoder_outcomes, path, "Tokenizer")
    assert [each.what for each in found if each.state == "differs"] == [
        "decode, with U+FFFD for bytes that are not UTF-8",
        "special tokens that the vocabulary lacks",
        LONGER,
        "encode_iterable",
    ]
    assert "all 1,000 texts were taken before the first" in found[-1].words


def test_pieces_are_checked_for_themselves(tmp_path):
    count_once = "for pair in {*pairwise(ids)}"
    path = changed(
        tmp_path,
        LECTURE,
        ("for pair in pairwise(ids):\n        counts", f"{count_once}:\n        counts"),
    )
    [counts] = checked(pieces.pair_counter_outcomes, path, "get_stats")
    assert counts.state == "differs" and "[1, 2, 3, 1, 2]" in counts.words
    path = written(tmp_path, "def merge(ids, pair, idx):\n    ids[:2] = [idx]\n    return ids\n")
    assert [each.state for each in checked(pieces.merge_function_outcomes, path, "merge")] == ["differs"]


def test_a_function_that_changes_its_list_is_told_so(tmp_path):
    path = changed(
        tmp_path,
        LECTURE,
        ("            i += 1\n    return new\n", "            i += 1\n    ids[:] = new\n    return new\n"),
    )
    [merge] = checked(pieces.merge_function_outcomes, path, "merge")
    assert merge.state == "differs" and "the list that was given is changed" in merge.words


@pytest.mark.parametrize(
    ("pattern", "what", "state"),
    [
        (r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", "cuts as gpt2 does", "ok"),
        (r"\w+|\W", "", "differs"),
        ("(a|", "pattern", "failed"),
    ],
)
def test_a_split_pattern_is_named_by_what_it_cuts(tmp_path, pattern, what, state):
    [found] = checked(pieces.split_pattern_outcomes, written(tmp_path, f"PAT = {pattern!r}\n"), "PAT")
    assert found.state == state and what in found.what


@pytest.mark.slow
def test_a_class_that_is_ready_is_held_against_the_nearest_encoding(tmp_path):
    code = """
import tiktoken
class GPT4Tokenizer:
    def __init__(self): self.inner = tiktoken.get_encoding("cl100k_base")
    def train(self, text, vocab_size): raise NotImplementedError
    def encode(self, text): return self.inner.encode_ordinary(text)
    def decode(self, ids): return self.inner.decode(ids)
"""
    found = file_report(written(tmp_path, code))
    [part] = found.parts
    assert part.kind == READY and part.outcomes[0].what == "encode and decode, as cl100k_base does" and found.is_right


def test_special_tokens_are_asked_of_a_class_that_allows_them(tmp_path):
    code = """
import tiktoken
class GPT4Tokenizer:
    def __init__(self): self.inner = tiktoken.get_encoding("cl100k_base")
    def encode(self, text, allowed_special="none"): return self.inner.encode_ordinary(text)
    def decode(self, ids): return self.inner.decode(ids)
"""
    path = written(tmp_path, code)
    assert [each.state for each in checked(encoding.ready_encoder_outcomes, path, "GPT4Tokenizer")] == [
        "ok",
        "ok",
        "differs",
    ]


def test_a_base_class_is_passed_over(tmp_path):
    path = written(
        tmp_path,
        "class Tokenizer:\n    def train(self, text, vocab_size): raise NotImplementedError\n"
        "    def encode(self, text): raise NotImplementedError\n    def decode(self, ids): raise NotImplementedError\n"
        "def get_stats(ids): return {}\n",
    )
    assert [part.name for part in file_report(path).parts] == ["get_stats"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def f(:\n", "cannot be imported: SyntaxError"),
        ("1 / 0\n", "cannot be imported: ZeroDivisionError: division by zero .line 1"),
        ("import sys\nsys.exit('bye')\n", "cannot be imported: SystemExit: bye"),
        ("import no_such_library\n", "No module named 'no_such_library'"),
        ("import os\nos.abort()\n", "cannot be imported: it crashed"),
        ("x = 1\n", "has nothing that can be checked"),
        ("input()\n", "cannot be imported: EOFError"),
        ("def train_bpe(input_path, vocab_size): pass\ntrain_bpe()\n", "missing 2 required .*line 2"),
    ],
)
def test_a_file_that_cannot_be_checked_is_refused_with_the_reason(tmp_path, code, words):
    with pytest.raises(ValueError, match=words):
        file_report(written(tmp_path, code))


def test_code_that_fails_is_told_with_its_line(tmp_path):
    path = changed(tmp_path, LECTURE, (PAIR, "pair = max(stats, key=self.missing)"))
    [found] = checked(training.trainable_encoder_outcomes, path, "RegexTokenizer")
    assert found.state == "failed" and "has no attribute 'missing' (line 45)" in found.words


NOTEBOOK = (
    """!wget https://example.org/story.txt
tokens = list(("low lower lowest; aaa aaaa " * 9).encode())""",
    """def get_stats(ids):
    counts = {}
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts""",
    """%%time
def merge(ids, pair, idx):
    new = []
    while ids:
        new.append(idx if tuple(ids[:2]) == pair else ids[0])
        ids = ids[2 if new[-1] == idx and tuple(ids[:2]) == pair else 1:]
    return new

if tokens:
    %timeit merge([5, 6, 6, 7], (6, 7), 99)
merge?""",
    """ids, merges = tokens, {}
for i in range(9):
    stats = get_stats(ids)
    pair = max(stats, key=stats.get)
    ids, merges[pair] = merge(ids, pair, 256 + i), 256 + i
vocab = {i: bytes([i]) for i in range(256)}
for (left, right), i in merges.items():
    vocab[i] = vocab[left] + vocab[right]""",
    "open('encoder.json')",
    """def decode(ids):
    return b"".join(vocab[i] for i in ids).decode("utf-8", errors="replace")""",
    """def encode(text):
    ids = list(text.encode("utf-8"))
    while len(ids) >= 2:
        pair = min(get_stats(ids), key=lambda p: merges.get(p, float("inf")))
        if pair not in merges:
            break
        ids = merge(ids, pair, merges[pair])
    return ids""",
)


def notebook(folder: Path, *cells: str) -> str:
    """Return the path of a notebook of these code cells, with one of words before them."""
    code = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    words = {"cell_type": "markdown", "source": ["Not code (1"]}
    (folder / "a.ipynb").write_text(json.dumps({"cells": [words, *code]}), "utf-8")
    return str(folder / "a.ipynb")


@pytest.mark.slow
def test_a_notebook_after_the_lecture_is_taken_as_its_cells_leave_it(tmp_path):
    found = file_report(notebook(tmp_path, *NOTEBOOK))
    assert found.is_right and [part.kind for part in found.parts] == [STATS, MERGE, FUNCTIONS]
    magic = "%time\nfiles = !ls\ndecode??\n" + NOTEBOOK[-1].replace("(text):", "(text):  # right?")
    found = file_report(notebook(tmp_path, "import sys\nsys.exit()", *NOTEBOOK[:-1], magic))
    assert found.is_right and len(found.parts) == 3
    bytes_only = NOTEBOOK[-1].replace("if pair not in merges", "if pair not in merges or 1")
    found = file_report(notebook(tmp_path, *NOTEBOOK[:-1], bytes_only))
    encode, decode = found.parts[-1].outcomes
    assert (encode.state, decode.state) == ("differs", "ok") and "as its merges do" in encode.what
    [outcome] = file_report(notebook(tmp_path, *NOTEBOOK, "merges = 3")).parts[-1].outcomes
    assert outcome.state == "failed" and "expected are merges" in outcome.words


@pytest.mark.parametrize("cells", [["1 / 0"], ["def f(:"], ["%%bash\nls -l | wc"]])
def test_a_notebook_with_nothing_to_check_is_refused(tmp_path, cells):
    with pytest.raises(ValueError, match="has nothing that can be checked"):
        file_report(notebook(tmp_path, *cells))


@pytest.mark.parametrize("text", ["{no", "[]", '{"worksheets": []}'])
def test_what_is_not_a_notebook_is_refused(tmp_path, text):
    (tmp_path / "a.ipynb").write_text(text)
    with pytest.raises(ValueError, match=r"cannot be imported: .* not a notebook, or one of an old version: save it"):
        file_report(tmp_path / "a.ipynb")


def test_code_that_does_not_end_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "SECONDS", 1.0)
    path = written(tmp_path, "import time\ndef get_stats(ids): time.sleep(999)\n")
    [found] = checked(pieces.pair_counter_outcomes, path, "get_stats")
    assert found.state == "failed" and "did not end within 1 seconds" in found.words


def test_a_file_that_trains_when_it_is_imported_is_told_where_to_put_that(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "SECONDS", 1.0)
    with pytest.raises(ValueError, match="did not end within 1 seconds; put what takes long under `if __name__"):
        file_report(written(tmp_path, "import time\ntime.sleep(999)\n"))


def test_what_returns_nothing_is_told_what_was_expected(tmp_path):
    code = """
def train_bpe(input_path, vocab_size, special_tokens): pass
class BasicTokenizer:
    def train(self, text, vocab_size): pass
    def encode(self, text): pass
    def decode(self, ids): pass
"""
    words = [part.outcomes[0].words for part in file_report(written(tmp_path, code)).parts]
    assert words == [
        "it returned None; expected are a vocabulary and merges",
        "encode returned None; expected is a list of ids",
    ]


def test_a_file_of_a_package_is_imported_as_a_part_of_it(tmp_path):
    package = tmp_path / "minbpe"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "base.py").write_text((SOLUTIONS / LECTURE).read_text("utf-8"), "utf-8")
    (package / "own.py").write_text(
        "from .base import RegexTokenizer\nclass Own(RegexTokenizer): pass\nprint('noise')\n"
    )
    [part] = file_report(package / "own.py").parts
    assert part.name == "Own" and {outcome.state for outcome in part.outcomes} == {"ok"}


def test_objects_that_only_their_file_knows_do_not_come_back(tmp_path):
    path = written(tmp_path, "class Odd: pass\ndef get_stats(ids): return {Odd(): 1}\n")
    [found] = checked(pieces.pair_counter_outcomes, path, "get_stats")
    assert found.state == "differs" and "Odd object" in found.words


def test_a_file_with_the_name_of_a_library_does_not_take_its_place(tmp_path):
    (tmp_path / "regex.py").write_text((SOLUTIONS / LECTURE).read_text("utf-8"), "utf-8")
    (tmp_path / "helper.py").write_text("ONE = 1\n")
    (tmp_path / "numpy.py").write_text("raise SystemExit('not numpy')\n")
    own = "import numpy, helper\nPAT = r'\\w+|\\W+'\nassert numpy.zeros(helper.ONE).sum() == 0\n"
    assert [part.name for part in file_report(written(tmp_path, own)).parts] == ["PAT"]
    [counts] = checked(pieces.pair_counter_outcomes, str(tmp_path / "regex.py"), "get_stats")
    assert counts.state == "ok"
