"""Messages that wait in Streamlit's queue when a fragment runs again."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.ui.unsent import keep_what_finished_runs_drew


def drawn(place: int, fragment: str) -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.delta_path.extend([0, place])
    message.delta.new_element.text.body = str(place)
    message.delta.fragment_id = fragment
    return message


def finished(how: int) -> ForwardMsg:
    message = ForwardMsg()
    message.script_finished = how
    return message


@pytest.mark.parametrize(
    ("end", "left"),
    [
        (ForwardMsg.FINISHED_SUCCESSFULLY, [1, 2]),
        (ForwardMsg.FINISHED_EARLY_FOR_RERUN, [2]),
        (ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY, [2]),
        (None, [2]),
    ],
)
def test_what_a_finished_page_drew_is_sent_though_a_fragment_draws_it_again(end: int | None, left: list[int]):
    keep_what_finished_runs_drew()
    keep_what_finished_runs_drew()
    queue = ForwardMsgQueue()
    queue.enqueue(drawn(1, "again"))
    queue.enqueue(drawn(2, "other"))
    if end is not None:
        queue.enqueue(finished(end))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["again"])
    queue.enqueue(drawn(1, "again"))  # must not take the place of the first, before the end of the page
    messages = queue.flush()
    places = [message.metadata.delta_path[1] for message in messages if message.HasField("delta")]
    assert places == [*left, 1]
    assert messages[-1].HasField("delta")
    if end == ForwardMsg.FINISHED_SUCCESSFULLY:
        assert messages[-2].script_finished == end


def test_a_run_of_the_whole_page_still_drops_what_is_not_sent():
    keep_what_finished_runs_drew()
    queue = ForwardMsgQueue()
    queue.enqueue(drawn(1, "any"))
    queue.enqueue(finished(ForwardMsg.FINISHED_SUCCESSFULLY))
    queue.clear(retain_lifecycle_msgs=True)
    assert [message.WhichOneof("type") for message in queue.flush()] == ["script_finished"]
    assert queue.is_empty()
