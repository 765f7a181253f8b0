"""Files that are taken in once: previewed, then confirmed by the same person, or swept away."""

from collections.abc import Callable
from datetime import date
from threading import Event

import pytest

from core.errors import Forbidden, InputError, StorageError
from domain.accounts import Identity, Role
from law.changes import Fate
from loading.ingestion.intake import Intake
from loading.ingestion.load_request import UploadRequest
from loading.ingestion.preview_run import ReadingCancelled
from loading.records.jobs import JobState
from service.members.member import Member
from service.program.assembly import App
from tests.conftest import Maker
from tests.homes import work
from tests.killed import age
from tests.office_files import zipped
from tests.texts import law

ONE = law("una", {"1": "Las vacaciones duran un mes.", "2": "El descanso semanal es de dos días."})
BAD = ("rota.md", b"\x00\x01\x02")
REQUEST = UploadRequest([("una.md", ONE)])


@pytest.fixture
def program(make_program: Maker) -> App:
    made = make_program()
    made.models.embedder = None
    return made


def staged(program: App) -> list[str]:
    folder = program.home / "uploads"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_preview_tells_what_would_change_and_changes_nothing(program: App) -> None:
    program.loading.upload(REQUEST)
    work(program)
    revision = program.database.corpus.revision()
    shown = program.loading.preview(UploadRequest([("una.md", law("una", {"1": "Nuevo."})), BAD])).found
    assert (shown[0][0], shown[0][1].count(Fate.REMOVED)) == ("una.md", 1)
    assert isinstance(shown[1][1], str)
    assert program.database.corpus.revision() == revision
    assert len(program.database.jobs.jobs()) == 1


def test_what_was_previewed_is_loaded_from_the_very_bytes_that_were_read(program: App) -> None:
    seen = program.loading.preview(REQUEST)
    (file,) = seen.payload.files
    inode = (program.home / file.path).stat().st_ino
    job = program.loading.load(seen)
    assert (job.id, job.title, job.payload) == (seen.key, "una.md", seen.payload)
    work(program)
    record = program.database.documents.get("UNA")
    assert record.content_hash == file.hash
    assert (program.home / record.source / "una.md").stat().st_ino == inode
    assert staged(program) == []


def test_the_data_of_the_request_are_those_of_the_job(program: App) -> None:
    text = "Artículo 2. Prueba.\nEl descanso es de tres días."
    program.loading.upload(REQUEST)
    work(program)
    seen = program.loading.preview(UploadRequest.of_text(text, {"id": "UNA", "title": "Ley una"}, merge=True))
    program.loading.load(seen)
    work(program)
    assert [chunk.text.split("\n")[-1] for chunk in program.database.corpus.norm_chunks("UNA")] == [
        "Las vacaciones duran un mes.",
        "El descanso es de tres días.",
    ]


@pytest.mark.parametrize(("text", "title"), [("", "Ley"), ("  \n", "Ley"), ("Texto.", "  ")])
def test_a_text_without_words_or_title_is_no_request(text: str, title: str) -> None:
    with pytest.raises(InputError):
        UploadRequest.of_text(text, {"title": title})


def test_only_the_files_that_could_be_read_are_loaded(program: App) -> None:
    seen = program.loading.preview(UploadRequest([BAD, ("una.md", ONE)]))
    assert [file.name for file in program.loading.load(seen).payload.files] == ["una.md"]
    work(program)
    assert program.database.jobs.job(seen.key).state is JobState.DONE
    assert staged(program) == []


def test_each_file_inside_a_zip_is_told_and_loaded_on_its_own(program: App) -> None:
    packed = zipped({"leyes/una.md": ONE, "leyes/vacia.md": b"", "foto.png": b"\x89PNG"})
    seen = program.loading.preview(UploadRequest([("todo.zip", packed), ("vacia.md", b"")]))
    said = {name: found for name, found in seen.found if isinstance(found, str)}
    assert list(said) == ["todo.zip/leyes/vacia.md", "todo.zip/foto.png", "vacia.md"]
    assert said["todo.zip/leyes/vacia.md"].startswith("todo.zip/leyes/vacia.md: está vacío")
    assert "es una imagen" in said["todo.zip/foto.png"]
    program.loading.load(seen)
    work(program)
    record = program.database.documents.get("UNA")
    assert record.file_name == "todo.zip/leyes/una.md"
    assert (program.home / record.source / "una.md").read_bytes() == ONE


