"""Languages: why the same sentence costs more in Thai, and each of the three reasons on its own."""

from tokviz import exercises as ex
from tokviz.lessons.language_costs import PATTERN, bytes_scene, language_mix_scene, patterns_scene

GREETINGS = {"hello": "English", "你好": "Chinese", "สวัสดี": "Thai", "안녕하세요": "Korean"}
SENTENCES = ex.parallel_sentences(("en", "th", "zh-Hans"))
ON_LINES = tuple("\n".join(sentence.values()) for sentence in SENTENCES)


def _most_tokens_scene(text: str) -> ex.Scene:
    lines = [line for line in text.splitlines() if line]
    rows = [
        (line, len(line), len(line.encode()), *(ex.n_tokens(name, line) for name in ex.PRETRAINED)) for line in lines
    ]
    counts = {line: ex.n_tokens("gpt2", line) for line in lines}
    names = {line: GREETINGS.get(line, f"line {n}") for n, line in enumerate(lines, 1)}
    most, fewest = max(counts, key=counts.__getitem__), min(counts, key=counts.__getitem__)
    costs = f"{ex.quantity(counts[most], 'token')} in {names[most]} and {counts[fewest]:,} in {names[fewest]}"
    costs += f", GPT-4o {ex.n_tokens('o200k_base', most):,} and {ex.n_tokens('o200k_base', fewest):,}"
    contrast = [ex.Say(f"GPT-2 needs {costs}.")] if counts[most] > counts[fewest] else []
    return ex.Scene(
        ex.best_figure_question("Which line has the most tokens in **GPT-2**?", counts, max),
        ex.Lines(*(ex.token_line("gpt2", line, label=f"GPT-2, {names[line]}") for line in lines)),
        ex.Say("Where tokens share a character, you see it once, with their bytes."),
        ex.Table(("text", "characters", "bytes", *map(ex.short_name, ex.PRETRAINED)), tuple(rows)),
        *contrast,
        links=ex.usual_links(text, tokenizer="gpt2", compared=ex.PRETRAINED),
    )


def _parallel_sentences_scene(text: str) -> ex.Scene:
    lines = [line for line in text.splitlines() if line.strip()]
    counts = {name: [ex.n_tokens(name, line) for line in lines] for name in ex.PRETRAINED}
    answer = counts["gpt2"][min(1, len(lines) - 1)]
    in_all = ex.Link("Languages", text, "gpt2", compared=ex.PRETRAINED, label="See it in 36 languages")
    rows = [
        (line, *(f"{counts[name][i]:,}\u00a0({counts[name][i] / counts[name][0]:.1f}×)" for name in ex.PRETRAINED))
        for i, line in enumerate(lines)
    ]
    return ex.Scene(
        ex.Say(f"In GPT-2 the first line has **{counts['gpt2'][0]}** tokens."),
        ex.Number(
            "How many tokens does the **second** line have in GPT-2? (Within a fifth is close enough.)",
            answer,
            near=answer // 5,
        ),
        ex.Table(
            ("the sentence", *map(ex.short_name, ex.PRETRAINED)), tuple(rows), asked=lines[min(1, len(lines) - 1)]
        ),
        ex.Say(
            "The figures in brackets compare each line with the first. If you pay for each token, that is how many "
            "times as much you pay to say the same thing."
        ),
        ex.Say("You also wait that much longer, and the model can read that much less at once.", detail=True),
        links=ex.usual_links(text, in_all, tokenizer="gpt2", compared=ex.PRETRAINED),
    )


def _marks_end_pretokens() -> bool:
    pieces = [["ท", "ี่", "น", "ี่"], ["ที่นี่"]]
    return [[str(each) for each in ex.pretokens("ที่นี่", pattern)] for pattern in ("cl100k", PATTERN)] == pieces


LESSON = ex.Lesson(
    slug="languages",
    title="Languages",
    intro="The same sentence takes more tokens in some languages than in others. There are three reasons. You can "
    "look at each on its own: change one thing, and leave the rest as it is.",
    cover=lambda: ex.token_line("cl100k_base", "hi สวัสดี"),
    aim="explain why a sentence costs more tokens in one language than in another, and which reasons can be fixed",
    terms=("parity", "byte", "split pattern", "pretoken"),
    exercises=(
        ex.Exercise("hello", "Saying hello", "Four greetings, in English, Chinese, Thai and Korean.",
                    ("\n".join(GREETINGS),), _most_tokens_scene),
        ex.Exercise(
            "parallel", "The same sentence three times", "English, Thai and Chinese, one line each.", ON_LINES[:3],
            _parallel_sentences_scene,
        ),
        ex.Exercise(
            "bytes",
            "Reason one: bytes per character",
            "In UTF-8 a character takes from one to four bytes. One word, three languages:",
            ("ภาษา\n语言\nlanguage", "สวัสดี\n你好\nhello"),
            bytes_scene,
        ),
        ex.Exercise(
            "pattern",
            "Reason two: the split pattern",
            "Thai writes its words without spaces, and many vowels and all tone marks above or below a letter.",
            ("ที่นี่มีน้ำดื่มเย็น", SENTENCES[10]["th"], "café cafe\u0301"),
            patterns_scene,
        ),
        ex.Exercise(
            "share",
            "Reason three: the share of the training text",
            "A sentence in Thai, and the same in English. None of the tokenizers has seen either.",
            ("\n".join(SENTENCES[2][language] for language in ("th", "en")),
             SENTENCES[8]["th"], SENTENCES[8]["en"]),
            language_mix_scene,
        ),
    ),
    takeaway="A tokenizer trained mostly on English makes a model slower and more expensive in most other languages. "
    "Two reasons can be fixed: the split pattern and the training text.",
    more="A model can also read less of these languages at once, before it has understood a word. What helps is a "
    "pattern that keeps marks and letters together, and a fairer share of the training text. GPT-4o has done "
    "both, and needs fewer tokens for Thai than GPT-4. For our twelve sentences, Qwen 3.5 needs fewer tokens in "
    "Thai than in English.",
    picture=lambda: _parallel_sentences_scene(ON_LINES[0]).reveal[0],
    claims={
        "In UTF-8 a character takes from one to four bytes": lambda: (
            {len(chr(point).encode()) for point in (0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF)}
            == {1, 2, 3, 4}
        ),
        "Two merges make a single Thai letter one token": lambda: (
            all((ex.trace(ex.load("cl100k_base"), letter).gaps >= 0).sum() == 2 for letter in "กสนม")
        ),
        "GPT-4's pattern stops where one follows a letter": _marks_end_pretokens,
        "GPT-4o has done both, and needs fewer tokens for Thai than GPT-4": lambda: (
            ex.n_tokens("o200k_base", ex.sample("thai")) < ex.n_tokens("cl100k_base", ex.sample("thai"))
        ),
        "For our twelve sentences, Qwen 3.5 needs fewer tokens in Thai than in English": lambda: (
            sum(ex.n_tokens("qwen3.5", it["th"]) - ex.n_tokens("qwen3.5", it["en"]) for it in SENTENCES) < 0
        ),
        "so Thai and Chinese text begins with three per character, English with one": lambda: (
            [len(word.encode()) / len(word) for word in ("ภาษา", "语言", "language")] == [3, 3, 1]
        ),
    },
)  # fmt: skip
