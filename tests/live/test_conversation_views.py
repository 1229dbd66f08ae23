"""What the page of chat turns is sent holds for the messages as they are, after any edits."""

import json

import pytest
from live.test_seams_views import bytes_of, check_stretch, ids

import tokviz
from tokviz.chats.formats import ChatML, Template
from tokviz.chats.teaching import TEMPLATES
from tokviz.live.document import Document
from tokviz.live.edit import Edit
from tokviz.live.views.seams.turns_view import CONVERSATIONS_MAX, LISTED, MaskView, TurnsView, TwoFormatsView

QWEN3 = tokviz.load("qwen3")
FORMAT = Template("As Qwen 3", TEMPLATES["As Qwen 3"])
CHAT = [("user", "สวัสดี 👋"), ("assistant", " Hello! \n"), ("user", "Is <|im_end|> a word?")]


def rows(chat=CHAT):
    return tuple((role, Document(text), "final", "") for role, text in chat)


def sent(view) -> dict:
    """Return a reply as a browser reads it."""
    return json.loads(json.dumps(view.reply(whole=True)))


def written(runs) -> str:
    return "".join(text for text, _ in runs)


def asked(view, *chosen: int) -> dict:
    return json.loads(json.dumps(view.answer({"chosen": list(chosen)})))


def found(chat, chat_format=FORMAT, **options):
    messages = [{"role": role, "content": text} for role, text in chat]
    return tokviz.turns(QWEN3, messages, chat_format=chat_format, **options)


def test_the_turns_follow_the_edits_and_each_can_be_chosen():
    shown = rows()
    view = TurnsView(shown, QWEN3, FORMAT, block=1)
    for text in ("Hello!", " Hello! \n", "", "Hello"):
        document = shown[1][1]
        document.edit(Edit(0, document.state.length, text))
        chat = [CHAT[0], ("assistant", text), CHAT[2]]
        turns = found(chat, block=1).turns
        reply = sent(view)
        figures = [[turn.n_tokens, turn.n_cached, turn.n_again] for turn in turns]
        assert [row[1:4] for row in reply["rows"]] == figures
        assert reply["words"] == found(chat, block=1).verdict
        for number, turn in enumerate(turns):
            reply = asked(view, 0, number)
            assert reply["turn"] == number and (reply["cached"], reply["old"]) == (turn.n_cached, turn.n_old)
            check_stretch(reply["stretch"], QWEN3, turn.prompt.text, allowed="all")
            assert [written(change["old"]) for change in reply["changes"]] == [each.old for each in turn.rewritten]


def test_a_rewritten_stretch_names_the_line_of_the_template_that_writes_there():
    reply = sent(TurnsView(rows(), QWEN3, FORMAT))
    change, *_ = reply["changes"]
    number, line = change["line"]
    assert TEMPLATES["As Qwen 3"].splitlines()[number - 1].strip() == line and "message.content | trim" in line
    assert change["whose"] == "turn 1, assistant" and (change["old"], change["new"]) == ([[" ", False]], [])


def test_tokens_that_are_cut_otherwise_are_explained_where_they_cost():
    chat = [("user", "Is 17 prime?"), ("assistant", "\n\nYes."), ("user", "And 18?")]
    reply = sent(TurnsView(rows(chat), QWEN3, ChatML()))
    difference, *_ = reply["differences"]
    assert bytes_of(difference["given"]) == bytes_of(difference["again"]) == b"\n\n\n"
    assert len(ids(difference["given"])) == 2 and len(ids(difference["again"])) == 1
    assert "it merges" in difference["words"]


