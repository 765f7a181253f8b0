"""Uploaded files: staged below the home until a job has read them, then kept as the sources of their norms.

A name from outside is data: it is reduced to a plain file name, and never becomes a path by itself.
"""

import hashlib
import re
import shutil
import time
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from uuid import uuid4

from core.errors import InputError
from loading.formats import NESTED, discover
from loading.formats.source_file import is_zip
from loading.parsing.file_reader import FileReader, go_on
from loading.parsing.wire_messages import Check
from loading.records.jobs import JobFile
from text.textnorm import visible

UPLOADS, SOURCES = "uploads", "sources"
MAX_FILES = 500
MAX_DEPTH = 20
MAX_FILE_BYTES = 200 * 1024 * 1024
MAX_TOTAL_BYTES = 1024 * 1024 * 1024
ABANDONED_SECONDS = 3600.0
FULL_DISK = "No se pudo guardar lo que ha subido: compruebe el espacio en disco y vuelva a subirlo."
GONE = "El archivo ya no está en el servidor: vuelva a subirlo."

Upload = tuple[str, bytes]
"""A name as the user knows it ('folder/file.xml' for a file inside a folder), and the contents."""
Unzip = Callable[[Path, str, Path], list[Path]]


def stage(
    home: Path, files: Sequence[Upload], reader: FileReader, check: Check = go_on
) -> tuple[str, tuple[JobFile, ...]]:
    """Copy the files below `<home>/uploads/<random id>`; returns that id and the files for a job.

    Each document of a folder or of a ZIP counts separately: a BOE folder, or a file. A ZIP that cannot be
    unpacked stays as it is, for its loader to say why.

    Args:
        reader: unpacks them.
        check: see `FileReader.load`.

    Raises:
        InputError: there are none, too many, or too big; a folder is without documents; the disk is full.
            Nothing is left behind.
    """
    sizes = [len(contents) for _, contents in files]
    _check([name for name, _ in files], sizes)
    key = uuid4().hex
    folder = home / UPLOADS / key
    try:
        folder.mkdir(parents=True)
        if shutil.disk_usage(folder).free < 2 * sum(sizes):
            raise InputError(FULL_DISK)
        staged: dict[tuple[str, int], Path] = {}
        for number, (name, contents) in enumerate(files):
            top, *inner = _parts(name)
            place = staged.setdefault((top, -1 if inner else number), folder / str(len(staged)))
            target = place.joinpath(_plain(top), *map(_plain, inner))
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                target = target.with_name(f"{number}-{target.name}")
            target.write_bytes(contents)

        unzip = partial(reader.unzip, check=check)
        return key, tuple(
            file for (name, _), place in staged.items() for file in _files(home, name, place, unzip)
        )
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError(FULL_DISK) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def locate(home: Path, file: JobFile) -> Path:
    """Present path of the file: staged, or already kept as a source by an interrupted run.

    Raises:
        InputError: the file is in neither place, or is known to be of no use.
    """
    if file.problem:
        raise InputError(file.problem)
    place = home / file.path
    if not place.exists() and file.hash:
        place = home / source_of(file.hash) / Path(file.path).name
    if not place.exists():
        raise InputError(GONE)
    return place


def source_of(content: str) -> str:
    """Path of the kept source with this hash, relative to the home."""
    return f"{SOURCES}/{content}"


def discard(home: Path, key: str) -> None:
    """Remove the remaining files of an upload."""
    if re.fullmatch(r"[0-9a-f]{32}", key):
        shutil.rmtree(home / UPLOADS / key, ignore_errors=True)


def remove_source(home: Path, source: str) -> bool:
    """Remove a kept source, given relative to the home; False if it does not exist."""
    place = (home / source).resolve()
    if not source or home.resolve() not in place.parents or not place.exists():
        return False
    remove_path(place)
    return True


def orphans(home: Path, used_sources: set[str], used_uploads: set[str]) -> list[str]:
    """Staged or kept folders, relative to the home, that no document or job refers to."""
    known = used_sources | {f"{UPLOADS}/{key}" for key in used_uploads}
    found = [
        f"{top}/{child.name}"
        for top in (UPLOADS, SOURCES)
        if (home / top).is_dir()
        for child in sorted((home / top).iterdir())
        if abandoned(child)
    ]
    return [one for one in found if one not in known]


