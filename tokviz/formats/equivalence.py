"""Whether two tokenizers agree, as they must before one replaces the other: tried on some texts.

These hold what split patterns and regex engines disagree about: contractions in every case, runs of digits, white space
of every kind, at the ends and in runs, marks, letters that fold to others, joiners, line ends.
"""

from collections.abc import Callable, Iterable
from functools import cache

from tokviz.core.samples import SAMPLES, sample

SAMPLE_CHARACTERS = 3_000
ODD = (
    "",
    " ",
    "  ",
    "\n",
    " \n\n  x",
    "x  ",
    "a\r\nb\r\n\r\nc \t\t d",
    "one\ntwo $3\n",
    "\u00a0\u2003\u3000x\u0085\u180ey\u200b",
    "\x1c\x1f\x0b\x0c \x00",
    "It's IT'S it’s we'll WE'LL they're 'tis '''s 'S'Ll ' t",
    "a'ſ 'ſ K'K ß ẞ ﬁ ŉ ﬆ İ ı ss SS",
    "1 12 123 1234 12345 1234567 ٣٤٥٦ ๑๒๓๔ Ⅻ ½x² ①②③④",
    "3221+2334=5555 3.14 1,000,000 0x1F x1y22z333w4444",
    "naïve café e\u0301 a\u0300\u0301 ÀÉ ǅ ʰ ª ﷽ ﬀ",
    "น้ำเปล่า ที่นี่ กำลังดี 12บาท",
    "வணக்கம் நண்பர்களே हिन्दी में",
    "你好，世界。今天天气很好 ｆｕｌｌ　ｗｉｄｔｈ",
    "ひらがなカタカナ 한국어 조합 \u1112\u1161\u11ab",
    "שלום مرحبا \u202eabc\u202c",
    "👩‍👩‍👧‍👦 🇹🇭 👍🏽 ❤️ 🏴\U000e0067",
    "def f(x):\n    return x **2  # note\n\n\n\tif (a&&b)||c: {d}[e]<f>/g//h\\i",
    "HTMLParser camelCase XMLHttp iOS NASA's O'Neill x_y-z",
    "http://example.org/a?b=c&d=%20#e user@host ``q'' -- --- … «»",
    "\ufeffbom \ufffd \ue000 \U0010ffff \U000e0001",
    "aaaaaaaaaaaaaaaaaaaa      bbbb!!!!!!!!????\n\n\n\n\n",
    "x\u200dy\u200cz \u00ad_a_ _1_",
    "".join(f"{' ' * n}x{chr(10) * n}" for n in range(1, 40)),
)


@cache
def probe_texts() -> tuple[str, ...]:
    """Return the texts: odd ones, and the beginning of each sample."""
    return (*ODD, *(sample(name)[:SAMPLE_CHARACTERS] for name in SAMPLES))


def first_differing_probe_if_any(
    ours: Callable[[str], object],
    theirs: Callable[[str], object],
    special_tokens: Iterable[str] = (),
    *,
    probes: Iterable[str] | None = None,
) -> str | None:
    """Return the first text for which two functions return different things, None if they agree on all.

    The texts are `probes`, by default `probe_texts`, and one that holds each of the special tokens.

    >>> first_differing_probe_if_any(len, lambda text: len(text.encode()))
    '\xa0\u2003\u3000x\x85\u180ey\u200b'
    """
    marked = "".join(f" {token}{token}x" for token in special_tokens)
    texts = (*(probe_texts() if probes is None else probes), marked)
    return next((text for text in texts if ours(text) != theirs(text)), None)
