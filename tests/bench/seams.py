"""How long the server takes for what the page of seams shows, besides the tokens, which the socket and the browser add.

Run `python tests/bench/seams.py` from the top of the repository; it prints one table. The texts are the samples, again
and again up to 20,000 characters; keys go to their end, where the most can still change.
"""

import random
import time
from collections.abc import Callable

from harness import print_head, print_row

import tokviz
from tokviz.core.samples import sample
from tokviz.live.document import Document
from tokviz.live.edit import Edit
from tokviz.live.view import View
from tokviz.live.views.seams.cut_view import CutView
from tokviz.live.views.seams.settled_view import SettledView
from tokviz.live.views.seams.two_texts_view import TwoTextsView
from tokviz.live.views.seams.ways_view import BYTES_MAX, WaysView
from tokviz.live.views.token_view import TokenView

KEYS = "the cat sat on a mat " * 10
O200K = tokviz.load("o200k_base")


def milliseconds(do: Callable[..., object], *arguments: object, **options: object) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    do(*arguments, **options)
    return 1000 * (time.perf_counter() - start)


def keys(make: Callable[[Document], View], text: str) -> list[float]:
    """Return how long the reply to each key takes that is typed at the end of a text."""
    document = Document(text)
    view = make(document)
    view.reply(whole=True)
    found = []
    for key in KEYS:
        document.edit(Edit(document.state.length, 0, key))
        found.append(milliseconds(view.reply, whole=False))
    return found


def cuts(text: str) -> list[float]:
    """Return how long the answers about cuts anywhere in a text take."""
    view = CutView(Document(text), O200K)
    places = random.Random(1).sample(range(len(view.reply(whole=True)["text"])), 200)
    return [milliseconds(view.answer, {"cut": place, "revision": 1}) for place in places]


def ways(text: str) -> tuple[list[float], list[float]]:
    """Return how long it takes to count the ways to cut all of a text, and then to draw one."""
    piece = {"piece": [0, len(text)]}
    first, then = [], []
    for _ in range(20):
        view = WaysView(Document(text), O200K)
        view.reply(whole=True)
        first.append(milliseconds(view.answer, {**piece, "revision": 1}))
        then.append(milliseconds(view.answer, {**piece, "revision": 1, "way": "draw"}))
    return first, then


def main() -> None:
    """Print the table."""
    print_head()
    O200K.encode(sample("english") * 50)  # so many characters that tiktoken cuts too, as on a server in use
    for name, words in (("english", "English"), ("thai", "Thai")):
        text = (sample(name) * 50)[:20_000]
        print_row(f"key in 20,000 characters of {words}: tokens", keys(lambda d: TokenView(d, O200K), text), digits=1)
        print_row("the same: what is settled", keys(lambda d: SettledView(d, O200K), text), "16 ms", digits=1)
        shared = keys(lambda d, text=text: TwoTextsView(d, Document(text), O200K), text)
        print_row("the same: what two such texts share", shared, "16 ms", digits=1)
        print_row(f"a cut anywhere in {words}", cuts(text), "16 ms", digits=2)
    first, then = ways((sample("english") * 3)[:BYTES_MAX])
    print_row("all the ways to cut 1,000 bytes: their number", first, "50 ms", digits=1)
    print_row("the same: one drawn at random", then, "16 ms", digits=1)


if __name__ == "__main__":
    main()
