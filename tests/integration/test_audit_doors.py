"""Every door leaves its entry, without the text; without an entry nothing is done."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from core.errors import ArticuladoError, Forbidden, InputError, NotFound, StorageError
from domain.accounts import Identity, Permission, Role
from domain.audit import AuditAction
from domain.reviews import QueueFilter, ReviewVerdict, Vote
from loading.ingestion.load_request import UploadRequest
from loading.jobs.job_loop import Worker
from loading.records.jobs import JobState
from rag.evaluation.cases import Case, Dataset, Relevant
from rag.evaluation.reviewed_cases import ReviewCase
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from service.members.member import Member
from service.oversight.audit import SAME_LOOK_SECONDS, Auditor, check
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.homes import work
from tests.hostile import TEXTS
from tests.pages.fakes import local_accounts
from tests.texts import law

SECRET = "¿Puede despedirse a Filomena Zurrutúa?"
ONE = ("una.md", law("una", {"1": "Las vacaciones duran un mes."}))


@pytest.fixture
def program(make_program: Maker) -> App:
    return make_program()


@pytest.fixture
def stocked(make_program: Maker) -> App:
    """With the invented corpus."""
    return make_program([DATA])


def person(program: App, *roles: Role, name: str = "ana", session: str = "s1") -> Member:
    return Member(program, Identity(id=name, username=name, name=name.title(), roles=roles, session=session))


def everybody(program: App, **changes: str) -> Member:
    return person(program, *Role, **changes)


def told(program: App) -> list[tuple[str, str, str]]:
    """Actor, action and target of what was recorded, the earliest first."""
    return [(e.actor, e.action.value, e.target) for e in reversed(program.audit.log.entries())]


def answered(program: App, member: Member, question: str = SECRET) -> tuple[str, int]:
    """A conversation and a complete answer of this person, recorded nowhere."""
    conversation = program.database.conversations.create(member.identity.id, question).id
    _, reply = program.database.conversations.ask(member.identity.id, conversation, question)
    program.database.conversations.finish(
        reply.id, MessageState.COMPLETE, "R", Answer(answer="R", confidence=0.9), None
    )
    return conversation, reply.id


class Broken:
    """A log on a full disk."""

    def append(self, *_args: object) -> None:
        raise StorageError("La base de datos no está disponible.")


def test_a_question_is_recorded_without_its_words(program):
    ana = person(program, Role.LAWYER)
    chat = ana.conversations.create(SECRET)
    run = ana.runs.start(chat.id, SECRET)
    assert run.done.wait(30)
    ana.conversations.rename(chat.id, "Otro título")
    ana.conversations.pin(chat.id, True)
    assert ana.conversations.search("filomena")
    ana.feedback.vote(run.message_id, Vote.DOWN, "Filomena no sale")
    ana.conversations.delete(chat.id)
    message = str(run.message_id)
    assert told(program) == [
        ("ana", "asked", chat.id),
        ("ana", "changed", chat.id),
        ("ana", "changed", chat.id),
        ("ana", "voted", message),
        ("ana", "deleted", chat.id),
    ]
    written = " ".join(entry.model_dump_json() for entry in program.audit.log.entries())
    assert "Filomena" not in written and "título" not in written


def test_a_reviewer_leaves_a_trail_once_a_look(program):
    _, answer = answered(program, person(program, Role.LAWYER))
    rev = person(program, Role.REVIEWER, name="rev")
    for _ in range(3):
        rev.reviews.queue(QueueFilter())
        rev.reviews.item(answer, 4)
        rev.reviews.answer_trace(answer)
    rev.reviews.judge(answer, ReviewVerdict.CORRECT)
    rev.reviews.save_case(answer, ReviewCase(id="c1", question="¿?"))
    rev.reviews.remove_case("c1")
    number = str(answer)
    assert told(program) == [
        ("rev", "read", "queue"),
        ("rev", "read", number),
        ("rev", "judged", number),
        ("rev", "changed", number),
        ("rev", "deleted", "c1"),
    ]
    person(program, Role.REVIEWER, name="rev", session="s2").reviews.item(answer, 4)
    assert told(program)[-1] == ("rev", "read", number)
    assert len(told(program)) == 6


def test_the_log_says_which_vote_verdict_and_case_it_was(program):
    one = everybody(program)
    chat, answer = answered(program, one)
    one.feedback.vote(answer, vote=Vote.DOWN, comment="no")
    one.reviews.judge(answer, verdict=ReviewVerdict.WRONG, notes="mal")
    one.reviews.withdraw(answer, 1)
    one.reviews.assign(answer, "ana")
    one.reviews.save_case(answer, case=ReviewCase(id="c1", question="¿?"))
    assert one.runs.start(chat, SECRET, agent=True).done.wait(30)
    assert one.runs.start(chat, SECRET, replaces=answer - 1).done.wait(30)
    one.conversations.choose(chat, answer - 1)
    assert [dict(entry.detail) for entry in reversed(program.audit.log.entries())] == [
        {"vote": "down"},
        {"verdict": "wrong"},
        {"verdict": "withdrawn"},
        {"person": "ana"},
        {"what": "case", "case": "c1"},
        {"agent": "yes"},
        {"replaces": str(answer - 1)},
        {"what": "version"},
    ]


def test_the_same_look_is_recorded_again_after_a_while(program):
    now = [1000.0]
    auditor = Auditor(program.database.audit, lambda: now[0])
    trail = auditor.by(Identity(id="rev", username="r", name="R", roles=()))
    for elapsed in (0.0, SAME_LOOK_SECONDS - 1, 2.0):
        now[0] += elapsed
        trail.once(AuditAction.READ, 7)
    assert len(told(program)) == 2


def test_an_entry_names_the_token_that_the_person_came_with(program):
    ana = Identity(id="ana", username="ana", name="Ana", roles=(Role.ADMIN,), token="t1")
    member = Member(program, ana)
    member.jobs.cancel(member.upload(UploadRequest([ONE])).id)
    entries = program.audit.log.entries()
    assert {entry.actor for entry in entries} == {"ana"}
    assert [entry.detail["token"] for entry in entries] == ["t1", "t1"]
    for token in ("t1", "t2", "t1"):
        program.audit.by(ana.model_copy(update={"token": token})).once(AuditAction.READ, 7)
    looks = [entry for entry in program.audit.log.entries() if entry.action is AuditAction.READ]
    assert [entry.detail["token"] for entry in looks] == ["t2", "t1"]


def test_loads_changes_and_deletions_of_the_corpus_are_recorded(program):
    admin = person(program, Role.ADMIN, name="admin")
    job = admin.upload(UploadRequest([ONE]))
    Worker(program.database.jobs, program.job_runner().run).run_next()
    (norm,) = program.database.jobs.job(job.id).outcomes[0].norm_ids
    admin.corrections.edit(norm, {"title": "Un título nuevo"})
    aids = admin.enrich(norm)
    admin.corrections.remove_aids(norm)
    admin.corrections.delete(norm)
    pasted = admin.upload(UploadRequest.of_text("Texto pegado de un convenio.", {"title": "Convenio"}))
    admin.jobs.cancel(pasted.id)
    admin.jobs.retry(pasted.id)
    admin.jobs.cancel(pasted.id)
    admin.corrections.discard_job(pasted.id)
    boe = admin.boe_update()
    added = admin.boe_add(["BOE-A-2001-1", "BOE-A-2001-2"])
    assert told(program) == [
        ("admin", "loaded", job.id),
        ("admin", "changed", norm),
        ("admin", "loaded", aids.id),
        ("admin", "changed", norm),
        ("admin", "deleted", norm),
        ("admin", "loaded", pasted.id),
        ("admin", "changed", pasted.id),
        ("admin", "loaded", pasted.id),
        ("admin", "changed", pasted.id),
        ("admin", "deleted", pasted.id),
        ("admin", "loaded", boe.id),
        ("admin", "loaded", added.id),
    ]
    entries = program.audit.log.entries()
    assert entries[-1].detail == {"collection": "normativa", "files": "1"}
    assert entries[-2].detail == {"fields": "title"}
    assert [one.detail for one in entries[:2]] == [
        {"source": "boe", "norms": "2"},
        {"source": "boe", "norms": "all"},
    ]
    assert entries[-3].detail == {"what": "aids", "norms": norm}


def test_searches_evaluations_and_exports_are_recorded(program):
    rev = person(program, Role.REVIEWER, name="rev")
    assert rev.services is program.services and rev.toolbox is rev.toolbox
    case = Case(id="1", question="¿Vacaciones?", category="x", relevant=(Relevant(norm="X", article="1"),))
    run = rev.evaluations.start(Dataset("mío", "h", (case,)))
    assert run.finished.wait(30)
    rev.evaluations.remove(run.id)
    rev.exported("answer", 7)
    assert [line[1:] for line in told(program)] == [
        ("searched", "inspector"),
        ("evaluated", "mío"),
        ("deleted", run.id),
        ("exported", "7"),
    ]


def test_what_fails_says_so_in_a_second_entry(program):
    ana = person(program, Role.LAWYER)
    with pytest.raises(NotFound):
        ana.conversations.delete("de otro")
    done, refused = reversed(program.audit.log.entries())
    assert (done.action, refused.action) == (AuditAction.DELETED, AuditAction.REFUSED)
    assert refused.detail == {"entry": "1", "why": "NotFound"}


def test_what_is_forbidden_is_recorded_but_cannot_flood_the_log(program):
    ana = person(program, Role.LAWYER)
    for _ in range(50):
        with pytest.raises(Forbidden):
            ana.upload(UploadRequest([ONE]))
        with pytest.raises(Forbidden):
            ana.reviews.cases()
    assert [entry.detail["permission"] for entry in program.audit.log.entries()] == [
        Permission.REVIEW,
        Permission.LOAD,
    ]


CHANGES: dict[str, Callable[[Member, str, int], object]] = {
    "ask": lambda m, chat, answer: m.runs.start(chat, SECRET),
    "rename": lambda m, chat, answer: m.conversations.rename(chat, "Otro"),
    "pin": lambda m, chat, answer: m.conversations.pin(chat, True),
    "archive": lambda m, chat, answer: m.conversations.archive(chat, True),
    "ask again": lambda m, chat, answer: m.runs.start(chat, SECRET, replaces=answer - 1),
    "choose a version": lambda m, chat, answer: m.conversations.choose(chat, answer - 1),
    "delete": lambda m, chat, answer: m.conversations.delete(chat),
    "vote": lambda m, chat, answer: m.feedback.vote(answer, Vote.UP),
    "look": lambda m, chat, answer: m.reviews.item(answer, 4),
    "queue": lambda m, chat, answer: m.reviews.queue(QueueFilter()),
    "trace": lambda m, chat, answer: m.reviews.answer_trace(answer),
    "judge": lambda m, chat, answer: m.reviews.judge(answer, ReviewVerdict.WRONG),
    "withdraw": lambda m, chat, answer: m.reviews.withdraw(answer, 1),
    "assign": lambda m, chat, answer: m.reviews.assign(answer, "ana"),
    "search": lambda m, chat, answer: m.services,
    "load": lambda m, chat, answer: m.upload(UploadRequest([ONE])),
    "undo": lambda m, chat, answer: m.corrections.undo("x"),
    "try": lambda m, chat, answer: m.jobs.try_question("x", "¿Qué?"),
    "boe": lambda m, chat, answer: m.boe_add(["BOE-A-2001-1"]),
    "remove": lambda m, chat, answer: m.corrections.delete("X-LTF"),
    "remove several": lambda m, chat, answer: m.corrections.delete_all(["X-LTF"]),
    "edit": lambda m, chat, answer: m.corrections.edit("X-LTF", {"title": "Otro"}),
    "export": lambda m, chat, answer: m.audit.csv(),
    "read the log": lambda m, chat, answer: m.audit.entries(),
}


def test_without_a_record_nothing_is_done(stocked):
    program = stocked
    ana = everybody(program)
    chat, answer = answered(program, ana)
    before = (_state(program, chat), sorted(path.name for path in (program.home / "uploads").rglob("*")))
    program.audit.log, sound = Broken(), program.audit.log
    for name, change in CHANGES.items():
        with pytest.raises((StorageError, AttributeError)):
            change(everybody(program), chat, answer)
            pytest.fail(name)
    program.audit.log = sound
    after = (_state(program, chat), sorted(path.name for path in (program.home / "uploads").rglob("*")))
    assert after == before


def _state(program: App, chat: str) -> object:
    messages = program.database.conversations.messages("ana", chat)
    votes = [program.database.feedback.feedback("ana", m.id) for m in messages if m.role == "assistant"]
    norms = [(norm.id, norm.title) for norm in program.database.corpus.norms()]
    title = program.database.conversations.conversations("ana")[0]
    verdicts = program.database.reviews.item("rev", messages[-1].id, 1).judgments
    return (title, messages, votes, norms, program.database.jobs.jobs(), verdicts)


def test_reading_the_log_is_in_the_log(program):
    admin = person(program, Role.ADMIN, name="admin")
    admin.audit.entries()
    admin.audit.entries()
    text, more = admin.audit.csv()
    assert told(program) == [("admin", "read", "audit"), ("admin", "exported", "audit")]
    assert text.decode("utf-8-sig").count("\n") == 3 and not more
    with pytest.raises(Forbidden):
        person(program, Role.LAWYER).audit.entries()


def test_a_spreadsheet_takes_no_cell_of_the_export_for_a_formula(program):
    program.audit.log.append("=HYPERLINK(1)", AuditAction.SIGN_IN_FAILED, "@x", {})
    text, _ = person(program, Role.ADMIN).audit.csv()
    assert ",'=HYPERLINK(1)," in text.decode() and ",'@x," in text.decode()


def test_no_formula_begins_either_where_a_spreadsheet_splits_at_another_sign(program):
    program.audit.log.append(
        "x;=HYPERLINK(1)", AuditAction.SIGN_IN_FAILED, "a\t+1", {"n": "BOE-A-2015-1 = 2"}
    )
    text, _ = person(program, Role.ADMIN).audit.csv()
    assert ",x;'=HYPERLINK(1)," in text.decode() and ",a\t'+1," in text.decode()
    assert "BOE-A-2015-1 = 2" in text.decode()


@pytest.mark.parametrize(
    ("head", "told_of"), [("2:", "NÚMERO"), ("x:y", "NÚMERO"), ("9" * 40 + ":a", "NÚMERO")]
)
def test_a_head_that_is_none_is_refused(program, head, told_of):
    with pytest.raises(InputError, match=told_of):
        check(program.audit.log, head)


def test_no_hostile_text_is_a_head_that_the_log_still_holds(program):
    program.audit.log.append("ana", AuditAction.READ)
    for text in filter(None, (*TEXTS, *(f"1:{text}" for text in TEXTS))):
        try:
            assert check(program.audit.log, text).problem
        except InputError as error:
            assert "NÚMERO" in str(error)


def test_a_noted_head_tells_whether_the_log_was_cut_short_or_made_anew(program):
    for number in range(3):
        program.audit.log.append("ana", AuditAction.READ, str(number))
    head = program.audit.log.verify().head
    assert check(program.audit.log, head).problem == ""
    assert "ya no está" in check(program.audit.log, "4:abc").problem
    assert "se rehízo" in check(program.audit.log, "3:abc").problem
    program.database.audit.cut(program.audit.log.entries()[0].at + timedelta(seconds=1))
    assert "se recortó" in check(program.audit.log, head).problem


def test_a_job_is_not_run_for_whom_may_not_load_any_more(program):
    accounts = local_accounts(program.database.engines, "rosa=admin", "eva=admin", "mia=admin")
    program.accounts = accounts
    rosa, eva = accounts.named(None, "rosa"), accounts.named(None, "eva")
    jobs = [
        program.loading.upload(UploadRequest([ONE]), owner) for owner in (rosa.id, eva.id, "nobody", "local")
    ]
    accounts.change(None, rosa.id, roles=[Role.LAWYER])
    work(program)
    states = [program.database.jobs.job(job.id) for job in jobs]
    assert [job.state for job in states] == [JobState.FAILED, JobState.DONE, JobState.FAILED, JobState.DONE]
    assert "ya no puede cargar" in states[0].message
    accounts.change(None, eva.id, active=False)
    assert not program.accounts.may(eva.id, Permission.LOAD)


def test_an_account_that_is_removed_takes_its_conversations_along(make_program):
    program = make_program(auth_mode="local")
    program.accounts.add(None, "rosa", "Rosa", [Role.ADMIN])
    ana, _ = program.accounts.add(None, "ana", "Ana", [Role.LAWYER])
    chat = program.database.conversations.create(ana.id, SECRET)
    program.accounts.remove(None, ana.id)
    assert program.database.conversations.conversations(ana.id) == []
    assert ("local", "erased", ana.id) in told(program)
    with pytest.raises(ArticuladoError):
        program.database.conversations.messages(ana.id, chat.id)
