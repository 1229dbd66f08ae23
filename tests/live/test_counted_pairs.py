"""Which pairs decide a merge: those inside words or across them, or those of the language whose turn it is."""

from dataclasses import replace

import pytest
from live.receiver import unpacked
from trainings import trained_of

import tokviz
from tokviz.core.samples import sample
from tokviz.core.steps import ACROSS, WHOLE
from tokviz.corpus.counting import pretoken_counts
from tokviz.live.document import Document
from tokviz.live.views.counted_pairs import CountedPairs, first_rank_across_words
from tokviz.live.views.history_view import HistoryView
from tokviz.records.packing import pack, unpack
from tokviz.records.session_tokenizer import Kept, unpack_kept
from tokviz.training.held_out import Baseline
from tokviz.training.parity.parity_aware import ParityAware
from tokviz.training.superwords import SUPERWORDS, Superwords

TEXT = sample("english")[:3_000]
TEXTS = {"English": sample("english")[:2_000], "Thai": sample("thai")[:700]}
SENTENCES = ({"English": "Good morning", "Thai": "สวัสดีตอนเช้า"},)


@pytest.fixture(scope="module")
def across() -> Kept:
    options = {"superwords_from": 330, "vocab_size": 400, "split_pattern": "gpt2"}
    steps = tuple(tokviz.superword_steps(TEXT, **options))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern=SUPERWORDS, name="across")
    counts = {WHOLE: pretoken_counts([TEXT], "gpt2"), ACROSS: pretoken_counts([TEXT], SUPERWORDS)}
    figures = {"way": Superwords(330), "split_pattern": "gpt2", "baseline": Baseline(9, None)}
    return trained_of(tokenizer, steps, len(TEXT.encode()), counts, **figures)


@pytest.fixture(scope="module")
def fair() -> Kept:
    steps = tuple(tokviz.parity_aware_steps(TEXTS, SENTENCES, vocab_size=320, split_pattern="o200k"))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern="o200k", name="fair")
    counts = {language: pretoken_counts([text], "o200k") for language, text in TEXTS.items()}
    return trained_of(tokenizer, steps, 2_700, counts, way=ParityAware(SENTENCES))


def is_chosen_at_every_step(trained: Kept, text: str) -> None:
    """Whether the pair on top of the table is the one that was merged, with the count that training saw."""
    trace = tokviz.trace(trained.tokenizer, text)
    for k, step in enumerate(trained.origin.steps):
        counted = CountedPairs.for_step(trace, trained.origin, k)
        assert counted.source == "corpus" and counted.part == trained.origin.part_of_merge(k)
        (top,) = counted.pairs.top_pair_table(k, n_rows=1).rows
        assert (top.pair, top.count) == (step.pair, step.count)


def test_superwords_are_chosen_among_the_pairs_of_their_stage(across):
    assert [across.origin.part_of_merge(k) for k in (0, 73, 74, 143)] == [WHOLE, WHOLE, ACROSS, ACROSS]
    is_chosen_at_every_step(across, "another text")


def test_after_a_reload_the_training_text_is_known_again_where_it_is_on_view(across):
    again = unpack_kept(across.packed_record)
    assert again == across and again.origin.n_inside_words() == 74 and again.origin.counts is None
    is_chosen_at_every_step(again, TEXT)
    assert CountedPairs.for_step(tokviz.trace(again.tokenizer, TEXT[:-5]), again.origin, 100).source == "unknown"


def test_each_merge_is_the_most_frequent_pair_of_its_language(fair):
    is_chosen_at_every_step(fair, "any text")
    again = unpack_kept(fair.packed_record)
    plan = fair.origin.plan
    without = replace(fair.origin, plan=replace(plan, way=plan.way.without_texts()))
    assert again.origin == without != fair.origin and again.origin.languages == fair.origin.languages
    on_view = CountedPairs.for_step(tokviz.trace(again.tokenizer, "".join(TEXTS.values())), again.origin, 3)
    assert (on_view.source, on_view.part) == ("languages", fair.origin.steps[3].language)


def answer(view: HistoryView, k: int) -> dict:
    view.reply(whole=True)
    return view.answer({"k": k, "revision": view.revision, "pretoken": None, "stays": [0, k]})


