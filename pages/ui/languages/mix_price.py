"""The price of fairness: what the language that pays most pays under each training of a mix, against the mean."""

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.languages.mix_results import MixResult, mix_results
from pages.ui.languages.parallel import language_name
from pages.ui.shared.charts import COLOURS, show_chart

WORST, MEAN = "most expensive language", "mean of all"
HEIGHT = 340  # pixels


def show_latest_mix_figures_if_any() -> None:
    """Show the latest mix: in words, as a table, and over the sizes of the vocabulary."""
    latest = [result for result in mix_results() if result.number == mix_results()[-1].number]
    if not latest:
        return
    st.markdown("**The price of fairness**")
    chart, table = st.columns([3, 2], gap="large")
    with table:
        for words in highest_and_mean_sentences(latest):
            st.text(words)
        st.table(tokens_by_language_table(latest))
    with chart:
        n_sentences = next(iter(latest[0].costs.values())).n_sentences
        caption = f"Tokens for the same {n_sentences} sentences, which no training has seen"
        st.caption(f"{caption}, as the vocabulary grows.")
        show_chart(highest_and_mean_chart(highest_and_mean_curves(latest)), "price of fairness",
                   title=latest[0].label, caption=caption,
                   alt_text="Tokens of the language that pays most, and the mean, over vocabulary sizes")  # fmt: skip


def highest_and_mean_sentences(latest: list[MixResult]) -> list[str]:
    """Return in words what each training gives, and what the one costs against the other."""
    said = [
        f"{result.way[:1].upper()}{result.way[1:]}: {language_name(result.dearest_language)} pays most, "
        f"{result.tokens[result.dearest_language]:,} tokens; the mean is {result.mean_tokens:,.0f}."
        for result in latest
    ]
    if len(latest) == 2:
        plain, fair = latest
        worst = _change_text(fair.tokens[fair.dearest_language] / plain.tokens[plain.dearest_language] - 1)
        mean = _change_text(fair.mean_tokens / plain.mean_tokens - 1)
        said.append(f"With parity-aware training, the language that pays most pays {worst}, and the mean is {mean}.")
    return said


def _change_text(share: float) -> str:
    """Return a relative change in words.

    >>> _change_text(-0.104), _change_text(0.012), _change_text(0.0001)
    ('10.4% less', '1.2% more', 'the same')
    """
    if abs(share) < 0.0005:
        return "the same"
    return f"{abs(share):.1%} {'less' if share < 0 else 'more'}"


def tokens_by_language_table(latest: list[MixResult]) -> pd.DataFrame:
    """Return the tokens of each language under each training, and the most expensive against their mean.

    The most expensive under the first training is at the top.
    """
    first = latest[0]
    languages = sorted(first.languages_with_share, key=first.tokens.__getitem__, reverse=True)
    table = {
        result.way: [
            *(f"{result.tokens[each]:,}" for each in languages),
            f"{result.mean_tokens:,.0f}",
            f"{result.tokens[result.dearest_language] / result.mean_tokens:.2f}×",
        ]
        for result in latest
    }
    return pd.DataFrame(
        table, index=[*map(language_name, languages), "The mean", "The most expensive against the mean"]
    )


def highest_and_mean_curves(latest: list[MixResult]) -> pd.DataFrame:
    """Return the tokens of the most expensive language, and the mean, at each size of the vocabulary."""
    rows: list[tuple[str, int, str, float, str]] = []
    for result in latest:
        for at, size in enumerate(result.sizes):
            n_tokens = {each: result.curves[each][at] for each in result.languages_with_share}
            dearest = max(n_tokens, key=n_tokens.__getitem__)
            rows.append((result.way, size, WORST, n_tokens[dearest], language_name(dearest)))
            rows.append((result.way, size, MEAN, sum(n_tokens.values()) / len(n_tokens), ""))
    return pd.DataFrame(rows, columns=["training", "vocabulary", "tokens of", "tokens", "language"])


def highest_and_mean_chart(curves: pd.DataFrame) -> alt.Chart:
    """Return the curves: a colour for each training, the mean dashed."""
    ways = list(dict.fromkeys(curves["training"]))
    # One above and one below: beside each other they are too wide for a phone.
    top = alt.Legend(title=None, orient="top", columns=2, labelLimit=300)
    bottom = alt.Legend(title=None, orient="bottom", columns=2, labelLimit=300)
    return (
        alt.Chart(curves, height=HEIGHT)
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("vocabulary:Q", title="size of the vocabulary", scale=alt.Scale(type="log", nice=False)),
            y=alt.Y("tokens:Q", title="tokens", scale=alt.Scale(type="log", nice=False)),
            color=alt.Color("training:N", sort=ways, legend=top, scale=alt.Scale(domain=ways, range=COLOURS)),
            strokeDash=alt.StrokeDash(
                "tokens of:N", sort=[WORST, MEAN], legend=bottom, scale=alt.Scale(range=[[1, 0], [5, 4]])
            ),
            tooltip=["training:N", "vocabulary:Q", "tokens of:N", alt.Tooltip("tokens:Q", format=",.0f"), "language:N"],
        )
    )
