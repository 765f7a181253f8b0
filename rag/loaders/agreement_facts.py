"""Facts of a collective agreement, read from its text: rank, code, scopes, days, publication.

Its last agreed day is kept apart (`extra`), never as an end: an agreement goes on in ultraactividad
(ET art. 86). One that a «Resolución … por la que se publica» holds is called by its own name.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from rag.law import dates
from rag.law.labels import fold
from rag.loaders import headings
from rag.loaders.lines import Paragraph
from rag.types import Norm
from rag.understanding.agreements import RANK
from rag.understanding.territory import comunidad

CODE, LAST_DAY, PUBLISHER = "codigo_convenio", "vigencia_hasta", "publicado_por"
FUNCTIONAL = "ambito_funcional"
SCOPES = {
    "funcional": FUNCTIONAL,
    "territorial": "ambito_territorial",
    "personal": "ambito_personal",
}
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
_HEADING = re.compile(r"[áa]mbitos?\b[^.:]*[.:]-?", re.IGNORECASE)
_CODE = re.compile(r"codigo (?:de |del |numero |n\.? ?º? ?)*(?:(?:convenio|regcon)[^\d]{0,20})?(\d{14})\b")
_JOURNAL = re.compile(
    rf"bolet[ií]n oficial[^.;\n]{{0,90}}? (?:de|del d[ií]a) ({dates.SPELLED})", re.IGNORECASE
)
_DAY = rf"(?:el |del )?(?:d[ií]a )?({dates.ANY})"
_TERM = re.compile(
    rf"\b(?:vigencia|vigor|efectos|duraci[oó]n)\b[^\n]{{0,200}}?\b(?:desde |a partir de)?{_DAY}"
    rf"[^\n]{{0,60}}?\b(?:al|hasta|a) {_DAY}",
    re.IGNORECASE,
)
_START = re.compile(
    rf"\b(?:entrar[áa]n? en vigor|surtir[áa]n? efectos?)\b[^.\n]{{0,80}}?\b(?:desde |a partir de)?{_DAY}",
    re.IGNORECASE,
)


def completed(norm: Norm, paragraphs: Sequence[Paragraph]) -> Norm:
    """The norm with the facts of an agreement that it lacks; as it is when its text names none."""
    name = _name(norm, paragraphs)
    if not name:
        return norm
    head = "\n".join([norm.title, *(paragraph.text for paragraph in paragraphs[:HEAD])])
    term = next((found for p in paragraphs if (found := _TERM.search(p.text[:LONGEST]))), None)
    start = next((found for p in paragraphs if (found := _START.search(p.text[:LONGEST]))), None)
    since = dates.parse(term[1]) if term else dates.parse(start[1]) if start else None
    until = dates.parse(term[2]) if term else None
    code, journal = _CODE.search(fold(head)), _JOURNAL.search(head)
    scopes = _scopes(paragraphs)
    known = {
        CODE: code[1] if code else "",
        LAST_DAY: until.isoformat() if until else "",
        PUBLISHER: norm.title if name != norm.title and norm.rank else "",
        **scopes,
    }
    place = comunidad(name) or comunidad(scopes.get(SCOPES["territorial"], ""))
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
    """The name with a capital and without its last stop."""
    name = name.strip(' .»”"')
    return name[:1].upper() + name[1:]


def _scopes(paragraphs: Sequence[Paragraph]) -> dict[str, str]:
    """Text of the articles on each kind of scope, at most SCOPE characters."""
    found: dict[str, str] = {}
    for place, paragraph in enumerate(paragraphs):
        title = fold(paragraph.text[:MAX_TITLE])
        if not (headings.starts(paragraph.text) and _SCOPE.search(title)):
            continue
        text = _scope(paragraph, paragraphs[place + 1 :])
        kinds = [key for kind, key in SCOPES.items() if kind in title] or [FUNCTIONAL]
        if text and text not in found.values():
            found = {kinds[0]: text} | found
    return found


def _scope(heading: Paragraph, following: Sequence[Paragraph]) -> str:
    """The words after the heading's own, up to the next provision, cut at a word."""
    own = _HEADING.search(heading.text)
    said = [heading.text[own.end() :]] if own else []
    said += takewhile(lambda text: not headings.starts(text), (p.text for p in following))
    text = " ".join(" ".join(said).split())
    return text if len(text) <= SCOPE else text[:SCOPE].rpartition(" ")[0] + " […]"
