"""Drafts of writs: those kept in an expediente, the one on view, and the writ that goes on from it."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple

import streamlit as st

from casework.templates.template_types import Template
from core.errors import NotFound
from domain.matters import KeptDraft
from pages.parts.common.html import note, show, titled, warning
from pages.parts.common.layout import go, section, tell
from pages.parts.common.listing import row
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button
from pages.parts.common.words import ago, owner_name
from service.members.member import Member
from storage.casework.drafts import NO_DRAFT

SHOWN, BEGUN = "template-values", "template-begun"
"""Values of the drafts on view, and of forms that another writ began, where no expediente keeps them."""
OPENED, APART = "template-opened", "template-apart"
"""Kept drafts as this tab opened them, and the sentence on one that was kept beside another's."""
KEPT = "Borrador guardado en el expediente."
CHANGED = (
    "El borrador que usted tenía abierto cambió mientras tanto (lo guardó {name} {when}): lo suyo se ha "
    "guardado en este otro y el de entonces sigue como está."
)
OWN = "usted en otra ventana"
REMOVED = "Alguien quitó el borrador que usted tenía abierto: lo suyo se ha guardado en este otro."


class Start(NamedTuple):
    """Values that a form begins with, and the kept draft that they are of; `ready`: it is to be shown."""

    told: Mapping[str, str]
    draft_id: str = ""
    ready: bool = False


def start_of(app: Member, template: Template, matter_id: str, draft_id: str) -> Start:
    """The values of the draft named, or of the writ that this one goes on from. Raises NotFound."""
    if draft_id:
        draft = _opened(app, matter_id, draft_id)
        if draft.matter_id != matter_id:
            raise NotFound(NO_DRAFT)
        same = draft.template == template.name
        return Start(_usable(template, draft.told, same), draft_id if same else "", same)
    own = st.session_state.get(SHOWN, {}).get(template.name) if not matter_id else None
    told = own or st.session_state.get(BEGUN, {}).get(template.name, {})
    return Start(_usable(template, told, own is not None), "", own is not None)


def keep(app: Member, template: Template, matter_id: str, draft_id: str, told: dict[str, str]) -> None:
    """Keep the values and name their draft in the address; without an expediente they stay in the tab."""
    if not matter_id:
        st.session_state.setdefault(SHOWN, {})[template.name] = told
        return
    opened: dict[str, KeptDraft] = st.session_state.setdefault(OPENED, {})
    seen = opened[draft_id].updated_at if draft_id else None
    kept = app.drafts.keep(matter_id, template.name, told, draft_id, seen=seen)
    opened[kept.id] = kept
    if draft_id and kept.id != draft_id:
        st.session_state[APART] = {kept.id: _changed(app, draft_id)}
    else:
        tell(KEPT)
    go(m=template.name, e=matter_id, b=kept.id)
    st.rerun()


def show_apart(draft_id: str) -> None:
    """The sentence on a draft that was kept beside the one that it began as, if it was."""
    if told := st.session_state.get(APART, {}).get(draft_id):
        show(warning(told))


def told_of(values: Mapping[str, object]) -> dict[str, str]:
    """The values of a form as texts, without the empty ones."""
    texts = {
        name: "sí" if value is True else f"{value:%d/%m/%Y}" if isinstance(value, date) else str(value or "")
        for name, value in values.items()
    }
    return {name: text for name, text in texts.items() if text.strip()}


def offer_next(app: Member, template: Template, matter_id: str, start: Start) -> None:
    """The button that takes the values on into the writ that follows."""
    following = app.templates.templates().known.get(template.next)
    if following is not None:
        label = f"Seguir con «{following.title}»"
        button(label, "template-next", "arrow_forward", _go_on, following.name, matter_id, start)


def show_kept(app: Member, matter_id: str) -> None:
    """The drafts of an expediente; nothing without any."""
    found = app.drafts.drafts(matter_id)
    if not found:
        return
    section("Borradores guardados")
    known = app.templates.templates().known
    for one in found:
        template = known.get(one.template)
        title = titled(template.title if template else one.template)
        with row(f"draft-{one.id}", title, note(f"Guardado {ago(one.updated_at, datetime.now(UTC))}")):
            if template:
                button("Abrir", f"open-draft-{one.id}", "draft", _open, one, type="tertiary")
            gone = (attempt, "Borrador quitado.", app.drafts.remove, one.id)
            button("Quitar", f"remove-draft-{one.id}", "delete", *gone, type="tertiary")


def _opened(app: Member, matter_id: str, draft_id: str) -> KeptDraft:
    """The draft as this tab opened it: what somebody else keeps meanwhile does not change a form on view."""
    opened: dict[str, KeptDraft] = st.session_state.setdefault(OPENED, {})
    if draft_id not in opened:
        opened[draft_id] = app.drafts.draft(draft_id)
    elif matter_id:
        app.matters.matter(matter_id)
    return opened[draft_id]


def _changed(app: Member, draft_id: str) -> str:
    """Who changed a draft meanwhile, and when; it is opened anew the next time."""
    st.session_state[OPENED].pop(draft_id)
    try:
        now = app.drafts.draft(draft_id)
    except NotFound:
        return REMOVED
    name = OWN if now.added_by == app.identity.id else owner_name(now.added_by, app.names())
    return CHANGED.format(name=name, when=ago(now.updated_at, datetime.now(UTC)))


def _usable(template: Template, told: Mapping[str, str], same: bool) -> dict[str, str]:
    """The values that its fields can take, of the same writ or of the one before."""
    taken = {} if same else {one.takes: one.name for one in template.fields if one.takes}
    moved = {taken.get(name, name): value for name, value in told.items()}
    return {
        one.name: moved[one.name]
        for one in template.fields
        if one.name in moved and (not one.choices or moved[one.name] in one.choices)
    }


def _open(draft: KeptDraft) -> None:
    st.session_state.get(OPENED, {}).pop(draft.id, None)
    go(m=draft.template, e=draft.matter_id, b=draft.id)


def _go_on(name: str, matter_id: str, start: Start) -> None:
    if matter_id:
        go(m=name, e=matter_id, b=start.draft_id)
    else:
        st.session_state[BEGUN] = {name: dict(start.told)}
        go(m=name)
