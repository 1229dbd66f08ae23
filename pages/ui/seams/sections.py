"""The sections of the page of seams: what each shows to edit, its view, drawn by `assets/seams`, and examples."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.holding import keys_set_by_link
from pages.ui.options import (
    option_value,
    option_value_among,
    set_option,
    show_choice,
    show_option_widget,
    widget_version,
)
from pages.ui.pages import SEAMS
from pages.ui.session_tokenizers.tokenizer_list import chosen_tokenizer
from pages.ui.shared.components import Component
from pages.ui.shared.live import await_view, chosen_look, document
from pages.ui.shared.messages import keep_errors
from pages.ui.shared.text import (
    START_TEXT,
    set_document_text,
    set_page_example,
    set_shared_text_to_example,
    shared_text,
    shows_page_example,
)
from pages.ui.shared.token_view import IDS_PLACEHOLDER, Appearance, show_text_editor
from tokviz import AnyTokenizer, Tokenizer, sample
from tokviz.formats.pretrained import short_name
from tokviz.live.views.seams.canonical_view import IDS_MAX, CanonicalView
from tokviz.live.views.seams.chunks_view import ChunksView
from tokviz.live.views.seams.cut_view import CutView
from tokviz.live.views.seams.seams_view import SeamsView
from tokviz.live.views.seams.settled_view import SettledView
from tokviz.live.views.seams.two_texts_view import TwoTextsView
from tokviz.live.views.seams.ways_view import WaysView

WIDTHS = (2, 3)  # of a text and of what it becomes
SEAMS_VIEW = Component("seams", ("token_view", "seams"))
KEY = "seams"
IDS = "checked_ids"  # the document that holds them; those of the Playground are others
IDS_AT_FIRST = "[198, 198]"  # two line ends of GPT-4, which merge
OPENING = "Translate to French:\ncheese => "  # the first text of the app is settled to its end
CHUNK_TOKENS = (8, 100_000)  # of fewer, chunks are many and take long
BLOCKS = {1: "single tokens", 16: "16 (vLLM)", 128: "128 (OpenAI)"}
REFERENCES = (
    "A model is trained on one way of cutting a text, yet it can read others: instruction-tuned models keep up to "
    "93.4% of their score when tokens are drawn at random, as here (Zheng et al. 2025, [Broken Tokens? Your Language "
    "Model can Secretly Handle Non-Canonical Tokenizations](https://arxiv.org/abs/2506.19004)). But safety training "
    "has seen only the usual way, so a search through other ways can get an answer to a request that the model would "
    "refuse (Geh et al. 2025, [Adversarial Tokenization](https://arxiv.org/abs/2503.02174)). This works only for "
    "somebody who can send ids: a service that receives text encodes it itself."
)


def ids_text(tokenizer: AnyTokenizer, *parts: bytes | str) -> str:
    """Return the ids of parts as one list to edit: of bytes one for each byte, of texts those of encoding each."""
    ids: list[int] = []
    for part in parts:
        if isinstance(part, str):
            ids += tokenizer.encode(part)
        elif isinstance(tokenizer, Tokenizer):
            ids += [tokenizer.mergeable_ranks[bytes([byte])] for byte in part]
    return str(ids)


def ids_of_shared_text(tokenizer: AnyTokenizer) -> str:
    """Return the ids of the shared text as a list to edit."""
    return str(tokenizer.encode(shared_text(), allowed_special=chosen_look().allowed_special)[:IDS_MAX])


@dataclass(frozen=True)
class Example:
    """A text to look at, with a second one, or ids in its place, as a function of the tokenizer."""

    text: str = ""
    second: str | None = None
    ids: Callable[[AnyTokenizer], str] | None = None

    def set_documents(self) -> None:
        """Show it."""
        if self.ids:
            with keep_errors():
                set_document_text(IDS, self.ids(chosen_tokenizer()))
            return
        set_shared_text_to_example(self.text)
        if self.second is not None:
            set_document_text("second", self.second)
        for key, value in (("seams_cut", -1), ("seams_piece", ""), ("seams_way", "")):
            set_option(key, value)


def chosen_section() -> "Section":
    """Return the section that is shown."""
    return SECTIONS[option_value_among("seams_section", SECTIONS)]


def show_example_of_section_if_untouched() -> None:
    """Have an example that nobody chose give way to the first of the section, in which one sees what it is about."""
    example = next(iter(chosen_section().examples.values()))
    is_first = shared_text() == START_TEXT and "text" not in keys_set_by_link()
    if (is_first or shows_page_example()) and example.text not in ("", shared_text()):
        set_page_example(example.text)
        if example.second is not None:
            document("second", example.second)


def text_and_result_places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the places of what one types and of what it becomes: beside each other, but above for a room."""
    if option_value("presenting"):
        return st.container(), st.container()
    text, result = st.columns(WIDTHS, gap="medium")
    return text, result


