"""tokviz: train, trace, explain and show byte pair encodings.

Everything public is here, and imported when it is first used: `import tokviz` alone takes a few milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same for editors and checkers of types; a test compares the two
    from tokviz.analysis.comparison import compare as compare
    from tokviz.analysis.comparison import parity as parity
    from tokviz.chats.chat import ChatTokens as ChatTokens
    from tokviz.chats.chat import chat as chat
    from tokviz.chats.formats import ChatML as ChatML
    from tokviz.chats.formats import Harmony as Harmony
    from tokviz.chats.formats import Template as Template
    from tokviz.chats.prompt import Message as Message
    from tokviz.core.patterns import SPLIT_PATTERNS as SPLIT_PATTERNS
    from tokviz.core.protocol import AnyTokenizer as AnyTokenizer
    from tokviz.core.samples import sample as sample
    from tokviz.core.spans import TokenSpans as TokenSpans
    from tokviz.core.spans import text_spans as text_spans
    from tokviz.core.spans import token_spans as token_spans
    from tokviz.core.steps import TrainStep as TrainStep
    from tokviz.core.tokenizer import Tokenizer as Tokenizer
    from tokviz.core.trace import MergeTrace as MergeTrace
    from tokviz.core.trace import trace as trace
    from tokviz.core.vocabulary import UnknownTokenError as UnknownTokenError
    from tokviz.display.shown import Shown as Shown
    from tokviz.display.shown import show as show
    from tokviz.families.library_training import train_sentencepiece as train_sentencepiece
    from tokviz.families.library_training import train_wordpiece as train_wordpiece
    from tokviz.families.sentencepiece_options import LLAMA_2 as LLAMA_2
    from tokviz.formats.chat_settings import chat_templates as chat_templates
    from tokviz.formats.files import read as read
    from tokviz.formats.files import save as save
    from tokviz.formats.pretrained import encoding_of_model as encoding_of_model
    from tokviz.formats.pretrained import load as load
    from tokviz.languages.table import parallel_sentences as parallel_sentences
    from tokviz.training.corpus import Corpus as Corpus
    from tokviz.training.corpus_counts import CorpusCounts as CorpusCounts
    from tokviz.training.dask_counts import dask_counts as dask_counts
    from tokviz.training.mixes import CorpusMix as CorpusMix
    from tokviz.training.mixes import mixed_documents as mixed_documents
    from tokviz.training.training import steps_from_counts as steps_from_counts
    from tokviz.training.training import train as train
    from tokviz.training.training import train_steps as train_steps
    from tokviz.training.trim import Trimmed as Trimmed
    from tokviz.training.trim import trim as trim

_HOMES = {
    "analysis.comparison": ("compare", "parity"),
    "chats.chat": ("ChatTokens", "chat"),
    "chats.formats": ("ChatML", "Harmony", "Template"),
    "chats.prompt": ("Message",),
    "core.patterns": ("SPLIT_PATTERNS",),
    "core.protocol": ("AnyTokenizer",),
    "core.samples": ("sample",),
    "core.spans": ("TokenSpans", "text_spans", "token_spans"),
    "core.steps": ("TrainStep",),
    "core.tokenizer": ("Tokenizer",),
    "core.trace": ("MergeTrace", "trace"),
    "core.vocabulary": ("UnknownTokenError",),
    "display.shown": ("Shown", "show"),
    "families.library_training": ("train_sentencepiece", "train_wordpiece"),
    "families.sentencepiece_options": ("LLAMA_2",),
    "formats.chat_settings": ("chat_templates",),
    "formats.files": ("read", "save"),
    "formats.pretrained": ("encoding_of_model", "load"),
    "languages.table": ("parallel_sentences",),
    "training.corpus": ("Corpus",),
    "training.corpus_counts": ("CorpusCounts",),
    "training.dask_counts": ("dask_counts",),
    "training.mixes": ("CorpusMix", "mixed_documents"),
    "training.training": ("steps_from_counts", "train", "train_steps"),
    "training.trim": ("Trimmed", "trim"),
}
_HOME_OF = {name: f"tokviz.{home}" for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    """Import what has this name, and keep it."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tokviz' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
