"""Lesson 7, languages: why the same sentence costs more in Thai, with the three reasons one at a time."""

from tokviz.exercises import (
    PRETRAINED,
    Choice,
    Claim,
    Exercise,
    Lesson,
    Lines,
    Link,
    Number,
    Say,
    Scene,
    Table,
    Target,
    load,
    n_tokens,
    parallel_sentences,
    pretokens,
    sample,
    token_line,
    trace,
    usual_links,
)
from tokviz.lessons.three_reasons import PATTERN, by_share, in_bytes, under_patterns

HELLO = "hello\n你好\nสวัสดี\n안녕하세요 👋"
SENTENCES = parallel_sentences(("en", "th", "zh-Hans"))
ON_LINES = tuple("\n".join(sentence.values()) for sentence in SENTENCES)


def _hello(text: str) -> Scene:
    lines = [line for line in text.splitlines() if line]
    rows = [(line, len(line), len(line.encode()), *(n_tokens(name, line) for name in PRETRAINED)) for line in lines]
    last = max(lines, key=lambda line: n_tokens("gpt2", line))
    return Scene(
        question=Choice(
            "Which line has the most tokens in **gpt2**?",
            tuple(dict.fromkeys(lines)),
            frozenset(line for line in lines if n_tokens("gpt2", line) == n_tokens("gpt2", last)),
        ),
        reveal=(
            Table(("text", "characters", "bytes", *PRETRAINED), tuple(rows)),
            Lines(*(token_line("cl100k_base", line, label="cl100k_base") for line in lines)),
            Say(
                "In gpt2 a greeting can cost a dozen tokens in one language and one in another. Where several tokens "
                "share a character, you see it once, with the bytes of each token."
            ),
        ),
        links=usual_links(text, "gpt2", PRETRAINED),
    )


def _parallel(text: str) -> Scene:
    lines = [line for line in text.splitlines() if line.strip()]
    counts = {name: [n_tokens(name, line) for line in lines] for name in PRETRAINED}
    middle = lines[min(1, len(lines) - 1)]
    answer = n_tokens("gpt2", middle)
    in_all = Link(Target.LANGUAGES, text, "gpt2", compared=PRETRAINED, label="See it in 36 languages")
    rows = [
        (line, *(f"{counts[name][i]:,}\u00a0({counts[name][i] / counts[name][0]:.1f}×)" for name in PRETRAINED))
        for i, line in enumerate(lines)
    ]
    return Scene(
        before=(Say(f"In gpt2 the first line has **{counts['gpt2'][0]}** tokens."),),
        question=Number(
            "How many does the **second** line have? (Within a fifth is close enough.)",
            answer,
            near=answer // 5,
        ),
        reveal=(
            Table(("the sentence", *PRETRAINED), tuple(rows)),
            Say(
                "The figures in brackets compare each line with the first. If you pay for each token, that is how many "
                "times as much you pay to say the same thing. You also wait that much longer, and the model can read "
                "that much less at once."
            ),
        ),
        links=usual_links(text, "gpt2", PRETRAINED, first=[in_all]),
    )


def _marks_end_runs() -> bool:
    return len(pretokens("ที่นี่", "cl100k")) > 1 == len(pretokens("ที่นี่", PATTERN))


LESSON = Lesson(
    slug="languages",
    title="Languages",
    intro="The same sentence takes more tokens in some languages than in others. There are three reasons. You can "
    "look at each on its own: change one thing, and leave the rest.",
    terms=("parity", "byte", "split pattern", "pretoken"),
    exercises=(
        Exercise("hello", "Saying hello", "Four greetings, in English, Chinese, Thai and Korean.", (HELLO,), _hello,
                 multiline=True),
        Exercise(
            "parallel", "The same sentence three times", "English, Thai and Chinese, one line each.", ON_LINES[:3],
            _parallel, multiline=True,
        ),
        Exercise(
            "bytes",
            "Reason one: bytes per character",
            "In UTF-8 a character takes from one to four bytes. Here is the same word in three languages:",
            ("ภาษา\n语言\nlanguage", "สวัสดี\n你好\nhello"),
            in_bytes,
            multiline=True,
        ),
        Exercise(
            "pattern",
            "Reason two: the split pattern",
            "Thai puts no spaces between words, and writes many vowels and all tone marks above or below a letter.",
            ("ที่นี่มีน้ำดื่มเย็น", SENTENCES[10]["th"], "café cafe\u0301"),
            under_patterns,
        ),
        Exercise(
            "share",
            "Reason three: the share of the training text",
            "A sentence in Thai, and the same in English. None of the tokenizers has seen either.",
            ("\n".join(SENTENCES[2][language] for language in ("th", "en")),
             SENTENCES[8]["th"], SENTENCES[8]["en"]),
            by_share,
            multiline=True,
        ),
    ),
    takeaway="A tokenizer trained mostly on English makes a model slower and more expensive in most other languages, "
    "and it can read less of them at once, all before it has understood a word. Two of the three reasons can be fixed: "
    "with a pattern that keeps marks and letters together, and with a fairer share of the training text. o200k_base "
    "has done both, and needs fewer tokens for Thai than cl100k_base.",
    claims=(
        Claim(
            "In UTF-8 a character takes from one to four bytes",
            lambda: {len(chr(point).encode()) for point in (0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF)}
            == {1, 2, 3, 4},
        ),
        Claim(
            "It takes two merges until a single Thai letter is one token",
            lambda: all((trace(load("cl100k_base"), letter).gaps >= 0).sum() == 2 for letter in "กสนม"),
        ),
        Claim("cl100k's pattern stops at each of them", _marks_end_runs),
        Claim(
            "o200k_base has done both, and needs fewer tokens for Thai than cl100k_base",
            lambda: n_tokens("o200k_base", sample("thai")) < n_tokens("cl100k_base", sample("thai")),
        ),
        Claim(
            "so a Thai or Chinese text begins at three for each character, an English one at one",
            lambda: [len(word.encode()) / len(word) for word in ("ภาษา", "语言", "language")] == [3, 3, 1],
        ),
        Claim("a greeting can cost a dozen tokens in one language and one in another",
              lambda: (n_tokens("gpt2", "สวัสดี"), n_tokens("gpt2", "hello")) == (12, 1)),
    ),
)  # fmt: skip
