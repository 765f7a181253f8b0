"""Facts from the head of a judgment or of an administrative criterion."""

import re
from collections.abc import Sequence
from datetime import date

from rag.law import dates
from rag.law.labels import fold
from rag.loaders import ids
from rag.loaders.lines import Paragraph
from rag.types import Norm

JUDGMENTS, CRITERIA = "sentencias", "criterios_inss"
HEAD = 60
MAX_TITLE = 160

_ECLI = re.compile(
    r"ECLI\s*:?\s*(?P<ecli>ECLI:[A-Z]{2}:[A-Z0-9]{1,10}:\d{4}:[\w.]+|ES:[A-Z]{2,7}:\d{4}:\w+)|(?P<bare>ECLI:[A-Z]{2}:[A-Z0-9]{1,10}:\d{4}:[\w.]+)"
)
_COURTS = {
    "TS": "Tribunal Supremo", "TC": "Tribunal Constitucional", "AN": "Audiencia Nacional",
    "TJUE": "Tribunal de Justicia de la Unión Europea",
}  # fmt: skip
_ALIASES = {"Tribunal Supremo": "STS", "Tribunal Constitucional": "STC", "Audiencia Nacional": "SAN"}
_COURT = re.compile(
    r"TRIBUNAL\s*SUPREMO|TRIBUNAL CONSTITUCIONAL|AUDIENCIA NACIONAL"
    r"|TRIBUNAL SUPERIOR DE JUSTICIA(?: DE [A-ZÁÉÍÓÚÑ ,-]+)?"
    r"|JUZGADO DE LO SOCIAL(?: N[.ºO°]* ?\d+)?[^.,\n]{0,40}"
    # Since the Ley Orgánica 1/2025 (first additional provision) those courts are its sections.
    r"|SECCI[ÓO]N DE LO SOCIAL DEL TRIBUNAL DE INSTANCIA[^.,\n]{0,40}",
    re.IGNORECASE,
)
_CHAMBER = re.compile(
    r"\bSala (?:de lo )?(?:Social|Civil|Penal|Contencioso[- ]Administrativo|Cuarta|Segunda|Primera|Tercera)\b"
    r"|\bPleno\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:Sentencia|STS|STC|SAN|STSJ|Resoluci[óo]n)\s*(?:n[úu]m(?:ero)?\.?|n\.?º|N[ºo°]\.?)?\s*:?\s*(\d{1,5}/\d{4})",
    re.IGNORECASE,
)
_APPEAL = re.compile(
    r"(?:N\.?[ºo°]\.? de Recurso|Recurso(?: de [\wáéíóúñ ]+?)? n[úu]m\.?|rcud\.?|Rec\.)"
    r"\s*:?\s*(\d{1,6}/\d{4})",
    re.IGNORECASE,
)
_NAME = r"[A-ZÁÉÍÓÚÑ][\wáéíóúñÁÉÍÓÚÑ'-]+"
_SPEAKER = re.compile(
    r"[Pp](?:onente|ONENTE)\s*:?\s*(?:(?:Excm|Ilm)[oa]s?\.?\s*)?(?:Sra?\.?\s*)?(?:(?:D\.ª|Dª\.?|Dña\.|D\.|Don|Doña)\s*)?"
    rf"(?P<name>{_NAME}(?: (?:de |del |de la |y )?{_NAME}){{1,5}})"
)
_LABELLED = re.compile(
    rf"(?:Fecha(?: de (?:la )?(?:sentencia|resoluci[óo]n|emisi[óo]n))?)\s*:?\s*({dates.ANY})", re.IGNORECASE
)
_SEAT = re.compile(rf"\b(?:En|En la ciudad de) [A-ZÁÉÍÓÚ][\wáéíóúñ ]{{2,30}},? a ({dates.ANY})")
_OF = re.compile(rf"\bde (?:fecha )?({dates.SPELLED})")
_CRITERION = re.compile(
    r"(?:criterio(?: de gesti[óo]n| interpretativo| t[ée]cnico)?|consulta)"
    r"\s*(?:n[úu]m(?:ero)?\.?|n\.?º|N[ºo°])?\s*:?\s*(\d{1,4}/\d{2,4})",
    re.IGNORECASE,
)
_STATE = re.compile(r"Estado\s*:\s*(Vigente|Derogado|Sustituido)", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:Asunto|Materia|T[íi]tulo)\s*:\s*(.{5,300})", re.IGNORECASE)
_SPACED = re.compile(r"\b(?:[A-ZÁÉÍÓÚÑ] ){3,}[A-ZÁÉÍÓÚÑ]\b")


