"""The pages, each a value that whatever links to it names; menus, addresses, links and tests follow from the table."""

from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True)
class Page:
    """A page by its title in the menus.

    script: what Streamlit runs. icon: of links to it. purpose: what it is for, in a few words. intro: what one sees
    here and can try. words: those of the glossary that the page is about. holds: what its own link holds, in words.
    texts: the documents that it may show, by their names, which its link holds. inspects: whether it is in the menu of
    pages that inspect something.
    """

    title: str
    script: str
    icon: str
    purpose: str
    intro: str = ""
    words: tuple[str, ...] = ()
    holds: str = "the text and the options"
    texts: tuple[str, ...] = ("text",)
    inspects: bool = False

    @property
    def url_path(self) -> str:
        """The last part of its address, empty for the first page."""
        return "" if self.script == "app.py" else PurePath(self.script).stem


LEARN = Page(
    "Learn",
    "pages/lessons.py",
    ":material/school:",
    "lessons with exercises",
    holds="the lesson and the texts you have changed",
    texts=(),
)
PLAYGROUND = Page(
    "Playground",
    "app.py",
    ":material/edit_note:",
    "see and count the tokens of a text",
    texts=("text", "ids", "functions", "template"),
)
MERGES = Page(
    "Merges",
    "pages/merges.py",
    ":material/merge:",
    "guess the next merge",
    "A tokenizer learns by joining the pair that occurs most often, again and again. Guess the next, or press Play.",
    holds="the text and the step",
)
COMPARE = Page(
    "Compare",
    "pages/compare.py",
    ":material/compare:",
    "tokenizers side by side",
    "See one text under several tokenizers. Choose a token to find its place in the others; differences are "
    "underlined.",
    holds="the text and the view",
)
LANGUAGES = Page(
    "Languages",
    "pages/languages.py",
    ":material/translate:",
    "what each language costs",
    words=("parity",),
    holds="the tokenizers and what is shown about them",
    texts=(),
)
TRAIN = Page(
    "Train",
    "pages/train.py",
    ":material/model_training:",
    "make a tokenizer from your text",
    "Train a tokenizer on your text and watch it learn.",
    words=("pair count", "split pattern"),
    holds="the text and the settings",
)
VOCABULARY = Page(
    "Vocabulary",
    "pages/vocabulary.py",
    ":material/dictionary:",
    "search all tokens",
    "Search all tokens of a tokenizer: “ing” at the end, the bytes e0 b8, the longest. Open one to see the two that "
    "it was merged from.",
    words=("merge rank",),
    holds="the tokenizer and the text",
    inspects=True,
)
BYTES = Page(
    "Bytes & patterns",
    "pages/bytes.py",
    ":material/data_array:",
    "what a text is made of",
    "A token is made of bytes: “a” has one, “ก” has three, “🍓” has four. So one letter can cost several tokens.",
    words=("code point", "split pattern"),
    holds="the text and the pattern",
    inspects=True,
)
SEAMS = Page(
    "Seams",
    "pages/seams.py",
    ":material/content_cut:",
    "which tokens can still change",
    "For prompt writers: a space at the end can make a prompt worse. See which tokens can still change.",
    words=("pretoken",),
    holds="the texts, the ids and your choices",
    texts=("text", "second", "checked_ids"),
    inspects=True,
)
TURNS = Page(
    "Chat turns",
    "pages/turns.py",
    ":material/forum:",
    "what each turn costs",
    "For servers: a prefix cache keeps what was computed for earlier turns. See what is computed again.",
    words=("prefix cache", "special token"),
    holds="the messages and the options",
    texts=("rollouts", "functions", "template"),
    inspects=True,
)

PAGES: dict[str, Page] = {
    page.title: page for page in (LEARN, PLAYGROUND, MERGES, COMPARE, LANGUAGES, TRAIN, VOCABULARY, BYTES, SEAMS, TURNS)
}
