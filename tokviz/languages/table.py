"""The built-in languages, each with the same twelve sentences: one table, assets/samples/languages.json.

No native speaker has proofread the sentences. A second reader translated them back without having seen the English:
both readings agree in what every sentence says. What that reader found awkward was reworded and translated back once
more. `notes` say what remains uncertain.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from tokviz.core.samples import FOLDER


@dataclass(frozen=True)
class Language:
    """A language, and the sentences in it; sentence i says the same in every language.

    code: the language tag (BCP 47); flores: the code in FLORES-200; script: Unicode's name of the script, or
    "Japanese" for kanji with kana; notes: on the variety, and on what remains uncertain.
    """

    code: str
    flores: str
    name: str
    own_name: str
    script: str
    family: str
    notes: str
    sentences: tuple[str, ...]


def _languages_by_code() -> dict[str, Language]:
    rows = json.loads((FOLDER / "languages.json").read_text("utf-8"))
    return {row["code"]: Language(**row | {"sentences": tuple(row["sentences"])}) for row in rows}


LANGUAGES = _languages_by_code()
_BY_ANY_NAME = {
    name.casefold(): language for language in LANGUAGES.values() for name in (language.name, language.flores)
} | {code.casefold(): language for code, language in LANGUAGES.items()}


def known_language(name: str) -> Language | None:
    """Return the language with this tag, FLORES code or English name, however it is capitalized; None for another.

    >>> [known_language(name).code for name in ("th", "tha_Thai", "thai", "zh-hant")], known_language("tlh")
    (['th', 'th', 'th', 'zh-Hant'], None)
    """
    return _BY_ANY_NAME.get(name.casefold())


def parallel_sentences(codes: Iterable[str] = tuple(LANGUAGES)) -> list[dict[str, str]]:
    """Return the sentences, each a dict of its texts by the codes of languages; KeyError for a code not in the table.

    >>> parallel_sentences(["en", "fi"])[10]
    {'en': 'Drinking enough water every day is good for your health.', 'fi': 'On terveellistä juoda ...'}
    """
    chosen = [_language_of_code(code) for code in codes]
    texts = zip(*(language.sentences for language in chosen), strict=True)
    return [dict(zip((language.code for language in chosen), sentence, strict=True)) for sentence in texts]


def _language_of_code(code: str) -> Language:
    if code not in LANGUAGES:
        raise KeyError(f"there are no sentences in {code!r}; choose from {', '.join(LANGUAGES)}")
    return LANGUAGES[code]
