"""Lesson 11, vocabulary size and data: what tokens give away, near-duplicates, tokens hardly used, and the cost."""

import regex

from tokviz.analysis.vocabulary_facts import vocabulary_facts
from tokviz.analysis.vocabulary_report import longest_tokens
from tokviz.exercises import (
    PRETRAINED,
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
    Target,
    Tokenizer,
    load,
    n_tokens,
    sample,
    token_line,
    usual_links,
)
from tokviz.lessons.glitch_tokens import no_text_has
from tokviz.lessons.telling_tokens import longest_words, n_used, spellings, stem_of

# Long tokens, each of one tokenizer: buttons of a web site, a name in programs, "today's football analysis".
TELLING = ("rawdownloadcloneembedreportprint", " dequeueReusableCellWithIdentifier", " วิเคราะห์บอลวันนี้")
GPT2_WIDTH = 768  # of the smallest GPT-2: Radford et al., Language Models are Unsupervised Multitask Learners, 2019
MOST_PARAMETERS = 10**12  # a guess has room for so many millions


def _any_kind(tokenizer: Tokenizer) -> Table:
    rows = []
    facts = vocabulary_facts(tokenizer)
    for token in longest_tokens(tokenizer, 4):
        text = facts.texts[token] or ""
        rows.append((str(facts.ids[token]), text[:40].replace(" ", "␣") + "…", len(text)))
    return Table(("id", "the longest of any kind", "characters"), tuple(rows), detail=True)


def _longest(text: str) -> Scene:
    name = text.strip()
    tokenizer = load(name)
    return Scene(
        question=Choice(
            "Which of these is a single token of that tokenizer?",
            tuple(option.replace(" ", "␣") for option in TELLING),
            frozenset(o.replace(" ", "␣") for o in TELLING if o.encode() in tokenizer.mergeable_ranks),
        ),
        reveal=(
            Table(
                ("id", "the longest tokens of letters alone"),
                tuple((str(tokenizer.mergeable_ranks[w.encode()]), w.replace(" ", "␣")) for w in longest_words(name)),
            ),
            _any_kind(tokenizer),
            Say(
                "A long token is there because it occurred often. Menus of web sites, names from a forum, names of "
                "functions in programs, headlines, rows of dashes: a vocabulary remembers what it was trained on."
            ),
        ),
        links=usual_links(
            longest_words(name)[0],
            name,
            PRETRAINED,
            first=[Link(Target.VOCABULARY, longest_words(name)[0], name, search=(("order", "long"),),
                        label="The longest first, in Vocabulary")],
        ),
    )  # fmt: skip


def _duplicates(text: str) -> Scene:
    found = {name: spellings(name, text) for name in PRETRAINED}
    return Scene(
        question=Number(
            "How many tokens of **cl100k_base** are this word, in small letters, with a capital or all in capitals, "
            "with or without a space before it, singular or plural? (Within 1 is close enough.)",
            len(found["cl100k_base"]),
            near=1,
        ),
        reveal=(
            Table(
                ("tokenizer", "how many", "tokens"),
                tuple(
                    (name, len(tokens), "   ".join(token.replace(" ", "␣") for token in tokens))
                    for name, tokens in found.items()
                ),
            ),
            Say(
                "A model keeps a row of numbers for each, and learns each one separately. So a vocabulary knows fewer "
                "words than it has tokens."
            ),
        ),
        links=usual_links(
            text, compared=PRETRAINED, first=[Link(Target.VOCABULARY, text, search=(("query", stem_of(text)),))]
        ),
    )


def _rare(text: str) -> Scene:
    return Scene(
        question=Number("How many tokens is this in **gpt2**?", n_tokens("gpt2", text)),
        reveal=(
            Lines(*(token_line(name, text, show_ids=True) for name in PRETRAINED)),
            Table(
                ("tokenizer", "tokens it has", "used in all samples of this app", "share"),
                tuple(
                    (name, len(load(name).mergeable_ranks), n_used(name),
                     f"{n_used(name) / len(load(name).mergeable_ranks):.1%}")
                    for name in PRETRAINED
                ),
            ),
            Say(
                "The tokenizer is trained on one pile of text, the model on another. A name that fills the first but "
                "is missing in the second gets a token that the model never meets. Its row of numbers stays as random "
                "as it began, and a prompt with that token can get nonsense for an answer."
            ),
        ),
        links=usual_links(text, "gpt2", PRETRAINED, first=[
            Link(Target.VOCABULARY, text, "gpt2", search=(("query", text), ("where", "begin")))]),
    )  # fmt: skip


