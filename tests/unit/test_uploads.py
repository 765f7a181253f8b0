"""Uploads on their way in: names from outside never become paths, and nothing is left of what is refused."""

import shutil
from pathlib import Path

import pytest

from core.errors import InputError
from loading.ingestion import uploads
from loading.ingestion.originals import keep, unstage
from loading.ingestion.uploads import content_hash, discard, locate, remove_source, stage
from loading.parsing.file_reader import reader_of
from loading.parsing.limits import Limits
from tests.office_files import zipped
from tests.texts import law

ONE = law("una", {"1": "Texto."})
READER = reader_of(Limits())


def staged_paths(home: Path) -> list[str]:
    return sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "name",
    [
        "../../fuera.md",
        "/etc/fuera.md",
        "..\\..\\fuera.md",
        "C:\\fuera.md",
        "....//fuera.md",
        "\x00fuera.md",
        "fuera\ud800.md",
        "a" * 300 + ".md",
        ".oculto.md",
        "  .md",
        "con:dos|puntos?.md",
    ],
)
def test_no_name_leads_out_of_its_folder(tmp_path, name):
    home = tmp_path / "home"
    key, (file,) = stage(home, [(name, ONE)], READER)
    inside = (home / file.path).resolve()
    assert (home / "uploads" / key).resolve() in inside.parents
    assert locate(home, file).exists()
    assert staged_paths(tmp_path) == [f"home/{path}" for path in staged_paths(home)]
    file.name.encode("utf-8")


def test_the_name_is_kept_for_the_user_and_the_suffix_for_the_loader(tmp_path):
    _, (file,) = stage(tmp_path, [("Ley «ñ» 3/2020.md".replace("/", "-"), ONE)], READER)
    assert file.name == "Ley «ñ» 3-2020.md"
    assert file.path.endswith(".md")
    assert (file.size, len(file.hash)) == (len(ONE), 64)


def test_files_of_the_same_name_stay_apart(tmp_path):
    _, files = stage(tmp_path, [("una.md", ONE), ("una.md", ONE + b"\n")], READER)
    assert [file.name for file in files] == ["una.md", "una.md"]
    assert len({file.hash for file in files}) == 2


def test_a_folder_is_each_document_in_it(tmp_path):
    boe = [(f"leyes/BOE-A-2000-1/{name}.xml", b"<a/>") for name in ("metadatos", "indice", "texto")]
    _, files = stage(tmp_path, [*boe, ("leyes/otra/una.md", ONE), ("suelta.md", ONE)], READER)
    names = [file.name for file in files]
    assert names == ["leyes/BOE-A-2000-1", "leyes/otra/una.md", "suelta.md"]


def test_a_zip_is_each_document_in_it_and_what_is_of_no_use(tmp_path):
    packed = {
        "leyes/BOE-A-2000-1/metadatos.xml": b"<a/>",
        "leyes/BOE-A-2000-1/indice.xml": b"<a/>",
        "leyes/BOE-A-2000-1/texto.xml": b"<a/>",
        "una.md": ONE,
        "vacia.md": b"",
        "foto.png": b"\x89PNG",
        "acta": b"Acta.",
        "readme.md": b"Lea esto.",
        "otro.zip": zipped({"dos.md": ONE}),
    }
    _, files = stage(
        tmp_path, [("todo.zip", zipped(packed)), ("roto.zip", b"PK\x03\x04" + bytes(40))], READER
    )
    assert [file.name for file in files] == [
        "todo.zip/leyes/BOE-A-2000-1",
        "todo.zip/otro.zip",
        "todo.zip/una.md",
        "todo.zip/vacia.md",
        "todo.zip/acta",
        "todo.zip/foto.png",
        "roto.zip",
    ]
    assert locate(tmp_path, files[2]).read_bytes() == ONE
    with pytest.raises(InputError, match=r"todo\.zip/otro\.zip: los ZIP dentro de otro ZIP no se abren"):
        locate(tmp_path, files[1])
    assert not list(tmp_path.rglob("todo.zip"))


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ([], "al menos un archivo"),
        ([(f"{n}.md", b"x") for n in range(uploads.MAX_FILES + 1)], "demasiados archivos"),
        ([("carpeta/foto.xyz", b"x")], "ningún documento"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(tmp_path, files, reason):
    with pytest.raises(InputError, match=reason):
        stage(tmp_path, files, READER)
    assert staged_paths(tmp_path) == []


def test_a_file_that_is_too_big_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "MAX_FILE_BYTES", 1024 * 1024)
    with pytest.raises(InputError, match="más de 1 MB"):
        stage(tmp_path / "home", [("grande.pdf", bytes(1024 * 1024 + 1))], READER)
    assert not (tmp_path / "home").exists()


