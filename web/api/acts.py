"""The act of a route: the method of a member that its row names."""

import inspect
from operator import attrgetter
from typing import Annotated, Any

from fastapi import Depends

from articulado.clients.calls import Operation
from domain.accounts import Permission
from service.members.member import Member
from service.members.own import COSTLY, TELL
from web.api.person import member

Person = Annotated[Member, Depends(member)]


class Act:
    """The act of a row.

    Attributes:
        permission: that it needs.
        costly: True if it waits for a turn of the person's; `waits`, if it or a part of it does.
        parameters: what it takes from a request.
        document: type of what it gives.
    """

    def __init__(self, row: Operation) -> None:
        self._row = row
        self.parameters: list[inspect.Parameter] = []
        self.document: Any = None
        self.costly = False
        self.waits = row.reply == "file"
        if row.door:
            door = attrgetter(row.door)(Member)
            self.costly = hasattr(door, COSTLY)
            self.waits |= self.costly
            signature = inspect.signature(door, eval_str=True)
            _, *taken = signature.parameters.values()
            self.parameters = [one for one in taken if one.name != TELL]
            self.document = signature.return_annotation

    @property
    def permission(self) -> Permission:
        part, _, _ = self._row.door.partition(".")
        found: Permission = getattr(Member, part).permission
        return found

    def __call__(self, person: Member, given: dict[str, Any]) -> Any:
        return attrgetter(self._row.door)(person)(**given)
