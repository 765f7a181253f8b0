"""The templates of briefs by group, the files that cannot be used, and the firm's templates of opinions."""

from itertools import groupby

import streamlit as st

from casework.templates.template_types import Template
from domain.accounts import Permission
from pages.parts.common.case_facts import choose_matter
from pages.parts.common.html import note, problem, show, titled
from pages.parts.common.layout import MATTERS, back, go, heading, link, section
from pages.parts.common.listing import row
from pages.parts.common.widgets import button, segments
from pages.parts.templates.drafts import show_kept
from pages.parts.templates.letterheads import show_letterheads
from service.members.member import Member

UNDER = (
    "Borradores de escritos laborales con su plazo, los datos que necesitan y los preceptos en que se "
    "apoyan, comprobados hoy con la normativa cargada. Solo se guardan los de un expediente."
)
NO_MATTER, MATTER = "Ninguno: lo que escriba no se guarda", "templates-matter"
BRIEFS, OPINIONS = "briefs", "opinions"
KINDS = {BRIEFS: "Escritos", OPINIONS: "Plantillas de dictamen"}
WRONG = "Estos archivos de modelos no se pueden usar:"


def show_list(app: Member, matter_id: str = "") -> None:
    """All of them; for an expediente they start with what its documents say."""
    if matter_id:
        matter = app.matters.matter(matter_id)
        link("Volver al expediente", icon=":material/arrow_back:", page=MATTERS, e=matter.id)
        heading("Modelos de escrito", f"Para el expediente «{matter.name}», donde se guardan los borradores")
        show_kept(app, matter.id)
    else:
        heading("Modelos de escrito", UNDER)
        if app.may(Permission.ACCOUNTS) and segments(None, "Modelos", KINDS, "templates-of") == OPINIONS:
            show_letterheads(app)
            return
        if chosen := choose_matter(app, "Para el expediente", NO_MATTER, MATTER, keep=False):
            go(e=chosen)
            st.rerun()
    if wrong := app.templates.problems():
        show(problem(WRONG, *wrong))
    known = app.templates.templates().known.values()
    with st.container(key="templates", gap="small"):
        for group, members in groupby(known, key=lambda one: one.group):
            section(group)
            for one in members:
                _row(one, matter_id)


def _row(one: Template, matter_id: str) -> None:
    with row(f"template-{one.name}", titled(one.title), note(one.when)):
        button("Usar", f"use-{one.name}", "draft", _open, one.name, matter_id, type="tertiary")


def _open(name: str, matter_id: str) -> None:
    go(m=name, **({"e": matter_id} if matter_id else {}))


def back_to_list(matter_id: str) -> None:
    """The button that leads to the list."""
    back("Todos los modelos", "all-templates", **({"e": matter_id} if matter_id else {}))