def refuse(*_: object) -> None:
    raise OSError(1, "Operation not permitted")


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("name", ["una.md", "norma/texto/una.md"])
def test_a_kept_file_is_found_where_it_was_and_where_it_is(tmp_path, monkeypatch, links, name):
    if not links:
        monkeypatch.setattr("os.link", refuse)
    key, (file,) = stage(tmp_path, [(name, ONE)], READER)
    source = uploads.source_of(file.hash)
    keep(tmp_path, locate(tmp_path, file), source)
    keep(tmp_path, locate(tmp_path, file), source)
    assert (tmp_path / file.path).exists()
    unstage(tmp_path, file)
    assert not (tmp_path / file.path).exists()
    keep(tmp_path, locate(tmp_path, file), source)
    discard(tmp_path, key)
    assert content_hash(locate(tmp_path, file)) == file.hash
    assert remove_source(tmp_path, source)
    assert not remove_source(tmp_path, source)
    with pytest.raises(InputError, match="vuelva a subirlo"):
        locate(tmp_path, file)
    with pytest.raises(InputError, match="vuelva a subirlo"):
        keep(tmp_path, tmp_path / file.path, source)


def test_a_folder_is_kept_whole_or_not_at_all(tmp_path, monkeypatch):
    boe = [(f"BOE-A-2000-1/{name}.xml", b"<a/>") for name in ("metadatos", "indice", "texto")]
    _, (file,) = stage(tmp_path, boe, READER)
    source = uploads.source_of(file.hash)
    copy = shutil.copyfile

    def full(original, target):
        if Path(original).name == "texto.xml":
            raise OSError(28, "No space left on device")
        return copy(original, target)

    with monkeypatch.context() as patched:
        patched.setattr("os.link", refuse)
        patched.setattr("shutil.copyfile", full)
        with pytest.raises(OSError, match="space"):
            keep(tmp_path, tmp_path / file.path, source)
    assert list((tmp_path / source).iterdir()) == []
    keep(tmp_path, tmp_path / file.path, source)
    assert content_hash(tmp_path / source / "BOE-A-2000-1") == file.hash


def test_a_source_that_stays_where_it_is_is_not_copied(tmp_path):
    folder = tmp_path / "boe" / "BOE-A-2000-1"
    folder.mkdir(parents=True)
    keep(tmp_path, folder, "boe/BOE-A-2000-1")
    assert staged_paths(tmp_path) == []
    shutil.rmtree(folder)
    with pytest.raises(InputError, match="vuelva a subirlo"):
        keep(tmp_path, folder, "boe/BOE-A-2000-1")


@pytest.mark.parametrize("source", ["", ".", "..", "../fuera", "/etc"])
def test_a_source_outside_the_home_is_never_removed(tmp_path, source):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "fuera").mkdir()
    assert not remove_source(home, source)
    assert (tmp_path / "fuera").exists()
    assert home.exists()


@pytest.mark.parametrize("key", ["", "..", "../sources", "uploads"])
def test_only_an_upload_is_discarded(tmp_path, key):
    (tmp_path / "sources").mkdir()
    (tmp_path / "uploads" / "other").mkdir(parents=True)
    discard(tmp_path, key)
    assert (tmp_path / "sources").exists()
    assert (tmp_path / "uploads" / "other").exists()


def test_a_folder_hash_tells_names_and_contents_apart(tmp_path):
    hashes = set()
    for number, (name, text) in enumerate([("a", "x"), ("b", "x"), ("a", "y")]):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / name).write_text(text)
        hashes.add(content_hash(folder))
    assert len(hashes) == 3
