"""Files and folders to documents: one loader a format, chosen by what the path is.

A loader takes (path, collection) and returns the documents it holds, blocks in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from rag.errors import InputError
from rag.ingestion.loaders.boe_xml import is_boe_folder
from rag.ingestion.loaders.boe_xml import load as load_boe
from rag.ingestion.loaders.markdown import load as load_markdown
from rag.types import Document

Loader = Callable[[Path, str], list[Document]]
BOE_FOLDER = "BOE"


def load(path: Path, collection: str = "normativa") -> list[Document]:
    """The documents of a file or of a BOE folder (metadatos.xml, indice.xml, texto.xml).

    Raises:
        InputError: the path does not exist, its format is not supported, or its contents cannot be read.
    """
    loader = LOADERS.get(_format(path))
    if loader is None:
        known = ", ".join(sorted(key for key in LOADERS if key != BOE_FOLDER))
        raise InputError(f"{path.name}: this format is not supported; use a BOE folder or one of: {known}.")
    return loader(path, collection)


def discover(paths: Iterable[Path]) -> list[Path]:
    """Everything that `load` accepts at or below `paths`, without repeats, each folder in name order.

    A path that is itself a file is kept even when unsupported, so that `load` can say why.

    Raises:
        InputError: a path does not exist, or a folder holds nothing that can be loaded.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder.")
        below = [path] if path.is_file() else _below(path)
        if not below:
            raise InputError(f"{path}: there is nothing in this folder that can be loaded.")
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
        elif _format(child) in LOADERS and child.stem.lower() != "readme":
            found.append(child)
    return found


def _format(path: Path) -> str:
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder.")
    return BOE_FOLDER if is_boe_folder(path) else path.suffix.lower()


LOADERS: dict[str, Loader] = {
    BOE_FOLDER: load_boe,
    ".md": load_markdown,
    ".markdown": load_markdown,
}
