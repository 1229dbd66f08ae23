"""What a token is: characters, bytes, words and subwords; vocabulary size against sequence length."""

from tokviz import exercises as ex

SENTENCE = "I can't believe it's a top-of-the-range tokenizer."
FIRST_MERGES = 1_000
PUNCTUATION = "“”‘’.,:;?!()"
SPACYS_RULES = "These rules are from spaCy, a program that takes sentences apart."
OUR_RULES = "These are a few simple rules."


def token_counts_by_vocabulary_size(text: str, merges: tuple[int, ...]) -> dict[int, int]:
    """Return how many tokens a text has under cl100k_base cut to its first merges, by the size of the vocabulary.

    >>> token_counts_by_vocabulary_size("hello", (0, 100_000))
    {256: 5, 100256: 1}
    """
    history = ex.trace(ex.load("cl100k_base"), text)
    return {256 + k: len(history.tokens_at(k)) for k in merges}


def _units_scene(text: str) -> ex.Scene:
    words = text.split()
    return ex.Scene(
        ex.Number(
            "How many **tokens** does GPT-4's tokenizer make of this text? (Within 2 is close enough.)",
            ex.n_tokens("cl100k_base", text),
            near=2,
        ),
        ex.Lines(ex.token_line("cl100k_base", text, label="tokens of GPT-4", show_ids=True)),
        ex.Say("The numbers below the tokens are the ids, all that a model ever sees."),
        ex.Lines(
            ex.piece_line("words, cut at spaces", words, "words", apart=True),
            ex.piece_line("characters", list(text), "characters"),
        ),
        ex.Say(
            f"The same text is {len(text):,} characters, {ex.quantity(len(words), 'word')} or "
            f"{ex.n_tokens('cl100k_base', text):,} tokens. A computer stores it in {len(text.encode()):,} bytes."
        ),
        links=ex.usual_links(text),
    )


def _word_rules_scene(text: str) -> ex.Scene:
    pieces = {name: rule(text) for name, rule in ex.WORD_RULES.items()}
    rows = [
        (name, len(found), len(set(found)), len({word.lower() for word in found})) for name, found in pieces.items()
    ]
    n_columns = 3 + any(distinct != ignoring_case for *_, distinct, ignoring_case in rows)
    bare = {word: word.strip(PUNCTUATION) for word in text.split()}
    glued = [f"“{word}” is not the word “{rest}”. " for word, rest in bare.items() if rest not in ("", word)]
    return ex.Scene(
        ex.best_figure_question(
            "Which rule gives the most pieces?", {name: len(found) for name, found in pieces.items()}, max
        ),
        ex.Lines(*(ex.piece_line(name, found, apart=True) for name, found in pieces.items())),
        ex.Table(
            ("rule", "pieces", "distinct pieces", "ignoring case")[:n_columns],
            tuple(row[:n_columns] for row in rows),
        ),
        *(ex.Plain(f"Cut at white space, and punctuation sticks to words: {each}") for each in glued[-1:]),
        ex.Say(
            "Set all punctuation apart, and `can't` becomes `can ' t`. Rules written by people make it `ca n't`, "
            "but every language needs its own."
        ),
        ex.Say(
            "The rules for English also make `cannot` into `can not`, keep `U.S.` whole, and cut "
            f"`state-of-the-art` at its hyphens. {SPACYS_RULES if ex.can_use_spacy() else OUR_RULES}",
            detail=True,
        ),
        links=ex.usual_links(text),
    )


