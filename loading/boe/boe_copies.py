"""Local copies of the BOE's files, `<root>/<norm id>/`, each replaced as a whole or not at all.

A copy is a BOE folder as the loader reads it (metadatos.xml, indice.xml, texto.xml) plus `state.json`: the
server's validators of each file, and a mark that the database holds this copy.
"""

import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import portalocker

from core.errors import InputError, SourceUnavailable
from core.whole_files import written_whole
from law.norms import Document
from loading.boe.boe_client import PARTS, BoeClient, Seen, check_id
from loading.parsing.file_reader import FileReader, reader_of
from loading.parsing.limits import Limits

STATE = "state.json"
METADATA = "metadatos.xml"
READING = 2
"""Version of the loader: a copy that an earlier one loaded goes in again at the next update."""
LOCK_SECONDS = 30.0
ABANDONED_SECONDS = 24 * 3600.0


@dataclass(frozen=True)
class Copy:
    """A copy on disk; `loaded`: the database is known to hold it as it is."""

    path: Path
    loaded: bool


@dataclass(frozen=True)
class _State:
    seen: Mapping[str, Seen] = field(default_factory=dict)
    loaded: bool = False


@dataclass(frozen=True)
class Copies:
    """The copies below one folder. Several processes may use it at once."""

    root: Path
    client: BoeClient
    reader: FileReader = field(default_factory=lambda: reader_of(Limits()))

    def download(self, norm_id: str) -> Copy:
        """The norm as the BOE has it now; one request when it has not changed.

        The metadata contain the day of the last change, so equal metadata mean an equal norm.

        Raises:
            InputError: no such norm, or the copy cannot be written.
            SourceUnavailable: see `BoeClient.fetch`; or the download is not that norm. The earlier copy
                stays.
        """
        path = self.root / check_id(norm_id)
        self._recover(path)
        state = _read(path)
        served = self.client.fetch(norm_id, PARTS[METADATA], state.seen.get(METADATA))
        if served is None or (state.seen and served.content == (path / METADATA).read_bytes()):
            return Copy(path, state.loaded)
        files, seen = {METADATA: served.content}, {METADATA: served.seen}
        for name in [name for name in PARTS if name != METADATA]:
            page = self.client.fetch(norm_id, PARTS[name], state.seen.get(name))
            files[name] = page.content if page else (path / name).read_bytes()
            seen[name] = page.seen if page else state.seen[name]
        self._replace(path, files, _State(seen))
        return Copy(path, loaded=False)

    def mark_loaded(self, norm_id: str, *, loaded: bool = True) -> None:
        """Record that the database holds this copy, or no longer does; nothing without a whole copy."""
        path = self.root / norm_id
        if seen := _read(path).seen:
            _write(path, _State(seen, loaded))

    def read(self, folder: Path, collection: str = "normativa") -> Document:
        """The norm of a copy. Raises InputError when it cannot be read."""
        return self.reader.load(folder, collection)[0]

    def _check(self, folder: Path) -> None:
        try:
            found = self.read(folder).norm.id
        except InputError as error:
            raise SourceUnavailable(
                f"{folder.name}: lo que envió el BOE no se puede leer; vuelva a intentarlo más tarde. "
                "La copia anterior, si la había, sigue intacta."
            ) from error
        if found != folder.name:
            raise SourceUnavailable(
                f"{folder.name}: el BOE envió otra norma ({found}); vuelva a intentarlo más tarde."
            )

    def _replace(self, path: Path, files: Mapping[str, bytes], state: _State) -> None:
        """Write beside, read it as a norm, then put it in the place of the old copy."""
        with self._beside(path.name) as new:
            for name, content in files.items():
                (new / name).write_bytes(content)
            _write(new, state)
            self._check(new)
            with unchanging(self.root):
                old = _aside(path)
                shutil.rmtree(old, ignore_errors=True)
                if path.exists():
                    path.rename(old)
                new.rename(path)
                shutil.rmtree(old, ignore_errors=True)

    def _recover(self, path: Path) -> None:
        """Undo a replacement that was killed between its two renames."""
        old = _aside(path)
        if old.exists():
            with unchanging(self.root):
                if old.exists() and not path.exists():
                    old.rename(path)
                shutil.rmtree(old, ignore_errors=True)

    @contextmanager
    def _beside(self, name: str) -> Iterator[Path]:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self._sweep()
            with tempfile.TemporaryDirectory(
                prefix=".new-", dir=self.root, ignore_cleanup_errors=True
            ) as made:
                folder = Path(made) / name
                folder.mkdir()
                yield folder
        except OSError as error:
            raise InputError(
                f"{name}: no se pudo guardar la descarga ({error.strerror}); "
                "libere espacio o revise los permisos y vuelva a intentarlo."
            ) from error

    def _sweep(self) -> None:
        """Delete the partial download of a killed process."""
        for left in self.root.glob(".new-*"):
            if time.time() - left.stat().st_mtime > ABANDONED_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


@contextmanager
def unchanging(root: Path, wait: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the lock under which the files of one download are replaced.

    Raises:
        InputError: another process holds it for longer than `wait` seconds.
    """
    try:
        with portalocker.Lock(root / ".lock", mode="a", timeout=wait):
            yield
    except portalocker.exceptions.LockException as error:
        raise InputError(
            "Otro proceso está guardando descargas del BOE; vuelva a intentarlo en un momento."
        ) from error


def _aside(path: Path) -> Path:
    return path.with_name(f".old-{path.name}")


def _read(folder: Path) -> _State:
    """The stored state of a copy; empty when a file is missing or damaged, so that it is downloaded again."""
    if not all((folder / name).is_file() for name in PARTS):
        return _State()
    try:
        stored = json.loads((folder / STATE).read_text("utf-8"))
        return _State({name: Seen(*stored["seen"][name]) for name in PARTS}, stored["loaded"] == READING)
    except (OSError, ValueError, KeyError, TypeError):
        return _State()


def _write(folder: Path, state: _State) -> None:
    text = json.dumps({"seen": state.seen, "loaded": READING if state.loaded else 0})
    with written_whole(folder / STATE) as stream:
        stream.write(text.encode())
