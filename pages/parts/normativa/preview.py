"""Preview of a load: each document, its articles by their change, its warnings."""

from collections.abc import Hashable, Sequence

import streamlit as st

from pages.parts.common.html import (
    Html,
    Tag,
    badges,
    bullets,
    html,
    note,
    problem,
    show,
    table,
    titled,
    warning,
)
from pages.parts.common.layout import section
from pages.parts.common.widgets import panel
from pages.parts.common.words import day, dotted, plural
from pages.parts.normativa.words import FATES, fates_line, norm_line
from rag.ingestion.preview import Preview as Compared
from rag.ingestion.request import Staged, UploadRequest
from rag.law.changes import ArticleChange, Fate
from service.members.member import Member

Preview = tuple[str, Compared | str]
"""A file name, and its comparison with the corpus or the reason why it cannot be loaded."""
SHOWN = 60
ORDER = (Fate.REMOVED, Fate.REPEALED, Fate.AMENDED, Fate.CORRECTED, Fate.NEW, Fate.UNCHANGED)


def keep_preview(app: Member, place: str, asked: Hashable, request: UploadRequest) -> None:
    """Take the files in and remember what was found, instead of what was kept in that place of the session.

    Args:
        asked: what it answers to: files and data.
    """
    before = st.session_state.pop(place, None)
    if before is not None:
        app.discard_staged(before[1])
    st.session_state[place] = (asked, app.preview(request))


def load_kept(app: Member, place: str, asked: Hashable, label: str, *, merge: bool = False) -> bool:
    """Show the preview kept for exactly these files and data; True once the reader has had it queued.

    Args:
        label: of the button; `{}` in it stands for the number of documents.
    """
    kept = st.session_state.get(place)
    if not kept or kept[0] != asked:
        return False
    staged: Staged = kept[1]
    count = sum(not isinstance(result, str) for _, result in staged.found)
    text = label.format(plural(count, "documento", "documentos"))
    if not _show_previews(staged.found, text, disabled=not count, merge=merge):
        return False
    app.load(staged)
    del st.session_state[place]
    return True


def _show_previews(found: Sequence[Preview], label: str, *, disabled: bool, merge: bool) -> bool:
    """Everything found, the most urgent first; True when the reader confirms.

    Args:
        merge: True for articles added to a stored document, which keeps those that are missing here.
    """
    section("Qué cambiará", _totals(found))
    icon = ":material/upload:"
    confirmed = st.button(label, type="primary", icon=icon, key="confirm", disabled=disabled)
    same = [result for _, result in found if not isinstance(result, str) and result.changes_nothing]
    others = [item for item in found if isinstance(item[1], str) or not item[1].changes_nothing]
    others.sort(key=lambda item: _urgency(item[1]))
    for place, (name, result) in enumerate(others[:SHOWN]):
        if isinstance(result, str):
            _unreadable(name, result)
        else:
            _document(name, result, place, merge)
    if len(others) > SHOWN:
        show(note(f"Se muestran {SHOWN} de {len(others)}."))
    if same:
        label = plural(len(same), "documento sin cambios", "documentos sin cambios")
        show(bullets(result.norm.title for result in same), at=st.expander(label, key="same"))
    return confirmed


def _urgency(result: Compared | str) -> int:
    if isinstance(result, str):
        return 0
    return 1 if result.warnings else 2


def _totals(found: Sequence[Preview]) -> str:
    compared = [result for _, result in found if not isinstance(result, str)]
    new = sum(result.stored is None for result in compared)
    same = sum(result.changes_nothing for result in compared)
    counts = (
        (new, "documento nuevo", "documentos nuevos"),
        (len(compared) - new - same, "documento que cambia", "documentos que cambian"),
        (same, "documento sin cambios", "documentos sin cambios"),
        (len(found) - len(compared), "archivo que no se puede cargar", "archivos que no se pueden cargar"),
    )
    return ", ".join(plural(count, *words) for count, *words in counts if count) + "."


def _unreadable(name: str, reason: str) -> None:
    text = reason if name in reason else f"{name}: {reason}"
    show(problem(html("<b>No se puede cargar.</b> {}", text)))


def _document(name: str, result: Compared, place: int, merge: bool) -> None:
    articles = [one for one in result.articles if not (merge and one.fate is Fate.REMOVED)]
    count = plural(result.chunks, "fragmento", "fragmentos")
    facts = dotted(norm_line(result.norm), count, fates_line(articles))
    with st.container(border=True):
        show(
            titled(result.norm.title),
            note(html("{}<br>{}", name, facts)),
            badges([_tag(result, merge)]),
            warning(*result.warnings),
        )
        if articles:
            key = f"preview-{place}-{result.norm.id}"
            panel("Artículo por artículo", key, lambda: show(_table(articles)))


def _tag(result: Compared, merge: bool) -> Tag:
    if result.stored is None:
        return "Documento nuevo", "art-high"
    return (
        "Se añade a un documento del corpus" if merge else "Sustituye al que está en el corpus"
    ), "art-mid"


def _table(articles: Sequence[ArticleChange]) -> Html:
    ordered = sorted(articles, key=lambda one: ORDER.index(one.fate))
    rows = [(one.title, FATES[one.fate][0], day(one.on) if one.on else "") for one in ordered]
    return table(("Artículo", "Qué cambia", "Desde"), rows)
