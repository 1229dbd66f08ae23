"""Split patterns: what cuts a text before any merge, and what happens if an alternative is missing."""

from tokviz import exercises as ex
from tokviz.lessons.superwords import ACROSS, PHRASE, SUPERWORDS

NAMED = ("gpt2", "cl100k", "o200k", "llama3")
NUMBERS = 2  # the place of the alternative for digits in the pattern of cl100k
# The text for patterns that somebody writes, and how they can end.
SUBJECT = "The cat sat on 12 mats, " + "a" * 40 + "b"
SECONDS = 0.5  # a class should not have to wait for a pattern that never ends
WORKS, NO_REGEX, NO_END = "It cuts the text", "It is not a regular expression", "It does not end"


def pretoken_line(text: str, pattern: str, *, label: str = "") -> ex.Line:
    """Return the pretokens of a text as a line; its label is a model that uses the pattern unless given."""
    pretokens = [cut.pretoken for cut in ex.pattern_cuts(text, pattern)]
    return ex.piece_line(label or ex.first_user(pattern), pretokens, "pretokens")


def explanation_table(text: str, pattern: str) -> ex.Table:
    """Return the explanations of the alternatives that cut something in a text, in the order of the pattern."""
    used = {cut.alternative for cut in ex.pattern_cuts(text, pattern)}
    rows = tuple(
        (alternative.name, alternative.regex, alternative.explanation)
        for number, alternative in enumerate(ex.alternatives(pattern))
        if number in used
    )
    return ex.Table(
        ("alternative", "regular expression", "what it cuts"), rows, code=("regular expression",), detail=True
    )


def cut_table(text: str, pattern: str, *, seconds: float = ex.TIMEOUT_SECONDS) -> ex.Table:
    """Return the pretokens of a text with the alternative that cut each.

    >>> cut_table("it's", "gpt2").rows
    (('it', 'letters'), ("'s", 'contraction'))
    """
    names = [alternative.name for alternative in ex.alternatives(pattern)]
    rows = tuple(
        (
            ex.text_with_visible_spaces(cut.pretoken),
            "no alternative matches" if cut.alternative is None else names[cut.alternative],
        )
        for cut in ex.pattern_cuts(text, pattern, timeout=seconds)
    )
    return ex.Table(("pretoken", "cut by"), rows, code=("pretoken",), detail=True)


@ex.recent(maxsize=64)
def pattern_outcome_and_blocks(pattern: str) -> tuple[str, tuple[ex.Block, ...]]:
    """Return what becomes of a pattern of your own, and what to show of it.

    >>> pattern_outcome_and_blocks("(a")[0], pattern_outcome_and_blocks("[a-z]+")[0]
    ('It is not a regular expression', 'It cuts the text')
    """
    try:
        ex.alternatives(pattern)
    except ValueError as e:
        return NO_REGEX, (ex.Plain(str(e)),)
    try:
        table = cut_table(SUBJECT, pattern, seconds=SECONDS)
    except ValueError as e:
        return NO_END, (ex.Plain(str(e)),)
    pieces = [str(pretoken).replace("␣", " ") for pretoken, _ in table.rows]
    return WORKS, (ex.Lines(ex.piece_line("your pretokens", pieces, "pretokens")), table)


def pattern_links(text: str, pattern: str) -> tuple[ex.Link, ...]:
    """Return the links for a text that a pattern cuts."""
    switches = ex.Link("Split patterns", text, pattern=pattern, label="Switch alternatives off and on")
    return ex.usual_links(text, switches)


def _pretoken_count_scene(text: str) -> ex.Scene:
    n = len(ex.pretokens(text, "gpt2"))
    return ex.Scene(
        ex.Number(
            "Into how many pretokens does **GPT-2**'s pattern cut this text? (Within 1 is close enough.)", n, near=1
        ),
        ex.Lines(*(pretoken_line(text, name) for name in NAMED)),
        cut_table(text, "gpt2"),
        explanation_table(text, "gpt2"),
        ex.Say(
            "A split pattern is a list of alternatives with `|` between them. They are tried in order, and the "
            "first that fits cuts a piece off. Then it starts over where that piece ends."
        ),
        links=pattern_links(text, "gpt2"),
    )


def _contractions_scene(text: str) -> ex.Scene:
    n = len(ex.pretokens(text, "gpt2"))
    return ex.Scene(
        ex.Say(f"GPT-4's pattern cuts this text into **{len(ex.pretokens(text, 'cl100k'))}** pretokens."),
        ex.Number("Into how many pretokens does **GPT-2**'s pattern cut this text?", n),
        ex.Lines(*(pretoken_line(text, name) for name in NAMED)),
        ex.Say(
            "GPT-2's pattern knows `'s`, `'ll` and so on in lower case only, and leaves a capital `'S` in two "
            "pieces. Those of Llama 3 and GPT-4 take small letters and capitals alike."
        ),
        ex.Say(
            "They do that with `(?i:…)`. GPT-4o's takes the whole word with its ending.",
            detail=True,
        ),
        links=pattern_links(text, "gpt2"),
    )


