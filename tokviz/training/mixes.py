"""Mixes: texts of several languages, each with its share of the bytes, to train a tokenizer on.

In: a text and a share per language, and the size of the whole. Out: documents, the same for the same
input: nothing is drawn by chance. Of each language as many bytes are taken from the beginning of its text
as its share says, to the last whole character; where a text ends too soon it begins again.
"""

from collections.abc import Mapping

from tokviz.core.pretokens import well_formed


def mixed_documents(texts: Mapping[str, str], shares: Mapping[str, int], n_bytes: int) -> list[str]:
    """Return the documents of a mix of `n_bytes` bytes of UTF-8, up to three bytes a language less.

    The languages follow one another in the order of `shares`, and each repetition of a text is a document
    of its own, so that no merge reaches from its end to its beginning. A share of 0 leaves a language out.
    Raises ValueError for shares that are no shares, and for a language that has a share but no text.

    >>> mixed_documents({"english": "two ", "thai": "สอง"}, {"english": 2, "thai": 1}, 18)
    ['two ', 'two ', 'two ', 'สอ']
    """
    documents = []
    for language, size in mix_sizes(shares, n_bytes).items():
        text = well_formed(texts.get(language, ""))
        if not text:
            raise ValueError(f"{language} has a share of the mix and no text: give it one, or a share of 0")
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
        raise ValueError(f"the shares are whole numbers from 0 on, and one of them is above it, not {dict(shares)}")
    total = sum(shares.values())
    if n_bytes < 1:
        raise ValueError(f"a mix has at least 1 byte, not {n_bytes!r}")
    return {language: n_bytes * share // total for language, share in shares.items() if share}
