"""The server, and the playground when Streamlit runs it as the script of the first page.

`streamlit run app.py`, `python app.py` and `uvicorn app:app`, in this folder, all serve it.
"""

import streamlit as st

from pages.ui.frame.frame import begin_page
from pages.ui.pages import PLAYGROUND
from pages.ui.playground.page import show_playground

if st.runtime.exists():
    show_playground(begin_page(PLAYGROUND))
else:
    import os
    import signal
    from pathlib import Path

    from starlette.middleware import Middleware

    from pages.ui.pages import PAGES
    from pages.ui.shared import live
    from pages.ui.shared.messages import show_unexpected_error_notice
    from tokviz.server import FRAMES
    from tokviz.server.endings import SessionCleanup
    from tokviz.server.file_cache import FileCache
    from tokviz.server.guard import Guard
    from tokviz.server.headers import SafeHeaders, failure_response
    from tokviz.server.preloads import Preloads
    from tokviz.server.routes import routes
    from tokviz.server.same_machine import SameMachine
    from tokviz.server.sockets import SocketLimits
    from tokviz.server.start import lifespan
    from tokviz.server.uploads import UploadLimits

    base_path = st.get_option("server.baseUrlPath")
    addresses = [page.url_path for page in PAGES.values()]
    here = Path(__file__).parent
    modules = (file.relative_to(here).with_suffix("") for file in sorted(here.glob("pages/ui/**/*.py")))
    code_of_pages = [".".join(module.parts) for module in modules]
    app = st.App(
        __file__,
        routes=routes(base_path),
        middleware=[
            Middleware(SafeHeaders, os.environ.get(FRAMES, "").split()),
            Middleware(Preloads, base_path, Path(st.__file__).parent, addresses),
            Middleware(SameMachine, st.get_option),
            Middleware(Guard, st.get_option),
            Middleware(SocketLimits),
            Middleware(UploadLimits),
            Middleware(SessionCleanup, st.get_option),
            Middleware(FileCache),
        ],
        lifespan=lifespan(live.set_up_for_serving, code_of_pages, st.get_option),
        on_script_error=show_unexpected_error_notice,
        exception_handlers={Exception: failure_response},
    )
    if __name__ == "__main__":
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # for when the server has closed: no traceback
        app.run()
