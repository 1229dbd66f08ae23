"""The server's side of a vocabulary browser.

In: a tokenizer, a text, and the questions of a browser. Out: plain data. Nothing here draws or knows Streamlit.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.ui.live_tokens import LiveTokens
from tokviz import AnyTokenizer
from tokviz.live.views.vocabulary_data import CHARACTERS_MAX, token_report, vocabulary_columns


@dataclass
class VocabularyState:
    """The server's side of one vocabulary browser: its last message, and the tokens of the text."""

    client: str | None = None
    acknowledged: int = 0
    wanted: str | None = None
    token: int | None = None
    live: LiveTokens = field(default_factory=LiveTokens)

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take a question: the fingerprint of a vocabulary the browser lacks, and the token that is open."""
        self.client, self.acknowledged = message["client"], message["n"]
        self.wanted, self.token = message["want"], message["token"]

    def reply(self, tokenizer: AnyTokenizer, text: str, allowed_special: str | Collection[str] = ()) -> dict[str, Any]:
        """Return what the browser does not have: the tokens if it asked for them, and the report of its token.

        Raises ValueError where the split pattern does not end.
        """
        fingerprint = vocabulary_columns(tokenizer)["fingerprint"]
        spans = self.live.of(tokenizer, text[:CHARACTERS_MAX], allowed_special)
        context = f"{fingerprint} {hashlib.sha1(spans.data).hexdigest()} {len(spans)}"
        wanted, self.wanted = self.wanted, None
        known = self.token is not None and self.token in tokenizer
        return {
            "fingerprint": fingerprint,
            "columns": vocabulary_columns(tokenizer) if wanted == fingerprint else None,
            "special": sorted(tokenizer.special_tokens.values()),
            "context": context,
            "facts": {**token_report(tokenizer, self.token, spans), "context": context} if known else None,
            "client": self.client,
            "ack": self.acknowledged,
        }
