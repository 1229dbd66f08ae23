"""A count over files: the figures of whole texts, whatever the pieces, and turns for others in between."""

import threading

import pytest
from odd_texts import ODD

import tokviz
from tokviz.analysis.metrics import metrics, share_of_whole_words
from tokviz.analysis.unknown_text import unknown_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.families.teaching import listed
from tokviz.jobs import corpus_run
from tokviz.jobs.corpus_run import CorpusRun, file_figures, pieces
from tokviz.system.thread_turns import LONG_WORK

TEXTS = [*map(sample, SAMPLES), *ODD, "\x1c a\x1c\n b\u2028 c /d\n/e\r\n  f"]


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "words"])
@pytest.mark.parametrize("size", [1, 40, 50_000])
def test_figures_added_up_over_pieces_are_those_of_the_whole_text(monkeypatch, name, size):
    monkeypatch.setattr(corpus_run, "PIECE", size)
    tokenizer = listed("words", sample("english")) if name == "words" else tokviz.load(name)
    for text in TEXTS:
        text = text[:3_000]
        found, spans = file_figures("a", text, tokenizer), tokviz.text_spans(tokenizer, text)
        whole = metrics(spans.text, spans.ids.tolist())
        assert (found.n_tokens, found.n_chars, found.n_bytes) == (whole.n_tokens, whole.n_chars, whole.n_bytes)
        assert found.n_words == whole.n_words and found.unknown == unknown_text(tokenizer, spans)
        share = share_of_whole_words(spans)
        assert (found.n_whole_words is None) == (share is None)
        assert share is None or found.n_whole_words == round(share * found.n_words)


def test_a_long_text_is_counted_in_pieces_and_others_have_their_turns_in_between():
    text = sample("english") * 400
    assert len(list(pieces(text, tokviz.load("gpt2")))) > 5
    run = CorpusRun([("a", text)], [tokviz.load("gpt2")])
    shares = []

    def work():
        while not run.done and not run.at:
            run.wait(0.01)
        with LONG_WORK.turn("somebody"):
            shares.append(run.done)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert shares == [False] and run.wait(120) and not run.problems
