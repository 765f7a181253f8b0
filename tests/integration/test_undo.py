"""A load that is undone: what it added goes, what it replaced comes back, unless it has changed since."""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from core.clock import today_in_spain
from core.errors import InputError
from domain.accounts import LOCAL
from law.changes import Fate
from law.events import LawEvent
from loading.ingestion.load_request import UploadRequest
from loading.records.jobs import Job, JobState
from service.members.member import Member
from service.program.assembly import App
from storage.corpus.reads import SqlCorpusStore
from storage.tables.alerts import LawEventRow
from tests.alerts import answered, cites
from tests.boe_server import BoeServer, write_norm
from tests.conftest import Maker
from tests.fakes import HashEmbedder
from tests.homes import work
from tests.pages.corpus import FIRST, NORM, SECOND, SOLE
from tests.texts import law

ONE = law("una", {"1": "Las vacaciones duran un mes.", "2": "El descanso es de dos días."})
OTHER = law("una", {"1": "Las vacaciones duran dos meses."}, title="Ley una bis")
TWO = law("dos", {"1": "El artículo 2 de la Ley una se aplica al personal del mar."})
SUMMARY = law("guia", {"1": "Guía de la Ley una."}, official="false", source_norm="UNA")


@pytest.fixture
def program(make_program: Maker) -> App:
    return make_program(embedder=HashEmbedder())


def loaded(program: App, *files: tuple[str, bytes]) -> Job:
    job = program.loading.upload(UploadRequest(files))
    work(program)
    return program.database.jobs.job(job.id)


def settle(program: App) -> None:
    work(program)
    while program.keeper.step():
        pass


def sources(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "sources").rglob("*.md"))


def test_what_a_load_added_goes_and_what_it_replaced_comes_back(program: App) -> None:
    loaded(program, ("una.md", ONE))
    before = (program.database.corpus_writer.norm_hash("UNA"), program.database.corpus.norm_chunks("UNA"))
    job = loaded(program, ("otra.md", OTHER), ("dos.md", TWO))
    assert sources(program.home) == ["dos.md", "otra.md", "una.md"]
    assert program.corrections.undo("local", job.id) == 2
    assert (
        program.database.corpus_writer.norm_hash("UNA"),
        program.database.corpus.norm_chunks("UNA"),
    ) == before
    assert program.database.corpus.norm("DOS") is None
    assert sources(program.home) == ["una.md"]
    assert program.database.jobs.job(job.id).state is JobState.UNDONE
    for again in (program.corrections.undo, lambda _owner, job_id: program.database.jobs.retry(job_id)):
        with pytest.raises(InputError, match=r"deshech[oa].*cargue de nuevo sus documentos"):
            again("local", job.id)
    settle(program)
    assert program.database.corpus.counts().pending_dense == 0
    assert program.doctor()["healthy"]


@pytest.mark.parametrize("told", [True, False])
def test_the_news_of_a_load_go_with_it_and_that_it_goes_is_none(program: App, told: bool) -> None:
    loaded(program, ("una.md", ONE))
    program.alerts.work()
    answered(program.database, "local", cites("1", "UNA", date(2020, 1, 1)))
    member = Member(program, LOCAL)
    member.watches.watch_law("UNA")
    first = worded(program, 9, ("otra.md", OTHER))
    ahead = coming(program)
    third = law("una", {"1": "Las vacaciones duran tres meses."})
    second = worded(program, 20, ("tres.md", third), ("dos.md", TWO))
    if told:
        program.alerts.work()
        assert member.news.news().items
    assert ahead and coming(program) != ahead
    program.corrections.undo("local", second.id)
    assert coming(program) == ahead
    program.corrections.undo("local", first.id)
    program.alerts.work()
    assert (member.news.news().items, program.database.engines.count(of=LawEventRow)) == ((), 0)


def worded(program: App, days: int, *files: tuple[str, bytes]) -> Job:
    """The job that loads them, the norm UNA with a wording that begins in so many days."""
    seen = program.loading.preview(UploadRequest(files))
    job = program.loading.load(seen, wordings={"UNA": today_in_spain() + timedelta(days=days)})
    work(program)
    return job


def coming(program: App) -> list[LawEvent]:
    """Events that are told on a later day."""
    query = select(LawEventRow).where(LawEventRow.day > today_in_spain()).order_by(LawEventRow.block_id)
    found = program.database.engines.scalars(query)
    return [row.as_value(LawEvent, fate=Fate(row.fate)) for row in found]


