"""What trained mixes gave: parity and compression per language, each mix a row of a chart."""

from dataclasses import dataclass, replace

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.languages.mix_settings import PLAIN
from pages.ui.languages.mix_texts import held_out_sentences, own_texts
from pages.ui.languages.parallel import language_name, reference_language
from pages.ui.shared.charts import COLOURS, SHAPES, names_axis, show_chart
from tokviz import Tokenizer
from tokviz.corpus.counting import pretoken_counts
from tokviz.languages.parity import ParityRow, language_costs
from tokviz.records.session_tokenizer import Kept
from tokviz.records.training import FromTraining
from tokviz.training.held_out import n_tokens_after_each_merge

RESULTS_MAX = 20
CURVE_POINTS = 100
SHOWN_FROM = 10  # curves begin after a tenth of the merges: those before would leave the others no room
BYTES = 256
MEASURES = {
    "parity": "Tokens for the same sentences, relative to {}: further left is cheaper.",
    "bytes per token": "Compression, in bytes of UTF-8 per token: further right is shorter. Compare it only within a "
    "language.",
}
ROW_HEIGHT, AXIS_HEIGHT, LEGEND_HEIGHT = 34, 105, 26  # pixels


@dataclass(frozen=True)
class MixResult:
    """A trained mix: how it was made, and per language, by its code, what the judging sentences cost.

    own: the languages whose text was the user's. costs: under the whole vocabulary, and curves: the tokens at
    vocabularies of these sizes, without special tokens.
    """

    number: int
    way: str
    shares: dict[str, int]
    own: list[str]
    n_bytes: int
    split_pattern: str
    costs: dict[str, ParityRow]
    sizes: tuple[int, ...]
    curves: dict[str, tuple[int, ...]]

    @property
    def label(self) -> str:
        """The mix in a few words, as a row of the chart has it.

        >>> shares = {"en": 2, "th": 1, "lo": 0}
        >>> MixResult(3, "plain BPE", shares, ["th"], 9, "o200k", {}, (512,), {}).label
        '3. English 2 : Thai* 1 · 512'
        """
        shares = " : ".join(
            f"{language_name(each)}{'*' if each in self.own else ''} {share}"
            for each, share in self.shares.items()
            if share
        )
        way = "" if self.way == PLAIN else f"{self.way}: "
        return f"{self.number}. {way}{shares} · {self.sizes[-1]:,}"

    @property
    def languages_with_share(self) -> list[str]:
        """The languages in the mix."""
        return [language for language, share in self.shares.items() if share]

    @property
    def tokens(self) -> dict[str, int]:
        """How many tokens the sentences of each language have."""
        return {language: cost.n_tokens for language, cost in self.costs.items()}

    @property
    def dearest_language(self) -> str:
        """The language of the mix whose sentences take the most tokens."""
        return max(self.languages_with_share, key=self.tokens.__getitem__)

    @property
    def mean_tokens(self) -> float:
        """The mean of the tokens of the languages in the mix."""
        return sum(self.tokens[each] for each in self.languages_with_share) / len(self.languages_with_share)


