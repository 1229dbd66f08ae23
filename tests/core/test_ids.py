"""Ids pasted with whatever stands between them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.core.ids import ids_and_other_entries

IDS = st.lists(st.integers(0, 200_000))


@given(IDS, st.sampled_from([" ", ", ", "\n", ";", " | ", "\t", "，", "、", "/"]))
def test_ids_come_back_whatever_separates_them(ids, separator):
    assert ids_and_other_entries(separator.join(map(str, ids))) == (ids, [])


@given(IDS)
def test_a_json_list_and_a_python_list_are_read(ids):
    assert ids_and_other_entries(json.dumps(ids)) == ids_and_other_entries(repr(ids)) == (ids, [])


@pytest.mark.parametrize("entry", ["-1", "1.5", "0x1f", "1e3", "hello", "๑๒", "１２", "9" * 13, "\ud83d"])
def test_what_is_no_id_is_named(entry):
    assert ids_and_other_entries(f"1 {entry} 2") == ([1, 2], [entry])
