"""The options of the page that trains, with their defaults."""

from pages.ui.shared.options import add_options

THE_TEXT = "The text"  # to train on, not files

add_options(
    train_on=THE_TEXT,
    text_key="text",
    training_job="",  # the id of the training under way
    train_name="my tokenizer",
    vocab_size=512,
    min_count=2,
    pattern="cl100k",
    special="",
    hold_out=False,
    model_version="minbpe v1",
)
