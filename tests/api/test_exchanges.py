"""What unchanged clients of vLLM, llama.cpp and OpenAI sent to this server, and what they needed of its answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tokviz.api.routes import api_routes

# "needs" has the part of each answer that the client reads.
EXCHANGES = json.loads((Path(__file__).parent / "exchanges.json").read_text("utf-8"))


def has(found: Any, needed: Any) -> bool:
    if isinstance(needed, dict):
        return isinstance(found, dict) and all(name in found and has(found[name], needed[name]) for name in needed)
    if isinstance(needed, list) and needed and isinstance(needed[0], dict):
        return isinstance(found, list) and all(any(has(one, each) for one in found) for each in needed)
    return found == needed


@pytest.mark.parametrize("client_name", dict.fromkeys(each["client"] for each in EXCHANGES))
def test_a_client_is_answered_as_it_needs(client_name):
    with TestClient(Starlette(routes=api_routes("")), headers={"authorization": "Bearer x"}) as client:
        for each in (one for one in EXCHANGES if one["client"] == client_name):
            reply = client.request(each["method"], each["path"], json=each["body"])
            assert reply.status_code == each["status"], (each, reply.text)
            assert has(reply.json(), each["needs"]), (each, reply.text)
