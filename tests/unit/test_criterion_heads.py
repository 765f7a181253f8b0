"""Heads of criteria and of answers to consultations, and the criteria that they leave without effect.

All of them are of 15 January 2031.
"""

from datetime import date
from pathlib import Path

import pytest

from law.norms import Norm
from loading.formats import load

BODY = """
CRITERIO DE GESTIÓN
1. Se concede el recargo, según el criterio 8/2019, de 3 de enero de 2019.
FUNDAMENTO
La consulta 9/2018 lo dice.
"""
INSS = "INSTITUTO NACIONAL DE LA SEGURIDAD SOCIAL\n"
HEADS = [
    (
        f"{INSS}CRITERIO DE GESTIÓN: 05/2031\nFECHA: 15 de enero de 2031\nMATERIA: Niebla\n",
        "Criterio 5/2031 del INSS | Criterio de gestión | Criterio 5/2031. Niebla",
    ),
    (
        f"{INSS}Criterio de gestión:\n5/2031\nFecha:\n15/01/2031\nMateria:\nNiebla\n",
        "Criterio 5/2031 del INSS | Criterio de gestión | Criterio 5/2031. Niebla",
    ),
    (
        f"| CRITERIO DE GESTIÓN | 5/2031 |\n| --- | --- |\n| FECHA | 15 de enero de 2031 |\n"
        f"| ASUNTO | Niebla |\n\n{INSS}",
        "Criterio 5/2031 del INSS | Criterio de gestión | Criterio 5/2031. Niebla",
    ),
    (
        "CRITERIO DE GESTIÓN Nº 5/2031, DE 15 DE ENERO\n"
        "Tesorería General de la Seguridad Social\nAsunto: Niebla\n",
        "Criterio 5/2031 de la TGSS | Criterio de gestión | Criterio 5/2031. Niebla",
    ),
    (
        f"{INSS}CRITERIO DE GESTIÓN: 5/2031 FECHA: 15 de enero de 2031 MATERIA: Niebla\n",
        "Criterio 5/2031 del INSS | Criterio de gestión | Criterio 5/2031. Niebla",
    ),
    (
        "DIRECCIÓN GENERAL DE FAROS\nReferencia: DGF-SGN-77XY\nFecha: 15/01/31\n"
        "Asunto: consulta sobre niebla\n",
        "Consulta DGF-SGN-77XY de la Dirección General de Faros | Consulta"
        " | Consulta DGF-SGN-77XY. consulta sobre niebla",
    ),
    (
        "DIRECCIÓN GENERAL DE ORDENACIÓN DE LA SEGURIDAD SOCIAL\nConsulta: 5/2031\n"
        "Fecha: 15 de enero de 2031\nAsunto: Niebla\n\n"
        "La pide el Instituto Nacional de la Seguridad Social.\n",
        "Consulta 5/2031 de la DGOSS | Consulta | Consulta 5/2031. Niebla",
    ),
    (
        "MINISTERIO DEL MAR\nDIRECCIÓN GENERAL DE FAROS\nNº de consulta: DGF-SGN-77XY\n"
        "Asunto: Niebla\n\nMadrid, a 15 de enero de 2031\n",
        "Consulta DGF-SGN-77XY de la Dirección General de Faros | Consulta | Consulta DGF-SGN-77XY. Niebla",
    ),
]  # fmt: skip


def read(tmp_path: Path, text: str) -> Norm:
    path = tmp_path / "documento.txt"
    path.write_text(text, "utf-8")
    return load(path, "criterios_inss")[0].norm


@pytest.mark.parametrize(("head", "facts"), HEADS)
def test_a_head_gives_number_body_day_and_subject(tmp_path: Path, head: str, facts: str) -> None:
    norm = read(tmp_path, head + BODY)
    assert " | ".join((norm.law, norm.rank, norm.title)) == facts
    assert norm.published == date(2031, 1, 15)
    assert norm.department == norm.extra["organo"] and norm.extra["criterion_number"] == norm.number


@pytest.mark.parametrize(
    ("sentence", "replaced"),
    [
        ("Se deja sin efecto el criterio de gestión 4/2020, de 14 de febrero.", "4/2020"),
        ("Este criterio sustituye al criterio 4/2020 y al criterio 6/2020.", "4/2020, 6/2020"),
        ("Queda sin efecto el criterio 04/20.", "4/2020"),
        ("Quedan derogados los criterios 4/2020, de 1 de mayo, 5/2020 y 6/2021.", "4/2020, 5/2020, 6/2021"),
        ("El criterio de gestión 4/2020 queda sustituido por el presente.", "4/2020"),
        ("Se revisa el criterio 4/2020, de 14 de febrero, y se deja sin efecto.", "4/2020"),
        ("Se revisa el punto 3 del criterio 4/2020, que queda íntegramente sustituido por este.", "4/2020"),
        ("6. El presente criterio deja sin efecto el criterio de gestión 4/2020.", "4/2020"),
        ("Sustituye al criterio de gestión 4/2020.", "4/2020"),
        ("No se deja sin efecto el criterio 4/2020.", ""),
        ("Si se deja sin efecto el criterio 4/2020, se revisará.", ""),
        ("La empresa afirma que «queda sin efecto el criterio 4/2020».", ""),
        ("El criterio 7/2021 deja sin efecto el criterio 4/2020.", ""),
        ("Se mantiene el criterio 4/2020 y queda sin efecto la resolución 5/2020.", ""),
        ("Se deja sin efecto el artículo 4/2020.", ""),
    ],
)
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
    assert any("se guarda con las sentencias y los criterios" in warning for warning in document.warnings)
