"""The lines of a data set: their kinds, and what is said of those that are none."""

import json

import pytest

from tokviz.chats.prompt import Message
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.documents import (
    Chat,
    PromptPair,
    document_batches,
    document_on_line,
    document_texts,
    documents_with_places,
)

HI = {"role": "user", "content": "Hi!"}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"text": ""}, ""),
        ({"text": "low", "messages": [HI], "prompt": "p", "completion": "c"}, "low"),
        ({"text": None, "messages": [HI]}, Chat((Message("user", "Hi!"),))),
        ({"prompt": "p", "completion": "c", "messages": None}, PromptPair("p", "c")),
        ({"messages": [{"role": "developer", "content": ""}]}, Chat((Message("developer", ""),))),
        ({"conversations": [{"from": "human", "value": "Hi!"}], "prompt": "p"}, Chat((Message("user", "Hi!"),))),
        ({"prompt": [HI], "completion": [{"role": "assistant", "content": "Yes."}]},
         Chat((Message("user", "Hi!"), Message("assistant", "Yes.")))),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "text", "text": "!"}]}]},
         Chat((Message("user", "Hi!"),))),
    ],
)  # fmt: skip
def test_keys_tell_the_kind(record, expected):
    assert document_on_line(json.dumps(record)) == expected


def test_the_text_has_the_key_that_is_named():
    assert document_on_line('{"body": "low", "text": "no"}', "body") == "low"
    assert document_on_line('{"messages": [{"role": "user", "content": "Hi!"}]}', "body") == Chat(
        (Message("user", "Hi!"),)
    )


def test_calls_of_functions_are_messages_of_their_own():
    call = {"type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
    given = [
        {"role": "assistant", "content": None, "tool_calls": [call, call]},
        {"role": "tool", "name": "f", "content": "2"},
    ]
    called = Message("assistant", '{"x": 1}', "commentary", "functions.f")
    assert document_on_line(json.dumps({"messages": given})) == Chat(
        (called, called, Message("tool", "2", recipient="functions.f"))
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[]", "not a JSON object"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("{}",
         "lacks the key 'text', or 'messages', or 'conversations', or 'prompt' and 'completion'; its keys are []"),
        ('{"prompt": "p"}', "lacks the key"),
        ('{"text": 7}', "'text' is not a text: 7"),
        ('{"prompt": ["p"], "completion": "c"}', "'prompt' is not a text"),
        ('{"messages": []}', "'messages' is not a list of messages"),
        ('{"messages": {"role": "user"}}', "'messages' is not a list of messages"),
        ('{"conversations": "Hi!"}', "'conversations' is not a list of messages: 'Hi!'"),
        ('{"prompt": [], "completion": []}', "'prompt' is not a list of messages: []"),
        ('{"prompt": [{"role": "user", "content": "p"}], "completion": "c"}', "'prompt' is not a text"),
        ('{"conversations": [{"from": "human"}]}', "message 1: 'content' is not a text: None"),
        ('{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}',
         "message 1: 'content' has a part of the type 'image_url'; only texts become tokens here"),
        ('{"messages": ["Hi!"]}', "message 1: expected a role and a content, not 'Hi!'"),
        ('{"messages": [{"content": "Hi!"}]}', "message 1: 'role' is not a name"),
        ('{"messages": [{"role": ["user"], "content": "Hi!"}]}', "message 1: 'role' is not a name"),
        ('{"messages": [{"role": "user"}]}', "message 1: 'content' is not a text: None"),
        ('{"messages": [{"role": "user", "content": [{"text": "Hi!"}]}]}', "message 1: 'content' is not a text"),
        ('{"messages": [{"role": "assistant", "tool_calls": "f"}]}', "message 1: 'tool_calls' is not a list of calls"),
        ('{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": 1}}]}]}', "message 1: 'tool_calls'"),
    ],
)  # fmt: skip
def test_a_line_of_no_kind_is_left_out_with_the_reason(line, reason):
    corpus = Corpus.of_bytes({"a.jsonl": b'{"text": "low"}\n' + line.encode() + b"\n"})
    assert [placed.document for placed in documents_with_places(corpus)] == ["low"]
    (bad,) = corpus.bad_lines
    assert (bad.file, bad.line, corpus.n_bad) == ("a.jsonl", 2, 1) and bad.reason.startswith(reason)


def test_batches_hold_all_documents_in_order_and_end_early_enough():
    lines = "".join(json.dumps({"text": "a" * n}) + "\n" for n in [*range(2_500), 200_000, 3])
    found = list(document_batches(documents_with_places(Corpus.of_bytes({"a.jsonl": lines.encode()}))))
    assert [placed.line for batch in found for placed in batch] == list(range(1, 2_503))
    sizes = [[sum(map(len, document_texts(placed.document))) for placed in batch] for batch in found]
    assert all(len(each) <= 1_000 and sum(each[:-1]) < 2**16 for each in sizes) and len(found) > 3


def test_chats_of_many_short_messages_come_in_small_batches():
    line = json.dumps({"messages": [{"role": "user", "content": ""}] * 100}) + "\n"
    found = list(document_batches(documents_with_places(Corpus.of_bytes({"a.jsonl": line.encode() * 20}))))
    assert [len(batch) for batch in found] == [7, 7, 6]
