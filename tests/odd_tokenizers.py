"""Small random tokenizers that change texts, or whose merges begin with characters in an order of their own."""

from itertools import pairwise

from tokviz.core import bpe
from tokviz.core.normalizer import PLAIN, Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.tokenizer import Tokenizer

NORMALIZERS = {
    "plain": PLAIN,
    "NFC": Normalizer("NFC"),
    "NFKC, lower case": Normalizer("NFKC", lowercase=True),
    "first space": Normalizer(prefix="first"),
    "each space, marks": Normalizer(marks_are_spaces=True, prefix="each"),
    "missing space": Normalizer("NFC", prefix="each", prefix_if_missing=True),
}


def random_ranks(rng, alphabet, n_merges, normalizer=PLAIN, *, with_characters=True):
    """Return ranks of random merges of what normalized texts of this alphabet hold, in an order of their own."""
    data = normalizer.normalized("".join(rng.choices(alphabet, k=400))).encode()
    byte_ids = rng.sample(range(1_000, 1_256), 256)
    ids = {bytes([i]): byte_id for i, byte_id in enumerate(byte_ids)}
    if with_characters:
        ids |= {c.encode(): 2_000 + i for i, c in enumerate(dict.fromkeys(data.decode())) if rng.random() < 0.9}
    else:
        byte_ids = None
    ranks = OrderedRanks(ids, [], starts_with_characters=with_characters, byte_ids=byte_ids)
    free = rng.sample(range(3_000, 4_000), n_merges)
    groups = []
    while free:
        pairs = sorted({a + b for a, b in pairwise(bpe.tokens(data, ranks, below=2**31))} - ranks.keys())
        if with_characters:  # nothing merges the bytes of those that are no tokens
            pairs = [pair for pair in pairs if not {*pair.decode(errors="replace")} & {"\ufffd"}]
        if not pairs:
            break
        token = rng.choice(pairs)
        groups.append([token])
        ids[token] = free.pop()
        ranks = OrderedRanks(ids, groups, starts_with_characters=with_characters, byte_ids=byte_ids)
    return ranks


def random_tokenizer(rng, alphabet, pattern, normalizer, n_merges, *, special=(), takes_whole=False):
    """Return a tokenizer of such ranks; `special` tokens have the ids from 0 on."""
    ranks = random_ranks(rng, alphabet, n_merges, normalizer, with_characters=rng.random() < 0.7)
    ids = {name: i for i, name in enumerate(special)}
    return Tokenizer("odd", pattern, ranks, ids, (), takes_whole, normalizer)
