"""Arithmetic: how tokenizers group digits, and what a space does to it."""

from itertools import pairwise, product

import regex

from tokviz import exercises as ex

NUMBER = regex.compile(r"\d+")
SPACED = regex.compile(r" ?([+\-*/=×÷]) ?")


def digit_groups_of_each_number(tokenizer: str, text: str) -> list[tuple[str, ...]]:
    """Return for each number in a text how the tokens group its digits, without spaces.

    >>> digit_groups_of_each_number("gpt2", "3221 + 2334")
    [('3', '221'), ('233', '4')]
    """
    cuts = ex.token_cut_offsets(tokenizer, text)
    groups = []
    for match in NUMBER.finditer(text):
        inner = sorted(cut for cut in cuts if match.start() < cut < match.end())
        bounds = [match.start(), *inner, match.end()]
        groups.append(tuple(text[a:b] for a, b in pairwise(bounds)))
    return groups


def digit_groups_counted_from_right(number: str) -> list[str]:
    """Return the digits of a number in threes counted from the right, as people group them.

    >>> digit_groups_counted_from_right("1234567")
    ['1', '234', '567']
    """
    first = len(number) % 3
    return [number[:first]] * bool(first) + [number[i : i + 3] for i in range(first, len(number), 3)]


def _alike_text(text: str) -> str:
    """Return in words whether GPT-2 cuts all numbers of a text alike.

    >>> _alike_text("3221+2334"), _alike_text("42")
    ('GPT-2 cuts these numbers differently', 'GPT-2 cuts the number')
    """
    groups = digit_groups_of_each_number("gpt2", text)
    if len(groups) < 2:
        return "GPT-2 cuts the number"
    return (
        f"GPT-2 cuts these numbers {'alike' if len({tuple(map(len, each)) for each in groups}) == 1 else 'differently'}"
    )


def _cuts_scene(text: str) -> ex.Scene:
    return ex.Scene(
        ex.Cuts("Where does **GPT-2** cut?", text, ex.token_cut_offsets("gpt2", text)),
        ex.pretrained_lines(text),
        ex.Say(
            f"{_alike_text(text)}, by what it often saw. GPT-4 and GPT-4o take at most three digits at a time, "
            "from the left."
        ),
        links=ex.usual_links(text, tokenizer="gpt2", compared=ex.PRETRAINED),
    )


def _spaced_signs_scene(text: str) -> ex.Scene:
    close, wide = SPACED.sub(r"\1", text), SPACED.sub(r" \1 ", text)
    both = list(zip(digit_groups_of_each_number("gpt2", close), digit_groups_of_each_number("gpt2", wide), strict=True))
    changed = [f"{''.join(a)} as {'|'.join(b)}, not {'|'.join(a)}" for a, b in both if a != b]
    lines = [
        ex.token_line(name, variant, label=f"{ex.short_name(name)}, {how}")
        for name in ("gpt2", "cl100k_base")
        for how, variant in (("without spaces", close), ("with spaces", wide))
    ]
    return ex.Scene(
        ex.Number(
            "Put spaces around every sign. How many of the numbers does **GPT-2** now cut differently?",
            len(changed),
        ),
        ex.Lines(*lines),
        ex.Plain(
            "With spaces, GPT-2 cuts " + ("; ".join(changed) if changed else "every number as before") + ".",
            detail=True,
        ),
        ex.Say(
            "In GPT-2 the space belongs to the number after it, so the same digits become different tokens. "
            "GPT-4 keeps the two apart: the digits stay as they were "
            f"({ex.n_tokens('cl100k_base', close)} tokens become {ex.n_tokens('cl100k_base', wide)})."
        ),
        links=ex.usual_links(wide, tokenizer="gpt2", compared=ex.PRETRAINED),
    )


