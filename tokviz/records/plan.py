"""Plans of trainings as plain JSON.

Of the tokenizer that a training starts from, the record has the name if it ships, else all tokens with their ids, which
is the same for one that was trained, opened or extended before.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tokviz import Tokenizer, load
from tokviz.core.bpe import check_tokens_within_limits
from tokviz.core.pretokens import well_formed_text
from tokviz.core.special_tokens import special_tokens_with_ids
from tokviz.formats.pretrained import PRETRAINED
from tokviz.training.parity.parity_aware import ParityAware
from tokviz.training.plan import Plan, Way, check_training_can_continue
from tokviz.training.superwords import Superwords

WAYS: dict[str, type[Way]] = {"plain": Way, "superwords": Superwords, "parity": ParityAware}  # a way's name in JSON


def plan_record(plan: Plan, *, with_texts: bool = True) -> dict[str, Any]:
    """Return a plan as plain JSON, with or without the texts that its way holds.

    >>> plan_record(Plan(300, "gpt2", way=Superwords(280)))["way"]
    {'name': 'superwords', 'superwords_from': 280}
    """
    name = next(name for name, way in WAYS.items() if type(plan.way) is way)
    special, way = plan.special_tokens, plan.way if with_texts else plan.way.without_texts()
    return {
        "vocab_size": plan.vocab_size,
        "split_pattern": plan.split_pattern,
        "special_tokens": dict(special) if isinstance(special, Mapping) else [*special],
        "min_count": plan.min_count,
        "hold_out": plan.hold_out,
        "start": plan.start and record_of_start(plan.start),
        "way": {"name": name, **asdict(way)},
    }


def plan_of_record(record: Any) -> Plan:
    """Return the plan of a record; ValueError, KeyError or TypeError for one that is damaged.

    >>> plan = Plan(300, "gpt2", ["<s>"], way=Superwords(280))
    >>> plan_of_record(plan_record(plan)) == plan
    True
    """
    pattern, way = str(record["split_pattern"]), dict(record["way"])
    start = start_from_record(record["start"], pattern) if record["start"] else None
    return Plan(
        record["vocab_size"],
        pattern,
        record["special_tokens"],
        record["min_count"],
        start,
        WAYS[way.pop("name")].of_record(way),
        bool(record["hold_out"]),
    )


def record_of_start(start: Tokenizer) -> str | dict[str, Any]:
    """Return a tokenizer as plain JSON; the plan has its split pattern.

    >>> import tokviz
    >>> record_of_start(tokviz.load("gpt2"))
    'gpt2'
    """
    if start.name in PRETRAINED:
        return start.name
    ordered = sorted(start.mergeable_ranks.items(), key=lambda item: item[1])
    ids = [token_id for _, token_id in ordered]
    return {
        "name": start.name,
        "tokens": [token.decode("latin-1") for token, _ in ordered],
        "skipped": [later - earlier - 1 for earlier, later in zip([-1, *ids], ids, strict=False)],  # mostly 0
        "special_tokens": start.special_tokens,
        "always_special": sorted(start.always_special),
    }


def start_from_record(record: Any, split_pattern: str) -> Tokenizer:
    """Return the tokenizer of a part of a record; ValueError, KeyError or TypeError for one that is damaged.

    >>> tokenizer = Tokenizer("a", "none", {bytes([i]): 2 * i for i in range(256)}, {"<s>": 9})
    >>> start_from_record(record_of_start(tokenizer), "none") == tokenizer
    True
    """
    if isinstance(record, str):
        return load(record)
    if not isinstance(record, Mapping) or record["name"] in PRETRAINED:  # the record of those is the name alone
        raise ValueError("what training began with is neither a name nor a tokenizer")
    tokens = [str(token).encode("latin-1") for token in record["tokens"]]
    check_tokens_within_limits(tokens)
    ranks: dict[bytes, int] = {}
    token_id = -1
    for token, skipped in zip(tokens, record["skipped"], strict=True):
        token_id += 1 + max(int(skipped), 0)
        ranks[token] = token_id
    special = special_tokens_with_ids(record["special_tokens"], first=0)
    always = [*map(str, record.get("always_special", ()))]
    start = Tokenizer(well_formed_text(str(record["name"])), split_pattern, ranks, special, always)
    check_training_can_continue(start)
    return start
