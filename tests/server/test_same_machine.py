"""Only the sockets of pages on this very machine are marked, on a server that no other machine is to reach."""

import pytest
from coroutines import run_coroutine

from tokviz.server.same_machine import HEADER, SameMachine, has_same_machine_mark

OPTIONS = {"server.address": "127.0.0.1", "server.allowedHosts": [], "server.corsAllowedOrigins": []}
HEADERS = {"host": "localhost:8501", "origin": "http://localhost:8501"}
HERE = {"client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 8501)}


def marked(options=(), headers=(), **scope) -> bool:
    """Return whether a socket is marked that differs from one of this machine in what is given here; None drops it."""
    sent = HEADERS | dict(headers)
    scope = {"type": "websocket", **HERE, **scope}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in sent.items() if value is not None]
    seen = {}

    async def app(scope, _receive, _send):
        seen.update({name.decode(): value.decode() for name, value in scope["headers"]})

    run_coroutine(SameMachine(app, (OPTIONS | dict(options)).get)(scope, None, None))
    assert sent.items() - seen.items() <= {(HEADER, sent.get(HEADER))} | {(name, None) for name in sent}
    return has_same_machine_mark(seen)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_a_page_of_this_machine_is_marked_under_every_name_of_loopback(name):
    assert marked(headers={"host": f"{name}:8501", "origin": f"http://{name}:8501"})
    assert marked(client=("::1", 50_000, 0, 0), server=("::1", 8501, 0, 0))


@pytest.mark.parametrize("address", ["0.0.0.0", "", None, "192.168.1.7", "unix:///run/tokviz.sock"])
def test_a_server_that_listens_for_others_marks_none(address):
    assert not marked({"server.address": address})


def test_a_server_that_goes_by_other_names_marks_none():
    assert not marked({"server.allowedHosts": ["tokviz.example.org"]})
    assert not marked({"server.corsAllowedOrigins": ["https://tokviz.example.org"]})


@pytest.mark.parametrize("end", ["client", "server"])
@pytest.mark.parametrize("address", [("192.168.1.7", 50_000), ("10.0.0.1", 1), ("", 0), (), None])
def test_both_ends_of_the_connection_are_loopback(end, address):
    assert not marked(**{end: address})


@pytest.mark.parametrize("host", ["tokviz.example.org", "192.168.1.7:8501", "localhost.example.org", "", None])
def test_host_and_origin_go_by_a_name_of_loopback(host):
    assert not marked(headers={"host": host})
    assert not marked(headers={"origin": host and f"https://{host}"})


@pytest.mark.parametrize(
    "header",
    ["Forwarded", "Via", "X-Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
     "X-Forwarded-Server", "X-Original-Forwarded-For", "WL-Proxy-Forwarded", "X-Real-IP", "X-Client-IP", "Client-IP",
     "True-Client-IP", "Fastly-Client-IP", "X-Cluster-Client-IP", "X-Azure-ClientIP-Client-IP", "CF-Connecting-IP",
     "CF-Connecting-IPv6"],
)  # fmt: skip
def test_what_a_proxy_passes_on_is_not_marked(header):
    assert not marked(headers={header.lower(): "127.0.0.1"})


def test_nobody_can_send_the_mark_and_none_is_needed_outside_of_sockets():
    assert not marked(headers={HEADER: "yes"}, client=("192.168.1.7", 50_000))
    assert marked(headers={HEADER: "yes"})  # replaced by the true one
    assert not marked(type="http")
