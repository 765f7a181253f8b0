"""References between norms, resolved when they come in."""

from datetime import date
from pathlib import Path

from storage.stores import Database
from tests.case_files import pairs
from tests.integration.ingest.conftest import TODAY, Write, ingest


def targets(database: Database, norm: str, label: str) -> list[tuple[str, str]]:
    """(norm, label) of what an article's text leads to today."""
    chunks = database.corpus.find(norm, label, TODAY)
    assert chunks
    found = database.corpus.referenced([chunk.id for chunk in chunks], TODAY)
    ids = [target for chunk in chunks for target in found.get(chunk.id, ())]
    return [(chunk.norm_id, chunk.label) for chunk in database.corpus.chunks(ids)]


# References


def test_references_are_resolved_when_a_norm_comes_in(database: Database, write: Write) -> None:
    plain = dict.fromkeys(["1", "2", "3", "4"], "Texto inventado.")
    rest = {"6": "Texto.", "6 bis": "Texto.", "Disposición adicional primera. Prueba.": "Texto."}
    cases = pairs("loaded_references")
    first, *others = (
        write(f"una{n}", plain | {"5": text} | rest, number=f"{n}/2020")
        for n, (text, _) in enumerate(cases, start=1)
    )
    other = write("otra", plain, number="8/2021", alias="LOT")
    for name in ("gemela1", "gemela2"):
        write(name, plain, law="Ley de Nombre Repetido")

    ingest([first.parent], database)
    ingest([first, *others, other], database)

    names = {"OTRA": "LOT "}
    found = [
        "; ".join(f"{names.get(norm, '')}{label}" for norm, label in targets(database, f"UNA{n}", "5"))
        for n in range(1, len(cases) + 1)
    ]
    assert found == [expected for _, expected in cases]


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
