"""Every link between pages, and every button of a first visit."""

from typing import get_args
from urllib.parse import parse_qsl

import pytest
from each import quick
from opening import ROOT, button, labels, opened, option_of, seen
from trainings import trained_of

import tokviz
from pages.ui.lessons.links import PAGE_OF as OF_TARGETS
from pages.ui.merges.opening import WATCH
from pages.ui.pages import LEARN, MERGES, PAGES, PLAYGROUND
from tokviz.exercises.lesson import Target
from tokviz.lessons import LESSONS

EVERY = tuple(PAGES.values())


def links_of(page: str) -> frozenset[tuple[str, str]]:
    """Return the links of a page: the script that each opens, and the query in its address."""
    scripts = {path.stem: f"pages/{path.name}" for path in (ROOT / "pages").glob("[!_]*.py")} | {"": "app.py"}
    return frozenset((scripts[link.proto.page], link.proto.query_string) for link in seen(page).get("page_link"))


def test_every_script_is_a_page_that_every_page_links_to():
    scripts = {f"pages/{path.name}" for path in (ROOT / "pages").glob("[!_]*.py")} | {"app.py"}
    assert {page.script for page in EVERY} == scripts
    for page in EVERY:
        assert {(path, "") for path in scripts} <= links_of(page.script)


TITLES = {f"{WATCH}=merges": MERGES.title} | {f"lesson={lesson.slug}": lesson.title for lesson in LESSONS}


def queries() -> dict[str, str]:
    """Return the queries of all links of all pages, with the script that each opens."""
    return {query: path for page in EVERY for path, query in links_of(page.script) if query}


def test_the_links_with_a_query_are_those_to_each_lesson_and_to_the_rhyme():
    assert queries() == dict.fromkeys(TITLES, LEARN.script) | {f"{WATCH}=merges": MERGES.script}


@pytest.mark.parametrize("query", quick(TITLES, f"{WATCH}=merges", "lesson=token"))
def test_every_link_of_every_page_opens_what_it_names(query):
    app = seen(queries()[query], **dict(parse_qsl(query, strict_parsing=True)))
    assert not app.exception and not app.error
    assert app.title[0].value == TITLES[query]


def test_the_greeting_names_a_tokenizer_of_ones_own_and_offers_the_usual_one():
    app = opened("app.py", kept={"mine": trained_of(tokviz.train("low", vocab_size=257), (), 1)}, tokenizer="mine")
    assert "These are the tokens of mine, made here." in [each.value for each in app.text]
    app = button(app, "Go back to GPT-4").click().run()
    assert option_of(app, "tokenizer") == "cl100k_base" and "Go back to GPT-4" not in labels(app)


def test_the_greeting_leads_to_the_first_lesson():
    assert (LEARN.script, f"lesson={LESSONS[0].slug}") in links_of(PLAYGROUND.script)


def test_every_target_of_a_lesson_is_a_page():
    assert set(OF_TARGETS) == set(get_args(Target)) and set(OF_TARGETS.values()) <= set(EVERY)


@pytest.mark.parametrize("anew", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_every_button_of_a_first_visit_does_what_it_says(anew):
    """anew: each from a session that is new; else one after the other, as far as they stay."""
    app = opened("app.py")
    first = labels(app)
    assert {"Dismiss", "Strawberry", "Present", "Share"} <= set(first) and len(set(first)) == len(first)
    if not anew:  # only the last of the examples and of the samples
        kinds: dict[str, str] = {}
        for each in app.button:
            kind, _, _ = (each.key or "").rpartition("_")
            kinds[kind if kind in ("_example", "_sample") else each.label] = each.label
        first = [*kinds.values()]
    for label in first:
        if anew or label not in labels(app):
            app = opened("app.py")
        button(app, label).click().run()
        assert not app.exception and not app.error, label
