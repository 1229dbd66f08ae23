"""InspectedView: what views share that answer questions about single tokens."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from tokviz import AnyTokenizer, Tokenizer
from tokviz.live.document import Document
from tokviz.live.look import Look
from tokviz.live.view import View
from tokviz.live.views.sent_tokens import SentTokens
from tokviz.live.views.token_facts import vocabulary_entry_facts


class InspectedView(View):
    """The tokens of documents under one tokenizer."""

    kind = "tokens"

    def __init__(self, tokenizer: AnyTokenizer, *documents: Document, look: Look) -> None:
        super().__init__(*documents)
        self.tokenizer = tokenizer
        self.hidden = look.new_marks()
        self.sent = SentTokens()

    def updated_hidden_text_data(self, units: bytes, *, whole: bool) -> dict[str, Any]:
        """Return what a reply says of hidden text, in a text that is in no editor."""
        self.hidden.update(units)
        return self.hidden.take_reply_fields({}, whole=whole)

    @abstractmethod
    def facts_of_token(self, tokenizer: Tokenizer, index: int) -> dict[str, Any]:
        """Return what there is to say about a token of a byte-level tokenizer; ValueError, in words, if nothing is."""

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token; only the latest number if other tokens have been made since.

        Raises KeyError, TypeError or ValueError for anything but a question.
        """
        index, revision = int(question["token"]), int(question["revision"])
        if not self.is_current_revision(revision) or not 0 <= index < len(self.sent.tokens):
            return {"revision": self.revision}
        token_id = int(self.sent.tokens.ids[index])
        try:
            if isinstance(self.tokenizer, Tokenizer):
                facts = self.facts_of_token(self.tokenizer, index)
            else:
                facts = vocabulary_entry_facts(self.tokenizer, token_id)
        except ValueError as e:
            facts = {"error": str(e)}
        return {"revision": revision, "index": index, "id": token_id, **facts}
