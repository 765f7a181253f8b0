"""«Fuentes citadas»: each citation inside the article that it quotes."""

from collections.abc import Sequence
from datetime import date
from functools import partial

import streamlit as st

from law.boe_links import as_published
from law.norms import Block, BlockVersion, Norm
from lexicon.ties import Tie, overtaken, transitional
from pages.parts.answer.documents import document_name, is_document, show_document
from pages.parts.common.html import EMPTY, Html, Tag, badges, each, html, join, note, show, trail
from pages.parts.common.law import quoted_html
from pages.parts.common.layout import link, official_link
from pages.parts.common.page import View
from pages.parts.common.render import label_text
from pages.parts.common.watching import watch_article
from pages.parts.common.widgets import panel
from pages.parts.common.words import COLLECTIONS, day, dotted, first_words, today, validity
from rag.answers.article_numbers import CitedArticle
from rag.answers.quotation_check import quoted
from rag.answers.recheck import wording
from rag.answers.verbatim import place_of
from rag.shared.cited_answer import Citation, Source
from text.links import official_url

PRINTED = "Fuentes citadas"
NAMED_ONLY = "Fuentes nombradas, sin cita comprobada"
GONE = "Este artículo ya no está entre los textos cargados: compruébelo en la fuente oficial."


def article_name(source: Source) -> str:
    """'Artículo 38' of 'Artículo 38. Vacaciones anuales.'"""
    return first_words(source.section) or source.article


def rubric(source: Source) -> str:
    """'Vacaciones anuales' of 'Artículo 38. Vacaciones anuales.'; empty when the article has none."""
    return source.section.removeprefix(first_words(source.section)).strip(". ")


def short_name(source: Source, norm: Norm | None) -> str:
    """'ET · Artículo 38': the law by its shortest name, and the article."""
    if is_document(source):
        return document_name(source)
    law = norm.name if norm else source.law
    return dotted(law or source.source, article_name(source))


def show_sources(view: View, answer_key: str, articles: Sequence[CitedArticle], as_of: date) -> None:
    """One expander per article, which is read only while open: those quoted, then those only named.

    `answer_key` is unique among the answers of the page.
    """
    cited = [article for article in articles if article.quotes]
    _show_list(view, PRINTED, f"source-{answer_key}", cited, as_of)
    named = [article for article in articles if not article.quotes]
    _show_list(view, NAMED_ONLY, f"named-{answer_key}", named, as_of)
    show(printed_html(view, cited, named))


def _show_list(view: View, head: str, key: str, articles: Sequence[CitedArticle], as_of: date) -> None:
    if not articles:
        return
    show(html('<h3 class="art-head">{} <span>{}</span></h3>', head, len(articles)))
    for index, article in enumerate(articles):
        first = article.first
        name = short_name(first, view.norm(first.norm_id))
        told = first.chapter if is_document(first) else dotted(rubric(first), pages_of(article))
        title = f"**{article.number}** · {label_text(dotted(name, told))}"
        panel(title, f"{key}-{index}", partial(_show_source, view, article, as_of, f"{key}-{index}"))


def printed_html(view: View, cited: Sequence[CitedArticle], named: Sequence[CitedArticle]) -> Html:
    """The sources for paper, where no panel opens: name, what was checked, quotations and address of each."""
    lists = ((PRINTED, cited), (NAMED_ONLY, named))
    parts = (
        (head, join(_printed_source(view, one) for one in articles)) for head, articles in lists if articles
    )
    return html('<section class="art-printed">{}</section>', each("<h3>{}</h3>{}", parts))


def _printed_source(view: View, article: CitedArticle) -> Html:
    number, first, quotes = article
    norm = view.norm(first.norm_id)
    own = is_document(first)
    law = first.law if own else (norm.title if norm else first.law)
    pages = pages_of(article)
    facts = [dotted(first.chapter, pages or first.section) if own else dotted(first.section, pages)]
    if quotes:
        facts.append("Comprobada letra por letra al responder" if checked(quotes) else "Cita sin comprobar")
    if not own:
        facts.append(validity(first.valid_from, first.valid_to))
        facts.append("" if first.official else "Resumen no oficial")
    url = official_url(first.url or (norm.url if norm else "")) or ""
    return html(
        '<div class="art-source"><p><b>[{}] {}</b></p><p class="art-note">{}</p>{}{}</div>',
        number,
        law,
        dotted(*facts),
        each('<p class="art-quote">{}</p>', [quoted(one) for one in quotes]),
        html('<p class="art-note">{}</p>', url) if url else EMPTY,
    )


def pages_of(article: CitedArticle) -> str:
    """'pág. 3', 'págs. 3, 5'; empty when its document has no pages."""
    found = sorted({one.page for one in (article.first, *article.quotes) if one.page is not None})
    numbers = ", ".join(map(str, found))
    return f"{'pág.' if len(found) == 1 else 'págs.'} {numbers}" if found else ""


