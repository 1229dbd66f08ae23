"""The page of lessons: each by its address, guesses and the score, links to it and from it, and hostile texts."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from each import quick
from lesson_blocks import added
from opening import ROOT, data_sent, labels, linked, opened, option_of, part, seen, text_of, without_script
from streamlit.testing.v1 import AppTest

from pages.ui.lessons.exercise import check_guess_and_open_answer
from pages.ui.lessons.links import PAGE_OF as OF_TARGETS
from pages.ui.lessons.links import apply_link
from pages.ui.lessons.overview import GROUPS
from pages.ui.lessons.sitting import NamedQuestion, Sitting, sitting
from tokviz import SPLIT_PATTERNS
from tokviz.exercises import Exercise, Lesson, Lines, Link, Number, Scene, n_tokens, token_line, usual_links
from tokviz.formats.pretrained import ENCODINGS
from tokviz.lessons import LESSONS, TEXT_MAX, lesson_named, text_key
from tokviz.lessons.byte_pair_encoding import CLASSICAL
from tokviz.lessons.glossary import GLOSSARY, glossary_term
from tokviz.lessons.notes import class_minutes
from tokviz.live.session import LiveSession
from tokviz.records.session_tokenizer import kept_tokens
from tokviz.vocabulary.audit import FINDINGS

PAGE = "pages/lessons.py"
SLUGS = [lesson.slug for lesson in LESSONS]
HOSTILE = "<script>alert(1)</script> ![x](http://example.org/x.png) $x$ :red[a] <|endoftext|>"


def at(slug: str, texts: dict[str, str] | None = None, **state: object) -> AppTest:
    """Return the page of lessons opened by the address of one, with texts that were typed before."""
    session = LiveSession()
    for key, text in (texts or {}).items():
        session.get_or_add_document(key, text)
    return opened(PAGE, query={"lesson": slug}, live=session, **state)


def revealed(lesson: Lesson, texts: dict[str, str] | None = None, **state: object) -> AppTest:
    """Return the page of a lesson with all answers open."""
    keys = {text_key(lesson, each): each.examples[0] for each in lesson.exercises} | (texts or {})
    return at(lesson.slug, texts, sitting=Sitting(open={*keys.items()}), **state)


def exercise_alone(slug: str, exercise: str, text: str | None = None) -> AppTest:
    """Return one exercise of a lesson on its own, after a text was typed into it."""

    def script():
        import streamlit as st

        from pages.ui.lessons.exercise import show_exercise
        from tokviz.lessons import lesson_named

        lesson = lesson_named(st.session_state.slug)
        keys = [exercise.key for exercise in lesson.exercises]
        show_exercise(lesson, number=keys.index(st.session_state.key) + 1)

    session = LiveSession()
    if text is not None:
        session.get_or_add_document(key_of(slug, exercise), text)
    return part(script, live=session, slug=slug, key=exercise)


def write(app: AppTest, slug: str, exercise: str, text: str) -> AppTest:
    """Return the page after another text was typed."""
    app.session_state["live"].get_or_add_document(key_of(slug, exercise)).set_text(text)
    return app.run()


def press(app: AppTest, label: str, n: int = 0) -> AppTest:
    return [button for button in app.button if button.label == label][n].click().run()


def disabled(app: AppTest, label: str) -> bool:
    (button,) = (button for button in app.button if button.label == label)
    return button.disabled


def said(app: AppTest) -> str:
    """Return what a page says in words of its own."""
    return "\n".join(one.value for one in (*app.caption, *app.markdown))


def lesson_links(app: AppTest) -> set[str]:
    """Return the labels of the links to lessons."""
    return {link.proto.label for link in app.get("page_link") if link.proto.label[0].isdigit()}


def key_of(slug: str, exercise: str) -> str:
    return f"lesson:{slug}:{exercise}"


GREEK = Lesson(
    slug="greek",
    title="Greek",
    intro="Two letters, one sound.",
    exercises=(
        Exercise(
            key="sigma",
            title="Sigma",
            say="Some words end in sigma.",
            examples=("λόγος",),
            scene=lambda text: Scene(
                Number("How many tokens?", n_tokens("gpt2", text)),
                Lines(token_line("gpt2", text), token_line("cl100k_base", text)),
                links=usual_links(text),
            ),
        ),
    ),
    takeaway="Small alphabets need many merges too.",
)


def test_a_lesson_is_one_value_in_the_list_and_the_rest_follows():
    with added(GREEK):
        before, app = at(SLUGS[-1]), at("greek")
        assert {f"{len(LESSONS)}. Greek", "Greek →"} <= {*labels(before, "page_link")}  # the menu, and the way on
        assert not app.exception and not app.error
        assert app.title[0].value == "Greek"
        assert any(f"Lesson {len(LESSONS)} of {len(LESSONS)}." in caption.value for caption in app.caption)
        assert text_of(app, key_of("greek", "sigma")) == "λόγος"
        press(app, "Show the answer")
        assert not app.exception and not app.error
        link = next(sent["value"] for sent in data_sent(write(app, "greek", "sigma", "ὁδός")) if "value" in sent)
        assert link["values"]["lesson"] == "greek"
        shared = linked(PAGE, **{"lesson": "greek", key_of("greek", "sigma"): "ὁδός"})
        assert (shared.title[0].value, text_of(shared, key_of("greek", "sigma"))) == ("Greek", "ὁδός")


@pytest.mark.parametrize("slug", quick(SLUGS, "token", "by-hand"))
def test_a_lesson_opens_by_its_address_and_reveals_everything(slug):
    lesson = lesson_named(slug)
    asks, tells = seen(PAGE, lesson=lesson.slug), revealed(lesson)
    for app in (asks, tells):
        assert not app.exception and not app.error
        assert app.title[0].value == lesson.title
        assert len(app.header) == len(lesson.exercises)
    assert "Show the answer" not in labels(tells)
    # A late press of Reveal must not reach a button that hides the answer.
    asked = {button.key for button in asks.button if button.label == "Show the answer"}
    hides = {button.key for button in tells.button if button.label == "Hide the answer"}
    assert asked and len(hides) == len(asked) and not hides & asked
    assert any((button.key or "").startswith("_link_") for button in tells.button)


@pytest.mark.slow
def test_every_exercise_of_every_lesson_is_shown_with_its_answer_those_of_a_new_lesson_too():
    def exercises():
        from pages.ui.lessons.exercise import show_exercise
        from tokviz.lessons import LESSONS

        for lesson in LESSONS:
            for number in range(1, len(lesson.exercises) + 1):
                show_exercise(lesson, number=number)

    with added(GREEK):
        texts = {(text_key(lesson, each), each.examples[0]) for lesson in LESSONS for each in lesson.exercises}
        app = part(exercises, sitting=Sitting(open=texts))
    assert not app.exception and not app.error and "Show the answer" not in labels(app)
    assert len(app.header) == len(texts) and app.header[-1].value == "1. Sigma"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_hostile_texts_break_nothing_and_are_never_markdown(lesson):
    app = revealed(lesson, {text_key(lesson, exercise): HOSTILE for exercise in lesson.exercises})
    assert "Show the answer" not in labels(app)
    assert not app.exception
    shown = [*app.markdown, *app.caption, *app.header, *app.info, *app.button]
    assert not any("example.org" in str(getattr(one, "value", "")) + str(getattr(one, "label", "")) for one in shown)


def test_of_a_text_that_is_too_long_the_beginning_is_looked_at():
    app = exercise_alone("spelling", "strawberry", "a\ud83d" * TEXT_MAX)
    assert not app.exception
    press(app, "Show the answer")
    assert not app.exception and not app.error


def test_an_address_of_no_lesson_says_so_above_the_list_of_all_in_groups_with_lengths():
    app = at("nothing")
    assert "no lesson 'nothing'" in app.code[0].value and app.title[0].value == "Learn"
    assert not app.exception and {*GROUPS} <= {*SLUGS}
    for number, lesson in enumerate(LESSONS, 1):
        assert f"{number}. {lesson.title}" in labels(app, "page_link")
        minutes = f"{lesson.minutes} min *({class_minutes(lesson)} with a class)*"
        assert {minutes, lesson.aim[:1].upper() + lesson.aim[1:]} <= {one.value for one in app.caption}
    covers = [line["text"] for data in data_sent(app) for part in data.get("parts", ()) for line in part["lines"]]
    assert covers == [lesson.cover().spans.text for lesson in LESSONS if lesson.cover]
    assert "All lessons" in labels(seen(PAGE, lesson="by-hand"), "page_link")


def test_the_answer_that_was_opened_last_comes_into_view_until_it_is_hidden():
    app = press(at("token"), "Show the answer", 1)
    brought = [data["answer"] for data in data_sent(app) if "answer" in data]
    assert brought == [f"asked {key_of('token', 'words')}"]
    assert [data["answer"] for data in data_sent(press(app, "Hide the answer")) if "answer" in data] == [""]


def test_a_right_and_a_wrong_guess_arrive_with_the_press_of_the_button_and_are_counted_once():
    app = at("token")
    app.number_input[0].set_value(13)
    press(app, "Show the answer")
    assert "1 of 1 guesses right" in said(app) and "✓ Right!" in said(app)
    press(app, "Hide the answer")
    app.number_input[0].set_value(1)
    press(app, "Show the answer")
    assert "1 of 1 guesses right" in said(app) and "✕ No: it is more than that, 13." in said(app)
    assert app.number_input[0].value == 1
    app.number_input[1].set_value(1000)
    press(app, "Show the answer", 1)  # of the third exercise: the first is open, the second is a choice
    assert app.session_state["sitting"].score == {
        (key_of("token", "units"), LESSONS[0].exercises[0].examples[0]): True,
        (key_of("token", "trade"), LESSONS[0].exercises[2].examples[0]): False,
    }


def test_enter_in_the_box_of_a_number_presses_the_button_beside_it():
    app = seen(PAGE, lesson="token")
    boxes = {box.proto.form_id for box in app.number_input}
    buttons = {button.proto.form_id for button in app.button if button.label == "Show the answer"}
    assert all(boxes) and boxes == buttons - {""}  # a form each; options and cuts have none
    assert len(boxes) == len(app.number_input)


def test_an_example_and_a_changed_text_ask_anew_before_they_tell():
    app = exercise_alone("token", "units")
    press(app, "Show the answer")
    assert "The answer: **13**" in said(app)
    write(app, "token", "units", "hello world")
    assert "The answer:" not in said(app)
    press(app, "Show the answer")
    assert "The answer: **2**" in said(app)
    press(app, "unbelievable")
    assert text_of(app, key_of("token", "units")) == "unbelievable"
    assert "The answer:" not in said(app)


def test_the_first_lesson_shows_tokens_before_it_asks():
    app = seen(PAGE, lesson="token")
    shown = [data.get("document") for data in data_sent(app)]
    assert text_of(app, "lesson:token") == LESSONS[0].live_text
    assert shown.index("lesson:token") < shown.index(key_of("token", "units"))


def test_a_lesson_is_ticked_once_all_its_exercises_are_answered_right_or_wrong():
    lesson = lesson_named("arithmetic")
    asked = []
    for exercise in lesson.exercises:
        text = exercise.examples[0]
        asked.append(NamedQuestion(exercise.scene(text).question, (text_key(lesson, exercise), text)))
    with without_script() as state:
        guesses = sitting().guesses
        guesses[asked[0].name] = (2,)
        guesses[asked[2].name] = "in threes, from the left"
        for each in asked:  # the second answer is looked at without a guess
            check_guess_and_open_answer(each)
        assert "lessons_done" not in state
        guesses[asked[1].name] = 5
        check_guess_and_open_answer(asked[1])
        assert state["lessons_done"] == ["arithmetic"]
    app = at("token", lessons_done=["arithmetic"])
    assert {label for label in lesson_links(app) if "✓" in label} == {"4. Arithmetic ✓"}


def test_a_text_that_is_one_token_is_guessed_by_leaving_it_whole():
    app = at("spelling", {key_of("spelling", "strawberry"): " strawberry"})
    press(app, "Show the answer")
    assert list(app.session_state["sitting"].score.values()) == [True]
    press(app, "Show the answer")
    assert len(app.session_state["sitting"].score) == 1


def test_a_word_opens_the_glossary():
    app = at("languages")
    press(app, "parity")
    assert "parity is 3.5" in said(app)
    assert text_of(app, "term parity") == glossary_term("parity").text
    first, others = (
        group.options for group in app.button_group if "parity" in group.options or "byte" in group.options
    )
    assert sorted([*first, *others]) == sorted(term.word for term in GLOSSARY)


def test_texts_that_differ_in_their_spaces_have_dots_for_all_of_them():
    texts = {"hello·world", "·hello·world", "hello·world·", "hello·····world"}
    assert texts < {button.label for button in exercise_alone("whitespace", "spaces").button}


def test_merging_by_hand_takes_any_of_the_tied_pairs_and_ends_with_five_tokens():
    app = exercise_alone("by-hand", "hand")
    key, sitting = key_of("by-hand", "hand"), app.session_state["sitting"]
    sitting.guesses[key, CLASSICAL, "|".join(CLASSICAL)] = "b + d"
    press(app, "Check")
    assert (key, CLASSICAL) not in sitting.chosen
    assert "No: b + d occurs once, a + a 4 times." in str(data_sent(app))
    for guess, pieces in (("a + a", CLASSICAL), ("a + b", ("aa", "a", "b", "d", "aa", "a", "b", "a", "c"))):
        sitting.guesses[key, CLASSICAL, "|".join(pieces)] = guess
        press(app, "Check")
        if guess == "a + a":
            assert "Right: a + a occurred 4 times, but the merge joined it only twice. aaa holds a + a twice" in str(
                data_sent(app)
            )
    assert not sitting.answered
    press(app, "Check")  # without a guess the only pair left is merged
    assert sitting.chosen[key, CLASSICAL] == [("a", "a"), ("a", "b"), ("aa", "ab")]
    assert "become 5 tokens" in str(data_sent(app)) and sitting.answered == {key}
    assert list(sitting.score.values()) == [False, True]
    press(app, "Start over")
    assert sitting.chosen[key, CLASSICAL] == []


def test_a_link_opens_the_lesson_with_the_teachers_text():
    options = {"lesson": "spelling", key_of("spelling", "strawberry"): "raspberry", "presenting": False}
    app = linked(PAGE, **options)
    assert not app.exception
    assert app.title[0].value == "Spelling"
    assert text_of(app, key_of("spelling", "strawberry")) == "raspberry"
    assert app.query_params["lesson"] in ("spelling", ["spelling"])


@pytest.mark.parametrize(
    "options",
    [
        {"lesson": "../x", "slide": -5, "presenting": True},
        {"lesson": 7, "presenting": "yes", key_of("token", "units"): ["x"], key_of("token", "none"): "x"},
        {"lesson": "token", "slide": 10**20, "presenting": True, key_of("token", "units"): "a\ud83d\n" * TEXT_MAX},
    ],
)
def test_a_link_is_checked(options):
    app = linked(PAGE, **options)
    assert not app.exception
    text = text_of(app, key_of("token", "units"))
    assert len(text) <= TEXT_MAX and "\ud83d" not in text and "\n" not in text


def test_presenting_ends_on_a_slide_from_which_only_its_buttons_lead_on_or_back_to_the_first():
    app = press(at("token"), "Present")
    assert not lesson_links(app) and app.title[0].value == "What is a token?"
    assert "Playground" in {link.proto.label for link in app.get("page_link")}
    assert disabled(app, "Back")
    app.session_state["slide"] = 10**6
    app.run()
    assert app.title[0].value == "End of this lesson" and disabled(app, "Next")
    assert f"Now you can {lesson_named('token').aim}." in [one.value for one in app.markdown]
    assert press(app, "To the first slide").title[0].value == "What is a token?"
    app.session_state["slide"] = 10**6
    press(app.run(), "Next lesson: BPE by hand")
    assert app.title[0].value == "BPE by hand" and app.session_state["lesson"] == "by-hand"
    press(app, "Leave")
    assert lesson_links(app) and len(app.header) == 2


def test_presented_the_list_of_lessons_has_a_key_to_the_first():
    app = press(press(at("all"), "Present"), "First lesson")
    assert app.title[0].value == "What is a token?" and not lesson_links(app)


def test_the_keys_of_a_presented_game_by_hand_make_its_merges_first_and_take_them_back():
    app = press(press(at("by-hand"), "Present"), "Next")

    def says_what_to_do() -> bool:
        return any(one.value.startswith("Which two neighbours") for one in app.markdown)

    assert says_what_to_do()

    def n_merges() -> int:
        return len(next(iter(app.session_state["sitting"].chosen.values()), []))

    while any(button.label == "Check" for button in app.button):
        before = n_merges()
        press(app, "Next")
        assert app.header[0].value == "1. Choose the pair" and n_merges() == before + 1 and not says_what_to_do()
        assert any(one.value.endswith(f"· step {before + 2} of 4") for one in app.caption)
    assert n_merges() == 3
    press(app, "Next")
    assert app.header[0].value.startswith("2.")
    for left in (3, 2, 1, 0):
        press(app, "Back")
        assert app.header[0].value == "1. Choose the pair" and n_merges() == left
    assert says_what_to_do()
    press(app, "Back")
    assert app.session_state["slide"] == 0


def links(lesson: Lesson) -> Iterator[tuple[str, Link]]:
    """Yield the links of a lesson after the keys of their buttons."""
    for exercise in lesson.exercises:
        for n, link in enumerate(exercise.scene(exercise.examples[0]).links):
            yield f"_link_{text_key(lesson, exercise)}_{n}", link


@pytest.mark.slow
def test_links_of_each_kind_bring_what_the_lesson_shows_and_open_their_pages():
    kinds: dict[tuple[object, ...], Link] = {}
    for lesson in LESSONS:
        for _, link in links(lesson):
            kinds.setdefault((link.target, *map(bool, (link.training, link.beside, link.messages, link.search))), link)
    opens = {link.target: link for _, link in sorted(kinds.items(), key=lambda each: sum(each[0][1:]))}  # the fullest
    for link in kinds.values():
        with without_script() as state:
            apply_link(link)
            assert_holds(SimpleNamespace(session_state=state), link)
        if link is opens[link.target]:
            assert_shows(opened(OF_TARGETS[link.target].script, **state), link)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=SLUGS)
def test_a_link_that_is_pressed_opens_its_page_with_what_the_lesson_shows(lesson):
    for key, link in links(lesson):
        app = revealed(lesson)
        while key not in [button.key for button in app.button]:  # a game by hand goes on to its end
            press(app, "Check")
        assert_shows(app.button(key=key).click().run(), link)


def assert_shows(app: AppTest, link: Link) -> None:
    """Check that a page shows what a link brings."""
    assert not app.exception and not app.error
    assert app.title[0].value == OF_TARGETS[link.target].title
    assert_holds(app, link)


def assert_holds(app: AppTest | SimpleNamespace, link: Link) -> None:
    """Check that a session has what a link brings."""
    assert text_of(app) == link.text
    if link.training and link.target == "Train":
        assert app.session_state["pattern"] == link.training.split_pattern
    else:
        name = link.training.name if link.training else link.tokenizer
        assert name in ENCODINGS or name in app.session_state["kept"]
        of_all, of_merges = (option_of(app, key) for key in ("tokenizer", "merges_tokenizer"))
        # What is shown on the merges page is chosen for that page alone.
        is_merges = link.target == "Merges"
        assert (of_merges or of_all, of_all) == (name, "cl100k_base" if is_merges else name)
    assert option_of(app, "predicting") == link.predicting
    assert set(link.compared) <= set(ENCODINGS)
    if link.compared:
        assert option_of(app, "compared") == list(link.compared)
    if link.pattern:
        assert app.session_state["cut_pattern"] in SPLIT_PATTERNS or app.session_state["own_pattern"] == link.pattern
    if link.beside and link.target != "Merges":
        names = [training.name for training in (*link.beside, link.training)]
        assert app.session_state["compared"][-len(names) :] == names
    if link.target == "Vocabulary":
        assert app.session_state["search"]["fields"] == dict(link.search)
        form = (ROOT / "assets/vocabulary/component.html").read_text()
        for field, value in link.search:
            is_known = value in FINDINGS if field == "finding" else f'<option value="{value}">' in form
            assert f'name="{field}"' in form and (field == "query" or is_known)
    if link.messages:
        assert [(row.role, text_of(app, row.name)) for row in app.session_state["rows"]] == [
            each[:2] for each in link.messages
        ]
        assert option_of(app, "chat_format") == link.chat_format and option_of(app, "turns_section") == link.section


LINKS_TO_TRAIN = {"by-hand": "Train it yourself", "vocabulary": "Train vocabularies of other sizes"}


@pytest.mark.parametrize(("slug", "label"), LINKS_TO_TRAIN.items())
def test_a_link_to_train_opens_the_text_also_under_a_tokenizer_of_words_and_after_files(slug, label):
    words = kept_tokens("mine", "words", ["a"])
    app = revealed(lesson_named(slug), kept={"mine": words}, tokenizer="mine", train_on="Files")
    press(app, label)
    assert not app.exception
    assert app.title[0].value == "Train" and app.session_state["train_on"] == "The text"
