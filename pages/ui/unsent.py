"""The messages of a finished run that still wait to be sent when a fragment runs again.

Streamlit then drops what that fragment drew, since it will be drawn again, but keeps the word that the whole page is
finished. The browser hears that word without the fragment's elements, takes them away, and makes them anew a moment
later: an editor loses its focus and the keys of that moment. With nothing dropped, of that fragment nor of any other,
the browser sees what it would have seen had the messages left in time.
"""

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue


def keep_what_finished_runs_drew() -> None:
    """Have Streamlit's queues keep all elements of a whole page that is finished; asked for twice, it is done once."""
    clear = ForwardMsgQueue.clear
    if hasattr(clear, "before"):
        return

    def clear_unless_finished(
        self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        if fragment_ids_this_run and any(map(is_end_of_page, getattr(self, "_queue", ()))):
            fragment_ids_this_run = []  # of none, so that nothing is dropped
        clear(self, retain_lifecycle_msgs, fragment_ids_this_run)

    clear_unless_finished.before = clear
    ForwardMsgQueue.clear = clear_unless_finished


def is_end_of_page(message: ForwardMsg) -> bool:
    """Whether a message says that a run of the whole page has ended, so that what it did not draw is taken away."""
    finished = message.WhichOneof("type") == "script_finished"
    return finished and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
