"""A page of a document as a picture, with the places of quotations on it; see `quotation_on_page`.

It runs in the process that reads files, within its limits of time and memory.
"""

import base64
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image

from core.errors import InputError
from loading.formats import ocr
from loading.formats.encoding import clean
from loading.formats.glyphs import HYPHENS, apart, glyphs, lines
from loading.formats.pdf import Scanned, has_image, has_text, opened, scanned
from loading.formats.pdf_tables import MAX_GLYPHS
from loading.formats.pictured_page import Box, PagePicture, PicturedPassage
from loading.formats.quotation_on_page import Edges, PlacedText, Sign, located
from loading.formats.source_file import IMAGES, Source, read_source

WIDTH = 1400
"""Pixels: a page is read at half as many on a screen, and sharp on one of double density."""
MOST_PIXELS = 4_000_000
MOST_DECODED = 60_000_000
"""Pixels of a picture that is decoded: four bytes each, of the memory that a file may take."""
FORMATS = ("PNG", "JPEG", "GIF", "TIFF", "BMP")
QUALITY = 82
INK = 24
"""Levels, of 255, that the pixels of a word differ by at least: below, nothing is seen there."""
UNREADABLE = "{name}: la página {page} no se puede mostrar como imagen, porque está dañada."
TOO_BIG = "{name}: la imagen es demasiado grande para mostrarla; redúzcala y súbala otra vez."

Orders = Sequence[PlacedText]
"""The text of a page in the orders that it may be read in."""


class _Page(NamedTuple):
    number: int
    image: Image.Image
    orders: Orders
    scanned: bool = False


def pictured(path: Path, name: str, page: int, quotes: Sequence[str], around: str) -> PicturedPassage:
    """A page of a PDF, or a picture, with the quotations marked; nothing of a file of any other format.

    The page that follows comes along when a quotation goes on there. A quotation is marked where its words
    are found letter by letter and something is to be seen, else nowhere.

    Args:
        page: from 1.
        around: the passage that the quotations are from.

    Raises:
        InputError: the file cannot be read, or its page cannot be drawn.
    """
    source = read_source(path, name)
    if source.data.startswith(IMAGES):
        return _marked([_picture(source)], quotes, around)
    if b"%PDF-" not in source.data[:1024]:
        return PicturedPassage()
    with opened(source) as document:
        try:
            first = _drawn(document, page)
        except (pdfium.PdfiumError, IndexError) as error:
            raise InputError(UNREADABLE.format(name=name, page=page)) from error
        pages = [first]
        # Of a scan that would be a second page to be read by OCR, for which nobody waits.
        if not first.scanned and any(located(one, around, first.orders, ()) is None for one in quotes):
            with suppress(pdfium.PdfiumError, IndexError):
                pages.append(_drawn(document, page + 1))
        return _marked(pages, quotes, around)


def _marked(pages: Sequence[_Page], quotes: Sequence[str], around: str) -> PicturedPassage:
    following = pages[1].orders if len(pages) > 1 else ()
    marks: dict[int, list[Edges]] = {page.number: [] for page in pages}
    lost = 0
    for quote in quotes:
        places = located(quote, around, pages[0].orders, following) or ([], [])
        found = list(zip(pages, places, strict=False))
        if any(places) and all(_is_seen(page, boxes) for page, boxes in found):
            for page, boxes in found:
                marks[page.number] += boxes
        else:
            lost += 1
    shown = [page for page in pages if marks[page.number]] or pages[:1]
    return PicturedPassage(pages=tuple(_encoded(page, marks[page.number]) for page in shown), lost=lost)


def _is_seen(page: _Page, boxes: Sequence[Edges]) -> bool:
    """True if something is drawn in every box: text may be hidden, blacked out or beside the page."""
    pixels = np.asarray(page.image)
    for left, upper, right, lower in boxes:
        inside = pixels[max(0, int(upper)) : max(0, int(lower)), max(0, int(left)) : max(0, int(right))]
        if not inside.size or np.ptp(inside.reshape(-1, 3), axis=0).max() < INK:
            return False
    return True


