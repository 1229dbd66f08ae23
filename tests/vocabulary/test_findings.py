"""What an audit finds, as bits: those of the audit itself, kept for the pretrained tokenizers as they are computed."""

import json

import numpy as np
import pytest
from vocabularies import NAMES

import tokviz
from tokviz.families.teaching import list_tokenizer
from tokviz.formats.pretrained import PRETRAINED
from tokviz.system.recent import forget_unused
from tokviz.vocabulary.audit import FINDINGS, audit
from tokviz.vocabulary.findings import (
    FORMATS,
    audit_report,
    findings,
    findings_if_known,
    findings_of_audit,
    stored_findings,
)
from tokviz.vocabulary.reach import reach

GPT2 = tokviz.load("gpt2")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_pinned_is_what_an_audit_finds(name):
    computed, kept = findings_of_audit(audit(tokviz.load(name))), stored_findings(name)
    assert np.array_equal(computed.ids, kept.ids) and np.array_equal(computed.bits, kept.bits)
    assert computed.special == kept.special and computed.counts == kept.counts


def test_the_counts_of_the_pretrained_tokenizers():
    assert [stored_findings(name).counts["not UTF-8 alone"] for name in PRETRAINED] == [344, 773, 1_562]
    assert [stored_findings(name).counts["own text encodes to others"] for name in PRETRAINED] == [0, 0, 12]
    (in_context,) = (
        i for i in stored_findings("o200k_base").ids_with("own text encodes to others")
        if i in stored_findings("o200k_base").ids_with("only in context")
        and tokviz.load("o200k_base").decode([i]) == " 亚洲AV"
    )  # fmt: skip
    assert in_context == 99_494


@pytest.mark.slow
def test_each_finding_has_the_tokens_that_the_audit_names(trained):
    found, audited = findings(trained), audit(trained)
    for name, (words, is_so) in FINDINGS.items():
        assert found.ids_with(name).tolist() == [token.token_id for token in audited.tokens if is_so(token)]
        assert words.endswith(".")
    assert found.counts == {name: n for name, n in audited.summary.items() if name in FINDINGS}


def test_what_is_known_needs_no_audit():
    assert findings_if_known(GPT2) is stored_findings("gpt2")
    other = tokviz.train("low lower lowest", vocab_size=260, name="gpt2")  # of the same name
    forget_unused(0)
    assert findings_if_known(other) is None
    assert findings(other) is findings_if_known(other)
    assert findings_if_known(list_tokenizer("words", "the cat")) is None
    with pytest.raises(ValueError, match="byte-level BPE"):
        findings(list_tokenizer("words", "the cat"))


def test_how_a_token_occurs_is_told_of_those_that_do_not_stand_alone():
    found = stored_findings("gpt2")
    never, part = int(found.ids_with("never")[0]), int(found.ids_with("only in context")[0])
    assert found.reach_if_not_alone(GPT2, never) == reach(GPT2, GPT2.token_bytes(never))
    assert found.reach_if_not_alone(GPT2, part).reach == "in context"
    assert found.reach_if_not_alone(GPT2, 262) is None and found.reach_if_not_alone(GPT2, 50_256) is None


@pytest.mark.slow
def test_a_report_is_made_in_each_format(trained):
    for kind, write in FORMATS.items():
        assert audit_report(trained, kind) == write(audit(trained))
    assert json.loads(audit_report(trained, "JSON"))["summary"] == audit(trained).summary
