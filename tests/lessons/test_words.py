"""The lesson on tokens says by which rules it counted words."""

import subprocess
import sys
from pathlib import Path

import pytest

from tokviz.lessons.tokens import LESSON
from tokviz.text import word_rules
from tokviz.text.word_rules import can_use_spacy, words_by_spacy_or_few_rules


def test_the_lesson_says_which_rules_it_used(monkeypatch):
    exercise = next(exercise for exercise in LESSON.exercises if exercise.key == "words")

    def answer() -> str:
        return " ".join(getattr(part, "words", "") for part in exercise.scene("I don’t mind.").reveal)

    if can_use_spacy():
        assert "are from spaCy" in answer() and "our own" not in answer()
    monkeypatch.setattr(word_rules, "_spacy_english", lambda: None)
    assert words_by_spacy_or_few_rules("don’t") == ["do", "n’t"]
    assert "a few simple rules" in answer() and "spaCy" not in answer()


@pytest.mark.slow
def test_the_lessons_are_loaded_without_spacy():
    code = "import sys, tokviz.lessons; sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2]).returncode == 0
