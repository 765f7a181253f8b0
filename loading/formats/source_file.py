"""Reads a file from outside: checks its size and detects its format from its bytes, not its name."""

import re
from pathlib import Path
from typing import Literal, NamedTuple

from core.errors import InputError
from loading.formats import archive

MAX_BYTES = 200 * 1024 * 1024
SUFFIXES = (".pdf", ".docx", ".odt", ".xlsx", ".md", ".markdown", ".txt", ".html", ".htm", ".json", ".zip")
REFUSED = (
    ".eml",
    ".msg",
    ".rtf",
    ".doc",
    ".docm",
    ".xls",
    ".xlsm",
    ".ods",
    ".ppt",
    ".pptx",
    ".odp",
    ".epub",
    ".rar",
    ".7z",
)
"""Suffixes of other documents and archives: below a folder they are named, with what to do about them."""
_HEAD = 4096
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OUTLOOK = "__substg1.0_".encode("utf-16-le")
_PROTECTED = "EncryptedPackage".encode("utf-16-le")
IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"BM")
_OTHER_ARCHIVES = (b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_BOE_XML = re.compile(rb"<(?:response|documento|metadatos|bloque)\b")
MAIL = ".eml"
_FIELD = re.compile(rb"^([A-Za-z-]{2,40}):", re.MULTILINE)
_ONLY_IN_MAILS = {b"mime-version", b"message-id", b"received", b"return-path", b"x-mailer"}
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")


Format = Literal["eml", "pdf", "docx", "odt", "xlsx", "zip", "boe_xml", "html", "json", "markdown", "text"]
_SPOKEN: dict[str, Format] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".htm": "html",
    ".html": "html",
}


class Source(NamedTuple):
    """The bytes of a file and the name that its owner knows it by."""

    data: bytes
    name: str

    @property
    def stem(self) -> str:
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()


def read_source(path: Path, name: str) -> Source:
    """The whole file; one too large is refused before a byte of it is read.

    Raises:
        InputError: it cannot be read, is empty or has more than 200 MB.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(
                f"{name}: tiene {size // 1024 // 1024} MB y el máximo son 200 MB; divídalo en partes."
            )
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{name}: no se puede leer ({error.strerror}); compruebe el archivo y sus permisos."
        ) from error
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise InputError(f"{name}: está vacío; compruebe el archivo y súbalo otra vez.")
    return Source(data, name)


def format_of(source: Source) -> Format:
    """Format of the contents; the name only distinguishes the text formats.

    Raises:
        InputError: the format cannot be loaded; the message says what to do instead.
    """
    data = source.data
    if is_zip(data):
        return _zipped(source)
    _refuse_others(source)
    head = data[:_HEAD].replace(b"\x00", b"")
    kinds: tuple[tuple[Format, object], ...] = (
        # A PDF may begin after other bytes, so that what the first ones say comes before.
        ("pdf", b"%PDF-" in data[:1024]),
        ("eml", is_mail(source)),
        ("html", _HTML.search(head)),
        ("boe_xml", is_boe_xml(head)),
    )
    for kind, is_so in kinds:
        if is_so:
            return kind
    if _JSON.match(head) and source.suffix not in {".md", ".markdown", ".txt"}:
        return "json"
    if source.suffix == ".xml":
        raise InputError(
            f"{source.name}: este XML no es una norma del BOE; descargue el texto consolidado del BOE."
        )
    if source.suffix and source.suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise InputError(f"{source.name}: este formato no se admite; use una carpeta del BOE o {known}.")
    return _SPOKEN.get(source.suffix, "text")


def is_mail(source: Source) -> bool:
    """True of a file whose first lines are the head of a mail, and of one that is named so."""
    found = {name.lower() for name in _FIELD.findall(source.data[:_HEAD].partition(b"\n\n")[0])}
    return source.suffix == MAIL or (b"from" in found and not _ONLY_IN_MAILS.isdisjoint(found))


def is_boe_xml(head: bytes) -> bool:
    """True if these first bytes are those of an XML of the BOE."""
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<") and _BOE_XML.search(head) is not None


def is_zip(data: bytes) -> bool:
    """True if these first bytes are those of a ZIP, which office files are too."""
    return data.startswith(_ZIP)


def _zipped(source: Source) -> Format:
    names = archive.names(source.data, source.name)
    if "word/document.xml" in names:
        return "docx"
    if "xl/workbook.xml" in names:
        return "xlsx"
    if {"mimetype", "content.xml"} <= names:
        return "odt"
    if "[Content_Types].xml" in names or "mimetype" in names:
        raise InputError(
            f"{source.name}: este formato de oficina no se admite; guárdelo como DOCX, ODT, XLSX o PDF."
        )
    return "zip"


def _refuse_others(source: Source) -> None:
    data, name = source.data, source.name
    if data.startswith(_OLE):
        if _PROTECTED in data:
            raise InputError(f"{name}: está protegido con contraseña; guárdelo sin ella y súbalo otra vez.")
        if _OUTLOOK in data:
            raise InputError(
                f"{name}: es un correo de Outlook; guárdelo como .eml, o su texto y sus adjuntos."
            )
        raise InputError(f"{name}: es un documento antiguo de Office; guárdelo como DOCX o PDF.")
    if data.startswith(b"{\\rtf"):
        raise InputError(f"{name}: el formato RTF no se admite; guárdelo como DOCX o PDF.")
    if data.startswith(IMAGES):
        raise InputError(f"{name}: es una imagen y necesita OCR; conviértala en un PDF con texto.")
    if data.startswith(_OTHER_ARCHIVES):
        raise InputError(
            f"{name}: este tipo de archivo comprimido no se admite; use ZIP o suba los documentos sueltos."
        )
