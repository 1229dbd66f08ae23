"""Conversations from files: the forms that they have, and where and in which field one is wrong."""

import json

import pytest
from each import each

from tokviz.conversations.rollouts import rollouts

U, A = {"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "Ho!"}


def found(*records, lines=True):
    return list(rollouts("\n".join(map(json.dumps, records)) if lines else json.dumps(records[0])))


@each(
    "given, names, answers",
    [
        ([U, A], ["line 1"], ["Ho!"]),
        ({"messages": [U, A]}, ["line 1"], ["Ho!"]),
        ([[U, A], [U]], ["conversation 1", "conversation 2"], ["Ho!"]),
        (
            [{"messages": [U]}, {"conversations": [{"from": "gpt", "value": "Ho!"}]}],
            ["conversation 1", "conversation 2"],
            ["Ho!"],
        ),
        ({"prompt": [U], "completion": [A]}, ["line 1"], ["Ho!"]),
    ],
)
def test_a_text_is_one_conversation_or_a_list_of_them(given, names, answers):
    read = found(given, lines=False)
    assert [each.name for each in read] == names
    said = [message.content for each in read for message in each.messages if message.role == "assistant"]
    assert said == answers


def test_lines_are_those_of_the_file():
    lines = [json.dumps([U]), "", json.dumps([{**U, "content": "a\u2028b\x85\u2029"}], ensure_ascii=False), "  ", "[]"]
    read = list(rollouts("\r\n".join(lines)))
    assert [each.name for each in read] == ["line 1", "line 3", "line 5"]
    assert read[1].messages[0].content == "a\u2028b\x85\u2029"


@each(
    "more, messages, ids",
    [
        ({}, [U, A], (None,)),
        ({"completion_ids": [[1, 2]]}, [U, A], ((1, 2),)),
        ({"completion_ids": [1, 2]}, [U, A], ((1, 2),)),
        ({"response_ids": [[1], None]}, [U, A, U, A], ((1,), None)),
        ({"token_ids": [[1], []]}, [U, A, U, A], ((1,), ())),
        ({}, [U, {**A, "token_ids": [3]}, U, A], ((3,), None)),
        ({}, [U, {**A, "reasoning_content": "Hm.", "token_ids": [3]}], ((3,),)),
        ({}, [U, {**A, "token_ids": [3]}, {**A, "token_ids": [4, 5]}], ((3, 4, 5),)),
    ],
)
def test_ids_are_given_for_the_conversation_or_with_each_message(more, messages, ids):
    (read,) = found({"messages": messages, **more})
    assert read.ids == ids and read.notices == ()


def test_ids_of_a_message_that_is_not_the_assistants_are_not_used():
    (read,) = found([{**U, "token_ids": [9]}, A])
    assert read.ids == (None,) and read.notices == ("line 1: message 1: the field 'token_ids' is not used",)


@each(
    "record, words",
    [
        ("x", "line 2: expected a list of messages"),
        ({"text": "Hi!"}, "line 2: expected a list of messages, or an object that has one under 'messages'"),
        ({"messages": "Hi!"}, "line 2: expected a list of messages"),
        ([U, "Hi!"], "line 2: message 2: expected a role and a content, not 'Hi!'"),
        ([U, {"content": "Ho!"}], "line 2: message 2: 'role' is not a name"),
        ([{"role": "user"}], "line 2: message 1: 'content' is not a text: None"),
        ([{**U, "content": [{"type": "text"}]}], "line 2: message 1: 'text' of a part is not a text: None"),
        ([{**U, "content": [{"type": "audio"}]}], "line 2: message 1: 'content' has a part of the type 'audio'"),
        ([U, {**A, "tool_calls": [{"name": "f"}]}], "line 2: message 2: 'tool_calls' is not a list of calls"),
        ([U, {**A, "token_ids": ["1"]}], "line 2: message 2: 'token_ids' is not a list of token ids: ['1']"),
        ([U, {**A, "token_ids": [True]}], "line 2: message 2: 'token_ids' is not a list of token ids"),
        ({"messages": [U, A], "completion_ids": [[1.5]]}, "line 2: 'completion_ids' is not a list of token ids: [1.5]"),
        ({"messages": [U, A], "response_ids": [[1], [2]]}, "'response_ids' must have a list of ids for each answer"),
        ({"messages": [U, A], "response_ids": 1}, "line 2: 'response_ids' must have a list of ids for each answer"),
    ],
)
def test_what_is_wrong_is_named_by_line_message_and_field(record, words):
    with pytest.raises(ValueError) as e:
        found([U], record)
    assert words in str(e.value)


@pytest.mark.parametrize("text", ["[" * 100_000, '[{"role": ', '{"a": 1}\n{"messages'])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError, match=r"not JSON|expected a list of messages"):
        list(rollouts(text))


def test_fields_that_are_not_used_are_named():
    (read,) = found({"messages": [U, {**A, "weight": 0, "logprobs": []}], "tools": [{"name": "f"}]})
    assert read.notices == tuple(
        f"line 1: message 2: the field '{name}' is not used" for name in ("logprobs", "weight")
    )
    assert json.loads(read.tools) == [{"name": "f"}]
