"""White space: leading, double and trailing spaces, and the indentation of code."""

from tokviz import exercises as ex

CODE = 'for i in range(1, 101):\n    if i % 3 == 0:\n        print("Fizz")\n    else:\n        print(i)'
TABBED = CODE.replace("    ", "\t")


def token_counts_per_line(text: str, tokenizer: str) -> list[int]:
    """Return how many tokens begin in each line of a text; line ends belong to the line they end.

    >>> token_counts_per_line("if x:\\n    y", "gpt2")
    [4, 4]
    """
    spans = ex.token_line(tokenizer, text).spans
    counts, end = [], 0
    for line in text.splitlines(keepends=True):
        begin, end = end, end + len(line)
        counts.append(int(((spans.char_starts >= begin) & (spans.char_starts < end)).sum()))
    return counts


def _spaces_scene(text: str) -> ex.Scene:
    words = text.split()
    once = " ".join(words)
    labels = {once: "one space", "  ".join(words): "two spaces"} if len(words) > 1 else {}
    labels |= {once + " ": "a space at the end"}
    return ex.Scene(
        ex.Number("How many tokens does **GPT-4** make of this text?", ex.n_tokens("cl100k_base", text)),
        ex.Lines(
            *(
                ex.token_line("cl100k_base", each, label=label)
                for each, label in (labels | {text: labels.get(text, "this text")}).items()
            )
        ),
        ex.Say(
            "A single space before a word is part of its token: the dot. Of several spaces only the last belongs "
            "to the word. A space at the end is a separate token."
        ),
        ex.Lines(*ex.pretrained_lines(text, show_ids=True).lines, detail=True),
        links=ex.usual_links(text, compared=ex.PRETRAINED),
    )


def _code_scene(text: str) -> ex.Scene:
    counts = {name: token_counts_per_line(text, name) for name in ex.PRETRAINED}
    n_gpt2 = sum(counts["gpt2"])
    lines = text.splitlines()
    return ex.Scene(
        ex.Number(
            f"This code has **{sum(counts['cl100k_base'])}** tokens in GPT-4. How many in **GPT-2**? "
            "(Within a tenth is close enough.)",
            n_gpt2,
            near=max(1, n_gpt2 // 10),
        ),
        ex.Table(
            ("line", *map(ex.short_name, ex.PRETRAINED)),
            tuple(
                (line.replace("\t", "→   ").replace(" ", "·"), *numbers)
                for line, *numbers in zip(lines, *counts.values(), strict=True)
            ),
            code=("line",),
            detail=True,
        ),
        ex.Lines(ex.token_line("gpt2", text), ex.token_line("cl100k_base", text)),
        ex.Say(
            "GPT-2 has no token for several spaces, so every space of an indentation but the last costs one. "
            "GPT-4 has tokens for many spaces."
            if "    " in text
            else "Without rows of spaces, the two differ less."
        ),
        links=ex.usual_links(text, tokenizer="gpt2", compared=ex.PRETRAINED),
    )


def _trailing_space_scene(text: str) -> ex.Scene:
    start, _, word = text.rstrip().rpartition(" ")
    tokenizer = ex.load("cl100k_base")
    whole = tokenizer.encode(text.rstrip())
    with_space = tokenizer.encode(start + " ") + tokenizer.encode(word)
    same = with_space == whole
    return ex.Scene(
        ex.Plain(f"The prompt is “{start} ”, with a space at its end. The model continues with “{word}”."),
        ex.yes_or_no_question(
            "Are the ids of prompt and answer together the same as those of the whole sentence?",
            same,
            "Yes, the same ids",
            "No, different ids",
        ),
        ex.Lines(
            ex.token_line("cl100k_base", text.rstrip(), label="whole sentence", show_ids=True),
            ex.token_line("cl100k_base", start + " ", label="prompt", show_ids=True),
            ex.token_line("cl100k_base", word, label="answer", show_ids=True),
        ),
        ex.Lines(
            ex.piece_line("in training", ex.token_texts_or_hex(tokenizer.tokens_bytes(whole)), "tokens"),
            ex.piece_line("after this prompt", ex.token_texts_or_hex(tokenizer.tokens_bytes(with_space)), "tokens"),
        ),
        ex.Plain(
            "Here both are the same, so the space does no harm."
            if same
            else f"The model has hardly ever seen a lone space and then “{word}”, so it continues worse. Leave the "
            "space out: the model then writes it as part of its first token."
        ),
        links=ex.usual_links(
            start + " ",
            ex.Link("Playground", start + " ", label="The prompt with its space"),
            ex.Link("Playground", text.rstrip(), label="The whole sentence"),
            ex.Link("Seams", start + " ", label="Which tokens can still change, on Seams"),
        ),
    )


def _space_run_lengths(tokenizer: str) -> set[int]:
    return {len(token) for token in ex.load(tokenizer).mergeable_ranks if set(token) == {32}}


LESSON = ex.Lesson(
    slug="whitespace",
    title="White space",
    intro="You hardly notice spaces. To a tokenizer they are characters like any other, and they change the tokens "
    "around them.",
    cover=lambda: ex.token_line("cl100k_base", "hi   there "),
    aim="explain where spaces go, and why a prompt should not end in one",
    terms=("token", "token id"),
    exercises=(
        ex.Exercise(
            "spaces",
            "One space, two spaces, a space at the end",
            "Look closely, and try the other texts: they differ only in their spaces.",
            ("hello  world", "hello world", " hello world", "hello world ", "hello     world"),
            _spaces_scene,
        ),
        ex.Exercise(
            "code",
            "Indented code",
            "Python code is indented with spaces, four for each level.",
            (CODE, TABBED),
            _code_scene,
        ),
        ex.Exercise(
            "end",
            "A space at the end of a prompt",
            "Your prompt is cut into tokens before the model writes a single word.",
            ("The capital of France is Paris", "Once upon a time", "Roses are red, violets are blue"),
            _trailing_space_scene,
        ),
    ),
    takeaway="Do not end a prompt with a space. And the tokenizer decides how much code a model can read at once: "
    "GPT-2 has no token for several spaces.",
    more="After a space at the end, a model would have to continue from something it has hardly ever seen. In code, "
    "GPT-2 has no token of two spaces or more, GPT-4 has them up to 128. And tabs and spaces may look alike, but "
    "their ids differ, so text that you copied can behave differently from text that you typed.",
    picture=lambda: ex.pretrained_lines("        return x"),
    claims={
        "GPT-2 has no token of two spaces or more, GPT-4 has them up to 128": lambda: (
            _space_run_lengths("gpt2") == {1} and max(_space_run_lengths("cl100k_base")) == 128
        ),
        "Of several spaces only the last belongs to the word": lambda: all(
            ex.token_texts_of(name, "hello  world") == ["hello", " ", " world"] for name in ex.PRETRAINED
        ),
        "A space at the end is a separate token": lambda: all(
            ex.token_texts_of(name, "hello world ")[-1] == " " for name in ex.PRETRAINED
        ),
        "GPT-2 has no token for several spaces": lambda: _space_run_lengths("gpt2") == {1},
    },
)
