"""What a saved page keeps of a view: asked for it in the browser's code, it tells what the view itself would."""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from programs import node
from trainings import trained_of

import tokviz
from tokviz.core.bpe import NEVER
from tokviz.corpus.counting import pretoken_counts
from tokviz.display.snapshot import view_snapshot
from tokviz.families.teaching import list_tokenizer
from tokviz.live.document import Document
from tokviz.live.look import Look
from tokviz.live.view import View
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.token_view import TokenView

ROOT = Path(__file__).parents[2]
TEXT = "The lower, the newest: ภาษา 你好 lower<|endoftext|> aaaaaaaaa unbelievable 😀\n\n  def f(x): pass"
ASK = """
import { answerOf } from "KEPT";
let text = "";
process.stdin.setEncoding("utf8");
for await (const part of process.stdin) text += part;
const { view, questions } = JSON.parse(text);
console.log(JSON.stringify(questions.map((question) => answerOf(view, question))));
"""


def answers_in_browser(view: View, questions: list[dict]) -> list[dict]:
    """What the code of a saved page answers, in Node."""
    code = ASK.replace("KEPT", (ROOT / "assets/saved_page/answers.js").as_uri())
    told = json.dumps({"view": view_snapshot(view), "questions": questions})
    run = subprocess.run(
        [node(), "--input-type=module", "--eval", code], input=told, capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def asked(view: View, questions: list[dict]) -> list[dict]:
    """What the view answers, as JSON brings it."""
    return json.loads(json.dumps([view.answer(question) for question in questions]))


@pytest.mark.parametrize("name", ["gpt2", pytest.param("o200k_base", marks=pytest.mark.slow)])
def test_the_facts_of_every_token_are_kept(name):
    view = TokenView(Document(TEXT), tokviz.load(name), look=Look("all"))
    view.reply(whole=True)
    questions = [{"token": i, "revision": 2} for i in range(len(view.sent.tokens))]
    found = answers_in_browser(view, questions)
    expected = [{k: v for k, v in each.items() if v is not None} for each in asked(view, questions)]
    assert found == expected and any("tree" in each for each in found)


def test_every_step_that_changes_the_text_is_kept():
    view = HistoryView(Document(TEXT), tokviz.load("gpt2"), look=Look("all"))
    view.reply(whole=True)
    trace = view.trace
    ranks = sorted(set(trace.gaps[trace.gaps >= 0].tolist()))
    ends = [end for end in trace.ends[:-1] if trace.gaps[end - 1] == NEVER]
    starts = [0, *trace.pretoken_ends[:-1].tolist()]
    questions = [
        {"k": k, "revision": 2, "pretoken": starts[i % len(starts)], "stays": [0, k], "boundary": ends[i % len(ends)]}
        for i, k in enumerate([*ranks, len(trace.tokenizer.merge_tokens)])
    ]
    found = answers_in_browser(view, questions)
    assert [{**each, "just": None} for each in asked(view, questions)] == found
    assert len(found) > 30


def test_between_two_of_them_the_next_one_is_named():
    view = HistoryView(Document("lower lower"), tokviz.load("gpt2"))
    view.reply(whole=True)
    ranks = sorted({*view.trace.gaps.tolist()} - {NEVER})
    between = next(rank + 1 for rank, after in pairwise(ranks) if after - rank > 2)
    question = {"k": between, "revision": 2, "pretoken": None, "stays": [0, between]}
    (told,) = answers_in_browser(view, [question])
    assert told["k"] == between and told["next"]["rank"] == min(rank for rank in ranks if rank >= between)
    assert told["table"]["n_pairs"] == view.answer(question)["table"]["n_pairs"]


def test_where_counts_decide_every_step_is_kept():
    corpus = "low low low lower lowest newest newest widest"
    steps = list(tokviz.train_steps(corpus, vocab_size=270))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern="cl100k", name="trained")
    trained = trained_of(tokenizer, tuple(steps), len(corpus), counts={"": pretoken_counts(corpus, "cl100k")})
    view = HistoryView(Document(corpus), tokenizer, training=trained.origin)
    view.reply(whole=True)
    questions = [{"k": k, "revision": 2, "pretoken": 0, "stays": [0, k]} for k in range(len(steps) + 1)]
    assert answers_in_browser(view, questions) == [{**each, "just": None} for each in asked(view, questions)]


def test_a_text_without_tokens_is_kept():
    for view in (TokenView(Document(""), tokviz.load("gpt2")), HistoryView(Document(""), tokviz.load("gpt2"))):
        assert view_snapshot(view)["reply"]["state"] == [1, 0]
    question = {"k": 0, "revision": 1, "pretoken": None, "stays": [0, 0]}
    assert answers_in_browser(HistoryView(Document(""), tokviz.load("gpt2")), [question]) == [{"revision": 1}]


def test_a_tokenizer_of_another_family_tells_how_it_writes_its_tokens():
    view = TokenView(Document("low xyz"), list_tokenizer("words", "low lower newest"))
    view.reply(whole=True)
    questions = [{"token": i, "revision": 2} for i in range(len(view.sent.tokens))]
    assert answers_in_browser(view, questions) == asked(view, questions)
    assert "merges and pretokens are not known" in asked(view, questions)[0]["error"]
