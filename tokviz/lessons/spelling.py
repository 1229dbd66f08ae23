"""Spelling: letters are invisible inside tokens."""

from collections import Counter

from tokviz import exercises as ex


def most_frequent_letter(text: str) -> str:
    """Return the most frequent letter of a text, in either case; the first, if several are equal.

    >>> most_frequent_letter("strawberry"), most_frequent_letter("123")
    ('r', '1')
    """
    letters = [c for c in text.lower() if c.isalpha()] or [c for c in text if not c.isspace()]
    return Counter(letters).most_common(1)[0][0]


def spelled_out_text(text: str) -> str:
    """Return a text with a hyphen between all its characters.

    >>> spelled_out_text("egg")
    'e-g-g'
    """
    return "-".join(text)


def _cuts_scene(text: str) -> ex.Scene:
    tokenizer = ex.load("cl100k_base")
    ids, is_bare = tokenizer.encode(text), not text.startswith(" ")
    other = f" {text}" if is_bare else text.removeprefix(" ")
    other_name = "after a space" if is_bare else "without the space"
    return ex.Scene(
        ex.Cuts("Where does **GPT-4** cut?", text, ex.token_cut_offsets("cl100k_base", text)),
        ex.Lines(
            ex.token_line("cl100k_base", text, show_ids=True),
            ex.token_line("cl100k_base", other, label=f"GPT-4, {other_name}", show_ids=True),
        ),
        ex.Plain(
            f"This is all that GPT-4 sees: {', '.join(map(str, ids))}. There are no letters in it. "
            f"{other_name.capitalize()} it is {ex.quantity(len(tokenizer.encode(other)), 'token')}."
        ),
        links=ex.usual_links(text, compared=ex.PRETRAINED),
    )


def _letter_count_scene(text: str) -> ex.Scene:
    letter = most_frequent_letter(text)
    pieces = ex.token_texts_of("cl100k_base", text)
    ids = ex.load("cl100k_base").encode(text)
    held = [piece.lower().count(letter) for piece in pieces]
    n_holding = sum(map(bool, held))
    occurs = ex.times_text(text.lower().count(letter))
    is_one_after_a_space = len(pieces) > ex.n_tokens("cl100k_base", f" {text}") == 1
    return ex.Scene(
        ex.Plain(f"You see the letter {letter} {occurs} in this text."),
        ex.Number("GPT-4 sees tokens instead. In how many **tokens** is that letter hidden?", n_holding, unit="token"),
        ex.Table(
            ("token", "id", f"how many {letter}"),
            tuple(zip(map(ex.text_with_visible_spaces, pieces), map(str, ids), held, strict=True)),
            code=("token",),
        ),
        ex.Say(
            f"It occurs {occurs}, in {ex.quantity(n_holding, 'token')}. You count by looking. A model cannot look: "
            "it has to remember which letters are in the token that each number stands for, and then add them up."
        ),
        *[ex.Plain(f"In a sentence, after a space, it is one token: a single number hides every {letter}.")]
        * is_one_after_a_space,
        links=ex.usual_links(text),
    )


def _reverse_scene(text: str) -> ex.Scene:
    back = text[::-1]
    return ex.Scene(
        ex.Number(
            "Write the text **backwards**. How many tokens does GPT-4 make of it now?",
            ex.n_tokens("cl100k_base", back),
        ),
        ex.Lines(
            ex.token_line("cl100k_base", text, label="forwards", show_ids=True),
            ex.token_line("cl100k_base", back, label="backwards", show_ids=True),
            ex.token_line("cl100k_base", spelled_out_text(text), label="spelled out", show_ids=True),
        ),
        ex.Say(
            "Models find it hard: reverse a word, and you get other pieces, with other ids. Spelled "
            f"out, {'each letter' if _has_one_letter_per_token_spelled_out(text) else 'almost every letter'} is in "
            "a token of its own, and models often do better."
        ),
        links=ex.usual_links(
            back,
            ex.Link(
                "Playground",
                f"{text}\n{back}\n{spelled_out_text(text)}",
                label="All three in the playground",
            ),
        ),
    )


def _has_one_letter_per_token_spelled_out(text: str) -> bool:
    """Return whether every token of a spelled-out text holds at most one letter."""
    return all(sum(map(str.isalpha, piece)) <= 1 for piece in ex.token_texts_of("cl100k_base", spelled_out_text(text)))


LESSON = ex.Lesson(
    slug="spelling",
    title="Spelling",
    intro="How many r's are in *strawberry*? Models that can write whole essays have got this wrong. They are not "
    "stupid: inside a word, they do not see the letters.",
    cover=lambda: ex.token_line("cl100k_base", "strawberry"),
    aim="explain why a model miscounts letters, and what helps it",
    terms=("token", "token id"),
    exercises=(
        ex.Exercise(
            "strawberry",
            "What the model sees",
            "Guess where the word is cut. The answer shows it after a space too, as in a sentence.",
            ("strawberry", " strawberry", "Strawberry", "Mississippi"),
            _cuts_scene,
        ),
        ex.Exercise(
            "count",
            "Counting letters",
            "You count a letter by looking at the word. Here is the one that occurs most often.",
            ("strawberry", " strawberry", "lollipop", "Mississippi"),
            _letter_count_scene,
        ),
        ex.Exercise(
            "reverse",
            "Backwards",
            "You can read a word backwards. Can a model?",
            ("lollipop", "strawberry", "Mississippi"),
            _reverse_scene,
        ),
    ),
    takeaway="Letters are hidden inside tokens: a model has to remember how each token is spelled. Spelled out with "
    "hyphens, each letter is in a token of its own.",
    more="Spelling, counting letters, rhymes, crosswords: they all ask about letters. A model often does better if it "
    "first spells the word out, `s-t-r-a-w-b-e-r-r-y`, because then each letter is in a token of its own.",
    picture=lambda: ex.Lines(
        ex.token_line("cl100k_base", "strawberry", label="by itself", show_ids=True),
        ex.token_line("cl100k_base", " strawberry", label="after a space", show_ids=True),
        ex.token_line("cl100k_base", spelled_out_text("strawberry"), label="with hyphens", show_ids=True),
    ),
    claims={
        "`s-t-r-a-w-b-e-r-r-y`, because then each letter is in a token of its own": lambda: (
            _has_one_letter_per_token_spelled_out("strawberry")
        ),
    },
)
