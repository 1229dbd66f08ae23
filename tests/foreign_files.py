"""Small tokenizer files of other families, made by the libraries of the field."""

import io

import sentencepiece

from tokviz.core.samples import sample
from tokviz.families.library_training import train_wordpiece


def wordpiece_file() -> bytes:
    """Return a tokenizer.json of WordPiece."""
    return train_wordpiece(sample("english"), vocab_size=300).data


def sentencepiece_file() -> bytes:
    """Return a .model of SentencePiece, of the Unigram kind."""
    model = io.BytesIO()
    lines = iter(sample("english").splitlines())
    options = {"model_type": "unigram", "vocab_size": 250, "minloglevel": 2, "num_threads": 1}
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=lines, model_writer=model, **options)
    return model.getvalue()
