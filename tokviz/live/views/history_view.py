"""The history view: the merge history of a document for the time machine, and the details of single steps."""

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from tokviz import MergeTrace, Tokenizer
from tokviz.core.special_tokens import ALL
from tokviz.live.columns import packed
from tokviz.live.document import Document
from tokviz.live.edit import Change
from tokviz.live.history import HistoryFollower
from tokviz.live.views.machine_data import (
    CountedPairs,
    corpus_curve,
    first_pretoken,
    glass,
    n_continued,
    special_tokens,
    step_answer,
    upcoming_merge,
)
from tokviz.live.views.token_view import too_long
from tokviz.records.trained import Trained

SHOWN_MAX = 100_000  # UTF-16 units


class HistoryView:
    """One document under one tokenizer. Hold `lock` around `reply` and `answer`.

    trained: what is known about the training of this tokenizer. stays: the version of the step that the page's script
    has set, and the step at which the browser says it stays; None until it does.
    """

    kind = "history"

    def __init__(
        self,
        document: Document,
        tokenizer: Tokenizer,
        *,
        trained: Trained | None = None,
        allow_special: bool = False,
        units_max: int = SHOWN_MAX,
    ) -> None:
        self.lock = threading.Lock()
        self.document, self.trained = document, trained
        allowed_special = ALL if allow_special else ()
        self.follower = HistoryFollower(document, tokenizer, allowed_special=allowed_special, units_max=units_max)
        self.made = 0
        self.stays: tuple[int, int] | None = None
        self._trace: MergeTrace | None = None
        self._counted: dict[bool, CountedPairs] = {}  # by whether the training text decides
        self._glasses: dict[int, dict[str, Any]] = {}

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return self.follower.is_behind or self.follower.has_news

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        return self.follower.is_quick(whole=whole)

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return the history of the text as it is now, or what changed of it since the last reply."""
        follower = self.follower
        follower.follow()
        of_bytes, of_pretokens = follower.news()
        if whole:
            of_bytes, of_pretokens = Change(0, 0, len(follower.data)), Change(0, 0, len(follower.sizes))
        self.made += 1
        self._trace = trace = follower.trace()
        self._counted, self._glasses = {}, {}
        tokenizer = trace.tokenizer
        gaps = follower.gaps[of_bytes.start : of_bytes.new_stop]
        occurring = np.unique(gaps[gaps >= 0])
        reply = {
            "of": [follower.version, follower.sequence],
            "made": self.made,
            "at": of_bytes.start,
            "removed": of_bytes.old_stop - of_bytes.start,
            "text": follower.data[of_bytes.start : of_bytes.new_stop].decode(),
            "gaps": packed(gaps + 2),
            "ranks": packed(occurring),
            "ids": packed(tokenizer.merge_ids[occurring]),
            "pretokens": {
                "at": of_pretokens.start,
                "removed": of_pretokens.old_stop - of_pretokens.start,
                "sizes": packed(follower.sizes[of_pretokens.start : of_pretokens.new_stop]),
            },
            "special": special_tokens(trace),
            "notice": follower.problem or too_long(follower, "the page shows"),
        }
        if whole:
            reply["tokenizer"] = {
                "name": tokenizer.name,
                "n_merges": len(tokenizer.merge_tokens),
                "byte_ids": packed(np.array([tokenizer.mergeable_ranks[bytes([i])] for i in range(256)])),
                "corpus": corpus_curve(self.trained) if self.trained else None,
            }
        return reply

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the history does not say about a step, and how a pretoken, given by its first byte, is encoded.

        While a learner guesses the next merge, the answer is about the merge to be guessed, and counts the guess.
        Only the latest number if another history has been made since, or if there is no text. Raises KeyError,
        TypeError or ValueError for anything but a question.
        """
        k, made, pretoken = int(question["k"]), int(question["made"]), question["pretoken"]
        trace = self._trace
        if trace is None or made != self.made or self.follower.has_news or not trace.data:
            return {"made": self.made}
        n_merges = len(trace.tokenizer.merge_tokens)
        version, step = map(int, question["stays"])
        self.stays = version, min(max(step, 0), n_merges)
        start = first_pretoken(trace) if pretoken is None else int(pretoken)
        if not 0 <= start < len(trace.data):
            raise ValueError(f"byte {start} of a text of {len(trace.data)}")
        if start not in self._glasses:
            self._glasses[start] = glass(trace, start)
        k = min(max(k, 0), n_merges)
        decides = self.trained is not None and k >= n_continued(self.trained)
        if decides not in self._counted:
            self._counted[decides] = CountedPairs.of(trace, self.trained, k)
        counted = self._counted[decides]
        upcoming, guess = k, question.get("guess")
        if question.get("predicting"):
            upcoming = upcoming_merge(trace, k, source=counted.source)
        if guess is not None:
            left, right = map(int, guess)
            guess = left, right
        answer = step_answer(trace.tokenizer, k, counted, upcoming=upcoming, guess=guess)
        return {"made": made, **answer, "glass": self._glasses[start]}
