"""What a browser asks for while the server is still at what it asked for before.

Streamlit forgets a request where the next one comes before its run has begun, or in the first moment of that run, and
two runs of one session can overlap and undo each other. A link asks without the values of widgets, so what was typed
just before it is lost. A request of a part of a page that one has just left runs on the page it came from, which takes
the new page away from the browser. Here a run always begins with what was asked for, and the next waits for it.
"""

from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.common import user_key_from_element_id

from pages.ui.kept import take_kept

# A run ends where it next shows something or reaches into the session state. One that is long at something else is left
# to itself after so many seconds, and the next begins beside it.
PATIENCE = 0.3


def heed_all_that_is_asked() -> None:
    """Have Streamlit's sessions forget no request; asked for twice, it is done once."""
    if hasattr(AppSession.request_rerun, "before"):
        return
    ask, apply = AppSession.request_rerun, SafeSessionState.on_script_will_rerun

    def ask_with_all(self: AppSession, client_state: ClientState | None) -> None:
        runner = self._scriptrunner
        if client_state is not None:
            if not client_state.fragment_id:
                add_values(client_state, waiting(runner))
                note_link(self, client_state)
            elif not follow_link(self, client_state, waiting(runner)):
                return
        ask(self, client_state)
        if runner and waiting(runner):
            self._event_loop.call_later(PATIENCE, leave_alone, self, runner)

    def apply_all(self: SafeSessionState, states: WidgetStates | None, **options: Any) -> None:
        end_run = self._yield_callback
        object.__setattr__(self, "_yield_callback", go_on)  # its own __setattr__ sets a value of the session
        try:
            apply(self, states, **options)
            keys = (user_key_from_element_id(state.id) for state in states.widgets) if states else ()
            take_kept(key for key in keys if key)
        finally:
            object.__setattr__(self, "_yield_callback", end_run)

    ask_with_all.before = ask
    AppSession.request_rerun = ask_with_all
    SafeSessionState.on_script_will_rerun = apply_all


def go_on() -> None:
    """In place of what ends a run, while it takes what was asked for."""


def waiting(runner: ScriptRunner | None) -> RerunData | None:
    """Return what a runner was asked for and has not begun."""
    begun = runner is None or runner._requests._state is not ScriptRequestType.RERUN
    return None if begun else runner._requests._rerun_data


def add_values(client_state: ClientState, earlier: RerunData | None) -> None:
    """Give a request the values of one that still waits, where it has none of its own.

    Streamlit joins the two, but takes only presses of buttons and messages from the one that waits.
    """
    if earlier and earlier.widget_states:
        own = {state.id for state in client_state.widget_states.widgets}
        values = (state for state in earlier.widget_states.widgets if "trigger" not in str(state.WhichOneof("value")))
        client_state.widget_states.widgets.extend(state for state in values if state.id not in own)


def note_link(session: AppSession, client_state: ClientState) -> None:
    """Note which page was asked for, and which the browser may still show while that one is on its way."""
    page = client_state.page_script_hash
    last, left = getattr(session, "asked_and_left", (page, set()))
    # Asked for the page that shows there is no link to follow; the script may send the browser to any other from there.
    stays = page == session.page_script_hash
    session.asked_and_left = page, set() if stays else {*left, last, session.page_script_hash} - {page}


def follow_link(session: AppSession, client_state: ClientState, waits: RerunData | None) -> bool:
    """Have a request of a part of a page that was left go with that for the new page; return whether to ask for it.

    Once the new page is under way, that part is gone: Streamlit would run nothing, and the browser clear the page.
    """
    if client_state.page_script_hash not in getattr(session, "asked_and_left", ("", ()))[1]:
        return True
    if waits is None or waits.fragment_id_queue:
        return False
    client_state.page_script_hash, client_state.query_string = waits.page_script_hash, waits.query_string
    return True


def leave_alone(session: AppSession, runner: ScriptRunner) -> None:
    """Begin a run of the whole page that still waits for this runner, which is long at something else."""
    requests = runner._requests
    if runner._session_state._yield_callback is go_on:
        session._event_loop.call_later(PATIENCE, leave_alone, session, runner)
        return
    with requests._lock:
        data = waiting(runner)
        if session._scriptrunner is not runner or data is None or data.fragment_id_queue:
            return
        requests._state = ScriptRequestType.STOP
    session._scriptrunner = None
    session._create_scriptrunner(data)
