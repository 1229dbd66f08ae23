"""What a text costs in each language, in money and in room, at a price and a context window that you set."""

import pandas as pd
import streamlit as st

from pages.ui.languages.figures import Figures, is_comparable
from pages.ui.languages.parallel import language_name, reference_language
from pages.ui.options import option_value_among, show_option_widget
from pages.ui.shared.buttons import show_file_button
from pages.ui.shared.charts import legend_labels
from tokviz.languages.parity import text_cost

CHARS_MAX, PRICE_MAX, WINDOW_MAX = 100_000_000, 1_000_000.0, 100_000_000
TOKENS, COST, SHARE, FIT = "tokens", "cost", "share of the window", "fit into the window"


def show_costs(figures: Figures, rows: list[str], picked: str) -> None:
    """Show the settings, what the picked language and the reference pay in words, and all languages in a table."""
    labels = legend_labels(figures)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        english = language_name(reference_language())
        n_chars = show_option_widget(
            "cost_chars", st.number_input, f"Characters in {english}" if reference_language() == "en" else "Characters",
            min_value=1, max_value=CHARS_MAX, step=1_000, width=190,
            help="Of the text in the reference language. A page has about 3,000, a novel 500,000.",
        )  # fmt: skip
        price = show_option_widget("cost_price", st.number_input, "Price per million tokens", min_value=0.0,
                                   max_value=PRICE_MAX, step=0.5, format="%.2f", width=190,
                                   help="In any currency.")  # fmt: skip
        window = show_option_widget("window", st.number_input, "Context window, tokens", min_value=1,
                                    max_value=WINDOW_MAX, step=1_024, width=190)  # fmt: skip
    name = option_value_among("sentence_tokenizer", list(figures))
    table = cost_table(figures, rows, name, n_chars=int(n_chars), price=float(price), window=int(window))
    st.text(_cost_sentence(table, picked, labels[name], n_chars=int(n_chars)))
    formats = {
        TOKENS: st.column_config.NumberColumn(format="localized"),
        COST: st.column_config.NumberColumn(format="%.4f"),
        SHARE: st.column_config.ProgressColumn(format="percent", min_value=0.0,
                                               max_value=max(1e-9, float(table[SHARE].max()))),
        FIT: st.column_config.NumberColumn("texts that fit in the window", format="localized"),
    }  # fmt: skip
    st.dataframe(table.drop(columns="code"), hide_index=True, column_config=formats, height=320, placeholder="–")
    show_file_button("Costs as CSV", table.to_csv(index=False).encode(), "costs.csv", type="tertiary")


def cost_table(
    figures: Figures, rows: list[str], name: str, *, n_chars: int, price: float, window: int
) -> pd.DataFrame:
    """Return what a text costs in each language under a tokenizer, given its characters in the reference language."""
    of_each = figures[name]
    reference = of_each[reference_language()]
    costs = [
        text_cost(of_each[code], reference, n_chars=n_chars, price=price, window=window)
        if is_comparable(of_each[code])
        else None
        for code in rows
    ]
    columns = {
        "language": [*map(language_name, rows)],
        "code": rows,
        TOKENS: [cost and round(cost.n_tokens) for cost in costs],
        COST: [cost and cost.price for cost in costs],
        SHARE: [cost and cost.window_share for cost in costs],
        FIT: [cost and int(1 / cost.window_share) for cost in costs],
    }
    return pd.DataFrame(columns).astype(dict.fromkeys((TOKENS, COST, SHARE, FIT), float))


def _price_text(price: float) -> str:
    """Return a price in figures.

    >>> _price_text(210.0), _price_text(0.00123)
    ('210.00', '0.0012')
    """
    return f"{price:,.2f}" if price >= 1 else f"{price:.4f}"


def _cost_sentence(table: pd.DataFrame, picked: str, label: str, *, n_chars: int) -> str:
    """Return in words what the reference and the picked language pay."""
    found = {row["code"]: row for row in table.dropna(subset=[TOKENS]).to_dict("records")}
    said = [
        f"{found[code][TOKENS]:,.0f} tokens in {language_name(code)}, which cost {_price_text(found[code][COST])} "
        f"and take {found[code][SHARE]:.1%} of the window"
        for code in dict.fromkeys([reference_language(), picked])
        if code in found
    ]
    if not said:
        return f"Under {label}, no figure is comparable."
    language = language_name(reference_language())
    return f"Under {label}, a text of {n_chars:,} characters in {language} has {'; '.join(said)}."
