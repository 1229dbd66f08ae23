"""The mix experiment: train on a mix of languages, and see what each language then costs."""

import streamlit as st

from pages.ui.languages.mix_results import MixResult, add_result, next_number, show_results
from pages.ui.languages.mix_settings import MixSettings, chosen_mix, mix_settings, mix_text, own_texts
from pages.ui.languages.sentences import REFERENCE, sentences
from pages.ui.session_tokenizers.tokenizer_list import add_trained, choose_tokenizer
from pages.ui.shared.messages import show_errors_next
from pages.ui.train.progress import SHORT, training_progress
from pages.ui.train.run import submit
from tokviz.analysis.parity import language_costs, languages_of
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.task import TrainingTask
from tokviz.records.trained import DIGESTS_MAX, NAME_MAX, Trained, text_digest
from tokviz.training.mixes import mixed_documents

MIN_COUNT = 2


def mix_experiment() -> None:
    """Show the settings, train when asked, and show what all mixes so far gave."""
    st.subheader("The mix decides", anchor=False)
    st.caption(
        "Train on a mix of languages and see what each then costs. Shares are in bytes of UTF-8. The mix takes each "
        "share from the beginning of a language's text, and goes through the text again if it is too short. Nothing "
        f"is random: the same settings give the same figures. A pair must occur {MIN_COUNT} times to be merged. The "
        "figures are for the parallel sentences above, which no sample contains."
    )
    run: tuple[MixSettings, TrainingJob] | None = st.session_state.get("mix_run")
    if run and run[1].ended:
        finish(*run)
        st.rerun()
    mix_settings(languages_of(sentences()), disabled=run is not None, on_click=_begin)
    if run:
        training_progress(run[1])
        st.caption("A reload of the page ends this training and keeps nothing of it.")
    _last_mix()
    show_results()


def _begin() -> None:
    """Begin to train on the mix as it is when the button is pressed."""
    if st.session_state.get("mix_run"):
        return  # a second press can come in before the button is disabled
    settings = chosen_mix(languages_of(sentences()))
    with show_errors_next():
        job = mix_job(settings)
        st.session_state.mix_run = settings, job
        job.wait(SHORT)


def mix_job(settings: MixSettings) -> TrainingJob:
    """Return a job that trains on a mix; ValueError for one that cannot be made."""
    texts = {name: mix_text(name) for name in settings.shares}
    documents = list(mixed_documents(texts, settings.shares, settings.n_bytes))
    shares = ", ".join(f"{name} {share}" for name, share in settings.shares.items() if share)
    return submit(
        TrainingTask(
            documents,
            name=f"mix {next_number()}: {shares}"[:NAME_MAX],
            vocab_size=settings.vocab_size,
            min_count=MIN_COUNT,
            split_pattern=settings.split_pattern,
            digests=tuple(map(text_digest, documents[:DIGESTS_MAX])),
        )
    )


def finish(settings: MixSettings, job: TrainingJob) -> None:
    """Judge the tokenizer of a job, and keep the result; of one that failed say why.

    A run that is cut short is done again by the next one: that the job has been judged is written last.
    """
    learned = job.trained()
    if job.problem or learned is None:
        st.session_state.problem = job.problem or "The training was stopped before its first merge."
    else:
        _judge(settings, learned)
    st.session_state.mix_run = None


def _judge(settings: MixSettings, learned: Trained) -> None:
    """Keep what a tokenizer costs in each language."""
    st.session_state.mix_trained = learned
    costs = language_costs(learned.tokenizer, sentences(), reference=REFERENCE)
    add_result(
        MixResult(
            number=next_number(),
            shares=settings.shares,
            own=[name for name in own_texts() if settings.shares.get(name)],
            n_bytes=learned.n_bytes,
            split_pattern=settings.split_pattern,
            n_vocab=256 + len(learned.steps),
            sentences={language: cost.n_sentences for language, cost in costs.items()},
            parity={language: cost.parity for language, cost in costs.items()},
            bytes_per_token={language: cost.bytes_per_token for language, cost in costs.items()},
        )
    )
    st.session_state.mix_notes = _notes(settings, learned)


def _notes(settings: MixSettings, trained: Trained) -> list[str]:
    """Return what is to be known of a result: an early end, and sentences that were not held out."""
    notes = []
    if len(trained.steps) < settings.vocab_size - 256:
        notes.append(
            f"Training ended at a vocabulary of {256 + len(trained.steps):,}: it was stopped, or no pair was left "
            f"that occurs {MIN_COUNT} times."
        )
    for language, share in settings.shares.items():
        known = [s for s in sentences() if share and s.get(language) and s[language].strip() in mix_text(language)]
        if known:
            notes.append(f"{len(known)} of the sentences in {language} stand in its text too: it knows them already.")
    return notes


def _last_mix() -> None:
    """Offer the latest tokenizer for the shelf, and show the notes on it."""
    trained: Trained | None = st.session_state.get("mix_trained")
    if trained is None:
        return
    for note in st.session_state.get("mix_notes", ()):
        st.text(note)
    st.button("Keep this tokenizer", icon=":material/shelves:", on_click=_shelve)


def _shelve() -> None:
    trained: Trained = st.session_state.mix_trained
    add_trained(trained)
    choose_tokenizer(trained.tokenizer.name)
