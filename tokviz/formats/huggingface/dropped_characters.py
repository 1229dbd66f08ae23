"""Which characters a BPE model drops, since it has no unknown token, and where that leaves the tokens of a pretoken.

The library adds up the lengths of tokens, so it places those after a dropped character over text before their own.
"""

from functools import cache

from tokenizers import PreTokenizedString, Token
from tokenizers.models import BPE, Model

from tokviz.formats.huggingface.byte_alphabet import BYTE_OF
from tokviz.formats.huggingface.byte_tokens import BYTE_TOKENS


def may_drop_characters(model: Model, *, is_given_bytes: bool) -> bool:
    """Return whether a model drops some characters; `is_given_bytes`: it is given the alphabet of bytes.

    >>> may_drop_characters(BPE({"a": 0}, []), is_given_bytes=False)
    True
    >>> may_drop_characters(BPE({"a": 0, "?": 1}, [], unk_token="?"), is_given_bytes=False)
    False
    """
    if not isinstance(model, BPE) or model.unk_token is not None:  # others refuse a text without an unknown token
        return False
    if model.continuing_subword_prefix or model.end_of_word_suffix or not (model.byte_fallback or is_given_bytes):
        return True
    return any(model.token_to_id(byte) is None for byte in (BYTE_TOKENS if model.byte_fallback else BYTE_OF))


class TokenPlacement:
    """The last step of a pre-tokenizer: it has a BPE model encode pretokens, and places tokens over their characters.

    A token made across dropped characters holds them. `PreTokenizer.custom` makes a step of it.
    """

    def __init__(self, model: BPE) -> None:
        self.model = model
        self.is_known = cache(self._is_known)

    def pre_tokenize(self, text: PreTokenizedString) -> None:
        """Turn the pretokens of a text into tokens; the library calls it."""
        text.tokenize(cache(self.placed_tokens))  # most pretokens come more than once

    def placed_tokens(self, pretoken: str) -> list[Token]:
        """Return the tokens of a pretoken, with their offsets in its bytes.

        >>> placement = TokenPlacement(BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
        >>> [(token.value, token.offsets) for token in placement.placed_tokens("xabaxb")]
        [('ab', (1, 3)), ('ab', (3, 6))]
        """
        tokens = self.model.tokenize(pretoken)
        n_bytes = tokens[-1].offsets[1] if tokens else 0
        if n_bytes in (0, len(pretoken.encode())):
            return tokens
        known = self._known_bytes(pretoken)
        if len(known) != n_bytes:  # bytes of a prefix or suffix, which are no part of the pretoken
            return tokens
        return [
            Token(token.id, token.value, (known[start], known[end - 1] + 1))
            for token in tokens
            for start, end in [token.offsets]
        ]

    def _known_bytes(self, pretoken: str) -> list[int]:
        """Return which bytes of a pretoken are of characters that the model knows where they are."""
        prefix, suffix = self.model.continuing_subword_prefix or "", self.model.end_of_word_suffix or ""
        known: list[int] = []
        at, last = 0, len(pretoken) - 1
        for i, character in enumerate(pretoken):
            n_bytes = len(character.encode())
            if self.is_known((prefix if i else "") + character + (suffix if i == last else "")):
                known += range(at, at + n_bytes)
            at += n_bytes
        return known

    def _is_known(self, written: str) -> bool:
        if self.model.token_to_id(written) is not None:
            return True
        names = [BYTE_TOKENS[byte] for byte in written.encode()] if self.model.byte_fallback else []
        return bool(names) and all(self.model.token_to_id(name) is not None for name in names)
