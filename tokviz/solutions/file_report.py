"""The check of a file: everything in it that can be checked, and what was not found."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tokviz.solutions import encoding, pieces, training
from tokviz.solutions.outcomes import Outcome, outcomes_of
from tokviz.solutions.questions import FailedError, Solution
from tokviz.solutions.solution import FUNCTIONS, GIVEN, MERGE, PATTERN, READY, RECOVER, STATS, TRAINED, TRAINING
from tokviz.system.confined.process import UNREADABLE
from tokviz.text.glyphs import escaped_text


@dataclass(frozen=True)
class Kind:
    """Something that can be checked: what it looks like in a file, and the function that checks one by its name."""

    looks: str
    check: Callable[[Solution, str], Iterator[Outcome]]


KINDS = {
    STATS: Kind("get_stats(ids)", pieces.pair_counter_outcomes),
    MERGE: Kind("merge(ids, pair, idx)", pieces.merge_function_outcomes),
    PATTERN: Kind("a split pattern, a constant such as PAT or GPT4_SPLIT_PATTERN", pieces.split_pattern_outcomes),
    TRAINING: Kind(
        "train_bpe(input_path, vocab_size, special_tokens), as CS336 asks for it", training.trainer_outcomes
    ),
    TRAINED: Kind(
        "a class with train(text, vocab_size), encode and decode, as in minbpe", training.trainable_encoder_outcomes
    ),
    FUNCTIONS: Kind("encode(text) and decode(ids), which use the dict merges", training.function_encoder_outcomes),
    GIVEN: Kind(
        "a class made of (vocab, merges, special_tokens), as CS336 asks for it", encoding.vocabulary_encoder_outcomes
    ),
    READY: Kind("a class that encodes without training, as minbpe's GPT4Tokenizer", encoding.ready_encoder_outcomes),
    RECOVER: Kind("recover_merges(mergeable_ranks)", pieces.recovered_merges_outcomes),
}


@dataclass(frozen=True)
class Part:
    """A function, class or constant of a file, and what its checks found out."""

    name: str
    kind: str
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Report:
    """What was found in a file, part by part, and the kinds that were not found."""

    parts: tuple[Part, ...]
    missing: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether every check of every part is ok."""
        return all(outcome.state == "ok" for part in self.parts for outcome in part.outcomes)


def file_report(path: str | Path) -> Report:
    """Return the report on a file of Python; ValueError if it cannot be imported, or has nothing to check."""
    path = Path(path).resolve()
    if not path.is_file():
        raise ValueError(f"there is no file {escaped_text(str(path))}")
    with closing(Solution(str(path))) as solution:
        checked = _checked_parts(solution, _checkable_names_by_kind(solution, escaped_text(path.name)))
    if not checked:
        looks = "; ".join(known.looks for known in KINDS.values())
        raise ValueError(f"{escaped_text(path.name)} has nothing that can be checked, which would be one of: {looks}")
    return Report(tuple(checked), tuple(kind for kind in KINDS if kind not in {part.kind for part in checked}))


def _checkable_names_by_kind(solution: Solution, file_name: str) -> dict[str, list[str]]:
    """Return the names in a file by what they are; ValueError if it cannot be imported."""
    try:
        found: dict[str, list[str]] = solution.ask("checkable_names_by_kind", kind=dict)
        if not all(isinstance(names, list) and all(map(_is_identifier, names)) for names in found.values()):
            raise FailedError(UNREADABLE)
    except FailedError as e:
        way_out = '; put what takes long under `if __name__ == "__main__":`' if e.took_too_long else ""
        raise ValueError(f"{file_name} cannot be imported: {e}{way_out}") from e
    return found


def _is_identifier(name: object) -> bool:
    return isinstance(name, str) and name.isidentifier()


def _checked_parts(solution: Solution, names: dict[str, list[str]]) -> list[Part]:
    checked = []
    for kind, known in KINDS.items():
        for name in names.get(kind, ()):
            if outcomes := outcomes_of(known.check, solution, name):
                checked.append(Part(name, kind, outcomes))
            elif kind == TRAINED:  # it cannot be trained: perhaps it need not be
                names.setdefault(READY, []).append(name)
    return checked
