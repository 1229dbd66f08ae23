"""The lesson on what nobody sees, and the exercise on tokens that no text has: what they show is computed."""

import pytest

import tokviz
from tokviz.exercises import Plain, Table
from tokviz.lessons.glitch_tokens import glitch_scene, longest_absorbed_words_and_absorbers
from tokviz.lessons.hidden_text import LESSON, ORDER, invisible_tag_characters, invisible_variation_selectors
from tokviz.text.hidden_text import hidden
from tokviz.vocabulary.absorbed import tokens_absorbed

INSTRUCTIONS, _, WAYS = LESSON.exercises


@pytest.mark.parametrize("hide", [invisible_tag_characters, invisible_variation_selectors])
def test_an_order_is_hidden_counted_and_spelled(hide):
    text = "Hi 😀" + hide(ORDER)
    (mark,) = hidden(text)
    scene = INSTRUCTIONS.scene(text)
    assert mark.message == ORDER and scene.question.answer == len(tokviz.load("cl100k_base").encode(text))
    assert scene.before == (Plain("On your screen: Hi 😀"),)
    (table,) = (block for block in scene.reveal if isinstance(block, Table))
    assert table.rows == ((mark.kind, len(mark.text), ORDER),)


def test_a_plain_text_hides_nothing_and_says_so():
    scene = INSTRUCTIONS.scene("Hi")
    assert not any(isinstance(block, Table) for block in scene.reveal)
    assert "Nothing is hidden" in scene.reveal[-1].words


@pytest.mark.parametrize("text", ["p\u0430ypal", "cafe\u0301", "p\u0430y\u200bpal"])
def test_what_can_be_seen_is_not_said_to_be_hidden(text):
    words = INSTRUCTIONS.scene(text).reveal[-1].words
    assert "nothing shows" not in words and "Not all of this text is what it seems" in words


def test_every_way_shown_gives_the_word():
    scene = WAYS.scene("token")
    rows = scene.reveal[0].rows
    assert scene.question.answer == 15 and len({cut for _, cut in rows}) == len(rows) > 3
    assert {cut.replace("  ", "") for _, cut in rows} == {"token"}
    with pytest.raises(ValueError, match="more than a trillion ways"):
        WAYS.scene("a sentence that is far too long for anybody to guess a number")


def test_what_no_text_has_is_that_of_an_audit():
    gpt2 = tokviz.load("gpt2")
    scene = glitch_scene(" GPT-2 ")
    assert scene.question.answer == 13  # as an audit finds
    into = {gpt2.token_bytes(one.token_id): gpt2.token_bytes(one.into_id) for one in tokens_absorbed(gpt2)}
    pairs = [(token.encode(), longer.encode()) for token, longer in longest_absorbed_words_and_absorbers("gpt2")]
    assert pairs and all(into[token] == longer for token, longer in pairs)
    with pytest.raises(ValueError, match="knows no tokenizer or model"):
        glitch_scene("no tokenizer")


@pytest.mark.parametrize("name", ["GPT-3", "Codex"])
def test_a_tokenizer_that_no_audit_is_kept_of_is_refused_with_the_choices(name):
    with pytest.raises(ValueError, match=f"{name} has not been audited for this exercise; choose GPT-2, "):
        glitch_scene(name)
