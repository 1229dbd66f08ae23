"""Trim: a vocabulary without the tokens that a text never reaches, with new ids and the map to them."""

import csv
from collections.abc import Collection, Iterable, Mapping
from io import StringIO
from itertools import pairwise
from typing import Any, NamedTuple

from tokviz.core.bpe import NEVER, Merged, closing_ranks
from tokviz.core.ordered_ranks import symbol_ends
from tokviz.core.special_tokens import recognised_special_names
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.corpus.counting import CorpusDocument, pretoken_counts


class Trimmed(NamedTuple):
    """A trimmed tokenizer, and the new id of each token that it kept, by its old one, ascending."""

    tokenizer: Tokenizer
    ids: dict[int, int]


def trim(
    tokenizer: Any,
    text: str | Iterable[CorpusDocument],
    *,
    allowed_special: str | Collection[str] = (),
    name: str = "trimmed",
) -> Trimmed:
    """Return a tokenizer with what a text, or documents, need of a vocabulary, and the map from old ids to new ones.

    It keeps the bytes, the special tokens, every character of the text that merging begins with, and every token that a
    merge makes while the text is encoded, also those that another merge takes up. Ids run from 0 on in the order of the
    old ones, special tokens after all others. The text has the same tokens as before: a merge that is never made can be
    left out, and the others keep their order. allowed_special: as in `Tokenizer.encode`, for those in the text.
    Raises ValueError as that does, FamilyError for a tokenizer whose merges are not known.

    >>> import tokviz
    >>> trimmed = trim(tokviz.load("gpt2"), "low lower")
    >>> trimmed.tokenizer.encode("low lower"), trimmed.tokenizer.n_vocab
    ([261, 260], 263)
    >>> [trimmed.ids[i] for i in tokviz.load("gpt2").encode("low lower")]
    [261, 260]
    """
    tokenizer = tokenizer_with_merges(tokenizer, "trimming")
    special = recognised_special_names(tokenizer, allowed_special)
    documents = [text] if isinstance(text, str) else text
    pattern, normalizer = tokenizer.split_pattern, tokenizer.normalizer
    counts = pretoken_counts(documents, pattern, special_tokens=special, normalizer=normalizer, workers=None)
    return trim_to_pretokens(tokenizer, counts, name=name)


def trim_to_pretokens(tokenizer: Tokenizer, pretokens: Iterable[str], *, name: str = "trimmed") -> Trimmed:
    """Return the tokenizer trimmed to pretokens of normalized text, given once each, such as pretoken counts.

    >>> import tokviz
    >>> trim_to_pretokens(tokviz.load("gpt2"), {"low": 2, " lower": 1}).tokenizer.n_vocab
    263
    """
    ranks = tokenizer.mergeable_ranks
    in_use = {token_id for pretoken in pretokens for token_id in tokenizer.encode_pretoken(pretoken)}
    kept = {i for i in tokenizer.single_byte_ids if i >= 0} | tokenizer.unused_bytes.keys() | in_use
    for token in tokenizer.tokens_bytes(in_use):
        # Inside a token the merges are the same as in its bytes alone, since none reached across its ends.
        merged: list[Merged] = []
        # A token that no merges make is in use only where it is a whole pretoken.
        if NEVER not in closing_ranks(token, ranks, merged=merged):
            kept |= {ranks[token[one.start : one.stop]] for one in merged}
            kept |= {ranks[token[start:end]] for start, end in pairwise([0, *symbol_ends(token, ranks)])}
    new_ids = {old: new for new, old in enumerate(sorted(kept))}
    in_order = sorted(tokenizer.special_tokens, key=tokenizer.special_tokens.__getitem__)
    special = {token: len(kept) + i for i, token in enumerate(in_order)}
    new_ranks = {token: new_ids[old] for token, old in ranks.items() if old in new_ids}
    new_ids |= {tokenizer.special_tokens[token]: new for token, new in special.items()}
    trimmed = tokenizer.with_vocabulary(new_ranks, special, name=name, new_ids=new_ids)
    return Trimmed(trimmed, dict(sorted(new_ids.items())))


def id_map_csv(tokenizer: Tokenizer, ids: Mapping[int, int]) -> str:
    """Return the map as CSV: old id, new id, and the token; bytes that are not UTF-8 are written as \\xe0.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> id_map_csv(gpt2, trim(gpt2, "low").ids).splitlines()[-3:]
    ['322,256,"ow"', '9319,257,"low"', '50256,258,"<|endoftext|>"']
    """
    file = StringIO()
    rows = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    rows.writerow(("old id", "new id", "token"))
    tokens = tokenizer.tokens_bytes(ids)
    rows.writerows(
        (old, new, token.decode("utf-8", "backslashreplace"))
        for (old, new), token in zip(ids.items(), tokens, strict=True)
    )
    return file.getvalue()