def _cost(text: str) -> Scene:
    figures = [int(figure.replace(",", "")) for figure in regex.findall(r"\d[\d,]*", text)][:2]
    if len(figures) < 2 or figures[0] * figures[1] > MOST_PARAMETERS:
        raise ValueError(
            f"{text!r} does not hold two numbers whose product is at most a trillion; write a vocabulary and a width, "
            "such as 50257 x 768"
        )
    vocabulary, width = figures
    widths = tuple(dict.fromkeys((GPT2_WIDTH, width)))
    millions = round(vocabulary * width / 1e6)
    sizes = {name: load(name).n_vocab for name in PRETRAINED}
    return Scene(
        before=(
            Plain(f"A vocabulary of {vocabulary:,} tokens, with {width:,} numbers for each."),
        ),
        question=Number("How many **million** numbers are that? (Within a tenth is close enough.)", millions,
                        near=millions // 10),
        reveal=(
            Plain(f"{vocabulary:,} × {width:,} = {vocabulary * width:,}, about {millions:,} million."),
            Table(
                ("tokenizer", "vocabulary", *(f"at a width of {each:,}" for each in widths)),
                tuple((name, n, *(n * each for each in widths)) for name, n in sizes.items()),
            ),
            Say(
                "These numbers are parameters of the model. To choose its next token, a model scores every token it "
                "has, often with a second table of the same size. In a small model, these tables can be a large part "
                "of all its parameters."
            ),
        ),
        links=(Link(Target.VOCABULARY, text, "gpt2", label="Browse a vocabulary"),
               Link(Target.TRAIN, sample("english"), label="Train vocabularies of other sizes")),
    )  # fmt: skip


def _is_token(name: str, token: str) -> bool:
    return token.encode() in load(name).mergeable_ranks


LESSON = Lesson(
    slug="vocabulary",
    title="Vocabulary size and data",
    intro="A vocabulary is a portrait of the text it was learned from. Look at the tokens, and you see what somebody "
    "collected.",
    terms=("vocabulary", "token id", "compression", "fertility"),
    exercises=(
        Exercise(
            "longest",
            "The longest tokens",
            "Type the name of a tokenizer: gpt2, cl100k_base or o200k_base.",
            PRETRAINED,
            _longest,
        ),
        Exercise(
            "duplicates",
            "One word, many entries",
            "*Ingredient* is a word from recipes, and the web is full of recipes.",
            ("ingredient", "recipe", "function", "street"),
            _duplicates,
        ),
        Exercise(
            "rare",
            "Tokens that hardly anybody uses",
            "Two names from a forum, and the labels of buttons on a web site.",
            (" SolidGoldMagikarp", " RandomRedditorWithNo", "rawdownloadcloneembedreportprint"),
            _rare,
        ),
        Exercise(
            "glitch",
            "Tokens that no text can have",
            "Type the name of a tokenizer: gpt2, cl100k_base or o200k_base.",
            PRETRAINED,
            no_text_has,
        ),
        Exercise(
            "cost",
            "What a vocabulary costs",
            "For each token a model keeps a row of numbers. How many there are in a row is its width.",
            (f"50257 x {GPT2_WIDTH}", "100277 x 4096", "200019 x 4096", "32000 x 4096"),
            _cost,
        ),
    ),
    takeaway="A larger vocabulary makes texts shorter and the model larger. Most of its tokens are rare, and a model "
    "learns little about rare tokens. What a tokenizer was trained on decides who gets whole words: gpt2 has "
    "`RandomRedditorWithNo`, cl100k_base `dequeueReusableCellWithIdentifier`, o200k_base Thai phrases such as "
    "วิเคราะห์บอลวันนี้, “today's football analysis”. Nobody chose them; they just occurred often.",
    claims=(
        Claim("gpt2 has `RandomRedditorWithNo`", lambda: _is_token("gpt2", " RandomRedditorWithNo")),
        Claim("cl100k_base `dequeueReusableCellWithIdentifier`",
              lambda: _is_token("cl100k_base", " dequeueReusableCellWithIdentifier")),
        Claim("o200k_base Thai phrases such as วิเคราะห์บอลวันนี้", lambda: _is_token("o200k_base", TELLING[2])),
        Claim("Most of its tokens are rare", lambda: all(n_used(n) < load(n).n_vocab / 20 for n in PRETRAINED)),
    ),
)  # fmt: skip
