"""Reads the text layer of a PDF into paragraphs with their page; OCR reads pages that are images.

PDFium is not thread-safe: every call of it happens under one lock.
"""

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from core.errors import InputError
from law.norms import DOCUMENT, Document
from loading.formats import ocr
from loading.formats.assemble import assemble
from loading.formats.broken_lines import Line, paragraphs
from loading.formats.encoding import clean
from loading.formats.page_furniture import journal_lines, without_furniture
from loading.formats.pdf_tables import PageTexts, continued
from loading.formats.source_file import Source

MAX_PAGES = 20_000
MAX_CHARACTERS = 200_000_000
OCR_DPI = 300
# An A3 page at 300 dpi; a page of poster size is read at less.
MAX_PIXELS = 18_000_000
# A scanner's stamp may leave a few characters on a page without text.
MIN_TEXT = 10
_PASSWORD = 4
_SIGNED = re.compile(r"cve:\s*(BOE-A-\d{4}-\d{1,6})")
_LOCK = threading.Lock()
# PDFium's sign for a hyphen at a line's end, which it gives instead of both.
_LINE_END = re.compile("[\x02\ufffe][ \\t]*\\n?")
_HYPHEN = re.compile(r"(?<![^\W\d_])(?P<first>[^\W\d_]{2,})-\n(?P<rest>[a-zñáéíóúü]{2,})")


class Scanned(NamedTuple):
    """A page drawn in grey: PGM bytes, and its size in pixels."""

    data: bytes
    width: int
    height: int


