"""A server connects to no other host and looks up no name, whatever address it serves and whoever asks."""

from pathlib import Path

import pytest
from server.asking import answer, handshake
from serving import serving

SPY = Path(__file__).parent / "spy"
FRIEND = "https://friend.example"


@pytest.mark.parametrize("served", ["127.0.0.1", pytest.param("0.0.0.0", marks=pytest.mark.slow)])
def test_it_asks_nobody_anything(served, tmp_path):
    notes = tmp_path / "notes"
    notes.touch()
    options = ["--server.address", served, "--server.corsAllowedOrigins", FRIEND]
    with serving("app.py", *options, PYTHONPATH=str(SPY), TOKVIZ_SPY=str(notes)) as address:
        for _ in range(5):
            assert handshake(address, Origin="http://foreign.example") == 403
        assert handshake(address, Origin=FRIEND) == 101
        assert handshake(address, Origin=address) == 101
        assert handshake(address) == 101
        assert answer(address, "/_stcore/health", Origin="http://foreign.example").status == 403
        assert answer(address, "/_stcore/host-config", Origin=address).status == 200
    assert [line for line in notes.read_text().splitlines() if "'127.0.0.1'" not in line] == []