def _long_number_scene(text: str) -> ex.Scene:
    people = [piece for number in NUMBER.findall(text) for piece in digit_groups_counted_from_right(number)]
    right = "in threes, from the left"
    learned = "in groups it saw often"
    people_words = "in threes, from the right"
    in_threes = ex.token_texts_of("cl100k_base", text) == [text[i : i + 3] for i in range(0, len(text), 3)]
    return ex.Scene(
        ex.Choice(
            "How does **GPT-4's tokenizer** group the digits of a long number?",
            (people_words, right, learned),
            frozenset({right}),
            {
                people_words: "it reads from the left, so the odd digits are left over at the end.",
                learned: "that is what GPT-2 does. GPT-4 takes threes, from the left.",
            },
        ),
        ex.Lines(
            *(ex.token_line(name, text) for name in ex.PRETRAINED), ex.piece_line("as people do", people, "groups")
        ),
        ex.Say(
            "GPT-4 and GPT-4o take at most three digits at a time, from the left."
            + ("" if in_threes else " The other characters of your text are separate tokens.")
        ),
        ex.Say(
            "This rule is written `\\p{N}{1,3}`; the lesson *Split patterns* explains it. GPT-2 takes all "
            "digits at once, and merges those that it often saw together.",
            detail=True,
        ),
        links=ex.usual_links(text, compared=ex.PRETRAINED),
    )


def _n_single_token_numbers(tokenizer: str, n_digits: int) -> int:
    numbers = ("".join(digits) for digits in product("0123456789", repeat=n_digits))
    return sum(ex.n_tokens(tokenizer, number) == 1 for number in numbers)


LESSON = ex.Lesson(
    slug="arithmetic",
    title="Arithmetic",
    intro="You add numbers by lining up ones, tens and hundreds. A tokenizer cuts the numbers before the model sees "
    "them, and it has never heard of tens.",
    cover=lambda: ex.token_line("cl100k_base", "1234567890"),
    aim="predict how a tokenizer cuts a number, and what that does to a sum",
    terms=("token", "split pattern"),
    exercises=(
        ex.Exercise(
            "cuts",
            "Where are the digits cut?",
            "Two numbers and their sum, all of the same length. Are they cut alike?",
            ("3221+2334=5555", "3221 + 2334 = 5555", "127+677=804", "127 + 677 = 804"),
            _cuts_scene,
        ),
        ex.Exercise(
            "spaces",
            "The same sum, with spaces",
            "To you `1+1` and `1 + 1` are the same. To a tokenizer they are not.",
            ("3221+2334=5555", "127+677=804"),
            _spaced_signs_scene,
        ),
        ex.Exercise(
            "long",
            "Long numbers",
            "You write 1,234,567,890: groups of three, counted from the right, so that thousands line up.",
            ("1234567890", "12345678901", "3141592653589793"),
            _long_number_scene,
        ),
    ),
    takeaway="To add 3221 and 677 a model has to know what each group of digits stands for, and the groups do not "
    "line up.",
    more="The model sees only ids. Numbers of different lengths end in groups of different lengths. Models "
    "learn to cope, but still make mistakes. Of the 1,000 numbers from 000 to 999, GPT-4 has a token for every "
    "one, and GPT-2 only for some. Ways out: group digits from the right, give every digit its own token, or let the "
    "model use a calculator.",
    picture=lambda: ex.Lines(
        *(ex.token_line("cl100k_base", number, label=number) for number in ("3221", "677", "3898"))
    ),
    claims={
        "In GPT-2 the space belongs to the number after it": lambda: (
            ex.token_texts_of("gpt2", "3221 + 2334") == ["3", "221", " +", " 233", "4"]
        ),
        "the digits stay as they were": lambda: (
            digit_groups_of_each_number("cl100k_base", "3221+2334=5555")
            == digit_groups_of_each_number("cl100k_base", "3221 + 2334 = 5555")
        ),
        "This rule is written `\\p{N}{1,3}`": lambda: all(
            r"\p{N}{1,3}" in ex.SPLIT_PATTERNS[name] for name in ("cl100k", "o200k")
        ),
        "To add 3221 and 677 a model has to know what each group of digits stands for": lambda: (
            digit_groups_of_each_number("cl100k_base", "3221+677") == [("322", "1"), ("677",)]
        ),
        "You write 1,234,567,890": lambda: digit_groups_counted_from_right("1234567890") == ["1", "234", "567", "890"],
        "Of the 1,000 numbers from 000 to 999, GPT-4 has a token for every one, and GPT-2 only for some": lambda: (
            0 < _n_single_token_numbers("gpt2", 3) < 1_000 == _n_single_token_numbers("cl100k_base", 3)
        ),
    },
)
