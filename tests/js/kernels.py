"""The server's side of the components under test: real sessions and views, which Node speaks to over a pipe.

Each line is a JSON list, [number, what, …], and is answered by [number, result]; each page has a kernel of its own.
"""

import json
import re
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TextIO

from foreign_files import wordpiece_file
from trainings import trained_of

import tokviz
from tokviz.chats.formats import ChatML
from tokviz.core.steps import WHOLE
from tokviz.corpus.counting import pretoken_counts
from tokviz.display.palette import colour_index
from tokviz.display.saved_page import columns_page, history_page, tokens_page
from tokviz.formats.files import read_tokenizer
from tokviz.live.kernel import Kernel
from tokviz.live.look import Look
from tokviz.live.session import LiveSession
from tokviz.live.views.compare_view import CompareView
from tokviz.live.views.cuts_view import CutsView
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.prompt_view import PromptView
from tokviz.live.views.ratio_view import RatioView
from tokviz.live.views.seams.canonical_view import CanonicalView
from tokviz.live.views.seams.chunks_view import ChunksView
from tokviz.live.views.seams.cut_view import CutView
from tokviz.live.views.seams.settled_view import SettledView
from tokviz.live.views.seams.two_texts_view import TwoTextsView
from tokviz.live.views.seams.ways_view import WaysView
from tokviz.live.views.token_view import TokenView
from tokviz.live.views.unicode_view import UnicodeView
from tokviz.live.views.vocabulary_view import VocabularyView
from tokviz.records.session_tokenizer import Kept
from tokviz.training.parity.parity_aware import ParityAware, parity_aware_steps
from tokviz.vocabulary.findings import findings_if_known

Make = Callable[..., None]


@cache
def tokenizer_of(name: str) -> tokviz.AnyTokenizer:
    """Return the tokenizer of a name; "gpt2@300" has the first 300 merges of gpt2."""
    if name == "wordpiece":
        return read_tokenizer(wordpiece_file(), "berta.json")
    base, _, merges = name.partition("@")
    return tokviz.load(base).truncated(int(merges)) if merges else tokviz.load(base)


def named(names: Sequence[str]) -> tuple[tuple[str, tokviz.AnyTokenizer], ...]:
    """Return tokenizers with their names."""
    return tuple((name, tokenizer_of(name)) for name in names)


@cache
def trained(text: str, merges: int) -> Kept:
    """Return a tokenizer trained on a text, with its counts."""
    steps = tuple(tokviz.train_steps(text, vocab_size=256 + merges))
    tokenizer = tokviz.Tokenizer.from_steps(steps, name="trained")
    return trained_of(tokenizer, steps, len(text.encode()), {WHOLE: pretoken_counts([text])})


@cache
def trained_in_turns() -> Kept:
    """Return a tokenizer for whose merges two languages take turns, with its counts."""
    sentences = [{"English": "low lower", "Thai": "กากา"}, {"English": "lowest", "Thai": "กา"}]
    texts = {name: " ".join(each[name] for each in sentences) for name in ("English", "Thai")}
    steps = tuple(parity_aware_steps(texts, vocab_size=260, sentences=sentences))
    tokenizer = tokviz.Tokenizer.from_steps(steps, name="trained")
    counts = {name: pretoken_counts([text]) for name, text in texts.items()}
    n_bytes = sum(len(text.encode()) for text in texts.values())
    return trained_of(tokenizer, steps, n_bytes, counts, way=ParityAware(sentences))


def token_view(
    session: LiveSession,
    *,
    tokenizer: str = "gpt2",
    counted: Sequence[str] = (),
    beside: str | None = None,
    finds_chat: bool = False,
    **look: Any,
) -> None:
    """The tokens of a text."""
    session.get_or_add_view(
        "view", TokenView, session.get_or_add_document("text"), tokenizer_of(tokenizer), counted=named(counted),
        beside=None if beside is None else (tokenizer, beside, tokenizer_of(beside)), finds_chat=finds_chat,
        look=Look(**look),
    )  # fmt: skip


def prompt(session: LiveSession, *, messages: Sequence[tuple[str, str]], tokenizer: str = "gpt2") -> None:
    """The tokens of a chat in ChatML."""
    rows = tuple(
        (role, session.get_or_add_document(f"message {i}", text), "", "") for i, (role, text) in enumerate(messages)
    )
    chat_format = ChatML()
    session.get_or_add_view("view", PromptView, rows, chat_format.tokenizer(tokenizer_of(tokenizer)), chat_format)


def columns(session: LiveSession, *, tokenizers: Sequence[str], **look: Any) -> None:
    """The tokens of a text under several tokenizers."""
    session.get_or_add_view(
        "view", CompareView, session.get_or_add_document("text"), named(tokenizers), look=Look(**look)
    )


def history(
    session: LiveSession, *, tokenizer: str = "gpt2", merges: int | None = None, in_turns: bool = False, **look: Any
) -> None:
    """The merges of a text: of a tokenizer, or of one trained on the text or on languages that take turns."""
    if in_turns:
        record: Kept | None = trained_in_turns()
    else:
        record = None if merges is None else trained(session.get_or_add_document("text").text, merges)
    made_by = tokenizer_of(tokenizer) if record is None else record.tokenizer
    training = record and record.origin
    session.get_or_add_view(
        "view", HistoryView, session.get_or_add_document("text"), made_by, training=training, look=Look(**look)
    )


