"""A body that is too long is refused in an answer that its sender reads, however it sends."""

import http.client
import socket
import subprocess
from shutil import which
from urllib.parse import urlsplit

import httpx
import pytest
import requests
from serving import serving

TOO_LONG = 20_000_000  # bytes


@pytest.mark.slow
def test_whoever_sends_too_much_reads_why_it_is_refused(tmp_path):
    body = b" " * TOO_LONG
    file = tmp_path / "body"
    file.write_bytes(body)
    with serving("app.py", TOKVIZ_API="1") as address:
        place, path = urlsplit(address), "/tokenize"
        for reply in (
            requests.post(address + path, data=body),
            requests.post(address + path, data=iter([body[:1_000_000]] * 20)),  # in chunks
            requests.post(address + path, data=body, headers={"connection": "close"}),
            httpx.post(address + path, content=body),
        ):
            assert reply.status_code == 413 and "more than 8,000,000 bytes" in reply.text
        for options in (["-H", "Expect:"], []) if which("curl") else ():
            command = ["curl", "--silent", "--show-error", "--data-binary", f"@{file}", address + path, *options]
            assert "more than 8,000,000 bytes" in subprocess.check_output(command, text=True)
        with socket.create_connection((place.hostname, place.port)) as raw:
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {TOO_LONG}\r\n\r\n"
            raw.sendall(head.encode() + body)
            reply = http.client.HTTPResponse(raw)
            reply.begin()
            assert reply.status == 413 and b"more than 8,000,000 bytes" in reply.read()
