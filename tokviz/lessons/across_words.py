"""The exercise on superwords: the same number of merges inside words, and partly across them."""

from tokviz.exercises import (
    Exercise,
    Lines,
    Link,
    Number,
    Say,
    Scene,
    Table,
    Target,
    Training,
    n_tokens,
    sample,
    token_line,
    tokenizer_of_training,
)

N_MERGES, N_INSIDE = 340, 238  # all merges, and those of superwords that stay inside words
WORDS = Training("inside words", sample("english"), 256 + N_MERGES, "gpt2")
ACROSS = Training("superwords", sample("english"), 256 + N_MERGES, "gpt2", superwords_from=256 + N_INSIDE)
PHRASE = " in the"


def _across(text: str) -> Scene:
    words, across = map(tokenizer_of_training, (WORDS, ACROSS))
    return Scene(
        before=(
            Say(
                f"A tokenizer learned **{N_MERGES}** merges from the English sample, all inside words, and makes "
                f"**{n_tokens(words, text)}** tokens of this text. Another one learned {N_INSIDE} merges inside words, "
                f"and the other {N_MERGES - N_INSIDE} across them."
            ),
        ),
        question=Number(
            "How many tokens does the other one make of it? (Within 1 is close enough.)", n_tokens(across, text), near=1
        ),
        reveal=(
            Lines(token_line(words, text), token_line(across, text)),
            Table(("text", *(f"tokens, {each.name}" for each in (words, across)), "change"), _rows(text)),
            Say(
                f"A frequent phrase such as `{PHRASE}` is one token now, at the price of {N_MERGES - N_INSIDE} merges "
                "that would have made rarer words whole. So a text like the sample gets shorter, and one that has none "
                "of its phrases may get longer."
            ),
        ),
        links=(
            Link(Target.MERGES, text, step=N_INSIDE, training=ACROSS, label="Watch the merges across words"),
            Link(Target.COMPARE, text, training=ACROSS, beside=(WORDS,), label="Compare the two"),
            Link(Target.PLAYGROUND, text, training=ACROSS, label="Type with superwords"),
            Link(Target.TRAIN, sample("english"), training=ACROSS, label="Train it yourself"),
        ),
    )


def _rows(text: str) -> tuple[tuple[object, ...], ...]:
    """Return the tokens of a text, and of the sample, inside words and with superwords."""
    rows = []
    for label, each in (("this one", text), ("the sample", sample("english"))):
        inside, across = (n_tokens(tokenizer_of_training(one), each) for one in (WORDS, ACROSS))
        rows.append(
            (label, inside, across, f"{across / inside - 1:+.0%}".replace("-", "−") if across != inside else "none")
        )
    return tuple(rows)


SUPERWORDS = Exercise(
    "superwords",
    "Across the cuts",
    "With the usual patterns a pretoken ends with its word. SuperBPE learns that way at first, and then goes on with a "
    "pattern that leaves words together, so that tokens can hold several: *superwords*.",
    (
        "She says that the oven is in the street, and on the way to the door.",
        "In the morning, her daughter waits for the bread and for the first customer.",
        "Carpenters fixed my bicycle yesterday.",
    ),
    _across,
)
