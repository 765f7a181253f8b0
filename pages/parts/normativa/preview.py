"""Preview of a load: its reading, each document, its articles by their change, its warnings."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from law.changes import ArticleChange, Fate, as_new_wordings
from loading.ingestion.intake import NO_DAY, Wordings
from loading.ingestion.load_request import Details, Staged, UploadRequest
from loading.ingestion.preview import Preview as Compared
from loading.ingestion.preview_run import Reading
from loading.ingestion.rewording import NO_START
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
from pages.parts.common.layout import section, tell
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, panel
from pages.parts.common.words import day, dotted, plural
from pages.parts.normativa.aids import offer_aids, wants_aids
from pages.parts.normativa.since import show_lacking, show_since
from pages.parts.normativa.text import show_text, show_words
from pages.parts.normativa.words import FATES, fates_line, norm_line
from service.members.member import Member

Preview = tuple[str, Compared | str]
"""A file name, and its comparison with the corpus or the reason why it cannot be loaded."""
SHOWN = 60
IS_SHORTER = "Lo he comprobado: el texto es ahora más corto"
COMPARED = (Fate.AMENDED, Fate.CORRECTED, Fate.REPEALED)
ORDER = (Fate.REMOVED, Fate.REPEALED, Fate.AMENDED, Fate.CORRECTED, Fate.NEW, Fate.UNCHANGED)
MOMENT_SECONDS, POLL_SECONDS = 0.5, 0.25


def keep_preview(app: Member, place: str, asked: Hashable, request: UploadRequest) -> None:
    """Take the files in and remember what was found, instead of what was kept in that place of the session.

    Args:
        asked: what it answers to: files and data.
    """
    before = st.session_state.pop(place, None)
    if before is not None and before[1] is not None:
        app.discard_staged(before[1])
    staged = read_with_progress(app.preview(request), partial(_cancelled, place, asked))
    st.session_state[place] = (asked, staged)


def _cancelled(place: str, asked: Hashable) -> None:
    st.session_state[place] = (asked, None)
    tell("Lectura cancelada: no se ha cargado nada.", "cancel")


def load_kept(app: Member, place: str, asked: Hashable, label: str, *, merge: bool = False) -> bool:
    """Show the preview kept for exactly these files and data; True once the reader has had it queued.

    Args:
        label: of the button; `{}` in it stands for the number of documents.
    """
    kept = st.session_state.get(place)
    if not kept or kept[0] != asked or kept[1] is None:
        return False
    staged: Staged = kept[1]
    count = sum(not _reason(result) for _, result in staged.found)
    text = label.format(plural(count, "documento", "documentos")) if count else ""
    told = _show_previews(app, staged, text, merge=merge)
    if told is None:
        return False
    app.load(staged, *told, enrich=wants_aids(staged))
    del st.session_state[place]
    return True


def _reason(result: Compared | str) -> str:
    """Reason why it cannot be loaded; empty when it can."""
    return result if isinstance(result, str) else result.refused


def _show_previews(
    app: Member, staged: Staged, label: str, *, merge: bool
) -> tuple[Wordings, Details] | None:
    """Everything found, what asks something above the button; what was told once the reader confirms.

    Args:
        label: of the button; empty when there is nothing to load.
        merge: True for articles added to a stored document, which keeps those that are missing here.
    """
    found = staged.found
    section("Qué cambiará", _totals(found))
    unfit = [(name, _reason(result)) for name, result in found if _reason(result)]
    fit = [(name, one) for name, one in found if not isinstance(one, str) and not one.refused]
    same = [result for _, result in fit if result.changes_nothing]
    others = [item for item in fit if not item[1].changes_nothing]
    others.sort(key=lambda item: (not _asks(item[1]), not item[1].warnings))
    asking = sum(_asks(one) for _, one in others)
    most = max(SHOWN, asking)
    wordings: dict[str, date | None] = {}
    details: dict[str, Mapping[str, str]] = {}
    above, top, below = st.container(), st.container(), st.container()
    offer_aids(staged, top)
    for name, reason in unfit[:SHOWN]:
        _unreadable(name, reason, below)
    for place, (name, result) in enumerate(others[:most]):
        with above if place < asking else below:
            since, lacking = _document(app, name, result, place, merge)
        wordings |= since
        details[result.norm.id] = lacking
    if (count := max(len(unfit), len(others))) > most:
        show(note(f"Se muestran {most} de {count}."))
    if same:
        told = plural(len(same), "documento sin cambios", "documentos sin cambios")
        show(bullets(result.norm.title for result in same), at=st.expander(told, key="same"))
    missing = [
        (NO_START if one.asks_since else NO_DAY).format(title=one.norm.title)
        for _, one in others
        if (one.asks_since and one.norm.id not in wordings)
        or (one.must_be_dated and "valid_from" not in details[one.norm.id])
    ]
    unsure = any(one.shorter and not st.session_state.get(_shorter_key(one)) for _, one in others)
    if missing:
        show(warning(*missing), at=top)
    icon, disabled = ":material/upload:", bool(missing) or unsure
    if label and top.button(label, type="primary", icon=icon, key="confirm", disabled=disabled):
        return wordings, details
    return None


def _asks(result: Compared) -> bool:
    return result.asks_since or result.lacks_day or result.lacks_rank or result.shorter != ""


def _totals(found: Sequence[Preview]) -> str:
    compared = [one for _, one in found if not isinstance(one, str) and not one.refused]
    new = sum(result.stored is None for result in compared)
    same = sum(result.changes_nothing for result in compared)
    counts = (
        (new, "documento nuevo", "documentos nuevos"),
        (len(compared) - new - same, "documento que cambia", "documentos que cambian"),
        (same, "documento sin cambios", "documentos sin cambios"),
        (len(found) - len(compared), "archivo que no se puede cargar", "archivos que no se pueden cargar"),
    )
    return ", ".join(plural(count, *words) for count, *words in counts if count) + "."


def _unreadable(name: str, reason: str, at: DeltaGenerator) -> None:
    text = reason if name in reason else f"{name}: {reason}"
    show(problem(html("<b>No se puede cargar.</b> {}", text)), at=at)


def _document(
    app: Member, name: str, result: Compared, place: int, merge: bool
) -> tuple[Mapping[str, date | None], Mapping[str, str]]:
    """One document that can be loaded; the first day of its new wording, and what it lacked, if told."""
    articles = [one for one in result.articles if not (merge and one.fate is Fate.REMOVED)]
    with st.container(border=True):
        head = st.container()
        key = f"since-{place}-{result.norm.id}"
        wordings = show_since(result, key) if result.asks_since else {}
        lacking = show_lacking(result, key) if result.lacks_day or result.lacks_rank else {}
        if result.asks_since and wordings != {result.norm.id: None}:
            articles = as_new_wordings(articles, wordings.get(result.norm.id))
        count = plural(result.chunks, "pasaje", "pasajes")
        facts = dotted(norm_line(result.norm), count, fates_line(articles))
        told = note(html("{}<br>{}", name, facts))
        tags = badges([_tag(result, merge)])
        show(titled(result.norm.title), told, tags, warning(*result.warnings), at=head)
        if result.shorter:
            show(warning(result.shorter))
            st.checkbox(IS_SHORTER, key=_shorter_key(result))
        key = f"preview-{place}-{result.norm.id}"
        if articles:
            panel("Artículo por artículo", key, lambda: show(_table(articles)))
        if any(one.fate in COMPARED for one in articles):
            panel("Palabra por palabra", f"words-{key}", partial(show_words, app, result, f"words-{key}"))
        panel("Texto que se guardará", f"text-{key}", partial(show_text, result, key))
    return wordings, lacking


def _shorter_key(result: Compared) -> str:
    return f"shorter-{result.norm.id}"


def _tag(result: Compared, merge: bool) -> Tag:
    if result.stored is None:
        return "Documento nuevo", "art-high"
    if result.asks_since:
        return "Otro texto de un documento cargado", "art-mid"
    return ("Se añade a un documento cargado" if merge else "Sustituye al que está cargado"), "art-mid"


def _table(articles: Sequence[ArticleChange]) -> Html:
    ordered = sorted(articles, key=lambda one: ORDER.index(one.fate))
    rows = [(one.title, FATES[one.fate][0], day(one.on) if one.on else "") for one in ordered]
    return table(("Artículo", "Qué cambia", "Desde"), rows)


def read_with_progress(reading: Reading, cancelled: Callable[[], None]) -> Staged:
    """The result of the reading; a press of a button meanwhile ends the drawing of the page, and the reading.

    Args:
        cancelled: called when the reader cancels.

    Raises:
        ArticuladoError: see `Reading.result`.
    """
    place = st.empty()
    try:
        if not reading.wait(MOMENT_SECONDS):
            with place.container():
                bar = st.progress(0.0)
                button("Cancelar la lectura", "cancel-preview", "stop_circle", cancelled)
            while not reading.wait(POLL_SECONDS):
                name, done, total = reading.progress
                count = f"{done + 1} de {total}" if total else ""
                bar.progress(done / total if total else 0.0, label_text(dotted("Leyendo", count, name)))
    except BaseException:
        reading.cancel()
        raise
    place.empty()
    return reading.result()
