"""Lesson 7, languages: why the same sentence costs more in Thai, and the three reasons one at a time."""

from tokviz.lessons.lines import n_tokens, piece_line, token_line
from tokviz.lessons.parts import (
    Choice,
    Claim,
    Door,
    Exercise,
    Lesson,
    Lines,
    Number,
    Say,
    Scene,
    Table,
    Training,
    usual_doors,
)  # fmt: skip
from tokviz.lessons.training_runs import tokenizer_of_training
from tokviz.pretokens import pretokens
from tokviz.pretrained import PRETRAINED
from tokviz.samples import parallel_sentences, sample

HELLO = "hello\n你好\nสวัสดี\n안녕하세요 👋"
LANGUAGES = ("english", "thai", "chinese")
SENTENCES = tuple("\n".join(sentence[language] for language in LANGUAGES) for sentence in parallel_sentences())
N_MERGES = 300
SHARE = 1_400  # bytes: one part of a mix; three of them are what the English sample has
PATTERN = "o200k"  # the one whose letters include combining marks


def piece_of(name: str, n_bytes: int) -> str:
    """Return the beginning of a sample, at most so many bytes, in whole characters.

    >>> len(piece_of("thai", 100).encode())
    98
    """
    return sample(name).encode()[:n_bytes].decode("utf-8", "ignore")


def mixes() -> dict[str, Training]:
    """Return trainings that differ only in what their text of equal size consists of."""
    whole = 3 * SHARE
    texts = {
        "English only": piece_of("english", whole),
        "English and Thai, 2 : 1": piece_of("english", 2 * SHARE) + "\n" + piece_of("thai", SHARE),
        "Thai only": piece_of("thai", whole),
    }
    return {name: Training(name, text, 256 + N_MERGES, PATTERN) for name, text in texts.items()}


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), text)


def _hello(text: str) -> Scene:
    lines = [line for line in text.splitlines() if line]
    rows = [(line, len(line), len(line.encode()), *(n_tokens(name, line) for name in PRETRAINED)) for line in lines]
    last = max(lines, key=lambda line: n_tokens("gpt2", line))
    return Scene(
        question=Choice(
            "Which line has the most tokens under **gpt2**?",
            tuple(dict.fromkeys(lines)),
            frozenset(line for line in lines if n_tokens("gpt2", line) == n_tokens("gpt2", last)),
        ),
        reveal=(
            Table(("text", "characters", "bytes", *PRETRAINED), tuple(rows)),
            Lines(tuple(token_line("cl100k_base", line, label="cl100k_base") for line in lines)),
            Say(
                "Under gpt2 a greeting can cost a dozen tokens in one language and one in another. A character that "
                "several tokens share is drawn once, with the bytes that each token holds."
            ),
        ),
        doors=usual_doors(text, "gpt2", PRETRAINED),
    )


def _parallel(text: str) -> Scene:
    lines = [line for line in text.splitlines() if line.strip()]
    counts = {name: [n_tokens(name, line) for line in lines] for name in PRETRAINED}
    middle = lines[min(1, len(lines) - 1)]
    answer = n_tokens("gpt2", middle)
    rows = [
        (line, *(f"{counts[name][i]:,}  ({counts[name][i] / counts[name][0]:.1f}×)" for name in PRETRAINED))
        for i, line in enumerate(lines)
    ]
    return Scene(
        before=(Say(f"Under gpt2 the first line has **{counts['gpt2'][0]}** tokens."),),
        question=Number(
            "How many has the **second** line under gpt2? (Within a fifth is right.)", answer, near=answer // 5
        ),
        reveal=(
            Table(("the sentence", *PRETRAINED), tuple(rows)),
            Say(
                "The figures in brackets compare with the first line. Whoever pays by the token pays so many times as "
                "much to say the same, waits so many times as long, and fits so many times less into a model's window."
            ),
        ),
        doors=usual_doors(text, "gpt2", PRETRAINED),
    )


def _bytes(text: str) -> Scene:
    line = _first_line(text)
    n_bytes = len(line.encode())
    return Scene(
        before=(Say(f"The first line has **{len(line)}** characters."),),
        question=Number("How many bytes is the first line in UTF-8, before any merge?", n_bytes),
        reveal=(
            Table(
                ("text", "characters", "bytes", "bytes per character"),
                tuple(
                    (line, len(line), len(line.encode()), round(len(line.encode()) / len(line), 2))
                    for line in text.splitlines()
                    if line
                ),
            ),
            Say(
                "A tokenizer begins with bytes, so a Thai or Chinese text begins at three for each character, an "
                "English one at one. Two merges are needed before a single Thai letter is one token."
            ),
        ),
        doors=(Door("merges", text, "gpt2", step=0, label="The bytes, before any merge"),
               Door("playground", text, "gpt2")),
    )  # fmt: skip


