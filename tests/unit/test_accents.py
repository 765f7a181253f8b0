"""Accents that a question was typed without."""

import json
import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lexicon.accents import accented
from rag.question.question_form import clean

EVALUATION = Path(__file__).parents[2] / "data" / "evaluation"


def bare(text: str) -> str:
    """The text without acute accents and diaereses; ñ stays."""
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(one for one in parts if one not in "\u0301\u0308"))


def test_both_spellings_of_a_word_are_read_alike() -> None:
    assert clean("duración del período de prueba") == clean("duracion del periodo de prueba")


def test_of_questions_nobody_was_shown_most_are_restored_whole_and_few_right_ones_are_touched() -> None:
    lines = (line for file in EVALUATION.glob("*.jsonl") for line in file.read_text("utf-8").splitlines())
    asked = {json.loads(line)["question"] for line in lines}
    spelled = [question for question in asked if bare(question) != question]
    restored = sum(accented(bare(question)) == question for question in spelled)
    touched = sum(accented(question) != question for question in spelled)
    assert restored >= 0.75 * len(spelled)
    assert touched <= 0.015 * len(spelled)


@given(st.text(alphabet="aeioubcdñqu áéíóú¿?.,:X1", max_size=60))
def test_only_accents_are_added_and_once(text: str) -> None:
    spelled = accented(text)
    assert accented(spelled) == spelled
    assert bare(spelled).replace("ñ", "n") == bare(text).replace("ñ", "n")