def _without_numbers_scene(text: str) -> ex.Scene:
    left = ex.pattern_cuts(text, "cl100k", off=(NUMBERS,))
    return ex.Scene(
        ex.Lines(pretoken_line(text, "cl100k", label="GPT-4, all alternatives")),
        ex.Say("Now take out `\\p{N}{1,3}`, the alternative that cuts numbers: it takes one to three digits."),
        ex.Number("How many pretokens are there without the alternative for numbers?", len(left)),
        ex.Lines(ex.piece_line("without the numbers", [cut.pretoken for cut in left], "pretokens")),
        ex.Say(
            "No other alternative matches digits, so digits in a row stay together as an unmatched pretoken. Some "
            "tokenizers just drop such text, and the text comes back with holes. Here nothing is ever lost."
        ),
        links=pattern_links(text, "cl100k"),
    )


def _own_pattern_scene(pattern: str) -> ex.Scene:
    what, shown = pattern_outcome_and_blocks(pattern)
    why = {
        WORKS: "Text that no alternative matches becomes a separate pretoken, so nothing is ever lost.",
        NO_REGEX: "The pattern cannot even be read. The message says where it goes wrong.",
        NO_END: "It can match the same letters in a great many ways, and tries them all before it gives up. Every "
        "further letter multiplies the work. tokviz stops it after a moment, and says so.",
    }
    return ex.Scene(
        ex.Plain(f"The text to cut: {SUBJECT}"),
        ex.Choice("What will happen?", (WORKS, NO_REGEX, NO_END), frozenset({what})),
        *shown,
        ex.Say(why[what]),
        links=() if what == NO_REGEX else pattern_links(SUBJECT, pattern),
    )


LESSON = ex.Lesson(
    slug="split-patterns",
    title="Split patterns",
    intro="Before any merge, a **regular expression** cuts the text into *pretokens*, and merges stay "
    "inside them. One line of symbols decides what can become a token at all.",
    cover=lambda: ex.token_line("cl100k_base", "LET'S 2024"),
    aim="read a split pattern, and say which tokens it allows",
    terms=("split pattern", "pretoken", "merge"),
    exercises=(
        ex.Exercise(
            "cut",
            "What cuts where",
            "A split pattern cuts a text into rough pieces, **pretokens**, before any merge. The space before a word "
            "goes with the word. Numbers and punctuation have rules of their own.",
            ("In 2024 it's 3 o'clock, isn't it?", "Hello,   world!!", "x = [1, 22, 4444]", "ราคา 1,250 บาท"),
            _pretoken_count_scene,
        ),
        ex.Exercise(
            "contractions",
            "IT'S in capitals",
            "*It is* becomes *it's*, and on a poster *IT'S*.",
            ("it's IT'S we'll WE'LL", "DON'T don't", "he'd HE'D they've THEY'VE"),
            _contractions_scene,
        ),
        ex.Exercise(
            "off",
            "Take an alternative out",
            "Every alternative has a job. What if one is missing?",
            ("Call 0812345678 at 9", "3221+2334=5555", "no digits here"),
            _without_numbers_scene,
        ),
        SUPERWORDS,
        ex.Exercise(
            "own",
            "Your own pattern",
            "Write a regular expression for Python's `regex` module, and predict what it does.",
            (r"\p{L}+|\p{N}+", r" ?[a-z]+|\d", r"(a|aa)+$", r"(a", r"\s"),
            _own_pattern_scene,
        ),
    ),
    takeaway="A split pattern is what somebody believed about text, mostly English text. A model cannot undo a bad "
    "cut; it can only learn to live with it.",
    more="A split pattern says what a word is, how long a number may be, and whether Thai vowels belong to their word. "
    "And a tokenizer must be used with the pattern it was trained with.",
    picture=lambda: ex.Lines(*(pretoken_line("IT'S 2024", name) for name in NAMED[:3])),
    claims={
        "A frequent phrase such as ` in the` is one token now": lambda: (
            PHRASE == " in the" and ex.n_tokens(ex.tokenizer_of_training(ACROSS), PHRASE) == 1
        ),
        "leaves a capital `'S` in two pieces": lambda: (
            ex.pretokens("IT'S", "gpt2") == ["IT", "'", "S"] and ex.pretokens("it's", "gpt2") == ["it", "'s"]
        ),
        "GPT-4o's takes the whole word with its ending": lambda: (
            ex.pretokens("IT'S", "o200k") == ["IT'S"] and ex.pretokens("IT'S", "cl100k") == ["IT", "'S"]
        ),
        "`\\p{N}{1,3}`, the alternative that cuts numbers": lambda: (
            ex.alternatives("cl100k")[NUMBERS].name == "numbers"
        ),
        "nothing is ever lost": lambda: (
            "".join(c.pretoken for c in ex.pattern_cuts("a 12", "cl100k", off=(NUMBERS,))) == "a 12"
        ),
    },
)
