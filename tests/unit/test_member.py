"""Each door of a member: the permission it asks for, what the program does, and what the log is told."""

from operator import attrgetter
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest

from core.errors import Forbidden, InputError
from domain.accounts import Identity, Permission, Role
from domain.audit import AuditAction
from loading.ingestion.intake import NO_WORDINGS
from loading.ingestion.load_request import NO_DETAILS
from service.accounts.sign_in import ENDED
from service.members.member import EARLIER, FORBIDDEN, MUST_CHANGE, Member, SessionEnded

ALL = Identity(id="a1", username="ana", name="Ana", roles=tuple(Role))
LOAD, READ, ASK, INSPECT = Permission.LOAD, Permission.READ, Permission.ASK, Permission.INSPECT


class Heard:
    """Stands for anything: notes what it is called with, and is known by how one comes to it."""

    def __init__(self, notes: list[Any], name: str) -> None:
        self._notes, self._name = notes, name

    def __getattr__(self, key: str) -> Any:
        return Heard(self._notes, f"{self._name}.{key}")

    def __call__(self, *given: Any, **named: Any) -> Any:
        self._notes.append(
            (
                self._name,
                *(["told"] if any(self._tells(one) for one in given) else []),
                *self._plain(given),
                named,
            )
        )
        return Heard(self._notes, f"{self._name}()")

    def _tells(self, one: Any) -> bool:
        """True of what records a load under its job, which is tried at once."""
        if isinstance(one, FunctionType):
            one("job")
        return isinstance(one, FunctionType)

    def _plain(self, given: tuple[Any, ...]) -> list[Any]:
        return [one for one in given if not isinstance(one, FunctionType)]

    def __enter__(self) -> None:
        self._notes.append("doing")

    def __exit__(self, *error: object) -> None:
        self._notes.append("done")

    def __iter__(self) -> Any:
        return iter([SimpleNamespace(text="antes")])

    def __str__(self) -> str:
        return self._name


def member(identity: Identity = ALL, now: Any = ALL, door: str = "") -> tuple[Member, list[Any]]:
    notes: list[Any] = []
    made = Member(Heard(notes, "app"), identity, lambda: now, door)  # type: ignore[arg-type]
    assert notes == [("app.audit.by", identity, door, {})]
    notes.clear()
    return made, notes


REQUEST = SimpleNamespace(collection="leyes", files=["x", "y"])
STAGED = SimpleNamespace(owner="a1", payload=REQUEST)
CHANGED, LOADED, DELETED = AuditAction.CHANGED, AuditAction.LOADED, AuditAction.DELETED
TRAIL = "app.audit.by()"


def done(action: AuditAction, *target: str, by: tuple[Any, ...], **detail: Any) -> list[Any]:
    """The notes of an act that stands in the log from before it is done."""
    return [(f"{TRAIL}.doing", action, *target, detail), "doing", by, "done"]


def queued(by: tuple[Any, ...], **detail: Any) -> list[Any]:
    """The notes of a load that is recorded under its job."""
    return [(f"{TRAIL}.record", LOADED, "job", detail), by]


