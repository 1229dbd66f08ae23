"""What an answer is taken to have been as the model wrote it, ids that it produced, and what the next prompt keeps."""

import pytest
from conversations.chats import FORMATS
from each import each

import tokviz
from tokviz.chats.formats import ChatML, Template
from tokviz.chats.prompt import BEFORE, Message
from tokviz.conversations.answers import answered_prompt
from tokviz.core.vocabulary import UnknownTokenError
from tokviz.seams.canonical import MERGE, NOT_UTF8

LOUD = Template(
    "", "{% for m in messages %}[{{ m.content | upper | trim }}]{% endfor %}{{ '[' if add_generation_prompt }}"
)
CALLING = Template(
    "",
    "{% for m in messages %}[{{ m.content }}{% for call in m.tool_calls or [] %}{{ call.function.name }}"
    "{{ call.function.arguments }}{% endfor %}]{% endfor %}{{ '[' if add_generation_prompt }}",
)
QUESTION = Message("user", "Hi!")
EMPTY_THOUGHT, END = "<think>\n\n</think>\n\n", "<|im_end|>\n"


def thought(text: str) -> Message:
    return Message("assistant", text, "analysis")


@each(
    "chat_format, said, written",
    [
        (FORMATS["ChatML"], [" Ho! \n"], f" Ho! \n{END}"),
        (FORMATS["ChatML"], [""], END),
        (FORMATS["Tags"], ["Ho!"], "Ho!</assistant>\n"),
        (FORMATS["Tags"], [" Ho! \n"], " Ho! \n</assistant>\n"),  # as it was before it was trimmed
        (FORMATS["Tags"], [" \n"], "</assistant>\n"),
        (FORMATS["Tags"], [thought("Hm."), "Ho!"], "Hm.Ho!</assistant>\n"),  # what was thought, where it is left out
        (FORMATS["Tags"], ["Ho!", " Hu!"], "Ho!</assistant>\n<assistant> Hu!</assistant>\n"),
        (FORMATS["As Qwen 3"], [thought("Hm."), "Ho!"], f"<think>\nHm.\n</think>\n\nHo!{END}"),
        (FORMATS["As Qwen 3"], [thought("Hm.\n"), "Ho!"], f"<think>\nHm.\n</think>\n\nHo!{END}"),
        (FORMATS["Qwen"], ["Ho!"], f"{EMPTY_THOUGHT}Ho!{END}"),
        (FORMATS["Qwen"], ["\n\nHo!"], f"{EMPTY_THOUGHT}Ho!{END}"),  # as a parser of reasoning leaves it
        (FORMATS["Qwen"], ["\n\n\nHo!"], f"{EMPTY_THOUGHT}\n\n\nHo!{END}"),
        (CALLING, [Message("assistant", '{"x": 1}', "commentary", "functions.f")], "f{'x': 1}]"),
        (LOUD, [" ho! "], "HO!]"),  # not what the message says, so as the template has it
    ],
)
def test_an_answer_is_what_the_template_makes_of_all_that_is_said(chat_format, said, written):
    answer = [one if isinstance(one, Message) else Message("assistant", one) for one in said]
    messages = [QUESTION, *answer]
    request, answered = chat_format.prompts(messages, [(1, True), (len(messages), False)])
    found = answered_prompt(request, answered, messages, (1, len(messages)))
    assert found.text == request.text + written
    if found.markers is not None:
        assert [found.text[a:b] for a, b in found.markers] == ["<|im_start|>", "<|im_end|>"] * 2


def turns(chat_format, *said: tuple[str, str] | Message, tokenizer="qwen3", **options):
    messages = [one if isinstance(one, Message) else Message(*one) for one in said]
    return tokviz.turns(tokviz.load(tokenizer), messages, chat_format=chat_format, **options).turns


def changes(turn):
    return [(one.message, one.old, one.new) for one in turn.rewritten]


U, A, V = ("user", "Hi!"), ("assistant", "Ho!"), ("user", "Hu?")


@each(
    "chat_format, said, wanted",
    [
        ("ChatML", [U, ("assistant", "\nHo! "), V], []),
        ("Tags", [U, ("assistant", "\nHo! "), V], [(1, "\n", ""), (1, " ", "")]),
        ("As Qwen 3", [U, thought("Hm."), A, V], [(1, "<think>\nHm.\n</think>\n\n", "")]),
        ("Qwen", [U, A, V], [(1, EMPTY_THOUGHT, "")]),
        ("rules last", [("system", "Short."), U, A, V], [(1, "Short.\n\n", "")]),
        ("marked", [U, A, V], []),
        ("no loop", [U, A, V], []),
    ],
)
def test_what_a_template_rewrites_is_said_of_the_message(chat_format, said, wanted):
    first, second = turns(FORMATS[chat_format], *said, block=1)
    assert changes(first) == [] and changes(second) == wanted
    assert second.keeps_text == (not wanted)


def test_a_rewriting_in_what_precedes_all_messages_is_nobodys():
    rules = "{{ messages | length }}{% for m in messages %}<{{ m.content }}>{% endfor %}"
    _, second = turns(Template("", rules), U, A, V)
    assert changes(second)[0] == (BEFORE, "1", "3") and second.n_kept == 0


def test_ids_that_encoding_gives_are_kept_and_others_are_explained():
    qwen3 = tokviz.load("qwen3")
    plain = qwen3.encode("Hello there")
    for ids, is_canonical in ((plain, True), ([*qwen3.encode("Hel"), *qwen3.encode("lo there")], False)):
        _, second, *_ = found = turns(ChatML(), U, ("assistant", "Hello there"), V, ids=[[*ids, 151645]], block=1)
        assert found[0].is_produced and not second.is_produced
        assert second.keeps_text and second.keeps_tokens == is_canonical == found[0].answer.is_canonical
        assert (second.n_shared == second.n_before) == is_canonical
    (difference,) = found[0].answer.differences
    assert (difference.reason, difference.merged) == (MERGE, (b"el", b"lo"))
    assert second.n_again == second.n_old - second.n_shared > 0


def test_ids_of_another_text_are_a_rewriting():
    first, second = turns(ChatML(), U, A, V, ids=[[*tokviz.load("qwen3").encode("No!"), 151645]])
    assert changes(second) == [(1, "N", "H")]
    assert first.answer.is_canonical


def test_ids_that_are_not_utf8_are_what_they_decode_to():
    qwen3 = tokviz.load("qwen3")
    first, second = turns(ChatML(), U, ("assistant", "\ufffd"), V, ids=[[qwen3.mergeable_ranks[b"\xf0"], 151645]])
    assert first.answer.differences[0].reason == NOT_UTF8
    assert second.keeps_text and not second.keeps_tokens


def test_ids_that_no_token_has_are_refused():
    with pytest.raises(UnknownTokenError, match=r"turn 1: .*999999"):
        turns(ChatML(), U, A, V, ids=[[999999]])
    with pytest.raises(ValueError, match="ids of 2 answers, but the assistant answers 1 time"):
        turns(ChatML(), U, A, V, ids=[[1], [1]])
    with pytest.raises(ValueError, match="a block must have at least 1 token, not 0"):
        turns(ChatML(), U, A, V, block=0)


def test_a_refusal_names_the_turn():
    with pytest.raises(ValueError, match="turn 2: the chat template refuses these messages: user and assistant"):
        turns("Strict turns", U, A, ("system", "Be brief."))
