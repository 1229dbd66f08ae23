"""What lessons are made of: questions, scenes, links, lines of tokens, small trainings, and figures of other packages.

A lesson imports this and nothing else of the product. The lessons themselves are in `lessons`; the pages draw them.
"""

# ruff: noqa: F401 (names for lessons to use)
from tokviz.chats.chat import ChatTokens, chat
from tokviz.chats.chatml import END, START, chat_ids, chat_tokenizer
from tokviz.conversations.assistant_mask import assistant_mask
from tokviz.conversations.turns import BLOCK, Turn, Turns, turns
from tokviz.core.named_patterns import SPLIT_PATTERNS, first_user
from tokviz.core.pretokens import TIMEOUT_SECONDS, pretokens
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.spans import token_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.trace import trace
from tokviz.exercises.blocks import Block, Lines, Plain, Say, Table, pretrained_lines
from tokviz.exercises.hand_merges import pair_text, rounds_until_wrong_pair
from tokviz.exercises.lesson import Exercise, Lesson, Link, Scene, Training, usual_links
from tokviz.exercises.lines import (
    Line,
    is_ordinary_token,
    loaded_or_given_tokenizer,
    n_tokens,
    piece_line,
    text_with_visible_spaces,
    times_text,
    token_cut_offsets,
    token_line,
    token_texts_of,
    token_texts_or_hex,
)
from tokviz.exercises.questions.choice import Choice, best_figure_question, yes_or_no_question
from tokviz.exercises.questions.cuts import Cuts
from tokviz.exercises.questions.number import Number
from tokviz.exercises.questions.question import Question, Selection
from tokviz.exercises.trainings import learned_steps_of_training, tokenizer_of_training
from tokviz.formats.pretrained import PRETRAINED, load, short_name
from tokviz.languages.table import parallel_sentences
from tokviz.seams.canonical import Canonical
from tokviz.seams.segmentations import Segmentations
from tokviz.seams.shared_prefix import shared_prefix
from tokviz.system.recent import recent
from tokviz.text.alternatives import alternatives
from tokviz.text.alternatives import cuts as pattern_cuts
from tokviz.text.code_points import characters, encoded_sizes, graphemes, normal_forms
from tokviz.text.hidden_text import LOOK_ALIKE, NOT_NFC, STACK, HiddenCost, Mark, hidden, hidden_cost, without_hidden
from tokviz.text.word_rules import (
    UNKNOWN,
    WORD_RULES,
    can_use_spacy,
    english_sample_words,
    words_by_spacy_or_few_rules,
    words_with_unknown_replaced,
)
from tokviz.text.words import quantity
from tokviz.vocabulary.facts import vocabulary_facts
from tokviz.vocabulary.findings import stored_findings
from tokviz.vocabulary.report import longest_token_indices
