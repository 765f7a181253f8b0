"""The pages, their permissions, and the menu of each person."""

from collections import Counter
from copy import copy
from dataclasses import dataclass
from functools import cache

import streamlit as st

from domain.accounts import Identity, Permission
from pages.parts.common.ended import show_ended
from pages.parts.common.render import label_text
from pages.parts.common.session import drawing, identity
from service.members.member import Member
from service.program import assembly


@dataclass(frozen=True)
class Place:
    """A page.

    Attributes:
        name: its file in pages/, and its address; the first page has the address /.
        people: True for a page that only several people sharing the program need.
        section: of the menu; pages with '' stand in the bar itself, which has room for five and the sections,
            as does the only page of a section.
    """

    name: str
    title: str
    icon: str
    permission: Permission
    people: bool = False
    section: str = ""

    @property
    def file(self) -> str:
        return f"pages/{self.name}.py"


TOOLS, SUPERVISION, ADMINISTRATION = "Herramientas", "Supervisión", "Administración"
OWN = "Propias"
"""Section of the pages about the person, whose name heads it."""
ACCOUNT = Place("account", "Mi cuenta", ":material/account_circle:", Permission.ASK, people=True, section=OWN)
PLACES = (
    Place("chat", "Consultas", ":material/forum:", Permission.ASK),
    Place("matters", "Expedientes", ":material/folder_open:", Permission.ASK),
    Place("news", "Novedades", ":material/notifications:", Permission.ASK),
    Place("normativa", "Normativa", ":material/library_books:", Permission.READ),
    Place("calculations", "Calcular", ":material/calculate:", Permission.READ, section=TOOLS),
    Place("citations", "Comprobar citas", ":material/fact_check:", Permission.READ, section=TOOLS),
    Place("templates", "Modelos de escrito", ":material/draft:", Permission.ASK, section=TOOLS),
    Place("review", "Revisión", ":material/rate_review:", Permission.REVIEW, section=SUPERVISION),
    Place("evaluation", "Evaluación", ":material/analytics:", Permission.EVALUATE, section=SUPERVISION),
    Place("inspector", "Inspector", ":material/troubleshoot:", Permission.INSPECT, section=SUPERVISION),
    Place("users", "Cuentas", ":material/group:", Permission.ACCOUNTS, people=True, section=ADMINISTRATION),
    Place("audit", "Registro", ":material/receipt_long:", Permission.AUDIT, section=ADMINISTRATION),
    Place("usage", "Consumo", ":material/monitoring:", Permission.AUDIT, section=ADMINISTRATION),
    Place("settings", "Ajustes", ":material/tune:", Permission.ASK, section=OWN),
    ACCOUNT,
)


def navigate() -> None:
    """Show the menu of the person at the browser, and draw the page that the address names.

    Pages outside the menu are known too: each refuses by itself, with a sentence.
    """
    who = identity()
    personal = assembly.app().accounts.mode == "personal"
    with drawing(who):
        page = st.navigation(_menu(who, personal), position="top")
        if who is not None and not who.must_change:
            show_ended(Member(assembly.app(), who, identity))
        page.run()


def _menu(who: Identity | None, personal: bool) -> dict[str, list[st.Page]]:
    shown = {place: in_menu(place, who, personal) for place in PLACES}
    pages = Counter(place.section for place in PLACES if shown[place])
    menu: dict[str, list[st.Page]] = {"": []}
    for place in PLACES:
        section = place.section if shown[place] and pages[place.section] > 1 else ""
        heading = label_text(who.name) if section == OWN and who else section
        menu.setdefault(heading, []).append(copy(_page(place, shown[place])))
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
