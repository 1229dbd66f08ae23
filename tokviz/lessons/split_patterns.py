"""Lesson 10, split patterns: what cuts a text before any merge, and what happens if an alternative is missing."""

from tokviz.analysis.alternatives import alternatives, cuts
from tokviz.exercises import (
    SPLIT_PATTERNS,
    Claim,
    Exercise,
    Lesson,
    Line,
    Lines,
    Number,
    Say,
    Scene,
    Table,
    n_tokens,
    piece_line,
    pretokens,
    tokenizer_of_training,
)
from tokviz.lessons.across_words import ACROSS, PHRASE, SUPERWORDS
from tokviz.lessons.own_pattern import cut_table, on_subject, pattern_links

NAMED = tuple(name for name in SPLIT_PATTERNS if name != "none")
NUMBERS = 2  # the place of the alternative for digits in the pattern of cl100k


def pattern_line(text: str, pattern: str, *, label: str = "", off: tuple[int, ...] = ()) -> Line:
    """Return the pretokens of a text as a line."""
    return piece_line(label or pattern, [cut.pretoken for cut in cuts(text, pattern, off=off)], "pretokens")


def explanations(text: str, pattern: str) -> Table:
    """Return the explanations of the alternatives that cut something in a text, in the order of the pattern."""
    used = {cut.alternative for cut in cuts(text, pattern)}
    rows = tuple(
        (alternative.name, alternative.regex, alternative.explanation)
        for number, alternative in enumerate(alternatives(pattern))
        if number in used
    )
    return Table(("alternative", "regular expression", "what it cuts"), rows, code=("regular expression",), detail=True)


def _cut(text: str) -> Scene:
    n = len(pretokens(text, "gpt2"))
    return Scene(
        question=Number(
            "Into how many pretokens does **gpt2**'s pattern cut it? (Within 1 is close enough.)", n, near=1
        ),
        reveal=(
            Lines(*(pattern_line(text, name) for name in NAMED)),
            cut_table(text, "gpt2"),
            explanations(text, "gpt2"),
            Say(
                "A split pattern is a list of alternatives with `|` between them. They are tried in order, and the "
                "first that fits cuts a piece off. Then it starts over where that piece ends."
            ),
        ),
        links=pattern_links(text, "gpt2"),
    )


def _contractions(text: str) -> Scene:
    n = len(pretokens(text, "gpt2"))
    return Scene(
        before=(Say(f"cl100k's pattern cuts it into **{len(pretokens(text, 'cl100k'))}** pretokens."),),
        question=Number("Into how many does **gpt2**'s pattern cut it?", n),
        reveal=(
            Lines(*(pattern_line(text, name) for name in NAMED)),
            Say(
                "gpt2's pattern knows `'s`, `'ll` and the like in small letters only, and leaves a capital `'S` in "
                "two pieces, the apostrophe and the letter. cl100k and llama3 have `(?i:…)`, which takes small "
                "letters and capitals alike. o200k takes the whole word with its ending."
            ),
        ),
        links=pattern_links(text, "gpt2"),
    )


def _off(text: str) -> Scene:
    left = cuts(text, "cl100k", off=(NUMBERS,))
    return Scene(
        before=(
            Lines(pattern_line(text, "cl100k", label="cl100k, all alternatives")),
            Say("Now take out `\\p{N}{1,3}`, the alternative that cuts numbers."),
        ),
        question=Number("How many pretokens are there without it?", len(left)),
        reveal=(
            Lines(piece_line("without the numbers", [cut.pretoken for cut in left], "pretokens")),
            Say(
                "No other alternative takes digits, so digits in a row stay together, a pretoken that nothing matches. "
                "Some tokenizers just drop it, and the text comes back with holes. Here nothing is ever lost."
            ),
        ),
        links=pattern_links(text, "cl100k"),
    )


LESSON = Lesson(
    slug="split-patterns",
    title="Split patterns",
    intro="Before any merge, a **regular expression** cuts the text into *pretokens*, and merges stay "
    "inside them. One line of symbols decides what can become a token at all.",
    terms=("split pattern", "pretoken", "merge"),
    exercises=(
        Exercise(
            "cut",
            "What cuts where",
            "The space before a word goes with the word. Numbers and punctuation have rules of their own.",
            ("In 2024 it's 3 o'clock, isn't it?", "Hello,   world!!", "x = [1, 22, 4444]", "ราคา 1,250 บาท"),
            _cut,
        ),
        Exercise(
            "contractions",
            "IT'S in capitals",
            "*It is* becomes *it's*, and on a poster *IT'S*.",
            ("it's IT'S we'll WE'LL", "DON'T don't", "he'd HE'D they've THEY'VE"),
            _contractions,
        ),
        Exercise(
            "off",
            "Take an alternative out",
            "Every alternative has a job. What if one is missing?",
            ("Call 0812345678 at 9", "3221+2334=5555", "no digits here"),
            _off,
        ),
        SUPERWORDS,
        Exercise(
            "own",
            "Your own pattern",
            "Write a regular expression, as in Python's `regex` module, and see what it does, or why it does not work.",
            (r"\p{L}+|\p{N}+", r" ?[a-z]+|\d", r"(a|aa)+$", r"(a", r"\s"),
            on_subject,
        ),
    ),
    takeaway="A split pattern is what somebody believed about text, mostly English text: what a word is, how long a "
    "number may be, whether Thai vowels belong to their word. A model cannot undo a bad cut; it can only learn to live "
    "with it. And the pattern a tokenizer was trained with is the one it has to be used with.",
    claims=(
        Claim(
            "A frequent phrase such as ` in the` is one token now",
            lambda: PHRASE == " in the" and n_tokens(tokenizer_of_training(ACROSS), PHRASE) == 1,
        ),
        Claim(
            "leaves a capital `'S` in two pieces",
            lambda: pretokens("IT'S", "gpt2") == ["IT", "'", "S"] and pretokens("it's", "gpt2") == ["it", "'s"],
        ),
        Claim(
            "o200k takes the whole word with its ending",
            lambda: pretokens("IT'S", "o200k") == ["IT'S"] and pretokens("IT'S", "cl100k") == ["IT", "'S"],
        ),
        Claim(
            "`\\p{N}{1,3}`, the alternative that cuts numbers",
            lambda: alternatives("cl100k")[NUMBERS].name == "numbers",
        ),
        Claim(
            "nothing is ever lost",
            lambda: "".join(c.pretoken for c in cuts("a 12", "cl100k", off=(NUMBERS,))) == "a 12",
        ),
    ),
)
