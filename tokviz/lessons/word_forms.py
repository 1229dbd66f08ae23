"""The same word as many tokens: case, spaces, marks; and what a split pattern keeps from merging."""

from tokviz import exercises as ex

EGGS = "Egg\negg\n egg\nEGG\negg."
DOGS = "Dog?\nDog!\nDog."
STORY = "Dog? Dog! Dog. My dog. Is this your dog? No dog! A dog, a dog! Dog? Yes, dog. Dog! Good dog. Good dog! Dog?"
N_MERGES = 20


def _single_tokens_scene(text: str) -> ex.Scene:
    lines = text.splitlines()
    encoded = [ex.load("cl100k_base").encode(line) for line in lines]
    rows = tuple(
        (
            ex.text_with_visible_spaces(line),
            " | ".join(map(ex.text_with_visible_spaces, ex.token_texts_of("cl100k_base", line))),
            ", ".join(map(str, ids)),
        )
        for line, ids in zip(lines, encoded, strict=True)
    )
    return ex.Scene(
        ex.Number(
            "Treat each line as a separate text. How many are a **single token** in GPT-4?",
            sum(len(ids) == 1 for ids in encoded),
        ),
        ex.Table(("text", "tokens of GPT-4", "ids"), rows, code=("text", "tokens of GPT-4")),
        ex.Say(
            f"That makes {len(set(map(tuple, encoded)))} different lists of ids. Nothing in the numbers says that "
            "they belong together. A model has to learn that by reading, for each spelling separately."
        ),
        links=ex.usual_links(text, compared=ex.PRETRAINED),
    )


def _first_tokens_scene(text: str) -> ex.Scene:
    lines = text.splitlines()
    words = {ex.token_texts_of("cl100k_base", line)[0] for line in lines if line}
    return ex.Scene(
        ex.Number(
            "Treat each line as a separate text. How many **different** tokens of GPT-4 begin a line?",
            len(words),
        ),
        ex.Lines(*(ex.token_line("cl100k_base", line, label=f"line {n}", show_ids=True)
                   for n, line in enumerate(lines, 1))),
        ex.Say(
            "Before anything is merged, a **split pattern** cuts the text into pretokens, and no merge ever "
            "crosses such a cut. A word and the mark after it are two pretokens, so no token holds both."
        ),
        links=ex.usual_links(text),
    )  # fmt: skip


def _with_and_without_split_pattern_scene(text: str) -> ex.Scene:
    runs = {
        pattern: ex.Training(f"dogs, {label}", text, 256 + N_MERGES, pattern)
        for pattern, label in (("none", "no split pattern"), ("cl100k", "GPT-4's split pattern"))
    }
    learned = {
        pattern: [step.token_bytes.decode("utf-8", "replace") for step in ex.learned_steps_of_training(run)]
        for pattern, run in runs.items()
    }
    across = [token for token in learned["none"] if len(ex.pretokens(token, "cl100k")) > 1]
    return ex.Scene(
        ex.Say(
            f"Two tokenizers learn up to {N_MERGES} merges from this text: one with the split pattern of "
            "GPT-4, one without any, so that any two neighbours may merge."
        ),
        ex.Number(
            f"Of the {len(learned['none'])} tokens learned **without** a pattern, how many cross a cut of the pattern? "
            "(Within 3 is close enough.)",
            len(across),
            near=3,
        ),
        ex.Lines(
            ex.piece_line("learned without a split pattern", learned["none"], "tokens", apart=True),
            ex.piece_line("of these, across a cut", across, "tokens", apart=True),
            ex.piece_line("learned with the pattern", learned["cl100k"], "tokens", apart=True),
        ),
        ex.Lines(
            ex.token_line(ex.tokenizer_of_training(runs["none"]), text, label="the text, without"),
            ex.token_line(ex.tokenizer_of_training(runs["cl100k"]), text, label="the text, with"),
            detail=True,
        ),
        ex.Plain(
            "Without a pattern, many tokens mix words and marks and fit this text alone. With it, a word stays "
            "the same token whatever follows."
        ),
        links=(
            ex.Link("Train", text, training=runs["none"], label="Train it without a pattern"),
            ex.Link("Train", text, training=runs["cl100k"], label="Train it with the pattern"),
            ex.Link("Merges", text, step=0, training=runs["none"], label="Watch it merge without a pattern"),
            ex.Link("Compare", text, training=runs["none"], beside=(runs["cl100k"],), label="Compare the two"),
            ex.Link("Playground", text, training=runs["none"]),
        ),
    )


def _word_tokens_ending_in_a_mark() -> list[bytes]:
    ranks = ex.load("cl100k_base").mergeable_ranks
    return [token for token in ranks if token.endswith((b"?", b"!", b".")) and token[:-1].strip().isalpha()]


LESSON = ex.Lesson(
    slug="same-word",
    title="Same word, many tokens",
    intro="To you *Egg*, *egg* and *EGG* are the same word. A tokenizer sees only bytes, and in bytes they are three.",
    cover=lambda: ex.token_line("cl100k_base", "Egg egg EGG"),
    aim="name the ways in which one word becomes several tokens",
    terms=("split pattern", "pretoken", "token id"),
    exercises=(
        ex.Exercise(
            "eggs",
            "Five eggs",
            "At the start of a sentence, alone, after a space, shouted, and with a full stop.",
            (EGGS, "Hello\nhello\n hello\nHELLO\nhello,", "\n".join(["Apple", "apple", " apple", "APPLE", "apples"])),
            _single_tokens_scene,
        ),
        ex.Exercise(
            "dogs",
            "Dog? Dog! Dog.",
            "Punctuation often follows the word *dog*. Should `Dog?`, `Dog!` and `Dog.` each be a token?",
            (DOGS, "Cat?\nCat!\nCat.\nCat,"),
            _first_tokens_scene,
        ),
        ex.Exercise(
            "split",
            "The same text, with and without a split pattern",
            "What happens if nothing keeps words and punctuation apart?",
            (STORY, "To be, or not to be: that is the question. To be? Not to be! To be, to be, to be."),
            _with_and_without_split_pattern_scene,
        ),
    ),
    takeaway="Whatever a model learns about ` egg`, it does not yet know about `Egg` or `EGG`. Spellings that occur "
    "often give it enough to connect them; rare ones may not.",
    more="A rare spelling, such as a word in capitals, can make it a little less sure. Split patterns keep a word one "
    "token whatever mark follows it, so that a model has to learn about it only once.",
    picture=lambda: ex.Lines(
        *(ex.token_line("cl100k_base", form, label=form.strip()) for form in (" egg", "Egg", "EGG"))
    ),
    claims={
        "in bytes they are three": lambda: len({b"Egg", b"egg", b"EGG"}) == 3,
        "Whatever a model learns about ` egg`, it does not yet know about `Egg` or `EGG`": lambda: (
            len({tuple(ex.load("cl100k_base").encode(form)) for form in (" egg", "Egg", "EGG")}) == 3
        ),
        "A word and the mark after it are two pretokens, so no token holds both": lambda: (
            not _word_tokens_ending_in_a_mark()
        ),
        "Five eggs": lambda: len({tuple(ex.token_texts_of("cl100k_base", line)) for line in EGGS.splitlines()}) == 5,
        "keep a word one token whatever mark follows it": lambda: (
            {ex.token_texts_of("cl100k_base", line)[0] for line in DOGS.splitlines()} == {"Dog"}
        ),
    },
)  # fmt: skip
