"""«La norma cambió después»: cited articles with a later wording than the one cited, or no longer stored."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from pages.parts.answer.documents import is_document
from pages.parts.common.html import html, show
from pages.parts.common.layout import link
from pages.parts.common.words import day, today
from rag.answers.changed_citations import ChangedCitation, changed_since
from rag.shared.cited_answer import Source
from service.members.member import Member

CACHE = "law-changes"
GONE = "Lo citado ya no está entre los textos cargados y no se puede comprobar."


def show_changes(app: Member, answer_key: str, citations: Sequence[Source], as_of: date) -> None:
    """Warn of cited articles that changed, with a link to each change, and of those no longer stored."""
    citations = [one for one in citations if not is_document(one)]
    found = law_changes(app, answer_key, citations, as_of)
    changes = [(change, change.changed_on) for change in found if change.changed_on]
    _warn("La norma cambió después.", [_line(change, changed_on) for change, changed_on in changes])
    _warn(GONE, [_name(change) for change in found if change.removed])
    since = {(c.norm_id, c.block_id): c.valid_from for c in citations}
    for change, changed_on in changes:
        cited = since.get((change.norm_id, change.block_id))
        address = {"from": cited.isoformat()} if cited else {}
        link(
            f"Qué cambió: {_name(change)}",
            icon=":material/difference:",
            doc=change.norm_id,
            block=change.block_id,
            to=changed_on.isoformat(),
            **address,
        )


def _warn(title: str, lines: Sequence[str]) -> None:
    if lines:
        text = '<p class="art-warn" role="note"><b>{}</b> {}.</p>'
        show(html(text, title, "; ".join(lines)))


def law_changes(
    app: Member, answer_key: str, citations: Sequence[Source], as_of: date
) -> list[ChangedCitation]:
    """Changes of the cited articles up to today, kept in the session while corpus and day are the same.

    They count from the wording cited, not from the day of the answer: the corpus may have been behind the
    law that day and updated since.
    """
    known: dict[str, tuple[object, list[ChangedCitation]]] = st.session_state.setdefault(CACHE, {})
    state = (app.corpus.revision(), today())
    if answer_key not in known or known[answer_key][0] != state:
        by_day: dict[date, list[Source]] = {}
        for citation in citations:
            by_day.setdefault(citation.valid_from or as_of, []).append(citation)
        found = {
            (change.norm_id, change.block_id): change
            for cited_on, cited in by_day.items()
            for change in changed_since(cited, cited_on, app.corpus, today())
        }
        known[answer_key] = (state, list(found.values()))
    return known[answer_key][1]


def _name(change: ChangedCitation) -> str:
    article = f"Artículo {change.article}" if change.article[:1].isdigit() else change.article
    return f"{article} · {change.law}" if article else change.law


def _line(change: ChangedCitation, changed_on: date) -> str:
    what = "sin vigencia" if change.repealed else "nueva redacción"
    return f"{_name(change)}: {what} desde el {day(changed_on)}"
