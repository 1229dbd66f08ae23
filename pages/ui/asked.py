"""What a browser asks for while the server is still busy with what it asked for before.

Streamlit forgets a request where the next one comes before its run has begun, or in the first moment of that run, and
two runs of one session can overlap and undo each other. A link asks without the values of widgets, so what was typed
just before it is lost. A fragment's request from a page that was just left runs on the page it came from, which takes
the new page away from the browser. Here a run takes in all it was asked for, callbacks included, before it can be cut
short, the next run waits for it, and a link is followed whatever its old page says after it. Still lost is the press of
a button without a callback, where the run that it began is cut short before it shows that button.
"""

from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.common import user_key_from_element_id

from pages.ui.kept import take_kept

# A run can be cut short where it shows something or reaches into the session state. One that is busy with a single step
# for so many seconds is abandoned, and the next begins beside it.
PATIENCE = 0.3


def heed_all_that_is_asked() -> None:
    """Have Streamlit's sessions do as above; asked for twice, it is done once."""
    if hasattr(AppSession.request_rerun, "before"):
        return
    ask = AppSession.request_rerun
    ask_runner = ScriptRequests.request_rerun
    apply = SafeSessionState.on_script_will_rerun

    def ask_with_all(self: AppSession, client_state: ClientState | None) -> None:
        runner = self._scriptrunner
        request = waiting_request(runner and runner._requests)
        if client_state is not None:
            if is_from_left_page(self, client_state):
                # Once the new page is under way, what the old one showed is gone.
                if request is None or request.fragment_id_queue:
                    return
                client_state.page_script_hash, client_state.query_string = (
                    request.page_script_hash,
                    request.query_string,
                )
            elif not client_state.fragment_id:
                note_page(self, client_state)
                add_values(client_state, request)
        ask(self, client_state)
        if runner and (request := waiting_request(runner._requests)):
            self._event_loop.call_later(PATIENCE, replace_busy, self, runner, request)

    def ask_from_script(self: ScriptRequests, request: RerunData) -> bool:
        return gives_way(request, waiting_request(self)) or ask_runner(self, request)

    def apply_all(self: SafeSessionState, states: WidgetStates | None, **options: Any) -> None:
        runner = self._yield_callback.__self__
        runner._execing = False  # only what the script executes can be cut short
        try:
            apply(self, states, **options)
            keys = (user_key_from_element_id(state.id) for state in states.widgets) if states else ()
            take_kept(key for key in keys if key)
        finally:
            runner._execing = True

    ask_with_all.before = ask
    AppSession.request_rerun = ask_with_all
    ScriptRequests.request_rerun = ask_from_script
    SafeSessionState.on_script_will_rerun = apply_all


def waiting_request(requests: ScriptRequests | None) -> RerunData | None:
    """Return the request that a runner has not begun, None where there is none."""
    waits = requests is not None and requests._state is ScriptRequestType.RERUN
    return requests._rerun_data if waits else None


def add_values(client_state: ClientState, earlier: RerunData | None) -> None:
    """Give a request the values of one that still waits, where it has none of its own.

    Streamlit joins the two, but takes only presses of buttons and messages from the one that waits.
    """
    if earlier and earlier.widget_states:
        own = {state.id for state in client_state.widget_states.widgets}
        values = (state for state in earlier.widget_states.widgets if "trigger" not in str(state.WhichOneof("value")))
        client_state.widget_states.widgets.extend(state for state in values if state.id not in own)


def note_page(session: AppSession, client_state: ClientState) -> None:
    """Note which page was asked for, and which the browser may still show while that one is on its way."""
    page = client_state.page_script_hash
    last, left = getattr(session, "asked_and_left", (page, set()))
    # A request for the page that shows is no link; its script may itself go to any page.
    shows = page == session.page_script_hash
    session.asked_and_left = page, set() if shows else {*left, last, session.page_script_hash} - {page}


def is_from_left_page(session: AppSession, client_state: ClientState) -> bool:
    """Whether a widget or a fragment asks on a page after a link on it was clicked; a link itself has no values."""
    page = client_state.page_script_hash
    is_link = not client_state.fragment_id and not client_state.widget_states.widgets
    shows = session._scriptrunner is None and page == session.page_script_hash
    return not is_link and not shows and page in getattr(session, "asked_and_left", ("", ()))[1]


def gives_way(request: RerunData, waits: RerunData | None) -> bool:
    """Whether a script's own request to run again, or to go to another page, gives way to one of the browser."""
    context = get_script_run_ctx(suppress_warning=True)
    from_browser = request.widget_states is not None
    if from_browser or context is None or waits is None or waits.fragment_id_queue:
        return False
    is_link = waits.page_script_hash != context.page_script_hash
    return is_link or request.page_script_hash == context.page_script_hash


def replace_busy(session: AppSession, runner: ScriptRunner, request: RerunData) -> None:
    """Give a request for a whole page to a new runner if it still waits for this one."""
    requests = runner._requests
    with requests._lock:
        if session._scriptrunner is not runner or waiting_request(requests) is not request:
            return  # it has begun, or was joined by another one, which is waited for in turn
        if request.fragment_id_queue:
            return
        if not runner._execing:  # it takes in what was asked for, or is about to end
            session._event_loop.call_later(PATIENCE, replace_busy, session, runner, request)
            return
        requests._state = ScriptRequestType.STOP
    session._scriptrunner = None
    session._create_scriptrunner(request)
