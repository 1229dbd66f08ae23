"""Vocabulary size and data: what tokens reveal, near-duplicates, tokens that are hardly used, and the cost."""

from functools import lru_cache

import regex

from tokviz import exercises as ex
from tokviz.lessons.glitch_tokens import glitch_scene

# Long tokens, each of one tokenizer: buttons of a web site, a name in programs, "today's football analysis".
LONG_TOKENS = ("rawdownloadcloneembedreportprint", " dequeueReusableCellWithIdentifier", " วิเคราะห์บอลวันนี้")
NAMES = tuple(map(ex.short_name, ex.PRETRAINED))
LONGEST = 8  # how many are shown
GPT2_WIDTH = 768  # of the smallest GPT-2: Radford et al., Language Models are Unsupervised Multitask Learners, 2019
MOST_PARAMETERS = 10**12  # the most whose millions fit into a guess


@lru_cache(maxsize=8)
def longest_word_tokens(name: str) -> tuple[str, ...]:
    """Return the longest tokens of a tokenizer that consist of letters only.

    >>> " telecommunications" in longest_word_tokens("gpt2")
    True
    """
    texts = ex.vocabulary_facts(ex.load(name)).texts
    return tuple(texts[token] or "" for token in ex.longest_token_indices(ex.load(name), LONGEST, words_only=True))


def token_spellings(name: str, word: str) -> list[str]:
    """Return the spellings of a word that are tokens of a tokenizer, in the order of ids.

    These are small letters, a capital initial and all capitals, singular and plural, with and without a space.

    >>> token_spellings("gpt2", "ingredient")
    [' ingredients', ' ingredient', ' Ingredients', 'Ingredients']
    """
    stem = lower_case_without_final_s(word)
    forms = [case(form) for form in (stem, stem + "s") for case in (str.lower, str.capitalize, str.upper)]
    found = {space + form for form in forms for space in ("", " ") if ex.is_ordinary_token(name, space + form)}
    return sorted(found, key=lambda form: ex.load(name).mergeable_ranks[form.encode()])


def lower_case_without_final_s(word: str) -> str:
    """Return an English noun in small letters and the singular, if only its last letter differs."""
    return word.strip().lower().removesuffix("s")


@lru_cache(maxsize=8)
def n_distinct_tokens_in_samples(name: str) -> int:
    """Return how many different tokens of a tokenizer occur in the sample texts of this app."""
    return len({token for text in ex.SAMPLES for token in ex.load(name).encode(ex.sample(text))})


def _longest_tokens_table(tokenizer: ex.Tokenizer) -> ex.Table:
    facts = ex.vocabulary_facts(tokenizer)
    texts = [(str(facts.ids[token]), facts.texts[token] or "") for token in ex.longest_token_indices(tokenizer, 4)]
    rows = tuple((token_id, ex.text_with_visible_spaces(text[:40]) + "…", len(text)) for token_id, text in texts)
    return ex.Table(("id", "the longest of any kind", "characters"), rows, detail=True)


def _longest_tokens_scene(text: str) -> ex.Scene:
    tokenizer = ex.load(text.strip())
    name = tokenizer.name
    return ex.Scene(
        ex.Choice(
            f"Which of these is a single token of **{ex.short_name(name)}**?",
            tuple(map(ex.text_with_visible_spaces, LONG_TOKENS)),
            frozenset(ex.text_with_visible_spaces(token) for token in LONG_TOKENS if ex.is_ordinary_token(name, token)),
        ),
        ex.Table(
            ("id", "the longest tokens made of letters"),
            tuple(
                (str(tokenizer.mergeable_ranks[word.encode()]), ex.text_with_visible_spaces(word))
                for word in longest_word_tokens(name)
            ),
        ),
        _longest_tokens_table(tokenizer),
        ex.Say(
            "A long token is there because it occurred often. Menus of web sites, names from a forum, names of "
            "functions in programs, headlines, rows of dashes: a vocabulary remembers what it was trained on."
        ),
        links=ex.usual_links(
            longest_word_tokens(name)[0],
            ex.Link("Vocabulary", longest_word_tokens(name)[0], name, search=(("order", "long"),),
                           label="The longest first, in Vocabulary"),
            tokenizer=name,
            compared=ex.PRETRAINED,
        ),
    )  # fmt: skip


def _token_spellings_scene(text: str) -> ex.Scene:
    found = {name: token_spellings(name, text) for name in ex.PRETRAINED}
    return ex.Scene(
        ex.Number(
            "How many of **GPT-4's** tokens are spellings of this word? Count capitals, a leading space and the "
            "plural. (Within 1 is close enough.)",
            len(found["cl100k_base"]),
            near=1,
        ),
        ex.Table(
            ("tokenizer", "how many", "tokens"),
            tuple(
                (ex.short_name(name), len(tokens), "   ".join(map(ex.text_with_visible_spaces, tokens)))
                for name, tokens in found.items()
            ),
            asked=ex.short_name("cl100k_base"),
        ),
        ex.Say(
            "A model keeps a row of numbers for each, and learns each one separately. So a vocabulary knows fewer "
            "words than it has tokens."
        ),
        links=ex.usual_links(
            text,
            ex.Link("Vocabulary", text, search=(("query", lower_case_without_final_s(text)),)),
            compared=ex.PRETRAINED,
        ),
    )


