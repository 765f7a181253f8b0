"""Facts of a collective agreement, read from its text: rank, code, days in force, publication, comunidad.

Its last agreed day is kept apart (`extra`), never as an end: an agreement goes on in ultraactividad
(ET art. 86).
"""

import re
from collections.abc import Sequence

from rag.law import dates
from rag.law.labels import fold
from rag.loaders.lines import Paragraph
from rag.types import Norm
from rag.understanding.territory import comunidad

RANK = "Convenio colectivo"
CODE, LAST_DAY = "codigo_convenio", "vigencia_hasta"
HEAD = 12
LONGEST = 1500

_TITLE = re.compile(r"(?:(?:[ivxlc]+|\w+o) )?convenio (?:colectivo|marco|estatal)\b")
_CODE = re.compile(r"codigo (?:de |del |numero |n\.? ?º? ?)*(?:convenio|regcon)[^\d]{0,20}(\d{14})\b")
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
    """The norm with the facts of an agreement that it lacks; as it is when its title names none."""
    if norm.rank or not _TITLE.match(fold(norm.title)):
        return norm
    head = "\n".join(paragraph.text for paragraph in paragraphs[:HEAD])
    term = next((found for p in paragraphs if (found := _TERM.search(p.text[:LONGEST]))), None)
    start = next((found for p in paragraphs if (found := _START.search(p.text[:LONGEST]))), None)
    since = dates.parse(term[1]) if term else dates.parse(start[1]) if start else None
    until = dates.parse(term[2]) if term else None
    code, journal = _CODE.search(fold(head)), _JOURNAL.search(head)
    known = {CODE: code[1] if code else "", LAST_DAY: until.isoformat() if until else ""}
    return norm.model_copy(
        update={
            "rank": RANK,
            "territory": comunidad(norm.title) or norm.territory,
            "published": norm.published or (dates.parse(journal[1]) if journal else None),
            "valid_from": norm.valid_from or since,
            "extra": {**norm.extra, **{key: value for key, value in known.items() if value}},
        }
    )