class Pages(NamedTuple):
    """The text of a PDF.

    Attributes:
        pages: lines of each page without headers and footers.
        warnings: Spanish sentences about what could not be read.
        reference: the BOE's identifier when every page is signed with the same one.
        heads: see `journal_lines`.
    """

    pages: list[list[str]]
    warnings: tuple[str, ...]
    reference: str
    heads: tuple[str, ...]


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a PDF.

    Raises:
        InputError: it is damaged, protected with a password, too long, or made of images that cannot be read.
    """
    read = read_pages(source, law=collection != DOCUMENT)
    lines = [Line(text, number) for number, page in enumerate(read.pages, 1) for text in page]
    return assemble(
        source.name, paragraphs(lines), collection, read.warnings, read.reference, heads=read.heads
    )


def read_pages(source: Source, *, law: bool) -> Pages:
    """The pages of a PDF.

    Args:
        law: see `without_furniture`.

    Raises:
        InputError: see `load`.
    """
    with opened(source) as document:
        texts, images, drawn = _texts(document, source.name)
    unread = images
    if images and ocr.available():
        for number in images:
            texts[number - 1] = _recognised(source, number) or texts[number - 1]
        unread = [number for number in images if not has_text(texts[number - 1])]
    if unread and not any(has_text(text) for text in texts):
        raise InputError(
            f"{source.name}: solo contiene imágenes y necesita OCR; páselo por un programa de "
            "reconocimiento de texto, o instale Tesseract con el español, y súbalo otra vez."
        )
    if not any(text.strip() for text in texts):
        raise InputError(f"{source.name}: ninguna de sus páginas tiene texto; compruebe el archivo.")
    whole = "\n\x0c\n".join(texts)
    signed = set(_SIGNED.findall(whole))
    printed = [page.split("\n") for page in _unbroken(whole).split("\n\x0c\n")]
    warnings = [f"Las páginas {_listed(unread)} son imágenes sin texto y necesitan OCR."] if unread else []
    if drawn:
        warnings.append(
            f"Las páginas {_listed(drawn)} tienen demasiados dibujos o texto para buscar tablas en ellas: "
            "lo que sea una tabla se ha leído como texto seguido."
        )
    return Pages(
        continued(without_furniture(printed, law=law)),
        tuple(warnings),
        signed.pop() if len(signed) == 1 else "",
        journal_lines(printed),
    )


@contextmanager
def opened(source: Source) -> Iterator[pdfium.PdfDocument]:
    """A PDF under the lock, closed afterwards. Raises InputError: it is damaged or has a password."""
    with _LOCK:
        try:
            document = pdfium.PdfDocument(source.data)
        except pdfium.PdfiumError as error:
            if error.err_code == _PASSWORD:
                raise InputError(
                    f"{source.name}: está protegido con contraseña; guárdelo sin ella y súbalo otra vez."
                ) from error
            raise InputError(
                f"{source.name}: el PDF está dañado o incompleto; descárguelo o expórtelo otra vez."
            ) from error
        try:
            yield document
        finally:
            document.close()


def _texts(document: pdfium.PdfDocument, name: str) -> tuple[list[str], list[int], list[int]]:
    """The raw text of each page, the numbers of those that are images, and those that draw too much."""
    if len(document) > MAX_PAGES:
        raise InputError(f"{name}: tiene más de {MAX_PAGES} páginas; divídalo en partes.")
    texts: list[str] = []
    images: list[int] = []
    reader = PageTexts()
    size = 0
    for number in range(1, len(document) + 1):
        text = _page_text(document, number, reader)
        size += len(text)
        if size > MAX_CHARACTERS:
            raise InputError(f"{name}: contiene demasiado texto; divídalo en partes.")
        if not has_text(text) and has_image(document, number):
            images.append(number)
        texts.append(text)
    return texts, images, reader.given_up


def _page_text(document: pdfium.PdfDocument, number: int, reader: PageTexts) -> str:
    """Text of one page; a page that PDFium cannot read has none."""
    try:
        page = document[number - 1]
        layer = page.get_textpage()
        text = reader.read(page, layer, number)
        layer.close()
        page.close()
    except pdfium.PdfiumError:
        return ""
    return _LINE_END.sub("-\n", text.replace("\r\n", "\n").replace("\x0c", "\n"))


def has_text(text: str) -> bool:
    """False for the text of a page that is a picture, if anything."""
    return sum(map(str.isalnum, text)) >= MIN_TEXT


def has_image(document: pdfium.PdfDocument, number: int) -> bool:
    """True if a page draws a picture."""
    try:
        page = document[number - 1]
        return any(True for _ in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=3))
    except pdfium.PdfiumError:
        return False


def _recognised(source: Source, number: int) -> str:
    """Text of a page by OCR; the picture is drawn under the lock and read outside it."""
    with opened(source) as document:
        picture = scanned(document[number - 1])
    return ocr.recognise(picture.data)


def scanned(page: pdfium.PdfPage) -> Scanned:
    """A page as OCR reads it."""
    points = max(1.0, page.get_width() * page.get_height())
    scale = min(OCR_DPI / 72, (MAX_PIXELS / points) ** 0.5)
    # The library has no types: pyright takes that of the default, 1, for the only one allowed.
    pixels = page.render(scale=scale, grayscale=True).to_numpy()  # pyright: ignore[reportArgumentType]
    height, width = pixels.shape[:2]
    return Scanned(b"P5 %d %d 255\n" % (width, height) + pixels.tobytes(), width, height)


def _unbroken(text: str) -> str:
    """Text with words rejoined that a line end divided; a compound hyphenated elsewhere keeps its hyphen."""

    def join(match: re.Match[str]) -> str:
        first, rest = match.group("first"), match.group("rest")
        return f"{first}-{rest}" if f"{first}-{rest}" in known else f"{first}{rest}"

    known = set(re.findall(r"\b[^\W\d_]{2,}-[a-zñáéíóúü]{2,}", text)) if _HYPHEN.search(text) else set()
    pages = clean(_HYPHEN.sub(join, text).replace("\n\x0c\n", "\n\ue000\n"))
    return pages.replace("\n\ue000\n", "\n\x0c\n")


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:10]))
    return f"{shown} y {len(numbers) - 10} más" if len(numbers) > 10 else shown