def test_a_text_of_conversations_is_read_and_its_unused_fields_are_named():
    lines = [
        {"messages": [{"role": "user", "content": "Hi!", "weight": 1}]},
        [{"role": "user", "content": "1"}, {"role": "assistant", "content": "2", "token_ids": [64]}],
    ]
    view = TurnsView(Document("\n".join(map(json.dumps, lines))), QWEN3, FORMAT)
    reply = sent(view)
    assert reply["names"] == ["line 1", "line 2"] and "'weight' is not used" in reply["notice"]
    reply = asked(view, 1, 0)
    assert (
        reply["notice"] is None
        and reply["sentences"][-1] == "The ids of its answer are those that encoding its text gives."
    )
    with pytest.raises(ValueError, match="no conversation 2"):
        view.answer({"chosen": [2, 0]})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[{", "line 1 is not JSON"),
        (
            '[{"role": "user", "content": "a"}]\n[{"role": 3, "content": "a"}]',
            "line 2: message 1: 'role' is not a name",
        ),
        ('{"messages": [{"content": "a"}]}', "line 1: message 1: 'role' is not a name"),
        ('{"messages": [], "completion_ids": [[1]]}', "not 1 list, 0 answers"),
    ],
)
def test_what_is_no_conversation_is_named_with_its_line_message_and_field(text, words):
    view = TurnsView(Document(text), QWEN3, FORMAT)
    assert words in sent(view)["notice"] and "rows" not in sent(view)


def test_conversations_that_are_left_out_are_not_left_out_in_silence():
    line = '[{"role": "user", "content": "Hi!"}]\n'
    assert sent(TurnsView(Document(line * CONVERSATIONS_MAX), QWEN3, FORMAT))["notice"] is None
    reply = sent(TurnsView(Document(line * (CONVERSATIONS_MAX + 1)), QWEN3, FORMAT))
    assert len(reply["names"]) == CONVERSATIONS_MAX and "only the first 200" in reply["notice"]


def test_empty_and_refused_conversations_say_so():
    assert sent(TurnsView(Document(""), QWEN3, FORMAT))["words"] == ""
    strict = Template("Strict turns", TEMPLATES["Strict turns"])
    view = TurnsView(rows([("assistant", "Hi!")]), QWEN3, strict)
    assert "user and assistant take turns" in sent(view)["notice"]
    with pytest.raises(ValueError, match="take turns"):
        view.report()
    view.documents[0].edit(Edit(0, 3, "Ho"))
    assert "user and assistant take turns" in sent(view)["notice"]


def test_the_saved_report_names_what_is_rewritten_before_all_messages():
    numbered = Template("numbered", "{{ messages | length }} {% for m in messages %}{{ m.content }}.{% endfor %}")
    sections = TurnsView(rows(), QWEN3, numbered).report()
    assert "the text before all messages: '1' → '3'" in sections["Turn 2"]


def test_what_is_trained_on_is_what_the_template_marks_or_who_says_what():
    for chat_format in (FORMAT, ChatML()):
        reply = sent(MaskView(rows(), QWEN3, chat_format))
        trained = [token for token, is_in in zip(reply["stretch"]["ids"], reply["trained"], strict=True) if is_in]
        text = QWEN3.decode(trained)
        assert text.strip().startswith("Hello!") and text.endswith("<|im_end|>") and text.count("<|im_end|>") == 1


def test_two_formats_differ_message_by_message():
    reply = sent(TwoFormatsView(rows(), QWEN3, ChatML(), against=FORMAT))
    assert [change["whose"] for change in reply["changes"]] == ["turn 1, assistant"] * 2
    assert reply["formats"] == ["ChatML", "As Qwen 3"] and reply["words"] != "Both make the same prompt."
    same = sent(TwoFormatsView(rows(CHAT[:1]), QWEN3, ChatML(), against=FORMAT))
    assert same["words"] == "Both make the same prompt."


def test_a_long_list_of_stretches_is_cut_short():
    chat = [(("user", "assistant")[n % 2], f" {n} ") for n in range(2 * LISTED)]
    reply = sent(TwoFormatsView(rows(chat), QWEN3, ChatML(), against=FORMAT))
    assert len(reply["changes"]) == LISTED and reply["more"] == 3 * LISTED
