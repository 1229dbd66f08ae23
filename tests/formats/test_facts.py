"""Facts about tokenizers: special tokens have the ids that their makers give them, and patterns are known."""

import re

import pytest

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.formats.extras import EXTRAS
from tokviz.formats.facts import FACTS

WITH_TOKENS = [
    pytest.param(facts["special_tokens"], id=f"{table} {name[:12]}")
    for table, rows in FACTS.items()
    for name, facts in rows.items()
    if "special_tokens" in facts
]


def of_ranks(maker: str) -> dict[str, int]:
    return next(facts["special_tokens"] for facts in FACTS["ranks"].values() if facts["maker"] == maker)


def test_special_tokens_have_the_ids_of_their_makers():
    llama3, llama4 = EXTRAS["llama3"].special_tokens, EXTRAS["llama4"].special_tokens
    assert (len(llama3), llama3["<|eot_id|>"], llama3["<|reserved_special_token_245|>"]) == (256, 128009, 128255)
    assert (len(llama4), llama4["<|eot|>"], llama4["<|patch|>"]) == (2048, 200008, 200092)
    assert llama4["<|reserved_special_token_903|>"] == 202047
    assert (len(of_ranks("Qwen")), of_ranks("Qwen")["<|extra_204|>"]) == (208, 151850)
    assert (len(of_ranks("Qwen 3.5")), of_ranks("Qwen 3.5")["<think>"]) == (33, 248068)


@pytest.mark.parametrize("tokens", WITH_TOKENS)
def test_no_two_special_tokens_have_one_id_and_no_range_is_left_in_a_name(tokens):
    assert len({*tokens.values()}) == len(tokens) and not any(re.search("[{}]|\\.\\.", name) for name in tokens)


def test_split_patterns_are_named_and_every_expression_compiles():
    facts = [facts for rows in FACTS.values() for facts in rows.values()]
    assert {each["split_pattern"] for each in facts if "split_pattern" in each} <= SPLIT_PATTERNS.keys()
    found = [re.compile(each[key]) for each in facts for key in ("models", "relatives", "names") if key in each]
    assert len(found) > 20
