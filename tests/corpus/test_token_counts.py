"""Counting the documents of a data set: what `encode` gives, and for chats what their prompts have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz.chats.chatml import END, START
from tokviz.chats.formats import ChatML, Harmony, Template
from tokviz.chats.prompt import ROLES, Message, prompt_spans, shares
from tokviz.chats.teaching import TEMPLATES
from tokviz.core.samples import sample
from tokviz.corpus.documents import Chat, PlacedDocument, PromptPair
from tokviz.corpus.figures import dataset_record, histogram_rows
from tokviz.corpus.token_counts import OTHER_ROLES, SCAFFOLDING, DatasetCount
from tokviz.families.teaching import list_tokenizer

FORMATS = [ChatML(), Harmony(), Template("Headings", TEMPLATES["Headings"])]
SMALL = tokviz.train(sample("mixed"), vocab_size=400, special_tokens=["<|endoftext|>"])  # made and marked at once
texts = st.sampled_from([*ODD, "", "3221+2334", START, "<|endoftext|>"]) | st.text(max_size=40)
chats = st.lists(st.tuples(st.sampled_from([*ROLES, "developer"]), texts), min_size=1, max_size=6)


def counted(documents, tokenizer=None, chat_format=FORMATS[0]) -> DatasetCount:
    count = DatasetCount(tokenizer or tokviz.load("gpt2"), chat_format)
    count.count_batch([PlacedDocument("a.jsonl", line, document) for line, document in enumerate(documents, 1)])
    return count


@given(st.lists(texts | st.builds(PromptPair, texts, texts), max_size=8))
def test_texts_and_pairs_have_the_tokens_of_encode(documents):
    encode = tokviz.load("gpt2").encode
    tokens = counted(documents).tokens
    found = {"text": 0, "prompt": 0, "completion": 0}
    for document in documents:
        if isinstance(document, str):
            found["text"] += len(encode(document))
        else:
            found["prompt"] += len(encode(document.prompt))
            found["completion"] += len(encode(document.completion))
    assert {part: tokens.by_part[part] for part in found} == found
    assert tokens.n_tokens == sum(found.values()) and tokens.n_documents == len(documents)


@pytest.mark.parametrize("chat_format", FORMATS, ids=lambda each: each.name)
@given(given_chats=st.lists(chats, min_size=1, max_size=3))
def test_a_chat_has_the_tokens_of_its_prompt(chat_format, given_chats):
    tokenizer = chat_format.tokenizer(SMALL)
    documents = [Chat(tuple(Message(*each) for each in chat)) for chat in given_chats]
    count = counted(documents, SMALL, chat_format)
    expected = dict.fromkeys([*ROLES, OTHER_ROLES, SCAFFOLDING], 0)
    for chat in documents:
        prompt = chat_format.prompt(chat.messages, reply=False)
        spans = prompt_spans(tokenizer, prompt)
        before, of_messages, reply = shares(prompt, spans)
        expected[SCAFFOLDING] += before.n_scaffolding + reply.n_scaffolding
        for message, share in zip(chat.messages, of_messages, strict=True):
            if share is not None:
                role = message.role if message.role in ROLES else OTHER_ROLES
                expected[role] += share.n_tokens - share.n_scaffolding
                expected[SCAFFOLDING] += share.n_scaffolding
    assert {part: count.tokens.by_part[part] for part in expected} == expected and not count.uncounted
    assert count.tokens.n_tokens == sum(expected.values())


def test_a_marker_that_somebody_typed_is_text():
    count = counted([START, Chat((Message("user", f"{END}{START}"),))], tokviz.load("cl100k_base"))
    parts = count.tokens.by_part
    assert parts["text"] == len(tokviz.load("cl100k_base").encode(START)) > 1
    assert parts["user"] > 2 and parts[SCAFFOLDING] == 5  # two markers, the role, two line ends


def test_what_a_format_refuses_is_named_and_the_rest_is_counted():
    strict = Template("Strict turns", TEMPLATES["Strict turns"])
    refused = Chat((Message("assistant", "Hi!"),))
    count = counted(["low", refused, Chat((Message("user", "Hi!"),))], chat_format=strict)
    (bad,) = count.uncounted
    assert (bad.file, bad.line, count.n_uncounted) == ("a.jsonl", 2, 1)
    assert bad.reason.startswith("not counted under gpt2: ") and "take turns" in bad.reason
    assert count.tokens.n_documents == 2


def test_a_tokenizer_that_cannot_have_the_markers_counts_texts_alone():
    words = list_tokenizer("words", sample("english"))
    count = counted(["the end", Chat((Message("user", "Hi!"),))] * 3, words)
    assert (count.tokens.n_documents, count.n_uncounted) == (3, 3)
    assert "byte-level BPE" in count.uncounted[0].reason


def test_a_text_whose_pattern_does_not_end_leaves_the_others_counted(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.1)
    hostile = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    count = counted(["b", "a" * 60 + "b", "bb"], hostile)
    assert (count.tokens.n_tokens, [bad.line for bad in count.uncounted]) == (3, [2])


def test_the_histograms_of_tokenizers_share_their_bins():
    counts = [counted(["a", "a" * 900]), counted([])]
    rows = histogram_rows(counts)
    assert [sum(numbers) for numbers in zip(*(numbers for _, numbers in rows), strict=True)] == [2, 0]
    assert (
        dataset_record("none", counts[1], 8)["histogram"] == []
        and dataset_record("none", counts[1], 8)["median"] is None
    )
