"""The sentences of a mix: every other one leads its training, the rest judge what comes of it."""

from collections.abc import Collection, Mapping, Sequence

from pages.ui.languages.parallel import parallel

Sentence = Mapping[str, str]


def leading() -> Sequence[Sentence]:
    """Return the sentences that parity-aware training sees: the odd ones, counted from 1, by the codes of languages."""
    return parallel().sentences[::2]


def judging(languages: Collection[str]) -> list[Sentence]:
    """Return the even sentences that are in all of these languages; no training is given them."""
    return [each for each in parallel().sentences[1::2] if is_in_all(each, languages)]


def is_in_all(sentence: Sentence, languages: Collection[str]) -> bool:
    """Return whether a sentence has a text in all of these languages.

    >>> is_in_all({"en": "two", "th": "สอง"}, ["th", "en"]), is_in_all({"en": "two", "th": " "}, ["th", "en"])
    (True, False)
    """
    return all(sentence.get(language, "").strip() for language in languages)


def leading_text(language: str) -> str:
    """Return the leading sentences in a language, one on each line: its text where there is no other."""
    return "\n".join(text for each in leading() if (text := each.get(language, "").strip()))


def known_sentences(language: str, text: str) -> int:
    """Return how many judging sentences stand in a text."""
    return sum(each[language].strip() in text for each in judging([language]))