def cuts(session: LiveSession, *, pattern: str = "gpt2", off: Sequence[int] = ()) -> None:
    """The pretokens of a text."""
    session.get_or_add_view("view", CutsView, session.get_or_add_document("text"), pattern, off=tuple(off))


def unicode_view(session: LiveSession) -> None:
    """A text as Unicode sees it."""
    session.get_or_add_view("view", UnicodeView, session.get_or_add_document("text"))


def ratios(session: LiveSession, *, texts: Sequence[str], tokenizers: Sequence[str]) -> None:
    """Texts that say the same."""
    documents = tuple(session.get_or_add_document(f"text {i}", text) for i, text in enumerate(texts))
    session.get_or_add_view("view", RatioView, documents, named(tokenizers))


def vocabulary(session: LiveSession, *, tokenizer: str = "gpt2@300") -> None:
    """The tokens of a vocabulary."""
    known = tokenizer_of(tokenizer)
    session.get_or_add_view(
        "view", VocabularyView, session.get_or_add_document("text"), known, found=findings_if_known(known)
    )


def seams(session: LiveSession, *, section: str, tokenizer: str = "gpt2", other: str = "", **look: Any) -> None:
    """A section of the page of seams, under its name."""
    text, known = session.get_or_add_document("text"), tokenizer_of(tokenizer)
    kinds = {"settled": SettledView, "ids": CanonicalView, "cut": CutView, "ways": WaysView}
    if section == "two texts":
        session.get_or_add_view(section, TwoTextsView, text, session.get_or_add_document("other", other), known)
    elif section == "chunks":
        session.get_or_add_view(section, ChunksView, text, known, tokens=6, overlap=2, look=Look(**look))
    else:
        session.get_or_add_view(section, kinds[section], text, known, look=Look(**look))


VIEWS: dict[str, Make] = {
    make.__name__: make
    for make in (token_view, prompt, columns, history, cuts, unicode_view, ratios, vocabulary, seams)
}


class Pages:
    """The pages that Node has opened: what is asked of each by its number."""

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []

    def open(self, text: str, name: str, options: dict[str, Any]) -> dict[str, Any]:
        """Open a page on a text, with a view; return its number and the token of its session."""
        session = LiveSession()
        session.get_or_add_document("text", text)
        VIEWS[name](session, **options)
        self.kernels.append(Kernel(session))
        return {"page": len(self.kernels) - 1, "token": session.token}

    def connect(self, page: int) -> None:
        """Open a socket: another is told all again."""
        self.kernels[page].reset_page()

    def say(self, page: int, message: str) -> list[str]:
        """Say a message to a page's kernel; return what it tells."""
        return list(self.kernels[page].receive_and_respond(message))

    def put(self, page: int, document: str, text: str) -> None:
        """Have a text replace that of a document, as a script does."""
        self.kernels[page].session.documents[document].set_text(text)

    def show(self, page: int, name: str, options: dict[str, Any]) -> None:
        """Have a page show another view, as a script does."""
        VIEWS[name](self.kernels[page].session, **options)

    def text(self, page: int, document: str) -> str:
        """Return the text of a document."""
        return self.kernels[page].session.documents[document].text

    def kept(self, kind: str, text: str, tokenizers: Sequence[str]) -> str:
        """Return what a saved page of a kind keeps of a text, packed."""
        known = dict(named(tokenizers))
        page = {
            "token_view": lambda: tokens_page(known, text),
            "compare_view": lambda: columns_page(known, text),
            "time_machine": lambda: history_page(next(iter(known.values())), text, step=500),
        }[kind]()
        found = re.search('id="kept">([^<]*)', page)
        assert found
        return found.group(1)

    def tokens(self, tokenizer: str, text: str) -> list[dict[str, Any]]:
        """Return the tokens that the package makes of a text: what a component is held against."""
        known = tokenizer_of(tokenizer)
        spans = tokviz.text_spans(known, text)
        pieces = [spans.text[a:b] for a, b in zip(spans.char_starts, spans.char_ends, strict=True)]
        tokens = [known.token_bytes(i) for i in spans.ids.tolist()]
        return [
            {"id": i, "piece": piece, "hex": token.hex(" "), "colour": colour_index(token), "isPartial": bool(partial)}
            for i, piece, token, partial in zip(spans.ids.tolist(), pieces, tokens, spans.partial, strict=True)
        ]


def serve(lines: TextIO, answers: TextIO) -> None:
    """Answer until there are no more lines; what goes wrong is the answer."""
    pages = Pages()
    for line in lines:
        number, what, *arguments = json.loads(line)
        try:
            result = {"result": getattr(pages, what)(*arguments)}
        except Exception:
            result = {"error": traceback.format_exc()}
        print(json.dumps([number, result]), file=answers, flush=True)
