"""The pages, their permissions, and the menu of each person."""

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
        name: its file in pages/, and its address; the first page has the address /.
        people: True for a page that only several people sharing the program need.
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
    Place("matters", "Expedientes", ":material/folder_open:", Permission.ASK),
    Place("normativa", "Normativa", ":material/library_books:", Permission.READ),
    Place("calculations", "Calcular", ":material/calculate:", Permission.READ),
    Place("citations", "Comprobar citas", ":material/fact_check:", Permission.READ),
    Place("review", "Revisión", ":material/rate_review:", Permission.REVIEW),
    Place("evaluation", "Evaluación", ":material/analytics:", Permission.EVALUATE),
    Place("inspector", "Inspector", ":material/troubleshoot:", Permission.INSPECT),
    Place("users", "Cuentas", ":material/group:", Permission.ACCOUNTS, people=True),
    Place("audit", "Registro", ":material/receipt_long:", Permission.AUDIT, people=True),
    ACCOUNT,
)


def navigate() -> None:
    """Show the menu of the person at the browser, and draw the page that the address names.

    Pages outside the menu are known too: each refuses by itself, with a sentence.
    """
    who = identity()
    personal = bootstrap.app().accounts.mode == "personal"
    with drawing(who):
        st.navigation(_menu(who, personal), position="top").run()


def _menu(who: Identity | None, personal: bool) -> dict[str, list[st.Page]]:
    others = (place for place in PLACES if place is not ACCOUNT)
    menu = {"": [copy(_page(place, in_menu(place, who, personal))) for place in others]}
    # The person's name heads the section of the menu with their own page.
    section = label_text(who.name) if in_menu(ACCOUNT, who, personal) and who else ""
    menu.setdefault(section, []).append(copy(_page(ACCOUNT, bool(section))))
    return menu


def in_menu(place: Place, who: Identity | None, personal: bool) -> bool:
    """True if the menu of `who` has the page."""
    if who is None or who.must_change or (personal and place.people):
        return False
    return who.may(place.permission)


@cache
def _page(place: Place, shown: bool) -> st.Page:
    """Cached, because making a page looks up its file; running one marks it, so each drawing takes a copy."""
    return st.Page(
        place.file,
        title=place.title,
        icon=place.icon,
        default=place is PLACES[0],
        visibility="visible" if shown else "hidden",
    )
