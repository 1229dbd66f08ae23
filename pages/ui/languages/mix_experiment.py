"""The mix experiment: train on a mix of languages, plainly and parity-aware, and see what each language then costs."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import streamlit as st

from pages.ui.languages.mix_price import show_latest_mix_figures_if_any
from pages.ui.languages.mix_results import (
    add_result_without_repeats,
    mix_result,
    next_mix_number,
    show_mix_results_if_any,
)
from pages.ui.languages.mix_settings import PARITY, WAYS, chosen_shares, show_mix_settings
from pages.ui.languages.mix_texts import has_text_in_all, held_out_sentences, mix_language_text, training_sentences
from pages.ui.languages.parallel import language_name, reference_language
from pages.ui.merges.replays import show_merges
from pages.ui.options import option_value, option_value_among
from pages.ui.pages import MERGES
from pages.ui.session_tokenizers.tokenizer_list import add_and_choose_tokenizer
from pages.ui.shared.messages import keep_errors
from pages.ui.train.progress import SHORT, show_training_progress_or_rerun
from pages.ui.train.run import submit
from tokviz.core.steps import WHOLE
from tokviz.corpus.mixes import mixed_documents_by_language
from tokviz.exercises.lines import times_text
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.task import TrainingTask
from tokviz.records.origin import NAME_MAX
from tokviz.records.training import DIGESTS_MAX, text_digest
from tokviz.training.parity.parity_aware import ParityAware
from tokviz.training.plan import Plan

MIN_COUNT = 2


class MixRun(NamedTuple):
    """The trainings on a mix: its shares by the codes of languages, and a job for each way of training."""

    shares: dict[str, int]
    jobs: dict[str, TrainingJob]


def show_mix_experiment() -> None:
    """Show the settings, train when asked, and show what all mixes so far gave."""
    st.caption(
        "Train on a mix of languages, and see what each then costs. Plain BPE joins the most frequent pair; "
        "parity-aware BPE, the most frequent one of the language that pays most at that moment. Shares are in bytes of "
        f"UTF-8; a text that is too short is repeated. A pair must occur at least {MIN_COUNT} times. Every second "
        "sentence above guides parity-aware training, and trains a language without a text of its own. The figures "
        "are for the other sentences, which no training sees."
    )
    run: MixRun | None = st.session_state.get("mix_run")
    if run and all(job.has_ended for job in run.jobs.values()):
        finish_mix_run(run)
        st.rerun()
    show_mix_settings(disabled=run is not None, on_click=_begin_training_unless_running)
    if run:
        for way, job in run.jobs.items():
            if not job.has_ended:
                st.text(f"{way[:1].upper()}{way[1:]}")
                show_training_progress_or_rerun(job)
        st.caption("Reloading the page ends this training and discards it.")
    _show_last_mix_tokenizers()
    show_latest_mix_figures_if_any()
    show_mix_results_if_any()


def _begin_training_unless_running() -> None:
    """Begin to train on the mix as it is when the button is pressed."""
    if st.session_state.get("mix_run"):
        return  # a second press can come in before the button is disabled
    shares = chosen_shares()
    with keep_errors():
        st.session_state.mix_run = run = MixRun(shares, submit_mix_jobs(shares))
        for job in run.jobs.values():
            job.wait(SHORT)


def submit_mix_jobs(shares: Mapping[str, int]) -> dict[str, TrainingJob]:
    """Return the jobs that train on a mix; ValueError for one that cannot be made or judged."""
    compared = dict.fromkeys([*shares, reference_language()])
    if not held_out_sentences(compared):
        names = ", ".join(map(language_name, compared))
        raise ValueError(f"No test sentence exists in all of these languages: {names}. Choose others.")
    texts = {language: mix_language_text(language) for language in shares}
    documents = mixed_documents_by_language(texts, shares, int(option_value("mix_bytes")))
    ways = WAYS[option_value_among("mix_way", list(WAYS))]
    return {way: submit(_training_task(way, shares, documents)) for way in ways}


def _training_task(way: str, shares: Mapping[str, int], documents: dict[str, list[str]]) -> TrainingTask:
    """Return how to train on the documents of each language."""
    of_all = list(chain.from_iterable(documents.values()))
    plan = Plan(int(option_value("mix_vocab_size")), option_value("mix_pattern"), min_count=MIN_COUNT)
    texts = {WHOLE: of_all}
    if way == PARITY:
        leads = [{language_name(each): sentence[each] for each in documents}
                 for sentence in training_sentences() if has_text_in_all(sentence, documents)]  # fmt: skip
        plan = replace(plan, way=ParityAware(tuple(leads)))
        texts = {language_name(each): some for each, some in documents.items()}
    name = mix_tokenizer_name(next_mix_number(), way, {each: shares[each] for each in documents})
    return TrainingTask(plan, texts, name, digests=tuple(map(text_digest, of_all[:DIGESTS_MAX])))


def mix_tokenizer_name(number: int, way: str, shares: Mapping[str, int]) -> str:
    """Return the name of a tokenizer trained on a mix, with as many of the shares as it has room for.

    >>> mix_tokenizer_name(2, "parity-aware", {"en": 2, "th": 1, "zh-Hans": 1})
    'mix 2, parity: en 2, th 1, zh-Hans 1'
    >>> mix_tokenizer_name(2, "plain BPE", {"en": 2, "zh-Hant": 1, "zh-Hans": 1, "th": 1, "lo": 1})
    'mix 2: en 2, zh-Hant 1, zh-Hans 1, th 1…'
    """
    fair = ", parity" if way == PARITY else ""
    name = f"mix {number}{fair}: {', '.join(f'{each} {share}' for each, share in shares.items())}"
    return name if len(name) <= NAME_MAX else f"{name[:NAME_MAX].rpartition(',')[0]}…"


def finish_mix_run(run: MixRun) -> None:
    """Judge the tokenizers of a mix, and keep the results; say why a training failed.

    A run that is cut short is done again by the next one: that the jobs have been judged is written last.
    """
    number, kept, notes = next_mix_number(), [], _seen_sentence_notes(run.shares)
    for way, job in run.jobs.items():
        learned = job.kept_tokenizer()
        if job.problem or learned is None:
            st.session_state.problem = job.problem or "The training was stopped before its first merge."
            continue
        kept.append(learned)
        add_result_without_repeats(mix_result(number, way, run.shares, learned))
        if len(learned.origin.steps) < job.n_merges:
            notes.append(
                f"{learned.name}: training ended at a vocabulary of {256 + len(learned.origin.steps):,}. You stopped "
                f"it, or no remaining pair occurred {times_text(MIN_COUNT)}."
            )
    if kept:
        st.session_state.update(mix_trained=kept, mix_notes=notes)
    st.session_state.mix_run = None


def _seen_sentence_notes(shares: Mapping[str, int]) -> list[str]:
    """Return which training texts contain sentences that were to be held out."""
    notes = []
    for language, share in shares.items():
        text = mix_language_text(language)
        n_known = sum(each[language].strip() in text for each in held_out_sentences([language])) if share else 0
        if n_known:
            notes.append(
                f"{n_known} of the {language_name(language)} test sentences also "
                f"{'occurs' if n_known == 1 else 'occur'} in its training text, so it has already seen them."
            )
    return notes


def _show_last_mix_tokenizers() -> None:
    """Offer the latest tokenizers for the list, or to be watched, and show the notes on them."""
    for note in st.session_state.get("mix_notes", ()):
        st.text(note)
    for number, trained in enumerate(st.session_state.get("mix_trained", ())):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(trained.name, width="content")
            st.button("Keep this tokenizer", key=f"_mix_keep {number}", icon=":material/shelves:", type="tertiary",
                      on_click=_add_and_choose, args=(number,))  # fmt: skip
            if st.button("Watch its merges", key=f"_mix_watch {number}", icon=MERGES.icon, type="tertiary",
                         on_click=_add_and_play, args=(number,)):  # fmt: skip
                st.switch_page(MERGES.script)


def _add_and_choose(number: int) -> None:
    """Add a tokenizer of the latest mix to the list, and choose it."""
    add_and_choose_tokenizer(st.session_state.mix_trained[number])


def _add_and_play(number: int) -> None:
    """Add a tokenizer of the latest mix to the list, and play its merges from the first."""
    _add_and_choose(number)
    show_merges("", plays=True)
