"""A tokenizer as people write it after the lecture: pairs, merges, a class with a split pattern, cl100k's merges."""

import json
from itertools import pairwise
from pathlib import Path

import regex as re

GPT4_SPLIT_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)


def get_stats(ids, counts=None):
    counts = {} if counts is None else counts
    for pair in pairwise(ids):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def merge(ids, pair, idx):
    new, i = [], 0
    while i < len(ids):
        if ids[i] == pair[0] and i < len(ids) - 1 and ids[i + 1] == pair[1]:
            new.append(idx)
            i += 2
        else:
            new.append(ids[i])
            i += 1
    return new


class RegexTokenizer:
    def __init__(self, pattern=None):
        self.pattern = GPT4_SPLIT_PATTERN if pattern is None else pattern
        self.merges, self.special_tokens = {}, {}

    def train(self, text, vocab_size, verbose=False):
        chunks = [list(chunk.encode("utf-8")) for chunk in re.findall(self.pattern, text)]
        self.vocab = {i: bytes([i]) for i in range(256)}
        for i in range(vocab_size - 256):
            stats = {}
            for chunk in chunks:
                get_stats(chunk, stats)
            pair = max(stats, key=stats.get)
            chunks = [merge(chunk, pair, 256 + i) for chunk in chunks]
            self.merges[pair] = 256 + i
            self.vocab[256 + i] = self.vocab[pair[0]] + self.vocab[pair[1]]
            if verbose:
                print(pair, "->", 256 + i)

    def register_special_tokens(self, special_tokens):
        self.special_tokens = special_tokens

    def _encode_chunk(self, ids):
        while len(ids) >= 2:
            stats = get_stats(ids)
            pair = min(stats, key=lambda p: self.merges.get(p, float("inf")))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
        return ids

    def encode_ordinary(self, text):
        return [i for chunk in re.findall(self.pattern, text) for i in self._encode_chunk(list(chunk.encode("utf-8")))]

    def encode(self, text, allowed_special="none"):
        special = self.special_tokens if allowed_special == "all" else {}
        if not special:
            return self.encode_ordinary(text)
        ids = []
        for part in re.split("(" + "|".join(map(re.escape, special)) + ")", text):
            ids += [special[part]] if part in special else self.encode_ordinary(part)
        return ids

    def decode(self, ids):
        names = {i: name.encode() for name, i in self.special_tokens.items()}
        return b"".join(self.vocab.get(i) or names[i] for i in ids).decode("utf-8", errors="replace")

    def save(self, file_prefix):
        saved = {"pattern": self.pattern, "special_tokens": self.special_tokens, "merges": [*self.merges]}
        Path(file_prefix + ".model").write_text(json.dumps(saved), "utf-8")

    def load(self, model_file):
        saved = json.loads(Path(model_file).read_text("utf-8"))
        self.pattern, self.special_tokens = saved["pattern"], saved["special_tokens"]
        self.merges = {tuple(pair): 256 + i for i, pair in enumerate(saved["merges"])}
        self.vocab = {i: bytes([i]) for i in range(256)}
        for (left, right), i in self.merges.items():
            self.vocab[i] = self.vocab[left] + self.vocab[right]


def bpe(mergeable_ranks, token, max_rank):
    parts = [bytes([b]) for b in token]
    while True:
        ranks = [mergeable_ranks.get(left + right) for left, right in pairwise(parts)]
        found = [(rank, i) for i, rank in enumerate(ranks) if rank is not None and rank < max_rank]
        if not found:
            return parts
        _, i = min(found)
        parts = [*parts[:i], parts[i] + parts[i + 1], *parts[i + 2 :]]


def recover_merges(mergeable_ranks):
    merges = {}
    for token, rank in mergeable_ranks.items():
        if len(token) > 1:
            left, right = bpe(mergeable_ranks, token, rank)
            merges[(mergeable_ranks[left], mergeable_ranks[right])] = rank
    return merges