def test_the_corpus_is_read_as_often_for_many_documents_as_for_one(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., object]:
        method = getattr(SqlCorpusStore, name)

        def counting(*given: object) -> object:
            read[name] += 1
            return method(*given)

        return counting

    def undone(number: int) -> dict[str, int]:
        ids = [f"{kind}{i}" for kind in ("vieja", "nueva") for i in range(number)]
        text, changed = ({"1": f"Las vacaciones duran {days} días."} for days in ("diez", "doce"))
        loaded(program, *((f"{one}.md", law(one, text)) for one in ids[:number]))
        job = loaded(program, *((f"{one}-bis.md", law(one, changed)) for one in ids))
        settle(program)
        read.clear()
        assert program.corrections.undo("local", job.id) == 2 * number
        counts = dict(read)
        settle(program)
        return counts

    for name in ("all_chunks", "norms"):
        monkeypatch.setattr(SqlCorpusStore, name, counted(name))
    assert undone(1) == undone(3)


def test_loads_are_undone_one_after_the_other_the_last_first(program: App) -> None:
    first = loaded(program, ("una.md", ONE))
    second = loaded(program, ("otra.md", OTHER))
    with pytest.raises(InputError, match="ha cambiado «Ley una bis», por otra carga o a mano"):
        program.corrections.undo("local", first.id)
    program.corrections.undo("local", second.id)
    program.corrections.undo("local", first.id)
    assert program.database.corpus.norms() == []
    assert sources(program.home) == []


def test_a_load_whose_document_was_corrected_by_hand_stays(program: App) -> None:
    job = loaded(program, ("una.md", ONE), ("dos.md", TWO))
    program.corrections.edit("local", "UNA", {"alias": "LU"})
    with pytest.raises(InputError, match="ha cambiado «Ley una»"):
        program.corrections.undo("local", job.id)
    assert {norm.id for norm in program.database.corpus.norms()} == {"UNA", "DOS"}


def test_a_document_that_was_deleted_since_is_not_brought_back(program: App) -> None:
    loaded(program, ("una.md", ONE))
    job = loaded(program, ("otra.md", OTHER), ("dos.md", TWO))
    program.corrections.delete("local", "UNA")
    assert sources(program.home) == ["dos.md"]
    program.corrections.undo("local", job.id)
    assert program.database.corpus.norms() == []


def test_a_new_wording_is_taken_back(program: App) -> None:
    loaded(program, ("una.md", ONE))
    before = program.database.corpus_writer.norm_hash("UNA")
    seen = program.loading.preview(UploadRequest([("otra.md", OTHER)]))
    job = program.loading.load(seen, wordings={"UNA": date(2024, 1, 1)})
    work(program)
    program.corrections.undo("local", job.id)
    assert program.database.corpus_writer.norm_hash("UNA") == before


def test_a_summary_that_the_official_text_replaced_comes_back(program: App) -> None:
    loaded(program, ("guia.md", SUMMARY))
    assert [norm.id for norm in program.database.corpus.norms()] == ["GUIA"]
    job = loaded(program, ("una.md", ONE))
    assert [norm.id for norm in program.database.corpus.norms()] == ["UNA"]
    program.corrections.undo("local", job.id)
    assert [norm.id for norm in program.database.corpus.norms()] == ["GUIA"]


def test_a_load_from_the_boe_is_undone_and_the_next_update_brings_it_again(
    make_program: Maker, tmp_path: Path
) -> None:
    served = tmp_path / "served"
    write_norm(served, NORM, {"1": [SOLE], "2": [FIRST]})
    with BoeServer(served) as server:
        program = make_program(boe_api_url=server.url, boe_rate=20)
        added = program.loading.boe_add([NORM])
        work(program)
        before = (program.database.corpus_writer.norm_hash(NORM), program.database.corpus.norm_chunks(NORM))
        write_norm(served, NORM, {"1": [SOLE], "2": [FIRST, SECOND]}, updated="20200102T000000Z")
        for _ in range(2):
            updated = program.loading.boe_update([NORM])
            work(program)
            assert program.database.corpus_writer.norm_hash(NORM) != before[0]
            assert program.corrections.undo("local", updated.id) == 1
            assert (
                program.database.corpus_writer.norm_hash(NORM),
                program.database.corpus.norm_chunks(NORM),
            ) == before
        assert program.corrections.undo("local", added.id) == 1
    assert (program.database.corpus.norms(), list((program.home / "boe").glob("BOE*"))) == ([], [])


def test_a_load_off_the_list_keeps_nothing_to_undo(program: App) -> None:
    loaded(program, ("una.md", ONE))
    job = loaded(program, ("otra.md", OTHER))
    program.corrections.discard_job(job.id)
    assert (program.database.jobs.undoable() & {job.id}, sources(program.home)) == (set(), ["otra.md"])


def test_a_load_that_changed_nothing_or_has_not_ended_cannot_be_undone(program: App) -> None:
    loaded(program, ("una.md", ONE))
    same = loaded(program, ("una.md", ONE))
    with pytest.raises(InputError, match="nada que deshacer"):
        program.corrections.undo("local", same.id)
    waiting = program.loading.upload(UploadRequest([("dos.md", TWO)]))
    with pytest.raises(InputError, match="no ha terminado"):
        program.corrections.undo("local", waiting.id)