def _pattern(text: str) -> Scene:
    trained = {
        pattern: Training(f"Thai, pattern {pattern}", sample("thai"), 256 + N_MERGES, pattern)
        for pattern in ("cl100k", PATTERN)
    }
    cut = {pattern: pretokens(text, pattern) for pattern in trained}
    lengths = {pattern: len(tokenizer_of_training(run).encode(text)) for pattern, run in trained.items()}
    return Scene(
        before=(
            Say(
                "Merges never cross the cuts of the split pattern. The pattern of cl100k_base takes a word to be a run "
                f"of letters, `\\p{{L}}+`, and the pattern of o200k_base one of letters and marks. With o200k's, this "
                f"text is cut into **{len(cut[PATTERN])}** pretokens."
            ),
        ),
        question=Number(
            "Into how many does cl100k's pattern cut it? (Within a fifth is right.)", len(cut["cl100k"]),
            near=len(cut["cl100k"]) // 5,
        ),
        reveal=(
            Lines(tuple(piece_line(f"pretokens, {pattern}", found, "pretokens") for pattern, found in cut.items())),
            Say(
                "Thai vowels above and below the line and tone marks are *combining marks*, `\\p{M}`, no letters to "
                "Unicode. cl100k's pattern stops at each of them, and no merge can ever put the word together. Trained "
                f"on the same Thai text with the same {N_MERGES} merges, only the pattern changed: "
                f"**{lengths['cl100k']}** tokens with cl100k's, **{lengths[PATTERN]}** with o200k's."
            ),
        ),
        doors=(
            Door("playground", text, training=trained["cl100k"], label="Trained with cl100k's pattern"),
            Door("playground", text, training=trained[PATTERN], label="With o200k's"),
            Door("train", sample("thai"), training=trained[PATTERN], label="Train it yourself"),
        ),
    )  # fmt: skip


def _share(text: str) -> Scene:
    trained = {name: tokenizer_of_training(run) for name, run in mixes().items()}
    lines = [line for line in text.splitlines() if line.strip()]
    totals = {name: sum(len(tokenizer.encode(line)) for line in lines) for name, tokenizer in trained.items()}
    least = min(totals.values())
    runs = mixes()
    return Scene(
        before=(
            Say(
                f"Three tokenizers with {N_MERGES} merges each and the same split pattern, trained on texts of one "
                "size. Only what the text consists of differs."
            ),
        ),
        question=Choice(
            "Which of them needs the fewest tokens for these lines together?",
            tuple(trained),
            frozenset(name for name, total in totals.items() if total == least),
        ),
        reveal=(
            Table(
                ("text", *trained),
                (
                    *((line, *(len(tokenizer.encode(line)) for tokenizer in trained.values())) for line in lines),
                    ("together", *totals.values()),
                ),
            ),
            Say(
                "A vocabulary has room for so many tokens, and each language gets its share of them: what is rare in "
                "the training text stays in small pieces. A mix serves both, each a little less well."
            ),
        ),
        doors=(
            *(Door("playground", text, training=run, label=name) for name, run in runs.items()),
            Door("train", runs["Thai only"].text, training=runs["Thai only"], label="Train on Thai"),
        ),
    )


def _marks_end_runs() -> bool:
    return len(pretokens("ที่นี่", "cl100k")) > 1 == len(pretokens("ที่นี่", PATTERN))


LESSON = Lesson(
    slug="languages",
    title="Languages",
    intro="The same sentence costs more tokens in some languages than in others. There are three reasons, and each can "
    "be seen alone by changing one thing and leaving the rest as it is.",
    exercises=(
        Exercise("hello", "Saying hello", "Four greetings, in English, Chinese, Thai and Korean.", (HELLO,), _hello,
                 multiline=True),
        Exercise(
            "parallel", "The same sentence three times", "English, Thai and Chinese, a line each.", SENTENCES[:3],
            _parallel, multiline=True,
        ),
        Exercise(
            "bytes",
            "Reason one: bytes per character",
            "In UTF-8 a character takes from one to four bytes. The same word, and nothing merged yet:",
            ("ภาษา\n语言\nlanguage", "สวัสดี\n你好\nhello"),
            _bytes,
            multiline=True,
        ),
        Exercise(
            "pattern",
            "Reason two: the split pattern",
            "Thai writes words without spaces, and many vowels and all tone marks above or below a letter.",
            ("ที่นี่มีน้ำดื่มเย็น", parallel_sentences()[10]["thai"], "café cafe\u0301"),
            _pattern,
        ),
        Exercise(
            "share",
            "Reason three: the share of the training text",
            "One sentence in Thai and the same in English, which none of the tokenizers has seen.",
            ("\n".join(parallel_sentences()[2][language] for language in ("thai", "english")),
             parallel_sentences()[8]["thai"], parallel_sentences()[8]["english"]),
            _share,
            multiline=True,
        ),
    ),
    takeaway="A model that is trained mostly on English, with a tokenizer trained mostly on English, is slower, dearer "
    "and more forgetful in every other language, before it has understood a word. Two of the three reasons can "
    "be mended: a pattern that knows combining marks, and a fairer share of the training text. o200k_base has done "
    "both, and needs fewer tokens for Thai than cl100k_base.",
    claims=(
        Claim("Thai vowels above and below the line and tone marks are *combining marks*", _marks_end_runs),
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
