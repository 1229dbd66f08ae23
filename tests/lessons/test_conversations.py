"""The lesson on chats: its figures are those of prompts that are written and encoded one by one."""

import pytest

import tokviz
from tokviz.exercises import Lines, Table
from tokviz.lessons.conversation_caches import CRAB, MORE, answer_in_two, messages_in_lines
from tokviz.lessons.conversations import ANSWER, CHAT, FORMATS, LESSON, REASONING, THAI

SCENES = {exercise.key: exercise.scene for exercise in LESSON.exercises}
START, END = "<|im_start|>", "<|im_end|>"


def encoded(text: str) -> list[int]:
    return tokviz.load("qwen3").encode(text, allowed_special="all")


def chatml(text: str) -> str:
    """Return the lines of a text as messages in ChatML, and where the next answer begins."""
    said = messages_in_lines(text)
    return "".join(f"{START}{role}\n{words}{END}\n" for role, words in said) + f"{START}assistant\n"


@pytest.mark.parametrize("text", [CHAT, THAI, "Hi!", "one\n\ntwo"])
def test_the_messages_are_the_rows_and_add_up_to_the_prompt(text):
    scene = SCENES["messages"](text)
    lines, table = (block for block in scene.reveal if isinstance(block, Lines | Table))
    assert scene.question.answer == len(encoded(chatml(text))) == sum(n for _, n, _ in table.rows)
    assert lines.lines[0].spans.text == chatml(text)
    assert [row[0] for row in table.rows[:-1]] == [
        f"{n} {role}" for n, (role, _) in enumerate(messages_in_lines(text), 1)
    ]


def test_the_cheapest_format_has_the_shortest_line():
    scene = SCENES["formats"](CHAT)
    counts = {line.label: len(line.spans) for block in scene.reveal[:2] for line in block.lines}
    assert tuple(counts) == FORMATS and min(counts, key=counts.get) in scene.question.answers
    assert counts["ChatML"] == len(encoded(chatml(CHAT)))


def test_every_answer_is_given_all_lines_before_it():
    text = LESSON.exercises[2].examples[0]
    lines = text.splitlines()
    prompts = [encoded(chatml("\n".join(lines[:n]))) for n in (1, 3, 5)]
    scene = SCENES["again"](text)
    assert scene.question.answer == sum(map(len, prompts))
    rows = scene.reveal[0].rows
    # Of a prompt and its answer, whatever is in whole blocks.
    caches = [prompt + encoded(f"{lines[n]}{END}") for prompt, n in zip(prompts, (1, 3), strict=False)]
    kept = [0, *(len(cache) // 16 * 16 for cache in caches)]
    assert [row[1:] for row in rows] == [(len(p), n, len(p) - n) for p, n in zip(prompts, kept, strict=True)]


def test_what_changes_at_the_end_costs_less_than_at_the_beginning():
    (first, last) = LESSON.exercises[3].examples
    n_first, n_last = (SCENES["beginning"](text).question.answer for text in (first, last))
    assert n_first == len(encoded(f"{START}system\nIt is 9:4")) < n_last


@pytest.mark.parametrize("text", [REASONING, f" {ANSWER} ", ANSWER, "<think>x</think>y"])
def test_an_answer_that_is_rewritten_is_computed_again(text):
    answer, thought = answer_in_two(text)
    wrote = f"<think>\n{thought.strip()}\n</think>\n\n{answer.strip()}" if thought else answer
    given = encoded(chatml(MORE))
    cache = [*given, *encoded(f"{wrote}{END}")]
    prompt = encoded(chatml(f"{MORE}\n{answer.strip()}\n{CRAB}"))
    scene = SCENES["rewritten"](text)
    assert f"has **{len(cache):,}** tokens" in scene.question.ask and f"**{len(prompt):,}**" in scene.question.ask
    n_shared = next(n for n, (one, other) in enumerate(zip([*cache, None], prompt, strict=False)) if one != other)
    assert scene.question.answer == len(prompt) - n_shared
    begin = given.index(encoded(START)[0], 1)  # of the answer
    end = prompt.index(encoded(END)[0], begin) + 1
    assert [line.spans.ids.tolist() for line in scene.reveal[0].lines] == [cache[begin:], prompt[begin:end]]
    assert ("Nothing was taken out" in scene.reveal[1].words) == (text == ANSWER)


@pytest.mark.parametrize(("text", "same"), [("\n\nEight", False), ("Eight", True), ("\n\nแปดขา", False)])
def test_line_ends_meet_at_the_seam(text, same):
    scene = SCENES["seam"](text)
    written, again = (line.spans.ids.tolist() for line in scene.reveal[0].lines)
    assert written == encoded("\n") + encoded(f"{text}{END}")
    assert again == encoded(f"\n{text}{END}")
    assert (written == again) == same == scene.question.is_right("Yes, the same")


def test_each_answer_is_trained_on_with_its_end_and_nothing_else():
    text = f"{THAI}\nแปดขา"
    scene = SCENES["training"](text)
    answers = [*encoded(f"{text.splitlines()[1]}{END}"), *encoded(f"แปดขา{END}")]
    assert scene.question.answer == len(answers)
    assert scene.reveal[1].lines[0].spans.ids.tolist() == answers
    assert SCENES["training"]("Hi!").question.answer == 0


def test_each_chat_opens_turn_by_turn_in_its_format_and_section():
    found = {}
    for exercise in LESSON.exercises:
        (link,) = (each for each in exercise.scene(exercise.examples[0]).links if each.target == "Chat turns")
        found[exercise.key] = (link.chat_format, link.section)
    assert found.pop("rewritten") == ("As Qwen 3", "Turns")
    assert found.pop("formats") == ("", "Two formats") and found.pop("training") == ("", "What is trained on")
    assert {*found.values()} == {("", "Turns")}


def test_what_is_no_chat_is_refused_with_the_way_out():
    with pytest.raises(ValueError, match="31 messages; write at most 30"):
        SCENES["messages"]("x\n" * 31)
    with pytest.raises(ValueError, match="write two lines, each with a system message, not 1"):
        SCENES["beginning"]("x")