def show_text_section(
    kind: Callable[..., SeamsView], tokenizer: AnyTokenizer, name: str = "text", **editor: Unpack[Appearance]
) -> None:
    """Show the document of a name, by default the shared text, and a view of it that needs known merges."""
    if has_known_merges_else_explain(tokenizer):
        text, result = text_and_result_places()
        with text:
            show_text_editor(name, key=f"seams {name}", **editor)
        with result:
            show_seams_view(kind, name, tokenizer)


def show_two_texts_section(tokenizer: AnyTokenizer) -> None:
    """Show what the shared text and a second one have in common."""
    second = document("second", shared_text()[:1_000].rstrip() + " Why?")
    with st.container(key="seams-texts", horizontal=True, gap="small"):
        show_text_editor("text", key="seams text", label="First text")
        show_text_editor("second", key="seams second", label="Second text")
    block = option_value("cache_block")
    block = block if block in BLOCKS else 1
    show_seams_view(TwoTextsView, "text", second, tokenizer, block=block)
    show_block_choice("cache_block")


def show_block_choice(option: str) -> None:
    """Show how many tokens a cache keeps or drops together."""
    show_choice(
        option, "The cache keeps or drops blocks of", BLOCKS, label_visibility="visible",
        format_func=BLOCKS.__getitem__,
        help="In vLLM a block has 16 tokens unless set otherwise; OpenAI counts cached tokens in steps of 128.",
    )  # fmt: skip


def show_ids_section(tokenizer: AnyTokenizer) -> None:
    """Show ids beside those of their text."""
    document(IDS, IDS_AT_FIRST)
    show_text_section(CanonicalView, tokenizer, IDS, label="Token ids", placeholder=IDS_PLACEHOLDER)


def show_chunks_section(tokenizer: AnyTokenizer) -> None:
    """Show the shared text in chunks of at most a number of tokens."""
    text, result = text_and_result_places()
    with text:
        show_text_editor("text", key="seams text")
    with text, st.container(key="seams-chunks", horizontal=True, gap="small"):
        tokens = show_option_widget("chunk_tokens", st.number_input, "Tokens per chunk, at most", width=200,
                                    min_value=CHUNK_TOKENS[0], max_value=CHUNK_TOKENS[1])  # fmt: skip
        overlap = show_option_widget("chunk_overlap", st.number_input, "Tokens repeated", min_value=0,
                                     max_value=tokens - 1, width=200,
                                     help="Each chunk repeats up to this many tokens of the one before.")  # fmt: skip
    with result:
        show_seams_view(ChunksView, "text", tokenizer, tokens=tokens, overlap=overlap)


def show_ways_section(tokenizer: AnyTokenizer) -> None:
    """Show all the ways to cut a piece of the shared text."""
    show_text_section(WaysView, tokenizer)
    if isinstance(tokenizer, Tokenizer):
        with st.expander("Why models can be attacked with them"):
            st.markdown(REFERENCES)


def has_known_merges_else_explain(tokenizer: AnyTokenizer) -> bool:
    """Return whether this is BPE whose merges are known; if it is not, say so and why."""
    if isinstance(tokenizer, Tokenizer):
        return True
    st.info("This section needs a BPE tokenizer whose merges are known. “Compare texts” works with every tokenizer.")
    st.text(f"{short_name(tokenizer.name)}: {tokenizer.reason}.")
    return False


