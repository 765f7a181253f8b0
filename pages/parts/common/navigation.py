"""Which pages there are, who may open each, and the menu that a person sees."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cache

import streamlit as st

import bootstrap
from domain.accounts import Identity, Permission
from pages.parts.common.render import label_text
from pages.parts.common.session import drawing, identity


@dataclass(frozen=True)
class Place:
    """A page.

    Attributes:
        name: its file in pages/, and its address; that of the first one is /.
        people: only of use when several people share the program.
    """

    name: str
    title: str
    icon: str
    permission: Permission
    people: bool = False

    @property
    def file(self) -> str:
        return f"pages/{self.name}.py"


ACCOUNT = Place("account", "Mi cuenta", ":material/account_circle:", Permission.ASK, people=True)
PLACES = (
    Place("chat", "Consultas", ":material/forum:", Permission.ASK),
    Place("normativa", "Normativa", ":material/library_books:", Permission.READ),
    Place("review", "Revisión", ":material/rate_review:", Permission.REVIEW),
    Place("evaluation", "Evaluación", ":material/analytics:", Permission.EVALUATE),
    Place("inspector", "Inspector", ":material/troubleshoot:", Permission.INSPECT),
    Place("users", "Cuentas", ":material/group:", Permission.ACCOUNTS, people=True),
    Place("audit", "Registro", ":material/receipt_long:", Permission.AUDIT, people=True),
    ACCOUNT,
)


def navigate() -> None:
    """Show the menu of whoever is there and draw the page that the address names.

    Pages that are not in the menu are still known: each refuses by itself, in words.
    """
    who = identity()
    personal = bootstrap.app().accounts.mode == "personal"
    with drawing(who):
        st.navigation(_menu(who, personal), position="top").run()


def _menu(who: Identity | None, personal: bool) -> dict[str, list[st.Page]]:
    others = (place for place in PLACES if place is not ACCOUNT)
    menu = {"": [copy(_page(place, in_menu(place, who, personal))) for place in others]}
    # The name of the person stands in the menu as what holds their own page.
    section = label_text(who.name) if in_menu(ACCOUNT, who, personal) and who else ""
    menu.setdefault(section, []).append(copy(_page(ACCOUNT, bool(section))))
    return menu


def in_menu(place: Place, who: Identity | None, personal: bool) -> bool:
    if who is None or who.must_change or (personal and place.people):
        return False
    return who.may(place.permission)


@cache
def _page(place: Place, shown: bool) -> st.Page:
    """Kept: making one looks its file up on disk. What runs it marks it, so each drawing gets a copy."""
    return st.Page(
        place.file,
        title=place.title,
        icon=place.icon,
        default=place is PLACES[0],
        visibility="visible" if shown else "hidden",
    )
