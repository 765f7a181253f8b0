"""Front matter of public collections of laws: other names of fields, other words for ranks and statuses."""

from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import Document
from law.validity import Validity, state_of_norm
from loading.formats import load

TODAY = date(2031, 1, 1)
GIVEN = """identifier: "BOE-A-2021-99001"
rank: "real_decreto"
official_number: "7/2021"
publication_date: "2021-05-06"
entry_into_force: "2021-06-01"
last_updated: "2024-02-03"
url_html: "https://www.boe.es/buscar/act.php?id=BOE-A-2021-99001"
"""


def read(tmp_path: Path, fields: str, collection: str = "normativa") -> Document:
    path = tmp_path / "coleccion.md"
    head = f"---\ntitle: Real Decreto 7/2021, de 5 de mayo, de faros\n{fields}---\n"
    text = f"{head}###### Artículo 1. Objeto.\n\nUno.\n"
    path.write_text(text, "utf-8")
    return load(path, collection)[0]


def test_the_fields_of_a_public_collection_are_ours(tmp_path: Path) -> None:
    document = read(tmp_path, f'{GIVEN}status: "in_force"\n')
    norm = document.norm
    assert (norm.id, norm.law, norm.rank) == ("BOE-A-2021-99001", "Real Decreto 7/2021", "Real Decreto")
    assert (norm.published, norm.valid_from) == (date(2021, 5, 6), date(2021, 6, 1))
    assert (norm.status, norm.url) == ("Vigente", "https://www.boe.es/buscar/act.php?id=BOE-A-2021-99001")
    assert norm.extra == {"ultima_modificacion": "2024-02-03"}
    assert document.blocks[0].versions[0].valid_from == date(2021, 6, 1)
    assert not document.warnings


def test_a_field_of_ours_wins_over_another_name_of_it(tmp_path: Path) -> None:
    norm = read(tmp_path, f"{GIVEN}published: 2021-05-07\n").norm
    assert (norm.published, norm.extra["publication_date"]) == (date(2021, 5, 7), "2021-05-06")


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("repealed", "Derogado"),
        ("Derogada", "Derogado"),
        ("superseded", "Sustituido"),
        ("anulada", "Anulado"),
    ],
)
def test_a_status_in_other_words_is_known_and_its_last_day_is_asked_for(
    tmp_path: Path, said: str, status: str
) -> None:
    document = read(tmp_path, f"{GIVEN}status: {said}\n")
    assert (document.norm.status, state_of_norm(document.norm, TODAY).validity) == (status, Validity.REPEALED)
    assert "indique su último día de vigencia" in document.warnings[0]


def test_the_day_of_repeal_is_the_first_without_the_norm(tmp_path: Path) -> None:
    document = read(tmp_path, f"{GIVEN}status: repealed\nrepeal_date: 2024-01-01\n")
    assert document.norm.repealed_on == document.blocks[0].versions[0].valid_to == date(2023, 12, 31)
    assert not document.warnings
    with pytest.raises(InputError, match=r"coleccion\.md: repeal_date debe ser una fecha"):
        read(tmp_path, f"{GIVEN}repeal_date: ayer\n")


def test_an_unknown_status_is_asked_for_and_ends_nothing(tmp_path: Path) -> None:
    document = read(tmp_path, f"{GIVEN}status: pending_review\n")
    assert "«pending_review», que no se conoce" in document.warnings[0]
    assert state_of_norm(document.norm, TODAY).validity is Validity.IN_FORCE


def test_a_final_judgment_is_not_repealed(tmp_path: Path) -> None:
    document = read(tmp_path, "status: Firme\npublished: 2021-05-06\n", "sentencias")
    assert str(state_of_norm(document.norm, TODAY)) == "Vigente"
    assert not document.warnings
