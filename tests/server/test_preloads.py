"""The modules that the documents of pages name: those that draw the first view, and no others."""

import importlib.util
import re
import urllib.request
from pathlib import Path

import pytest
from server.asking import answer
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.ui.pages import PAGES
from tokviz.server.assets import PATH
from tokviz.server.preloads import DRAWS, Preloads, extra_module_addresses_for_element

STREAMLIT = Path(importlib.util.find_spec("streamlit").origin).parent


def preloaded(header: str) -> list[str]:
    entries = header.split(",")
    assert all(entry.endswith(">;rel=modulepreload;fetchpriority=low") for entry in entries)
    return [entry[1 : entry.index(">")] for entry in entries]


@pytest.mark.parametrize("page", [page.url_path for page in PAGES.values()])
def test_every_document_names_modules_that_are_there(address: str, page: str):
    names = preloaded(answer(address, f"/{page}").headers["link"])
    assert names == [*extra_module_addresses_for_element(STREAMLIT, DRAWS), PATH]
    for name in names:
        with urllib.request.urlopen(f"{address}/{name}") as found:
            assert found.headers["content-type"].split(";")[0].endswith("/javascript"), name


def test_all_headers_of_a_document_fit_through_a_proxy(address: str):
    headers = answer(address, "/").headers
    assert sum(len(f"{name}: {value}\r\n") for name, value in headers.items()) < 4_000


@pytest.mark.parametrize("path", ["/robots.txt", "/_stcore/health", "/static/js/merges", "/nowhere"])
def test_no_other_answer_names_any(address: str, path: str):
    assert "link" not in answer(address, path).headers


def test_streamlit_has_modules_to_draw_components_with():
    names = extra_module_addresses_for_element(STREAMLIT, DRAWS)
    assert re.fullmatch(rf"static/js/{DRAWS}\..+\.js", names[0])
    assert len(names) == len({*names}) > 1  # it imports others


def test_what_streamlit_begins_with_is_left_out():
    document = (STREAMLIT / "static/index.html").read_text("utf-8")
    assert document.count("static/js/") > 20
    assert [name for name in extra_module_addresses_for_element(STREAMLIT, DRAWS) if name in document] == []
    assert extra_module_addresses_for_element(STREAMLIT, "NoSuchElement") == []


@pytest.mark.parametrize("base", ["", "base", "/two/parts/"])
def test_a_page_has_the_header_below_the_base_path(base: str):
    async def page(_request):
        return HTMLResponse("<p>")

    below = f"/{base}/".replace("//", "/")
    routes = [Route(path, page) for path in (below, f"{below}train", f"{below}other", f"{below}other/train")]
    app = Starlette(routes=routes, middleware=[Middleware(Preloads, base, STREAMLIT, ["", "train"])])
    with TestClient(app) as client:
        assert PATH in client.get(below).headers["link"]
        assert PATH in client.get(f"{below}train").headers["link"]
        assert "link" not in client.get(f"{below}other").headers
        assert "link" not in client.get(f"{below}other/train").headers
