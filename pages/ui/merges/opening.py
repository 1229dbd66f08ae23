"""What the Merges page shows at first: a tokenizer trained on the text shown, with its first merge to be guessed.

The counts decide there. An example gives way to a rhyme, and comes back on other pages. Your own text stays: it is
trained on if it repeats enough, else seen under the tokenizer that all pages share. After a change of text on another
page, the page opens anew. A tokenizer of your own wins over this, and so do a link and what the tab remembers of this
page. A pretrained one that was chosen elsewhere does not.
"""

import streamlit as st

from pages.ui.holding import keys_set_by_link
from pages.ui.merges.replays import kept_trained_tokenizer, replay_tokenizer_name, show_merges, small_training_on
from pages.ui.options import option_default, option_value, set_option, widget_version
from pages.ui.session_tokenizers.tokenizer_list import (
    add_tokenizer,
    chosen_tokenizer_name,
    kept_tokenizers,
    merges_tokenizer_name,
    tokenizer_named,
    training_of,
    was_trained_on,
)
from pages.ui.shared.live import chosen_look, live_session
from pages.ui.shared.text import (
    RHYME,
    set_page_example,
    shared_text,
    show_rhyme_unless_own_text,
    shows_common_example,
)
from tokviz import Tokenizer, trace
from tokviz.formats.pretrained import ENCODINGS
from tokviz.live.views.history_view import SHOWN_MAX, HistoryView
from tokviz.live.views.merge_steps import upcoming_rank
from tokviz.records.session_tokenizer import Kept
from tokviz.records.training import FromTraining

KEY = "machine"  # of the view
WATCH = "watch"  # in the address: show a tokenizer trained on the text shown, whatever was shown before
PRETRAINED = "cl100k_base"
FROM_RHYME = replay_tokenizer_name("Rhyme")
FROM_OWN_TEXT = "Trained on your text"
LEAST_MERGES = 10  # of a tokenizer trained on your own text; fewer are not worth watching
EDITED = 20  # characters at either end of the rhyme; a text with one of them is the rhyme, edited
TRAINED_UNITS_MAX = 20_000  # characters of your own text; training on them takes at most about 100 ms


def choose_opening_once() -> None:
    """Choose what the page shows, once for a tab, or when the address asks for it.

    If this run is cut short, the next one does it again: that it is done is written last.
    """
    if st.session_state.pop("opens_again", False):
        undo_opening_if_any()
        # The tab takes a value that is a default again for one that was lost, and gives back what it had.
        keys_set_by_link().update({"merges_tokenizer", "step", "predicting"})
    asked = WATCH in st.query_params
    is_settled = (
        was_trained_on(merges_tokenizer_name(), shared_text())
        if asked
        else option_value("merges_opened")
        or option_value("merges_tokenizer")
        or chosen_tokenizer_name() in kept_tokenizers()  # one of their own for all pages
    )
    if not is_settled:
        open_trained_or_pretrained()
    elif was_trained_on(merges_tokenizer_name(), RHYME) and shows_common_example():
        set_page_example(RHYME)
    elif st.session_state.get("arrived") and is_opening_of_another_text():
        open_trained_or_pretrained()
    st.session_state.pop("arrived", None)
    if not option_value("merges_opened"):
        set_option("merges_opened", True)
    if asked:
        del st.query_params[WATCH]


def is_opening_of_another_text() -> bool:
    """Return whether the page shows a tokenizer that it has trained itself, on another text than is now shown."""
    name = merges_tokenizer_name()
    return st.session_state.get("opening") == name and not was_trained_on(name, shared_text())


def open_trained_or_pretrained() -> None:
    """Show a tokenizer trained on the rhyme or on the user's own text, at merge 0, else a pretrained one.

    One that the address names comes first.
    """
    if "tokenizer" in keys_set_by_link():
        open_pretrained(chosen_tokenizer_name())
    elif show_rhyme_unless_own_text():
        _open_before_first_merge(kept_trained_tokenizer(small_training_on(RHYME, name=FROM_RHYME)))
    elif not open_trained_on_own_text_if_suitable():
        open_pretrained(chosen_tokenizer_name() if chosen_tokenizer_name() in ENCODINGS else PRETRAINED)


def shows_opening_rhyme() -> bool:
    """Return whether the rhyme is shown that this session has chosen to show."""
    name = merges_tokenizer_name()
    return st.session_state.get("opening") == name and was_trained_on(name, RHYME)


def open_anew_if_replaced() -> None:
    """Choose again what the page shows if the tab has since given back the user's own text in place of the rhyme."""
    text = shared_text()
    is_from_tab = st.session_state.get("tab_restored") and "text" not in keys_set_by_link()
    is_edited = text[:EDITED] == RHYME[:EDITED] or text[-EDITED:] == RHYME[-EDITED:]
    if is_from_tab and shows_opening_rhyme() and not is_edited:
        st.session_state.opens_again = True
        st.rerun()


def open_trained_on_own_text_if_suitable() -> bool:
    """Show a tokenizer trained on the user's own text, at merge 0; return whether the text is suitable."""
    text = shared_text()
    if len(text) > TRAINED_UNITS_MAX:
        return False
    trained = kept_trained_tokenizer(small_training_on(text, name=FROM_OWN_TEXT))
    if len(trained.origin.steps) < LEAST_MERGES:
        return False
    _open_before_first_merge(trained)
    return True


def _open_before_first_merge(trained: Kept[FromTraining]) -> None:
    """Show a tokenizer that was trained for this page, before its first merge, and ask for that."""
    st.session_state.opening = name = add_tokenizer(trained)
    show_merges(name, predicting=True)


def open_pretrained(name: str = PRETRAINED) -> None:
    """Show the shared text under the merges of a pretrained tokenizer, before the first that changes it."""
    tokenizer, chosen = tokenizer_named(name), "" if chosen_tokenizer_name() == name else name
    if not isinstance(tokenizer, Tokenizer):  # the page says why it has no merges
        return show_merges(chosen)
    shown = trace(tokenizer, shared_text()[:SHOWN_MAX], allowed_special=chosen_look().allowed_special)
    first = upcoming_rank(shown, 0, source="elsewhere")
    n_merges = len(tokenizer.merge_tokens)
    show_merges(chosen, first if first < n_merges else 0)


def undo_opening_if_any() -> None:
    """Undo what this session has chosen to show: the tab remembers an earlier one, and says so after the first run.

    If the tab remembers nothing of this page, it is chosen again.
    """
    if name := st.session_state.get("opening"):
        if training_of(name):
            kept_tokenizers().pop(name)
        if option_value("merges_tokenizer") == name:
            show_merges("", option_default("step"))
        st.session_state.opening = ""
        set_option("merges_opened", False)


def keep_browser_step_unless_set_since() -> None:
    """Keep the step at which the browser stays, unless another one has been set since; play from a step only once."""
    view = live_session().views.get(KEY)
    if isinstance(view, HistoryView) and view.stays is not None and view.stays[0] == widget_version("step"):
        st.session_state.step = view.stays[1]
        st.session_state.pop("plays", None)
