"""The page of chat turns: its sections, its example, where conversations come from, and what a link holds."""

import json

import pytest
from opening import button, linked, opened
from streamlit.testing.v1 import AppTest

from pages.ui.turns.sections import ROLLOUTS, SECTIONS, SOURCES
from tokviz.conversations.trials import CONVERSATIONS
from tokviz.live.views.seams.turns_view import ConversationView

PAGE = "pages/turns.py"


def view_of(app: AppTest, section: str = "turns") -> ConversationView:
    return app.session_state["live"].views[f"turns {section}"]


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_opens_with_an_example_in_the_format_of_the_model(section):
    app = opened(PAGE, "The tokens of this text", turns_section=section, tokenizer="qwen3")
    assert not app.exception and app.selectbox(key="chat_format").value == ""
    names = {"Turns": "turns", "What is trained on": "mask", "Two formats": "formats"}
    if section == "Trials":
        assert "Conversations from" not in [each.label for each in app.get("button_group")]
        assert len(app.table[0].value) == len(CONVERSATIONS) and "refused" not in set(app.table[0].value["outcome"])
    else:
        reply = view_of(app, names[section]).reply(whole=True)
        assert reply["words"] and reply["notice"] is None
        assert section != "Turns" or reply["words"].startswith("Turn 2 rewrites 44 characters")


def test_presented_the_messages_leave_the_screen_to_their_tokens():
    app = opened(PAGE, "The tokens of this text", presenting=True)
    assert not app.exception and not app.columns
    assert view_of(app).reply(whole=True)["words"].startswith("Turn 2 cuts the text of turn 1")
    pages = next(each for each in app.get("popover") if each.proto.popover.label == "Pages")
    assert {"Learn", "Merges"} <= {each.proto.label for each in pages.get("page_link")}


def test_a_template_whose_special_tokens_are_ordinary_text_is_named():
    app = opened(PAGE, "The tokens of this text")
    assert view_of(app).reply(whole=True)["words"].startswith("Turn 2 cuts the text of turn 1 into other")
    app = app.selectbox(key="chat_format").select("As Qwen 3").run()
    lacked = "GPT-4 lacks the special tokens <|im_start|> and <|im_end|>: it cuts each into 6 ordinary tokens."
    assert lacked in [text.value for text in app.text]
    assert lacked not in [text.value for text in app.selectbox(key="chat_format").select("ChatML").run().text]


def test_every_example_opens_and_says_what_its_turns_keep():
    app = opened(PAGE, "The tokens of this text")
    for name in list(CONVERSATIONS)[::5]:
        app.button(key=f"_turns_example_{name}").click().run()
        assert not app.exception and "rows" in view_of(app).reply(whole=True)
        sections = view_of(app).report()
        assert next(iter(sections)) == view_of(app).reply(whole=True)["words"]


def test_conversations_are_read_from_json_in_place_of_the_messages():
    app = opened(PAGE, "The tokens of this text", turns_source=SOURCES[1])
    assert view_of(app).reply(whole=True)["words"] == "" and not app.exception
    chat = [{"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "Ho!"}]
    app.session_state["live"].documents[ROLLOUTS].set_text(json.dumps({"messages": chat}))
    assert [row[0] for row in view_of(app).reply(whole=True)["rows"]] == ["Turn 1", "The complete chat"]


def test_a_link_holds_the_messages_and_what_a_visitor_wrote_is_not_replaced():
    app = linked(PAGE, chat_format="ChatML", rows=[["user", "สวัสดี"], ["assistant", "Hello!"]])
    assert view_of(app).reply(whole=True)["words"].startswith("ChatML keeps its prefix")
    assert app.selectbox(key="chat_format").value == "ChatML"


def test_the_playground_leads_to_the_turns_of_its_chat():
    app = button(opened("app.py", input="Chat", turns_source=SOURCES[1]), "See it turn by turn").click().run()
    assert not app.exception and view_of(app).reply(whole=True)["words"] == (
        "There is only one turn so far, so there is nothing to keep."
    )