DOORS: list[tuple[str, tuple[Any, ...], Permission, list[Any]]] = [
    (
        "jobs.reindex",
        ("tell",),
        LOAD,
        done(CHANGED, by=("app.keeper.reindex", {"on_progress": "tell"}), what="index"),
    ),
    ("jobs.jobs", (), LOAD, [("app.database.jobs.jobs", {})]),
    ("jobs.jobs", (7,), LOAD, [("app.database.jobs.jobs", 7, {})]),
    (
        "jobs.cancel",
        ("j",),
        LOAD,
        done(CHANGED, "j", by=("app.database.jobs.cancel", "j", {}), what="cancelled"),
    ),
    ("jobs.retry", ("j",), LOAD, done(LOADED, "j", by=("app.database.jobs.retry", "j", {}), what="retried")),
    ("jobs.undoable", (), LOAD, [("app.database.jobs.undoable", {})]),
    ("jobs.changes", ("j",), LOAD, [("app.database.jobs.changes", "j", {})]),
    (
        "corrections.undo",
        ("j",),
        LOAD,
        done(CHANGED, "j", by=("app.corrections.undo", "a1", "j", {}), what="undone"),
    ),
    (
        "corrections.discard_job",
        ("j",),
        LOAD,
        done(DELETED, "j", by=("app.corrections.discard_job", "j", {}), what="job"),
    ),
    (
        "upload",
        (REQUEST,),
        LOAD,
        queued(("app.loading.upload", "told", REQUEST, "a1", {}), collection="leyes", files=2),
    ),
    (
        "load",
        (STAGED,),
        LOAD,
        queued(
            ("app.loading.load", "told", STAGED, NO_WORDINGS, NO_DETAILS, {"enrich": True}),
            collection="leyes",
            files=2,
        ),
    ),
    (
        "load",
        (STAGED, "wordings", "details"),
        LOAD,
        queued(
            ("app.loading.load", "told", STAGED, "wordings", "details", {"enrich": True}),
            collection="leyes",
            files=2,
        ),
    ),
    ("discard_staged", (STAGED,), LOAD, [("app.loading.discard", STAGED, {})]),
    (
        "boe_add",
        (["n", "m"],),
        LOAD,
        queued(("app.loading.boe_add", "told", ["n", "m"], "a1", {}), source="boe", norms=2),
    ),
    (
        "boe_update",
        (["n"],),
        LOAD,
        queued(("app.loading.boe_update", "told", ["n"], "a1", {}), source="boe", norms=1),
    ),
    (
        "boe_update",
        (),
        LOAD,
        queued(("app.loading.boe_update", "told", (), "a1", {}), source="boe", norms="all"),
    ),
    ("aids_status", ("n",), LOAD, [("app.aids.status", "n", {})]),
    ("enrich", ("n",), LOAD, queued(("app.loading.enrich", "told", ["n"], "a1", {}), what="aids", norms="n")),
    (
        "corrections.remove_aids",
        ("n",),
        LOAD,
        done(CHANGED, "n", by=("app.corrections.remove_aids", "a1", "n", {}), what="aids"),
    ),
    (
        "corrections.delete",
        ("n",),
        LOAD,
        done(DELETED, "n", by=("app.corrections.delete", "a1", "n", {}), what="norm"),
    ),
    (
        "corrections.delete_all",
        (("n", "o"),),
        LOAD,
        [
            (f"{TRAIL}.doing", DELETED, "n", {"what": "norm"}),
            "doing",
            *done(DELETED, "o", by=("app.corrections.delete_all", "a1", ("n", "o"), {}), what="norm"),
            "done",
        ],
    ),
    (
        "corrections.edit",
        ("n", {"b": "1", "a": "2"}),
        LOAD,
        done(CHANGED, "n", by=("app.corrections.edit", "a1", "n", {"b": "1", "a": "2"}, {}), fields="a, b"),
    ),
    ("exported", ("csv",), ASK, [(f"{TRAIL}.once", AuditAction.EXPORTED, "", {"what": "csv"})]),
    ("exported", ("csv", 3), ASK, [(f"{TRAIL}.once", AuditAction.EXPORTED, 3, {"what": "csv"})]),
    ("leaving", ("q", None), ASK, [("app.leaving", "q", [], {})]),
    ("catalogue", (), READ, [("app.holdings.catalogue", {})]),
    ("stale_ties", ("d",), LOAD, [("app.holdings.stale_ties", "d", {})]),
    ("names", (), READ, [("app.accounts.names", {})]),
]
PROPERTIES = [
    ("corpus", READ, "app.database.corpus"),
    ("documents", READ, "app.database.documents"),
    ("background", READ, "app.background.status"),
    ("services", INSPECT, "app.services"),
    ("toolbox", INSPECT, "app.toolbox"),
]


@pytest.mark.parametrize(("door", "given", "permission", "notes"), DOORS)
def test_each_door_has_one_thing_done_and_told(
    door: str, given: tuple[Any, ...], permission: Permission, notes: list[Any]
) -> None:
    made, heard = member()
    result = attrgetter(door)(made)(*given)
    assert heard == notes
    acts = [one[0] for one in notes if isinstance(one, tuple) and not one[0].startswith(TRAIL)]
    assert result is None or str(result) == f"{acts[-1]}()"
    returns_nothing = {"discard_staged", "exported"}
    assert (result is None) is (door in returns_nothing)


