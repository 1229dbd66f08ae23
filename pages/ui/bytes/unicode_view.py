"""A text as Unicode sees it, drawn by the component in `assets/unicode_view`: code points, bytes, normal forms."""

from pages.ui.shared.components import Component
from pages.ui.shared.live import live_session
from tokviz.live.views.unicode_view import UnicodeView

UNICODE_VIEW = Component("unicode_view", ("token_view", "unicode_view"))


def unicode_view(document: str, *, key: str) -> None:
    """Show the code points of a document with their bytes in three encodings, its sizes, and its normal forms.

    For a long text it shows the beginning, and says so. Lone surrogates are shown as such.
    """
    session = live_session()
    session.view(key, UnicodeView, session.document(document))
    UNICODE_VIEW.show(key=key, data={"token": session.token, "view": key, "document": document})
