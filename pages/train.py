"""Train a tokenizer on a text and watch it learn."""

import streamlit as st

from pages.ui.frame.frame import begin_page
from pages.ui.options import THE_TEXT, option_value, option_value_among, show_choice
from pages.ui.pages import TRAIN
from pages.ui.session_tokenizers.tokenizer_list import (
    chosen_tokenizer,
    chosen_tokenizer_name,
    tokenizer_named,
    training_of,
    was_trained_on,
)
from pages.ui.shared.live import await_view, reserve_row
from pages.ui.shared.messages import keep_errors, show_errors
from pages.ui.shared.new_place import scroll_to_top_of_new_place
from pages.ui.shared.text import (
    QUICK_REST,
    RHYME,
    set_shared_text_to_sample,
    shared_text,
    show_examples_menu,
    show_rhyme_unless_own_text,
    show_text_file_popover,
)
from pages.ui.shared.token_view import show_text_editor, show_token_view
from pages.ui.train.documents import show_training_file_opener, training_documents_and_digests
from pages.ui.train.merges_and_curve import show_merges_and_curve_if_any
from pages.ui.train.progress import SHORT, show_training_progress_or_rerun
from pages.ui.train.report import REFUSED, show_left_out_lines_if_any, show_training_refusal_and_report
from pages.ui.train.result import (
    learned_head_key,
    show_training_result,
    show_what_training_begins_with,
    suggest_sample_if_short,
)
from pages.ui.train.run import current_job_kept_alive, submit_for_session, training_queue
from pages.ui.train.settings import (
    chosen_start_tokenizer,
    chosen_training_task,
    show_cut_off_marks_note_if_any,
    show_training_settings,
)

MAX_SHOWN = 1_000_000  # characters
SOURCES = [THE_TEXT, "Files"]
WIDTHS = (5, 7)
HEIGHT = "10rem"  # on a phone, and where the page is presented; else the text fills the window
LABEL, PLACEHOLDER = "Training text", "Paste a text to learn from"


def begin_with_rhyme() -> None:
    """Begin on the rhyme unless there is a text of the user's own, or one that a tokenizer has been trained on here."""
    name = last_trained_name()
    if st.session_state.pop("arrived", False) and (not training_of(name) or was_trained_on(name, RHYME)):
        show_rhyme_unless_own_text()


def last_trained_name() -> str:
    """Return the name of the tokenizer trained last; after a reload, the chosen one tells which it was."""
    return st.session_state.get("trained_name", chosen_tokenizer_name())


def show_text_box_or_size(*, has_trained: bool) -> None:
    """Show the shared text to edit, with its tokens once a tokenizer is trained; if it is too long, only its size."""
    text = shared_text()
    if len(text) > MAX_SHOWN:
        st.info(f"The text has {len(text):,} characters: too long to edit here, but not too long to train on.")
        return
    if presenting or not has_trained:  # what is learned needs the room
        show_text_editor("text", key="train text", label=LABEL, placeholder=PLACEHOLDER, rest=QUICK_REST, height=HEIGHT)
        return
    with show_errors():
        show_token_view(
            chosen_tokenizer(),
            key="train",
            label=LABEL,
            placeholder=PLACEHOLDER,
            rest=QUICK_REST,  # what is said of the text follows it
            panes=("counts", "tokens"),
            height=HEIGHT,
        )


def begin_training_unless_running() -> None:
    """Begin to train on what is here when the button is pressed."""
    if current_job_kept_alive() is not None:
        return  # a second press can come in before the button is disabled
    with keep_errors(REFUSED):
        submit_for_session(chosen_training_task(*training_documents_and_digests())).wait(SHORT)


def set_english_sample_and_begin_training() -> None:
    """Begin to train on the English sample."""
    set_shared_text_to_sample("english")
    begin_training_unless_running()


def show_training_or_result(name: str, source: str) -> None:
    """Show the training under way, or what that of the tokenizer of this name learned, or what the next begins with."""
    if job := current_job_kept_alive():
        show_training_progress_or_rerun(job)
        return
    last = training_of(name)
    show_training_refusal_and_report()
    if last is not None:
        show_training_result(tokenizer_named(name), last)
    else:
        show_what_training_begins_with(chosen_start_tokenizer())
    if source == THE_TEXT and not (last and last.steps):
        suggest_sample_if_short(set_english_sample_and_begin_training)


show_header = begin_page(TRAIN, opens=begin_with_rhyme)
tools = reserve_row("desk-sources")
source = option_value_among("train_on", SOURCES)
# Not the job: Streamlit keeps the callbacks of this page, and with them its variables, as long as the session lives.
is_training = current_job_kept_alive() is not None
presenting = bool(option_value("presenting"))
trained_name = last_trained_name()
last = training_of(trained_name)
scroll_to_top_of_new_place(TRAIN.title, "", answer=learned_head_key(trained_name) if last and not is_training else "")
if presenting:
    form, text, learned, below = (st.container() for _ in range(4))
else:
    text, rest = st.columns(WIDTHS, gap="medium")
    form, learned = rest.container(), rest
    below = st.container()
with text:
    if source == THE_TEXT:
        show_text_box_or_size(has_trained=last is not None)
    else:
        show_training_file_opener()
if source == THE_TEXT and last is not None and not presenting and len(shared_text()) <= MAX_SHOWN:
    await_view("train")  # it would push the settings down on a phone
with form:
    act = show_training_settings(
        disabled=is_training, has_trained=last is not None, on_click=begin_training_unless_running
    )
show_header()
training_queue().prepare_process_if_needed()
with tools:
    show_choice("train_on", "Train on", SOURCES)
if source == THE_TEXT:
    with act if presenting else tools:
        show_examples_menu()
        if not presenting:
            show_text_file_popover(type="tertiary")
with learned, st.container(key="learned-result" if last else "learned-place"):
    show_training_or_result(trained_name, source)
with form:
    show_cut_off_marks_note_if_any()
if not is_training:
    with below:
        show_left_out_lines_if_any()
        if last is not None and not presenting:
            show_merges_and_curve_if_any(tokenizer_named(trained_name), last, widths=WIDTHS)
