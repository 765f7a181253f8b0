"""The passage of a fragment that is shown to a model is the one nearest to the question."""

import os
import subprocess
import sys

from law.passages import excerpt, passage
from text.textnorm import stems

FILLER = "La empresa inventada comunicará por escrito los datos de la plantilla al registro. "
TEXT = f"{FILLER * 20}La persona trabajadora podrá faltar por matrimonio durante quince días. {FILLER * 20}"


def near(question: str, text: str = TEXT, limit: int = 700) -> str:
    return passage(text, frozenset(stems(question)), limit)


def test_the_sentence_that_answers_is_shown_wherever_it_stands():
    shown = near("¿Cuántos días por matrimonio?")
    assert "por matrimonio durante quince días" in shown
    assert shown.startswith("… ") and shown.endswith(" …")
    assert 600 < len(shown) <= 704


def test_a_passage_is_filled_with_what_follows_or_at_the_end_with_what_goes_before():
    last = f"{FILLER * 20}Faltará por matrimonio. Y firma."
    shown = near("matrimonio", last)
    assert shown.endswith("Faltará por matrimonio. Y firma.")
    assert 600 < len(shown) <= 704
    long = f"Faltará por matrimonio. {'palabra ' * 300}"
    shown = near("matrimonio", long)
    assert shown.startswith("Faltará por matrimonio. palabra") and shown.endswith("palabra …")
    assert 600 < len(shown) <= 704


def test_a_text_without_any_word_of_the_question_is_shown_from_its_start():
    shown = near("xilófono")
    assert shown.startswith("La empresa inventada") and shown.endswith(" …")


def test_a_short_text_is_shown_whole_in_one_line():
    assert near("plazo", "Uno.\nDos.") == "Uno. Dos."
    assert near("plazo", "") == ""


def test_a_sentence_too_long_is_cut_between_words_around_the_first_word_wanted():
    text = "palabra " * 300 + "matrimonio " + "otra " * 300
    shown = near("matrimonio", text)
    assert "matrimonio" in shown
    assert len(shown) <= 704
    assert set(shown.split()) <= {"…", "palabra", "matrimonio", "otra"}


def test_a_word_that_every_sentence_has_counts_less_than_a_rare_one():
    shown = near("la empresa comunicará el matrimonio por escrito", limit=200)
    assert "matrimonio" in shown


ALIKE = (
    "Multa viaje permiso turno prima. Permiso multa turno taller viaje. Permiso prima viaje. Taller "
    "turno prima multa. Turno viaje. Multa taller viaje prima. Permiso taller prima turno multa. "
    "Taller permiso viaje turno multa. Turno multa. Taller multa."
)
"""Several of its runs of sentences have the same words."""
SHOWN = "from tests.unit.test_passages import ALIKE, near; print(near(ALIKE, limit=70, text=ALIKE))"


def test_every_process_shows_the_same_of_passages_with_the_same_words():
    shown = {
        subprocess.run(
            [sys.executable, "-c", SHOWN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(shown) == 1 and shown != {""}


ARTICLE = (
    f"1. El plazo inventado será de veinte días. {FILLER * 4}\n"
    f"2. La empresa inventada tendrá a la vista el calendario. {FILLER * 12}"
    f"La persona trabajadora podrá faltar por matrimonio. {FILLER * 9}\n3. {FILLER * 9}"
)


def shown_in_a_list(question: str, opening: int) -> str:
    return excerpt(ARTICLE, frozenset(stems(question)), 700, opening)


def test_an_excerpt_has_the_first_words_of_its_apartado_and_the_beginning_of_the_article():
    shown = shown_in_a_list("matrimonio", 60)
    beginning, _, rest = shown.partition(" […] ")
    assert beginning.startswith("1. El plazo inventado será de veinte días.") and len(beginning) <= 62
    assert rest.startswith("2. La empresa inventada tendrá a la vista el calendario.")
    assert "podrá faltar por matrimonio" in rest
    assert shown_in_a_list("matrimonio", 0).startswith("… 2. La empresa inventada tendrá a la vista")


def test_an_excerpt_whose_apartado_is_short_is_shown_from_it_and_a_short_text_is_whole():
    assert shown_in_a_list("plazo veinte", 60).startswith("1. El plazo inventado será de veinte días. La")
    assert excerpt("1. Uno.\n2. Dos.", frozenset(), 700, 60) == "1. Uno. 2. Dos."
