"""References between norms, resolved when they come in."""

from datetime import date
from pathlib import Path

import pytest

from storage.stores import Database
from tests.integration.ingest.conftest import TODAY, Write, ingest


def targets(database: Database, norm: str, label: str) -> list[tuple[str, str]]:
    """(norm, label) of what an article's text leads to today."""
    chunks = database.corpus.find(norm, label, TODAY)
    assert chunks
    found = database.corpus.referenced([chunk.id for chunk in chunks], TODAY)
    ids = [target for chunk in chunks for target in found.get(chunk.id, ())]
    return [(chunk.norm_id, chunk.label) for chunk in database.corpus.chunks(ids)]


# References


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Según el artículo 2.", [("UNA", "2")]),
        ("Según el artículo 2.3 de esta ley.", [("UNA", "2")]),
        ("Como dispone el artículo anterior.", [("UNA", "4")]),
        ("Como dispone el artículo siguiente.", [("UNA", "6")]),
        ("En los artículos 1 a 3.", [("UNA", "1"), ("UNA", "2"), ("UNA", "3")]),
        ("En los artículos 1, 2 y 6 bis.", [("UNA", "1"), ("UNA", "2"), ("UNA", "6 bis")]),
        ("En los artículos 6 y 6 bis.", [("UNA", "6"), ("UNA", "6 bis")]),
        ("Según el artículo 2 de la Ley 8/2021.", [("OTRA", "2")]),
        ("Según los artículos 1 y 2 de la LOT.", [("OTRA", "1"), ("OTRA", "2")]),
        ("En el artículo 3. El artículo 1 de la Ley 8/2021 no rige.", [("UNA", "3"), ("OTRA", "1")]),
        ("En los artículos 3 y 4 y el artículo 1 de la LOT.", [("OTRA", "3"), ("OTRA", "4"), ("OTRA", "1")]),
        ("Según la disposición adicional primera.", [("UNA", "da 1")]),
        ("Según el artículo 77.", []),
        ("Según el artículo 2 de la Ley 99/1901.", []),
        ("Según el artículo 2 de la Ley de Nombre Repetido.", []),
        ("Este artículo 5 se aplica a todos.", []),
        ("La empresa publicará el calendario.", []),
    ],
)
def test_references_are_resolved_when_a_norm_comes_in(
    database: Database, write: Write, text: str, expected: list[tuple[str, str]]
) -> None:
    plain = dict.fromkeys(["1", "2", "3", "4"], "Texto inventado.")
    one = write(
        "una",
        plain
        | {"5": text, "6": "Texto.", "6 bis": "Texto."}
        | {"Disposición adicional primera. Prueba.": "Texto."},
        number="7/2021",
    )
    other = write("otra", plain, number="8/2021", alias="LOT")
    for name in ("gemela1", "gemela2"):
        write(name, plain, law="Ley de Nombre Repetido")

    ingest([one.parent], database)
    ingest([one, other], database)

    assert targets(database, "UNA", "5") == expected


def test_a_reference_to_a_norm_that_comes_later_is_followed_once_it_is_there(
    database: Database, write: Write
) -> None:
    one = write("una", {"1": "Según el artículo 9 de la Ley 8/2021."}, number="7/2021")
    other = write("otra", {"9": "Texto inventado."}, number="8/2021")

    ingest([one], database)
    assert targets(database, "UNA", "1") == []
    ingest([other], database)
    ingest([one], database)

    assert targets(database, "UNA", "1") == [("OTRA", "9")]


def test_a_reference_leads_to_the_wording_in_force_on_the_day(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "una.md"
    path.write_text(
        "---\nid: UNA\ntitle: Ley una\nlaw: Ley una\nvalid_from: 2000-01-01\n---\n"
        "#### Artículo 1. Prueba.\n\nSegún el artículo 2.\n\n"
        "#### Artículo 2. Prueba.\n<!-- block: a2; valid_to: 2009-12-31 -->\nAntes.\n\n"
        "#### Artículo 2. Prueba.\n<!-- block: a2; valid_from: 2010-01-01 -->\nDespués.\n",
        encoding="utf-8",
    )
    ingest([path], database)
    source = database.corpus.find("UNA", "1")[0].id
    for day, said in ((date(2005, 1, 1), "Antes."), (TODAY, "Después.")):
        ids = database.corpus.referenced([source], day)[source]
        assert [said in chunk.text for chunk in database.corpus.chunks(ids)] == [True]
