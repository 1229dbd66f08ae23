"""TrainingTask: what to train on, and how; plain, with superwords in the end, or by languages that take turns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from tokviz.core.special_tokens import SpecialTokens, special_ids
from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.records.trained import ACROSS, ALL
from tokviz.training.corpus import Corpus
from tokviz.training.parity.language_pairs import PLAIN, ParityVariant
from tokviz.training.superwords import SUPERWORDS, check_transition, with_superwords
from tokviz.training.training import check_sizes, first_id, smallest_size


@dataclass(frozen=True)
class Parity:
    """Languages that take turns, as `tokviz.train_parity_aware` has it.

    languages: of each document. sentences: by which they are compared, all in every language.
    """

    languages: tuple[str, ...]
    sentences: tuple[Mapping[str, str], ...]
    variant: ParityVariant = PLAIN


@dataclass(frozen=True)
class TrainingTask:
    """What to train on: documents, or a corpus of files held in memory; and how, as `tokviz.train` has it.

    counts_bytes_max: the counts are reported if their pretokens have at most so many bytes, since it takes
    the caller a while to read them. hold_out: do not train on a tenth (see `training.held_out`), and report on it.
    digests: by which the caller recognises the texts. split_pattern: that of `start`, if training continues.
    superwords_from: the size of the vocabulary from which merges reach across words. parity: languages take turns.
    """

    documents: Collection[str] | Corpus
    name: str
    vocab_size: int
    min_count: int
    split_pattern: str
    special_tokens: SpecialTokens = ()
    counts_bytes_max: int = 0
    hold_out: bool = False
    digests: tuple[str, ...] = ()
    start: Tokenizer | None = None
    superwords_from: int | None = None
    parity: Parity | None = None

    @property
    def patterns(self) -> dict[str, str]:
        """The split patterns by which documents are counted, by the part that these counts are."""
        pattern = self.begun.split_pattern
        return {ALL: pattern} if self.superwords_from is None else {ALL: pattern, ACROSS: SUPERWORDS}

    @property
    def begun(self) -> Tokenizer:
        """The tokenizer before the first merge is learned; ValueError for settings that make none."""
        return replace(self, superwords_from=None).tokenizer()

    @property
    def n_asked(self) -> int:
        """How many merges are asked for."""
        return self.vocab_size - smallest_size(self.start)

    def tokenizer(self, steps: Sequence[TrainStep] = ()) -> Tokenizer:
        """Return the tokenizer of the merges learned so far; ValueError for settings that make none."""
        pattern, start = self.split_pattern, self.start
        if self.superwords_from is not None:
            pattern, start = SUPERWORDS, start and with_superwords(start)
        return Tokenizer.from_steps(
            steps, name=self.name, split_pattern=pattern, special_tokens=self.special_tokens, start=start
        )

    def check(self) -> None:
        """Raise ValueError for a task that cannot be done."""
        check_sizes(self.vocab_size, self.min_count, self.start)
        if self.superwords_from is not None:
            check_transition(self.superwords_from, self.vocab_size, self.start)
        if self.parity and (self.hold_out or self.superwords_from is not None):
            raise ValueError("where languages take turns, nothing is held out, and no merge reaches across words")
        if self.parity and not isinstance(self.documents, Corpus):
            n_documents, n_languages = len(self.documents), len(self.parity.languages)
            if n_documents != n_languages:
                raise ValueError(f"every document needs its language: {n_documents:,} documents, {n_languages:,} named")
        special_ids(self.special_tokens, first=first_id(self.start) + self.n_asked)
        _ = self.begun
