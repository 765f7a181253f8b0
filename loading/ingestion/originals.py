"""Original files of norms: stored before a record names them, deleted once no record does.

Both happen under one lock, so an original that is about to be recorded is never deleted as unused.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import portalocker

from core.errors import InputError, StorageUnavailable
from loading.ingestion.uploads import GONE, SOURCES, orphans, remove_path
from loading.records.jobs import JobFile

LOCK, LOCK_SECONDS, LOCK_POLL = ".originals.lock", 120.0, 0.05
LOCKED = (
    "No se puede guardar ni borrar ahora ningún archivo original: compruebe el espacio en disco "
    "y vuelva a intentarlo en un momento."
)
_HASH = re.compile(r"[0-9a-f]{64}")


@contextmanager
def holding(home: Path, wait: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the lock on sources: no other thread or process adds or removes one meanwhile.

    Args:
        wait: seconds to wait for another holder.

    Raises:
        StorageUnavailable: another holder takes too long, or the disk fails.
    """
    lock = portalocker.Lock(home / LOCK, "a", timeout=wait, check_interval=LOCK_POLL)
    try:
        lock.acquire()
    except (portalocker.exceptions.LockException, OSError) as error:
        raise StorageUnavailable(LOCKED) from error
    try:
        yield
    finally:
        lock.release()


def keep(home: Path, path: Path, source: str, besides: str = "") -> None:
    """Keep a file or folder among the sources; the given one also stays. The caller holds the lock.

    On return the whole original is on disk. An original that is already there is not changed.

    Args:
        source: its place, relative to the home: a folder for it, or the path itself.
        besides: another source, whose originals get a place there too, in folders named by their hashes.

    Raises:
        InputError: the file is gone.
        OSError: the disk fails.
    """
    if not path.exists():
        raise InputError(GONE)
    place = home / source
    wanted = [] if _within(path, place) else [(path, place)]
    wanted += _originals(home / besides, place) if besides else []
    for original, folder in wanted:
        _add(original, folder)
    if wanted:
        for folder in {folder for _, folder in wanted} | {place, place.parent, home}:
            _flush(folder)


def unstage(home: Path, file: JobFile) -> None:
    """Remove a staged file that is already kept as a source; files elsewhere stay."""
    if not Path(file.path).is_absolute():
        with suppress(OSError):
            remove_path(home / file.path)


def sweep(
    home: Path,
    sources: Callable[[], set[str]],
    uploads: Callable[[], set[str]],
    wait: float = LOCK_SECONDS,
) -> int:
    """Remove the paths that `orphans` finds; returns their number.

    Args:
        sources: reads those in use.
        uploads: reads the ids of all jobs.
        wait: as in `holding`.

    Raises:
        StorageError: the database or the lock is unavailable.
    """
    with holding(home, wait):
        unused = orphans(home, sources(), uploads())
        for one in unused:
            with suppress(OSError):
                remove_path(home / one)
    return len(unused)


def _within(path: Path, place: Path) -> bool:
    return place.resolve() in (path.resolve(), *path.resolve().parents)


def _originals(source: Path, place: Path) -> list[tuple[Path, Path]]:
    """Each original of a source with the folder of `place` that it belongs in."""
    if source.parent.name != SOURCES:
        return [(source, place)] if source.exists() else []
    children = sorted(source.iterdir()) if source.exists() else []
    return [(one, place if _HASH.fullmatch(one.name) else place / source.name) for one in children]


def _add(original: Path, place: Path) -> None:
    """Link a file, or a folder with its files, into the folder `place`, whole or not at all."""
    target = place / original.name
    if target.exists():
        return
    place.mkdir(parents=True, exist_ok=True)
    draft = place / f".{uuid4().hex}"
    try:
        if original.is_dir():
            shutil.copytree(original, draft, copy_function=_link)
            for folder in (draft, *(child for child in draft.rglob("*") if child.is_dir())):
                _flush(folder)
        else:
            _link(original, draft)
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            remove_path(draft)
        raise


def _link(original: str | Path, target: str | Path) -> None:
    """Hard-link a file, or copy it if the disk has no hard links."""
    try:
        os.link(original, target)
    except OSError:
        shutil.copyfile(original, target)
    _flush(Path(target))


def _flush(path: Path) -> None:
    """Flush a file or folder to disk; a folder only if the system supports it."""
    windows = os.name == "nt"
    if windows and path.is_dir():
        return
    number = os.open(path, os.O_RDWR if windows else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
