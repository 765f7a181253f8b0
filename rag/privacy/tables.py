"""Personal data in the cells of a pasted table, told by the header of their column."""

import re
from collections.abc import Iterator

from rag.privacy.page import Page
from rag.privacy.spans import Span

FEWEST_LABELS = 2
Kinds = list[tuple[str, re.Pattern[str]] | None]
"""Kind and form of the cells of each column, or None."""
_DELIMITERS = {
    "\t": r"[ \u00a0]*\t[ \u00a0]*",
    "|": r"[ \u00a0]*\|[ \u00a0]*",
    ";": r"[ \u00a0]*;[ \u00a0]*",
    "  ": r"[ \u00a0]{2,}|[ \u00a0]*\t[ \u00a0]*",
    " / ": r"[ \u00a0]+/[ \u00a0]+",
    ",": r"[ \u00a0]*,[ \u00a0]*",
}
"""Mark of a delimiter, and its form."""
_PERSON = (
    r"(?:nombre|apellido|trabajador|emplead|client|titular|nom\b|cognom|nome\b|apelido|izen|abizen"
    r"|perceptor|langile|treballador)"
)
_KINDS = (
    (
        "NACIMIENTO",
        re.compile(r"nac(?:im|\.|\b)|naix|jaio|\bf\.? ?n\b"),
        re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}"),
    ),
    (
        "DNI",
        re.compile(r"\bd\.?n\.?i|\bn\.?i\.?[ef]|document|\bnan\b|\bident"),
        re.compile(r"[\w.-]*\d{5}[\w.-]*"),
    ),
    (
        "NUSS",
        re.compile(r"\bn\.?u?\.?a?s\.?s|\bnaf\b|afiliac|seg\w*\.? soc|\bss\b|\bs\.s"),
        re.compile(r"[\d/ -]{10,}"),
    ),
    ("TELEFONO", re.compile(r"\bt(?:el|fn|lf)|movil|mobil|telef"), re.compile(r"[+\d][\d ./-]{7,}")),
    ("PASAPORTE", re.compile(r"pasap|passap"), re.compile(r"\w*\d{5}\w*")),
    ("MATRICULA", re.compile(r"matric"), re.compile(r"[\w -]*\d{4}[\w -]*")),
    ("CUENTA", re.compile(r"\biban|cuenta|compte|\bccc\b"), re.compile(r"[\w /-]*\d{4}[\w /-]*")),
    ("DIRECCION", re.compile(r"domicil|direcc|adrec|enderezo|helbid"), re.compile(r".*\w.*")),
    ("PERSONA", re.compile(_PERSON), re.compile(r"[^\W\d_][^\d]*[^\W\d_]\.?")),
)
_LABEL = re.compile("|".join(label.pattern for _, label, _ in _KINDS))


def find(page: Page) -> Iterator[Span]:
    """The cells below the labels of a header, row by row, down to a line that is no row."""
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]+", page.low)]
    header: tuple[str, Kinds] | None = None
    for start, line in lines:
        if found := _header(line):
            header = found
        elif header:
            cells = list(_row(start, line, *header))
            header = header if cells else None
            yield from (cell for cell in cells if cell is not None)


def _header(line: str) -> tuple[str, Kinds] | None:
    """The delimiter and the kinds of the columns, if the line labels some."""
    for mark, delimiter in _DELIMITERS.items() if _LABEL.search(line) else ():
        if mark not in line:
            continue
        kinds = [_kind(cell) for cell in re.split(delimiter, line.strip())]
        if sum(kind is not None for kind in kinds) >= FEWEST_LABELS:
            return delimiter, kinds
    return None


def _kind(label: str) -> tuple[str, re.Pattern[str]] | None:
    if len(label) > 30 or re.search(r"\d{3}", label):
        return None
    return next(((kind, cell) for kind, pattern, cell in _KINDS if pattern.search(label)), None)


def _row(start: int, line: str, delimiter: str, kinds: Kinds) -> Iterator[Span | None]:
    """A span, or None, for each cell of a row; nothing if the line has not as many cells as columns."""
    first = start + len(line) - len(line.lstrip())
    line = line.strip()
    gaps = [match.span() for match in re.finditer(delimiter, line)]
    if len(gaps) != len(kinds) - 1:
        return
    edges = zip([0, *(end for _, end in gaps)], [*(begin for begin, _ in gaps), len(line)], strict=True)
    for kind, (begin, end) in zip(kinds, edges, strict=True):
        cell = line[begin:end]
        if kind and kind[1].fullmatch(cell):
            yield Span(first + begin, first + end, kind[0], re.sub(r"[\W_]+", " ", cell).upper())
        else:
            yield None
