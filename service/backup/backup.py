"""Backup and restore of a whole installation: the tables of the database and the files of the home.

What is not in a backup: the index, which `reindex` rebuilds; locks, drafts and the key that signs
certificates (hidden names); `.env`, which holds secrets; and the tables that `storage.backup` leaves out.
"""

import os
import shutil
import stat
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import IO, NamedTuple

from core.errors import InputError
from core.whole_files import written_whole
from loading.boe.boe_copies import unchanging
from loading.ingestion.uploads import SOURCES, UPLOADS
from service.backup.archive import (
    BLOCK,
    FILES,
    FORMAT,
    MAX_LINE,
    TABLES,
    Manifest,
    Reader,
    Writer,
    portable,
    reading,
    writing,
)
from service.config import ROOT
from service.program.coming import coming
from service.program.papers import FOLDER
from storage import former
from storage.backup import VECTORS, Filling, Snapshot, database_files, filling, known, snapshot
from storage.base.engine import Engines

INDEX, DATABASE = "index", "articulado.db"
COPIES = "boe"
NEWER = "La copia es de una versión más nueva del programa: actualícelo y vuelva a restaurarla."
TOO_OLD = (
    "La copia es de una versión anterior del programa que esta ya no lee: restáurela con una versión cuyas "
    f"copias digan «esquema {former.REVISION}», haga con ella otra copia y restaure esa."
)
OCCUPIED = (
    "La carpeta ARTICULADO_HOME no está vacía (contiene «{path}») y no se ha tocado: "
    "restaure en una carpeta nueva."
)


def backup(engines: Engines, home: Path, target: Path, *, vectors: bool = True) -> Manifest:
    """Write everything to `target`, while the program goes on working.

    The database is read as it was at one moment. A file is written before the row that names it and removed
    after it, so what rows name (uploads and sources) is copied before that moment, and what has come since
    right after it: a row is never without its file, unless the file lived no longer than that. A file
    without its row does no harm, and is swept away by the program it is restored to.

    Args:
        vectors: include the embedding cache, which is slow to rebuild.

    Raises:
        InputError: it cannot be written there. Nothing is left behind.
        StorageError: the database cannot be read.
    """
    if home.resolve() in target.resolve().parents:
        raise InputError("Guarde la copia fuera de ARTICULADO_HOME: elija otra carpeta.")
    left_out: set[str] = set()
    spared = database_files(engines)
    with writing(target) as writer:
        for top in (UPLOADS, SOURCES, FOLDER):
            _copy(home, _files(home, spared, left_out, top), writer)
        with snapshot(engines) as database:
            # Uploads first: from there a file goes to the sources, never back.
            for top in (UPLOADS, SOURCES, FOLDER, ""):
                _copy(home, _files(home, spared, left_out, top), writer)
            tables = [name for name in database.tables if vectors or name != VECTORS]
            rows = {name: _dump(database, name, writer) for name in tables}
        manifest = Manifest(
            format=FORMAT,
            program=_program(),
            created_at=datetime.now(UTC),
            database=engines.engine.dialect.name,
            revision=database.revision,
            vectors=vectors,
            tables=rows,
            sequences=database.sequences,
            members=dict(writer.members),
            audit_head=database.audit_head,
            left_out=tuple(sorted(left_out)),
        )
        writer.finish(manifest)
    return manifest


def verify(path: Path) -> Manifest:
    """Read a backup to its last byte, without touching anything.

    Raises:
        InputError: it is damaged, or not for this version of the program.
    """
    with reading(path) as archive:
        _check(archive)
        return archive.manifest


class Restored(NamedTuple):
    """A backup that is back, and how many rows of each table were left out (`storage.former`)."""

    manifest: Manifest
    skipped: Mapping[str, int]


def restore(engines: Engines, home: Path, path: Path) -> Restored:
    """Put a backup into an empty database and an empty home, all of it or nothing.

    Everything is verified before anything is written. The files are on disk before the transaction of the
    database is committed and take their places after it (`coming`).

    Raises:
        InputError: the backup cannot be used, or there is something already.
        StorageError: nothing was stored.
    """
    with reading(path) as archive:
        manifest = archive.manifest
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sum(member.size for member in manifest.members.values()) > shutil.disk_usage(home).free:
            raise InputError("No hay espacio en el disco para restaurar la copia: libere espacio y repita.")
        _check(archive)
        spared = database_files(engines)
        if spared & {(home / name).resolve() for name in manifest.files}:
            raise archive.damaged("contiene un archivo que ocuparía el lugar de la base de datos")
        _require_empty(home, spared, manifest.files)
        with (
            coming(home) as folder,
            filling(engines, manifest.revision, manifest.tables, manifest.sequences) as database,
        ):
            for table in database.tables:
                _load(database, table, archive)
            for name in manifest.files:
                _put(folder / name, archive.chunks(f"{FILES}{name}"))
    gone = {name: rows for name, rows in manifest.tables.items() if name not in database.tables}
    return Restored(manifest, gone | +database.skipped)


