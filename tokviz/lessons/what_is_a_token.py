"""Lesson 1, what a token is: characters, bytes, words and subwords; vocabulary size against sequence length."""

from tokviz.analysis.word_rules import UNKNOWN, WORD_RULES, has_spacy, known_words, with_unknown, words_by_rules
from tokviz.core.trace import trace
from tokviz.exercises.lesson import (
    Choice,
    Claim,
    Exercise,
    Lesson,
    Lines,
    Link,
    Number,
    Plain,
    Say,
    Scene,
    Table,
    usual_links,
)
from tokviz.exercises.lines import n_tokens, piece_line, token_line
from tokviz.formats.pretrained import load

SENTENCE = "I can't believe it's a state-of-the-art tokenizer, and I don't mind."
FIRST_MERGES = 1_000
SPACYS_RULES = "The rules used here are those of spaCy, a library for language processing."
OUR_RULES = "The rules used here are a few of our own; after `pip install spacy`, they are that library's many rules."


def one_hot_table(text: str, merges: tuple[int, ...]) -> Table:
    """Return what a text costs under cl100k_base cut to its first merges: length, width, and numbers in all.

    >>> one_hot_table("hello", (0,)).rows
    ((256, 5, 256, 1280),)
    """
    history = trace(load("cl100k_base"), text)
    lengths = [len(history.tokens_at(k)) for k in merges]
    return Table(
        ("vocabulary", "tokens in the text", "width of one vector", "numbers in all"),
        tuple((256 + k, n, 256 + k, n * (256 + k)) for k, n in zip(merges, lengths, strict=True)),
    )


def _units(text: str) -> Scene:
    words = text.split()
    return Scene(
        question=Number(
            "How many **tokens** does cl100k_base, the tokenizer of GPT-4, make of it? (Within 2 counts as right.)",
            n_tokens("cl100k_base", text),
            near=2,
        ),
        reveal=(
            Lines(
                (
                    piece_line("characters", list(text), "characters"),
                    piece_line("words, cut at spaces", words, "words"),
                    token_line("cl100k_base", text, label="tokens of cl100k_base", show_ids=True),
                )
            ),
            Say(
                f"The same text is {len(text.encode()):,} bytes, {len(text):,} characters, "
                f"{len(words):,} {'word' if len(words) == 1 else 'words'} or {n_tokens('cl100k_base', text):,} tokens. "
                "The numbers below the tokens are their ids, and the ids are all that a model is given."
            ),
        ),
        links=usual_links(text),
    )


def _words(text: str) -> Scene:
    pieces = {name: rule(text) for name, rule in WORD_RULES.items()}
    most = max(map(len, pieces.values()))
    return Scene(
        question=Choice(
            "Which rule makes the most words of it?",
            tuple(pieces),
            frozenset(name for name, found in pieces.items() if len(found) == most),
        ),
        reveal=(
            Lines(tuple(piece_line(name, found, "words") for name, found in pieces.items())),
            Table(
                ("rule", "words", "different words", "different in lower case"),
                tuple(
                    (name, len(found), len(set(found)), len({word.lower() for word in found}))
                    for name, found in pieces.items()
                ),
            ),
            Say(
                "Cutting at white space leaves `mind.` and `mind` two words. Cutting at every mark turns `can't` into "
                "`can ' t`. Rules written by hand turn it into `ca n't` and `cannot` into `can not`, keep `U.S.` "
                "whole, and cut `state-of-the-art` at its hyphens, though others keep it whole; and each language "
                "needs rules of its own. "
                f"{SPACYS_RULES if has_spacy() else OUR_RULES} "
                "Lower case makes the vocabulary smaller, but loses what capitals say."
            ),
        ),
        links=usual_links(text),
    )


