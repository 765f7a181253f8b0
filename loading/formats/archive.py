"""ZIP files from outside: checked before unpacking, and unpacked only into a folder of the program."""

import io
import lzma
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from core.errors import InputError

MAX_ENTRIES = 10_000
MAX_TOTAL = 1024 * 1024 * 1024
MAX_ENTRY = 200 * 1024 * 1024
MAX_RATIO = 200
# Below this an entry may repeat itself as much as it likes.
RATIO_FROM = 1024 * 1024
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    EOFError,
    ValueError,
    RuntimeError,
)


def names(data: bytes, name: str) -> set[str]:
    """The paths inside an archive that is safe to unpack.

    Raises:
        InputError: it is damaged, protected, a bomb, or points outside itself.
    """
    with opened(data, name) as archive:
        return set(archive.namelist())


@contextmanager
def opened(data: bytes, name: str) -> Iterator[zipfile.ZipFile]:
    """A checked archive; errors while reading it are reported as damage.

    Raises:
        InputError: see `names`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check(archive.infolist(), name)
            yield archive
    except _BROKEN as error:
        raise InputError(
            f"{name}: el archivo comprimido está dañado; créelo o descárguelo otra vez."
        ) from error


def _check(entries: list[zipfile.ZipInfo], name: str) -> None:
    if not entries:
        raise InputError(f"{name}: el archivo comprimido está vacío.")
    if len(entries) > MAX_ENTRIES:
        raise InputError(f"{name}: contiene más de {MAX_ENTRIES} archivos; divídalo en partes.")
    if sum(entry.file_size for entry in entries) > MAX_TOTAL:
        raise InputError(f"{name}: ocuparía más de 1 GB al descomprimirlo; divídalo en partes.")
    for entry in entries:
        _check_entry(entry, name)


def _check_entry(entry: zipfile.ZipInfo, name: str) -> None:
    if entry.flag_bits & 1:
        raise InputError(f"{name}: está protegido con contraseña; guárdelo sin ella y súbalo otra vez.")
    inside = PurePosixPath(entry.filename.replace("\\", "/"))
    if inside.is_absolute() or ".." in inside.parts or ":" in entry.filename or "\x00" in entry.filename:
        raise InputError(f"{name}: contiene rutas que salen de él; créelo otra vez solo con los documentos.")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise InputError(f"{name}: contiene enlaces; créelo otra vez solo con los documentos.")
    bomb = entry.file_size > RATIO_FROM and entry.file_size > MAX_RATIO * max(1, entry.compress_size)
    if bomb or entry.file_size > MAX_ENTRY:
        raise InputError(
            f"{name}: un archivo de su interior crece demasiado al descomprimirlo; súbalo suelto."
        )


def unpack(data: bytes, name: str, folder: Path) -> None:
    """Every document of the archive below `folder`, without hidden files or those of macOS.

    Raises:
        InputError: see `names`.
    """
    with opened(data, name) as archive:
        for entry in archive.infolist():
            parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
            if entry.is_dir() or not parts or any(p.startswith((".", "__MACOSX")) for p in parts):
                continue
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as packed, target.open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
