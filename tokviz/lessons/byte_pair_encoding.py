"""Byte pair encoding by hand: the learner chooses the pair, and any of the tied ones is right."""

from tokviz import exercises as ex

CLASSICAL = "aaabdaaabac"


def training_until_no_pair_repeats(text: str) -> ex.Training:
    """Return the training that the usual code does on a text until no pair occurs twice."""
    return ex.Training("by hand", text, 256 + len(text.encode()), "none", min_count=2)


def _line_after_merge(tokenizer: ex.Tokenizer, k: int, text: str) -> ex.Line:
    """Return a text after the first k merges of a tokenizer, with the last of these as its label."""
    pair = ex.token_texts_or_hex(tokenizer.merge_pair(k - 1) or ()) if k else []
    label = f"merge {k:,}: {ex.pair_text((pair[0], pair[1]))}" if pair else "the bytes"
    return ex.token_line(tokenizer.truncated(k), text, label=label)


def _gpt4_merges(text: str) -> ex.Lines:
    """Return a text before and after each merge that GPT-4 makes in it."""
    tokenizer = ex.load("cl100k_base")
    n_merges = {int(rank) + 1 for rank in ex.trace(tokenizer, text).gaps if rank >= 0}
    return ex.Lines(*(_line_after_merge(tokenizer, k, text) for k in (0, *sorted(n_merges))))


def _final_tokens_scene(text: str) -> ex.Scene:
    training = training_until_no_pair_repeats(text)
    tokenizer = ex.tokenizer_of_training(training)
    steps = ex.learned_steps_of_training(training)
    n = len(tokenizer.encode(text))
    return ex.Scene(
        ex.Number("The computer merges until no pair occurs twice. How many tokens are left at the end?", n),
        ex.Lines(
            *(
                _line_after_merge(tokenizer, k, text)
                for k in (range(len(steps) + 1) if len(steps) <= 6 else (0, 1, 2, 3, 4, len(steps)))
            )
        ),
        ex.Say(
            f"The text starts as {ex.quantity(len(text.encode()), 'token')}, one for each byte"
            + (": a letter or a space is one byte. " if text.isascii() else ". ")
            + f"After {ex.quantity(len(steps), 'merge')}, {n:,} {'is' if n == 1 else 'are'} left. When two pairs "
            "tie, the usual implementation takes the one that comes first in the text."
        ),
        links=(
            ex.Link("Merges", text, step=0, training=training, predicting=True, label="Predict every merge"),
            ex.Link("Train", text, training=training, label="Train it yourself"),
            ex.Link("Playground", text, training=training),
            ex.Link("Compare", text, training=training),
        ),
    )


LESSON = ex.Lesson(
    slug="by-hand",
    title="BPE by hand",
    intro="**Byte pair encoding**, BPE for short, is how a tokenizer learns its tokens: find the pair of neighbours "
    "that occurs most often, join it everywhere, and do it again. You can do that by hand.",
    cover=lambda: ex.token_line(ex.tokenizer_of_training(training_until_no_pair_repeats(CLASSICAL)), CLASSICAL),
    aim="learn merges from any short text with pen and paper",
    terms=("BPE", "merge", "pair count", "merge rank"),
    exercises=(
        ex.Exercise(
            "hand",
            "Choose the pair",
            "Which two neighbours occur side by side most often? Count every place, even where two places overlap: "
            "`aaa` holds `a` + `a` twice. If several pairs tie, any of them is right.",
            (CLASSICAL, "banana bandana", "low lower lowest"),
            _final_tokens_scene,
            by_hand=True,
        ),
        ex.Exercise(
            "end",
            "Where it ends",
            "Now the computer does the same with another text.",
            ("banana bandana", CLASSICAL, "she sells sea shells by the sea shore"),
            _final_tokens_scene,
        ),
    ),
    takeaway="GPT-4’s tokens were learned in just this way, with 100,000 merges. "
    "Nobody picked them: they are what occurred often.",
    more="Their training text was far longer, and was first cut into words and punctuation. The list of merges and "
    "the rule for the first cuts are the whole tokenizer. To cut a new text, it makes the same merges in the same "
    "order. In Python this is two short loops, one that counts pairs and one that joins them; they are in the "
    "module `tokviz.training.naive`.",
    picture=lambda: _gpt4_merges("word"),
    claims={
        "`aaa` holds `a` + `a` twice": lambda: ex.rounds_until_wrong_pair("aaa", [])[0].counts == {("a", "a"): 2},
        "If several pairs tie, any of them is right": lambda: (
            ex.rounds_until_wrong_pair(CLASSICAL, [("a", "a")])[-1].top_repeated_pairs == [("aa", "a"), ("a", "b")]
        ),
        "with 100,000 merges": lambda: len(ex.loaded_or_given_tokenizer("cl100k_base").merge_tokens) == 100_000,
    },
)  # fmt: skip
