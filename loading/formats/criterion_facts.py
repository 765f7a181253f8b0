"""Facts that a criterion or an answer to a consultation of the administration gives of itself."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from law.decisions import CRITERIA, LAW
from law.labels import fold
from law.norms import Norm
from loading.formats import generated_ids, ruling_head
from loading.formats.broken_lines import Paragraph
from loading.formats.ruling_facts import MAX_TITLE, first_line
from loading.formats.ruling_head import HEAD, MAX_VALUE, full_year, labelled

CRITERION, CONSULTATION = "Criterio de gestión", "Consulta"
CLOSING = 6
"""Last paragraphs in which the day may stand when the head does not give it."""


class _Body(NamedTuple):
    """A body of the administration: its name, and how the name of its criteria goes on."""

    name: str
    of: str


_BODIES = (
    _Body("Instituto Nacional de la Seguridad Social", "del INSS"),
    _Body("Dirección General de Ordenación de la Seguridad Social", "de la DGOSS"),
    _Body("Tesorería General de la Seguridad Social", "de la TGSS"),
    _Body("Instituto Social de la Marina", "del ISM"),
    _Body("Servicio Público de Empleo Estatal", "del SEPE"),
    _Body("Fondo de Garantía Salarial", "del FOGASA"),
    _Body("Inspección de Trabajo y Seguridad Social", "de la ITSS"),
)
_INITIALS = {body.of.rpartition(" ")[2].lower(): body for body in _BODIES}
_OTHERS = re.compile(
    r"(?:subsecretaria|secretaria general|direccion general) (?:tecnica|de(?:l| la)? [a-z ]{3,60})$"
)
_NTH = r"(?:n\s?[.ºo°]*\s?|num(?:ero|\.)?\s?)?"
_CODED = r"[a-z]{2,6}(?:-[a-z0-9]+)*-?\d[a-z0-9/-]*"
_NUMBER = re.compile(
    r"(?P<kind>criterio(?: de gestion| interpretativo| tecnico| operativo)?"
    r"|(?:respuesta a la )?consulta(?: vinculante)?"
    rf"|(?:n[.ºo°]*|num(?:ero|\.)) (?:de )?(?:consulta|criterio)(?: de gestion)?|referencia)\s*{_NTH}[:.]?\s*"
    rf"(?P<number>\d{{1,4}}\s?/\s?(?:\d{{4}}|\d{{2}})\b|{_CODED})"
)
_DAY_LABEL = r"fecha(?: de (?:la )?(?:emision|criterio|consulta|respuesta|firma|publicacion))?"
_STATE = re.compile(r"Estado\s*:\s*(Vigente|Derogado|Sustituido)", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:asunto|materia|titulo)\s*:\s*(?=\S.{4})")
_BARE = re.compile(
    r"(?:criterio(?: de gestion| interpretativo)?|consulta|respuesta|cuesti(?:on|ones)(?: planteadas?)?"
    r"|fundamentos?|supuesto)[:.]?|(?:1\.|primer[oa]\.) .*"
)
_QUOTED = re.compile(r"«[^«»]*»|“[^“”]*”|\"[^\"]*\"")
_SENTENCE = re.compile(r"(?<=[.;:])\s+(?=[A-ZÁÉÍÓÚÑ¿\d])|\n")
_DATED = r"(?:, (?:de )?(?:fecha )?(?:de )?\d{1,2} de [a-z]+(?: de \d{4})?,?)?"
_ONE = rf"(?:n[.ºo°]* ?|num\. ?|numero )?\d{{1,4}}/\d{{2,4}}{_DATED}"
_KINDS = r"criterios?(?: de gestion| interpretativos?| tecnicos?)?"
_CRITERIA = (
    rf"(?:el |los |al |a los )?(?:(?:citad|anterior|referid)\w*\s)*{_KINDS}(?: del? (?:inss|la \w+))? "
    rf"(?P<numbers>{_ONE}(?:(?:,| y| e|, y|,? asi como)? (?:el |los |al )?(?:{_KINDS} )?{_ONE})*)"
)
_GONE = r"(?:sin efecto|derogad\w+|anulad\w+|sustituid\w+|revocad\w+)"
_ENDS = r"(?:deja|dejan|deroga|derogan|anula|anulan|sustituye|sustituyen|revoca|revocan)"
_ITSELF = (
    r"(?:\b(?:el presente|este|este nuevo|la presente)"
    r"(?: (?:criterio(?: de gestion)?|documento|texto|consulta))?(?: \d{1,4}/\d{4})?,? (?:y )?"
    r"|^\W*(?:\d{1,2}[.ºª)-]+ ?)*)"
)
# «El criterio 7/2021 deja sin efecto el 3/2019» tells of another one, and is none of these.
_REPLACED = (
    re.compile(rf"\b(?:se {_ENDS}|quedan?)(?: (?:expresamente|por tanto|{_GONE}),?)* {_CRITERIA}"),
    re.compile(
        rf"{_ITSELF}(?:deja sin efecto|sustituye|deroga|anula|reemplaza|revoca)"
        rf"(?: expresamente| y deja sin efecto)? {_CRITERIA}"
    ),
    re.compile(
        rf"{_CRITERIA}\W*(?:que )?"
        rf"(?:se dejan? sin efecto|quedan? (?:\w+mente )?{_GONE}|se (?:deroga|anula|revoca)n?\b)"
    ),
    re.compile(
        rf"\bse (?:revisa|modifica|rectifica)n? {_CRITERIA}[^.;]{{0,80}}?"
        r"\b(?:y|que) (?:se dejan?|quedan?) sin efecto"
    ),
    re.compile(rf"\b(?:se acuerda|procede) (?:dejar sin efecto|derogar|anular|sustituir) {_CRITERIA}"),
)
_DOUBT = re.compile(
    r"\b(?:no|ni|si|cuando|aunque|hasta que|podra\w*|pretend\w+|solicit\w+|pid\w+)\b[^,]*$"
    r"|\b(?:si|en caso de que|salvo que)\b"
)
_ORDER = re.compile(r"(\d{1,4})/(\d{4}|\d{2})\b")


def criterion(paragraphs: Sequence[Paragraph], name: str, collection: str) -> Norm | None:
    """The criterion or consultation, or None for something else.

    It must name itself «Criterio de gestión 5/2031», or be asked for as one.
    """
    head = _head(paragraphs)
    opening = " ".join(head[:4])
    if collection != CRITERIA and not re.match(r".{0,80}\bcriterio de gesti[óo]n\b", opening, re.IGNORECASE):
        return None
    found = next(
        (told for line in head if len(line) <= MAX_VALUE and (told := _NUMBER.match(fold(line)))), None
    )
    number = _spelled(found["number"]) if found else ""
    named = found and found["kind"] != "referencia"
    consulted = "consulta" in found["kind"] if found and named else _is_answer(head)
    body = _body(head)
    kind = CONSULTATION if consulted else "Criterio"
    short = f"{kind} {number}" if number else ""
    subject = _subject(head)
    day = _day(head, paragraphs, found)
    state = _STATE.search("\n".join(head))
    title = ". ".join(filter(None, (short, subject))) or first_line(paragraphs, name)
    extra = {
        "criterion_number": number,
        "date": day.isoformat() if day else "",
        "state": state.group(1).capitalize() if state else "Vigente",
        "organo": body.name if body else "",
        "replaces": ", ".join(one for one in dict.fromkeys(_replaced(paragraphs)) if one != number),
    }
    return Norm(
        id=generated_ids.slug(short or name.rpartition(".")[0] or title, generated_ids.NORM_LENGTH),
        collection=CRITERIA if collection == LAW else collection,
        title=title,
        law=f"{short} {body.of}" if short and body else title,
        alias=short,
        rank=CONSULTATION if consulted else CRITERION,
        number=number,
        department=extra["organo"],
        published=day,
        valid_from=day,
        status=extra["state"],
        extra={key: value for key, value in extra.items() if value},
    )


def _head(paragraphs: Sequence[Paragraph]) -> list[str]:
    """The lines before the first section, which comes after a labelled line."""
    told: list[str] = []
    for line in ruling_head.lines(paragraphs[:HEAD]):
        if _BARE.fullmatch(fold(line)) and any(": " in before for before in told):
            return told
        told.append(line)
    return told


def _spelled(number: str) -> str:
    """«15/2021» of «015 / 2021»; a code in capitals."""
    numbered = re.fullmatch(r"0*(\d+)\s?/\s?(\d+)", number)
    return f"{numbered[1]}/{full_year(numbered[2])}" if numbered else number.upper().rstrip("/-")


def _is_answer(head: Sequence[str]) -> bool:
    told = fold("\n".join(head))
    return "criterio de gestion" not in told and re.search(r"\bconsulta\b", told) is not None


def _body(head: Sequence[str]) -> _Body | None:
    """The body whose name begins a line of the head, else the only one that the head speaks of."""
    for line in head:
        told = re.sub(r"^(?:organo|emisor|centro directivo|organismo)\s*:\s*", "", fold(line).strip(" ."))
        found = next((body for body in _BODIES if told.startswith(fold(body.name))), _INITIALS.get(told))
        if found:
            return found
        if _OTHERS.match(told):
            name = _named(line)
            return _Body(name, f"de la {name}")
    words = fold("\n".join(head))
    known = (rf"\b{initials}\b|{fold(body.name)}" for initials, body in _INITIALS.items())
    spoken = [body for body, name in zip(_BODIES, known, strict=True) if re.search(name, words)]
    return spoken[0] if len(spoken) == 1 else None


def _named(line: str) -> str:
    """«Dirección General de Trabajo» of a line all in capitals."""
    return ruling_head.titled(line.rpartition(":")[2].strip(" ."))


def _subject(head: Sequence[str]) -> str:
    told = next((line[found.end() :] for line in head if (found := _SUBJECT.match(fold(line)))), "")
    return told.rstrip(". ")[:MAX_TITLE]


def _day(head: Sequence[str], paragraphs: Sequence[Paragraph], number: re.Match[str] | None) -> date | None:
    """The labelled day, the one beside the number, or that of the line that says where it is signed."""
    told = ruling_head.day(labelled(head, _DAY_LABEL)[:60]) or (_beside(number) if number else None)
    lines = (*head, *(p.text for p in reversed(paragraphs[-CLOSING:])))
    seats = (seat.day for line in lines if (seat := ruling_head.seat(line)))
    return told or next(seats, None)


def _beside(number: re.Match[str]) -> date | None:
    """The day of «15/2021, de 22 de junio»."""
    rest = number.string[number.end() :]
    found = re.match(r",? (?:de )?(?:fecha )?(?:de )?(?=\d)", rest)
    year = _ORDER.search(number["number"])
    return ruling_head.day(rest[found.end() :][:40], full_year(year[2]) if year else None) if found else None


def _replaced(paragraphs: Sequence[Paragraph]) -> Iterator[str]:
    """Numbers of the criteria that the text, not a quotation or a hypothesis, leaves without effect."""
    for paragraph in paragraphs:
        for sentence in _SENTENCE.split(_QUOTED.sub(" ", paragraph.text)):
            folded = fold(sentence)
            for found in (one for pattern in _REPLACED for one in pattern.finditer(folded)):
                if not _DOUBT.search(folded[max(0, found.start() - MAX_VALUE) : found.start()]):
                    numbers = _ORDER.findall(found["numbers"])
                    yield from (f"{int(order)}/{full_year(year)}" for order, year in numbers)
