"""The check of a Word template: every part is read, and only what a letter needs is let in.

Relationships, content types, suffixes and fields are held against lists of what is allowed: Word knows more
ways to run, fetch or open something than anybody can list.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from loading.formats import archive
from loading.formats.office_xml import DAMAGE, Package, attribute, local

SUFFIX, DOCUMENT, CONTENT_TYPES = ".docx", "word/document.xml", "[Content_Types].xml"
MOST_BYTES, MOST_UNPACKED = 5_000_000, 50_000_000
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

_SCHEMAS = "http://schemas.openxmlformats.org/"
_OF_OFFICE = (
    f"{_SCHEMAS}officeDocument/2006/relationships/",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/",
    f"{_SCHEMAS}package/2006/relationships/metadata/",
)
_OF_WORD = re.compile(r"http://schemas\.microsoft\.com/office/20\d\d/(?:\d\d/)?relationships/")
_RELATIONS = frozenset(
    re.findall(
        r"\S+",
        "officeDocument core-properties extended-properties custom-properties thumbnail styles "
        "stylesWithEffects settings webSettings fontTable theme numbering footnotes endnotes header footer "
        "comments commentsExtended commentsIds commentsExtensible people image hyperlink customXml "
        "customXmlProps font glossaryDocument classificationlabels",
    )
)
_TYPES = re.compile(
    r"application/vnd\.openxmlformats-officedocument\."
    r"(?:wordprocessingml\.(?:document\.main|document\.glossary|styles|settings|webSettings|fontTable|numbering"
    r"|footnotes|endnotes|header|footer|comments|commentsExtended|commentsIds|commentsExtensible|people)"
    r"|theme|extended-properties|custom-properties|customXmlProperties)\+xml"
    r"|application/vnd\.openxmlformats-officedocument\.obfuscatedFont"
    r"|application/vnd\.openxmlformats-package\.(?:relationships|core-properties)\+xml"
    r"|application/vnd\.ms-word\.(?:stylesWithEffects|person|classificationlabels)\+xml"
    r"|application/vnd\.ms-office\.classificationlabels\+xml"
    r"|(?:application|text)/xml|image/(?:png|jpe?g|gif|bmp|tiff|x-emf|x-wmf)"
)
_SUFFIXES = frozenset(
    re.findall(
        r"\S+",
        "xml rels png jpg jpeg jpe gif bmp tif tiff emf wmf odttf",
    )
)
_LOADS = frozenset(
    re.findall(
        r"\S+",
        "altChunk subDoc object objectEmbed objectLink control OLEObject externalData mailMerge dataSource "
        "headerSource frameset sourceFileName saveThroughXslt attachedSchema movie audioFile videoFile "
        "wavAudioFile quickTimeFile",
    )
)
"""Elements that embed, run or fetch something. What else refers to a file does so by a relationship."""
_FIELDS = frozenset(
    re.findall(
        r"\S+",
        "PAGE NUMPAGES SECTION SECTIONPAGES DATE TIME CREATEDATE SAVEDATE PRINTDATE TITLE SUBJECT AUTHOR "
        "KEYWORDS COMMENTS FILENAME FILESIZE USERNAME USERINITIALS USERADDRESS NUMWORDS NUMCHARS REVNUM "
        "LASTSAVEDBY DOCPROPERTY STYLEREF TOC TC TOA TA PAGEREF REF NOTEREF SEQ LISTNUM AUTONUM AUTONUMLGL "
        "AUTONUMOUT XE INDEX SYMBOL EQ ADVANCE HYPERLINK MERGEFIELD FORMTEXT FORMCHECKBOX FORMDROPDOWN "
        "BIBLIOGRAPHY CITATION PRIVATE",
    )
)
_WHERE = re.compile(
    r"\s*HYPERLINK\s+(?:\\l\s+(?:\"[^\"]*\"|\S+)\s*|\"(?:https://|mailto:)[^\"]*\".*)", re.I | re.S
)
_HTTP = ("https://", "mailto:")


def examined(name: str, contents: bytes) -> None:
    """Look through every part of a template. Raises InputError: it is none, or has what is not let in."""
    if len(contents) > MOST_BYTES:
        raise InputError(TOO_BIG.format(name=name))
    if Path(name).suffix.lower() != SUFFIX or not contents.startswith(b"PK"):
        raise InputError(KIND.format(name=name))
    with archive.opened(contents, name) as packed:
        package, inside = Package(packed, name), packed.namelist()
        # Of two parts of one name, Word may read the other.
        if not {DOCUMENT, CONTENT_TYPES} <= package.names or len({one.lower() for one in inside}) != len(
            inside
        ):
            raise InputError(KIND.format(name=name))
        if sum(entry.file_size for entry in packed.infolist()) > MOST_UNPACKED:
            raise InputError(TOO_BIG.format(name=name))
        kinds = _kinds(package)
        for part in filter(lambda one: not one.endswith("/"), inside):
            suffix = part.rpartition(".")[2].lower()
            kind = kinds.get(f"/{part}", kinds.get(suffix, ""))
            if suffix not in _SUFFIXES and not kind.endswith("xml"):
                raise InputError(MACROS.format(name=name))
            if suffix in ("xml", "rels") or kind.endswith("xml"):
                _examine_part(package, part)
        if not all(map(_TYPES.fullmatch, kinds.values())):
            raise InputError(MACROS.format(name=name))


def _kinds(package: Package) -> Mapping[str, str]:
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


def _examine_part(package: Package, path: str) -> None:
    part = _read(package, path)
    for one in part.iter():
        if local(one) in _LOADS:
            raise InputError(MACROS.format(name=package.name))
        if local(one) == "Relationship":
            _examine_relation(package, path, one)
    if not all(map(_is_allowed, _fields(part))):
        raise InputError(ORDERS.format(name=package.name))


def _examine_relation(package: Package, path: str, relation: Any) -> None:
    """Raises InputError: it leads out of the file, or to what is no part of a letter."""
    kind, mode = attribute(relation, "Type"), attribute(relation, "TargetMode")
    target = attribute(relation, "Target")
    word = kind.rpartition("/")[2]
    known = word in _RELATIONS and (
        kind.removesuffix(word) in _OF_OFFICE or _OF_WORD.fullmatch(kind.removesuffix(word))
    )
    if mode == "External" or mode not in ("", "Internal"):
        if not (known and mode == "External" and word == "hyperlink" and target.lower().startswith(_HTTP)):
            raise InputError(LINKS.format(name=package.name))
        return
    folder = posixpath.dirname(posixpath.dirname(path))
    there = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
    if not known:
        raise InputError(MACROS.format(name=package.name))
    if there not in package.names and not target.startswith("#"):
        raise InputError(LINKS.format(name=package.name))


def _fields(part: Any) -> Iterator[str]:
    """The order of each field of a part, put together from its pieces."""
    open_fields: list[list[str]] = []
    for one in part.iter():
        name = local(one)
        if name == "fldSimple":
            yield attribute(one, "instr")
        elif name == "fldChar" and attribute(one, "fldCharType") == "begin":
            open_fields.append([])
        elif name == "fldChar" and open_fields:
            if attribute(one, "fldCharType") == "end":
                yield "".join(open_fields.pop())
        elif name in ("instrText", "delInstrText"):
            if open_fields:
                open_fields[-1].append(one.text or "")
            else:
                yield one.text or ""
    yield from ("".join(one) for one in open_fields)


def _is_allowed(field: str) -> bool:
    """True for a field that says something of this document, or leads a reader to a page."""
    words = field.split(maxsplit=1)
    name = words[0].upper() if words else ""
    return name in _FIELDS and (name != "HYPERLINK" or _WHERE.fullmatch(field) is not None)
