"""Turns files and folders into documents: one loader a format, chosen by the contents, not the name.

A loader takes (source, collection) and returns the documents it holds, blocks in reading order.
"""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from core.errors import ArticuladoError, InputError
from law.norms import BRIEF, DOCUMENT, UNDATED, Block, BlockKind, BlockVersion, Document
from loading.aids.packed_attributes import PAGES
from loading.formats import (
    archive,
    boe_xml,
    docx,
    eml,
    html,
    json_chunks,
    markdown,
    odt,
    pdf,
    plain_text,
    scanned_picture,
    xlsx,
)
from loading.formats.assemble import assemble
from loading.formats.boe_xml import is_boe_folder
from loading.formats.source_file import (
    REFUSED,
    SUFFIXES,
    Format,
    Source,
    format_of,
    is_boe_xml,
    is_zip,
    read_source,
)
from loading.formats.visible_document import as_seen

Loader = Callable[[Source, str], list[Document]]
NOT_A_PAPER = (
    "{name}: es un correo y solo se lee en un expediente o una consulta; guarde su adjunto y súbalo suelto."
)
NESTED = "los ZIP dentro de otro ZIP no se abren; súbalo suelto."
ATTACHED = "los ZIP adjuntos a un correo no se abren; guárdelo y súbalo suelto."
_PEEK = 65536


def load(path: Path, collection: str = "normativa", name: str = "") -> list[Document]:
    """The documents of a file or of a BOE folder (metadatos.xml, indice.xml, texto.xml).

    A picture is read by OCR for an expediente alone: the law is never taken from one. The Markdown of a brief
    is read as text, because ours describes laws.

    Args:
        name: the owner's name of the file, when it is stored under another name.

    Raises:
        InputError: the path does not exist, its format is not supported, or its contents cannot be read.
    """
    if not path.exists():
        raise InputError(f"{path}: no existe ese archivo o carpeta; compruebe la ruta.")
    if is_boe_folder(path):
        return [as_seen(document, official=True) for document in boe_xml.load(path, collection)]
    if path.is_dir():
        raise InputError(
            f"{path.name}: es una carpeta y no es una norma del BOE; suba los documentos que contiene."
        )
    source = read_source(path, name or path.name)
    if collection == DOCUMENT and scanned_picture.is_readable(source):
        return [as_seen(document) for document in scanned_picture.load(source, collection)]
    kind = format_of(source)
    if collection == BRIEF and kind == "markdown":
        kind = "text"
    return [as_seen(document, official=kind == "boe_xml") for document in LOADERS[kind](source, collection)]


def discover(paths: Iterable[Path]) -> list[Path]:
    """Everything that `load` accepts at or below `paths`, without repeats, each folder in name order.

    A path that is itself a file is kept even when unsupported, and so is a document of another format below a
    folder: `load` says why.

    Raises:
        InputError: a path does not exist, or a folder holds nothing that can be loaded.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: no existe ese archivo o carpeta; compruebe la ruta.")
        below = [path] if path.is_file() else _below(path)
        if not below:
            raise InputError(f"{path}: la carpeta no contiene nada que se pueda cargar; compruebe la ruta.")
        found.update(dict.fromkeys(below))
    return list(found)


def _below(folder: Path) -> list[Path]:
    if is_boe_folder(folder):
        return [folder]
    found: list[Path] = []
    for child in sorted(folder.iterdir()):
        if child.name.startswith(".") or (child.is_dir() and child.is_symlink()):
            continue
        if child.is_dir():
            found += _below(child)
        elif _is_document(child):
            found.append(child)
    return found


def _is_document(path: Path) -> bool:
    """True if the name is a document's; XML and JSON files, which seldom are one, are also checked inside."""
    suffix = path.suffix.lower()
    inside = {".json": json_chunks.looks_right, ".xml": is_boe_xml}.get(suffix)
    if inside is None:
        return suffix in (*SUFFIXES, *REFUSED) and path.stem.lower() != "readme"
    with path.open("rb") as file:
        return inside(file.read(_PEEK))


