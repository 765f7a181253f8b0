"""Law told from papers: tests/cases/papers.md."""

from datetime import date
from pathlib import Path

import pytest

from loading.chunking.chunk import chunk_document
from loading.formats import load
from loading.ingestion.load_doubts import NO_LAW_YET, NO_NORM, load_doubts
from loading.ingestion.metadata_corrections import corrected
from tests.case_files import pairs

DAY = date(2031, 6, 1)
SAYS = {"Borrador": NO_LAW_YET, "Documento": NO_NORM}


@pytest.mark.parametrize(("text", "expected"), pairs("papers"))
def test_a_text_is_law_only_if_its_head_says_which(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "final.txt").write_text(text)
    (document,) = load(tmp_path / "final.txt")
    norm = document.norm
    collection, _, rank = expected.partition(" ")
    assert (norm.collection, norm.rank) == (collection, rank)
    assert not norm.id.startswith("BOE-")
    told = load_doubts(document, chunk_document(document), DAY)
    assert (SAYS.get(rank) in told) == (collection == "documentos")


def test_a_draft_has_an_identifier_of_its_own_also_where_only_its_file_says_so(tmp_path: Path) -> None:
    text = "Ley 4/2031, de 5 de mayo, de faros.\n\nArtículo 1. Objeto.\n\nLos faros alumbran."
    for name in ("ley.txt", "ley_borrador_v3.txt"):
        (tmp_path / name).write_text(text)
    (law,), (draft,) = load(tmp_path / "ley.txt"), load(tmp_path / "ley_borrador_v3.txt")
    assert (law.norm.rank, draft.norm.rank) == ("Ley", "Borrador")
    assert law.norm.id != draft.norm.id and draft.norm.law.endswith("(borrador)")


def test_whoever_says_the_rank_of_a_paper_makes_it_law(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Artículo 1. Uno.\n\nTexto.\n\nArtículo 2. Dos.\n\nTexto.")
    (paper,) = load(tmp_path / "a.txt")
    assert paper.norm.collection == "documentos"
    assert corrected(paper, {"rank": "Orden"}).norm.collection == "normativa"
    assert corrected(paper, {"rank": "Carta"}).norm.collection == "documentos"


def test_markdown_without_data_of_its_own_is_told_by_its_head_too(tmp_path: Path) -> None:
    texts = {"ley.md": "# Ley 4/2031, de 5 de mayo, de faros\n", "nota.md": "# Nota sobre los turnos\n"}
    for name, head in texts.items():
        (tmp_path / name).write_text(f"{head}\n## Artículo 1. Objeto\n\nLos faros alumbran.\n")
    (law,), (note,) = load(tmp_path / "ley.md"), load(tmp_path / "nota.md")
    assert (law.norm.collection, note.norm.collection) == ("normativa", "documentos")
