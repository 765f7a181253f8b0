"""Files of every format that a person may load: those of the repository, of ../shared, and invented ones."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lab.make_agreements import agreements, write
from service.config import ROOT
from tests import hostile_files, odt_files, sheet_files
from tests.frozen.samples import CONTRACTS, DATA, EVALUATION, OTHER_FILES
from tests.matter_files import letter, payslip
from tests.office_files import paged, pdf, word, wrapped, zipped

TITLE = "Ley 7/2031, de 5 de mayo, de los Faros de la Costa"
ARTICLES = {
    "Artículo 1. Objeto.": "1. Esta ley regula el de los torreros.\n2. Rige desde el 1 de junio de 2031."
    "\n3. Se aplica en toda la costa.",
    "Artículo 2. Jornada.": "La jornada será de 38 horas, según el art. 34 del Estatuto de los Trabajadores:"
    "\na) De noche, de 30 horas.\nb) Con niebla, la que decida el artículo 3.",
    "Artículo 3 bis. Niebla.": "Con niebla se avisará en 15 minutos y se pagarán 12,50 euros cada hora.",
    "Disposición transitoria primera. Contratos anteriores.": "Los anteriores siguen como estaban dos años.",
    "ANEXO I. Tablas.": "Grupo A: 1.250,00 euros.",
}
GRID = [["Grupo", "Salario", "Plus"], ["A", "1.250,00", "45,10"], ["B", "1.100,50", "38"]]


class File(NamedTuple):
    """A file with the collection that it is read for."""

    case: str
    path: Path
    collection: str = "normativa"


def files(folder: Path) -> Iterator[File]:
    """Every file; the invented ones are written to a folder. Those of ../shared only where it is."""
    demo = ROOT / "data" / "demo"
    for path in sorted(demo.glob("*/*.md")):
        yield File(f"demo/{path.stem}", path, path.parent.name)
    for path in sorted(DATA.glob("*.md")):
        yield File(f"tests/{path.stem}", path)
    for path in sorted((EVALUATION / "review").glob("*.md")):
        yield File(f"review/{path.stem}", path, "expediente")
        yield File(f"review as a brief/{path.stem}", path, "escrito")
    for path in sorted([*OTHER_FILES.glob("*"), *CONTRACTS.glob("*.pdf")]):
        yield File(f"{path.parent.name}/{path.name}", path)
    for one in agreements():
        for path in write(one, folder):
            yield File(f"agreements/{path.name}", path)
    for name, data in {**invented(), **hostile_files.OFFICE, **hostile_files.RTF}.items():
        path = folder / name
        path.write_bytes(data)
        yield File(f"invented/{name}", path)
    for name, data in {"carta.pdf": letter(), "nomina.docx": payslip()}.items():
        path = folder / name
        path.write_bytes(data)
        yield File(f"papers/{name}", path, "expediente")


def invented() -> dict[str, bytes]:
    """One law in every format."""
    whole = "\n\n".join([TITLE, *(f"{head}\n{text}" for head, text in ARTICLES.items())])
    lines = [line for line in whole.splitlines() if line]
    marked = "\n\n".join([f"# {TITLE}", *(f"## {head}\n\n{text}" for head, text in ARTICLES.items())])
    chunks = [{"law": TITLE, "section": head, "text": text} for head, text in ARTICLES.items()]
    return {
        "faros.txt": whole.encode(),
        "faros-latin.txt": whole.encode("latin-1"),
        "faros.md": marked.encode(),
        "faros.html": _html().encode(),
        "faros.json": json.dumps(chunks).encode(),
        "faros.docx": word([("Title", TITLE), *_styled("Heading 1", ""), GRID]),
        "faros.odt": odt_files.odt(*_opened()),
        "faros.xlsx": sheet_files.book({"Tablas": sheet_files.sheet(sheet_files.rows(*GRID))}),
        "faros.pdf": pdf(paged(wrapped(lines), head=["BOLETÍN DE LOS FAROS"], per_page=9)),
        "faros.zip": zipped(
            {"uno.md": marked.encode(), "dos/otro.txt": b"Un aviso sin articulos.", "x.bin": b"1"}
        ),
        "vacio.txt": b"",
        "blanco.md": b" \n\n",
        "binario.dat": bytes(range(256)),
        "solo.txt": b"Una frase suelta, sin articulos ni fechas.",
    }


def _styled(head: str, body: str) -> Iterator[tuple[str, str]]:
    for title, text in ARTICLES.items():
        yield head, title
        yield from ((body, line) for line in text.splitlines())


def _opened() -> Iterator[str]:
    yield odt_files.h(TITLE)
    for title, text in ARTICLES.items():
        yield odt_files.h(title, 2)
        yield from map(odt_files.p, text.splitlines())
    yield odt_files.tabled(*("".join(map(odt_files.cell, row)) for row in GRID))


def _html() -> str:
    body = "".join(
        f"<h2>{title}</h2>{''.join(f'<p>{line}</p>' for line in text.splitlines())}"
        for title, text in ARTICLES.items()
    )
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in GRID)
    head = f"<head><title>{TITLE}</title></head>"
    return f"<html>{head}<body><h1>{TITLE}</h1>{body}<table>{rows}</table></body></html>"
