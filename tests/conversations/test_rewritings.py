"""What differs between two texts of a chat."""

from itertools import product

from tokviz.conversations.rewritings import changed_runs


def test_every_word_sign_and_special_token_that_only_one_of_two_texts_has_is_marked_in_it():
    old, new = "<|im_start|>user\nIs 17 prime?<|im_end|>\n", "<|start|>user<|message|>Is 17 prime?<|end|>"
    marked = [[text for text, is_marked in runs if is_marked] for runs in changed_runs(old, new)]
    assert marked == [["<|im_start|>", "\n", "<|im_end|>\n"], ["<|start|>", "<|message|>", "<|end|>"]]
    assert changed_runs("same", "same") == ([("same", False)], [("same", False)])
    assert changed_runs("", "all of it") == ([], [("all of it", False)])


def test_the_runs_of_each_text_are_the_whole_of_it_and_what_is_shared_is_the_same_in_both():
    texts = ("", "<think>\n\n</think>👩‍🍳 ที่นี่", "a b a b c", "b <|end|>a\n\nc", "\ud800 a")
    for pair in product(texts, repeat=2):
        runs = changed_runs(*pair)
        assert tuple("".join(text for text, _ in each) for each in runs) == pair
        if "" not in pair:
            shared, again = ("".join(text for text, is_marked in each if not is_marked) for each in runs)
            assert shared == again