def test_a_new_wording_keeps_the_earlier_one_and_its_original(program: App) -> None:
    program.loading.upload(REQUEST)
    work(program)
    seen = program.loading.preview(UploadRequest([("una 2024.md", law("una", {"1": "Dura dos meses."}))]))
    with pytest.raises(InputError, match="Indique desde qué día rige la nueva redacción de «Ley una»"):
        program.loading.load(seen)
    with pytest.raises(InputError, match="desde después del 01/01/2020"):
        program.loading.load(seen, wordings={"UNA": date(2020, 1, 1)})
    program.loading.load(seen, wordings={"UNA": date(2024, 1, 1)})
    work(program)
    ends = [(chunk.label, chunk.valid_to) for chunk in program.database.corpus.norm_chunks("UNA")]
    assert sorted(ends, key=str) == [("1", None), ("1", date(2023, 12, 31)), ("2", date(2023, 12, 31))]
    kept = (program.home / program.database.documents.get("UNA").source).rglob("*.md")
    assert sorted(path.name for path in kept) == ["una 2024.md", "una.md"]


def test_contents_that_are_loaded_under_another_name_are_refused_before_they_are_queued(program: App) -> None:
    program.loading.upload(REQUEST)
    work(program)
    seen = program.loading.preview(UploadRequest([("copia.md", ONE)]))
    assert seen.found == [("copia.md", "Tiene el mismo contenido que «una.md», que ya está cargado.")]
    assert seen.payload.files == ()


def test_a_preview_of_which_nothing_could_be_read_cannot_be_loaded(program: App) -> None:
    seen = program.loading.preview(UploadRequest([BAD]))
    with pytest.raises(InputError, match="Ninguno de los archivos"):
        program.loading.load(seen)
    program.loading.discard(seen)
    assert (staged(program), program.database.jobs.jobs()) == ([], [])