def abandoned(path: Path) -> bool:
    """True if a path has not changed for an hour; False if it has just been removed."""
    try:
        return path.lstat().st_mtime < time.time() - ABANDONED_SECONDS
    except FileNotFoundError:
        return False


def content_hash(path: Path) -> str:
    """SHA-256 (hex) of a file, or of the names and contents below a folder."""
    digest = hashlib.sha256()
    if path.is_file():
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    for child in sorted(path.rglob("*")):
        if child.is_file():
            digest.update(f"{child.relative_to(path).as_posix()}\0{content_hash(child)}\n".encode())
    return digest.hexdigest()


def size_of(path: Path) -> int:
    """Bytes of a file, or of everything below a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(child.stat().st_size for child in path.rglob("*") if child.is_file())


def format_of(path: Path) -> str:
    """'boe' for a folder, else the suffix without its dot."""
    return "boe" if path.is_dir() else path.suffix.lower().removeprefix(".")


def _check(names: Sequence[str], sizes: Sequence[int]) -> None:
    if not names:
        raise InputError("Elija al menos un archivo.")
    if len(names) > MAX_FILES:
        raise InputError(f"Son demasiados archivos ({len(names)}): suba {MAX_FILES} como mucho cada vez.")
    if sum(sizes) > MAX_TOTAL_BYTES:
        raise InputError(f"En total ocupan más de {_mb(MAX_TOTAL_BYTES)}: súbalos en varias veces.")
    for name, size in zip(names, sizes, strict=True):
        shown = visible(_parts(name)[-1])
        if len(_parts(name)) > MAX_DEPTH:
            raise InputError(f"«{shown}» está en demasiadas carpetas, una dentro de otra: súbalo aparte.")
        if size > MAX_FILE_BYTES:
            raise InputError(f"«{shown}» ocupa más de {_mb(MAX_FILE_BYTES)}: divídalo y súbalo en partes.")


def _mb(size: int) -> str:
    return f"{size // (1024 * 1024)} MB"


def _parts(name: str) -> list[str]:
    parts = [part for part in re.split(r"[/\\]+", name) if part.strip(" .")]
    return parts or ["documento"]


def _plain(name: str) -> str:
    """A file name of letters, digits, spaces, dots, hyphens and underscores, in 100 characters."""
    text = unicodedata.normalize("NFC", name.encode("utf-8", "ignore").decode("utf-8"))
    stem, dot, suffix = re.sub(r"[^\w .\-]", "_", text).strip(" .").rpartition(".")
    if not dot or len(suffix) > 10:
        stem, suffix = f"{stem}{dot}{suffix}", ""
    return f"{stem[:80].strip(' .') or 'documento'}{f'.{suffix}' if suffix else ''}"


def _files(home: Path, name: str, place: Path, unzip: Unzip) -> list[JobFile]:
    shown = " ".join(unicodedata.normalize("NFC", visible(name)).split())
    top = next(iter(place.iterdir()))
    try:
        below = discover([top])
    except InputError as error:
        raise InputError(f"«{shown}» no contiene ningún documento: compruebe la carpeta.") from error
    names = {path: shown if path == top else f"{shown}/{path.relative_to(top).as_posix()}" for path in below}
    return [file for path, known_as in names.items() for file in _each(home, known_as, path, unzip)]


def _each(home: Path, name: str, path: Path, unzip: Unzip) -> list[JobFile]:
    """The file itself, or those inside it when it is a ZIP."""
    folder = path.with_name(f"{path.name}.d")
    try:
        inner = unzip(path, name, folder) if is_packed(path) else []
    except (InputError, OSError):
        inner = []
    if not inner:
        shutil.rmtree(folder, ignore_errors=True)
        return [_file(home, name, path)]
    path.unlink()
    names = (f"{name}/{visible(one.relative_to(folder).as_posix())}" for one in inner)
    return [
        _file(home, known_as, one, f"{known_as}: {NESTED}" if one.suffix.lower() == ".zip" else "")
        for known_as, one in zip(names, inner, strict=True)
    ]


def is_packed(path: Path) -> bool:
    """True for a ZIP or an office file, by its first bytes."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return is_zip(file.read(4))


def _file(home: Path, name: str, path: Path, problem: str = "") -> JobFile:
    return JobFile(
        name=name,
        path=path.relative_to(home).as_posix(),
        size=size_of(path),
        hash=content_hash(path),
        problem=problem,
    )


def remove_path(place: Path) -> None:
    """Delete a file, a symbolic link, or a folder with its contents."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink()
