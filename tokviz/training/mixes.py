"""Mixes: texts of several languages, each with its share of the bytes, to train a tokenizer on.

Nothing is random. Each language gives the beginning of its text, to the last whole character; a text that is too short
begins again.
"""

from collections.abc import Mapping

from tokviz.core.pretokens import well_formed


def mixed_documents(texts: Mapping[str, str], shares: Mapping[str, int], n_bytes: int) -> list[str]:
    """Return the documents of a mix of `n_bytes` bytes of UTF-8, up to three bytes fewer for each language.

    The languages follow one another in the order of `shares`, and each repetition of a text is a document
    of its own, so that no merge reaches from its end to its beginning. A share of 0 leaves a language out.
    Raises ValueError for bad shares, and for a language that has a share but no text.

    >>> mixed_documents({"english": "two ", "thai": "สอง"}, {"english": 2, "thai": 1}, 18)
    ['two ', 'two ', 'two ', 'สอ']
    """
    documents = []
    for language, size in mix_sizes(shares, n_bytes).items():
        text = well_formed(texts.get(language, ""))
        if not text:
            raise ValueError(f"{language} has a share of the mix but no text: give it one, or a share of 0")
        data = text.encode()
        whole, rest = divmod(size, len(data))
        documents += [text] * whole
        if part := data[:rest].decode(errors="ignore"):
            documents.append(part)
    return documents


def mix_sizes(shares: Mapping[str, int], n_bytes: int) -> dict[str, int]:
    """Return how many bytes each language with a share above 0 gets, rounded down.

    >>> mix_sizes({"english": 2, "thai": 1, "chinese": 0}, 10_000)
    {'english': 6666, 'thai': 3333}
    """
    if min(shares.values(), default=0) < 0 or not any(shares.values()):
        raise ValueError(f"shares must be whole numbers, none below 0 and at least one above, not {dict(shares)}")
    total = sum(shares.values())
    if n_bytes < 1:
        raise ValueError(f"a mix must have at least 1 byte, not {n_bytes!r}")
    return {language: n_bytes * share // total for language, share in shares.items() if share}
