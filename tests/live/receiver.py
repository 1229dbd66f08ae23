"""The browser's side of the live views: it applies replies as a browser does, and knows nothing else."""

import base64
from typing import Any

import numpy as np

from tokviz.live.document import text_of, units_of


def unpacked(packed: list) -> np.ndarray:
    width, text = packed
    return np.frombuffer(base64.b64decode(text), f"<u{width}").astype(np.int64)


class ReceivedTokens:
    """The tokens of one tokenizer, as lists, put together from replies."""

    def __init__(self) -> None:
        self.ids, self.sizes, self.starts, self.widths = [], [], [], []
        self.end, self.tokenizer = 0, None
        self.text = ""  # where replies tell it

    def take(self, reply: dict[str, Any]) -> None:
        if "tokenizer" in reply:
            self.ids, self.sizes, self.starts, self.widths = [], [], [], []
            self.tokenizer = reply["tokenizer"]
        begin, stop = reply["at"], reply["at"] + reply["removed"]
        assert stop <= len(self.ids)
        starts = (np.cumsum(unpacked(reply["advances"])) + reply["from"]).tolist()
        for name in ("ids", "sizes", "widths"):
            getattr(self, name)[begin:stop] = unpacked(reply[name]).tolist()
        self.starts[begin:] = starts + [start + reply["shift"] for start in self.starts[stop:]]
        self.end = reply["end"]
        if "text" in reply:
            at, removed, inserted = reply["text"]
            units = b"" if "tokenizer" in reply else units_of(self.text)
            self.text = text_of(units[: 2 * at] + units_of(inserted) + units[2 * (at + removed) :])
