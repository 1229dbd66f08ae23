"""The exercise on superwords: the same number of merges inside words, and partly across them."""

from tokviz import exercises as ex

N_MERGES, N_INSIDE = 340, 238  # all merges, and how many superwords make inside words first
WORDS = ex.Training("inside words", ex.sample("english"), 256 + N_MERGES, "gpt2")
ACROSS = ex.Training("superwords", ex.sample("english"), 256 + N_MERGES, "gpt2", superwords_from=256 + N_INSIDE)
PHRASE = " in the"


def _superwords_scene(text: str) -> ex.Scene:
    words, across = map(ex.tokenizer_of_training, (WORDS, ACROSS))
    return ex.Scene(
        ex.Say(
            f"A tokenizer learned **{N_MERGES}** merges from the English sample, all inside words, and makes "
            f"**{ex.n_tokens(words, text)}** tokens of this text. Another learned {N_INSIDE} merges inside words "
            f"and {N_MERGES - N_INSIDE} across them."
        ),
        ex.Number(
            "How many tokens does the second tokenizer make of this text? (Within 1 is close enough.)",
            ex.n_tokens(across, text),
            near=1,
        ),
        ex.Lines(ex.token_line(words, text), ex.token_line(across, text)),
        ex.Table(("text", *(f"tokens, {each.name}" for each in (words, across)), "change"), _token_count_rows(text)),
        ex.Say(
            f"A frequent phrase such as `{PHRASE}` is one token now, at the price of {N_MERGES - N_INSIDE} merges "
            "that would have made rarer words whole."
        ),
        ex.Say("So a text like the sample gets shorter, and one with none of its phrases may get longer.", detail=True),
        links=(
            ex.Link("Merges", text, step=N_INSIDE, training=ACROSS, label="Watch the merges across words"),
            ex.Link("Compare", text, training=ACROSS, beside=(WORDS,), label="Compare the two"),
            ex.Link("Playground", text, training=ACROSS, label="Type with superwords"),
            ex.Link("Train", ex.sample("english"), training=ACROSS, label="Train it yourself"),
        ),
    )


def _token_count_rows(text: str) -> tuple[tuple[object, ...], ...]:
    """Return the tokens of a text, and of the sample, inside words and with superwords."""
    rows = []
    for label, each in (("this one", text), ("the sample", ex.sample("english"))):
        inside, across = (ex.n_tokens(ex.tokenizer_of_training(one), each) for one in (WORDS, ACROSS))
        change = f"{across / inside - 1:+.0%}".replace("-", "−") if across != inside else "none"
        rows.append((label, inside, across, change))
    return tuple(rows)


SUPERWORDS = ex.Exercise(
    "superwords",
    "Across the cuts",
    "With the usual patterns a pretoken ends with its word. SuperBPE begins that way, then continues with a pattern "
    "that leaves words together, so that tokens can hold several: *superwords*.",
    (
        "She says that the oven is in the street, and on the way to the door.",
        "In the morning, her daughter waits for the bread and for the first customer.",
        "Carpenters fixed my bicycle yesterday.",
    ),
    _superwords_scene,
)
