"""The options of the page of languages, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    measure="parity",
    sentence_language="Thai",
    sentence_tokenizer="cl100k_base",
    pairs=[],
    shares=['["English", 2]', '["Thai", 1]'],
    mix_bytes=20_000,
    mix_vocab_size=1_024,
    mix_pattern="o200k",
)
