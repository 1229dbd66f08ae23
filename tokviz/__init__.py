"""tokviz: train, trace, explain and show byte pair encodings."""

from tokviz.patterns import SPLIT_PATTERNS
from tokviz.pretrained import load
from tokviz.protocol import AnyTokenizer
from tokviz.segments import TokenSpans, text_spans, token_spans
from tokviz.tokenizer import Tokenizer
from tokviz.trace import MergeTrace, trace
from tokviz.training import TrainStep, train, train_steps

__all__ = [
    "SPLIT_PATTERNS",
    "AnyTokenizer",
    "MergeTrace",
    "TokenSpans",
    "Tokenizer",
    "TrainStep",
    "load",
    "text_spans",
    "token_spans",
    "trace",
    "train",
    "train_steps",
]
