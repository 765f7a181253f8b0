"""Facts of a collective agreement, read from its text: rank, code, scopes, days, publication.

The last agreed day goes into `extra`, never into `repealed_on`: an agreement goes on in ultraactividad
(ET art. 86). An agreement published by a «Resolución» gets its own name, not that of the resolution.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from rag.law import dates
from rag.law.agreement_names import FUNCTIONAL, PERSONAL, RANK, TERRITORIAL
from rag.law.labels import fold
from rag.loaders import headings
from rag.loaders.lines import Paragraph
from rag.types import Norm
from rag.understanding.territory import comunidad

CODE, LAST_DAY, PUBLISHER = "codigo_convenio", "vigencia_hasta", "publicado_por"
SCOPES = {"funcional": FUNCTIONAL, "territorial": TERRITORIAL, "personal": PERSONAL}
HEAD = 12
LONGEST = 1500
SCOPE = 600
MAX_TITLE = 300

_NAME = r"(?:texto del )?(?P<name>(?:(?:[ivxlc]+|\w+o) )?convenio (?:colectivo|marco|estatal)\b.*)"
_TITLE = re.compile(_NAME)
_PUBLISHES = re.compile(
    r"(?:resolucion|acuerdo|anuncio)\b.*?\b(?:publi\w+|registr\w+|inscri\w+|deposit\w+)\b.{0,90}?\b"
    r"(?:el|del) " + _NAME
)
_AFTER = re.compile(r"\s*\(c[oó]digo\b.*", re.IGNORECASE)
_SENTENCE = re.compile(r"\b(?:es|son|sera|seran|tiene|se aplica|regula|obliga|afecta)\b")
_SCOPE = re.compile(r"\bambitos?\b")
_ON_TERM = re.compile(r"\b(?:vigencia|ambito temporal|duracion|entrada en vigor)\b")
_TITLE_END = re.compile(r"(?<=[.:])-?\s+")
_CODE = re.compile(r"codigo (?:de |del |numero |n\.? ?º? ?)*(?:(?:convenio|regcon)[^\d]{0,20})?(\d{14})\b")
_JOURNAL = re.compile(
    rf"bolet[ií]n oficial[^.;\n]{{0,90}}? (?:de|del d[ií]a) ({dates.SPELLED})", re.IGNORECASE
)
_DAY = rf"(?:el |del )?(?:d[ií]a )?({dates.ANY})"
# «Del 1 de enero de 2025 al 31 de diciembre de 2027», «rige desde… y termina el…».
_TERM = re.compile(
    rf"\b(?:del|desde|a partir de|efectos)\b[^\n]{{0,40}}?{_DAY}"
    rf"[^\n]{{0,60}}?\b(?:al|hasta|a|termina\w*|finaliza\w*) {_DAY}",
    re.IGNORECASE,
)
_OF_TERM = re.compile(r"\b(?:vigencia|vigor|efectos|duraci[oó]n|rige|regir[áa])\b", re.IGNORECASE)
_START = re.compile(
    rf"\b(?:entra(?:r[áa]n?)? en vigor|surtir[áa]n? efectos?)\b[^.\n]{{0,80}}?\b"
    rf"(?:desde |a partir de)?{_DAY}",
    re.IGNORECASE,
)
_END = re.compile(rf"\bhasta {_DAY}", re.IGNORECASE)


def completed(norm: Norm, paragraphs: Sequence[Paragraph]) -> Norm:
    """The norm with the facts of the agreement in its text; unchanged if no agreement is named."""
    name = _name(norm, paragraphs)
    if not name:
        return norm
    head = "\n".join([norm.title, *(paragraph.text for paragraph in paragraphs[:HEAD])])
    since, until = _term(paragraphs)
    code, journal = _CODE.search(fold(head)), _JOURNAL.search(head)
    scopes = _scopes(paragraphs)
    known = {
        CODE: code[1] if code else "",
        LAST_DAY: until.isoformat() if until else "",
        PUBLISHER: norm.title if name != norm.title and norm.rank else "",
        **scopes,
    }
    place = comunidad(name) or comunidad(scopes.get(TERRITORIAL, ""))
    own = norm.law in (norm.title, f"{norm.rank} {norm.number}".strip())
    return norm.model_copy(
        update={
            "title": name,
            "law": name if own else norm.law,
            "rank": RANK,
            "territory": place or norm.territory,
            "published": norm.published or (dates.parse(journal[1]) if journal else None),
            "valid_from": since if norm.rank else norm.valid_from or since,
            "extra": {**norm.extra, **{key: value for key, value in known.items() if value}},
        }
    )


def _name(norm: Norm, paragraphs: Sequence[Paragraph]) -> str:
    """Name of the agreement: the title, what the title publishes, or the name above articles on its scope."""
    found = _TITLE.match(fold(norm.title)) if not norm.rank else None
    found = found or _PUBLISHES.match(fold(norm.title))
    if found:
        return _spoken(_AFTER.sub("", norm.title[found.start("name") :]))
    if norm.rank or not any(
        _SCOPE.search(fold(p.text[:MAX_TITLE])) and headings.starts(p.text) for p in paragraphs
    ):
        return ""
    above = (p.text for p in paragraphs[:HEAD] if len(p.text) <= MAX_TITLE)
    return next((_spoken(t) for t in above if _TITLE.match(fold(t)) and not _SENTENCE.search(fold(t))), "")


def _spoken(name: str) -> str:
    """The name with a capital, without quotes and stops around it."""
    name = name.strip(' .»”"')
    return name[:1].upper() + name[1:]


def _term(paragraphs: Sequence[Paragraph]) -> tuple[date | None, date | None]:
    """First and last agreed day, by the article on them, or else by the first paragraph that tells them."""
    own = [text for title, text in _provisions(paragraphs) if _ON_TERM.search(title)]
    told = [*own, *(p.text for p in paragraphs if _OF_TERM.search(p.text[:LONGEST]))]
    term = next((found for text in told if (found := _TERM.search(text[:LONGEST]))), None)
    if term:
        return dates.parse(term[1]), dates.parse(term[2])
    start = next((found for text in told if (found := _START.search(text[:LONGEST]))), None)
    end = next((found for text in own if (found := _END.search(text[:LONGEST]))), None)
    return dates.parse(start[1]) if start else None, dates.parse(end[1]) if end else None


def _scopes(paragraphs: Sequence[Paragraph]) -> dict[str, str]:
    """Text of the articles on each kind of scope, at most SCOPE characters, cut at a word."""
    found: dict[str, str] = {}
    for title, whole in _provisions(paragraphs):
        kinds = [key for kind, key in SCOPES.items() if kind in title]
        if not _SCOPE.search(title) or (not kinds and "temporal" in title):
            continue
        text = whole if len(whole) <= SCOPE else whole[:SCOPE].rpartition(" ")[0] + " […]"
        if text and text not in found.values():
            found.setdefault(kinds[0] if kinds else FUNCTIONAL, text)
    return found


def _provisions(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[str, str]]:
    """The title of each provision, folded, and its text up to the next one."""
    title: list[str] = []
    said: list[str] = []
    for text in (*(paragraph.text for paragraph in paragraphs), None):
        if text is not None and not headings.starts(text):
            said.append(text)
            continue
        if title:
            yield fold(". ".join(title[:2])[:MAX_TITLE]), " ".join(" ".join([*title[2:], *said]).split())
        title, said = _TITLE_END.split(text or "", 2), []
