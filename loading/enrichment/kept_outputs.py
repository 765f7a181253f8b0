"""Model outputs for documents, kept on disk so that none is paid for twice.

A file is called `<document>.<key>`: the key (hash of the contents and of the prompt) finds it; the document's
name tells a person what it is and lets a deletion remove it too.
"""

import glob
from pathlib import Path

from core.errors import StorageError
from core.whole_files import written_whole
from loading.formats.generated_ids import NORM_LENGTH, slug


def prefix(name: str) -> str:
    """Common beginning of the file names of a document."""
    return slug(name, NORM_LENGTH)


def kept(folder: Path, key: str) -> str | None:
    """The text kept under a key, for any document; None if absent or unreadable."""
    for path in sorted(folder.glob(f"*.{glob.escape(key)}")):
        try:
            return path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
    return None


def put(folder: Path, name: str, text: str) -> None:
    """Keep a text, whole or not at all.

    Raises:
        StorageError: the disk fails.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with written_whole(folder / name) as stream:
            stream.write(text.encode())
    except OSError as error:
        raise StorageError(
            f"No se puede escribir en {folder.name}: compruebe el espacio y los permisos ({error.strerror})."
        ) from error


def remove(folder: Path, name: str) -> None:
    """Delete the kept texts of a document."""
    for path in folder.glob(f"{glob.escape(prefix(name))}.*"):
        path.unlink(missing_ok=True)
