"""Heads of criteria and consultations, and the criteria that they leave without effect: tests/cases."""

from datetime import date
from pathlib import Path

import pytest

from law.norms import Norm
from loading.formats import load
from tests.case_files import pairs, texts

BODY = """
CRITERIO DE GESTIÓN
1. Se concede el recargo, según el criterio 8/2019, de 3 de enero de 2019.
FUNDAMENTO
La consulta 9/2018 lo dice.
"""
INSS = "INSTITUTO NACIONAL DE LA SEGURIDAD SOCIAL\n"


HEADS = texts("criterion_heads")


def read(tmp_path: Path, text: str) -> Norm:
    path = tmp_path / "documento.txt"
    path.write_text(text, "utf-8")
    return load(path, "criterios_inss")[0].norm


@pytest.mark.parametrize(("head", "facts"), [one[1:] for one in HEADS], ids=[one[0] for one in HEADS])
def test_a_head_gives_number_body_day_and_subject(tmp_path: Path, head: str, facts: list[str]) -> None:
    norm = read(tmp_path, f"{head}\n{BODY}")
    assert [f"nombre: {norm.law}", f"clase: {norm.rank}", f"título: {norm.title}"] == facts
    assert norm.published == date(2031, 1, 15)
    assert norm.department == norm.extra["organo"] and norm.extra["criterion_number"] == norm.number


@pytest.mark.parametrize(("sentence", "replaced"), pairs("replaced_criteria"))
def test_only_criteria_that_it_leaves_without_effect_are_replaced(
    tmp_path: Path, sentence: str, replaced: str
) -> None:
    head = f"{INSS}Criterio de gestión: 9/2031\nFecha: 15 de enero de 2031\n"
    norm = read(tmp_path, f"{head}{BODY}{sentence}\n")
    assert norm.extra.get("replaces", "") == replaced


def test_a_criterion_loaded_as_law_is_put_among_the_criteria_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "documento.txt"
    path.write_text(f"{INSS}Criterio de gestión: 9/2031\nFecha: 15 de enero de 2031\n{BODY}", "utf-8")
    (document,) = load(path, "normativa")
    assert document.norm.collection == "criterios_inss"
    assert any("se guarda con los de su clase" in warning for warning in document.warnings)