def _trade(text: str) -> Scene:
    table = one_hot_table(text, (0, 100, FIRST_MERGES, 10_000, 100_000))
    lengths = {row[0]: row[1] for row in table.rows}
    answer = lengths[256 + FIRST_MERGES]
    return Scene(
        before=(
            Say(
                f"With a vocabulary of the 256 bytes alone, this text has **{lengths[256]}** tokens; with all "
                f"{100_256:,} of cl100k_base, **{lengths[100_256]}**."
            ),
        ),
        question=Number(
            f"How many with the bytes and the first {FIRST_MERGES:,} merges, a vocabulary of {256 + FIRST_MERGES:,}? "
            "(Within a tenth counts as right.)",
            answer,
            near=max(2, answer // 10),
        ),
        reveal=(
            table,
            Say(
                "The first merges shorten a text most; later, even ten times the vocabulary saves less and less. "
                "And each token is a choice among all entries: a one-hot vector, with a place for each entry, a "
                "single 1 and zeros elsewhere, is as wide as the vocabulary. So models look up a short row of "
                "numbers instead; but the table of rows grows with the vocabulary."
            ),
        ),
        links=usual_links(
            text, first=[Link("merges", text, step=FIRST_MERGES, label=f"The text after {FIRST_MERGES:,} merges")]
        ),
    )


def _unknown(text: str) -> Scene:
    words = with_unknown(text)
    back = load("cl100k_base").decode(load("cl100k_base").encode(text))
    return Scene(
        before=(
            Say(
                f"A tokenizer of words has learned the English sample of this app: {len(known_words()):,} different "
                "words, in lower case. It can only replace any other word by `[UNK]`, “unknown”."
            ),
        ),
        question=Number("How many words of this text will be `[UNK]`?", words.count(UNKNOWN)),
        reveal=(
            Lines((piece_line("a tokenizer of words", words, "words"), token_line("cl100k_base", text))),
            Plain(f"cl100k_base cuts unknown words into pieces that it knows, and gives back: {back}"),
        ),
        links=usual_links(text),
    )


LESSON = Lesson(
    slug="token",
    title="What is a token?",
    intro="A language model does not read letters. A tokenizer first cuts the text into pieces, the **tokens**, and "
    "gives each piece a number. Where to cut is a decision, and everything else follows from it.",
    exercises=(
        Exercise(
            "units",
            "One sentence, counted four ways",
            "You can count it in bytes (what is stored), in characters, in words, or in tokens.",
            (SENTENCE, "unbelievable", "ฉันชอบเรียนภาษาไทย", "我喜欢学习中文。"),
            _units,
        ),
        Exercise(
            "words",
            "What is a word?",
            "Cut at **white space**; or set every **punctuation** mark **apart**; or follow **rules** for English "
            "that know about *can't*, *cannot* and *U.S.*",
            (
                SENTENCE,
                "The dog doesn't see THE other dog. It's a well-known story, isn't it?",
                "“Nobody’s sure,” said Dr. Kerr, “but in the U.S. they cannot pay before 5 p.m.”",
            ),
            _words,
        ),
        Exercise(
            "trade",
            "A large vocabulary or a long sequence",
            "A tokenizer that is trained begins with single bytes and learns longer tokens one by one, by **merging** "
            "two neighbours. Each merge adds an entry to the vocabulary and shortens the texts where it applies.",
            ("The weather was so beautiful that nobody wanted to go home before the evening.", SENTENCE),
            _trade,
        ),
        Exercise(
            "unknown",
            "A word nobody has seen",
            "New words turn up every day: names, typing errors, other languages.",
            ("The baker googled a sourdough selfie.", "Every morning the oven is hot.", "ขนมปัง is bread."),
            _unknown,
        ),
    ),
    takeaway="A model predicts one token at a time, so its vocabulary is its alphabet. Words would need an endless one "
    "and still run into `[UNK]`; single bytes never do, but make every text long, and length costs time and memory. "
    "Subword tokens are in between: frequent words are one token, rare ones a few, and nothing is ever unknown.",
    claims=(
        Claim("into `ca n't`", lambda: words_by_rules("can't") == ["ca", "n't"]),
        Claim("`cannot` into `can not`", lambda: words_by_rules("cannot") == ["can", "not"]),
        Claim("keep `U.S.` whole", lambda: words_by_rules("the U.S., too") == ["the", "U.S.", ",", "too"]),
        Claim("`state-of-the-art` at its hyphens", lambda: len(words_by_rules("state-of-the-art")) == 7),
        Claim("frequent words are one token", lambda: n_tokens("cl100k_base", " morning") == 1),
        Claim("rare ones a few", lambda: 1 < n_tokens("cl100k_base", " sourdough") < len("sourdough")),
    ),
)