def judgment(paragraphs: Sequence[Paragraph], name: str, collection: str) -> Norm | None:
    """The judgment, or None for something else: it must give its ECLI, or be asked for as one."""
    head = _head(paragraphs)
    ecli = _ecli(head)
    if collection != JUDGMENTS and not (ecli and _COURT.search(head)):
        return None
    court = _court(head, ecli)
    chamber = _CHAMBER.search(head)
    number = _NUMBER.search(head)
    day = _day(head, paragraphs)
    short = f"{_ALIASES.get(court, 'Sentencia')} {number.group(1)}" if number else ""
    title = ", de ".join(filter(None, (short, dates.spelled(day) if day else ""))) or _first(paragraphs, name)
    speaker = _SPEAKER.search(head)
    appeal = _APPEAL.search(head)
    extra = {
        "court": court,
        "chamber": chamber.group().title().replace("De Lo", "de lo") if chamber else "",
        "date": day.isoformat() if day else "",
        "ecli": ecli,
        "ponente": speaker.group("name") if speaker else "",
        "recurso": appeal.group(1) if appeal else "",
    }
    return Norm(
        id=ids.slug(ecli or short or name.rpartition(".")[0] or title, ids.NORM_LENGTH),
        collection=collection,
        title=title,
        law=title,
        alias=short,
        rank="Sentencia",
        number=number.group(1) if number else "",
        published=day,
        valid_from=day,
        status="Firme" if court in {"Tribunal Supremo", "Tribunal Constitucional"} else "Vigente",
        extra={key: value for key, value in extra.items() if value},
    )


def criterion(paragraphs: Sequence[Paragraph], name: str, collection: str) -> Norm | None:
    """The criterion, or None: it must name itself «Criterio de gestión 5/2031», or be asked for as one."""
    head = _head(paragraphs)
    opening = " ".join(p.text for p in paragraphs[:4])
    if collection != CRITERIA and not re.match(r".{0,80}\bcriterio de gesti[óo]n\b", opening, re.IGNORECASE):
        return None
    number = _CRITERION.search(head)
    day = _day(head, paragraphs)
    state = _STATE.search(head)
    subject = _SUBJECT.search(head)
    short = f"Criterio {number.group(1)}" if number else ""
    subject_text = subject.group(1).split("\n")[0].rstrip(". ")[:MAX_TITLE] if subject else ""
    title = ". ".join(filter(None, (short, subject_text))) or _first(paragraphs, name)
    extra = {
        "criterion_number": number.group(1) if number else "",
        "date": day.isoformat() if day else "",
        "state": state.group(1).capitalize() if state else "Vigente",
    }
    return Norm(
        id=ids.slug(f"{short or name.rpartition('.')[0] or title}", ids.NORM_LENGTH),
        collection=collection,
        title=title,
        law=f"{short} del INSS"
        if short and re.search(r"\bINSS\b|Instituto Nacional de la Seguridad Social", head)
        else title,
        alias=short,
        rank="Criterio de gestión",
        number=extra["criterion_number"],
        published=day,
        valid_from=day,
        status=extra["state"],
        extra={key: value for key, value in extra.items() if value},
    )


def _head(paragraphs: Sequence[Paragraph]) -> str:
    """The first lines, with letter-spaced words joined."""
    text = "\n".join(p.text for p in paragraphs[:HEAD])
    return _SPACED.sub(lambda match: match.group().replace(" ", ""), text)


def _ecli(head: str) -> str:
    found = _ECLI.search(head)
    if found is None:
        return ""
    value = (found.group("ecli") or found.group("bare")).rstrip(".")
    return value if value.startswith("ECLI:") else f"ECLI:{value}"


def _court(head: str, ecli: str) -> str:
    code = ecli.split(":")[2] if ecli.count(":") >= 4 else ""
    if code in _COURTS:
        return _COURTS[code]
    found = _COURT.search(head)
    if found is None:
        return "Tribunal Superior de Justicia" if code.startswith("TSJ") else ""
    words = " ".join(found.group().split())
    compact = fold(words).replace(" ", "")
    if compact == "tribunalsupremo":
        return "Tribunal Supremo"
    small = {"De": "de", "La": "la", "Lo": "lo", "Del": "del", "Y": "y"}
    return " ".join(small.get(word, word) for word in words.title().split()).rstrip(" ,-")


def _day(head: str, paragraphs: Sequence[Paragraph]) -> date | None:
    tail = "\n".join(p.text for p in paragraphs[-10:])
    for text, pattern in ((head, _LABELLED), (head, _SEAT), (tail, _SEAT), (head, _OF)):
        if (found := pattern.search(text)) and (day := dates.parse(found.group(1))):
            return day
    return None


def _first(paragraphs: Sequence[Paragraph], name: str) -> str:
    first = next((p.text for p in paragraphs if any(map(str.isalpha, p.text))), "")
    stem = name.rpartition(".")[0].replace("_", " ")
    return first.rstrip(". ") if 0 < len(first) <= MAX_TITLE else stem or first[:MAX_TITLE]
