"""tokviz: train, trace, explain and show byte pair encodings.

Everything public is here, and imported when it is first used: `import tokviz` alone takes a few milliseconds. Editors
and type checkers read `__init__.pyi`.
"""

from importlib import import_module

_HOMES = {
    "chats.chat": (
        "ChatTokens",
        "chat",
    ),
    "chats.formats": (
        "ChatML",
        "Harmony",
        "Template",
    ),
    "chats.prompt": ("Message",),
    "conversations.assistant_mask": (
        "AssistantMask",
        "assistant_mask",
    ),
    "conversations.turns": (
        "Turn",
        "Turns",
        "turns",
    ),
    "core.normalizer": ("Normalizer",),
    "core.named_patterns": ("SPLIT_PATTERNS",),
    "core.protocol": (
        "AnyTokenizer",
        "FamilyError",
    ),
    "core.samples": ("sample",),
    "core.spans": (
        "TokenSpans",
        "text_spans",
        "token_spans",
    ),
    "core.steps": ("TrainStep",),
    "core.tokenizer": ("Tokenizer",),
    "core.trace": (
        "MergeTrace",
        "trace",
    ),
    "core.vocabulary": ("UnknownTokenError",),
    "corpus.corpus": ("Corpus",),
    "corpus.corpus_counts": (
        "CorpusCounts",
        "dask_counts",
    ),
    "corpus.mixes": (
        "CorpusMix",
        "mixed_documents",
    ),
    "display.show": (
        "Shown",
        "show",
    ),
    "families.library_training": (
        "train_sentencepiece",
        "train_wordpiece",
    ),
    "families.sentencepiece_options": ("LLAMA_2",),
    "formats.chat_settings_file": ("chat_templates",),
    "formats.files": (
        "read",
        "save",
    ),
    "formats.library_objects": (
        "from_huggingface",
        "from_sentencepiece",
        "from_tiktoken",
    ),
    "formats.pretrained": (
        "encoding_of_model",
        "load",
        "load_for_model",
    ),
    "languages.parallel_files": ("read_sentences",),
    "languages.table": ("parallel_sentences",),
    "seams.canonical": (
        "Canonical",
        "Difference",
        "canonical",
    ),
    "seams.chunks": (
        "Chunk",
        "split",
    ),
    "seams.joined_parts": (
        "Cuts",
        "joined_parts",
    ),
    "seams.segmentations": ("Segmentations",),
    "seams.settled_tokens": (
        "Seam",
        "Settled",
        "settled",
    ),
    "seams.shared_prefix": (
        "SharedPrefix",
        "shared_prefix",
    ),
    "system.version": ("__version__",),
    "text.hidden_cost": (
        "HiddenCost",
        "hidden_cost",
    ),
    "text.hidden_text": (
        "Mark",
        "hidden",
        "without_hidden",
    ),
    "text.tables": (
        "compare",
        "parity",
    ),
    "training.parity.language_pairs": ("ParityVariant",),
    "training.parity.parity_aware": (
        "parity_aware_steps",
        "train_parity_aware",
    ),
    "training.superwords": (
        "superword_steps",
        "train_superwords",
        "with_superwords",
    ),
    "training.training": (
        "steps_from_counts",
        "train",
        "train_steps",
    ),
    "training.trim": (
        "Trimmed",
        "trim",
    ),
    "vocabulary.audit": (
        "Audit",
        "audit",
    ),
    "vocabulary.difference": (
        "FirstDifference",
        "first_difference",
    ),
}
_HOME_OF = {name: f"tokviz.{home}" for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> object:
    """Import what has this name, and keep it."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'tokviz' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
