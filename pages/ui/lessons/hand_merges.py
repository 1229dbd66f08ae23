"""Byte pair encoding by hand: the learner chooses a pair, round after round, until no pair occurs twice."""

import streamlit as st

from pages.ui.lessons.links import show_link_menu
from pages.ui.lessons.prediction import check_guess_if_given, show_selection
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import NamedQuestion, mark_exercise_answered, sitting
from tokviz.exercises import Block, Choice, Lines, Plain, Scene, Table, piece_line, rounds_until_wrong_pair
from tokviz.exercises.hand_merges import Pair, Round, n_times_joined, pair_text, possible_final_pieces_if_few
from tokviz.exercises.lines import times_text
from tokviz.text.glyphs import visible_token

OPTIONS_MAX = 24  # pairs to choose from; a longer text has more, without the rarest
MERGES_ON_SLIDE = 4
MOST_COUNTED = 8  # pairs whose counts are shown after a wrong guess


def show_hand_merging(scene: Scene, key: str, text: str, reveal_key: str | None = None) -> None:
    """Show the rounds so far, and the next one or the end.

    A slide, where a key checks the guess, has no links, and at most the text and the last merges.
    """
    chosen = sitting().chosen.get((key, text), [])
    played = rounds_until_wrong_pair(text, chosen)
    labels = ["the text", *(f"merge {n}: {pair_text(pair)}" for n, pair in enumerate(chosen, 1))]
    lines = [piece_line(label, one.pieces, "tokens") for label, one in zip(labels, played, strict=True)]
    if reveal_key:
        lines = [lines[0], *lines[1:][-MERGES_ON_SLIDE:]]
    show_blocks([Lines(*lines)], key=f"rounds {key}")
    if chosen and (played[-1].top_repeated_pairs or not reveal_key):  # the end of a game fills a slide
        before = played[-2]
        right = "Right: " if (key, text, "|".join(before.pieces)) in sitting().checked else ""
        show_blocks([Plain(right + _merge_sentences(before, chosen[-1]))], key=f"merged {key}")
    if played[-1].top_repeated_pairs:
        _show_round(played[-1], key, text, len(chosen) + 1, reveal_key)
        return
    show_blocks(_ending_blocks(played, text), key=f"answer {key}")
    if not reveal_key:
        show_link_menu(scene.links, key=key)
        _show_start_over_button_if_begun(key, chosen)


def _show_start_over_button_if_begun(key: str, chosen: list[Pair]) -> None:
    """Show the button that undoes all merges, if there are any."""
    if chosen:
        st.button("Start over", key=f"_again_{key}", type="tertiary", on_click=chosen.clear)


def _show_round(one: Round, key: str, text: str, number: int, reveal_key: str | None) -> None:
    """Show the pairs to choose from, and after a wrong guess how often each occurs in the text."""
    question = _round_question(one, number)
    asked = NamedQuestion(question, (key, text, "|".join(one.pieces)))
    st.markdown(question.ask)
    with st.container(key=f"selected {key}"):
        show_selection(asked, question, open_=False)
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.button("Check", key=f"_reveal_{key}", type="primary", on_click=_check_and_merge_unless_wrong,
                      args=(one, asked), shortcut=reveal_key)  # fmt: skip
            if not reveal_key:  # on a slide Back takes merges back
                _show_start_over_button_if_begun(key, sitting().chosen.get((key, text), []))
    if sitting().score.get(asked.name) is False and not reveal_key:
        pairs = _most_frequent_pairs(one, MOST_COUNTED)
        show_blocks([Table(("pair", "times"), tuple((pair_text(pair), one.counts[pair]) for pair in pairs))],
                    key=f"counts {key}")  # fmt: skip


def _most_frequent_pairs(one: Round, n: int) -> list[Pair]:
    """Return the n pairs that occur most often."""
    return sorted(one.counts, key=one.counts.__getitem__, reverse=True)[:n]


def _round_question(one: Round, number: int) -> Choice:
    """Return the question of a round: which pair to merge."""
    offered = _most_frequent_pairs(one, OPTIONS_MAX)
    pairs = [pair for pair in one.counts if pair in offered]
    return Choice(
        f"Merge {number}: which pair occurs most often?",
        tuple(map(pair_text, pairs)),
        frozenset(map(pair_text, one.top_repeated_pairs)),
        {pair_text(pair): _count_comparison_sentence(one, pair) for pair in pairs},
    )


def _check_and_merge_unless_wrong(one: Round, asked: NamedQuestion) -> None:
    """Score the first guess, and make the merge of a right one; without a guess, make the usual merge."""
    check_guess_if_given(asked)
    guess = sitting().guesses.get(asked.name)
    pair = next((pair for pair in one.top_repeated_pairs if guess is None or pair_text(pair) == guess), None)
    if pair is not None:
        _merge(pair, *asked.name[:2])


def _merge(pair: Pair, key: str, text: str) -> None:
    """Make a merge; after the last one the exercise is answered."""
    chosen = sitting().chosen.setdefault((key, text), [])
    chosen.append(pair)
    if not rounds_until_wrong_pair(text, chosen)[-1].top_repeated_pairs:
        mark_exercise_answered(key)


def make_next_merge(key: str, text: str) -> bool:
    """Make the usual merge, and return whether there was one left."""
    pairs = rounds_until_wrong_pair(text, sitting().chosen.get((key, text), []))[-1].top_repeated_pairs
    if pairs:
        _merge(pairs[0], key, text)
    return bool(pairs)


def take_last_merge_back(key: str, text: str) -> bool:
    """Take the last merge back, and return whether there was one."""
    chosen = sitting().chosen.get((key, text), [])
    return bool(chosen and chosen.pop())


def _count_comparison_sentence(one: Round, pair: Pair) -> str:
    """Say how often a pair that is not among the best occurs, and how often the best do."""
    best = one.top_repeated_pairs[0]
    count, most = times_text(one.counts[pair]), times_text(one.counts[best])
    return f"{pair_text(pair)} occurs {count}, {pair_text(best)} {most}."


def _merge_sentences(before: Round, pair: Pair) -> str:
    """Say how often the pair of the last merge occurred, and why fewer were joined where it overlaps itself."""
    words, count, joined = pair_text(pair), before.counts[pair], n_times_joined(before.pieces, pair)
    if joined == count:
        return f"{words} occurred {times_text(count)}."
    one = visible_token(pair[0].encode())
    return (
        f"{words} occurred {times_text(count)}, but the merge joined it only {times_text(joined)}. {3 * one} "
        f"holds {words} twice, and the two share the {one} in the middle: join one, and the other is gone."
    )


def _ending_blocks(played: list[Round], text: str) -> list[Block]:
    """Return in words how it ended, and which ties there were."""
    last = played[-1].pieces
    words = [f"No pair occurs twice now. {len(text):,} characters have become {len(last)} tokens."]
    for number, one in enumerate(played, 1):
        if len(one.top_repeated_pairs) > 1:
            tied = " and ".join(map(pair_text, one.top_repeated_pairs))
            words.append(
                f"At merge {number}, {tied} tied, so each is right. The usual implementation takes the one that comes "
                f"first in the text, {pair_text(one.top_repeated_pairs[0])}."
            )
    everywhere = possible_final_pieces_if_few(text)
    if len(everywhere) == 1 and len(words) > 1:
        words.append(
            f"Here every order ends in the same {len(last)} tokens. In a longer text a tie can change the result."
        )
    elif len(everywhere) > 1:
        words.append(f"Here ties lead to {len(everywhere)} different results. Yours is one of them.")
    return [Plain("\n".join(words))]
