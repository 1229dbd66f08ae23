"""Lesson 5, white space: leading, double and trailing spaces, and the indentation of code."""

from tokviz.exercises.lesson import (
    Choice,
    Claim,
    Exercise,
    Lesson,
    Lines,
    Link,
    Number,
    Plain,
    Say,
    Scene,
    Table,
    usual_links,
)
from tokviz.exercises.lines import n_tokens, pieces_of, token_line
from tokviz.formats.pretrained import PRETRAINED, load

CODE = (
    'for i in range(1, 101):\n    if i % 3 == 0 and i % 5 == 0:\n        print("FizzBuzz")\n'
    '    elif i % 3 == 0:\n        print("Fizz")\n    else:\n        print(i)\n'
)
TABBED = CODE.replace("    ", "\t")


def tokens_per_line(text: str, tokenizer: str) -> list[int]:
    """Return how many tokens begin in each line of a text; line ends belong to the line they end.

    >>> tokens_per_line("if x:\\n    y", "gpt2")
    [4, 4]
    """
    spans = token_line(tokenizer, text).spans
    counts, end = [], 0
    for line in text.splitlines(keepends=True):
        begin, end = end, end + len(line)
        counts.append(int(((spans.char_starts >= begin) & (spans.char_starts < end)).sum()))
    return counts


def last_word_apart(text: str) -> tuple[str, str]:
    """Return a text without its last word, and the last word.

    >>> last_word_apart("The capital of France is Paris")
    ('The capital of France is', 'Paris')
    """
    start, _, word = text.rstrip().rpartition(" ")
    return start, word


def _spaces(text: str) -> Scene:
    return Scene(
        question=Number("How many tokens are there under **cl100k_base**?", n_tokens("cl100k_base", text)),
        reveal=(
            Lines(tuple(token_line(name, text, show_ids=True) for name in PRETRAINED)),
            Say(
                "A single space before a word is part of the word's token, drawn here as a dot at its beginning. Of "
                "several spaces in a row only the last belongs to the word; a space at the end, where no word follows, "
                "stands alone."
            ),
        ),
        links=usual_links(text, compared=PRETRAINED),
    )


def _code(text: str) -> Scene:
    counts = {name: tokens_per_line(text, name) for name in PRETRAINED}
    n_gpt2 = sum(counts["gpt2"])
    lines = text.splitlines()
    return Scene(
        before=(Say(f"Under cl100k_base this code has **{sum(counts['cl100k_base'])}** tokens."),),
        question=Number("And under **gpt2**? (Within a tenth counts as right.)", n_gpt2, near=max(1, n_gpt2 // 10)),
        reveal=(
            Table(
                ("line", *PRETRAINED),
                tuple(
                    (line.replace("\t", "→   ").replace(" ", "·"), *numbers)
                    for line, *numbers in zip(lines, *counts.values(), strict=True)
                ),
                code=("line",),
            ),
            Lines((token_line("gpt2", text), token_line("cl100k_base", text))),
            Say(
                "gpt2 has no token for a run of spaces: it spends one on every space of an indentation, except the "
                "last, which belongs to the word. cl100k_base has tokens for whole runs."
                if "    " in text
                else "Without runs of spaces, the two differ less."
            ),
        ),
        links=usual_links(text, "gpt2", PRETRAINED),
    )


def _end(text: str) -> Scene:
    start, word = last_word_apart(text)
    tokenizer = load("cl100k_base")
    good = tokenizer.encode(text.rstrip()) == tokenizer.encode(start) + tokenizer.encode(" " + word)
    with_space = tokenizer.encode(start + " ") + tokenizer.encode(word)
    same = with_space == tokenizer.encode(text.rstrip())
    yes, no = "Yes, the same ids", "No, different ids"
    return Scene(
        before=(Plain(f"The prompt ends in a space, “{start} ”, and the model continues with “{word}”."),),
        question=Choice(
            "Do prompt and answer together have the same ids as the sentence written at once?",
            (yes, no),
            frozenset({yes if same else no}),
        ),
        reveal=(
            Lines(
                (
                    token_line("cl100k_base", text.rstrip(), label="written at once", show_ids=True),
                    token_line("cl100k_base", start + " ", label="a prompt with a space at its end", show_ids=True),
                    token_line("cl100k_base", word, label="and the word that must follow", show_ids=True),
                )
            ),
            Plain(
                f"In its training texts the model has nearly always seen “␣{word}” with its space in one token, and "
                "hardly ever a lone space before a word. "
                + ("Without the space at its end, the prompt is the beginning of the whole sentence." if good else "")
            ),
        ),
        links=usual_links(
            start + " ",
            first=[
                Link("playground", start + " ", label="The prompt with its space"),
                Link("playground", text.rstrip(), label="The whole sentence"),
            ],
        ),
    )


def _runs_of_spaces(tokenizer: str) -> set[int]:
    return {len(token) for token in load(tokenizer).mergeable_ranks if set(token) == {32}}


LESSON = Lesson(
    slug="whitespace",
    title="White space",
    intro="You do not see spaces. For a tokenizer they are characters like any other, and where they stand "
    "changes the tokens around them.",
    exercises=(
        Exercise(
            "spaces",
            "One space, two spaces, a space at the end",
            "Look closely: some of these texts differ by a single space.",
            ("hello world", " hello world", "hello  world", "hello world ", "hello     world"),
            _spaces,
        ),
        Exercise(
            "code",
            "Indented code",
            "Python code is indented by four spaces per level.",
            (CODE, TABBED),
            _code,
            multiline=True,
        ),
        Exercise(
            "end",
            "Why a prompt should not end in a space",
            "The prompt is cut into tokens before the model writes its first one.",
            ("The capital of France is Paris", "Once upon a time", "Roses are red, violets are blue"),
            _end,
        ),
    ),
    takeaway="Leave no space at the end of a prompt: it forces a beginning that the model has rarely seen. For code, "
    "the tokenizer decides how much of a program fits: gpt2 has no token of two spaces "
    "or more, cl100k_base has them up to 128. And tabs, spaces and double spaces that look alike have different "
    "ids, so copied text can behave differently from typed text.",
    claims=(
        Claim(
            "gpt2 has no token of two spaces or more, cl100k_base has them up to 128",
            lambda: _runs_of_spaces("gpt2") == {1} and max(_runs_of_spaces("cl100k_base")) == 128,
        ),
        Claim(
            "Of several spaces in a row only the last belongs to the word",
            lambda: all(pieces_of(name, "hello  world") == ["hello", " ", " world"] for name in PRETRAINED),
        ),
        Claim(
            "a space at the end, where no word follows, stands alone",
            lambda: all(pieces_of(name, "hello world ")[-1] == " " for name in PRETRAINED),
        ),
        Claim("gpt2 has no token for a run of spaces", lambda: _runs_of_spaces("gpt2") == {1}),
    ),
)
