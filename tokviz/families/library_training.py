"""SentencePiece and WordPiece tokenizers, trained on a text by the libraries of the field.

What the libraries say about sizes that do not fit the text becomes a ValueError in plain words.
"""

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import sentencepiece
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from tokviz.core.pretokens import well_formed_text
from tokviz.families.sentencepiece_options import DEFAULTS, non_default_trainer_options
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.sentencepiece import SentencePieceTokenizer
from tokviz.system import sandbox

SECONDS = 120.0  # of processor time


class VocabularyTooLarge(ValueError):
    """A vocabulary larger than the text can fill; `most` is the largest that SentencePiece accepts."""

    def __init__(self, vocab_size: int, most: int) -> None:
        super().__init__(
            f"a vocabulary of {vocab_size:,} is more than this text can fill; SentencePiece takes at most {most:,}"
        )
        self.most = most


_TOO_LARGE = re.compile(r"value <= ([0-9]+)")
_NOTHING_LEFT = ("sentences_.empty()", "all_chars_count")  # no lines, no characters
_TOO_SMALL = re.compile(r"required_chars\. *([0-9]+) vs ([0-9]+)")


def train_sentencepiece(
    text: str,
    *,
    vocab_size: int,
    name: str = "sentencepiece",
    **options: Any,
) -> SentencePieceTokenizer:
    """Return a SentencePiece model trained on the lines of a text.

    The options are all those of SentencePiece's trainer, under its own names, except those that name files;
    `tokviz.families.sentencepiece_options` lists our defaults, and has the options of Llama 2's tokenizer as
    `**LLAMA_2`. Lines may have any length, unless `max_sentence_length` is given: longer ones, in bytes, are left out.
    So are carriage returns at the ends of lines. Raises ValueError for values out of range, for a text of which nothing
    is left and for sizes that the text cannot fill, VocabularyTooLarge for one too large.

    >>> from tokviz.families.sentencepiece_options import LLAMA_2
    >>> train_sentencepiece("low  lower lowest 2026 " * 9, vocab_size=275, **LLAMA_2).kind
    'SentencePiece BPE'
    """
    if vocab_size < 4:
        raise ValueError(f"vocab_size must be at least 4, since three tokens are <unk>, <s> and </s>, not {vocab_size}")
    chosen = non_default_trainer_options(options, vocab_size=vocab_size)
    if not text.strip():
        raise ValueError("there is no text to train on: give one that is more than white space")
    lines = well_formed_text(text).replace("\0", " ").split("\n")  # NUL ends a text for SentencePiece
    if "max_sentence_length" not in options:  # longer ones would be left out
        chosen["max_sentence_length"] = max(10, *(len(line.encode()) + 1 for line in lines))
    try:
        model = sandbox.call(_trained_sentencepiece_model, lines, vocab_size, chosen, seconds=SECONDS, what="training")
    except sandbox.SandboxError:
        raise
    except ValueError as e:
        raise _error_in_words(str(e), vocab_size, lines, chosen) from e
    return SentencePieceTokenizer(name, model)


def _trained_sentencepiece_model(lines: list[str], vocab_size: int, options: Mapping[str, Any]) -> bytes:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=vocab_size,
        minloglevel=3,
        **options,
    )
    return model.getvalue()


def _error_in_words(message: str, vocab_size: int, lines: Sequence[str], options: Mapping[str, Any]) -> ValueError:
    """Return in words what SentencePiece says about a vocabulary size, or about lines that it leaves out."""
    if found := _TOO_LARGE.search(message):
        return VocabularyTooLarge(vocab_size, int(found[1]))
    if found := _TOO_SMALL.search(message):
        return ValueError(
            f"a vocabulary of {vocab_size:,} is too small: this text needs {int(found[2]):,} for its characters, bytes "
            "and symbols alone; choose a larger one, or a smaller character coverage"
        )
    if any(words in message for words in _NOTHING_LEFT):
        return _nothing_left_error(lines, options.get("max_sentence_length", DEFAULTS["max_sentence_length"]))
    if "freq" in message:
        return ValueError("with input_format tsv, each line must be a text, a tab and how often it occurs, at least 1")
    return ValueError(f"SentencePiece cannot train with these options: {message}")


def _nothing_left_error(lines: Sequence[str], longest: int) -> ValueError:
    """Return in words why SentencePiece leaves out every line of a text."""
    sizes = [len(line.encode()) for line in lines if line.strip()]
    if min(sizes) > longest:
        return ValueError(
            f"every line is too long: max_sentence_length is {longest:,} bytes, and the shortest line has "
            f"{min(sizes):,}; leave that option out, or break the lines"
        )
    return ValueError(
        f"nothing of this text is left to train on: SentencePiece leaves out lines of more than {longest:,} bytes, "
        "lines with a ▅ (U+2585), and characters that its normalization drops"
    )


def train_wordpiece(text: str, *, vocab_size: int, name: str = "wordpiece") -> HFTokenizer:
    """Return a WordPiece tokenizer trained on a text, like BERT's: cased, with ## before what continues a word.

    Text is cut at white space and punctuation first, and each Chinese character is a word. A word with a
    part that is not in the vocabulary is unknown as a whole. Raises ValueError for a size below 3.

    >>> train_wordpiece("low lower lowest", vocab_size=30).encode("lowest").__len__() > 0
    True
    """
    if vocab_size < 3:
        raise ValueError(f"vocab_size must be at least 3, for the special tokens, not {vocab_size}")
    if not text.strip():
        raise ValueError("there is no text to train on: give one that is more than white space")
    lines = well_formed_text(text).splitlines()
    data = sandbox.call(_trained_wordpiece_json, lines, vocab_size, seconds=SECONDS, what="training").encode()
    return HFTokenizer(name, data, reason="WordPiece chooses the longest match, and has no merges")


def _trained_wordpiece_json(lines: list[str], vocab_size: int) -> str:
    library = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    library.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.decoder = decoders.WordPiece()
    special = ["[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=vocab_size, special_tokens=special, show_progress=False)
    library.train_from_iterator(lines, trainer)
    return library.to_str()
