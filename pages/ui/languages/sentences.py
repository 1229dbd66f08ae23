"""The sentences that mixes are judged on, by the names of their languages."""

from tokviz.languages.table import parallel_sentences

REFERENCE = "English"
SHIPPED = {"en": "English", "th": "Thai", "zh-Hans": "Chinese"}


def sentences() -> list[dict[str, str]]:
    """Return the sentences.

    >>> list(sentences()[0])
    ['English', 'Thai', 'Chinese']
    """
    return [{SHIPPED[code]: text for code, text in sentence.items()} for sentence in parallel_sentences(SHIPPED)]