@pytest.mark.parametrize(
    ("door", "given", "permission"),
    [*((door, given, permission) for door, given, permission, _ in DOORS)]
    + [("preview", (REQUEST,), LOAD), ("jobs.try_question", ("j", "q"), LOAD)]
    + [("require", (permission,), permission) for permission in Permission],
)
def test_no_door_opens_without_its_permission(
    door: str, given: tuple[Any, ...], permission: Permission
) -> None:
    made, heard = member(now=Without(ALL, permission))
    with pytest.raises(Forbidden) as refused:
        attrgetter(door)(made)(*given)
    assert str(refused.value) == FORBIDDEN
    assert heard == [(f"{TRAIL}.refused", permission.value, {})]


class Without:
    """An identity that may all but one thing."""

    def __init__(self, identity: Identity, permission: Permission) -> None:
        self.id, self.must_change, self._not = identity.id, False, permission

    def may(self, permission: Permission) -> bool:
        return permission is not self._not


@pytest.mark.parametrize(("name", "permission", "what"), PROPERTIES)
def test_what_a_member_reads_asks_for_its_permission(name: str, permission: Permission, what: str) -> None:
    made, heard = member()
    assert str(getattr(made, name)) == what
    looked = [(f"{TRAIL}.once", AuditAction.SEARCHED, "inspector", {})]
    assert heard == (looked if permission is INSPECT else [])
    made, _ = member(now=Without(ALL, permission))
    with pytest.raises(Forbidden):
        getattr(made, name)


@pytest.mark.parametrize(
    ("now", "error", "told"),
    [
        (None, SessionEnded, ENDED),
        (ALL.model_copy(update={"id": "a2"}), SessionEnded, ENDED),
        (ALL.model_copy(update={"must_change": True}), Forbidden, MUST_CHANGE),
    ],
)
def test_who_is_there_by_now_counts_and_not_who_came_in(now: Any, error: type[Forbidden], told: str) -> None:
    made, heard = member(now=now)
    assert made.may(LOAD)
    with pytest.raises(error) as refused:
        made.require(READ)
    assert (str(refused.value), heard) == (told, [])


def test_without_a_session_to_ask_the_person_stays_the_same() -> None:
    made = Member(Heard([], "app"), ALL)  # type: ignore[arg-type]
    made.require(LOAD)
    assert made.identity == ALL


@pytest.mark.parametrize("door", ["load", "discard_staged"])
def test_the_preview_of_another_person_is_refused_and_told(door: str) -> None:
    made, heard = member()
    with pytest.raises(Forbidden, match=FORBIDDEN):
        attrgetter(door)(made)(SimpleNamespace(owner="a2", payload=REQUEST))
    assert heard == [(f"{TRAIL}.refused", "load", {})]


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_is_not_tried(question: str) -> None:
    made, heard = member()
    with pytest.raises(InputError, match=r"^Escriba una pregunta\.$"):
        made.jobs.try_question("j", question)
    assert heard == []


def test_what_would_leave_is_read_with_the_messages_before_it() -> None:
    made, heard = member()
    made.conversations = SimpleNamespace(  # type: ignore[assignment]
        messages=lambda chat, most: [SimpleNamespace(text=f"{chat} {most}")]
    )
    made.leaving("q", "c1")
    assert heard == [("app.leaving", "q", [f"c1 {EARLIER}"], {})]


OWN = [
    "conversations",
    "runs",
    "asking",
    "law",
    "matters",
    "papers",
    "watches",
    "news",
    "document_tables",
    "calculations",
    "opinions",
    "letterheads",
    "templates",
    "feedback",
    "reviews",
    "evaluations",
    "account",
    "preferences",
    "accounts",
    "jobs",
    "corrections",
]


@pytest.mark.parametrize("name", OWN)
def test_what_is_ones_own_asks_the_same_session(name: str) -> None:
    made, _ = member()
    held = list(vars(getattr(made, name)).values())
    assert ALL in held
    assert made._allow in held
    assert TRAIL in map(str, held)
