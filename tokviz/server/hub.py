"""tokenizer.json by name from the Hugging Face hub; off unless the person who runs the server switches it on.

Only here may tokviz use the network, and it asks only for that file or a SentencePiece model.
"""

import os
import re
import urllib.error
import urllib.request

from tokviz.core.patterns import short_repr
from tokviz.formats.minbpe import MAX_FILE_BYTES

SWITCH = "TOKVIZ_HUB"
NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
ADDRESS = "https://huggingface.co/{name}/resolve/main/{file}"
SECONDS = 20.0  # without a sign of life
FILES = ("tokenizer.json", "tokenizer.model")


def hub_is_on() -> bool:
    """Return whether the environment variable TOKVIZ_HUB is 1."""
    return os.environ.get(SWITCH) == "1"


def fetch_tokenizer_file_from_hub(name: str) -> tuple[str, bytes]:
    """Return the name and the bytes of the tokenizer file of a public repository, such as "openai-community/gpt2".

    Raises ValueError if the hub is off, cannot be reached or has no such file, and for anything but a name.
    """
    if not hub_is_on():
        raise ValueError(
            f"loading from the hub is off: this server fetches nothing. To switch it on, start it with {SWITCH}=1"
        )
    if not NAME.fullmatch(name) or ".." in name:
        raise ValueError(f"{short_repr(name)} is not the name of a repository, such as openai-community/gpt2")
    for file in FILES:
        try:
            with urllib.request.urlopen(ADDRESS.format(name=name, file=file), timeout=SECONDS) as reply:
                data = reply.read(MAX_FILE_BYTES + 1)
        except urllib.error.HTTPError as e:
            if e.code == 404 and file != FILES[-1]:
                continue
            raise ValueError(
                f"the hub gives no {' or '.join(FILES)} of {name} (HTTP {e.code}): it has none, there is no such "
                "repository, or it needs a login"
            ) from e
        except OSError as e:
            raise ValueError(f"the hub cannot be reached ({e}): check the network, and try again") from e
        if len(data) > MAX_FILE_BYTES:
            raise ValueError(f"the {file} of {name} has over {MAX_FILE_BYTES:,} bytes; no tokenizer is so large")
        return file, data
    raise AssertionError("the last file is returned or refused")
