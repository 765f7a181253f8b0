"""Pages a second from a PDF to its norms: 2,700 pages of invented laws, on one core.

`PDFium` is the library alone (open, read every page's text); the rest is ours: headers, paragraphs, articles.
"""

from pathlib import Path

import pypdfium2

from benchmarks.table import Row, Tables, Watch
from loading.chunking.chunk import chunk_document
from loading.formats import load
from tests.office_files import paged, pdf, wrapped

NORMS, ARTICLES = 130, 185
PAGES_A_SECOND = 300.0
SENTENCE = (
    "El torrero del faro {} cuidará de la luz y avisará por escrito {} veces a la autoridad, que anotará el "
    "aviso en el libro {} y responderá en el plazo de {} días hábiles. "
)


def code() -> bytes:
    """A compilation like those of the BOE: norm after norm, headers and page numbers on every page."""
    pages: list[list[str]] = []
    for norm in range(1, NORMS + 1):
        lines = [f"§ {norm}", f"Ley {norm}/2031, de 5 de mayo, de los Faros de la Costa Número {norm}."]
        for article in range(1, ARTICLES + 1):
            text = (SENTENCE * 2).format(*range(article, article + 8)).strip()
            lines += [f"Artículo {article}. Luz {article} de la costa {norm}.", f"1. {text}"]
        pages += paged(wrapped(lines), ["CÓDIGO DE LOS FAROS", f"§ {norm} Ley de los Faros {norm}"], foot="")
    return pdf([*page, f"- {number} -"] for number, page in enumerate(pages, 1))


def tables(folder: Path) -> Tables:
    path = folder / "codigo.pdf"
    path.write_bytes(code())
    watch = Watch()
    document = pypdfium2.PdfDocument(path)
    pages = len(document)
    for page in document:
        page.get_textpage().get_text_range()
    bare = watch.wall
    watch = Watch()
    documents = load(path)
    elapsed, busy = watch.wall, watch.cpu
    watch = Watch()
    chunks = sum(len(chunk_document(document)) for document in documents)
    chunking = watch.wall
    if len(documents) != NORMS:
        raise RuntimeError(f"{len(documents)} norms were found, not {NORMS}")
    rows = [
        Row(f"PDF to norms, {pages} pages", pages / elapsed, "pages/s", PAGES_A_SECOND, True),
        Row("  by processor time", pages / busy, "pages/s", PAGES_A_SECOND, True),
        Row("  PDFium alone", pages / bare, "pages/s"),
        Row(f"  cutting them into {chunks} chunks", chunks / chunking, "/s"),
    ]
    yield "Formats", rows
