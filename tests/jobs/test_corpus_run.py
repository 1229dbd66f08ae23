"""A count over files: the figures of whole texts, whatever the pieces, and turns for others in between."""

import json
import threading

import pytest
from odd_texts import ODD
from vocabularies import NAMES

import tokviz
from tokviz.core.samples import SAMPLES, sample
from tokviz.families.teaching import list_tokenizer
from tokviz.jobs import corpus_run
from tokviz.jobs.corpus_run import CorpusRun, DocumentFiles, countable_pieces, file_figures
from tokviz.system.thread_turns import LONG_WORK
from tokviz.text.metrics import metrics, share_of_one_token_words
from tokviz.text.unknown_text import unknown_text_figures

TEXTS = [*map(sample, SAMPLES), *ODD, "\x1c a\x1c\n b\u2028 c /d\n/e\r\n  f"]


@pytest.mark.parametrize("name", [*NAMES, "words"])
@pytest.mark.parametrize("size", [1, 40, 50_000])
def test_figures_added_up_over_pieces_are_those_of_the_whole_text(monkeypatch, name, size):
    monkeypatch.setattr(corpus_run, "PIECE", size)
    tokenizer = list_tokenizer("words", sample("english")) if name == "words" else tokviz.load(name)
    for text in TEXTS:
        text = text[:1_000]
        found, spans = file_figures("a", text, tokenizer), tokviz.text_spans(tokenizer, text)
        whole = metrics(spans.text, spans.ids)
        assert (found.n_tokens, found.n_chars, found.n_bytes) == (whole.n_tokens, whole.n_chars, whole.n_bytes)
        assert found.n_words == whole.n_words and found.unknown == unknown_text_figures(tokenizer, spans)
        share = share_of_one_token_words(spans)
        assert (found.n_whole_words is None) == (share is None)
        assert share is None or found.n_whole_words == round(share * found.n_words)


@pytest.mark.slow
def test_a_long_text_is_counted_in_pieces_and_others_have_their_turns_in_between():
    text = sample("english") * 200
    assert len(list(countable_pieces(text, tokviz.load("gpt2")))) > 5
    run = CorpusRun([("a", text)], [tokviz.load("gpt2")])
    shares = []

    def work():
        while not run.is_done and not run.at:
            run.wait(0.01)
        with LONG_WORK.turn("somebody"):
            shares.append(run.is_done)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert shares == [False] and run.wait(120) and not run.problems


def run_of_lines(n_documents):
    lines = "\n".join(json.dumps({"text": f"{sample('english')} {number}"}) for number in range(n_documents)).encode()
    tokenizers = [tokviz.load("gpt2"), tokviz.load("o200k_base")]
    return CorpusRun([("a.jsonl", "low"), ("b.txt", "low lower")], tokenizers, DocumentFiles({"a.jsonl": lines}))


def test_each_line_is_a_document_and_so_is_each_other_file():
    run = run_of_lines(30)
    assert run.wait(120) and not run.problems and run.progress == 1
    for count in run.documents.values():
        expected = [count.tokenizer.encode(f"{sample('english')} {number}") for number in range(30)]
        expected.append(count.tokenizer.encode("low lower"))
        assert (count.tokens.n_documents, count.tokens.n_tokens) == (31, sum(map(len, expected)))
    assert run.document_at("a.jsonl", 30) == f"{sample('english')} 29" and run.document_at("b.txt", 1) == "low lower"
    for file, line in (("a.jsonl", 31), ("b.txt", 2), ("c.txt", 1)):
        with pytest.raises(KeyError, match=f"no document on line {line} of {file}"):
            run.document_at(file, line)


def test_a_count_that_is_stopped_has_the_same_documents_under_all_tokenizers():
    run = run_of_lines(3_000)
    while not run.is_done and not run.documents["gpt2"].tokens.n_documents:
        run.wait(0.01)
    run.stop()
    assert run.wait(60)
    first, second = (count.tokens.n_documents for count in run.documents.values())
    assert 0 < first == second < 3_000
