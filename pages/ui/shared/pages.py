"""The pages of the app, each a value: whatever links to a page names that."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """A page: its script, what a link to it says, and the icon of such a link."""

    path: str
    label: str
    icon: str


LEARN = Page("pages/lessons.py", "Learn", ":material/school:")
PLAYGROUND = Page("app.py", "Playground", ":material/edit_note:")
MERGES = Page("pages/merges.py", "Merges", ":material/merge:")
COMPARE = Page("pages/compare.py", "Compare", ":material/compare:")
LANGUAGES = Page("pages/languages.py", "Languages", ":material/translate:")
TRAIN = Page("pages/train.py", "Train", ":material/model_training:")
VOCABULARY = Page("pages/vocabulary.py", "Vocabulary", ":material/dictionary:")
BYTES = Page("pages/bytes.py", "Bytes & patterns", ":material/data_array:")

PAGES = (LEARN, PLAYGROUND, MERGES, COMPARE, LANGUAGES, TRAIN)
INSPECT = (VOCABULARY, BYTES)  # behind one button
