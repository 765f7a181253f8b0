"""Invented norms as files, and a database that they go into."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from loading.ingestion.ingest import IngestReport
from loading.ingestion.intake import Intake
from storage.stores import Database
from tests.databases import new_database

TODAY = date(2026, 6, 1)
Write = Callable[..., Path]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = new_database(tmp_path / "articulado.db")
    yield made
    made.close()


def ingest(
    paths: list[Path], database: Database, collection: str = "normativa", **options: Any
) -> IngestReport:
    """Load files that stay where they are, for a home without documents."""
    with TemporaryDirectory() as home:
        intake = Intake(database.corpus, database.corpus_writer, database.documents, Path(home))
        return intake.bring_in(paths, collection, "ana", **options)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write an invented norm; `articles` are texts by number, or whole headings to texts."""

    def one(name: str, articles: dict[str, str], **fields: str) -> Path:
        front = {"id": name.upper(), "title": f"Ley {name}", "law": f"Ley {name}", "rank": "Ley"} | fields
        front.setdefault("valid_from", "2020-01-01")
        lines = ["---", *(f"{key}: {value}" for key, value in front.items()), "---", ""]
        for heading, text in articles.items():
            title = f"Artículo {heading}. Prueba." if heading[0].isdigit() else heading
            lines += [f"#### {title}", "", text, ""]
        path = tmp_path / "docs" / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return one
