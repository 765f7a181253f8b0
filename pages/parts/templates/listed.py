"""The templates of briefs by group, the files that cannot be used, and the firm's templates of opinions."""

from itertools import groupby

import streamlit as st

from casework.templates.template_types import Template
from domain.accounts import Permission
from pages.parts.common.html import note, problem, show, titled
from pages.parts.common.layout import back, go, heading, section
from pages.parts.common.widgets import button, choose, segments
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


def show_list(app: Member, matter_id: str) -> None:
    """All of them; for an expediente they start with what its documents say."""
    if matter_id:
        matter = app.matters.matter(matter_id)
        st.page_link(
            "pages/matters.py",
            label="Volver al expediente",
            icon=":material/arrow_back:",
            query_params={"e": matter.id},
        )
        heading("Modelos de escrito", f"Para el expediente «{matter.name}», donde se guardan los borradores")
        show_kept(app, matter.id)
    else:
        heading("Modelos de escrito", UNDER)
        if app.may(Permission.ACCOUNTS) and segments(None, "Modelos", KINDS, "templates-of") == OPINIONS:
            show_letterheads(app)
            return
        _choose_matter(app)
    if wrong := app.templates.problems():
        show(problem(WRONG, *wrong))
    known = app.templates.templates().known.values()
    with st.container(key="templates", gap="small"):
        for group, members in groupby(known, key=lambda one: one.group):
            section(group)
            for one in members:
                _row(one, matter_id)


def _choose_matter(app: Member) -> None:
    names = {"": NO_MATTER, **{one.id: one.name for one in app.matters.matters()}}
    if len(names) > 1 and (chosen := choose(None, "Para el expediente", names, MATTER, keep=False)):
        go(e=chosen)
        st.rerun()


def _row(one: Template, matter_id: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"template-{one.name}"):
        with st.container(gap=None):
            show(titled(one.title), note(one.when))
        button("Usar", f"use-{one.name}", "draft", _open, one.name, matter_id, type="tertiary")


def _open(name: str, matter_id: str) -> None:
    go(m=name, **({"e": matter_id} if matter_id else {}))


def back_to_list(matter_id: str) -> None:
    """The button that leads to the list."""
    back("Todos los modelos", "all-templates", **({"e": matter_id} if matter_id else {}))
