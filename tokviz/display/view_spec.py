"""What shows a text outside the app: a component, its view, and what the script of a page would tell it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.special_tokens import ALL_SPECIAL
from tokviz.core.tokenizer import Tokenizer
from tokviz.display.components import (
    COLUMNS,
    EDITING,
    HISTORY,
    LOOK_OF_HISTORY,
    LOOK_OF_TOKENS,
    TOKENS,
    ComponentFiles,
)
from tokviz.display.pieces import allowed_names_of
from tokviz.live.look import Look
from tokviz.live.view import View
from tokviz.live.views.compare_view import CompareView
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.token_view import TokenView
from tokviz.records.training import FromTraining

Named = Sequence[tuple[str, AnyTokenizer]]


@dataclass(frozen=True)
class ViewSpec:
    """A component, and the view that it follows: `view(document, of, **options)`. said: what the component is given.

    What makes one takes finds_hidden: whether what hides in the text is marked.
    """

    component: ComponentFiles
    view: Callable[..., View]
    of: Any
    said: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)


def tokens_view_spec(
    tokenizer: AnyTokenizer,
    *,
    allowed_special: str | Collection[str] = (),
    counted: Named = (),
    finds_hidden: bool = True,
) -> ViewSpec:
    """Return what shows the tokens of a text; `counted` are others whose number of tokens is shown as well."""
    allowed = allowed_names_of(tokenizer, allowed_special)
    allowed = allowed if isinstance(allowed, str) else tuple(sorted(allowed))
    options = {"look": Look(allowed, finds_hidden), "counted": tuple(counted)}
    return ViewSpec(TOKENS, TokenView, tokenizer, LOOK_OF_TOKENS, options)


def columns_view_spec(tokenizers: Named, *, reference: str | None = None, finds_hidden: bool = True) -> ViewSpec:
    """Return what shows a text under two to six tokenizers; `reference` is the first unless another is named."""
    said = {**EDITING, "reference": reference or tokenizers[0][0]}
    return ViewSpec(COLUMNS, CompareView, tuple(tokenizers), said, {"look": Look(finds_hidden=finds_hidden)})


def history_view_spec(
    tokenizer: Tokenizer,
    *,
    step: int | None = None,
    training: FromTraining | None = None,
    allow_special: bool = False,
    finds_hidden: bool = True,
) -> ViewSpec:
    """Return what shows the merge history of a text, with `step` merges made, by default all.

    training: what is known about the training of the tokenizer.
    """
    last = len(tokenizer.merge_tokens) if step is None else step
    said = {**LOOK_OF_HISTORY, "shows": [tokenizer.name, 1], "step": last}
    options = {"training": training, "look": Look(ALL_SPECIAL if allow_special else (), finds_hidden)}
    return ViewSpec(HISTORY, HistoryView, tokenizer, said, options)
