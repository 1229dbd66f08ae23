"""What the time machine is sent holds every step of a text, and little more than that."""

import base64
import json
from itertools import pairwise

import numpy as np
import pytest
from odd_texts import ODD

import tokviz
from pages.ui.machine_data import GLASS_BYTES_MAX, MachineState, Source, corpus_curve, first_word, glass, history
from pages.ui.records import Trained
from tokviz import trace
from tokviz.bpe import NEVER
from tokviz.samples import SAMPLES, sample


def unpacked(packed: list) -> np.ndarray:
    width, text = packed
    return np.frombuffer(base64.b64decode(text), f"<u{width}").astype(np.int64)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "trained"])
def test_every_step_can_be_read_from_what_is_sent(name, trained):
    tokenizer = trained if name == "trained" else tokviz.load(name)
    text = "".join(f"{name} {name}" for name in tokenizer.special_tokens) + sample("mixed")[:1000] + "".join(ODD)
    kept = trace(tokenizer, text, allowed_special="all")
    sent = history(kept, None)
    gaps = unpacked(sent["gaps"]) - 2
    ids = dict(zip(np.unique(gaps[gaps >= 0]).tolist(), unpacked(sent["ids"]).tolist(), strict=True))
    data, byte_ids, special = sent["text"].encode(), unpacked(sent["byte_ids"]), dict(sent["special"])
    assert special or not tokenizer.special_tokens
    for k in (0, 10, 200, sent["n_merges"]):
        starts = [0, *(np.flatnonzero((gaps == NEVER) | (gaps >= k)) + 1).tolist(), len(data)]
        read = []
        for start, end in pairwise(starts):
            inside = gaps[start : end - 1]
            made = ids[int(inside.max())] if len(inside) and inside.max() >= 0 else int(byte_ids[data[start]])
            read.append(special.get(start, made))
        assert read == kept.ids_at(k)
    assert np.cumsum(unpacked(sent["pretokens"])).tolist() == kept.pretoken_ends.tolist()


@pytest.mark.parametrize("name", SAMPLES)
def test_at_most_16_bytes_are_sent_for_a_byte_of_text(name):
    text = (sample(name) * 6).encode()[:20_000].decode(errors="ignore")
    for tokenizer in ("gpt2", "cl100k_base", "o200k_base"):
        sent = json.dumps(history(trace(tokviz.load(tokenizer), text), None), ensure_ascii=False)
        assert len(sent.encode()) <= 16 * len(text.encode())


def test_a_pretoken_too_long_for_the_glass_is_refused_in_words():
    none = tokviz.Tokenizer("none", "none", {bytes([i]): i for i in range(256)})
    assert "too" not in glass(trace(none, "a" * GLASS_BYTES_MAX), 0).get("error", "")
    assert f"{GLASS_BYTES_MAX + 1} bytes" in glass(trace(none, "a" * (GLASS_BYTES_MAX + 1)), 0)["error"]


def test_the_glass_has_a_tree_for_each_token_and_a_reason_between_them():
    gpt2 = tokviz.load("gpt2")
    text = "two unbelievable words"
    shown = glass(trace(gpt2, text), text.index(" unbel"))
    assert len(shown["trees"]) == len(gpt2.encode(" unbelievable"))
    assert len(shown["apart"]) == len(shown["trees"]) - 1
    # Merges count from 1 on this page.
    last = gpt2.encode(" unbelievable")[-1]
    assert shown["trees"][-1]["rank"] == gpt2.merge_rank(last) + 1


@pytest.mark.parametrize("text", [text for text in ODD if text])
def test_odd_texts_are_answered(text):
    gpt2 = tokviz.load("gpt2")
    state = MachineState()
    state.take(Source(gpt2, text))
    for k in (0, 300, 50_000, 10**9):
        json.dumps(state.answer(k))
    kept = state.trace
    assert first_word(kept) in {0, *kept.pretoken_ends.tolist()}


def test_a_question_about_an_older_text_is_not_answered_about_the_new_one():
    gpt2 = tokviz.load("gpt2")
    state = MachineState()
    state.take(Source(gpt2, "one"))
    state.receive({"client": "a", "n": 1, "made": 1, "k": 7, "word": 0, "step": 7})
    assert state.answer(3)["k"] == 7
    state.take(Source(gpt2, "two words"))
    state.receive({"client": "a", "n": 2, "made": 1, "k": 9, "word": 2, "step": 9})
    assert (state.answer(3)["k"], state.acknowledged) == (3, 2)


def test_a_special_token_is_not_what_the_glass_begins_with_and_has_no_rows():
    gpt2 = tokviz.load("gpt2")
    state = MachineState()
    state.take(Source(gpt2, "<|endoftext|>low", allow_special=True))
    assert state.answer(0)["glass"]["start"] == len("<|endoftext|>")
    assert "no merge" in glass(state.trace, 0)["error"]
    state.take(Source(gpt2, "<|endoftext|>low"))
    assert (state.made, state.answer(0)["glass"]["start"]) == (2, 2)


def test_the_curve_of_a_training_text_begins_with_a_token_a_byte():
    text = sample("english")
    steps = tuple(tokviz.train_steps(text, vocab_size=300))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern="cl100k")
    curve = corpus_curve(Trained(tokenizer, steps, len(text.encode())))
    assert curve[0] == (0, 1.0)
    assert curve[-1] == (44, round(steps[-1].n_tokens / len(text.encode()), 4))
    assert curve[10][1] == pytest.approx(len(tokenizer.truncated(10).encode(text)) / len(text.encode()), abs=1e-4)