def test_a_preview_that_fails_leaves_nothing(program: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StorageError("La base de datos no está disponible.")

    monkeypatch.setattr(program.database.corpus, "norms_with_texts", fail)
    monkeypatch.setattr(program.database.corpus, "document", fail)
    with pytest.raises(StorageError):
        program.loading.preview(REQUEST)
    with pytest.raises(InputError, match="No existe la colección"):
        program.loading.preview(UploadRequest([("una.md", ONE)], "otra"))
    assert staged(program) == []


def test_a_preview_confirmed_twice_is_one_job_and_keeps_its_files(program: App) -> None:
    seen = program.loading.preview(REQUEST)
    assert program.loading.load(seen).id == program.loading.load(seen).id
    program.loading.discard(seen)
    assert staged(program) == [seen.key]
    work(program)
    assert len(program.database.jobs.jobs()) == 1
    assert program.database.jobs.job(seen.key).state is JobState.DONE


def test_a_discarded_preview_is_to_be_uploaded_again(program: App) -> None:
    seen = program.loading.preview(REQUEST)
    program.loading.discard(seen)
    assert staged(program) == []
    with pytest.raises(InputError, match="vuelva a subirlo"):
        program.loading.load(seen)
    assert program.database.jobs.jobs() == []


def test_the_next_preview_sweeps_away_those_that_were_abandoned_and_no_job_has(program: App) -> None:
    abandoned, confirmed = program.loading.preview(REQUEST), program.loading.preview(REQUEST)
    program.loading.load(confirmed)
    age(program.home)
    fresh = program.loading.preview(REQUEST)
    assert staged(program) == sorted([confirmed.key, fresh.key])
    with pytest.raises(InputError, match="vuelva a subirlo"):
        program.loading.load(abandoned)
    work(program)
    assert program.database.jobs.job(confirmed.key).state is JobState.DONE


def test_a_load_that_cannot_be_recorded_is_not_queued_and_may_be_confirmed_later(program: App) -> None:
    seen = program.loading.preview(REQUEST)

    def refuse(_: str) -> None:
        raise StorageError("La base de datos no está disponible.")

    with pytest.raises(StorageError):
        program.loading.load(seen, refuse)
    assert program.database.jobs.jobs() == []
    program.loading.load(seen)
    work(program)
    assert program.database.corpus.norm("UNA") is not None


# Whose it is


def member(program: App, name: str) -> Member:
    return Member(program, Identity(id=name, username=name, name=name, roles=(Role.ADMIN,), session="s"))


def test_ones_own_preview_is_loaded_and_recorded_as_ones_own(program: App) -> None:
    ana = member(program, "ana")
    job = ana.load(ana.preview(REQUEST).result())
    assert job.owner == "ana"
    (entry,) = program.audit.log.entries()
    assert (entry.actor, entry.action.value, entry.target) == ("ana", "loaded", job.id)
    assert entry.detail == {"collection": "normativa", "files": "1"}


@pytest.mark.parametrize("act", [Member.load, Member.discard_staged])
def test_nobody_loads_or_discards_the_preview_of_another(program: App, act: Callable[..., object]) -> None:
    seen = member(program, "ana").preview(REQUEST).result()
    with pytest.raises(Forbidden):
        act(member(program, "eva"), seen)
    assert program.database.jobs.jobs() == []
    assert staged(program) == [seen.key]
    (entry,) = program.audit.log.entries()
    assert (entry.actor, entry.action.value, entry.detail["permission"]) == ("eva", "refused", "load")


def test_a_preview_tells_each_file_and_leaves_nothing_when_it_is_cancelled(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = Event(), Event()
    read = program.intakes.new().already

    def slow(*told: str) -> str:
        begun.set()
        assert go_on.wait(30)
        return read(*told)

    monkeypatch.setattr(Intake, "already", lambda _, *told: slow(*told))
    reading = member(program, "ana").preview(UploadRequest([("una.md", ONE), BAD]))
    assert begun.wait(30)
    assert reading.progress == ("una.md", 0, 2)
    assert not reading.wait(0)
    reading.cancel()
    go_on.set()
    with pytest.raises(ReadingCancelled):
        reading.result()
    assert (staged(program), program.database.jobs.jobs()) == ([], [])


RULING = "TRIBUNAL SUPREMO\nSentencia núm. 77/2031\nMadrid, a 12 de marzo de 2031.\nFALLO\nSe estima{end}"


AGREEMENT = """CONVENIO COLECTIVO DE ALMAZARAS DE JAÉN
Código de convenio: 23000995011982. Vigencia: del 1 de enero de 2026 al 31 de diciembre de 2028.

Artículo 1. Ámbito.
Este convenio obliga a las almazaras de la provincia.

Artículo 2. Vacaciones.
Serán de {days} días naturales.
"""


def test_another_text_of_an_agreement_in_a_file_of_another_name_is_a_wording_of_it(program: App) -> None:
    program.loading.upload(UploadRequest([("almazaras.txt", AGREEMENT.format(days=33).encode())]))
    work(program)
    second = UploadRequest([("almazaras_v2.txt", AGREEMENT.format(days=35).encode())])
    seen = program.loading.preview(second)
    [(_, shown)] = seen.found
    assert (shown.asks_since, shown.norm.id) == (True, "almazaras")
    program.loading.load(seen, wordings={"almazaras": date(2027, 1, 1)})
    work(program)
    assert [norm.id for norm in program.database.corpus.norms()] == ["almazaras"]
    starts = [version.valid_from for version in program.database.corpus.block("almazaras", "a2").versions]
    assert starts == [date(2026, 1, 1), date(2027, 1, 1)]