def _rare_tokens_scene(text: str) -> ex.Scene:
    return ex.Scene(
        ex.Number("How many tokens is this text in **GPT-2**?", ex.n_tokens("gpt2", text)),
        ex.pretrained_lines(text, show_ids=True),
        ex.Table(
            ("tokenizer", "tokens it has", "used in all samples of this app", "share"),
            tuple(
                (ex.short_name(name), n, used, f"{used / n:.1%}")
                for name in ex.PRETRAINED
                for n, used in ((len(ex.load(name).mergeable_ranks), n_distinct_tokens_in_samples(name)),)
            ),
        ),
        ex.Say(
            "Tokenizer and model are trained on different texts. A name that is frequent in the first but missing "
            "from the second gets a token that the model never sees, and answers with nonsense."
        ),
        links=ex.usual_links(
            text,
            ex.Link("Vocabulary", text, "gpt2", search=(("query", text), ("where", "begin"))),
            tokenizer="gpt2",
            compared=ex.PRETRAINED,
        ),
    )  # fmt: skip


def _embedding_size_scene(text: str) -> ex.Scene:
    figures = [int(figure.replace(",", "")) for figure in regex.findall(r"\d[\d,]*", text)][:2]
    if len(figures) < 2 or figures[0] * figures[1] > MOST_PARAMETERS:
        raise ValueError(
            f"{text!r} does not hold two numbers whose product is at most a trillion; write a vocabulary and a width, "
            "such as 50257 x 768"
        )
    vocabulary, width = figures
    widths = tuple(dict.fromkeys((GPT2_WIDTH, width)))
    millions = round(vocabulary * width / 1e6)
    sizes = {name: ex.load(name).n_vocab for name in ex.PRETRAINED}
    return ex.Scene(
        ex.Plain(f"A vocabulary of {vocabulary:,} tokens, with {width:,} numbers for each."),
        ex.Number(
            "How many **million** numbers does this vocabulary need? (Within a tenth is close enough.)", millions,
            near=millions // 10),
        ex.Plain(f"{vocabulary:,} × {width:,} = {vocabulary * width:,}, about {millions:,} million."),
        ex.Table(
            ("tokenizer", "vocabulary", *(f"at a width of {each:,}" for each in widths)),
            tuple((ex.short_name(name), n, *(n * each for each in widths)) for name, n in sizes.items()),
        ),
        ex.Say(
            "These numbers are parameters of the model. To choose the next token, a model scores every token it "
            "has, often with a second such table."
        ),
        ex.Say(
            "In a small model, these tables can be a large part of all its parameters. The simplest row would have "
            "a place for every token, a 1 in its own and a 0 in all others: a *one-hot vector*.",
            detail=True,
        ),
        links=(ex.Link("Vocabulary", text, "gpt2", label="Browse a vocabulary"),
               ex.Link("Train", ex.sample("english"), label="Train vocabularies of other sizes")),
    )  # fmt: skip


LESSON = ex.Lesson(
    slug="vocabulary",
    title="Vocabulary size and data",
    intro="A vocabulary is a portrait of the text it was learned from. Look at the tokens, and you see what somebody "
    "collected.",
    cover=lambda: ex.token_line("gpt2", " TheNitromeFan"),
    aim="read from a vocabulary what it was trained on, and say what its size costs",
    terms=("vocabulary", "token id", "compression", "fertility"),
    exercises=(
        ex.Exercise(
            "longest",
            "The longest tokens",
            "Every tokenizer has its longest tokens. Take one of three: GPT-2, GPT-4 or GPT-4o.",
            NAMES,
            _longest_tokens_scene,
        ),
        ex.Exercise(
            "duplicates",
            "One word, many entries",
            "*Ingredient* is a word from recipes, and the web is full of recipes.",
            ("ingredient", "recipe", "function", "street"),
            _token_spellings_scene,
        ),
        ex.Exercise(
            "rare",
            "Tokens that hardly anybody uses",
            "Two names from a forum, and button labels from a web site.",
            (" SolidGoldMagikarp", " RandomRedditorWithNo", "rawdownloadcloneembedreportprint"),
            _rare_tokens_scene,
        ),
        ex.Exercise(
            "glitch",
            "Tokens that no text can have",
            "Take a tokenizer again: GPT-2, GPT-4 or GPT-4o.",
            NAMES,
            glitch_scene,
        ),
        ex.Exercise(
            "cost",
            "What a vocabulary costs",
            "For each token a model keeps a row of numbers. How many there are in a row is its width.",
            (f"50257 x {GPT2_WIDTH}", "100277 x 4096", "200019 x 4096", "32000 x 4096"),
            _embedding_size_scene,
        ),
    ),
    takeaway="A larger vocabulary makes texts shorter and the model larger. And it shows what somebody collected: "
    "nobody chose its tokens; they just occurred often.",
    more="Most tokens of a large vocabulary are rare, and a model learns little about rare tokens. What a tokenizer "
    "was trained on decides who gets whole words: GPT-2 has `TheNitromeFan`, GPT-4 "
    "`dequeueReusableCellWithIdentifier`, GPT-4o Thai phrases such as วิเคราะห์บอลวันนี้, “today's football "
    "analysis”.",
    picture=lambda: ex.pretrained_lines(" SolidGoldMagikarp"),
    claims={
        "GPT-2 has `TheNitromeFan`": lambda: ex.is_ordinary_token("gpt2", " TheNitromeFan"),
        "GPT-4 `dequeueReusableCellWithIdentifier`": lambda: (
            ex.is_ordinary_token("cl100k_base", " dequeueReusableCellWithIdentifier")
        ),
        "GPT-4o Thai phrases such as วิเคราะห์บอลวันนี้": lambda: ex.is_ordinary_token("o200k_base", LONG_TOKENS[2]),
        "Most tokens of a large vocabulary are rare": lambda: (
            all(n_distinct_tokens_in_samples(name) < ex.load(name).n_vocab / 20 for name in ex.PRETRAINED)
        ),
    },
)  # fmt: skip
