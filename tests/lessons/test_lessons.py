"""The lessons: every claim holds, every scene is computed from its text, and the examples named in them are there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from each import each
from odd_texts import ODD

import tokviz
from tokviz.chats.chatml import chat_ids, chat_tokenizer
from tokviz.core.pretokens import well_formed_text
from tokviz.exercises import (
    Choice,
    Cuts,
    Lines,
    Number,
    Plain,
    Say,
    Table,
    learned_steps_of_training,
    piece_line,
    rounds_until_wrong_pair,
    tokenizer_of_training,
)
from tokviz.exercises.blocks import text_width_in_columns
from tokviz.exercises.hand_merges import merged_pieces, possible_final_pieces_if_few
from tokviz.languages.table import parallel_sentences
from tokviz.lessons import LESSONS, TEXT_MAX, lesson_named, text_key
from tokviz.lessons.arithmetic import digit_groups_counted_from_right, digit_groups_of_each_number
from tokviz.lessons.byte_pair_encoding import CLASSICAL, training_until_no_pair_repeats
from tokviz.lessons.chats import INJECTION, ids_of_joined_text
from tokviz.lessons.language_costs import trainings_on_mixes
from tokviz.lessons.split_patterns import NO_END, NO_REGEX, WORKS, pattern_outcome_and_blocks
from tokviz.lessons.whitespace import CODE, token_counts_per_line
from tokviz.text.word_rules import WORD_RULES, words_with_unknown_replaced
from tokviz.training.naive import naive_steps

EXERCISES = [(lesson, exercise) for lesson in LESSONS for exercise in lesson.exercises]
EVERY = [(exercise, text) for _, exercise in EXERCISES for text in exercise.examples]
CLAIMS = [pytest.param(lesson, words, id=words) for lesson in LESSONS for words in lesson.claims]
# Names that hold a digit, and figures of our own numbering, are no claims.
NAMES = re.compile(r"GPT-\d|Qwen [\d.]+|Llama 3|UTF-\d+|<\|[^|]*\|>|`[^`]*`")


@cache
def scene_of(exercise, text):
    return exercise.scene(text)


def fixed_words(lesson) -> str:
    """All that a lesson says whatever the text is."""
    exercises = (f"{each.title}\n{each.say}" for each in lesson.exercises)
    return "\n".join([lesson.intro, lesson.aim, *exercises, lesson.takeaway, lesson.more])


@cache
def words_of(lesson) -> str:
    """All that a lesson says in words of its own, the answers to its examples included."""
    said = [fixed_words(lesson)]
    for exercise in lesson.exercises:
        for text in exercise.examples:
            scene = scene_of(exercise, text)
            said += [scene.question.ask]
            said += [part.words for part in (*scene.before, *scene.reveal) if isinstance(part, Say)]
    return "\n".join(said)


@pytest.mark.parametrize(("lesson", "words"), CLAIMS)
def test_a_claim_is_made_and_holds(lesson, words):
    assert words in words_of(lesson)
    assert lesson.claims[words]()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_no_figure_stands_in_fixed_words_without_a_claim(lesson):
    words = fixed_words(lesson)
    for claim in lesson.claims:
        words = words.replace(claim, "")
    assert re.findall(r"\d[\d,.]*", NAMES.sub("", words)) == []


@each("exercise, text", EVERY)
def test_a_scene_knows_its_answer_and_where_to_go_on(exercise, text):
    scene = scene_of(exercise, text)
    question = scene.question
    answer = {Number: "answer", Choice: "answers", Cuts: "answer"}[type(question)]
    right = getattr(question, answer)
    if isinstance(question, Number):
        assert question.is_right(right) and not question.is_right(right + question.near + 1)
    elif isinstance(question, Choice):
        assert right and all(map(question.is_right, right)) and right <= set(question.options)
        assert not any(map(question.is_right, set(question.options) - right))
    else:
        assert question.is_right(sorted(right)) and not question.is_right(right ^ {1})
    assert scene.reveal
    assert scene.links or question.is_right(NO_REGEX)
    assert any(isinstance(part, Lines | Table | Plain) for part in scene.reveal)


@each("exercise, text", EVERY)
def test_every_text_goes_on_to_the_playground_the_time_machine_and_the_comparison(exercise, text):
    scene = scene_of(exercise, text)
    targets = {link.target for link in scene.links}
    if exercise.key == "cost":  # of two numbers, not of a text
        assert targets == {"Vocabulary", "Train"}
    elif scene.links:
        assert {"Playground", "Merges", "Compare"} <= targets


@each("exercise, text", EVERY)
def test_lines_of_tokens_are_the_encodings_of_their_texts(exercise, text):
    for part in scene_of(exercise, text).reveal:
        for line in part.lines if isinstance(part, Lines) else ():
            if line.tokenizer is not None:
                ids = line.spans.ids.tolist()
                plain = line.tokenizer.encode(line.spans.text)
                special = line.tokenizer.encode(line.spans.text, allowed_special="all")
                by_bytes = [line.tokenizer.mergeable_ranks[bytes([b])] for b in line.spans.data]
                assert ids in (plain, special, by_bytes) or set(ids) & set(line.tokenizer.special_tokens.values())


@pytest.mark.parametrize(
    ("lesson", "exercise"), EXERCISES, ids=lambda one: getattr(one, "slug", getattr(one, "key", ""))
)
def test_odd_texts_give_a_scene_or_words(lesson, exercise):
    for text in [*ODD, "x", "7", "\n", "a" * TEXT_MAX, "```$x$ ![i](http://x)"]:
        text = well_formed_text(text)[:TEXT_MAX]
        if not text.strip():
            continue  # the page asks for a text
        try:
            scene = exercise.scene(text)
        except ValueError as e:
            assert len(str(e)) > 20
        else:
            assert scene.question.ask


def test_no_words_in_markdown_quote_the_text():
    marked = "zqx"
    for _, exercise in EXERCISES:
        try:
            scene = exercise.scene(f"{marked} {marked}")
        except ValueError:
            continue
        said = [part.words for part in (*scene.before, *scene.reveal) if isinstance(part, Say)]
        assert marked not in "".join([scene.question.ask, *said])
        assert marked not in "".join(link.label for link in scene.links)


def test_every_text_that_the_lessons_grew_from_is_an_example():
    examples = "\n".join(text for _, exercise in EXERCISES for text in exercise.examples)
    for text in (
        "can't", "don't", "state-of-the-art", "aaabdaaabac", "strawberry", "3221+2334=5555", "3221 + 2334 = 5555",
        "127+677=804", "127 + 677 = 804", "1234567890", " hello world", "hello  world", "hello world ", "    if i % 3",
        "Egg\negg\n egg\nEGG\negg.", "Dog?\nDog!\nDog.", "hello\n你好\nสวัสดี\n안녕하세요", "é", "👩‍🍳",
        "<|endoftext|>", "<|endoftex", "IT'S", "ingredient",
    ):  # fmt: skip
        assert text in examples, text


def test_a_lesson_imports_nothing_of_the_product_but_what_lessons_are_made_of_and_other_lessons():
    rooms = {
        name.split(".")[1] if name.startswith("tokviz.") else node.names[0].name
        for path in Path(tokviz.lessons.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (name := node.module).startswith("tokviz")
    }
    assert rooms == {"exercises", "lessons"}


def test_the_cover_of_every_lesson_fits_beside_its_title():
    for lesson in LESSONS:
        assert lesson.cover is not None and 0 < text_width_in_columns(lesson.cover().spans.text) <= 14, lesson.slug


def test_slugs_and_keys_are_unique_and_found():
    assert [lesson_named(lesson.slug) for lesson in LESSONS] == list(LESSONS)
    assert len(EXERCISES) == len({text_key(*both) for both in EXERCISES})
    with pytest.raises(KeyError, match="no lesson 'none'"):
        lesson_named("none")


def test_pieces_join_to_their_text_and_equal_ones_have_one_id():
    line = piece_line("x", ["น้ำ", "👩‍🍳", "a", "น้ำ"])
    spans = line.spans
    characters = zip(spans.char_starts, spans.char_ends, strict=True)
    assert spans.text == "น้ำ👩‍🍳aน้ำ" and spans.data == spans.text.encode()
    assert [spans.text[a:b] for a, b in characters] == [
        "น้ำ",
        "👩‍🍳",
        "a",
        "น้ำ",
    ]
    assert spans.utf16_ends.tolist()[-1] == len(spans.text.encode("utf-16-le")) // 2
    assert spans.ids[0] == spans.ids[3] and len(set(spans.ids.tolist())) == 3 and line.count_in_words == "4 pieces"


@pytest.mark.parametrize("text", [CLASSICAL, "banana bandana", "she sells sea shells by the sea shore", "aaaa"])
def test_taking_the_first_of_the_best_by_hand_is_the_naive_algorithm(text):
    chosen = []
    while best := rounds_until_wrong_pair(text, chosen)[-1].top_repeated_pairs:
        chosen.append(best[0])
    played = rounds_until_wrong_pair(text, chosen)
    steps = list(naive_steps([text], 100, min_count=2))
    assert [one.counts[pair] for one, pair in zip(played, chosen, strict=False)] == [step.count for step in steps]
    assert [len(one.pieces) for one in played[1:]] == [step.n_tokens for step in steps]
    assert len(learned_steps_of_training(training_until_no_pair_repeats(text))) == len(chosen)


def test_any_of_the_tied_pairs_leads_to_the_same_five_tokens():
    first = rounds_until_wrong_pair(CLASSICAL, [("a", "a")])[-1]
    assert first.top_repeated_pairs == [("aa", "a"), ("a", "b")]
    for pair in first.top_repeated_pairs:
        after = rounds_until_wrong_pair(CLASSICAL, [("a", "a"), pair])[-1]
        (last,) = after.top_repeated_pairs
        assert rounds_until_wrong_pair(CLASSICAL, [("a", "a"), pair, last])[-1].pieces == (
            "aaab",
            "d",
            "aaab",
            "a",
            "c",
        )
    assert possible_final_pieces_if_few(CLASSICAL) == {("aaab", "d", "aaab", "a", "c")}
    assert len(tokenizer_of_training(training_until_no_pair_repeats(CLASSICAL)).encode(CLASSICAL)) == 5


def test_a_pair_that_is_not_among_the_best_is_not_merged():
    assert len(rounds_until_wrong_pair(CLASSICAL, [("a", "b")])) == 1
    assert merged_pieces(("a", "b"), ("b", "a")) == ("a", "b")


def test_gpt2_groups_digits_otherwise_with_spaces():
    assert digit_groups_of_each_number("gpt2", "3221+2334=5555") == [("3", "221"), ("23", "34"), ("55", "55")]
    assert digit_groups_of_each_number("gpt2", "3221 + 2334 = 5555") == [("3", "221"), ("233", "4"), ("5", "555")]
    assert digit_groups_of_each_number("gpt2", "127 + 677 = 804") == [("127",), ("6", "77"), ("8", "04")]
    for text in ("127+677=804", "127 + 677 = 804"):
        assert digit_groups_of_each_number("cl100k_base", text) == [("127",), ("677",), ("804",)]
    assert digit_groups_counted_from_right("3221") == ["3", "221"] and digit_groups_counted_from_right("804") == ["804"]


@pytest.mark.parametrize(("text", "is_one"), [("strawberry", True), (" strawberry", False), ("lollipop", False)])
def test_a_word_whose_letters_one_token_hides_after_a_space_is_said_to(text, is_one):
    last = lesson_named("spelling").exercises[1].scene(text).reveal[-1]
    assert ("after a space, it is one token" in last.words) == is_one


def test_the_three_rules_for_words():
    text = "I can't, don't. state-of-the-art"
    assert WORD_RULES["white space"](text) == ["I", "can't,", "don't.", "state-of-the-art"]
    assert WORD_RULES["punctuation apart"](text)[:5] == ["I", "can", "'", "t", ","]
    assert WORD_RULES["by rules"](text)[:7] == ["I", "ca", "n't", ",", "do", "n't", "."]
    assert words_with_unknown_replaced("The baker googled bread") == ["the", "baker", "[UNK]", "bread"]


def test_tokens_per_line_add_up():
    for name in ("gpt2", "cl100k_base"):
        assert sum(token_counts_per_line(CODE, name)) == len(tokviz.load(name).encode(CODE))


def test_the_share_of_the_training_text_decides():
    english, mixed, thai = (tokenizer_of_training(run) for run in trainings_on_mixes().values())
    sizes = {len(run.text.encode()) for run in trainings_on_mixes().values()}
    assert max(sizes) - min(sizes) < 5
    texts = {name: [sentence[name] for sentence in parallel_sentences()] for name in ("en", "th")}
    n = {
        name: [sum(len(tokenizer.encode(line)) for line in lines) for tokenizer in (english, mixed, thai)]
        for name, lines in texts.items()
    }
    assert n["en"][0] < n["en"][1] < n["en"][2]
    assert n["th"][0] > n["th"][1] > n["th"][2]
    together = [a + b for a, b in zip(*n.values(), strict=True)]
    assert min(together) == together[1]


def test_a_marker_in_a_message_forges_a_message_only_where_text_may_be_special():
    unsafe = ids_of_joined_text([("user", INJECTION)])
    tokenizer = chat_tokenizer(tokviz.load("cl100k_base"))
    safe = chat_ids(tokenizer, [("user", INJECTION)])
    start = tokenizer.special_tokens["<|im_start|>"]
    assert (safe.count(start), unsafe.count(start)) == (2, 3)
    assert tokenizer.decode(safe) == tokenizer.decode(unsafe)


def test_the_cost_of_a_vocabulary_has_a_column_for_each_width_and_an_answer_one_can_type():
    cost = next(exercise for _, exercise in EXERCISES if exercise.key == "cost").scene
    tables = [part for text in ("50257 x 768", "32000 x 4096") for part in cost(text).reveal if isinstance(part, Table)]
    assert [len(table.columns) for table in tables] == [3, 4]
    assert tables[1].rows[0] == ("GPT-2", 50257, 50257 * 768, 50257 * 4096)
    assert cost("1000000 x 1000000").question.answer == 1_000_000
    with pytest.raises(ValueError, match="at most a trillion"):
        cost("1000000 x 1000001")


@pytest.mark.parametrize(("text", "joined"), [("👩‍🍳", True), ("🇹🇭", False), ("👍🏽", False)])
def test_a_joiner_is_named_only_where_there_is_one(text, joined):
    emoji = next(exercise for _, exercise in EXERCISES if exercise.key == "emoji").scene
    said = "".join(part.words for part in emoji(text).reveal if isinstance(part, Say))
    assert ("joiner" in said) == joined


@pytest.mark.parametrize(("pattern", "what"), [("(a", NO_REGEX), ("(a|aa)+$", NO_END), (r"\p{L}+", WORKS)])
def test_a_pattern_that_goes_wrong_is_explained(pattern, what):
    said, shown = pattern_outcome_and_blocks(pattern)
    assert said == what
    assert what == WORKS or len(shown[0].words) > 30


def test_the_documents_name_every_lesson_in_order_and_say_how_many_there_are():
    root = Path(__file__).parents[2]
    listed = (root / "docs" / "guide.md").read_text("utf-8").partition("\n## Learn\n")[2].strip().partition("\n\n")[0]
    assert " ".join(listed.split()).split(" · ") == [lesson.title for lesson in LESSONS]
    assert f"{len(LESSONS)} lessons" in (root / "README.md").read_text("utf-8")