def _encoded(page: _Page, boxes: Sequence[Edges]) -> PagePicture:
    width, height = page.image.size
    drawn = io.BytesIO()
    page.image.save(drawn, "JPEG", quality=QUALITY)
    marks = (
        (max(0, left) / width, max(0, upper) / height, min(right, width) / width, min(lower, height) / height)
        for left, upper, right, lower in boxes
    )
    return PagePicture(
        number=page.number,
        width=width,
        height=height,
        data=base64.b64encode(drawn.getvalue()).decode(),
        marks=tuple(Box(left=x, top=y, width=right - x, height=lower - y) for x, y, right, lower in marks),
    )


def _drawn(document: pdfium.PdfDocument, number: int) -> _Page:
    """A page of a PDF. Raises PdfiumError, IndexError: there is none, or it cannot be drawn."""
    page = document[number - 1]
    wide, high = max(1.0, page.get_width()), max(1.0, page.get_height())
    scale = min(WIDTH / wide, (MOST_PIXELS / (wide * high)) ** 0.5)
    # The library has no types: pyright takes that of the default, 1, for the only one allowed.
    bitmap = page.render(scale=scale)  # pyright: ignore[reportArgumentType]
    image = bitmap.to_pil().convert("RGB")
    layer = page.get_textpage()
    if not has_text(layer.get_text_range(errors="replace")) and has_image(document, number):
        return _Page(number, image, _recognised(scanned(page), image), scanned=True)
    if layer.count_chars() > MAX_GLYPHS:
        return _Page(number, image, ())
    boxes = _boxes(layer, bitmap.get_posconv(page).to_bitmap)
    written = PlacedText(_as_written(layer, boxes))
    return _Page(number, image, (written, written.unbroken(), PlacedText(_as_seen(page, layer, boxes))))


def _boxes(layer: Any, to_pixels: Callable[[float, float], tuple[int, int]]) -> list[Edges]:
    """Box of each character of a page, in pixels of its picture."""
    found: list[Edges] = []
    box = pdfium_c.FS_RECTF()
    for index in range(layer.count_chars()):
        pdfium_c.FPDFText_GetLooseCharBox(layer, index, box)
        (x1, y1), (x2, y2) = to_pixels(box.left, box.top), to_pixels(box.right, box.bottom)
        found.append((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    return found


def _as_written(layer: Any, boxes: Sequence[Edges]) -> Iterator[Sign]:
    """The characters in the order of the file."""
    for index, box in enumerate(boxes):
        code = pdfium_c.FPDFText_GetUnicode(layer, index)
        for char in clean(chr(code or 32).translate(HYPHENS)):
            yield Sign(char, None if char.isspace() else box)
        if code in HYPHENS:
            yield Sign("\n")


def _as_seen(page: Any, layer: Any, boxes: Sequence[Edges]) -> Iterator[Sign]:
    """The characters by lines from the top, as the rows of a table are read."""
    for line in lines(glyphs(page, layer)):
        for place, glyph in enumerate(line):
            if place and apart(line[place - 1], glyph):
                yield Sign(" ")
            yield Sign(clean(glyph.text), boxes[glyph.place])
        yield Sign("\n")


def _picture(source: Source) -> _Page:
    """A picture that was uploaded as such. Raises InputError: it is damaged, or has too many pixels."""
    try:
        with Image.open(io.BytesIO(source.data), formats=FORMATS) as image:
            width, height = image.size
            if width * height > MOST_DECODED:
                raise InputError(TOO_BIG.format(name=source.name))
            clear = image if image.mode in ("L", "RGB", "RGBA") else image.convert("RGBA")
            clear.thumbnail((WIDTH, MOST_PIXELS // WIDTH))
            clear = clear.convert("RGBA")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(UNREADABLE.format(name=source.name, page=1)) from error
    shown = Image.new("RGB", clear.size, "white")
    shown.paste(clear, mask=clear.getchannel("A"))
    return _Page(1, shown, _recognised(Scanned(source.data, width, height), shown), scanned=True)


def _recognised(scan: Scanned, image: Image.Image) -> Orders:
    """The words that OCR reads again, as it did when the document was taken in; none where it is missing."""
    if not ocr.available():
        return ()
    wide, high = image.width / scan.width, image.height / scan.height

    def signs() -> Iterator[Sign]:
        for line in ocr.words(scan.data):
            for text, (left, upper, right, lower) in line:
                yield Sign(text, (left * wide, upper * high, right * wide, lower * high))
                yield Sign(" ")
            yield Sign("\n")

    read = PlacedText(signs())
    return read, read.unbroken()
