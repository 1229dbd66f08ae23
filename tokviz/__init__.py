"""tokviz: train, trace, explain and show byte pair encodings."""

from tokviz.core.patterns import SPLIT_PATTERNS
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans, text_spans, token_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.trace import MergeTrace, trace
from tokviz.core.vocabulary import UnknownTokenError
from tokviz.display.shown import Shown, show
from tokviz.formats.files import read, save
from tokviz.formats.pretrained import load
from tokviz.training.training import TrainStep, train, train_steps
from tokviz.training.trim import Trimmed, trim

__all__ = [
    "SPLIT_PATTERNS",
    "AnyTokenizer",
    "MergeTrace",
    "Shown",
    "TokenSpans",
    "Tokenizer",
    "TrainStep",
    "Trimmed",
    "UnknownTokenError",
    "load",
    "read",
    "save",
    "show",
    "text_spans",
    "token_spans",
    "trace",
    "train",
    "train_steps",
    "trim",
]
