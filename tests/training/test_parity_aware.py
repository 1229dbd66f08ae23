"""Parity-aware training: the merges of a naive one, plain training as its limits, and what it does for languages."""

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokviz
from tokviz.core.pretokens import pretokens
from tokviz.core.samples import sample
from tokviz.core.steps import WHOLE, TrainStep
from tokviz.languages.parity import language_costs
from tokviz.languages.table import parallel_sentences
from tokviz.training.naive import merged_tokens, naive_tokens, pair_counts
from tokviz.training.parity.language_pairs import DEFAULT_VARIANT, ParityVariant
from tokviz.training.parity.parity_aware import parallel_texts, parity_aware_steps, train_parity_aware

SAMPLES = {"en": sample("english"), "th": sample("thai"), "zh-Hans": sample("chinese")}


def naive_parity_steps(texts, sentences, n_merges, *, min_count=1, variant=DEFAULT_VARIANT, start=None):
    """Count everything anew at every step; texts and sentences are lists of pretokens by language."""
    ranks = start.mergeable_ranks if start else {bytes([i]): i for i in range(256)}
    tokens = {token_id: token for token, token_id in ranks.items()}

    def corpus(by_language):
        return {
            language: [[ranks[token] for token in naive_tokens(each.encode(), ranks)] for each in each_text]
            for language, each_text in by_language.items()
        }

    corpora, parallel = corpus(texts), sentences and corpus(sentences)
    n_bytes = {language: sum(len(each.encode()) for each in text) for language, text in texts.items()}
    latest = deque(maxlen=variant.window)
    for rank in range(n_merges):

        def cost(language):
            n_tokens = sum(map(len, (parallel or corpora)[language]))
            return n_tokens if parallel else n_tokens / n_bytes[language]

        def waits(language):
            return latest.count(language) > variant.alpha * variant.window / len(texts)

        turns = sorted(texts, key=lambda language: (waits(language), -cost(language)))
        of_all = [pretoken for text in corpora.values() for pretoken in text]
        for language in [None] if rank < variant.n_global else turns:
            counts = pair_counts(of_all if language is None else corpora[language])
            pair = max(counts, key=counts.get, default=None)
            if pair is not None and counts[pair] >= min_count:
                break
        else:
            return
        new = (start.n_vocab if start else 256) + rank
        tokens[new] = tokens[pair[0]] + tokens[pair[1]]
        for every in (corpora, parallel or {}):
            for one, text in every.items():
                every[one] = [merged_tokens(ids, pair, new) for ids in text]
        if language is not None:
            latest.append(language)
        n_tokens = sum(len(ids) for text in corpora.values() for ids in text)
        yield TrainStep(rank, pair, new, tokens[new], counts[pair], n_tokens, n_merges, language or WHOLE)


WORDS = st.text(alphabet="abก你 ", min_size=1, max_size=12)


@settings(deadline=None)
@given(
    texts=st.dictionaries(st.sampled_from(["a", "b", "c"]), st.lists(WORDS, min_size=1, max_size=4), min_size=1),
    parallel=st.none() | st.lists(st.lists(WORDS, min_size=3, max_size=3), min_size=1, max_size=3),
    variant=st.builds(ParityVariant, st.integers(0, 4), st.integers(0, 5), st.sampled_from([0.5, 1.0, 2.0])),
    min_count=st.integers(1, 3),
    pattern=st.sampled_from(["none", "gpt2"]),
)
def test_the_merges_are_those_of_the_naive_algorithm(texts, parallel, variant, min_count, pattern):
    sentences = parallel and [dict(zip("abc", some, strict=True)) for some in parallel]
    cut = {language: [each for text in some for each in pretokens(text, pattern)] for language, some in texts.items()}
    try:
        of_sentences = sentences and {
            language: [each for text in some for each in pretokens(text, pattern)]
            for language, some in parallel_texts(sentences, [*texts]).items()
        }
    except ValueError:
        return  # white space only
    naive = naive_parity_steps(cut, of_sentences, 12, min_count=min_count, variant=variant)
    steps = parity_aware_steps(
        texts, sentences, vocab_size=268, split_pattern=pattern, min_count=min_count, variant=variant
    )
    assert list(steps) == list(naive)


def test_a_pair_whose_many_places_are_taken_is_merged_elsewhere():
    texts = {"one": ["abc" * 100], "two": ["bcab" * 100, "ab" * 60]}
    for variant in (DEFAULT_VARIANT, ParityVariant(window=4, alpha=1.0)):
        steps = parity_aware_steps(texts, vocab_size=276, split_pattern="none", variant=variant)
        assert list(steps) == list(naive_parity_steps(texts, None, 20, variant=variant))


