"""Word templates of the firm: examined, then kept in a folder of the home, which backups take along.

A template is data: nothing that Word would run, fetch or ask another program for is let in, and it is read in
the confined process of loads before the program opens it itself.
"""

import re
import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.errors import InputError, NotFound
from law.norms import BRIEF
from loading.formats import archive
from loading.formats.office_xml import DAMAGE, Package, attribute, local
from loading.parsing.file_reader import reader_of
from loading.parsing.limits import Limits
from service.contract.citations import Reading
from service.opinions.opinion import TITLES, PartName
from service.opinions.placeholders import DAY, TITLE, WORDS, problems
from text.textnorm import visible

FOLDER, SUFFIX = "letterheads", ".docx"
MOST, MOST_BYTES, MOST_UNPACKED, LONGEST_NAME = 20, 5_000_000, 50_000_000, 60
CONTENT_TYPES = "[Content_Types].xml"
EMBEDDED = ("/oleObject", "/package", "/control", "/vbaProject", "/aFChunk")
"""Ends of the types of relationships to what Word would open with another program."""
_ALIVE = re.compile(r"vbaProject|vbaData|/activeX/|/embeddings/|\.bin$", re.IGNORECASE)
_ORDERS = re.compile(r"\b(?:DDE|DDEAUTO|INCLUDETEXT|INCLUDEPICTURE|IMPORT|LINK|DATABASE|MACROBUTTON)\b")

KIND = (
    "{name}: una plantilla es un documento de Word sin macros (.docx); guárdela como tal y súbala otra vez."
)
MACROS = "{name}: tiene macros u objetos incrustados; guárdela como .docx sin ellos y súbala otra vez."
LINKS = (
    "{name}: enlaza con archivos o imágenes de fuera; incrústelos en la plantilla, quite el enlace y súbala "
    "otra vez."
)
ORDERS = "{name}: tiene campos que piden datos a otros archivos o programas; quítelos y súbala otra vez."
TOO_BIG = "{name}: una plantilla tiene 5 MB como mucho; reduzca sus imágenes y súbala otra vez."
TOO_MANY = "Ya hay {most} plantillas, que es lo más que se guarda: quite antes alguna."
NO_NAME = "El nombre del archivo no tiene letras ni números: cámbielo y súbalo otra vez."
GONE = "Esa plantilla ya no está: vuelva a abrir la página."


def names(home: Path) -> list[str]:
    """The names of the templates, in alphabetical order."""
    return sorted(path.stem for path in (home / FOLDER).glob(f"*{SUFFIX}") if not path.name.startswith("."))


def content(home: Path, name: str) -> bytes:
    """A template. Raises NotFound."""
    if name not in names(home):
        raise NotFound(GONE)
    try:
        return (home / FOLDER / f"{name}{SUFFIX}").read_bytes()
    except OSError as error:
        raise NotFound(GONE) from error


def add(home: Path, settings: Reading, name: str, contents: bytes) -> str:
    """Keep a template under the name of its file; one of that name is replaced. Its name here.

    Raises:
        InputError: it is no template that can be used; the sentence says why.
    """
    told = " ".join(visible(Path(name).name).split())
    stem = re.sub(r"[^\w .()-]", "", Path(told).stem).strip(" .")[:LONGEST_NAME].strip(" .")
    if not any(map(str.isalnum, stem)):
        raise InputError(NO_NAME)
    _examine(settings, told, contents)
    known = names(home)
    if stem not in known and len(known) >= MOST:
        raise InputError(TOO_MANY.format(most=MOST))
    folder = home / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    draft = folder / f".{uuid4().hex}"
    draft.write_bytes(contents)
    draft.replace(folder / f"{stem}{SUFFIX}")
    return stem


def remove(home: Path, name: str) -> None:
    """Remove a template. Raises NotFound."""
    content(home, name)
    (home / FOLDER / f"{name}{SUFFIX}").unlink(missing_ok=True)


def _examine(settings: Reading, name: str, contents: bytes) -> None:
    if len(contents) > MOST_BYTES:
        raise InputError(TOO_BIG.format(name=name))
    if Path(name).suffix.lower() != SUFFIX or not contents.startswith(b"PK"):
        raise InputError(KIND.format(name=name))
    with archive.opened(contents, name) as packed:
        package, inside = Package(packed, name), packed.namelist()
        # Of two parts of one name, Word may read the other.
        if not {"word/document.xml", CONTENT_TYPES} <= package.names or len(package.names) != len(inside):
            raise InputError(KIND.format(name=name))
        if sum(entry.file_size for entry in packed.infolist()) > MOST_UNPACKED:
            raise InputError(TOO_BIG.format(name=name))
        kinds = _kinds(package)
        if any("macroEnabled" in kind for kind in kinds.values()) or any(map(_ALIVE.search, inside)):
            raise InputError(MACROS.format(name=name))
        for part in inside:
            suffix = part.rpartition(".")[2].lower()
            if suffix in ("xml", "rels") or kinds.get(f"/{part}", kinds.get(suffix, "")).endswith("xml"):
                _examine_part(name, _read(package, part))
    with tempfile.TemporaryDirectory(prefix="articulado-") as folder:
        path = Path(folder) / f"plantilla{SUFFIX}"
        path.write_bytes(contents)
        reader_of(Limits(settings.parse_seconds, settings.parse_memory_mb)).load(path, BRIEF, name)
    if told := problems(contents):
        raise InputError(f"{name}: {told}")


def _kinds(package: Package) -> dict[str, str]:
    """Content type of each part, and of each suffix of files, that the package declares."""
    return {
        attribute(one, "PartName") or attribute(one, "Extension").lower(): attribute(one, "ContentType")
        for one in _read(package, CONTENT_TYPES)
    }


def _read(package: Package, part: str) -> Any:
    """The XML of a part. Raises InputError: it is none, or as `Package.part`."""
    try:
        return package.part(part)
    except DAMAGE as error:
        raise InputError(KIND.format(name=package.name)) from error


def _examine_part(name: str, part: Any) -> None:
    fields = []
    for one in part.iter():
        if local(one) == "Relationship" and attribute(one, "Type").strip().endswith(EMBEDDED):
            raise InputError(MACROS.format(name=name))
        if local(one) == "Relationship" and not _stays_inside(one):
            raise InputError(LINKS.format(name=name))
        if local(one) == "instrText":
            fields.append(one.text or "")
        elif local(one) == "fldSimple":
            fields.append(attribute(one, "instr"))
    # The name of a field may be cut into several pieces.
    if any(map(_ORDERS.search, ("".join(fields), *fields))):
        raise InputError(ORDERS.format(name=name))


def _stays_inside(relationship: Any) -> bool:
    """True if it leads to a part of the file, or is the link of a text to a page or an address of mail."""
    if attribute(relationship, "TargetMode").strip().lower() in ("", "internal"):
        return True
    target = attribute(relationship, "Target").strip().lower()
    is_link = attribute(relationship, "Type").strip().endswith("/hyperlink")
    return is_link and target.startswith(("https://", "mailto:"))


def example() -> bytes:
    """A template to begin with: every placeholder in its place."""
    from service.opinions.word import Writer

    writer = Writer(WORDS.format(name=TITLE))
    writer.line(WORDS.format(name=DAY))
    for name in PartName:
        writer.heading(TITLES[name], new_page=name is PartName.ANNEX)
        writer.line(WORDS.format(name=name.value))
    return writer.saved()
