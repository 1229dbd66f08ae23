"""What changes from one tokenizer to another: each figure is that of the tokenizers, and each rule has its own line."""

import pytest
from odd_texts import ODD

import tokviz
from tokviz.core.bpe import ranks_from_merges
from tokviz.display.saved_page import report_html, report_page
from tokviz.families.teaching import list_tokenizer
from tokviz.vocabulary.replacement import line_texts, replacement_report, sample_texts

RANKS = ranks_from_merges([(108, 111), (256, 119), (32, 257), (49, 50), (32, 32)])  # lo, low, " low", 12, two spaces
OTHER = ranks_from_merges([(111, 119), (108, 256), (32, 257), (49, 50), (32, 32)])  # ow, low, " low", 12, two spaces


PLAIN = tokviz.Normalizer()


def toy(pattern="gpt2", ranks=RANKS, special=None, always=(), takes_whole=True, normalizer=PLAIN):
    return tokviz.Tokenizer("toy", pattern, ranks, special, always, takes_whole, normalizer)


LEFT = toy()


def report(right, texts=(), left=LEFT):
    sections = replacement_report(left, right, texts, names=("A", "B"))
    return {heading: lines for heading, lines in sections.items() if lines != ["no difference"]}


@pytest.mark.parametrize(
    ("right", "heading", "line"),
    [
        (toy(pattern="none"), "Rules", "split pattern: 'gpt2' → 'none'; "),
        (toy(ranks=OTHER), "Rules", "merges: '5' → '5'; "),
        (toy(takes_whole=False), "Rules", "pretokens that are tokens: 'taken whole' → 'merged'; "),
        (toy(normalizer=tokviz.Normalizer("NFC")), "Rules", "normalizer: 'none' → 'Unicode form NFC'; "),
        (toy(special={"<s>": 300}), "Special tokens", "1 only in B: '<s>' 300"),
    ],
)
def test_one_rule_that_differs_is_the_only_one_named(right, heading, line):
    found = report(right)
    first, *others = [each for each in found if each != "From A to B" and each != "Tokens and ids"]
    assert (first, others) == (heading, []) and len(found[heading]) == 1
    assert found[heading][0].startswith(line)


def test_a_rule_that_matters_only_after_special_tokens_is_shown_there():
    first, each = (toy(normalizer=tokviz.Normalizer(prefix=prefix)) for prefix in ("first", "each"))
    found = report(each, [("text", "low")], left=first)
    assert found["Rules"][0].endswith("; '<special>': '<special>' → '<special>' ' '")


def test_of_two_rules_that_differ_each_has_the_text_that_it_alone_changes():
    alone = [report(right)["Rules"][0] for right in (toy(pattern="none"), toy(ranks=OTHER))]
    assert report(toy(pattern="none", ranks=OTHER))["Rules"] == alone and alone[0][-5:] != alone[1][-5:]


def test_special_tokens_with_other_ids_and_those_that_always_match():
    left, right = toy(special={"<s>": 300, "<t>": 299}), toy(special={"<s>": 301, "<t>": 299}, always=("<s>",))
    found = report(right, left=left)
    assert found["Special tokens"] == ["1 with other ids: '<s>' 300 → 301"]
    assert found["Rules"] == ["only one recognises in every text: '<s>': '<' 's' '>' → '<s>': <s>"]


def test_the_same_tokenizer_is_said_to_be_the_same_in_one_line():
    assert report(toy(), [("text", text) for text in ODD]) == {
        "From A to B": ["Nothing changes: tokens, ids, special tokens and rules are the same."]
    }


def test_texts_that_grow_and_shrink_most_come_first():
    texts = [("same", "x"), ("shrinks", "one two"), ("grows", "low low"), ("grows less", "low xxx"), ("none", "")]
    right = tokviz.train("one two one two", vocab_size=260, split_pattern="gpt2")
    found = report(right, texts)
    counts = {name: (len(LEFT.encode(text)), len(right.encode(text))) for name, text in texts}
    assert counts["grows"] == (2, 7) and counts["grows less"] == (5, 7) and counts["shrinks"] == (7, 3)
    assert found["Texts"] == [
        "2 grow, 1 shrink",
        "grows: 2 → 7 tokens (+250.0%)",
        "grows less: 5 → 7 tokens (+40.0%)",
        "shrinks: 7 → 3 tokens (-57.1%)",
    ]
    assert found["From A to B"] == ["5 texts: 15 → 18 tokens (+20.0%)"]


def test_runs_are_counted_by_their_cuts():
    text = "    x = 1212  # 12\n\n\n  12"
    right = toy(pattern=r"\d|\n|[^\d\n]+")
    assert report(right, [("text", text)])["Digits and white space"] == [
        "runs of digits: 3 of 3 cut differently, 4 → 8 tokens, the longest of 2 → 1 character; "
        "'1212': '12' '12' → '1' '2' '1' '2'",
        "indentation: 2 of 2 cut differently, 5 → 3 tokens, the longest of 2 → 2 characters; '    ': '  ' ' ' ' ' "
        "→ '  ' '  '",
        "runs of spaces: 1 of 1 cut differently, 2 → 1 token, the longest of 1 → 2 characters; '  ': ' ' ' ' → '  '",
    ]


def test_a_rule_is_proved_by_the_first_of_the_texts_or_by_a_token():
    right = toy(pattern=r"\d|\D+")
    assert report(right, [("a", "low"), ("b", "x 12")])["Rules"] == [
        "split pattern: 'gpt2' → '\\\\d|\\\\D+'; '12': '12' → '1' '2'"
    ]
    rare = tokviz.train("zq zq", vocab_size=257, split_pattern="gpt2")
    common = tokviz.train("jx jx", vocab_size=257, split_pattern="gpt2")
    assert report(common, left=rare)["Rules"] == ["merges: '1' → '1'; 'jx': 'j' 'x' → 'jx'"]


def test_the_search_for_a_token_where_a_rule_matters_ends_in_time(monkeypatch):
    assert report(toy(takes_whole=False))["Rules"][0].endswith("; no text was found where it matters")
    monkeypatch.setattr("tokviz.vocabulary.replacement.SEARCH_SECONDS", 0)
    assert report(toy(takes_whole=False))["Rules"][0].endswith("; no text was found in 0 seconds")


def test_another_family_gets_what_is_known_and_a_line_about_the_rest():
    words = list_tokenizer("words", "the cat sat")
    found = report(words, sample_texts()[:1])
    assert found["From A to B"][1] == f"Not all rules are compared: words is {words.kind}."
    assert found["Rules"] == [f"family: {LEFT.kind} → {words.kind}"] and found["Texts"] and found["Tokens and ids"]
    same = report(list_tokenizer("words", "the cat sat"), left=words)["From A to B"]
    assert same[0] == "Nothing changes: tokens, ids and special tokens are the same." and len(same) == 2


def test_lines_of_a_text_are_all_of_it():
    assert list(line_texts("a\n\n  \n  b\nc")) == [
        ("line 1, 'a'", "a\n\n  \n"),
        ("line 4, 'b'", "  b\n"),
        ("line 5, 'c'", "c"),
    ]
    for text in ODD:
        assert "".join(line for _, line in line_texts(text)) == text


def test_a_report_on_a_page_holds_no_markup_of_its_texts():
    sections = {"<b>": ["<script>alert(1)</script>", "a & b"]}
    assert "<script" not in report_html(sections) and "a &amp; b" in report_html(sections)
    page = report_page(sections)
    assert "<title>&lt;b&gt;</title>" in page and "default-src 'none'; style-src 'sha256-" in page
