"""Small tokenizer files of other families, made by the libraries of the field."""

import io
from typing import Any

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


def sentencepiece_model(model_type: str = "bpe", **options: Any) -> bytes:
    """Return a .model of SentencePiece trained on English and Thai; the options are those of the library."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter((sample("english") + sample("thai")).splitlines()),
        model_writer=model,
        model_type=model_type,
        num_threads=1,
        minloglevel=2,
        **{"vocab_size": 450, "byte_fallback": True, **options},
    )
    return model.getvalue()
