"""Changes by others while a model reads stay."""

from collections.abc import Callable
from datetime import date

import pytest

from core.errors import InputError
from loading.ingestion.intake import Intake
from loading.ingestion.remove import edit_metadata
from storage.stores import Database
from tests.contract.openai_helpers import MODEL
from tests.factories import make_block, make_norm
from tests.integration.enrich.conftest import AID, BODY, enricher, norm, put
from tests.model_replies import Request, as_json
from tests.model_server import ModelServer


def meanwhile(server: ModelServer, change: Callable[[], object]) -> None:
    """Have the model answer, and `change` happen while it reads the first block."""
    pending = [change]

    def answer(_: Request) -> object:
        while pending:
            pending.pop()()
        return as_json(AID)

    server.script(**{MODEL: [answer]})


def overtake(
    monkeypatch: pytest.MonkeyPatch, database: Database, change: Callable[[], object], times: int = 1
) -> None:
    """Have `change` happen just before the next updates of the corpus."""
    update, left = database.corpus_writer.update, [change] * times

    def overtaken(*given: object, **named: object) -> object:
        if left:
            left.pop()()
        return update(*given, **named)

    monkeypatch.setattr(database.corpus_writer, "update", overtaken)


@pytest.mark.parametrize(
    "changes", [{"law": "Ley del Riego", "territory": "Galicia"}, {"valid_from": "2021-02-03"}]
)
def test_a_correction_made_while_the_model_reads_stays(server, database, tmp_path, changes):
    put(database, norm(valid_from=date(2000, 1, 1)))
    intake = Intake(database.corpus, database.corpus_writer, database.documents, tmp_path)
    meanwhile(server, lambda: edit_metadata("N-1", changes, "ana", intake))
    enricher(database, tmp_path, server).session().enrich("N-1")
    stored, chunks = database.corpus.document("N-1"), database.corpus.norm_chunks("N-1")
    assert {key: str(getattr(stored.norm, key)) for key in changes} == changes
    assert {(chunk.law, chunk.territory) for chunk in chunks} == {(stored.norm.law, stored.norm.territory)}
    assert {chunk.valid_from for chunk in chunks} == {
        version.valid_from for block in stored.blocks for version in block.versions
    }
    assert {chunk.summary for chunk in chunks} == {"Regula el turno de riego."}


def test_a_new_version_that_comes_in_while_the_model_reads_stays(server, database, tmp_path):
    put(database, norm())
    new = make_norm("N-1", make_block("1", f"Artículo 1. Riego.\n{BODY} Cambiado."), *norm().blocks[1:])
    meanwhile(server, lambda: put(database, new))
    enricher(database, tmp_path, server).session().enrich("N-1")
    chunks = {chunk.block_id: chunk for chunk in database.corpus.norm_chunks("N-1")}
    assert chunks["a1"].text.endswith("Cambiado.")
    assert [chunks[name].summary for name in ("a1", "a2")] == ["", "Regula el turno de riego."]


def test_a_norm_deleted_while_the_model_reads_stays_deleted_without_aids(server, database, tmp_path):
    put(database, norm())
    meanwhile(server, lambda: database.corpus_writer.remove("N-1"))
    with pytest.raises(InputError, match="se ha eliminado"):
        enricher(database, tmp_path, server).session().enrich("N-1")
    assert database.corpus.norms() == []
    assert list((tmp_path / "enriched").iterdir()) == []


def test_a_correction_made_while_the_aids_are_written_stays(server, database, tmp_path, monkeypatch):
    put(database, norm())
    intake = Intake(database.corpus, database.corpus_writer, database.documents, tmp_path)
    overtake(monkeypatch, database, lambda: edit_metadata("N-1", {"law": "Ley del Riego"}, "eva", intake))
    enricher(database, tmp_path, server).session().enrich("N-1")
    assert database.corpus.norm("N-1").law == "Ley del Riego"
    assert {(one.law, one.summary) for one in database.corpus.norm_chunks("N-1")} == {
        ("Ley del Riego", "Regula el turno de riego.")
    }


def test_two_corrections_at_once_both_stay(database, tmp_path, monkeypatch):
    put(database, norm())
    intake = Intake(database.corpus, database.corpus_writer, database.documents, tmp_path)
    overtake(monkeypatch, database, lambda: edit_metadata("N-1", {"law": "Ley del Riego"}, "eva", intake))
    edit_metadata("N-1", {"territory": "Galicia"}, "ana", intake)
    assert {(one.law, one.territory) for one in database.corpus.norm_chunks("N-1")} == {
        ("Ley del Riego", "Galicia")
    }
    assert database.documents.get("N-1").overrides == {"law": "Ley del Riego", "territory": "Galicia"}


def test_a_norm_that_changes_at_each_attempt_is_told_and_stays_as_it_is(database, tmp_path, monkeypatch):
    put(database, norm())
    intake = Intake(database.corpus, database.corpus_writer, database.documents, tmp_path)
    laws = [f"Ley {number}" for number in range(9)]
    overtake(monkeypatch, database, lambda: put(database, norm(law=laws.pop())), times=9)
    with pytest.raises(InputError, match="vuelva a abrirla"):
        edit_metadata("N-1", {"territory": "Galicia"}, "ana", intake)
    assert (database.corpus.norm("N-1").law, len(laws)) == ("Ley 4", 4)
    assert database.documents.get("N-1") is None
