"""Some damaged files of each kind; `mutations.py` tries as many as one likes."""

import pytest
from mutations import KINDS, originals, outcome, tried


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_damaged_files_end_in_a_tokenizer_or_a_refusal(kind):
    assert set(originals()) == set(KINDS)
    assert outcome(kind, originals()[kind]) not in ("refused", "nothing in it")
    told = []
    ends = tried(kind, range(60), told.append)
    assert not told and "TOO LARGE" not in ends, told
    assert ends["refused"]
