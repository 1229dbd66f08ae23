"""tokviz: train, trace, explain and show byte pair encodings.

Everything public is here, and imported when it is first used: `import tokviz` alone takes a few milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same for editors and checkers of types; a test compares the two
    from tokviz.analysis.comparison import compare as compare
    from tokviz.analysis.comparison import parity as parity
    from tokviz.audits.audit import Audit as Audit
    from tokviz.audits.audit import audit as audit
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
    from tokviz.hidden_text.cost import HiddenCost as HiddenCost
    from tokviz.hidden_text.cost import hidden_cost as hidden_cost
    from tokviz.hidden_text.marks import Mark as Mark
    from tokviz.hidden_text.marks import hidden as hidden
    from tokviz.hidden_text.marks import without_hidden as without_hidden
    from tokviz.languages.parallel_files import read_sentences as read_sentences
    from tokviz.languages.table import parallel_sentences as parallel_sentences
    from tokviz.seams.canonical import Canonical as Canonical
    from tokviz.seams.canonical import Difference as Difference
    from tokviz.seams.canonical import canonical as canonical
    from tokviz.seams.joined_parts import Cuts as Cuts
    from tokviz.seams.joined_parts import joined_parts as joined_parts
    from tokviz.seams.segmentations import Segmentations as Segmentations
    from tokviz.seams.settled import Seam as Seam
    from tokviz.seams.settled import Settled as Settled
    from tokviz.seams.settled import settled as settled
    from tokviz.seams.shared_prefix import SharedPrefix as SharedPrefix
    from tokviz.seams.shared_prefix import shared_prefix as shared_prefix
    from tokviz.training.corpus import Corpus as Corpus
    from tokviz.training.corpus_counts import CorpusCounts as CorpusCounts
    from tokviz.training.corpus_counts import dask_counts as dask_counts
    from tokviz.training.mixes import CorpusMix as CorpusMix
    from tokviz.training.mixes import mixed_documents as mixed_documents
    from tokviz.training.parity.language_pairs import ParityVariant as ParityVariant
    from tokviz.training.parity.parity_aware import parity_aware_steps as parity_aware_steps
    from tokviz.training.parity.parity_aware import train_parity_aware as train_parity_aware
    from tokviz.training.superwords import superword_steps as superword_steps
    from tokviz.training.superwords import train_superwords as train_superwords
    from tokviz.training.superwords import with_superwords as with_superwords
    from tokviz.training.training import steps_from_counts as steps_from_counts
    from tokviz.training.training import train as train
    from tokviz.training.training import train_steps as train_steps
    from tokviz.training.trim import Trimmed as Trimmed
    from tokviz.training.trim import trim as trim

_HOMES = {
    "analysis.comparison": ("compare", "parity"),
    "audits.audit": ("Audit", "audit"),
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
    "hidden_text.cost": ("HiddenCost", "hidden_cost"),
    "hidden_text.marks": ("Mark", "hidden", "without_hidden"),
    "languages.parallel_files": ("read_sentences",),
    "languages.table": ("parallel_sentences",),
    "seams.canonical": ("Canonical", "Difference", "canonical"),
    "seams.joined_parts": ("Cuts", "joined_parts"),
    "seams.segmentations": ("Segmentations",),
    "seams.settled": ("Seam", "Settled", "settled"),
    "seams.shared_prefix": ("SharedPrefix", "shared_prefix"),
    "training.corpus": ("Corpus",),
    "training.corpus_counts": ("CorpusCounts", "dask_counts"),
    "training.mixes": ("CorpusMix", "mixed_documents"),
    "training.parity.language_pairs": ("ParityVariant",),
    "training.parity.parity_aware": ("parity_aware_steps", "train_parity_aware"),
    "training.superwords": ("superword_steps", "train_superwords", "with_superwords"),
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
