"""Only the pages of a server, under a name it is known by, reach it."""

import socket
from urllib.parse import urlsplit

import pytest
from server.asking import answer, handshake
from serving import serving

from tokviz.server.guard import is_known_host, is_same_origin
from tokviz.server.headers import security_headers


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8501", "127.0.0.1:8501", "192.168.1.7", "[::1]:8501", "[fe80::1]", socket.gethostname()],
)
def test_these_hosts_are_known_without_a_setting(host):
    assert is_known_host(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "example.org",
        "127.0.0.1.example.org",
        "localhost.example.org",
        "a@localhost",
        "localhost:x",
        "[::1",
        "0x7f.1",
    ],
)
def test_these_hosts_are_not(host):
    assert not is_known_host(host)


def test_a_list_of_hosts_replaces_those():
    allowed = ["tokviz.example.org", "*.school.example"]
    assert [is_known_host(host, allowed) for host in ("tokviz.example.org:443", "room1.school.example")] == [True, True]
    assert [is_known_host(host, allowed) for host in ("school.example", "localhost", "example.org")] == [False] * 3
    assert is_known_host("whatever.example", ["*"])


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://localhost:8501", "localhost:8501", True),
        ("http://localhost:8501", "127.0.0.1:8501", True),
        ("http://localhost:3000", "localhost:8501", False),
        ("http://localhost", "localhost:8501", False),
        ("https://tokviz.example.org", "tokviz.example.org", True),  # through a proxy that speaks HTTPS
        ("https://tokviz.example.org", "tokviz.example.org:443", True),
        ("http://Tokviz.example.org:80", "tokviz.example.org", True),
        ("http://foreign.example", "tokviz.example.org", False),
        ("http://localhost:8501@foreign.example", "localhost:8501", False),
        ("file://localhost:8501", "localhost:8501", False),
        ("null", "localhost:8501", False),
        ("", "localhost:8501", False),
    ],
)
def test_an_origin_is_that_of_the_host_with_its_port(origin, host, same):
    assert is_same_origin(origin, host) is same


def test_page_and_socket_are_refused_under_a_foreign_name(address):
    port = urlsplit(address).port
    for host in (f"rebound.example:{port}", "foreign.example"):
        refused = answer(address, Host=host)
        assert refused.status == 403
        assert host in refused.read().decode()
        assert handshake(address, Host=host, Origin=f"http://{host}") == 403
    for host in (f"localhost:{port}", f"192.168.1.7:{port}"):
        assert answer(address, Host=host).status == 200
        assert handshake(address, Host=host, Origin=f"http://{host}") == 101


def test_pages_of_other_ports_and_sites_are_refused(address):
    for origin in ("http://localhost:3000", "http://127.0.0.1", "https://foreign.example", "null"):
        assert answer(address, "/_stcore/health", Origin=origin).status == 403
        assert handshake(address, Origin=origin) == 403
    assert handshake(address, Origin=address) == 101


def test_how_many_people_are_here_is_told_to_nobody(address):
    refused = answer(address, "/_stcore/metrics?families=active_sessions")
    assert refused.status == 403 and refused.read() == b"this server publishes no metrics\n"
    for path in (
        "/_stcore/metrics/",
        "//_stcore/metrics",
        "/_stcore//metrics",
        "/_stcore/%6detrics",
        "/x/_stcore/metrics",
    ):
        assert b"active_sessions" not in answer(address, path).read()


@pytest.mark.slow
def test_settings_of_streamlit_add_names_and_origins():
    options = ["--server.allowedHosts", "tokviz.example.org", "--server.allowedHosts", "127.0.0.1"]
    with serving("app.py", *options, "--server.corsAllowedOrigins", "https://tokviz.example.org") as address:
        assert handshake(address, Host="tokviz.example.org", Origin="https://tokviz.example.org") == 101
        assert handshake(address, Origin="https://tokviz.example.org") == 101  # a proxy that passes on another Host
        assert handshake(address, Host="localhost") == 403


def test_whoever_watches_the_server_may_use_any_name(address):
    assert answer(address, "/_stcore/health", Host="10.1.2.3.example").status == 200


def test_pages_are_in_no_frame_but_those_of_sites_that_are_named():
    plain = security_headers()
    assert plain["x-frame-options"] == "DENY"
    named = security_headers(["https://a.org"])
    assert named["content-security-policy"].endswith("; frame-ancestors 'self' https://a.org")
    assert "x-frame-options" not in named
    assert {**plain, **named} | {"content-security-policy": ""} == plain | {"content-security-policy": ""}


def test_every_answer_has_the_headers(address):
    for path in (
        "/",
        "/train",
        "/robots.txt",
        "/favicon.png",
        "/_stcore/health",
        "/_stcore/upload_file/a/b",
        "/static/no",
    ):
        headers = answer(address, path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "'unsafe-eval'" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert answer(address, Host="foreign.example").headers["x-content-type-options"] == "nosniff"
