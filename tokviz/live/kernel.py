"""What a kernel of a notebook sends the browser, in place of the live socket: one session, in one thread.

The messages are those of docs/design.md, and whatever of them is new is sent at once.
"""

import json
from collections.abc import Iterator
from typing import Any

from tokviz.live.document import text_of
from tokviz.live.page import Page
from tokviz.live.session import LiveSession


class Kernel:
    """The documents and views of a widget, and what its page has been sent.

    >>> session = LiveSession()
    >>> kernel = Kernel(session)
    >>> _ = session.get_or_add_document("text", "one")
    >>> list(kernel.receive_and_respond('["follow", "text", null, null]'))
    ['["text","text",1,0,"one"]']
    """

    def __init__(self, session: LiveSession) -> None:
        self.session = session
        self.page = Page(session)

    def reset_page(self) -> None:
        """Begin anew: another page is on view."""
        self.page = Page(self.session)

    def receive_and_respond(self, message: str) -> Iterator[str]:
        """Take a message of the browser and yield what to send; ValueError for one that is not in the table."""
        self.page.receive(json.loads(message))
        for outgoing in self._take_messages_to_send():
            parts = [text_of(part) if isinstance(part, bytes) else part for part in outgoing]
            yield json.dumps(parts, separators=(",", ":"))

    def _take_messages_to_send(self) -> Iterator[list[Any]]:
        """Yield texts from outside first, then what views show, which edits have arrived, and answers."""
        page, views = self.page, self.session.views
        page.queue_replaced_texts()
        while page.outgoing:
            yield page.outgoing.pop(next(iter(page.outgoing)))
        for name, known in list(page.shown.items()):
            view = views[name]
            if known is view and not view.is_behind:
                continue
            with view.lock:
                reply = view.reply(whole=known is not view)
            page.shown[name] = view
            if view.state:
                page.mark_state_known(view, view.state)
            yield [view.kind, name, reply]
        yield from page.take_confirmations()
        for name, (number, question) in list(page.questions.items()):
            del page.questions[name]
            yield ["answer", name, number, self._answer_or_error(name, question)]

    def _answer_or_error(self, name: str, question: dict[str, Any]) -> dict[str, Any]:
        view = self.session.views[name]
        try:
            with view.lock:
                return view.answer(question)
        except (KeyError, TypeError, ValueError) as e:
            return {"error": f"{type(e).__name__}: {e}"}
