"""tokviz: train, trace, explain and show byte pair encodings.

Everything public is here, and imported when it is first used: `import tokviz` alone takes a few milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if (
    TYPE_CHECKING
):  # editors and type checkers read these lines as Python, and the rest of this module reads them as text
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
    from tokviz.corpus.corpus import Corpus as Corpus
    from tokviz.corpus.corpus_counts import CorpusCounts as CorpusCounts
    from tokviz.corpus.corpus_counts import dask_counts as dask_counts
    from tokviz.corpus.mixes import CorpusMix as CorpusMix
    from tokviz.corpus.mixes import mixed_documents as mixed_documents
    from tokviz.display.show import Shown as Shown
    from tokviz.display.show import show as show
    from tokviz.families.library_training import train_sentencepiece as train_sentencepiece
    from tokviz.families.library_training import train_wordpiece as train_wordpiece
    from tokviz.families.sentencepiece_options import LLAMA_2 as LLAMA_2
    from tokviz.formats.chat_settings_file import chat_templates as chat_templates
    from tokviz.formats.files import read as read
    from tokviz.formats.files import save as save
    from tokviz.formats.pretrained import encoding_of_model as encoding_of_model
    from tokviz.formats.pretrained import load as load
    from tokviz.languages.parallel_files import read_sentences as read_sentences
    from tokviz.languages.table import parallel_sentences as parallel_sentences
    from tokviz.seams.canonical import Canonical as Canonical
    from tokviz.seams.canonical import Difference as Difference
    from tokviz.seams.canonical import canonical as canonical
    from tokviz.seams.joined_parts import Cuts as Cuts
    from tokviz.seams.joined_parts import joined_parts as joined_parts
    from tokviz.seams.segmentations import Segmentations as Segmentations
    from tokviz.seams.settled_tokens import Seam as Seam
    from tokviz.seams.settled_tokens import Settled as Settled
    from tokviz.seams.settled_tokens import settled as settled
    from tokviz.seams.shared_prefix import SharedPrefix as SharedPrefix
    from tokviz.seams.shared_prefix import shared_prefix as shared_prefix
    from tokviz.text.hidden_cost import HiddenCost as HiddenCost
    from tokviz.text.hidden_cost import hidden_cost as hidden_cost
    from tokviz.text.hidden_text import Mark as Mark
    from tokviz.text.hidden_text import hidden as hidden
    from tokviz.text.hidden_text import without_hidden as without_hidden
    from tokviz.text.tables import compare as compare
    from tokviz.text.tables import parity as parity
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
    from tokviz.vocabulary.audit import Audit as Audit
    from tokviz.vocabulary.audit import audit as audit
else:
    _IMPORTS = (line.split() for line in __loader__.get_source(__name__).splitlines() if line.startswith("    from "))
    _HOMES = {name: home for _, home, _, name, *_ in _IMPORTS}
    __all__ = sorted(_HOMES)

    def __getattr__(name: str) -> object:
        """Import what has this name, and keep it."""
        if name not in _HOMES:
            raise AttributeError(f"module 'tokviz' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