def _show_source(view: View, article: CitedArticle, as_of: date, key: str) -> None:
    _, first, quotes = article
    if is_document(first):
        show_document(view, article)
        return
    norm = view.norm(first.norm_id)
    steps = [norm.title if norm else first.law, *first.chapter.split(" > "), first.section]
    block = view.app.corpus.block(first.norm_id, first.block_id)
    version = _wording(block, first, as_of)
    governing = transitional((first.norm_id, first.block_id), first.url, as_of)
    show(
        trail(steps),
        badges(_tags(first, quotes, held=version is not None)),
        displaced((first.norm_id, first.block_id), as_of),
        governing_html(governing),
        quoted_source_html(block, quotes, as_of) if quotes else _whole_html(block, first, as_of),
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        url = address_of(first.url or (norm.url if norm else ""), version)
        if not official_link(url) and url:
            st.text(f"Procedencia: {url}")
        if block is not None:
            address = {"doc": first.norm_id, "block": block.id}
            if version is not None and not version.in_force_on(today()):
                address["on"] = version.valid_from.isoformat()
            link("Ver el artículo completo", icon=":material/article:", **address)
            watch_article(view.app, first.norm_id, block.label or block.id, key)
        for tie in governing:
            if view.app.corpus.block(tie.norm, tie.block) is not None:
                link(tie.title, icon=":material/history:", doc=tie.norm, block=tie.block)


def _wording(block: Block | None, cited: Source, as_of: date) -> BlockVersion | None:
    """The wording that was cited, or else the one in force on that day."""
    return wording(block, cited) or (block.wording_on(as_of) if block else None)


def address_of(url: str, version: BlockVersion | None) -> str:
    """The address of the source; of a wording that is not today's, that of the text with it."""
    if version is None or version.published is None or version.in_force_on(today()):
        return url
    return as_published(url, version.published)


def governing_html(found: Sequence[Tie]) -> Html:
    """The transitional provisions that govern open cases of the article, with links to the official text."""
    line = (
        '<p class="art-warn" role="note"><b>Régimen transitorio.</b> '
        '<a href="{}" target="_blank" rel="noopener">{}</a>: {}</p>'
    )
    return each(line, ((tie.url, tie.title, tie.says) for tie in found))


def displaced(place: tuple[str, str], as_of: date) -> Html:
    """The law that displaced a provision (ids of norm and block) by that day, with a link; empty if none."""
    entry = overtaken(*place, as_of)
    if entry is None:
        return EMPTY
    return html(
        '<p class="art-warn" role="note"><b>{}</b> {} '
        '(<a href="{}" target="_blank" rel="noopener">{}</a>).</p>',
        "Precepto superado." if entry.whole else "Precepto superado en parte.",
        entry.says,
        entry.url,
        entry.source,
    )


def checked(quotes: Sequence[Citation]) -> bool:
    """True if there are quotations and every one was checked: only then may a reader be told so."""
    return bool(quotes) and all(citation.verified for citation in quotes)


def _tags(first: Source, quotes: Sequence[Citation], *, held: bool) -> list[Tag]:
    """The badges of a source; one that is no longer `held` cannot be checked again."""
    tags: list[Tag] = []
    if not quotes:
        tags.append(("Fuente nombrada, sin cita comprobada", "art-mid"))
    if checked(quotes) and not held:
        tags.append(("Comprobada al responder; ya no está cargada", "art-mid"))
    elif checked(quotes):
        told = (
            "Cita comprobada letra por letra"
            if len(quotes) == 1
            else f"{len(quotes)} citas comprobadas letra por letra"
        )
        tags.append((f"✔ {told}", "art-high"))
    if not first.official:
        tags.append(("Resumen no oficial", "art-mid"))
    collection = COLLECTIONS.get(first.collection, first.collection)
    return [*tags, (validity(first.valid_from, first.valid_to), ""), (collection, "")]


def _whole_html(block: Block | None, source: Source, as_of: date) -> Html:
    """The article of a source that is not quoted, or the reason why it cannot be shown."""
    version = _wording(block, source, as_of)
    return quoted_html(version.text, []) if version else note(GONE)


def quoted_source_html(block: Block | None, quotes: Sequence[Citation], as_of: date) -> Html:
    """The article in the wording cited, with the quotations marked.

    Quotations that the corpus no longer holds are shown alone, with the reason.
    """
    version = _wording(block, quotes[0], as_of)
    found = [(one, place_of(one.quote, version.text, one.start) if version else None) for one in quotes]
    spans = [span for _, span in found if span is not None]
    shown = quoted_html(version.text, spans) if version and spans else EMPTY
    lost = [citation.quote for citation, span in found if span is None]
    if not lost:
        return shown
    why = note(
        "La redacción citada ya no está tal como se citó: compruébela en la fuente oficial "
        f"(consulta a fecha de {day(as_of)})."
    )
    return each('<blockquote class="art-quote">{}</blockquote>', lost) + why + shown
