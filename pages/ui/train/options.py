"""The options of the page that trains, with their defaults."""

from pages.ui.shared.options import add_options

THE_TEXT = "The text"  # to train on, not files

add_options(
    train_on=THE_TEXT,
    text_key="text",
    training_job="",  # the id of the training under way
    train_name="my tokenizer",
    train_start="",  # the name of the tokenizer to begin with, none for bytes alone
    vocab_size=512,
    new_tokens=1_000,  # on top of that tokenizer
    min_count=2,
    pattern="cl100k",
    special="",
    hold_out=False,
    model_version="minbpe v1",
)
