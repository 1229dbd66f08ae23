"""Trainings in other processes of other kinds than plain: superwords in the end, and languages that take turns."""

import pytest
import trainings
from processes import SECONDS

import tokviz
from tokviz.core.samples import sample
from tokviz.core.steps import ACROSS, WHOLE
from tokviz.corpus.counting import pretoken_counts
from tokviz.languages.table import parallel_sentences
from tokviz.training.held_out import split_held_out
from tokviz.training.parity.parity_aware import ParityAware
from tokviz.training.superwords import SUPERWORDS, Superwords

TEXT = sample("english")


def task(texts=(TEXT,), **settings):
    return trainings.task(texts, **{"vocab_size": 600, "min_count": 2, "counts_bytes_max": 10**6} | settings)


def ended(job):
    assert job.wait(SECONDS) and job.problem is None
    return job


@pytest.mark.parametrize("hold_out", [pytest.param(False, marks=pytest.mark.slow), True])
def test_superwords_are_those_of_the_package_and_say_what_they_save(queue, hold_out):
    job = ended(queue.submit(task(way=Superwords(500), hold_out=hold_out, special_tokens=["<s>"])))
    rest, held = split_held_out(TEXT) if hold_out else (TEXT, "")
    options = {"vocab_size": 600, "min_count": 2, "split_pattern": "gpt2"}
    across = tokviz.train_superwords(rest, superwords_from=500, **options, special_tokens=["<s>"])
    plain = tokviz.train(rest, **options)
    trained, origin = job.kept_tokenizer(), job.kept_tokenizer().origin
    assert trained.tokenizer == across and trained.tokenizer.split_pattern == SUPERWORDS
    assert (origin.n_inside_words(), origin.plan.split_pattern) == (244, "gpt2")
    assert origin.baseline.n_tokens == len(plain.encode(rest)) > origin.steps[-1].n_tokens
    assert list(origin.counts) == [WHOLE, ACROSS]
    assert origin.counts[ACROSS] == pretoken_counts([rest], SUPERWORDS)
    assert origin.n_bytes == len(rest.encode())
    if hold_out:
        assert origin.baseline.n_held_out == len(plain.encode(held))
        assert origin.held_out.n_bytes == len(held.encode())
        assert origin.held_out.n_tokens[243] == len(plain.truncated(244).encode(held))
        assert origin.held_out.n_tokens[-1] == len(across.encode(held))
    else:
        assert origin.baseline.n_held_out is origin.held_out is None


@pytest.mark.slow
def test_superwords_go_on_from_a_tokenizer(queue):
    start = tokviz.train(TEXT, vocab_size=400, split_pattern="o200k", name="start")
    job = ended(queue.submit(task(way=Superwords(450), vocab_size=500, split_pattern="o200k", start=start)))
    options = {"superwords_from": 450, "vocab_size": 500, "min_count": 2}
    assert job.kept_tokenizer().tokenizer == tokviz.train_superwords(TEXT, **options, start=start)
    assert job.kept_tokenizer().origin.n_inside_words() == 50 and job.n_merges == 100


@pytest.mark.slow
def test_a_first_stage_that_ends_early_says_when(queue):
    job = ended(queue.submit(task(["a b a b"], way=Superwords(580), split_pattern=r"\w|\s", min_count=2)))
    assert [(step.token_bytes, step.part) for step in job.steps] == [(b"a ", ACROSS), (b"a b", ACROSS)]


TEXTS = {"English": sample("english"), "Thai": sample("thai"), "Chinese": sample("chinese")}
NAMES = {"en": "English", "th": "Thai", "zh-Hans": "Chinese"}
SENTENCES = tuple({NAMES[code]: text for code, text in each.items()} for each in parallel_sentences(NAMES))


def by_language(**settings):
    documents = {language: [text[::2], text[1::2]] for language, text in TEXTS.items()}
    return task(documents, split_pattern="o200k", way=ParityAware(SENTENCES), **settings)


def test_languages_take_turns_as_in_the_package(queue):
    origin = ended(queue.submit(by_language())).kept_tokenizer().origin
    texts = {language: [text[::2], text[1::2]] for language, text in TEXTS.items()}
    steps = tokviz.parity_aware_steps(texts, SENTENCES, vocab_size=600, min_count=2, split_pattern="o200k")
    assert list(origin.steps) == list(steps)
    assert origin.languages == list(dict.fromkeys(step.language for step in origin.steps))
    assert set(origin.languages) == set(TEXTS)
    assert origin.counts == {name: pretoken_counts(some, "o200k") for name, some in texts.items()}
    assert origin.n_bytes == sum(len(text.encode()) for text in TEXTS.values())
    assert origin.plan.way.sentences == SENTENCES and origin.baseline is None


def test_what_turns_out_impossible_is_reported(queue):
    job = queue.submit(task({"en": ["low"], "th": ["ก"]}, way=ParityAware([{"en": "low"}])))
    assert job.wait(SECONDS) and "no sentence is in th" in job.problem
    job = queue.submit(task({"en": ["low"], "th": [""]}, way=ParityAware([{"en": "low", "th": "ก"}])))
    assert job.wait(SECONDS) and "there is no text in th" in job.problem
