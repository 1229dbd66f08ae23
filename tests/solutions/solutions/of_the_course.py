"""A tokenizer as CS336 asks for it, in its first assignment: train_bpe, and a class of a vocabulary and merges."""

from collections import Counter
from itertools import pairwise

import regex as re

PAT = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""


def split_special(text, special_tokens):
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)


def join(tokens, pair):
    new, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            new.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            new.append(tokens[i])
            i += 1
    return tuple(new)


def train_bpe(input_path, vocab_size, special_tokens):
    with open(input_path, encoding="utf-8") as file:
        text = file.read()
    words = Counter()
    for part in split_special(text, special_tokens):
        if part not in special_tokens:
            for match in re.finditer(PAT, part):
                words[tuple(bytes([b]) for b in match.group().encode("utf-8"))] += 1
    merges = []
    while 256 + len(special_tokens) + len(merges) < vocab_size:
        counts = Counter()
        for word, n in words.items():
            for pair in pairwise(word):
                counts[pair] += n
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        merged = Counter()
        for word, n in words.items():
            merged[join(word, best)] += n
        words = merged
    tokens = [*(token.encode("utf-8") for token in special_tokens), *(bytes([i]) for i in range(256))]
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens)), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=None):
        self.vocab = dict(vocab)
        self.ids = {token: i for i, token in vocab.items()}
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.special_tokens = special_tokens or []
        for token in self.special_tokens:
            if token.encode("utf-8") not in self.ids:
                self.ids[token.encode("utf-8")] = len(self.vocab)
                self.vocab[len(self.vocab)] = token.encode("utf-8")

    def encode(self, text):
        ids = []
        for part in split_special(text, self.special_tokens):
            if part in self.special_tokens:
                ids.append(self.ids[part.encode("utf-8")])
            else:
                for match in re.finditer(PAT, part):
                    ids += [self.ids[token] for token in self._tokens(match.group().encode("utf-8"))]
        return ids

    def _tokens(self, data):
        tokens = tuple(bytes([b]) for b in data)
        while len(tokens) > 1:
            pair = min(pairwise(tokens), key=lambda pair: self.ranks.get(pair, float("inf")))
            if pair not in self.ranks:
                break
            tokens = join(tokens, pair)
        return tokens

    def encode_iterable(self, iterable):
        for text in iterable:
            yield from self.encode(text)

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")
