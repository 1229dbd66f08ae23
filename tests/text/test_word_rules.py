"""Words by rules: those of spaCy, and on a page of English the same without it."""

from importlib.util import find_spec

import pytest
from each import each
from odd_texts import ODD

from tokviz.core.pretokens import well_formed_text
from tokviz.text.word_rules import words_by_few_rules, words_by_spacy_or_few_rules

PAGE = """\
The letter that Mrs. Albright found under the doormat wasn’t signed, and nobody’s handwriting on Mill Street looked
anything like it. “I can’t read half of it,” she told her brother-in-law over breakfast. “It’s either a recipe or a
threat.”

Dr. Kerr, who had come by at 9:30 for the rent, put on his glasses. ‘You’ll laugh,’ he said, ‘but I’m almost sure it’s
both.’ The first line was easy enough: three eggs, 250 grams of sugar, and 1,500 well-chosen words about the neighbours’
dog. After that the ink had run… He turned the page over. There wasn't anything on the back -- only a number, 4.75, and
the word "cannot", underlined twice.

"They've been at it again," said her brother-in-law, who'd lived in the U.S. until 2009 and hadn't trusted anybody's
post since COVID-19. "Don't touch the envelope! We should've called somebody yesterday." He took a well-worn
notebook out of his pocket and read aloud the message his daughter had sent: dont worry dad, we arent late, the
train isnt even here yet, gonna eat first. He couldn't see what was wrong with it, and he'd rather not have asked.

Mr. and Mrs. Oduya, from the second-floor flat, hadn’t heard a thing. They'd gone to bed at ten o’clock (she’s an early
riser, i.e. up before the birds), and what’s more, they weren’t the sort of people who’d write letters: "If we've got
something to say, we'll say it." Their son, aged 11, would have been a likelier suspect; but he wouldn’t have spelled
“marzipan” right, would he?

It was J. Prentice, the half-retired postman, who cleared it up, e.g. by pointing out that the stamp had cost $1.20 in
1987. “That’s forty-odd years late,” he said. “You mustn’t blame the village. We’re slow – not that slow – but somebody
must’ve dropped it behind a radiator. Let’s see: ‘Prof. Albright, St. Anne’s Road, 12 p.m. sharp.’ Isn’t that your
grandfather?” She hadn’t known that he’d baked. By five o'clock, 3/4 of the cake was gone, and y’all can guess whose
dog had eaten 50% of that.
"""
needs_spacy = pytest.mark.skipif(find_spec("spacy") is None, reason="spaCy is not installed")


@needs_spacy
@pytest.mark.slow
def test_on_a_page_of_english_the_few_rules_cut_as_spacy_does():
    import spacy

    expected = [token.text for token in spacy.blank("en")(PAGE) if not token.is_space]
    assert words_by_spacy_or_few_rules(PAGE) == expected
    assert words_by_few_rules(PAGE) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nobody’s nobody's", ["nobody", "’s", "nobody", "'s"]),
        ("don’t don't dont", ["do", "n’t", "do", "n't", "do", "nt"]),
        ("I can’t; you cannot.", ["I", "ca", "n’t", ";", "you", "can", "not", "."]),
        ("a state-of-the-art oven", ["a", "state", "-", "of", "-", "the", "-", "art", "oven"]),
        ("They’re sure we’d’ve won’t", ["They", "’re", "sure", "we", "’d", "’ve", "wo", "n’t"]),
        ("Mr. Ho, of the U.S., paid $3.50.", ["Mr.", "Ho", ",", "of", "the", "U.S.", ",", "paid", "$", "3.50", "."]),
        ("GPT-4o, UTF-8 and pages 3-4", ["GPT-4o", ",", "UTF-8", "and", "pages", "3", "-", "4"]),
        ("I want a front seat; it went.", ["I", "want", "a", "front", "seat", ";", "it", "went", "."]),
    ],
)  # fmt: skip
def test_words_by_either_rules(text, words):
    assert words_by_few_rules(text) == words
    assert words_by_spacy_or_few_rules(text) == words


@pytest.mark.slow
@each("text", [*ODD, "a" * 2_000, "(" * 2_000, "a’" * 1_000])
def test_nothing_but_white_space_is_lost(text):
    text = well_formed_text(text)
    for rules in (words_by_spacy_or_few_rules, words_by_few_rules):
        assert "".join("".join(rules(text)).split()) == "".join(text.split())
