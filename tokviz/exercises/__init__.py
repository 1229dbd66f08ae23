"""What lessons are made of: questions, scenes and links, lines of tokens to draw, small trainings, merging by hand.

A lesson finds here whatever it needs. The lessons themselves are in `lessons`; the pages draw them.
"""

# ruff: noqa: F401 (names for lessons to import)
from tokviz.core.patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import pretokens
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.spans import token_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.trace import trace
from tokviz.exercises.hand_merges import rounds
from tokviz.exercises.lesson import (
    Block,
    Claim,
    Exercise,
    Lesson,
    Lines,
    Link,
    Plain,
    Say,
    Scene,
    Table,
    Target,
    Training,
    usual_links,
)
from tokviz.exercises.lines import Line, as_pieces, cuts_of, n_tokens, piece_line, pieces_of, token_line, tokenizer_of
from tokviz.exercises.questions import Choice, Cuts, Number
from tokviz.exercises.trainings import steps_of, tokenizer_of_training
from tokviz.formats.pretrained import PRETRAINED, load
from tokviz.languages.table import parallel_sentences
