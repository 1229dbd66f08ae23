"""The pages, each a value that whatever links to it names; menus, addresses, links and tests follow from the table."""

from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True)
class Page:
    """A page by its title in the menus.

    script: what Streamlit runs. icon: of links to it. intro: what one sees here and can try. words: those of the
    glossary that the page is about. holds: what its own link holds, in words. texts: the documents that it may show, by
    their names, which its link holds. inspects: whether it is in the menu of pages that inspect something.
    """

    title: str
    script: str
    icon: str
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
    holds="the lesson and the texts you have changed",
    texts=(),
)
PLAYGROUND = Page(
    "Playground",
    "app.py",
    ":material/edit_note:",
    texts=("text", "ids", "functions", "template"),
)
MERGES = Page(
    "Merges",
    "pages/merges.py",
    ":material/merge:",
    "Guess which pair is merged next, or press Play.",
    holds="the text and the step",
)
COMPARE = Page(
    "Compare",
    "pages/compare.py",
    ":material/compare:",
    "One text under several tokenizers: point at a token to see what the others have at the same place. Whatever "
    "they cut differently is underlined.",
    words=("fertility",),
    holds="the text and the view",
)
LANGUAGES = Page(
    "Languages",
    "pages/languages.py",
    ":material/translate:",
    words=("parity",),
    holds="the tokenizers and what is shown about them",
    texts=(),
)
TRAIN = Page(
    "Train",
    "pages/train.py",
    ":material/model_training:",
    "Train a tokenizer on your text and watch it learn.",
    words=("pair count", "split pattern"),
    holds="the text and the settings",
)
VOCABULARY = Page(
    "Vocabulary",
    "pages/vocabulary.py",
    ":material/dictionary:",
    "Every token of a tokenizer. Search for “ing” at the end, or for the bytes e0 b8; open a token to see which two it "
    "was merged from. Which tokens are the longest, and what do they say about the training text?",
    words=("merge rank",),
    holds="the tokenizer and the text",
    inspects=True,
)
BYTES = Page(
    "Bytes & patterns",
    "pages/bytes.py",
    ":material/data_array:",
    "Below the tokens: each character is one or more bytes, and a split pattern cuts the text before any merge. "
    "Type something, then switch an alternative off and see what the next one makes of it.",
    words=("code point", "split pattern"),
    holds="the text and the pattern",
    inspects=True,
)
SEAMS = Page(
    "Seams",
    "pages/seams.py",
    ":material/content_cut:",
    "What follows a text can still change its last tokens. Which ones, and how? Keep typing to see. Then drag a cut "
    "through the text, or draw a random way to cut a word.",
    words=("pretoken",),
    holds="the texts, the ids and your choices",
    texts=("text", "second", "ids"),
    inspects=True,
)
TURNS = Page(
    "Chat turns",
    "pages/turns.py",
    ":material/forum:",
    "A chat is written out anew for every answer. See what each prompt keeps of the one before, and which tokens a "
    "cache has to compute again.",
    holds="the messages and the options",
    texts=("rollouts", "functions", "template"),
    inspects=True,
)

PAGES: dict[str, Page] = {
    page.title: page for page in (LEARN, PLAYGROUND, MERGES, COMPARE, LANGUAGES, TRAIN, VOCABULARY, BYTES, SEAMS, TURNS)
}