def _check(archive: Reader) -> None:
    manifest = archive.manifest
    if not known(manifest.revision):
        raise InputError(TOO_OLD if manifest.revision in former.REVISIONS else NEWER)
    if strange := [name for name in manifest.files if _derived(name)]:
        raise archive.damaged(f"contiene un nombre no permitido: {strange[0]!r}")
    archive.check()


def _dump(database: Snapshot, table: str, writer: Writer) -> int:
    """Write a table; how many rows. Small rows go many at a time."""
    count = -1

    def counted() -> Iterator[bytes]:
        nonlocal count
        for line in database.lines(table):
            count += 1
            if len(line) > MAX_LINE:
                raise InputError(f"Una fila de la tabla «{table}» es demasiado grande para copiarla.")
            yield line

    writer.add(f"{TABLES}{table}.jsonl", _joined(counted()))
    return count


def _joined(lines: Iterable[bytes]) -> Iterator[bytes]:
    held = bytearray()
    for line in lines:
        held += line
        if len(held) >= BLOCK:
            yield bytes(held)
            held.clear()
    yield bytes(held)


def _load(database: Filling, table: str, archive: Reader) -> None:
    if database.load(table, archive.lines(f"{TABLES}{table}.jsonl")) != archive.manifest.tables[table]:
        raise archive.damaged(f"{TABLES}{table}.jsonl")


def _files(home: Path, spared: Collection[Path], left_out: set[str], top: str = "") -> Iterator[str]:
    """Paths of the files that are truth, relative to the home; what cannot go is added to `left_out`."""
    for folder, folders, names in os.walk(home / top):
        folders[:] = sorted(name for name in folders if _wanted(home, Path(folder, name), left_out))
        for name in sorted(names):
            place = Path(folder, name)
            if _wanted(home, place, left_out) and place.resolve() not in spared:
                yield place.relative_to(home).as_posix()


def _wanted(home: Path, place: Path, left_out: set[str]) -> bool:
    path = place.relative_to(home).as_posix()
    if place.name.startswith(".") or _derived(path):
        return False
    try:
        mode = place.lstat().st_mode
    except FileNotFoundError:
        return False
    if (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and portable(path):
        return True
    left_out.add(path.encode("utf-8", "replace").decode())
    return False


def _derived(path: str) -> bool:
    """The index; and the database in its usual place, a forgotten one too, whose rows travel as rows."""
    top = path.partition("/")[0]
    return top == INDEX or top.startswith(DATABASE)


def _copy(home: Path, paths: Iterable[str], writer: Writer) -> None:
    """Copy what is not in the archive yet; what has vanished meanwhile was no longer wanted."""
    for folder, group in groupby(paths, key=lambda path: path.rpartition("/")[0]):
        # Of a norm of the BOE, all the files of one download.
        of_norm = folder.startswith(f"{COPIES}/")
        with unchanging(home / COPIES) if of_norm else nullcontext():
            for path in group:
                if f"{FILES}{path}" not in writer.members and (stream := _opened(home / path)) is not None:
                    with stream:
                        writer.add(f"{FILES}{path}", iter(partial(stream.read, BLOCK), b""))


def _opened(place: Path) -> IO[bytes] | None:
    try:
        return place.open("rb")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(
            f"No se puede leer «{place.name}» ({error.strerror}): revise sus permisos."
        ) from error


def _put(place: Path, content: Iterable[bytes]) -> None:
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with written_whole(place) as stream:
            stream.writelines(content)
    except OSError as error:
        raise InputError(
            f"No se pudo escribir en ARTICULADO_HOME ({error.strerror}): no se ha restaurado nada."
        ) from error


def _require_empty(home: Path, spared: Collection[Path], wanted: Iterable[str]) -> None:
    there = next(_files(home, spared, set()), None)
    if there or (there := next((path for path in wanted if (home / path).exists()), None)):
        raise InputError(OCCUPIED.format(path=there))


def _program() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])
