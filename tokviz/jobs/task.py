"""TrainingTask: texts, and the plan by which to train on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokviz.corpus.corpus import Corpus
from tokviz.training.plan import Plan

Documents = Sequence[str] | Corpus  # several texts, or a corpus of files held in memory


@dataclass(frozen=True)
class TrainingTask:
    """Texts by language, or under `WHOLE` where languages do not matter, and the plan by which to train on them.

    counts_bytes_max: the counts are reported if their pretokens have at most this many bytes, since reading them takes
    the caller a while. digests: by these the caller recognises the texts.
    """

    plan: Plan
    texts: Mapping[str, Documents]
    name: str
    counts_bytes_max: int = 0
    digests: tuple[str, ...] = ()
