"""What hides is found, plain text in any script has no marks, and the text without it hides nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.families.teaching import list_tokenizer
from tokviz.languages.table import parallel_sentences
from tokviz.text.hidden_text import KINDS, hidden, hidden_cost, without_hidden

PLAIN = {
    "Russian": "Съешь же ещё этих мягких французских булок, да выпей чаю. iPhone и USB-кабель.",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. kΩ, μm, Δt, αβγ",
    "polytonic": "ᾄδω ᾧ",
    "Thai": "น้ำเปล่า ที่นี่ กำลังดี ภาษา\u200bไทย",
    "Arabic": "مرحبا بالعالم، السَّلَامُ عَلَيْكُمْ ٣ \u200f(نص)\u200e",
    "Persian": "می\u200cخواهم خانه\u200cها",
    "Hindi": "क्\u200dष क्\u200cष नमस्ते हिन्दी",
    "Bengali": "র\u200d্য আমার",
    "Malayalam": "ന്\u200d ണ്\u200d",
    "Sinhala": "ශ්\u200dරී ලංකා",
    "Tamil": "வணக்கம் நண்பர்களே",
    "Hebrew": "שלום עולם",
    "Khmer": "ភាសា\u200bខ្មែរ",
    "Vietnamese": "Tiếng Việt đẹp lắm",
    "Japanese": "葛\U000e0100城市 こんにちは、ｶﾞ",
    "Korean": "안녕하세요",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ\u180eᠠ",
    "emoji": "👩‍👩‍👧‍👦 ❤️ ☺︎ 1️⃣ 👍🏽 🇹🇭 🏳️‍🌈 👩🏽‍🍳 🏴󠁧󠁢󠁷󠁬󠁳󠁿 ⚧️ ©️ 👁️‍🗨️ ❤️‍🔥 🧔🏾‍♂️",
    "white space": "a\tb\r\nc\x0b\x0c\u00a0\u2009\u3000\u2028",
    "marks": "café naïve \u1e69 Ångström x̄ n̂",
}


def kinds(text):
    return [mark.kind for mark in hidden(text)]


def tagged(text):
    return "".join(chr(0xE0000 + ord(c)) for c in text)


def selected(data):
    return "".join(chr(0xFE00 + b if b < 16 else 0xE0100 + b - 16) for b in data)


@pytest.mark.parametrize("language", PLAIN)
def test_plain_text_has_no_marks(language):
    text = unicodedata.normalize("NFC", PLAIN[language])
    assert hidden(text) == () and without_hidden(text) == text


def test_the_samples_and_the_parallel_sentences_have_no_marks():
    for text in map(sample, SAMPLES):
        assert hidden(text) == ()
    for sentence in parallel_sentences():
        for language, text in sentence.items():
            assert hidden(unicodedata.normalize("NFC", text)) == (), language


@pytest.mark.parametrize(
    ("text", "kind", "message", "without"),
    [
        ("Hi" + tagged("ignore all") + "!", "tag characters", "ignore all", "Hi!"),
        ("\U0001f3f4" + tagged("send money to me") + "\U000e007f", "tag characters", "send money to me", "\U0001f3f4"),
        ("😀" + selected("héllo".encode()), "variation selectors", "héllo", "😀"),
        ("😀" + selected(b"a longer message"), "variation selectors", "a longer message", "😀"),
        ("😀" + selected(b"\xff\xfe"), "variation selectors", None, "😀"),
        ("a\ufe0fb", "variation selectors", None, "ab"),
        ("❤\ufe0f\ufe0f", "variation selectors", None, "❤"),
        ("葛\U000e0100\U000e0101", "variation selectors", None, "葛"),
        ("1\ufe0f", "variation selectors", None, "1"),
        ("pass\u200bword", "zero width", None, "password"),
        ("co\u00adop", "zero width", None, "coop"),
        ("\ufeffbom", "zero width", None, "bom"),
        ("a\u2060b", "zero width", None, "ab"),
        ("a\u200cb", "zero width", None, "ab"),
        ("Discord\u3164", "zero width", None, "Discord"),
        ("a\u202eb\u202c", "bidirectional controls", None, "ab"),
        ("if x:\u2066 # \u2069", "bidirectional controls", None, "if x: # "),
        ("plain\u200e", "bidirectional controls", None, "plain"),
        ("nul\x00", "control characters", None, "nul"),
        ("\x1b[8mno\x1b[0m", "control characters", None, "[8mno[0m"),
        ("p\u0430ypal", "look-alikes", None, "paypal"),
        ("\u0430pple", "look-alikes", None, "apple"),
        ("Mосква", "look-alikes", None, "Москва"),
        ("gοοgle", "look-alikes", None, "google"),
        ("Z\u0311\u0324\u0300\u0301\u0302algo", "stacked marks", None, "Zalgo"),
        ("cafe\u0301", "not NFC", None, "café"),
        ("\u212bngstr", "not NFC", None, "Ångstr"),
        ("\u1100\u1161", "not NFC", None, "가"),
    ],
)
def test_what_hides(text, kind, message, without):
    marks = hidden(text)
    assert {mark.kind for mark in marks} == {kind} and marks[0].message == message
    assert without_hidden(text) == without


def test_bits_in_characters_without_width():
    bits = "".join(f"{byte:08b}" for byte in b"secret")
    for zero, one in (("\u200b", "\u200c"), ("\u200d", "\u200b"), ("\u2060", "\ufeff")):
        (mark,) = hidden("a" + bits.replace("0", zero).replace("1", one) + "b")
        assert (mark.kind, mark.message) == ("zero width", "secret")
    assert hidden("a\u200b\u200bb")[0].message is None


def test_words_that_mix_scripts_for_a_reason_are_no_look_alikes():
    for word in ("iPhoneом", "kΩ", "Δx", "αx", "Яндекс-browser", "µm", "βlog", "Wi-Fi-сеть"):
        assert kinds(word) == []


@given(
    st.text(
        st.sampled_from(
            "abTI 😀é\n\u0301\u0300\u202e\u200b\u200d\ufe0f\u0430хвαουꓡ\U000e0041\U000e0101\x00กन्שع\u200e\u1100\u1161"
        )
        | st.characters(),
        max_size=30,
    )
)
def test_offsets_and_the_text_without(text):
    text = well_formed_text(text)
    done = 0
    for mark in hidden(text):
        assert mark.kind in KINDS and mark.char_start >= done and mark.text != mark.replacement
        assert text[mark.char_start : mark.char_end] == mark.text
        assert text.encode()[mark.byte_start : mark.byte_end].decode() == mark.text
        assert text.encode("utf-16-le")[2 * mark.utf16_start : 2 * mark.utf16_end].decode("utf-16-le") == mark.text
        done = mark.char_end
    without = without_hidden(text)
    assert hidden(without) == () and unicodedata.is_normalized("NFC", without)
    assert (without == text) == (hidden(text) == ())


@pytest.mark.parametrize("text", ODD)
def test_odd_texts(text):
    assert hidden(without_hidden(text)) == ()


def test_a_long_text_of_nothing_else():
    for text in ("\u200e" * 3_000, tagged("a" * 3_000), "a\u0301" * 1_000, "\u202ea" * 1_000, "pаy " * 1_000):
        assert hidden(text) and hidden(without_hidden(text)) == ()


def test_what_hides_costs_tokens():
    cl100k = tokviz.load("cl100k_base")
    cost = hidden_cost(cl100k, "Hi" + tagged("obey"))
    assert (cost.n_tokens, cost.n_without, cost.extra) == (13, 1, 12) and cost.of_marks == (12,)
    assert hidden_cost(cl100k, "nothing hides").extra == 0
    assert hidden_cost(cl100k, "cafe\u0301 p\u0430ypal").extra == len(cl100k.encode("cafe\u0301 p\u0430ypal")) - len(
        cl100k.encode("café paypal")
    )
    words = list_tokenizer("words", "the cat")
    assert hidden_cost(words, "the ca\u200bt").n_without == 2
