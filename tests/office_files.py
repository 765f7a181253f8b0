"""Small real files for tests of the loaders: PDFs written by hand, DOCX and ZIPs by their libraries."""

import hashlib
import io
import textwrap
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import docx

PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
PER_PAGE = 46
WIDTH = 95


class Drawn(NamedTuple):
    """A page by its content stream, with Helvetica as /F1; turned to the right by so many degrees."""

    content: str
    turned: int = 0


def pdf(pages: Iterable[Sequence[str] | bytes | Drawn], password: str = "") -> bytes:
    """A PDF with one page an entry: lines of text, a drawing, or the bytes of a grey picture of 8 by 8.

    With a password it is encrypted (RC4, 40 bits) and cannot be opened without it.
    """
    objects: dict[int, bytes] = {}
    kids: list[int] = []
    number = 4
    for page in pages:
        content, resources, extra = _page(page, number + 2)
        objects[number] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {number + 1} 0 R"
            f"/Resources<<{resources}>>/Rotate {page.turned if isinstance(page, Drawn) else 0}>>"
        ).encode()
        objects[number + 1] = _stream(content, password, number + 1)
        kids.append(number)
        number += 2
        if extra:
            objects[number] = _stream(
                extra,
                password,
                number,
                "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8",
            )
            number += 1
    objects[1] = b"<</Type/Catalog/Pages 2 0 R>>"
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    objects[2] = f"<</Type/Pages/Count {len(kids)}/Kids[{listed}]>>".encode()
    objects[3] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    trailer = ""
    if password:
        objects[number] = _encryption(password)
        trailer = f"/Encrypt {number} 0 R/ID[<{'00' * 16}><{'00' * 16}>]"
    return _written(objects, trailer)


def _page(page: Sequence[str] | bytes | Drawn, after: int) -> tuple[bytes, str, bytes]:
    if isinstance(page, Drawn):
        return page.content.encode("cp1252"), "/Font<</F1 3 0 R>>", b""
    if isinstance(page, bytes):
        return b"q 500 0 0 700 40 60 cm /Im0 Do Q", f"/XObject<</Im0 {after} 0 R>>", page
    lines = [
        b"("
        + line.encode("cp1252").replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
        + b") Tj T*"
        for line in page
    ]
    return b"BT /F1 10 Tf 40 800 Td 14 TL\n" + b"\n".join(lines) + b"\nET", "/Font<</F1 3 0 R>>", b""


def _stream(data: bytes, password: str, number: int, fields: str = "") -> bytes:
    packed = zlib.compress(data)
    if password:
        key = hashlib.md5(_key(password) + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
        packed = _rc4(key, packed)
    head = f"<</Length {len(packed)}/Filter/FlateDecode{fields}>>stream\n".encode()
    return head + packed + b"\nendstream"


def _written(objects: Mapping[int, bytes], trailer: str) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places: dict[int, int] = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += f"{number} 0 obj\n".encode() + objects[number] + b"\nendobj\n"
    start, size = len(out), max(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{places[n]:010d} 00000 n \n".encode() for n in range(1, size))
    out += f"trailer<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF".encode()
    return bytes(out)


def packed_pdf(stream: bytes, filters: str) -> bytes:
    """A PDF of one page whose content is that stream, packed by those filters already."""
    head = f"<</Length {len(stream)}/Filter{filters}>>stream\n".encode()
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>"
    tree = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    objects = {1: b"<</Type/Catalog/Pages 2 0 R>>", 2: tree, 3: page, 4: head + stream + b"\nendstream"}
    return _written(objects, "")


def _padded(password: str) -> bytes:
    return (password.encode() + PADDING)[:32]


def _key(password: str) -> bytes:
    """PDF 1.4, 7.6.3.3, algorithm 2, revision 2."""
    owner = _rc4(hashlib.md5(_padded(password)).digest()[:5], _padded(password))
    return hashlib.md5(_padded(password) + owner + b"\xfc\xff\xff\xff" + bytes(16)).digest()[:5]


def _encryption(password: str) -> bytes:
    owner = _rc4(hashlib.md5(_padded(password)).digest()[:5], _padded(password))
    user = _rc4(_key(password), PADDING)
    return f"<</Filter/Standard/V 1/R 2/P -4/O<{owner.hex()}>/U<{user.hex()}>>>".encode()


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def wrapped(paragraphs: Iterable[str], width: int = WIDTH) -> list[str]:
    """Lines as a page breaks them."""
    return [line for text in paragraphs for line in textwrap.wrap(text, width, break_on_hyphens=False)]


def paged(
    lines: Sequence[str], head: Sequence[str] = (), foot: str = "Página {page}", per_page: int = PER_PAGE
) -> list[list[str]]:
    """Pages of lines, each with its header and its footer; `{page}` is its number."""
    starts = range(0, len(lines), per_page)
    return [
        [
            *(h.format(page=n) for h in head),
            *lines[at : at + per_page],
            *([foot.format(page=n)] if foot else []),
        ]
        for n, at in enumerate(starts, 1)
    ]


def word(items: Iterable[tuple[str, str] | list[list[str]]]) -> bytes:
    """A DOCX of (style, text) paragraphs and tables as lists of rows."""
    document = docx.Document()
    for item in items:
        if isinstance(item, tuple):
            document.add_paragraph(item[1], style=item[0] or None)
            continue
        table = document.add_table(rows=0, cols=len(item[0]))
        for row in item:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP with those paths, whatever they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(
                zipfile.ZipInfo(name) if name.startswith("/") else name, data, zipfile.ZIP_DEFLATED
            )
    return out.getvalue()