def test_the_samples_are_learned_as_by_the_naive_algorithm_on_top_of_a_start():
    start = tokviz.train(sample("thai"), vocab_size=300, split_pattern="gpt2")
    texts = {language: text[:1_200] for language, text in SAMPLES.items()}
    sentences = parallel_sentences(texts)
    cut = {language: start.pretokens(text) for language, text in texts.items()}
    dev = {language: [each for some in sentences for each in start.pretokens(some[language])] for language in texts}
    naive = list(naive_parity_steps(cut, dev, 60, min_count=2, start=start))
    steps = parity_aware_steps(texts, sentences, vocab_size=300 + 60, min_count=2, start=start)
    assert list(steps) == naive
    assert {step.language for step in naive} == {"en", "zh-Hans"}


def test_one_language_alone_and_a_hybrid_that_never_turns_are_plain_training():
    plain = list(tokviz.train_steps([*SAMPLES.values()], vocab_size=600, min_count=2))
    hybrid = parity_aware_steps(SAMPLES, vocab_size=600, min_count=2, variant=ParityVariant(n_global=344))
    assert list(hybrid) == plain
    alone = list(parity_aware_steps({"th": sample("thai")}, vocab_size=400))
    assert [step._replace(part=WHOLE) for step in alone] == list(tokviz.train_steps(sample("thai"), vocab_size=400))
    assert {step.language for step in alone} == {"th"}


def test_each_merge_is_for_the_language_with_the_most_tokens():
    """Seen from outside: by encoding the sentences with the merges so far."""
    sentences = parallel_sentences(SAMPLES)
    steps = list(parity_aware_steps(SAMPLES, sentences, vocab_size=356, split_pattern="o200k"))
    for k in range(0, 100, 7):
        tokenizer = tokviz.Tokenizer.from_steps(steps[:k], split_pattern="o200k")
        costs = {language: sum(tokenizer.count(each[language]) for each in sentences) for language in SAMPLES}
        assert costs[steps[k].language] == max(costs.values())


def test_languages_that_plain_training_sets_apart_pay_alike():
    sentences = parallel_sentences(SAMPLES)
    options = {"vocab_size": 1_000, "split_pattern": "o200k"}
    plain = tokviz.train([*SAMPLES.values()], **options)
    fair = train_parity_aware(SAMPLES, sentences, **options)
    assert fair.n_vocab == plain.n_vocab == 1_000

    def dearest_to_cheapest(tokenizer):
        n_tokens = [cost.n_tokens for cost in language_costs(tokenizer, sentences).values()]
        return max(n_tokens) / min(n_tokens)

    assert dearest_to_cheapest(fair) < 1.01 < 1.15 < dearest_to_cheapest(plain)


def test_a_language_without_pairs_is_passed_over_and_all_of_them_end_the_training():
    texts = {"en": "low lower lowest", "th": "ก"}
    sentences = [{"en": "low", "th": "กขคง"}]
    steps = list(parity_aware_steps(texts, sentences, vocab_size=300))
    assert [step.language for step in steps[:3]] == ["th", "th", "en"]
    with pytest.warns(UserWarning, match=f"stopped after {len(steps)} of 44 merges: no pair is left that occurs once"):
        assert train_parity_aware(texts, sentences, vocab_size=300).n_vocab == 256 + len(steps)


def test_a_window_gives_the_others_a_turn():
    texts = {"en": "low lower lowest", "th": "กาขาคา"}
    sentences = [{"en": "low", "th": "ฆฆฆฆฆฆ"}]  # which no merge of the text makes shorter than English
    alone = [step.language for step in parity_aware_steps(texts, sentences, vocab_size=262)]
    turns = parity_aware_steps(texts, sentences, vocab_size=262, variant=ParityVariant(window=4, alpha=1.0))
    assert alone == ["th"] * 6
    assert [step.language for step in turns] == ["th", "th", "th", "en", "en", "th"]


def test_a_step_says_which_language_it_was_chosen_for():
    step = next(parity_aware_steps({"th": "กา"}, vocab_size=257))
    assert str(step) == "merge 1/1: (224, 184) -> 256 (b'\\xe0\\xb8') had 2 occurrences in th"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({},), "there is no text in any language"),
        (({"en": "low", "th": ""},), "there is no text in th: give some, or leave the language out"),
        (({"en": "low", "th": "ก"}, [{"en": "low"}]), "sentences in all of en, th; no sentence is in th"),
        (({"en": "low", "th": "ก"}, [{"en": "low"}, {"th": "ก"}]), "no sentence is in all of these"),
        (({"en": "low"}, []), "no sentence is in en"),
    ],
)
def test_texts_that_cannot_be_compared(arguments, message):
    with pytest.raises(ValueError, match=message):
        parity_aware_steps(*arguments, vocab_size=300)


@pytest.mark.parametrize("numbers", [{"n_global": -1}, {"window": 1.5}, {"n_global": True}, {"alpha": 0}])
def test_numbers_out_of_range(numbers):
    with pytest.raises(ValueError, match=f"{next(iter(numbers))} must be a"):
        ParityVariant(**numbers)
    with pytest.raises(ValueError, match="vocab_size"):
        parity_aware_steps({"en": "low"}, vocab_size=255)