def _vocabulary_size_scene(text: str) -> ex.Scene:
    n_tokens = token_counts_by_vocabulary_size(text, (0, 100, FIRST_MERGES, 10_000, 100_000))
    answer = n_tokens[256 + FIRST_MERGES]
    return ex.Scene(
        ex.Say(
            "The shortest vocabulary has a token for each of the 256 bytes that a computer can store, and no "
            f"other: then this text is **{n_tokens[256]}** tokens long. With all {100_256:,} tokens of GPT-4's, "
            f"it is **{n_tokens[100_256]}** long."
        ),
        ex.Number(
            f"How many tokens long is the text with the 256 bytes and {FIRST_MERGES:,} longer tokens? (Within a tenth "
            "is close enough.)",
            answer,
            near=max(2, answer // 10),
        ),
        ex.Table(
            ("longer tokens known", "tokens in the text"),
            tuple((size - 256, n) for size, n in n_tokens.items()),
            asked=FIRST_MERGES,
        ),
        ex.Say(
            "The first longer tokens save the most, later ones little. And each has its price: a model keeps a "
            "row of numbers for every token it knows."
        ),
        links=ex.usual_links(
            text,
            ex.Link("Merges", text, step=FIRST_MERGES, label=f"The text with {FIRST_MERGES:,} longer tokens"),
        ),
    )


def _unknown_words_scene(text: str) -> ex.Scene:
    words = ex.words_with_unknown_replaced(text)
    back = ex.load("cl100k_base").decode(ex.load("cl100k_base").encode(text))
    return ex.Scene(
        ex.Say(
            "A tokenizer that knows only whole words has read one page, about a bakery: "
            f"{len(ex.english_sample_words()):,} different words and marks, such as *baker*, *dough*, *hot* and "
            "the full stop, all in lower case. It writes *The* as *the*, and any word it does not know as "
            "`[UNK]`, which means “unknown”."
        ),
        ex.Number("How many words of this text does this tokenizer not know?", words.count(ex.UNKNOWN)),
        ex.Lines(ex.piece_line("whole words only", words, apart=True), ex.token_line("cl100k_base", text)),
        ex.Plain(f"GPT-4 cuts a new word into pieces it knows, and can give the text back: {back}"),
        links=ex.usual_links(text),
    )


LESSON = ex.Lesson(
    slug="token",
    title="What is a token?",
    intro="A language model does not read letters. First a **tokenizer** cuts the text into pieces, the **tokens**, "
    "and swaps each piece for a number, its *id*.",
    cover=lambda: ex.token_line("cl100k_base", "tokenization"),
    aim="explain what a tokenizer does to a text, and why its tokens are neither letters nor words",
    terms=("token", "token id", "tokenizer", "vocabulary"),
    live_text="How many r's are in strawberry?",
    exercises=(
        ex.Exercise(
            "units",
            "One sentence, cut in three ways",
            "You can cut a text into characters, into words, or into tokens.",
            (SENTENCE, "unbelievable", "ฉันชอบเรียนภาษาไทย", "我喜欢学习中文。"),
            _units_scene,
        ),
        ex.Exercise(
            "words",
            "What is a word?",
            "Here are three ways to find the words of a text: cut at **white space**; cut there and set every "
            "**punctuation** mark **apart**; or follow **rules** for English, which know *can't*, *cannot* and *U.S.*",
            (
                "We can't afford a state-of-the-art tokenizer.",
                "The dog doesn't see THE other dog. It's a well-known story, isn't it?",
                "“Nobody’s sure,” said Dr. Kerr, “but in the U.S. they cannot pay before 5 p.m.”",
            ),
            _word_rules_scene,
        ),
        ex.Exercise(
            "trade",
            "More tokens to know, or more tokens to read?",
            "The **vocabulary** is the list of all tokens that a tokenizer knows. With a short list, a text becomes "
            "many short tokens; with a long list, fewer and longer ones.",
            ("The weather was so beautiful that nobody wanted to go home before the evening.", SENTENCE),
            _vocabulary_size_scene,
        ),
        ex.Exercise(
            "unknown",
            "A word nobody has seen",
            "New words turn up every day: names, typos, other languages.",
            ("The baker googled a sourdough selfie.", "Every morning the oven is hot.", "ขนมปัง is bread."),
            _unknown_words_scene,
        ),
    ),
    takeaway="There are always new words, and single bytes make every text long. Tokens are in between: frequent "
    "words are one token, rare ones a few, and nothing is ever unknown.",
    more="A model writes one token at a time, so the vocabulary is its alphabet. If tokens were whole words, the "
    "alphabet would never be finished, and some words would still be unknown. If they were single bytes, long texts "
    "would cost even more time and memory.",
    picture=lambda: _unknown_words_scene("The baker googled a sourdough selfie.").reveal[0],
    claims={
        "make it `ca n't`": lambda: ex.words_by_spacy_or_few_rules("can't") == ["ca", "n't"],
        "make `cannot` into `can not`": lambda: ex.words_by_spacy_or_few_rules("cannot") == ["can", "not"],
        "keep `U.S.` whole": lambda: ex.words_by_spacy_or_few_rules("the U.S., too") == ["the", "U.S.", ",", "too"],
        "`state-of-the-art` at its hyphens": lambda: len(ex.words_by_spacy_or_few_rules("state-of-the-art")) == 7,
        "such as *baker*, *dough*, *hot* and the full stop": lambda: (
            {"baker", "dough", "hot", "."} <= ex.english_sample_words()
        ),
        "It writes *The* as *the*": lambda: ex.words_with_unknown_replaced("The") == ["the"],
        "frequent words are one token": lambda: ex.n_tokens("cl100k_base", " morning") == 1,
        "rare ones a few": lambda: 1 < ex.n_tokens("cl100k_base", " sourdough") < len("sourdough"),
    },
)
