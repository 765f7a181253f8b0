"""The placeholders of a Word template, and an opinion put into their places.

`{{antecedentes}}`, `{{cuestiones}}`, `{{fundamentos}}`, `{{conclusiones}}` and `{{procedencia}}` stand alone
in a paragraph of the body, and give way to that part; `{{titulo}}`, `{{estado}}` and `{{fecha}}` stand
anywhere, headers and footers too. What the template does not name follows at its end, so that nothing is left
out. `{{anexo}}`, of earlier versions, gives way to nothing.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from law import dates
from service.opinions.opinion import TITLES, Opinion, PartName

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

WORDS = "{{{{{name}}}}}"
"""A placeholder of that name."""
TITLE, STATE, DAY, FORMER = "titulo", "estado", "fecha", "anexo"
NEEDED = PartName.GROUNDS
_PLACE = re.compile(r"\{\{\s*([^{}]{1,40}?)\s*\}\}")
DAMAGED = "el documento está dañado; ábralo en Word, guárdelo y súbalo otra vez."
MISSING = (
    "no tiene {{fundamentos}}, el lugar donde va el texto; escríbalo solo en un párrafo y súbala otra vez."
)
UNKNOWN = "no se conoce «{{{{{name}}}}}»; use solo {known}."
NOT_ALONE = "{{{{{name}}}}} tiene que estar solo en un párrafo del cuerpo del documento, y una sola vez."


def problems(template: bytes) -> str:
    """Why a template cannot be used, in Spanish; '' if it can."""
    import docx

    try:
        document = docx.Document(io.BytesIO(template))
        parts = {FORMER, *(name.value for name in PartName)}
        alone = [name for paragraph in _body(document) if (name := _alone(paragraph)) in parts]
        named = [name for paragraph in _everywhere(document) for name in _PLACE.findall(paragraph.text)]
    except Exception:  # python-docx raises whatever its parts do on a package that is not whole
        return DAMAGED
    for name in named:
        if name not in {*parts, TITLE, STATE, DAY}:
            known = ", ".join(WORDS.format(name=one) for one in (TITLE, STATE, DAY, *PartName))
            return UNKNOWN.format(name=name, known=known)
        if name in parts and (named.count(name) > 1 or name not in alone):
            return NOT_ALONE.format(name=name)
    return "" if NEEDED.value in alone else MISSING


def fill(template: bytes, opinion: Opinion) -> bytes:
    """The template with the opinion in it; styles, headers and footers are the template's."""
    import docx

    from service.opinions.word import Writer

    document = docx.Document(io.BytesIO(template))
    writer = Writer(opinion.title, document)
    told = {TITLE: opinion.title, STATE: opinion.state, DAY: dates.spelled(opinion.made_on)}
    stated = any(STATE in _PLACE.findall(one.text) for one in _everywhere(document))
    for paragraph in _everywhere(document):
        _write_words(paragraph, told)
    places = {_alone(paragraph): paragraph for paragraph in _body(document)}
    body: Any = document._body._element
    if (former := places.get(FORMER)) is not None:
        body.remove(former._p)
    for part in opinion.parts:
        place = places.get(part.name.value)
        if place is None:
            writer.heading(TITLES[part.name])
            writer.elements(part.elements)
            continue
        before = set(body)
        writer.elements(part.elements)
        for element in [one for one in body if one not in before]:
            place._p.addprevious(element)
        body.remove(place._p)
    if not stated:
        writer.line(opinion.state)
    return writer.saved()


def _alone(paragraph: Paragraph) -> str:
    found = _PLACE.fullmatch(paragraph.text.strip())
    return found[1] if found else ""


def _body(document: Document) -> Iterator[Paragraph]:
    """The paragraphs that stand right in the body, where a part has room."""
    yield from document.paragraphs


def _everywhere(document: Document) -> Iterator[Paragraph]:
    """Every paragraph of body, headers and footers, in tables and text boxes too."""
    from docx.oxml.ns import qn
    from docx.text.paragraph import Paragraph

    roots: list[Any] = [document._body._element]
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(("/header", "/footer")):
            part: Any = relation.target_part
            roots.append(part.element)
    for root in roots:
        for paragraph in list(root.iter(qn("w:p"))):
            yield Paragraph(paragraph, document)


def _write_words(paragraph: Paragraph, words: dict[str, str]) -> None:
    """Put words in place of their placeholders; one that is cut into runs goes into its first."""
    from docx.oxml.ns import qn

    for name, text in words.items():
        place, past = re.compile(rf"\{{\{{\s*{name}\s*\}}\}}"), 0
        while (found := place.search("".join(_texts(paragraph)), past)) is not None:
            start, end, at = found.start(), found.end(), 0
            # What has been put in is no placeholder, whatever it says.
            past = start + len(text)
            for node in paragraph._p.iter(qn("w:t")):
                said = node.text or ""
                first, last = max(start - at, 0), min(end - at, len(said))
                if first < last:
                    node.text = said[:first] + (text if at <= start else "") + said[last:]
                    node.set(qn("xml:space"), "preserve")
                at += len(said)


def _texts(paragraph: Paragraph) -> Iterator[str]:
    from docx.oxml.ns import qn

    for node in paragraph._p.iter(qn("w:t")):
        yield node.text or ""
