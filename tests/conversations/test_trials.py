"""Conversations that find trouble: each outcome where a format is known to give it."""

from conversations.chats import FORMATS
from each import each

import tokviz
from tokviz.chats.formats import Template
from tokviz.conversations.trials import CONVERSATIONS, DROPS, FINE, REFUSED, REWRITES, trials

CALLS = ["A function call", "Two calls at once", "Reasoning before a call"]
# All others are fine.
TROUBLE = {
    "ChatML": {REWRITES: ["White space at both ends"], REFUSED: ["An image"]},
    "Tags": {
        REWRITES: ["White space at both ends", "Empty messages", "An answer to be continued"],
        DROPS: [*CALLS, "Reasoning", "An image"],
    },
    "Strict turns": {
        REFUSED: ["A system message later", "Two questions in a row", "The assistant begins", *CALLS],
        REWRITES: ["White space at both ends", "An answer to be continued"],
        DROPS: ["Reasoning", "An image"],
    },
    "As Qwen 3": {
        REWRITES: ["Reasoning", "White space at both ends", "An answer to be continued"],
        DROPS: [*CALLS, "An image"],
    },
}


@each("name, trouble", TROUBLE.items())
def test_each_conversation_has_the_outcome_that_the_format_gives_it(name, trouble):
    found = {one.name: one for one in trials(tokviz.load("qwen3"), FORMATS[name])}
    wanted = {conversation: outcome for outcome, several in trouble.items() for conversation in several}
    assert {name: one.outcome for name, one in found.items()} == dict.fromkeys(CONVERSATIONS, FINE) | wanted
    assert all(one.words for one in found.values() if one.outcome != FINE)


def test_what_is_left_out_is_named():
    source = "{% for m in messages if m.role != 'tool' %}{{ m.role }}: {{ m.content[:5] }}\n{% endfor %}"
    words = {one.name: one.words for one in trials(tokviz.load("gpt2"), Template("", source))}
    assert words["A function call"] == (
        "The prompt does not contain 28 characters of the content of message 1, of the user, the call of message 2, of "
        "the assistant, the content of message 3, of the tool, 8 characters of the content of message 5, of the user, "
        "the descriptions of the functions."
    )
    assert "the reasoning of message 2, of the assistant" in words["Reasoning"]
    everything = "{{ messages | tojson }}{{ tools | tojson }}"
    assert {one.outcome for one in trials(tokviz.load("gpt2"), Template("", everything))} <= {FINE, REWRITES}
