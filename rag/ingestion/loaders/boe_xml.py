"""A folder of the BOE's open-data API (metadatos.xml, indice.xml, texto.xml) to a document.

Format: https://www.boe.es/datosabiertos/documentos/APIconsolidada.pdf. `metadatos.xml` describes the norm;
`texto.xml` holds its blocks, each with every wording it has had. The index adds nothing to them.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from lxml import etree

from rag.errors import InputError
from rag.ingestion.loaders import boe_norm
from rag.ingestion.loaders.boe_blocks import BlockReader
from rag.types import Block, Document

METADATA, TEXT = "metadatos.xml", "texto.xml"


def is_boe_folder(path: Path) -> bool:
    """Whether `path` is a folder with the metadata or the text of one norm."""
    return path.is_dir() and ((path / METADATA).is_file() or (path / TEXT).is_file())


def load(path: Path, collection: str = "normativa") -> list[Document]:
    """The norm of one BOE folder, with every block and every wording.

    Raises:
        InputError: a file is missing, empty, corrupt, or not in the BOE's format.
    """
    fields = boe_norm.metadata(_parse(path / METADATA))
    reader = BlockReader(norm_id=fields["identificador"])
    for element in _parse(path / TEXT).iter("bloque"):
        reader.read(element)
    if not reader.blocks:
        raise InputError(f"{path.name}: {TEXT} holds no block of text; download the norm again.")
    norm = boe_norm.norm(fields, collection)
    end, warning = boe_norm.last_day(fields, [block.versions[-1].text for block in reader.blocks])
    warnings = (*reader.warnings, *([warning] if warning else []))
    if end is None:
        return [Document(norm=norm, blocks=tuple(reader.blocks), warnings=warnings)]
    closed = tuple(_close(block, end) for block in reader.blocks)
    return [Document(norm=norm.model_copy(update={"repealed_on": end}), blocks=closed, warnings=warnings)]


def _parse(path: Path) -> etree._Element:
    """Parse without entities, network or oversized trees: the file is data from outside."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(path.read_bytes(), parser)
    except FileNotFoundError:
        raise InputError(f"{path.parent.name}: {path.name} is missing; download the norm again.") from None
    except (etree.XMLSyntaxError, OSError) as error:
        raise InputError(f"{path.parent.name}: {path.name} cannot be read as XML ({error}).") from error


def _close(block: Block, end: date) -> Block:
    """End on that day every wording that would outlive the norm."""
    versions = tuple(
        version
        if version.valid_to and version.valid_to <= end
        else version.model_copy(update={"valid_to": max(end, version.valid_from)})
        for version in block.versions
    )
    return block.model_copy(update={"versions": versions})
