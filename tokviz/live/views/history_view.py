"""The history view: the merge history of a document for the time machine, and the details of single steps."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from tokviz import MergeTrace, Tokenizer
from tokviz.core.bpe import NEVER
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.pair_history import PairHistory
from tokviz.core.trace import pieces_trace
from tokviz.live.columns import packed_numbers
from tokviz.live.document import Document, State, units_of
from tokviz.live.edit import Change, change_between
from tokviz.live.follower import Follower
from tokviz.live.look import PLAIN, Look
from tokviz.live.recut import Recut
from tokviz.live.view import View
from tokviz.live.views.counted_pairs import (
    CountedPairs,
    first_rank_across_words,
    languages_of_merges_data,
    sentence_token_counts_by_language,
)
from tokviz.live.views.merge_steps import (
    answer_about_lasting_boundary,
    pretoken_encoding_data,
    special_token_starts_and_ids,
    start_of_pretoken_to_show_first,
    step_answer,
    training_tokens_per_byte_curve,
    upcoming_rank,
)
from tokviz.records.training import FromTraining

SHOWN_MAX = 100_000  # UTF-16 units


class HistoryFollower(Follower):
    """The merge history of a document as of the last `catch_up`, as `tokviz.trace` gives it for the whole text.

    Only pretokens that an edit can change are traced again.

    data: the text in UTF-8. gaps: for each byte the rank that closes the gap after it, as in `MergeTrace`. pretokens:
    in three rows the size of each in bytes, whether it is a special token, and whether it has tokens that
    `MergeTrace.unusual` returns.
    """

    data: bytes = b""
    pretokens: np.ndarray = np.zeros((3, 0), np.int32)

    @property
    def sizes(self) -> np.ndarray:
        """The size of each pretoken in bytes."""
        return self.pretokens[0]

    def clear(self) -> None:
        """Forget the history."""
        self.data, self.gaps = b"", np.zeros(0, np.int32)
        self.pretokens = np.zeros((3, 0), np.int32)

    def data_for_new_pretokens(self, new: Recut) -> MergeTrace:
        """Return the history of new pretokens."""
        assert isinstance(self.tokenizer, Tokenizer)
        pieces = [(pretoken.encode(), pretoken in self.special) for pretoken in new.pretokens]
        return pieces_trace(self.tokenizer, pieces)

    def replace_data_of_pretokens(self, first: int, last: int, made: list[MergeTrace], shift: int) -> None:
        """Put histories in place of the history of old pretokens."""
        begin, stop = int(self.sizes[:first].sum()), int(self.sizes[:last].sum())
        data = b"".join(new.data for new in made)
        pretokens = [
            np.stack([np.diff(ends, prepend=np.int32(0)), *(np.isin(ends, [*some]) for some in (special, unusual))])
            for ends, special, unusual in ((new.pretoken_ends, new.special_ends, new.unusual_ends) for new in made)
        ]
        gaps = [np.append(new.gaps, np.int32(NEVER)) for new in made if new.data]
        self.data = b"".join([self.data[:begin], data, self.data[stop:]])
        self.gaps = np.concatenate([self.gaps[:begin], *gaps, self.gaps[stop:]])
        self.pretokens = np.concatenate([self.pretokens[:, :first], *pretokens, self.pretokens[:, last:]], axis=1)

    def process_whole_text(self, text: str) -> None:
        """Take the history of a whole text."""
        assert isinstance(self.tokenizer, Tokenizer)
        pieces = self.tokenizer.pieces(text, allowed_special=self.special)
        made = pieces_trace(self.tokenizer, [(piece.encode(), is_special) for piece, is_special in pieces])
        self.replace_data_of_pretokens(0, len(self.sizes), [made], 0)

    def trace(self) -> MergeTrace:
        """Return the history of the whole text."""
        assert isinstance(self.tokenizer, Tokenizer)
        ends = np.cumsum(self.sizes, dtype=np.int32)
        special, unusual = (frozenset(ends[chosen > 0].tolist()) for chosen in self.pretokens[1:])
        return MergeTrace(self.tokenizer, self.data, self.gaps[:-1], ends, special, unusual)


class HistoryView(View):
    """One document under one tokenizer.

    training: what is known about the training of this tokenizer. stays: the version of the step that the page's script
    has set, and the step at which the browser says it stays; None until it does.
    """

    kind = "history"

    def __init__(
        self, document: Document, tokenizer: Tokenizer, *, training: FromTraining | None = None, look: Look = PLAIN
    ) -> None:
        super().__init__(document)
        self.hidden = look.new_marks()
        self.tokenizer, self.training = tokenizer, training
        self.follower = HistoryFollower(
            document, tokenizer, allowed_special=look.allowed_special, units_max=look.units_max or SHOWN_MAX
        )
        self.stays: tuple[int, int] | None = None
        self._changed_units = b""  # of a text that the tokenizer changes
        self.trace: MergeTrace | None = None  # what the browser was sent last
        self._counted: dict[str | None, CountedPairs] = {}  # by the part of the training text that decides, if any
        self._pairs_on_view: Callable[[], PairHistory]
        self._pretokens: dict[int, dict[str, Any]] = {}

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        return self.follower.is_catch_up_quick(whole=whole)

    def read_documents(self) -> tuple[State]:
        """Take the text as it is now."""
        latest = self.follower.state_and_change()
        state = self.follower.catch_up(latest)
        if self.tokenizer.normalizer.is_plain:
            self.hidden.update(state.units, latest[1])
        else:
            self._mark_changed_text()
        self.waits = self.follower.waits
        return (state,)

    def _mark_changed_text(self) -> None:
        """Take what hides in the text as the tokenizer changed it, which is the one that is drawn."""
        before, self._changed_units = self._changed_units, units_of(self.follower.data.decode())
        old, new = (np.frombuffer(units, np.uint16) for units in (before, self._changed_units))
        self.hidden.update(self._changed_units, change_between(old, new))

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return the history of the text, or what changed of it since the last reply."""
        follower, sent = self.follower, self.trace if not whole else None
        self.trace = trace = follower.trace()
        self._counted, self._pretokens = {}, {}
        # Made once for all parts of a training text that is not known.
        self._pairs_on_view = cache(partial(PairHistory.of_trace, trace))
        tokenizer = trace.tokenizer
        of_bytes, of_pretokens = byte_change_between(sent, trace), change_between(pretoken_sizes(sent), follower.sizes)
        gaps = follower.gaps[of_bytes.start : of_bytes.new_stop]
        occurring = np.unique(gaps[gaps >= 0])
        shown = {
            "at": of_bytes.start,
            "removed": of_bytes.old_stop - of_bytes.start,
            "text": trace.data[of_bytes.start : of_bytes.new_stop].decode(),
            "gaps": packed_numbers(gaps + 2),
            "ranks": packed_numbers(occurring),
            "ids": packed_numbers(tokenizer.merge_ids[occurring]),
            "characters": multibyte_characters_and_ids(tokenizer, trace.data[of_bytes.start : of_bytes.new_stop]),
            "pretokens": {
                "at": of_pretokens.start,
                "removed": of_pretokens.old_stop - of_pretokens.start,
                "sizes": packed_numbers(follower.sizes[of_pretokens.start : of_pretokens.new_stop]),
            },
            "special": special_token_starts_and_ids(trace),
            "unusual": [(*one, tokenizer.merge_rank(one.token_id)) for one in trace.unusual()],
            "notice": follower.problem or follower.notice_if_cut_short("the page shows"),
            **self.hidden.take_reply_fields({}, whole=whole),
        }
        if whole:
            shown["tokenizer"] = {
                "name": tokenizer.name,
                "n_merges": len(tokenizer.merge_tokens),
                "byte_ids": packed_numbers(np.array(tokenizer.single_byte_ids)),
                "corpus": training_tokens_per_byte_curve(self.training) if self.training else None,
                "languages": languages_of_merges_data(self.training) if self.training else None,
                "across": first_rank_across_words(tokenizer, self.training),
            }
        return shown

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the history does not say about a step, and how a pretoken, given by its first byte, is encoded.

        It also says why the boundary before a byte, given as "boundary", never closes. While a learner guesses the
        next merge, the answer is about the merge to be guessed, and counts the guess. Only the latest number if another
        history has been made since, or if there is no text. Raises KeyError, TypeError or ValueError for anything but a
        question.
        """
        k, revision, pretoken = int(question["k"]), int(question["revision"]), question["pretoken"]
        trace = self.trace
        if trace is None or not self.is_current_revision(revision) or not trace.data:
            return {"revision": self.revision}
        n_merges = len(trace.tokenizer.merge_tokens)
        version, step = map(int, question["stays"])
        self.stays = version, min(max(step, 0), n_merges)
        start = start_of_pretoken_to_show_first(trace) if pretoken is None else int(pretoken)
        if not 0 <= start < len(trace.data):
            raise ValueError(f"byte {start} of a text of {len(trace.data)}")
        if start not in self._pretokens:
            self._pretokens[start] = pretoken_encoding_data(trace, start)
        k = min(max(k, 0), n_merges)
        counted = self._counted_pairs(trace, k)
        upcoming, guess = k, question.get("guess")
        if question.get("predicting"):
            upcoming = upcoming_rank(trace, k, source=counted.source)
        if guess is not None:
            left, right = map(int, guess)
            guess = left, right
        answer = step_answer(trace.tokenizer, k, counted, upcoming=upcoming, guess=guess)
        if self.sentence_token_counts_by_language:
            counts = self.sentence_token_counts_by_language.items()
            answer["table"]["turn"] = [(language, n_tokens[k]) for language, n_tokens in counts]
        if question.get("boundary") is not None:
            answer["boundary"] = answer_about_lasting_boundary(trace, int(question["boundary"]))
        return {"revision": revision, **answer, "pretoken": self._pretokens[start]}

    def _counted_pairs(self, trace: MergeTrace, k: int) -> CountedPairs:
        """Return the pairs among which the merge after k ones is chosen."""
        n_new = k - self.training.plan.n_start_merges if self.training else -1
        part = self.training.part_of_merge(n_new) if self.training and n_new >= 0 else None
        if part not in self._counted:
            self._counted[part] = CountedPairs.for_step(trace, self.training, k, on_view=self._pairs_on_view)
        return self._counted[part]

    @cached_property
    def sentence_token_counts_by_language(self) -> dict[str, list[int]]:
        """What decides which language is worst off; nothing where no languages take turns."""
        return sentence_token_counts_by_language(self.training, self.tokenizer) if self.training else {}


def multibyte_characters_and_ids(tokenizer: Tokenizer, data: bytes) -> list[tuple[str, int]]:
    """Return the characters of several bytes that merging begins with, with their ids; none if it begins with bytes."""
    ranks = tokenizer.mergeable_ranks
    if not isinstance(ranks, OrderedRanks) or not ranks.starts_with_characters:
        return []
    characters = sorted(c for c in {*data.decode()} if not c.isascii() and c.encode() in ranks)
    return [(c, ranks[c.encode()]) for c in characters]


def byte_change_between(old: MergeTrace | None, new: MergeTrace) -> Change:
    """Return which bytes of a text, with the gaps after them, differ between two traces, in whole characters."""
    change = change_between(byte_and_gap_keys(old), byte_and_gap_keys(new))
    start, back = change.start, len(new.data) - change.new_stop
    while start and any(is_continuation_byte(trace.data, start) for trace in (old, new) if trace):
        start -= 1
    while back and is_continuation_byte(new.data, len(new.data) - back):
        back -= 1
    return Change(start, (len(old.data) if old else 0) - back, len(new.data) - back)


def byte_and_gap_keys(trace: MergeTrace | None) -> np.ndarray:
    """Return a number for each byte and the gap after it."""
    if trace is None:
        return np.zeros(0, np.int64)
    gaps = np.append(trace.gaps, NEVER)[: len(trace.data)]
    return gaps.astype(np.int64) << 8 | np.frombuffer(trace.data, np.uint8)


def is_continuation_byte(data: bytes, at: int) -> bool:
    """Return whether the byte at this place continues a character of UTF-8."""
    return data[at : at + 1] >= b"\x80" and data[at] & 0xC0 == 0x80


def pretoken_sizes(trace: MergeTrace | None) -> np.ndarray:
    """Return the size of each pretoken in bytes."""
    return np.zeros(0, np.int32) if trace is None else np.diff(trace.pretoken_ends, prepend=np.int32(0))
