"""Reads the XML of the BOE into a document: a norm of its open-data API, or a text as its journal printed it.

Format of the API: https://www.boe.es/datosabiertos/documentos/APIconsolidada.pdf. `metadatos.xml` describes
the norm; `texto.xml` holds its blocks, each with every wording it has had. The index adds nothing to them.
The XML of the daily journal, the only one that collective agreements have, has paragraphs instead of blocks.
"""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from lxml import etree

from core.errors import InputError
from law.agreement_names import RANK as AGREEMENT
from law.boe_links import published
from law.norms import Block, Document
from loading.formats import boe_norm
from loading.formats.agreement_facts import JOURNAL
from loading.formats.assemble import described
from loading.formats.boe_blocks import BlockReader
from loading.formats.boe_text import lines
from loading.formats.broken_lines import Paragraph
from loading.formats.source_file import Source, read_source

METADATA, TEXT = "metadatos.xml", "texto.xml"
AS_PRINTED = (
    "Es el texto que imprimió el BOE, sin cambios posteriores: si lo hay, cargue el texto consolidado."
)


def is_boe_folder(path: Path) -> bool:
    """True if `path` is a folder with the metadata or the text of one norm."""
    return path.is_dir() and ((path / METADATA).is_file() or (path / TEXT).is_file())


def load(path: Path, collection: str = "normativa") -> list[Document]:
    """The norm of one BOE folder, with every block and every wording.

    Raises:
        InputError: a file is missing, empty, corrupt, or not in the BOE's format.
    """
    return _documents(_read(path / METADATA), _read(path / TEXT), f"{path.name}: {TEXT}", collection)


def load_file(source: Source, collection: str) -> list[Document]:
    """The same from one file that holds both, as the API serves a whole norm and the journal each text.

    Raises:
        InputError: it is corrupt, or lacks the metadata or the text.
    """
    root = _parse(source.data, source.name)
    printed = root.find("texto")
    if printed is not None and root.find("metadatos") is not None and root.find(".//bloque") is None:
        return [_printed(root, printed, source.name, collection)]
    if root.find(".//metadatos") is None or root.find(".//bloque") is None:
        raise InputError(
            f"{source.name}: le faltan los metadatos o el texto; suba la carpeta del BOE en un ZIP."
        )
    return _documents(root, root, source.name, collection)


def _documents(described: etree._Element, text: etree._Element, name: str, collection: str) -> list[Document]:
    fields = boe_norm.metadata(described)
    reader = BlockReader(norm_id=fields["identificador"])
    for element in text.iter("bloque"):
        reader.read(element)
    if not reader.blocks:
        raise InputError(f"{name} no contiene ningún bloque de texto; descargue la norma otra vez.")
    norm = boe_norm.norm(fields, collection)
    whole = Document(norm=norm, blocks=tuple(reader.blocks), warnings=tuple(reader.warnings))
    return [_closed(whole, fields)]


def _printed(root: etree._Element, text: etree._Element, name: str, collection: str) -> Document:
    """The document of a text of the daily journal, divided as any other text."""
    fields = boe_norm.metadata(root)
    paragraphs = [Paragraph(line.text) for line in lines(text)]
    if not paragraphs:
        raise InputError(f"{name} no contiene texto; descárguelo del BOE otra vez.")
    norm = boe_norm.norm(fields, collection)
    known = {"url": published(norm.id), "extra": {**norm.extra, JOURNAL: boe_norm.journal(fields)}}
    found = described(norm.model_copy(update=known), paragraphs)
    told = () if found.norm.rank == AGREEMENT else (AS_PRINTED,)
    return _closed(found.model_copy(update={"warnings": (*told, *found.warnings)}), fields)


def _closed(document: Document, fields: Mapping[str, str]) -> Document:
    """The document with its norm and its wordings ended on the last day that its metadata tell, if any."""
    end, warning = boe_norm.last_day(fields, [block.versions[-1].text for block in document.blocks])
    warnings = (*document.warnings, *([warning] if warning else []))
    if end is None:
        return document.model_copy(update={"warnings": warnings})
    closed = tuple(ended(block, end) for block in document.blocks)
    norm = document.norm.model_copy(update={"repealed_on": end})
    return Document(norm=norm, blocks=closed, warnings=warnings)


def _read(path: Path) -> etree._Element:
    name = f"{path.parent.name}: {path.name}"
    if not path.is_file():
        raise InputError(f"{name} no está en la carpeta; descargue la norma otra vez.")
    return _parse(read_source(path, name).data, name)


def _parse(data: bytes, name: str) -> etree._Element:
    """Parse without entities, network or oversized trees: the file is data from outside."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{name} no se puede leer como XML ({error}); descárguela otra vez.") from error
    # The text after an unresolved entity would be lost with it.
    etree.strip_elements(root, etree.Entity, with_tail=False)
    return root


def ended(block: Block, end: date | None, before: date | None = None) -> Block:
    """The block with its wordings ended with its norm, on `end`; None ends none.

    Args:
        before: last day that the norm had until now; wordings that ended then, or later, end on the new one.
    """
    versions = []
    for version in block.versions:
        until = version.valid_to
        if until is None or (before is not None and until >= before) or (end is not None and until > end):
            until = max(end, version.valid_from) if end is not None else None
        versions.append(version.model_copy(update={"valid_to": until}))
    return block.model_copy(update={"versions": tuple(versions)})