def show_seams_view(kind: Callable[..., SeamsView], shown: str, *sources: Any, **options: Any) -> None:
    """Show a view of the document of a name, `kind(document, *sources, **options)`."""
    section = option_value("seams_section")
    # What has been chosen inside the section.
    at = option_value("seams_cut")
    if section == "All the ways":
        at = [option_value("seams_piece"), option_value("seams_way")]
    SEAMS_VIEW.show_view(
        KEY, kind, shown, *sources, name=f"seams {section}", look=chosen_look(), **options,
        data={"at": at, "version": [widget_version(key) for key in ("seams_cut", "seams_piece", "seams_way")]},
        takes={"message": _keep_choice},
    )  # fmt: skip
    await_view(f"seams {section}")


def _keep_choice(message: dict[str, Any]) -> None:
    """Keep what was chosen in the component, before the page runs."""
    if isinstance(message.get("cut"), int):
        st.session_state.seams_cut = message["cut"]
    if isinstance(message.get("piece"), str) and isinstance(message.get("way"), str):
        st.session_state.seams_piece, st.session_state.seams_way = message["piece"], message["way"]


@dataclass(frozen=True)
class Section:
    """A section: what one does in it, how it is shown, and its examples by name.

    label: what the choice of sections calls it. intro: the line beside the title. recognises: whether special tokens
    matter in it.
    """

    label: str
    intro: str
    show: Callable[[AnyTokenizer], None]
    examples: Mapping[str, Example]
    recognises: bool = True


SECTIONS = {
    "Settled": Section(
        "See what can change",
        SEAMS.intro,
        partial(show_text_section, SettledView),
        {
            "Trailing space": Example(OPENING),
            "An unfinished word": Example("Tokenizers are diffic"),
            "Line ends": Example("def greet():\n    return 1\n\n"),
            "ภาษาไทย": Example("ภาษาไทยไม่เว้นวรรคระหว่า"),
        },
    ),
    "Two texts": Section(
        "Compare texts",
        "A server's cache can reuse the tokens that two prompts share at the start. See how many.",
        show_two_texts_section,
        {
            "A date at the start": Example(
                "Today is Monday.\nYou are a helpful assistant. Answer briefly.",
                "Today is Tuesday.\nYou are a helpful assistant. Answer briefly.",
            ),
            "A space, then an answer": Example("Say one word: ", "Say one word: yes"),
            "A word continues": Example("The cat sat on the token", "The cat sat on the tokenizer"),
        },
    ),
    "Ids": Section(
        "Check ids",
        "If you send ids: they can spell a text differently from how its tokenizer would. See where, and why.",
        show_ids_section,
        {
            "Two line ends": Example(ids=lambda tokenizer: ids_text(tokenizer, b"\n", b"\n")),
            "A word in bytes": Example(ids=lambda tokenizer: ids_text(tokenizer, b" hello")),
            "Two parts joined": Example(ids=lambda tokenizer: ids_text(tokenizer, "Hello wor", "ld, again")),
            "Half a character": Example(ids=lambda tokenizer: ids_text(tokenizer, "half of ", "ก".encode()[:2])),
            "The text’s ids": Example(ids=ids_of_shared_text),
        },
    ),
    "A cut": Section(
        "Cut in two",
        "Programs that join texts can change their tokens. Cut a text anywhere, and see how.",
        partial(show_text_section, CutView),
        {
            "An answer": Example("The answer is yes, undoubtedly."),
            "Digits": Example("1234567 + 89 = 1234656"),
            "An emoji": Example("A cook: 👩‍🍳, and a family: 👨‍👩‍👧"),
        },
        recognises=False,
    ),
    "Chunks": Section(
        "Make chunks",
        "If you build search: split a text into chunks of a few tokens, as embedding models need.",
        show_chunks_section,
        {
            "Paragraphs": Example(sample("english")[:1_500]),
            "ภาษาไทย": Example(sample("thai")[:600]),
            "中文": Example(sample("chinese")[:400]),
        },
        recognises=False,
    ),
    "All the ways": Section(
        "All ways to cut",
        "For the curious: the tokens of a vocabulary can spell a word in many ways. Count them, and look at each.",
        show_ways_section,
        {
            "strawberry": Example("How many r's are in strawberry?"),
            "A long word": Example("antidisestablishmentarianism"),
            "มะม่วง": Example("มะม่วงสุก"),
        },
        recognises=False,
    ),
}  # fmt: skip
