"""Tables of pandas: a text under several tokenizers, and what languages cost."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tokviz.core.protocol import AnyTokenizer, named_tokenizers
from tokviz.core.spans import text_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.languages.parity import REFERENCE, Sentence, parity_rows
from tokviz.languages.table import parallel_sentences
from tokviz.system.installation import require
from tokviz.text.metrics import metrics
from tokviz.text.unknown_text import unknown_text_figures

if TYPE_CHECKING:
    import pandas as pd


def text_figures(tokenizer: AnyTokenizer, text: str) -> dict[str, Any]:
    """Return the figures of a text under a tokenizer, as `compare` has them.

    >>> import tokviz
    >>> text_figures(tokviz.load("gpt2"), "low lower")["n_tokens"]
    2
    """
    unknown_share = 0.0
    if isinstance(tokenizer, Tokenizer):
        ids = tokenizer.encode_to_numpy(text)
    else:
        spans = text_spans(tokenizer, text)
        ids, unknown_share = spans.ids, unknown_text_figures(tokenizer, spans).share
    figures = metrics(text, ids)
    return {
        "n_vocab": tokenizer.n_vocab,
        "n_tokens": figures.n_tokens,
        "n_distinct": figures.n_distinct,
        "bytes_per_token": figures.bytes_per_token,
        "chars_per_token": figures.chars_per_token,
        "tokens_per_word": figures.fertility,
        "unknown_share": unknown_share,
    }


def compare(text: str, tokenizers: Any) -> "pd.DataFrame":
    """Return a table with a row of figures for each tokenizer, by its name; `show` takes it too.

    tokenizers: one, several in a list, or a dict of names to tokenizers. Columns: n_vocab, the highest id plus one;
    n_tokens; n_distinct, different tokens; bytes_per_token and chars_per_token, 0.0 for an empty text;
    tokens_per_word, missing for scripts that are written without spaces; unknown_share, of the characters but white
    space, from 0 to 1. Raises ValueError where a text cannot be encoded, ImportError without pandas.

    >>> import tokviz
    >>> compare("สวัสดี", [tokviz.load("gpt2"), tokviz.load("o200k_base")])["n_tokens"].to_dict()
    {'gpt2': 12, 'o200k_base': 4}
    """
    require("compare", "notebook", "pandas")
    import pandas as pd

    named = named_tokenizers(tokenizers)
    rows = [text_figures(each, text) for each in named.values()]
    table = pd.DataFrame(rows, index=pd.Index(named, name="tokenizer")).astype({"tokens_per_word": float})
    table.attrs = {"tokenizers": named, "text": text}
    return table


def parity(
    tokenizers: Any, sentences: Sequence[Sentence] | None = None, *, reference: str = REFERENCE
) -> "pd.DataFrame":
    """Return a table with what each language costs under each tokenizer, the most expensive first.

    sentences: each a dict of languages to texts that say the same, where one may be missing, as None or NaN; by default
    the twelve built-in ones, in 36 languages. The index is of tokenizer and language; the columns are the others of
    `ParityRow`, of which parity is the tokens relative to the same sentences in the `reference` language. Raises
    ValueError if no sentence has a text in that, or one cannot be encoded; ImportError without pandas.

    >>> import tokviz
    >>> table = parity(tokviz.load("gpt2"), [{"en": "Good morning", "th": "สวัสดี"}])
    >>> table["parity"].unstack("tokenizer")["gpt2"].to_dict()
    {'en': 1.0, 'th': 6.0}
    """
    require("parity", "notebook", "pandas")
    import pandas as pd

    given = parallel_sentences() if sentences is None else sentences
    given = [{language: text for language, text in sentence.items() if pd.notna(text)} for sentence in given]
    rows = [
        row
        for name, tokenizer in named_tokenizers(tokenizers).items()
        for row in parity_rows(tokenizer, given, reference=reference, name=name)
    ]
    return pd.DataFrame(rows).set_index(["tokenizer", "language"])
