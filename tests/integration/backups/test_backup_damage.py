"""A backup that is not what it was, or never was one: one clear sentence, and nothing is written."""

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest

import service.backup.backup
from core.errors import InputError
from service.backup import archive as archives
from service.backup.backup import backup, restore, verify
from storage.stores import Database, open_database
from tests.backups import contents, files, furnish

Members = dict[str, bytes]
ROOM_FOR = shutil._ntuple_diskusage(0, 0, 100)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound backup of a small installation."""
    home = tmp_path_factory.mktemp("source")
    copy = tmp_path_factory.mktemp("copies") / "copia.zip"
    with closing(open_database(f"sqlite:///{home / 'articulado.db'}")) as database:
        furnish(database, home)
        backup(database.engines, home, copy)
    return copy


@pytest.fixture
def target(tmp_path: Path) -> Iterator[tuple[Database, Path]]:
    """An empty installation."""
    home = tmp_path / "home"
    with closing(open_database(f"sqlite:///{home / 'articulado.db'}")) as database:
        yield database, home


def refused(copy: Path, target: tuple[Database, Path]) -> str:
    """The one sentence with which both commands refuse it; nothing was written."""
    database, home = target
    told = []
    for act in (lambda: verify(copy), lambda: restore(database.engines, home, copy)):
        with pytest.raises(InputError) as caught:
            act()
        told.append(str(caught.value))
    assert files(home) == {}
    assert not any(contents(f"sqlite:///{home / 'articulado.db'}").values())
    assert told[0] == told[1] and "\n" not in told[0]
    return told[0]


def members(copy: Path) -> Members:
    with zipfile.ZipFile(copy) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, content: Members, *, truthful: bool = True, more: tuple[str, ...] = ()) -> Path:
    """An archive of these members whose manifest fits them (truthful), and more that it does not name."""
    content = dict(content)
    if truthful:
        manifest = json.loads(content.pop("manifest.json"))
        manifest["members"] = {
            name: {"size": len(body), "sha256": hashlib.sha256(body).hexdigest()}
            for name, body in content.items()
        }
        content["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in [*content.items(), *((name, b"x") for name in more)]:
            archive.writestr(name, body)
    return path


def with_manifest(content: Members, **values: Any) -> Members:
    manifest = json.loads(content["manifest.json"]) | values
    return content | {"manifest.json": json.dumps(manifest).encode()}


def test_the_same_archive_written_by_hand_is_accepted(
    sound: Path, target: tuple[Database, Path], tmp_path: Path
) -> None:
    """Otherwise the refusals below would prove nothing."""
    copy = write(tmp_path / "copia.zip", members(sound))
    assert verify(copy).tables == verify(sound).tables
    restore(target[0].engines, target[1], copy)
    assert len(target[0].corpus.norms()) == 2


def test_no_flipped_byte_goes_unnoticed(sound: Path, tmp_path: Path) -> None:
    """A flip in what no reader looks at (a date) may pass; then what is read is the same to the last byte."""
    content, copy = bytearray(sound.read_bytes()), tmp_path / "copia.zip"
    whole, noticed = members(sound), 0
    for place in range(0, len(content), 61):
        content[place] ^= 0x55
        copy.write_bytes(content)
        content[place] ^= 0x55
        try:
            verify(copy)
            assert members(copy) == whole, place
        except InputError:
            noticed += 1
    assert noticed > 0.7 * len(content) / 61


def test_a_flipped_byte_in_each_member_is_refused(
    sound: Path, target: tuple[Database, Path], tmp_path: Path
) -> None:
    with zipfile.ZipFile(sound) as archive:
        places = [(info.header_offset + info.compress_size // 2 + 60) for info in archive.infolist()]
    content = bytearray(sound.read_bytes())
    for place in places:
        content[place] ^= 1
    (tmp_path / "copia.zip").write_bytes(content)
    assert "dañada" in refused(tmp_path / "copia.zip", target)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.99, 0.9999])
def test_a_truncated_file_is_refused(
    sound: Path, target: tuple[Database, Path], tmp_path: Path, share: float
) -> None:
    whole = sound.read_bytes()
    (tmp_path / "copia.zip").write_bytes(whole[: int(len(whole) * share)])
    assert "dañada o incompleta" in refused(tmp_path / "copia.zip", target)


Change = Callable[[Members], Members]
CHANGES: dict[str, Change] = {
    "a member is missing": lambda m: {k: v for k, v in m.items() if k != "tables/norms.jsonl"},
    "a file is missing": lambda m: {k: v for k, v in m.items() if k != "files/enriched/n-1.jsonl"},
    "the manifest is missing": lambda m: {k: v for k, v in m.items() if k != "manifest.json"},
    "the manifest is no JSON": lambda m: m | {"manifest.json": b"{"},
    "the manifest is a list": lambda m: m | {"manifest.json": b"[]"},
    "the manifest is deep": lambda m: m | {"manifest.json": b"[" * 100_000},
    "a field is missing": lambda m: m | {"manifest.json": b'{"format": 1}'},
    "a member is another": lambda m: m | {"files/enriched/n-1.jsonl": b'{"key": "nn"}\n'},  # as long
    "another format": lambda m: with_manifest(m, format=99),
    "a newer schema": lambda m: with_manifest(m, revision="9999"),
    "a schema by half its name": lambda m: with_manifest(m, revision="000"),
    "the last schema": lambda m: with_manifest(m, revision="head"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_does_not_fit_the_manifest_is_refused(
    sound: Path, target: tuple[Database, Path], tmp_path: Path, change: Change
) -> None:
    assert refused(write(tmp_path / "copia.zip", change(members(sound)), truthful=False), target)


def test_another_format_and_a_newer_or_too_old_a_schema_say_so(sound: Path, tmp_path: Path) -> None:
    for values in ({"format": 99}, {"revision": "9999"}, {"revision": "0015"}):
        copy = write(tmp_path / "copia.zip", with_manifest(members(sound), **values), truthful=False)
        with pytest.raises(InputError, match="versión"):
            verify(copy)


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "a/../../x",
        "/etc/x",
        "//x",
        "C:x",
        "C:\\x",
        "a\\..\\x",
        ".env",
        "a/.lock",
        "index/x",
        "a//b",
        "a/",
        "index",
        "articulado.db",
        "articulado.db-wal",
        "a\x01b",
        " ",
        "",
    ],
)
def test_a_name_that_could_leave_the_home_or_replace_what_is_not_of_it_is_refused(
    sound: Path, target: tuple[Database, Path], tmp_path: Path, name: str
) -> None:
    copy = write(tmp_path / "copia.zip", members(sound) | {f"files/{name}": b"x"})
    database, home = target
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError):
        restore(database.engines, home, copy)
    assert sorted(tmp_path.iterdir()) == before
    assert files(home) == {}
    assert database.corpus.norms() == []


@pytest.mark.parametrize("name", ["x", "tables/../x.jsonl", "tables/passwords.jsonl", "files", "norms.jsonl"])
def test_what_is_neither_a_table_nor_a_file_is_refused(
    sound: Path, target: tuple[Database, Path], tmp_path: Path, name: str
) -> None:
    assert "nombre" in refused(write(tmp_path / "copia.zip", members(sound) | {name: b"x"}), target)


@pytest.mark.parametrize("name", ["files/extra", "tables/norms.jsonl"])
def test_more_than_the_manifest_names_is_refused(
    sound: Path, target: tuple[Database, Path], tmp_path: Path, name: str
) -> None:
    with pytest.warns(UserWarning) if name.startswith("tables") else nullcontext():
        copy = write(tmp_path / "copia.zip", members(sound), more=(name,))
    assert "de más" in refused(copy, target)


def test_a_link_in_the_archive_becomes_a_plain_file(
    sound: Path, target: tuple[Database, Path], tmp_path: Path
) -> None:
    content = members(sound) | {"files/link": b"/etc/passwd"}
    copy = write(tmp_path / "plain.zip", content)
    linked = tmp_path / "copia.zip"
    with zipfile.ZipFile(copy) as plain, zipfile.ZipFile(linked, "w") as archive:
        for info in plain.infolist():
            info.external_attr = (0o120777 if info.filename == "files/link" else 0o644) << 16
            archive.writestr(info, plain.read(info.filename))
    restore(target[0].engines, target[1], linked)
    assert not (target[1] / "link").is_symlink()
    assert (target[1] / "link").read_bytes() == b"/etc/passwd"


def test_a_bomb_is_not_unpacked(sound: Path, target: tuple[Database, Path], tmp_path: Path) -> None:
    """An entry that the manifest says is small is read no further than that."""
    content = with_manifest(
        members(sound),
        members=json.loads(members(sound)["manifest.json"])["members"]
        | {"files/bomb": {"size": 10, "sha256": "0" * 64}},
    )
    copy = write(tmp_path / "copia.zip", content | {"files/bomb": bytes(50_000_000)}, truthful=False)
    assert copy.stat().st_size < 200_000
    assert "tamaño" in refused(copy, target)


def test_what_does_not_fit_on_the_disk_is_refused_before_it_is_read(
    sound: Path, target: tuple[Database, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.backup.backup.shutil, "disk_usage", lambda _: ROOM_FOR)
    with pytest.raises(InputError, match="espacio"):
        restore(target[0].engines, target[1], sound)
    assert files(target[1]) == {}


def test_a_file_in_the_place_of_the_database_is_refused(sound: Path, tmp_path: Path) -> None:
    copy = write(tmp_path / "copia.zip", members(sound) | {"files/datos/propia.db": b"x"})
    home = tmp_path / "home"
    with closing(open_database(f"sqlite:///{home / 'datos' / 'propia.db'}")) as database:
        with pytest.raises(InputError, match="lugar de la base"):
            restore(database.engines, home, copy)
        assert database.corpus.norms() == []


def test_a_line_without_end_is_refused(sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_LINE", 1000)
    copy = write(tmp_path / "copia.zip", members(sound) | {"tables/norms.jsonl": b"[" * 2000})
    with archives.reading(copy) as archive, pytest.raises(InputError, match="norms"):
        list(archive.lines("tables/norms.jsonl"))


def without_last(table: str) -> Change:
    def change(content: Members) -> Members:
        lines = content[f"tables/{table}.jsonl"].splitlines(keepends=True)
        return content | {f"tables/{table}.jsonl": b"".join(lines[:-1])}

    return change


def replaced(table: str, old: bytes, new: bytes) -> Change:
    def change(content: Members) -> Members:
        assert old in content[f"tables/{table}.jsonl"]
        return content | {f"tables/{table}.jsonl": content[f"tables/{table}.jsonl"].replace(old, new)}

    return change


@pytest.mark.parametrize(
    "change",
    [
        without_last("messages"),
        replaced("norms", b'["title","text"]', b'["titulo","text"]'),
        replaced("norms", b"]\n", b",1]\n"),
        replaced("norms", b"]\n", b"\n"),
        replaced("norms", b"]\n", b"]\n" + b"[" * 100_000 + b"\n"),
        replaced("conversations", b"2026-", b"202x-"),
        replaced("vectors", b'bytes"]', b'bytes"'),
        lambda content: content | {"tables/norms.jsonl": b""},
        lambda content: content | {"tables/norms.jsonl": b"{}\n"},
    ],
)
def test_rows_that_are_no_rows_of_their_table_are_refused_with_nothing_stored(
    sound: Path, target: tuple[Database, Path], tmp_path: Path, change: Change
) -> None:
    """Even where somebody has made the checksums fit."""
    copy = write(tmp_path / "copia.zip", change(members(sound)))
    with pytest.raises(InputError):
        restore(target[0].engines, target[1], copy)
    assert files(target[1]) == {}
    assert not any(contents(f"sqlite:///{target[1] / 'articulado.db'}").values())


def test_what_is_no_backup_at_all_is_refused(target: tuple[Database, Path], tmp_path: Path) -> None:
    (tmp_path / "texto.zip").write_text("hola")
    with zipfile.ZipFile(tmp_path / "otro.zip", "w") as other:
        other.writestr("hola.txt", "hola")
    assert "dañada" in refused(tmp_path / "texto.zip", target)
    assert "no es una copia" in refused(tmp_path / "otro.zip", target)
    assert "No existe" in refused(tmp_path / "no.zip", target)
    assert refused(tmp_path, target)
