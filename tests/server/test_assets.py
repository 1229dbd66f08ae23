"""The code of the pages' components: one module, kept for good, and nothing else of the folder it is made from."""

import re

import pytest
from each import each
from server.asking import answer

from tokviz.server.assets import ASSETS, COMPONENTS, PATH, VERSION

MODULES = [file.relative_to(ASSETS).as_posix() for file in sorted(ASSETS.rglob("*.js"))]


def test_the_code_is_kept_for_good_and_has_the_type_that_browsers_ask_for(address: str):
    found = answer(address, f"/{PATH}")
    assert found.status == 200
    assert found.headers["content-type"] == "text/javascript; charset=utf-8"
    assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    exported = re.search(r"^export const components = \{(.*)\};\n\Z", found.read().decode(), re.M)
    assert re.findall(r"(\w+): \$\1_component\.default\b", exported[1]) == COMPONENTS
    assert {"token_view", "connection", "time_machine"} < set(COMPONENTS)


@pytest.mark.parametrize(
    "path",
    [
        f"{VERSION}/token_view/component.js",
        f"{VERSION}/token_view/component.css",
        f"{VERSION}/../app.py",
        f"{VERSION}/%2e%2e/app.py",
        f"{VERSION}/%2Fetc%2Fpasswd",
        f"{VERSION}/samples/english.txt",
        "0123456789abcdef/components.js",
    ],
)
def test_nothing_else_is_served(client, path: str):
    assert client.get(f"/base/{PATH}").status_code == 200
    assert client.get(f"/base/assets/{path}").status_code == 404


@each("name", MODULES)
def test_what_a_module_imports_is_there_and_exported(name: str):
    code = (ASSETS / name).read_text()
    for names, source in re.findall(r'^import \{([^}]*)\} from "([^"]+)";', code, re.M):
        file = ((ASSETS / name).parent / source).resolve()
        imported = file.read_text()
        for wanted in filter(None, map(str.strip, names.split(","))):
            assert re.search(rf"^export (async )?(function|class|const|let) {re.escape(wanted)}\b", imported, re.M), (
                wanted
            )
