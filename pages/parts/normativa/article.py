"""One article, disposición or annex: wordings, comparison of two, references."""

from functools import partial

import streamlit as st

from core.errors import NotFound
from domain.accounts import Permission
from law.diff import Change, compare
from law.norms import Block, BlockVersion, Norm
from law.validity import state_of_version
from pages.parts.common.html import EMPTY, added, badges, html, join, note, removed, show, table
from pages.parts.common.law import law_html
from pages.parts.common.layout import back, heading, link, section
from pages.parts.common.references import show_references
from pages.parts.common.render import plain_html
from pages.parts.common.watching import watch_article
from pages.parts.common.words import day, today
from pages.parts.normativa.diff import diff_html
from pages.parts.normativa.view import stored
from pages.parts.normativa.words import block_name, block_tag, span
from service.members.member import Member


def show_article(app: Member, norm_id: str, block_id: str) -> None:
    """The view of one article. Raises NotFound."""
    norm = stored(app, norm_id)
    block = app.corpus.block(norm_id, block_id)
    if block is None or not block.versions:
        raise NotFound("Ese artículo no está en el documento: puede que haya cambiado.")
    back(norm.name, "back", doc=norm_id)
    heading(block.title or block_name(block), " › ".join((norm.title, *block.path)))
    show(badges([block_tag(block, today())]))
    if app.may(Permission.ASK):
        watch_article(app, norm_id, block.label or block.id)
    if len(block.versions) == 1:
        show_wording(block.versions[0])
    else:
        _show_history(app, norm, block)
    _show_references(app, norm, block)


def show_wording(version: BlockVersion) -> None:
    """The text of one wording, with the notes of its source."""
    notes = join(map(plain_html, version.notes))
    show(law_html(version.text), html('<div class="art-notes">{}</div>', notes) if notes else EMPTY)


def _show_history(app: Member, norm: Norm, block: Block) -> None:
    current = block.wording_on(today()) or block.versions[-1]
    text, compare, history = st.tabs(
        ("Texto", "Comparar redacciones", f"Historial ({len(block.versions)})"),
        default="Comparar redacciones" if {"from", "to"} & set(st.query_params) else None,
    )
    with text:
        latest = list(reversed(block.versions))
        named = block.versions[_place_of("on", list(block.versions), block.versions.index(current))]
        name, key = partial(_version_name, block), f"version-{block.id}{st.query_params.get('on', '')}"
        show_wording(st.selectbox("Redacción", latest, latest.index(named), name, key))
    with compare:
        _show_comparison(block, current)
    with history:
        _show_versions(app, block)


def _show_comparison(block: Block, current: BlockVersion) -> None:
    versions = list(block.versions)
    place = _place_of("to", versions, max(versions.index(current), 1))
    left, right = st.columns(2)
    first = _place_of("from", versions, max(place - 1, 0))
    name = partial(_version_name, block)
    before = left.selectbox("Antes", versions, first, name, f"before-{block.id}")
    after = right.selectbox("Después", versions, place, name, f"after-{block.id}")
    show_diff(before.text, after.text, _heading_of(before), _heading_of(after))


def show_diff(before: str, after: str, *headings: str) -> None:
    """Two wordings word by word, under the headings of their columns."""
    runs = compare(before, after)
    if all(run.kind is Change.EQUAL for run in runs):
        show(note("Las dos redacciones tienen el mismo texto."))
        return
    legend = '<p class="art-note art-legend-diff">{} · {}</p>'
    show(html(legend, removed("suprimido"), added("añadido")), diff_html(runs, *headings))


def _place_of(name: str, versions: list[BlockVersion], otherwise: int) -> int:
    """Index of the wording whose first day the address names; otherwise `otherwise`."""
    wanted = st.query_params.get(name, "")
    days = [version.valid_from.isoformat() for version in versions]
    return days.index(wanted) if wanted in days else otherwise


def _heading_of(version: BlockVersion) -> str:
    return f"Redacción {span(version.valid_from, version.valid_to)}"


def _version_name(block: Block, version: BlockVersion) -> str:
    same = [v for v in block.versions if v.valid_from == version.valid_from]
    number = f" ({same.index(version) + 1}.ª de ese día)" if len(same) > 1 else ""
    in_force = " · vigente" if version.in_force_on(today()) else ""
    return f"{span(version.valid_from, version.valid_to)}{number}{in_force}"


def _show_versions(app: Member, block: Block) -> None:
    names: dict[str, str] = {}
    rows = []
    for version in reversed(block.versions):
        source = version.amended_by or ""
        if source and source not in names:
            norm = app.corpus.norm(source)
            names[source] = norm.law if norm else source
        rows.append(
            (
                span(version.valid_from, version.valid_to),
                str(state_of_version(block, version, today())),
                day(version.published) if version.published else "",
                names.get(source, ""),
            )
        )
    show(table(("Vigencia", "Estado", "Publicada", "Dada por"), rows))
    for source, name in names.items():
        if app.corpus.norm(source) is not None:
            link(name, doc=source, icon=":material/article:")


def _show_references(app: Member, norm: Norm, block: Block) -> None:
    chunks = app.corpus.find(norm.id, block.label, today()) if block.label else []
    ids = [chunk.id for chunk in chunks if chunk.block_id == block.id]
    section("Remisiones")
    if not show_references(app, ids, "article"):
        show(note("Este texto no remite a otros artículos de los cargados."))
