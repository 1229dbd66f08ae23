"""Hundreds of texts on which a tokenizer must give the ids of its own library."""

import random
from functools import cache

from hypothesis import settings
from odd_texts import ODD

from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.formats.equivalence import probe_texts


@cache
def many_texts(count: int | None = None) -> tuple[str, ...]:
    """Return odd texts, the samples' beginnings, cuts of the samples, and random characters; always the same ones.

    count: without one 200 in `make test`, and 2,000 in `make test-all`.
    """
    count = count or 20 * settings.default.max_examples
    rng = random.Random(2026)
    texts = [*map(well_formed_text, ODD), *probe_texts()]
    corpus = "".join(map(sample, SAMPLES))
    while len(texts) < count:
        if rng.random() < 0.7:
            at = rng.randrange(len(corpus))
            texts.append(corpus[at : at + rng.choice((3, 20, 80, 300))])
        else:
            texts.append("".join(rng.choices(corpus + " \n\t\r  1234567890'", k=rng.choice((2, 9, 40)))))
    return tuple(texts[:count])
