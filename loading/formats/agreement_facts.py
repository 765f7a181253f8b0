"""Facts of a collective agreement, read from its text: rank, code, scopes, term, publication.

The last agreed day goes into `extra`, never into `repealed_on`: an agreement goes on in ultraactividad
(ET art. 86). An agreement published by a «Resolución» gets its own name, not that of the resolution.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from law.agreement_names import AFTERWARDS, FUNCTIONAL, LAST_DAY, PERSONAL, RANK, TERRITORIAL
from law.labels import fold
from law.norms import Norm
from lexicon.territories import comunidad, town
from loading.formats import agreement_term, headings, norm_facts
from loading.formats.broken_lines import Paragraph
from loading.formats.journal import read_journal

CODE, JOURNAL, PUBLISHER = "codigo_convenio", "boletin", "publicado_por"
SCOPES = {"funcional": FUNCTIONAL, "territorial": TERRITORIAL, "personal": PERSONAL}
HEAD = 12
SCOPE = 600
MAX_TITLE = 300

_NAME = r"(?:texto del )?(?P<name>(?:(?:[ivxlc]+|\w+o) )?convenio (?:colectivo|marco|estatal)\b.*)"
_TITLE = re.compile(_NAME)
_TABLES = re.compile(r"tablas? (?:salarial\w*|retributiv\w*|de (?:salarios|retribuciones))\b")
_TABLES_OF = re.compile(rf"(?:anexo\b.{{0,20}}?\b)?{_TABLES.pattern}.{{0,80}}?\b(?:del?|al?|[-–.:]) ?{_NAME}")
_PUBLISHES = re.compile(
    r"(?:resolucion|acuerdo|anuncio)\b.*?\b(?:publi\w+|registr\w+|inscri\w+|deposit\w+)\b.{0,90}?\b"
    r"(?:el|del) " + _NAME
)
_AFTER = re.compile(r"\s*\(c[oó]digo\b.*", re.IGNORECASE)
_SHORT = re.compile(r"\.[^\W\d_]\.$")
_SENTENCE = re.compile(r"\b(?:es|son|sera|seran|tiene|se aplica|regula|obliga|afecta)\b")
_SCOPE = re.compile(r"\bambitos?\b")
_TITLE_END = re.compile(r"(?<=[.:])-?\s+")
_EVERYWHERE = re.compile(r"\b(?:nacional|estatal|estado|espanol[a]?|espana)\b")
_CODE = re.compile(r"\bcodigo\b(?:(?!verific|segur|expedient)[^\d\n]){1,40}(\d{14})\b")


def completed(norm: Norm, paragraphs: Sequence[Paragraph], heads: Sequence[str] = ()) -> Norm:
    """The norm with the facts of the agreement in its text; unchanged if no agreement is named.

    Args:
        heads: lines that its pages repeat over their text.
    """
    name = _name(norm, paragraphs)
    if not name:
        return norm
    head = "\n".join([*heads, norm.title, *(paragraph.text for paragraph in paragraphs[:HEAD])])
    provisions = list(_provisions(paragraphs))
    code, journal = _CODE.search(fold(head)), read_journal(head.split("\n"))
    passed = norm_facts.title(norm.title)
    printed = norm.published if not passed or norm.published != passed.day else None
    term = agreement_term.read_term(
        provisions, [paragraph.text for paragraph in paragraphs], norm.title, journal.day or printed
    )
    scopes = _scopes(provisions)
    known = {
        CODE: code[1] if code else "",
        JOURNAL: journal.name,
        LAST_DAY: term.until.isoformat() if term.until else "",
        AFTERWARDS: term.after,
        PUBLISHER: norm.title if name != norm.title and norm.rank else "",
        **scopes,
    }
    told_scope = scopes.get(TERRITORIAL, "")
    place = comunidad(name) or comunidad(told_scope) or town(name)
    if not place and not _EVERYWHERE.search(fold(told_scope)):
        place = town(told_scope)
    told = None if norm.valid_from == norm.published else norm.valid_from
    own = norm.law in (norm.title, f"{norm.rank} {norm.number}".strip())
    return norm.model_copy(
        update={
            "title": name,
            "law": name if own else norm.law,
            "rank": RANK,
            "territory": place or norm.territory,
            "published": journal.day or norm.published,
            "valid_from": term.since if norm.rank else told or term.since,
            "extra": {**norm.extra, **{key: value for key, value in known.items() if value}},
        }
    )


def named(lines: Sequence[str]) -> str:
    """The name of the agreement that lines over its tables give, with what they say the tables are; or ''."""
    name = next((line for line in lines if _is_name(line) or _TABLES_OF.match(fold(line))), "")
    tables = next((line for line in lines if name != line and _TABLES.match(fold(line))), "")
    return f"{name.rstrip(' .')}. {tables}" if name and tables else name


def _is_name(text: str) -> bool:
    folded = fold(text)
    return len(text) <= MAX_TITLE and bool(_TITLE.match(folded)) and not _SENTENCE.search(folded)


def _name(norm: Norm, paragraphs: Sequence[Paragraph]) -> str:
    """Name of the agreement: the title, what the title publishes, or the name above articles on its scope."""
    if not norm.rank and _TABLES_OF.match(fold(norm.title)):
        return _spoken(norm.title)
    found = _TITLE.match(fold(norm.title)) if not norm.rank else None
    found = found or _PUBLISHES.match(fold(norm.title))
    if found:
        return _spoken(_AFTER.sub("", norm.title[found.start("name") :]))
    if norm.rank or not any(
        _SCOPE.search(fold(p.text[:MAX_TITLE])) and headings.starts(p.text) for p in paragraphs
    ):
        return ""
    return next((_spoken(p.text) for p in paragraphs[:HEAD] if _is_name(p.text)), "")


def _spoken(name: str) -> str:
    """The name with a capital, without quotes and stops around it but that of an abbreviation («S.L.»)."""
    short = _SHORT.search(name.strip(' »”"'))
    name = name.strip(' .»”"') + ("." if short else "")
    return name[:1].upper() + name[1:]


def _scopes(provisions: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Text of the articles on each kind of scope, at most SCOPE characters, cut at a word."""
    found: dict[str, str] = {}
    for title, whole in provisions:
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
