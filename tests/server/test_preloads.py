"""The modules that a page's document names: those of its components and elements, as many as fit, and no others."""

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

from pages.ui.pages import PAGES, Page
from tokviz.server.assets import module_path
from tokviz.server.preloads import BYTES_MAX, Preloads, StreamlitCode, component_modules, link

STREAMLIT = Path(importlib.util.find_spec("streamlit").origin).parent
ADDRESSES = [page.address for page in PAGES.values()]


def preloaded(header: str) -> list[str]:
    entries = header.split(",")
    assert all(entry.endswith(">;rel=modulepreload;fetchpriority=low") for entry in entries)
    return [entry[1 : entry.index(">")] for entry in entries]


@pytest.mark.parametrize("page", ADDRESSES)
def test_every_document_names_modules_that_are_there(address: str, page: str):
    names = preloaded(answer(address, f"/{page}").headers["link"])
    assert len(names) == len(set(names)) > 30
    for name in names:
        with urllib.request.urlopen(f"{address}/{name}") as found:
            assert found.headers["content-type"].split(";")[0].endswith("/javascript"), name


@pytest.mark.parametrize("page", ADDRESSES)
def test_all_headers_of_a_document_fit_through_a_proxy(address: str, page: str):
    headers = answer(address, f"/{page}").headers
    assert sum(len(f"{name}: {value}\r\n") for name, value in headers.items()) < 4_000


@pytest.mark.parametrize("path", ["/robots.txt", "/_stcore/health", "/static/js/merges", "/nowhere"])
def test_no_other_answer_names_any(address: str, path: str):
    assert "link" not in answer(address, path).headers


@pytest.mark.parametrize("element", sorted({element for page in PAGES.values() for element in page.shown[1]}))
def test_streamlit_has_a_module_for_every_element(element: str):
    assert any(
        re.fullmatch(rf"static/js/{element}\..+\.js", name) for name in StreamlitCode(STREAMLIT).modules([element])
    )


def test_what_streamlit_begins_with_is_left_out():
    code = StreamlitCode(STREAMLIT)
    assert len(code.begins_with) > 20
    assert not {f"static/js/{name}" for name in code.begins_with} & set(code.modules(["BidiComponent", "Selectbox"]))
    assert list(code.modules(["NoSuchElement"])) == []


def test_a_component_comes_with_all_that_it_imports():
    names = list(component_modules(["token_view"]))
    assert names[0] == module_path("token_view/component.js")
    assert {module_path("shared/live.js"), module_path("editor/own_texts.js")} < set(names)


def test_components_come_whole_one_after_the_other():
    names = list(component_modules(["vocabulary", "token_view"]))
    alone = list(component_modules(["vocabulary"]))
    assert names[: len(alone)] == alone
    assert names[len(alone)] == module_path("token_view/component.js")


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_what_is_painted_first_is_named_whole(address: str, page: Page):
    names = preloaded(answer(address, f"/{page.address}").headers["link"])
    assert {*StreamlitCode(STREAMLIT).modules(["BidiComponent"]), *component_modules(page.shown[0][:2])} <= set(names)


def test_a_header_holds_what_there_is_room_for():
    names = [f"assets/{i // 2}.js" for i in range(2_000)]
    header = link(names)
    kept = preloaded(header)
    assert BYTES_MAX - 100 < len(header) <= BYTES_MAX
    assert kept == names[: 2 * len(kept) : 2]


@pytest.mark.parametrize("base", ["", "base", "/two/parts/"])
def test_a_page_has_the_header_below_the_base_path(base: str):
    async def page(_request):
        return HTMLResponse("<p>")

    below = f"/{base}/".replace("//", "/")
    routes = [Route(path, page) for path in (below, f"{below}train", f"{below}other", f"{below}other/train")]
    pages = {"": (["skip_link"], []), "train": (["connection"], [])}
    app = Starlette(routes=routes, middleware=[Middleware(Preloads, base, STREAMLIT, pages)])
    with TestClient(app) as client:
        assert module_path("skip_link/component.js") in client.get(below).headers["link"]
        assert module_path("connection/component.js") in client.get(f"{below}train").headers["link"]
        assert "link" not in client.get(f"{below}other").headers
        assert "link" not in client.get(f"{below}other/train").headers
