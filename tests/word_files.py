"""DOCX files from their XML, for what the library that writes the others cannot write; read again."""

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from law.norms import Document
from loading.formats import load
from tests.office_files import zipped

MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SPACES = (
    f'xmlns:w="{MAIN}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def p(*inside: str, list_id: str = "", level: int = 0, style: str = "", mark: str = "") -> str:
    """A paragraph of runs; texts are given as they are, XML as XML."""
    runs = "".join(one if one.startswith("<") else run(one) for one in inside)
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>' if list_id else ""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{styled}{numbered}<w:rPr>{mark}</w:rPr></w:pPr>{runs}</w:p>"


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def gone(word: str, tag: str = "del") -> str:
    """A run that a tracked change deletes, or moves away as 'moveFrom'."""
    return (
        f'<w:{tag} w:id="1" w:author="a"><w:r><w:delText>{word}</w:delText><w:t>{word}</w:t></w:r></w:{tag}>'
    )


def box(*paragraphs: str) -> str:
    """A run with a text box as Word writes it: once as a drawing and once for older programs."""
    inside = f"<w:txbxContent>{''.join(paragraphs)}</w:txbxContent>"
    return (
        f"<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>{inside}</wps:txbx>"
        f"</w:drawing></mc:Choice><mc:Fallback><w:pict>{inside}</w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def tabled(*rows: tuple[str, ...]) -> str:
    """A table of those rows of cells."""
    made = "".join(f"<w:tr>{''.join(f'<w:tc>{p(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    return f"<w:tbl><w:tblGrid>{'<w:gridCol/>' * len(rows[0])}</w:tblGrid>{made}</w:tbl>"


def levels(*formats: tuple[str, str], list_id: str = "1", more: str = "") -> str:
    """A numbering definition: (format, text) of each level, and `more` inside its list."""
    made = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (kind, text) in enumerate(formats)
    )
    return (
        f'<w:abstractNum w:abstractNumId="{list_id}">{made}</w:abstractNum>'
        f'<w:num w:numId="{list_id}"><w:abstractNumId w:val="{list_id}"/>{more}</w:num>'
    )


def word_xml(*body: str, **parts: str) -> bytes:
    """A DOCX with that body and those parts: 'footnotes', 'endnotes', 'numbering', 'styles'."""
    files: Mapping[str, str] = {
        name: f"<w:{name} {_SPACES}>{content}</w:{name}>" for name, content in parts.items()
    }
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}.{name}+xml"/>' for name in files
    )
    related = "".join(
        f'<Relationship Id="r{at}" Type="{_OFFICE}/{name}" Target="{name}.xml"/>'
        for at, name in enumerate(files)
    )
    return zipped(
        {
            "[Content_Types].xml": (
                f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="application/'
                'vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" '
                f'ContentType="{_TYPE}.document.main+xml"/>{types}</Types>'
            ).encode(),
            "_rels/.rels": (
                f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="d" '
                f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
            ).encode(),
            "word/document.xml": (
                f"<w:document {_SPACES}><w:body>{''.join(body)}</w:body></w:document>"
            ).encode(),
            "word/_rels/document.xml.rels": (
                f'<Relationships xmlns="{_PACKAGE}/relationships">{related}</Relationships>'
            ).encode(),
            **{f"word/{name}.xml": content.encode() for name, content in files.items()},
        }
    )


def read(tmp_path: Path, data: bytes) -> Document:
    """The one document of a DOCX with these contents."""
    path = tmp_path / "convenio.docx"
    path.write_bytes(data)
    (found,) = load(path)
    return found


def text(found: Document) -> str:
    """The text of a document, a block after the other."""
    return "\n".join(block.versions[0].text for block in found.blocks)


def strict(data: bytes) -> bytes:
    """The same DOCX as «Strict Open XML»."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    names = re.compile(r"schemas\.openxmlformats\.org/(wordprocessingml|officeDocument|drawingml)/2006/")
    return zipped(
        {path: names.sub(r"purl.oclc.org/ooxml/\1/", text).encode() for path, text in parts.items()}
    )
