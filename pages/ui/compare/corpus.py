"""The section on a corpus: the figures of several files under several tokenizers, counted beside the page."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.ui.compare.corpus_files import countable_files, show_corpus_opener
from pages.ui.compare.dataset import chosen_chat_formats, show_chat_format_choice, show_document_figures
from pages.ui.compare.numbers import FORMATS, UNKNOWN, share_text, with_shares_in_percent, without_column_if_all_zero
from pages.ui.options import option_value, show_choice
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named, was_trained_on
from pages.ui.shared.buttons import show_file_button
from pages.ui.shared.charts import UNKNOWN_CELL, UNKNOWN_SHARE, heat_map, legend_labels, show_chart
from pages.ui.shared.messages import show_error
from pages.ui.shared.opened_files import ALL, opened_files, show_remove_files_button
from tokviz import AnyTokenizer
from tokviz.core.samples import SAMPLES, sample
from tokviz.corpus.paths import is_jsonl
from tokviz.formats.pretrained import full_name, short_name
from tokviz.jobs.corpus_run import CorpusRun, DocumentFiles, FileFigures
from tokviz.text.unknown_text import UnknownText

MEASURES = ("bytes per token", "characters per token", "tokens per word", "words in one token")
POLLED_EVERY = 0.5  # seconds
EXAMPLE = "The figures below are an example, for the sample texts that come with tokviz."
LEAVING = "You can leave the page while it counts. A reload forgets files and figures."
SAMPLE_FILES = {f"{name}.txt": sample(name) for name in SAMPLES}


def show_corpus_section(names: list[str]) -> None:
    """Show where to open files, a button that counts them, its progress, and the figures, at first of the samples."""
    said = st.container(key="compare-said")
    show_corpus_opener()
    if any(one.has_chats for one in countable_files().values()):
        show_chat_format_choice()
    is_example = not opened_files()
    run = _run_of_samples(names) if is_example else st.session_state.get("corpus_run")
    # A short count shows no bar, which would only blink.
    counting = run if run and not run.wait(0 if run.progress else 0.2) else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Count the tokens", type="primary", on_click=_begin_count, args=(names,),
                  disabled=bool(counting) or not (countable_files() and names))  # fmt: skip
        if not is_example:
            show_remove_files_button()
        st.caption(EXAMPLE if is_example else LEAVING, width="content")
    if counting:
        _show_progress_or_rerun(counting)
    elif run is not None:
        if run.figures and not is_example and not run.is_for(*_count_arguments(names)):
            st.info("These figures are for files or tokenizers chosen before. Count again to update them.")
        said.text(corpus_sentence(run.figures))
        if run.is_stopped:
            st.info("Stopped: there are no figures for the files that were not reached.")
        if run.problems:
            show_error("\n".join(run.problems), title="Some files or documents could not be counted")
        if run.figures:
            LOOKS[show_choice("corpus_look", "Show", LOOKS)](run)


def _begin_count(names: list[str]) -> None:
    """Begin a count; its figures replace those of the last one."""
    st.session_state.corpus_run = CorpusRun(*_count_arguments(names))


def _run_of_samples(names: list[str]) -> CorpusRun:
    """Return a count of the samples under these tokenizers, begun when it is first asked for."""
    counted = [*SAMPLE_FILES.items()], [*map(tokenizer_named, names)], DocumentFiles()
    run: CorpusRun | None = st.session_state.get("sample_run")
    if run is None or not run.is_for(*counted):
        st.session_state.sample_run = run = CorpusRun(*counted)
    return run


def _count_arguments(names: list[str]) -> tuple[list[tuple[str, str]], list[AnyTokenizer], DocumentFiles]:
    """Return the files, as names and texts, the tokenizers, and the files of lines that are chosen now."""
    files, tokenizers = countable_files(), [tokenizer_named(name) for name in names]
    formats = chosen_chat_formats(tokenizers) if any(one.has_chats for one in files.values()) else ()
    with_lines = {name: one.data for name, one in files.items() if is_jsonl(name)}
    return (
        [(name, one.text) for name, one in files.items()],
        tokenizers,
        DocumentFiles(with_lines, option_value("text_key"), formats),
    )


@st.fragment(run_every=POLLED_EVERY)
def _show_progress_or_rerun(run: CorpusRun) -> None:
    """Show the progress of a count, again and again, and a button that stops it."""
    if run.is_done:
        st.rerun()
    st.progress(run.progress)
    st.text(run.at)
    st.button("Stop and keep the figures so far", on_click=run.stop, disabled=run.is_stopped)


def _show_file_figures(run: CorpusRun) -> None:
    """Show the figures of the files, as a heat map and a table."""
    figures = list(run.figures)
    table = file_figure_table(figures)
    measure = show_choice("corpus_measure", "Measure", MEASURES, format_func=str.capitalize, label_visibility="visible")
    named = legend_labels(dict.fromkeys(one.tokenizer for one in figures))
    cells = table.rename(columns={"file": "row", "tokenizer": "column", measure: "value"})
    cells["column"] = cells["column"].map({full_name(name): label for name, label in named.items()})
    show_chart(heat_map(cells, title=measure), "corpus", cells=cells, title=f"{measure.capitalize()} of each file",
               caption=", ".join(named.values()), alt_text=f"Heat map: {measure}, a row for each file",
               export_width=900)  # fmt: skip
    legend = "A dash means an empty file, or a script without spaces, where words cannot be counted."
    legend = f"The stronger the colour, the {'more' if measure == 'tokens per word' else 'fewer'} tokens. {legend}"
    st.caption(f"{legend} {UNKNOWN_CELL} {UNKNOWN}" if "unknown" in table else legend)
    whole = st.column_config.NumberColumn(format="localized")
    formats = FORMATS | dict.fromkeys(["characters", "bytes"], whole)
    st.dataframe(with_shares_in_percent(table), hide_index=True, column_config=formats, placeholder="–")
    if own := [f"{one.tokenizer} on {one.file}" for one in figures if _is_on_training_text(one)]:
        st.text(f"On its own training text: {', '.join(own)}. On any other text, expect more tokens.")
    show_file_button(
        "Table as CSV", table.to_csv(index=False).encode("utf-8", "replace"), "corpus.csv", type="tertiary"
    )


def corpus_sentence(figures: Sequence[FileFigures]) -> str:
    """Return in words which tokenizer makes the fewest tokens, and where it saves most; "" where none makes fewer.

    Tokenizers to which too much text is unknown are left out, and files that were not counted under all others.
    """
    of_each: dict[str, list[FileFigures]] = {}
    for one in figures:
        of_each.setdefault(one.tokenizer, []).append(one)
    counts = {
        name: {one.file: one.n_tokens for one in of_one}
        for name, of_one in of_each.items()
        if sum((one.unknown for one in of_one), UnknownText()).share < UNKNOWN_SHARE
    }
    files = [file for file in dict.fromkeys(one.file for one in figures) if all(file in of for of in counts.values())]
    totals = {name: sum(of_one[file] for file in files) for name, of_one in counts.items()}
    if len({*totals.values()}) < 2:
        return ""
    fewest, most = min(totals, key=totals.__getitem__), max(totals, key=totals.__getitem__)
    of_what = "all files" if len(files) > 1 else files[0]
    share = share_text(1 - totals[fewest] / totals[most])
    said = f"{short_name(fewest)} makes {totals[fewest]:,} tokens of {of_what}, {share} fewer than {short_name(most)}."
    if len(files) == 1:
        return said
    file = max(files, key=lambda file: counts[most][file] - counts[fewest][file])
    return f"{said} The largest difference is in {file}: {counts[fewest][file]:,} instead of {counts[most][file]:,}."


LOOKS = {"Files": _show_file_figures, "Documents": show_document_figures}


def _is_on_training_text(figures: FileFigures) -> bool:
    """Return whether figures are of a tokenizer on a text or a file it was trained on."""
    files = {name: one.text for name, one in countable_files().items()} or SAMPLE_FILES
    texts = files.get(figures.file, ""), opened_files().get(figures.file, b"")
    return any(was_trained_on(figures.tokenizer, text) for text in texts)


def file_figure_table(figures: list[FileFigures]) -> pd.DataFrame:
    """Return a row for each file and tokenizer, and for all files together if there are several.

    Words of all files count only if every file has words. The column "unknown" is there only if a tokenizer
    has unknown text.
    """
    rows = [_figure_row(one.file, one.tokenizer, [one]) for one in figures]
    if len({one.file for one in figures}) > 1:
        for tokenizer in dict.fromkeys(one.tokenizer for one in figures):
            rows.append(_figure_row(ALL, tokenizer, [one for one in figures if one.tokenizer == tokenizer]))
    return without_column_if_all_zero(pd.DataFrame(rows).astype(dict.fromkeys(MEASURES, float)))


def _figure_row(file: str, tokenizer: str, figures: list[FileFigures]) -> dict[str, object]:
    """Return the figures of a tokenizer on a file, or on all of them, by the names of columns."""
    tokens, characters, size = (
        sum(getattr(one, name) for one in figures) for name in ("n_tokens", "n_chars", "n_bytes")
    )
    spaced = all(one.n_words is not None for one in figures)
    words = sum(one.n_words or 0 for one in figures) if spaced else 0
    whole = sum(one.n_whole_words or 0 for one in figures)
    return {
        "file": file,
        "tokenizer": full_name(tokenizer),
        "tokens": tokens,
        "characters": characters,
        "bytes": size,
        "bytes per token": size / tokens if tokens else None,
        "characters per token": characters / tokens if tokens else None,
        "tokens per word": tokens / words if words else None,
        "words in one token": whole / words if words else None,
        "unknown": sum((one.unknown for one in figures), UnknownText()).share,
    }
