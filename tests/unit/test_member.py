"""Who may come in by a door of a member, and as whom; what it does is in the tests of whole programs.

Doors that change something are forged in `tests/pages/test_roles.py` too, over a whole program.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import Forbidden, InputError
from domain.accounts import Identity, Permission, Role
from service.accounts.sign_in import ENDED
from service.members.member import EARLIER, FORBIDDEN, MUST_CHANGE, Member, SessionEnded

ALL = Identity(id="a1", username="ana", name="Ana", roles=tuple(Role))
LOAD, READ, ASK, INSPECT = Permission.LOAD, Permission.READ, Permission.ASK, Permission.INSPECT
REQUEST = SimpleNamespace(collection="leyes", files=["x", "y"])
STAGED = SimpleNamespace(owner="a1", payload=REQUEST)
OF_ANOTHER = SimpleNamespace(owner="a2", payload=REQUEST)


class Refusals(list[str]):
    """Permissions for want of which something was refused, as the log is told of them."""

    def __call__(self, permission: str) -> None:
        self.append(permission)


class Program:
    """Stands for all of a program: notes what is refused, and each use of anything else."""

    def __init__(self) -> None:
        self.refused = Refusals()
        self.used: list[tuple[Any, ...]] = []
        self.audit = SimpleNamespace(by=lambda identity, door: self)

    def __getattr__(self, _: str) -> Any:
        return self

    def __call__(self, *given: Any, **_: Any) -> Any:
        self.used.append(given)
        return self


def member(now: Any = ALL) -> tuple[Member, Program]:
    program = Program()
    return Member(program, ALL, lambda: now), program  # type: ignore[arg-type]


class Without:
    """An identity that may all but one thing."""

    def __init__(self, identity: Identity, permission: Permission) -> None:
        self.id, self.must_change, self._not = identity.id, False, permission

    def may(self, permission: Permission) -> bool:
        return permission is not self._not


Door = Callable[[Member], Any]
DOORS: list[tuple[Permission, Door]] = [
    (LOAD, lambda m: m.jobs.reindex(print)),
    (LOAD, lambda m: m.upload(REQUEST)),
    (LOAD, lambda m: m.preview(REQUEST)),
    (LOAD, lambda m: m.load(STAGED)),
    (LOAD, lambda m: m.discard_staged(STAGED)),
    (LOAD, lambda m: m.boe_add(["n"])),
    (LOAD, lambda m: m.boe_update()),
    (LOAD, lambda m: m.aids_status("n")),
    (LOAD, lambda m: m.enrich("n")),
    (LOAD, lambda m: m.corrections.remove_aids("n")),
    (LOAD, lambda m: m.stale_ties("d")),
    (ASK, lambda m: m.exported("csv")),
    (ASK, lambda m: m.leaving("q", None)),
    (READ, lambda m: m.catalogue()),
    (READ, lambda m: m.names()),
    (READ, lambda m: m.corpus),
    (READ, lambda m: m.documents),
    (READ, lambda m: m.background),
    (INSPECT, lambda m: m.services),
    (INSPECT, lambda m: m.toolbox),
    *((one, lambda m, one=one: m.require(one)) for one in Permission),
]


@pytest.mark.parametrize(("permission", "door"), DOORS)
def test_no_door_opens_without_its_permission(permission: Permission, door: Door) -> None:
    made, program = member(Without(ALL, permission))
    with pytest.raises(Forbidden) as refused:
        door(made)
    assert str(refused.value) == FORBIDDEN
    assert (program.refused, program.used) == ([permission.value], [])


@pytest.mark.parametrize(
    ("now", "error", "told"),
    [
        (None, SessionEnded, ENDED),
        (ALL.model_copy(update={"id": "a2"}), SessionEnded, ENDED),
        (ALL.model_copy(update={"must_change": True}), Forbidden, MUST_CHANGE),
    ],
)
def test_who_is_there_by_now_counts_and_not_who_came_in(now: Any, error: type[Forbidden], told: str) -> None:
    made, program = member(now)
    assert made.may(LOAD)
    with pytest.raises(error) as refused:
        made.require(READ)
    assert (str(refused.value), program.used) == (told, [])


def test_without_a_session_to_ask_the_person_stays_the_same() -> None:
    made = Member(Program(), ALL)  # type: ignore[arg-type]
    made.require(LOAD)
    assert made.identity == ALL


@pytest.mark.parametrize("door", [Member.load, Member.discard_staged])
def test_the_preview_of_another_person_is_refused_and_told(door: Callable[..., Any]) -> None:
    made, program = member()
    with pytest.raises(Forbidden, match=FORBIDDEN):
        door(made, OF_ANOTHER)
    assert (program.refused, program.used) == (["load"], [])


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_is_not_tried(question: str) -> None:
    made, program = member()
    with pytest.raises(InputError, match=r"^Escriba una pregunta\.$"):
        made.jobs.try_question("j", question)
    assert program.used == []


def test_what_would_leave_is_read_with_the_messages_before_it() -> None:
    made, program = member()
    made.conversations = SimpleNamespace(  # type: ignore[assignment]
        messages=lambda chat, most: [SimpleNamespace(text=f"{chat} {most}")]
    )
    made.leaving("q", "c1")
    assert program.used == [("q", [f"c1 {EARLIER}"])]
