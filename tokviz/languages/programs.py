"""The same six small functions in twelve programming languages, without imports: assets/samples/programs.txt."""

from functools import cache

from tokviz.core.samples import FOLDER

_HEAD = "=== "


@cache
def parallel_programs() -> tuple[dict[str, str], ...]:
    """Return the functions, each a dict of its code by the names of programming languages, Python first.

    In SQL a function is a query: what it is given are parameters, and rows of the tables numbers and words.

    >>> print(parallel_programs()[4]["Ruby"])
    def longest_word(words)
      words.max_by(&:length)
    end
    """
    _, *sections = f"\n{(FOLDER / 'programs.txt').read_text('utf-8')}".split(f"\n{_HEAD}")
    code = {name: functions.strip().split("\n\n") for name, _, functions in (each.partition("\n") for each in sections)}
    return tuple(dict(zip(code, function, strict=True)) for function in zip(*code.values(), strict=True))