def unzip(path: Path, name: str, folder: Path) -> list[Path]:
    """Unpack a ZIP below `folder`; what it holds, see `unpacked`. Nothing when the file is no ZIP.

    Args:
        name: as in `load`.

    Raises:
        InputError: the file or the ZIP cannot be read.
        OSError: the disk fails.
    """
    source = read_source(path, name)
    if format_of(source) != "zip":
        return []
    archive.unpack(source.data, source.name, folder)
    return unpacked(folder)


def unpacked(folder: Path) -> list[Path]:
    """Everything below a folder that `load` takes, then what it would refuse; nothing without the folder."""
    if not folder.is_dir():
        return []
    known = dict.fromkeys(_below(folder))
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    others = (file for file in files if known.keys().isdisjoint((file, *file.parents)))
    return [*known, *(file for file in others if file.stem.lower() != "readme")]


def _load_zip(source: Source, collection: str) -> list[Document]:
    """Every document of a ZIP; an unreadable one becomes a warning, unless all are unreadable."""
    with tempfile.TemporaryDirectory(prefix="articulado-") as folder:
        try:
            archive.unpack(source.data, source.name, Path(folder))
        except OSError as error:
            raise InputError(
                f"{source.name}: no se pudo descomprimir ({error.strerror}); suba los documentos sueltos."
            ) from error
        paths = unpacked(Path(folder))
        found, failures = _each(((path, path.name) for path in paths), collection, NESTED)
    if not found:
        raise InputError(
            failures[0] if failures else f"{source.name}: no contiene ningún documento que se pueda cargar."
        )
    first = found[0].model_copy(update={"warnings": (*found[0].warnings, *failures)})
    return [first, *found[1:]]


def _load_mail(source: Source, collection: str) -> list[Document]:
    """A mail and each of its attachments, which tells its name; an unreadable one becomes a warning."""
    if collection != DOCUMENT:
        raise InputError(NOT_A_PAPER.format(name=source.name))
    mail = eml.read(source)
    found: list[Document] = []
    failures: list[str] = []
    with tempfile.TemporaryDirectory(prefix="articulado-") as folder:
        path = Path(folder) / eml.ATTACHED
        for one in mail.attached:
            path.write_bytes(one.data)
            held, refused = _each([(path, one.name)], collection, ATTACHED)
            found += (_attached(document, one.name) for document in held)
            failures += refused
    return [*assemble(source.name, mail.text, collection, failures), *found]


def _attached(document: Document, name: str) -> Document:
    """The document under the name of its file, without pages: the mail has none that could be drawn."""
    blocks = [
        one.model_copy(update={"attributes": {k: v for k, v in one.attributes.items() if k != PAGES}})
        for one in document.blocks
    ]
    version = BlockVersion(valid_from=UNDATED, text=f"Adjunto «{name}»:")
    head = Block(id=eml.ATTACHED, kind=BlockKind.SECTION, versions=(version,))
    return document.model_copy(update={"blocks": (head, *blocks)})


def _each(
    files: Iterable[tuple[Path, str]], collection: str, zipped: str
) -> tuple[list[Document], list[str]]:
    """The documents of files inside another by path and name, and why some cannot be read."""
    found: list[Document] = []
    failures: list[str] = []
    for path, name in files:
        try:
            if path.is_file() and _is_archive(path, name):
                raise InputError(f"{name}: {zipped}")
            found += load(path, collection, name)
        except ArticuladoError as error:
            failures.append(str(error))
    return found, failures


def _is_archive(path: Path, name: str) -> bool:
    with path.open("rb") as file:
        return is_zip(file.read(4)) and format_of(read_source(path, name)) == "zip"


LOADERS: dict[Format, Loader] = {
    "eml": _load_mail,
    "pdf": pdf.load,
    "docx": docx.load,
    "odt": odt.load,
    "xlsx": xlsx.load,
    "zip": _load_zip,
    "boe_xml": boe_xml.load_file,
    "html": html.load,
    "json": json_chunks.load,
    "markdown": markdown.load,
    "text": plain_text.load,
}
