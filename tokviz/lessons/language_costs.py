"""Exercises on the three reasons why a language costs more tokens: each changes one thing, and leaves the rest."""

from tokviz import exercises as ex

N_MERGES = 300
SHARE = 1_400  # bytes: one part of a mix; three of them are what the English sample has
PATTERN = "o200k"  # the one whose letters include combining marks


def sample_start(name: str, n_bytes: int) -> str:
    """Return the beginning of a sample: whole characters, at most `n_bytes` bytes.

    >>> len(sample_start("thai", 100).encode())
    98
    """
    return ex.sample(name).encode()[:n_bytes].decode("utf-8", "ignore")


def trainings_on_mixes() -> dict[str, ex.Training]:
    """Return trainings on texts of equal size that differ only in their languages."""
    whole = 3 * SHARE
    texts = {
        "English only": sample_start("english", whole),
        "English and Thai, 2 : 1": sample_start("english", 2 * SHARE) + "\n" + sample_start("thai", SHARE),
        "Thai only": sample_start("thai", whole),
    }
    return {name: ex.Training(name, text, 256 + N_MERGES, PATTERN) for name, text in texts.items()}


def bytes_scene(text: str) -> ex.Scene:
    """Return the first reason: how many bytes a character takes before any merge."""
    first = next((line for line in text.splitlines() if line.strip()), text)
    return ex.Scene(
        ex.Say(f"The first line has **{len(first)}** characters."),
        ex.Number("How many **bytes** does the first line have in UTF-8?", len(first.encode())),
        ex.Table(
            ("text", "characters", "bytes", "bytes per character"),
            tuple(
                (line, len(line), len(line.encode()), round(len(line.encode()) / len(line), 2))
                for line in text.splitlines()
                if line
            ),
            asked=first,
        ),
        ex.Say(
            "A tokenizer starts from bytes, so Thai and Chinese text begins with three per character, English with "
            "one. Two merges make a single Thai letter one token."
        ),
        links=ex.usual_links(
            text,
            ex.Link("Merges", text, "gpt2", step=0, label="The bytes, before any merge"),
            tokenizer="gpt2",
        ),
    )


def patterns_scene(text: str) -> ex.Scene:
    """Return the second reason: the same training under two split patterns."""
    trained = {
        pattern: ex.Training(f"Thai, pattern {pattern}", ex.sample("thai"), 256 + N_MERGES, pattern)
        for pattern in ("cl100k", PATTERN)
    }
    cut = {pattern: ex.pretokens(text, pattern) for pattern in trained}
    lengths = {pattern: len(ex.tokenizer_of_training(run).encode(text)) for pattern, run in trained.items()}
    return ex.Scene(
        ex.Say(
            "Before merging, a split pattern cuts the text into rough pieces, **pretokens**, and no merge joins "
            "two of them. GPT-4o's pattern leaves marks with their letters: it cuts this text into "
            f"**{ex.quantity(len(cut[PATTERN]), 'pretoken')}**."
        ),
        ex.Number(
            "GPT-4's pattern cuts where a mark follows a letter. Into how many pretokens does it cut this text? "
            "(Within a fifth is close enough.)",
            len(cut["cl100k"]),
            near=len(cut["cl100k"]) // 5,
        ),
        ex.Lines(
            *(
                ex.piece_line(f"{ex.first_user(pattern)}'s pretokens", found, "pretokens")
                for pattern, found in cut.items()
            )
        ),
        ex.Say(
            "Thai tone marks, and vowels above and below a letter, are not letters in Unicode but *combining "
            "marks*. GPT-4's pattern stops where one follows a letter, and the mark begins the next piece. No "
            "merge can join the two."
        ),
        ex.Say(
            "In a pattern a letter is `\\p{L}` and a mark `\\p{M}`. "
            f"We trained two tokenizers on the same Thai text, with {N_MERGES} merges each. With GPT-4's "
            f"pattern this text has **{lengths['cl100k']}** tokens, with GPT-4o's **{lengths[PATTERN]}**.",
            detail=True,
        ),
        links=(
            ex.Link("Compare", text, training=trained["cl100k"], beside=(trained[PATTERN],),
                    label="Compare the two"),
            ex.Link("Playground", text, training=trained["cl100k"], label="Trained with GPT-4's pattern"),
            ex.Link("Playground", text, training=trained[PATTERN], label="With GPT-4o's"),
            ex.Link("Merges", text, step=0, training=trained[PATTERN], label="Watch GPT-4o's merge"),
            ex.Link("Train", ex.sample("thai"), training=trained[PATTERN], label="Train it yourself"),
        ),
    )  # fmt: skip


def language_mix_scene(text: str) -> ex.Scene:
    """Return the third reason: the same training on texts that differ only in their languages."""
    runs = trainings_on_mixes()
    trained = {name: ex.tokenizer_of_training(run) for name, run in runs.items()}
    lines = [line for line in text.splitlines() if line.strip()]
    totals = {name: sum(len(tokenizer.encode(line)) for line in lines) for name, tokenizer in trained.items()}
    return ex.Scene(
        ex.Say(
            f"Here are three tokenizers with {N_MERGES} merges each, the same split pattern, and training texts of "
            "the same size. Only the languages of these texts differ."
        ),
        ex.best_figure_question(
            "Which tokenizer needs the fewest tokens for all these lines together?", totals, min),
        ex.Table(
            ("text", *trained),
            (
                *((line, *(len(tokenizer.encode(line)) for tokenizer in trained.values())) for line in lines),
                ("together", *totals.values()),
            ),
            asked="together",
        ),
        ex.Say(
            "A vocabulary has limited room, which the languages share. Text that is rare in the training text "
            "stays in small pieces. A mix serves both languages, each slightly less well."
        ),
        links=(
            ex.Link("Compare", text, training=runs["English only"], beside=tuple(runs.values())[1:],
                    label="Compare the three"),
            *(ex.Link("Playground", text, training=run, label=name) for name, run in runs.items()),
            ex.Link("Merges", text, step=0, training=runs["Thai only"], label="Watch “Thai only” merge"),
            ex.Link("Train", runs["Thai only"].text, training=runs["Thai only"], label="Train on Thai"),
        ),
    )  # fmt: skip