def test_the_page_is_told_for_whom_a_merge_was_chosen_and_what_each_language_pays(fair):
    view = HistoryView(Document("สวัสดี morning"), fair.tokenizer, training=fair.origin)
    shown = view.reply(whole=True)["tokenizer"]
    names, of = shown["languages"]["names"], unpacked(shown["languages"]["of"])
    assert [names[number - 1] for number in of] == [step.language for step in fair.origin.steps]
    for k in (0, 10, 63):
        turn = dict(answer(view, k)["table"]["turn"])
        cut = fair.tokenizer.truncated(k)
        assert turn == {language: len(cut.encode(text)) for language, text in SENTENCES[0].items()}
        assert turn[fair.origin.steps[k].language] == max(turn.values())
    plain = tokviz.load("gpt2")
    assert HistoryView(Document("a"), plain).reply(whole=True)["tokenizer"]["languages"] is None


def test_languages_whose_texts_are_not_known_share_the_pairs_of_the_text_on_view(fair):
    steps = tuple(step._replace(part=[*TEXTS][n % 2]) for n, step in enumerate(fair.origin.steps))
    view = HistoryView(Document("low lower"), fair.tokenizer, training=replace(fair.origin, steps=steps, counts=None))
    view.reply(whole=True)
    for k in (0, 1):
        view.answer({"k": k, "revision": view.revision, "pretoken": None, "stays": [0, 0]})
    shared = [counted.pairs for counted in view._counted.values()]
    assert len(shared) == len(TEXTS) and all(pairs is shared[0] for pairs in shared)


def test_where_merges_reach_across_words_is_told(across):
    shown = HistoryView(Document("by the way"), across.tokenizer, training=across.origin).reply(whole=True)["tokenizer"]
    assert shown["across"] == 74
    opened = first_rank_across_words(across.tokenizer, None)
    assert 74 <= opened < 84 and b" " in across.tokenizer.merge_tokens[opened].strip()
    assert first_rank_across_words(tokviz.load("gpt2"), None) is None


@pytest.mark.parametrize(
    "change",
    [
        {"way": {"name": "superwords", "superwords_from": 401}},
        {"way": {"name": "superwords", "superwords_from": 255}},
        {"way": {"name": "superwords", "superwords_from": "x"}},
        {"way": {"name": "superwords"}},
        {"way": {"name": "parity", "sentences": 7, "variant": {}}},
        {"way": {"name": "parity", "sentences": None, "variant": {"window": -1}}},
        {"way": {"name": "telepathy"}},
        {"way": "plain"},
        {"split_pattern": "(a"},
        {"vocab_size": 270},
        {"min_count": 0},
        {"parts": [""]},
        {"parts": ["across words"] * 74 + [""] * 70},
        {"parts": ["Thai"] * 144},
        {"baseline": []},
        {"baseline": [1]},
        {"baseline": [0, None]},
        {"baseline": ["x", 1]},
    ],
    ids=str,
)
def test_a_damaged_plan_is_refused(across, change):
    record = unpack(across.packed_record)
    of_plan = {key: value for key, value in change.items() if key in record["plan"]}
    with pytest.raises(ValueError, match="damaged"):
        unpack_kept(pack(record | change | {"plan": record["plan"] | of_plan}))


@pytest.mark.parametrize("name", ["start", pytest.param("gpt2", marks=pytest.mark.slow)])
def test_superwords_on_top_of_a_tokenizer_come_back(name):
    own = tokviz.train(TEXT, vocab_size=300, split_pattern="gpt2", name="start")
    start = own if name == "start" else tokviz.load(name)
    size = len(start.mergeable_ranks)
    steps = tuple(tokviz.superword_steps(TEXT, superwords_from=size + 5, vocab_size=size + 20, start=start))
    begun = tokviz.with_superwords(start)
    tokenizer = tokviz.Tokenizer.from_steps(steps, start=begun, name="more")
    figures = {"n_before": 9_000, "split_pattern": "gpt2", "way": Superwords(size + 5), "baseline": Baseline(7, 8)}
    trained = trained_of(tokenizer, steps, 3_000, start=start, **figures)
    again = unpack_kept(trained.packed_record)
    assert again == trained and again.tokenizer.split_pattern == SUPERWORDS and again.origin.plan.start == start