def mix_result(number: int, way: str, shares: dict[str, int], learned: Kept[FromTraining]) -> MixResult:
    """Return what a tokenizer that was trained on a mix costs, on the sentences that judge it."""
    tokenizer, base = learned.tokenizer, reference_language()
    assert isinstance(tokenizer, Tokenizer)  # as all that are trained
    languages = {*shares, base}
    sentences = [{each: some[each] for each in languages} for some in held_out_sentences(languages)]
    costs = language_costs(tokenizer, sentences, reference=base, name=way)
    n_merges = len(tokenizer.merges)
    sizes = np.unique(np.linspace(n_merges // SHOWN_FROM, n_merges, CURVE_POINTS, dtype=int))
    curves = {}
    for language in shares:
        counts = pretoken_counts([some[language] for some in sentences], tokenizer.split_pattern)
        n_tokens = np.array([costs[language].n_bytes, *n_tokens_after_each_merge(tokenizer, counts)])
        curves[language] = tuple(n_tokens[sizes].tolist())
    return MixResult(
        number=number,
        way=way,
        shares=shares,
        own=[language for language in own_texts() if shares.get(language)],
        n_bytes=learned.origin.n_bytes,
        split_pattern=learned.origin.plan.split_pattern,
        costs={language: costs[language] for language in shares},
        sizes=tuple((sizes + BYTES).tolist()),
        curves=curves,
    )


def mix_results() -> list[MixResult]:
    """Return the results of this session, the latest last."""
    return st.session_state.setdefault("mix_results", [])


def add_result_without_repeats(result: MixResult) -> None:
    """Make a result the latest; the same mix is there once."""
    others = [other for other in mix_results() if replace(other, number=result.number) != result]
    mix_results()[:] = [*others, result][-RESULTS_MAX:]


def next_mix_number() -> int:
    """Return the number of the mix that is trained next."""
    return max((result.number for result in mix_results()), default=0) + 1


def show_mix_results_if_any() -> None:
    """Show all results, the latest marked, as two charts and a table."""
    found = mix_results()
    if not found:
        return
    figures = _results_table(found)
    st.text(f"The latest mix, filled in: {found[-1].label}")
    for column, (measure, sentence) in zip(st.columns(2, gap="large"), MEASURES.items(), strict=True):
        with column:
            words = sentence.format(language_name(reference_language()))
            st.caption(words)
            show_chart(mix_chart(figures, measure), f"mixes {measure}", title=f"{measure.capitalize()} of every mix",
                       caption=words, alt_text=f"{measure} of every mix trained here")  # fmt: skip
    st.dataframe(
        figures.drop(columns="row"),
        hide_index=True,
        column_config=dict.fromkeys(MEASURES, st.column_config.NumberColumn(format="%.2f")),
        placeholder="–",
    )
    st.button("Forget these results", on_click=found.clear)


def _results_table(found: list[MixResult]) -> pd.DataFrame:
    """Return a row for each mix and language."""
    rows = [
        {
            "row": result.label,
            "mix": result.number,
            "latest": result.number == found[-1].number,
            "language": language_name(language),
            "training": result.way,
            "share": result.shares.get(language, 0),
            "sentences": cost.n_sentences,
            "tokens": cost.n_tokens,
            "parity": cost.parity,
            "bytes per token": cost.bytes_per_token,
            "vocabulary": result.sizes[-1],
            "bytes of the mix": result.n_bytes,
            "split pattern": result.split_pattern,
            "own text": language in result.own,
        }
        for result in found
        for language, cost in result.costs.items()
    ]
    return pd.DataFrame(rows).astype(dict.fromkeys(MEASURES, float))


def mix_chart(figures: pd.DataFrame, measure: str) -> alt.LayerChart:
    """Return a row of marks for each mix, the latest at the top and filled; a shape and colour a language."""
    rows = list(dict.fromkeys(figures["row"]))[::-1]
    languages = list(dict.fromkeys(figures["language"]))
    highest = max(1.0, figures[measure].max())
    height = ROW_HEIGHT * len(rows) + AXIS_HEIGHT + LEGEND_HEIGHT * len(languages)
    base = alt.Chart(figures, height=height).encode(
        x=alt.X(f"{measure}:Q", title=measure, scale=alt.Scale(domain=[0, 1.05 * highest])),
        y=alt.Y("row:N", title=None, sort=rows, axis=names_axis("left", grid=True, pixels=190)),
        tooltip=["row:N", "language:N", "share:Q", alt.Tooltip(f"{measure}:Q", format=".4f")],
    )  # fmt: skip
    legend = alt.Legend(title=None, orient="top", columns=1, symbolOpacity=1)  # on a phone there is no room for more
    colour = alt.Color("language:N", sort=languages, legend=legend, scale=alt.Scale(domain=languages, range=COLOURS))
    shape = alt.Shape("language:N", sort=languages, legend=legend, scale=alt.Scale(domain=languages, range=SHAPES))
    earlier = base.transform_filter("!datum.latest").mark_point(size=90, strokeWidth=2, filled=False, opacity=1)
    latest = base.transform_filter("datum.latest").mark_point(size=150, filled=True, opacity=1)
    return alt.LayerChart(layer=[each.encode(color=colour, shape=shape) for each in (earlier, latest)])
