"""The file of a backup: a ZIP whose last member, `manifest.json`, names every other with size and SHA-256."""

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from pydantic import Field, ValidationError

from core.errors import InputError
from core.values import Value
from core.whole_files import DRAFT, written_whole
from loading.ingestion.uploads import abandoned

FORMAT = 1
MANIFEST = "manifest.json"
TABLES, FILES = "tables/", "files/"
ZIP = b"PK\x03\x04"
BLOCK = 1024 * 1024
MAX_MANIFEST = 64 * 1024 * 1024
MAX_LINE = 256 * 1024 * 1024
DAMAGED = "La copia «{name}» está dañada o incompleta ({why}): no se ha tocado nada; use otra copia."
OTHER_FORMAT = "La copia «{name}» es de otra versión del programa (formato {format}): actualícelo y repita."
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
"""Exceptions that `zipfile` raises on damaged bytes."""


class Member(Value):
    """A member as it is when unpacked."""

    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Manifest(Value):
    """Contents of a backup.

    Attributes:
        program: version of the program that made it.
        database: kind of database that it was made of; it can be restored to any.
        revision: of the database's tables (Alembic).
        tables: rows of each.
        sequences: the highest number ever given in each table that numbers its rows.
        members: by name; tables are `tables/<name>.jsonl`, files of the home `files/<path>`.
        audit_head: of the audit log, as `audit verify --head` takes it; empty without entries.
        left_out: files of the home that could not be taken along (links, names that are not portable).
    """

    format: int
    program: str
    created_at: datetime
    database: str
    revision: str
    vectors: bool
    tables: Mapping[str, int]
    sequences: Mapping[str, int]
    members: Mapping[str, Member]
    audit_head: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def files(self) -> dict[str, Member]:
        """Those of the home, by path."""
        found = self.members.items()
        return {name.removeprefix(FILES): member for name, member in found if name.startswith(FILES)}


class Writer:
    """An archive that is being written; `members` is what is in it so far."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._members: dict[str, Member] = {}
        self.members: Mapping[str, Member] = MappingProxyType(self._members)

    def add(self, name: str, chunks: Iterable[bytes]) -> None:
        size, digest = 0, hashlib.sha256()
        with self._archive.open(_entry(name), "w", force_zip64=True) as stream:
            for chunk in chunks:
                stream.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self._members[name] = Member(size=size, sha256=digest.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        self._archive.writestr(_entry(MANIFEST), manifest.model_dump_json(indent=1))


@contextmanager
def writing(target: Path) -> Iterator[Writer]:
    """Write an archive that only its owner can read; `target` appears when it is whole, or not at all.

    Drafts beside it, which a process that was killed has left, are removed.

    Raises:
        InputError: there is such a file already, or it cannot be written.
    """
    if target.exists():
        raise InputError(f"Ya existe «{target}»: elija otro nombre para la copia.")
    try:
        _clear(target.parent)
        with (
            written_whole(target) as stream,
            zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive,
        ):
            yield Writer(archive)
    except OSError as error:
        raise InputError(
            f"No se pudo escribir la copia «{target}» ({error.strerror}): compruebe la carpeta y el espacio."
        ) from error


def _clear(folder: Path) -> None:
    for draft in folder.glob(".*"):
        if DRAFT.fullmatch(draft.name) and draft.is_file() and abandoned(draft):
            with draft.open("rb") as stream:
                begun = stream.read(len(ZIP))
            if ZIP.startswith(begun):
                draft.unlink(missing_ok=True)


class Reader:
    """Reads an archive and checks each member against the manifest. Raises InputError if one differs."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path = path
        self._archive = archive
        self.manifest = self._manifest()
        names = archive.namelist()
        tables = {f"{TABLES}{table}.jsonl" for table in self.manifest.tables}
        expected = {*self.manifest.members, *tables, MANIFEST}
        if missing := expected - set(names) | tables - set(self.manifest.members):
            raise self.damaged(f"falta {min(missing)}")
        if len(names) != len(expected):
            raise self.damaged("contiene archivos de más")
        for name, member in self.manifest.members.items():
            if not _understood(name, self.manifest):
                raise self.damaged(f"contiene un nombre no permitido: {name!r}")
            if archive.getinfo(name).file_size != member.size:
                raise self.damaged(f"{name} no tiene el tamaño que debe")

    def damaged(self, why: str) -> InputError:
        return InputError(DAMAGED.format(name=self._path.name, why=why))

    def check(self) -> None:
        """Read every member. Raises InputError when one is not what it was."""
        for name in self.manifest.members:
            for _ in self.chunks(name):
                pass

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of a member; at its end at the latest, an InputError if it is not what it was."""
        member = self.manifest.members[name]
        size, digest = 0, hashlib.sha256()
        try:
            with self._archive.open(name) as stream:
                while chunk := stream.read(BLOCK):
                    size += len(chunk)
                    digest.update(chunk)
                    if size > member.size:
                        break
                    yield chunk
        except BROKEN as error:
            raise self.damaged(name) from error
        if (size, digest.hexdigest()) != (member.size, member.sha256):
            raise self.damaged(name)

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a member, without their ends."""
        held = bytearray()
        for chunk in self.chunks(name):
            first, *more = chunk.split(b"\n")
            held += first
            if len(held) > MAX_LINE:
                raise self.damaged(name)
            if more:
                yield bytes(held)
                yield from more[:-1]
                held[:] = more[-1]
        if held:
            yield bytes(held)

    def _manifest(self) -> Manifest:
        try:
            with self._archive.open(MANIFEST) as stream:
                content = stream.read(MAX_MANIFEST + 1)
            if len(content) > MAX_MANIFEST:
                raise ValueError("the manifest is too big")
            found = json.loads(content)
            if isinstance(found, dict) and found.get("format") != FORMAT:
                told = str(found.get("format"))[:20]
                raise InputError(OTHER_FORMAT.format(name=self._path.name, format=told))
            return Manifest.model_validate(found)
        except KeyError as error:
            raise InputError(f"«{self._path.name}» no es una copia de Articulado.") from error
        except (*BROKEN, ValueError, RecursionError, ValidationError) as error:
            raise self.damaged("su manifiesto no se entiende") from error


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """Open an archive. Raises InputError when it is not a backup of this program, or is damaged."""
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError as error:
        raise InputError(f"No existe el archivo «{path}».") from error
    except (*BROKEN, ValueError) as error:
        raise InputError(DAMAGED.format(name=path.name, why="no se puede leer entera")) from error
    with archive:
        yield Reader(path, archive)


def portable(path: str) -> bool:
    """True if a relative path names the same file below any home, on any system, and nothing outside it."""
    parts = path.split("/")
    return not re.search(r"[\x00-\x1f\x7f\\:*?\"<>|]", path) and all(
        part.strip(" .") and not part.startswith(".") for part in parts
    )


def _understood(name: str, manifest: Manifest) -> bool:
    if name.startswith(FILES):
        return portable(name.removeprefix(FILES))
    return name in {f"{TABLES}{table}.jsonl" for table in manifest.tables}


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry
