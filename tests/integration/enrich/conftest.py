"""A stored norm of invented law, and a model that writes its search aids."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from law.norms import Document
from loading.enrichment.enrich import Enricher, Limits
from loading.ingestion.ingest import store_document
from storage.stores import Database
from tests.contract.openai_helpers import MODEL, chat
from tests.databases import new_database
from tests.factories import make_block, make_norm
from tests.model_replies import as_json
from tests.model_server import ModelServer

AID = {
    "resumen": "Regula el turno de riego.",
    "palabras_clave": ["turno de riego", "ley", "acequia"],
    "preguntas": ["¿Cuándo me toca regar?", "¿Quién reparte el agua?"],
}
BODY = "Cada regante tendrá un turno de riego semanal, que fijará la comunidad de regantes cada otoño."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.script(**{MODEL: [as_json(AID)]})
        yield running


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(new_database(tmp_path / "a.db")) as opened:
        yield opened


def norm(articles: int = 3, norm_id: str = "N-1", **fields: object) -> Document:
    blocks = [make_block(str(n), f"Artículo {n}. Riego.\n{BODY} Turno {n}.") for n in range(1, articles + 1)]
    return make_norm(norm_id, *blocks, **fields)


def enricher(database: Database, tmp_path: Path, server: ModelServer | None, **limits: object) -> Enricher:
    reader = chat(server, retries=0) if server else None
    values = {"seconds": 5.0} | limits
    return Enricher(
        database.corpus, database.corpus_writer, tmp_path / "enriched", reader, limits=Limits(**values)
    )


def put(database: Database, document: Document) -> None:
    store_document(Path("x.md"), document, database.corpus, database.corpus_writer)
