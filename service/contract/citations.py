"""`citations`: every reference and quotation of a brief held against the corpus on a day."""

import binascii
import tempfile
from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Protocol

from pydantic import Field

from casework.briefs import margin
from casework.briefs.findings import CitationReport
from casework.briefs.ruling_state import Paper
from core.clock import today_in_spain
from core.errors import InputError
from core.progress import OnProgress, unheard
from core.values import Value
from law.norms import BRIEF
from loading.parsing.file_reader import FileReader, reader_of
from loading.parsing.limits import Limits
from service.contract.files import DOCX, FileDocument, file_document
from service.contract.program import Program
from text.textnorm import encodable

LONGEST, LONGEST_FILE = 300_000, 3_000_000
"""Characters of a brief, about a hundred pages, and of the text of any file."""
MOST_BYTES = 50_000_000
CHECKING = "citations"
EMPTY = "No hay texto que comprobar: pegue el escrito o suba su archivo."
TOO_LONG = "{name}: tiene más de 300.000 caracteres, unas cien páginas; divídalo en partes."
FILE_TOO_LONG = "{name}: tiene más de 3 millones de caracteres, unas mil páginas; divídalo en partes."
PASTED = "Texto pegado"
TOO_BIG = "{name}: tiene más de 50 MB; guárdelo sin imágenes o divídalo en partes."
NO_WORDS = "{name}: no se ha encontrado texto; si está escaneado, páselo antes por OCR y súbalo otra vez."
NO_DISK = "{name}: no se pudo leer por falta de sitio en el disco; libere espacio y súbalo otra vez."
NOT_BASE64 = "El contenido del archivo no está en base64 (RFC 4648): codifíquelo y envíelo otra vez."
RETURNED = "{name}-comentado.docx"
LONGEST_NAME = 200


class _Against(Value):
    """The day whose law is held against a brief, today in Spain if None; the expediente with its rulings."""

    as_of: date | None = None
    matter: Annotated[str, Field(max_length=LONGEST_NAME)] = ""


class CitationsRequest(_Against):
    """A brief."""

    text: Annotated[str, Field(max_length=LONGEST)]


class CommentedRequest(_Against):
    """A brief in Word, its bytes in base64."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    content: str

    @property
    def data(self) -> bytes:
        """The bytes of the file. Raises InputError."""
        try:
            return b64decode(self.content, validate=True)
        except (binascii.Error, ValueError) as error:
            raise InputError(NOT_BASE64) from error


class CommentedDocument(Value):
    """The check of a brief, and its Word file with a comment at each citation that is to be looked at."""

    report: CitationReport
    file: FileDocument


class Reading(Protocol):
    """The settings that files are read with."""

    @property
    def parse_seconds(self) -> int: ...

    @property
    def parse_memory_mb(self) -> int: ...


def citations(
    program: Program,
    request: CitationsRequest,
    tell: OnProgress = unheard,
    papers: Sequence[Paper] = (),
) -> CitationReport:
    """The state of every citation of a brief.

    Args:
        papers: those of its expediente, where rulings may be attached.

    Raises:
        InputError: there is no text, or it takes too long.
    """
    if not any(map(str.isalnum, request.text)):
        raise InputError(EMPTY)
    today, revision = today_in_spain(), program.database.corpus.fingerprint()
    days = request.as_of or today, today
    look = partial(tell, CHECKING, 0, 0)
    return program.briefs.report(request.text, *days, revision, look, papers=papers)


def within(text: str, name: str = PASTED) -> str:
    """The text of a brief. Raises InputError: it is too long."""
    if len(text) > LONGEST:
        raise InputError(TOO_LONG.format(name=name))
    return text


def text_of(settings: Reading, name: str, contents: bytes) -> str:
    """The text of a brief's file, read where it can do no harm.

    Raises:
        InputError: it cannot be read, is too large, or holds no text.
    """
    with _as_file(settings, name, contents) as (reader, path):
        (document,) = reader.load(path, BRIEF, name)
    text = "\n\n".join(version.text for block in document.blocks for version in block.versions)
    if not any(map(str.isalnum, text)):
        raise InputError(NO_WORDS.format(name=name))
    if len(text) > LONGEST_FILE:
        raise InputError(FILE_TOO_LONG.format(name=name))
    return text


def commented(
    program: Program,
    settings: Reading,
    request: CommentedRequest,
    tell: OnProgress = unheard,
    papers: Sequence[Paper] = (),
) -> CommentedDocument:
    """A brief in Word read, checked and given back. Raises InputError: see `citations` and `in_margin`."""
    name, contents = request.name, request.data
    text = encodable(within(text_of(settings, name, contents), name))
    report = citations(program, CitationsRequest(text=text, as_of=request.as_of), tell, papers)
    return CommentedDocument(report=report, file=in_margin(settings, name, contents, report))


def in_margin(settings: Reading, name: str, contents: bytes, report: CitationReport) -> FileDocument:
    """The Word file of a brief with the findings to look at in its margin, and nothing else changed.

    Raises:
        InputError: it is no Word file, or one that comments would harm.
    """
    with _as_file(settings, name, contents) as (reader, path):
        into = path.with_name("comentado.docx")
        reader.comment(path, name, margin.comments(report), into)
        return file_document(RETURNED.format(name=Path(name).stem), DOCX, into.read_bytes())


@contextmanager
def _as_file(settings: Reading, name: str, contents: bytes) -> Iterator[tuple[FileReader, Path]]:
    """The reader of files, and the contents as a file that is removed afterwards. Raises InputError."""
    if len(contents) > MOST_BYTES:
        raise InputError(TOO_BIG.format(name=name))
    reader = reader_of(Limits(settings.parse_seconds, settings.parse_memory_mb))
    try:
        with tempfile.TemporaryDirectory(prefix="articulado-") as folder:
            path = Path(folder) / f"escrito{Path(name).suffix.lower()[:10]}"
            path.write_bytes(contents)
            yield reader, path
    except OSError as error:
        raise InputError(NO_DISK.format(name=name)) from error
