"""A tokenizer class as tutorials made it after minbpe: what its `load` and `encode` do with a .model file."""

from itertools import pairwise

import regex

from tokviz.training.naive import merged_tokens

DEFAULT_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)


class RegexTokenizer:
    """It loads files of its own version only, and cuts by the pattern that it compiled when it was made."""

    version = "minbpe v1"

    def __init__(self) -> None:
        self.pattern = DEFAULT_PATTERN
        self.compiled_pattern = regex.compile(self.pattern)

    def load(self, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            version = file.readline().strip()
            assert version == self.version
            self.pattern = file.readline().strip()
            entries = [file.readline().strip().split() for _ in range(int(file.readline().strip()))]
            self.special_tokens = {token: int(token_id) for token, token_id in entries}
            self.merges = {tuple(map(int, line.split())): 256 + rank for rank, line in enumerate(file)}
        self.vocab = {i: bytes([i]) for i in range(256)}
        for (left, right), new in self.merges.items():
            self.vocab[new] = self.vocab[left] + self.vocab[right]
        self.vocab |= {token_id: token.encode() for token, token_id in self.special_tokens.items()}

    def encode_ordinary(self, text: str) -> list[int]:
        return [token_id for piece in self.compiled_pattern.findall(text) for token_id in self._encode_piece(piece)]

    def _encode_piece(self, piece: str) -> list[int]:
        ids = list(piece.encode())
        while len(ids) > 1:
            pair = min(pairwise(ids), key=lambda pair: self.merges.get(pair, float("inf")))
            if pair not in self.merges:
                break
            ids = merged_tokens(ids, pair, self.merges[pair])
        return ids

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text with all special tokens allowed; of two that match, the first in the file."""
        if not self.special_tokens:
            return self.encode_ordinary(text)
        ids = []
        for part in regex.split("(" + "|".join(map(regex.escape, self.special_tokens)) + ")", text):
            ids += [self.special_tokens[part]] if part in self.special_tokens else self.encode_ordinary(part)
        return ids

    def decode(self, ids: list[int]) -> str:
        return b"".join(self.vocab[token_id] for token_id in ids).decode("utf-8", "replace")
