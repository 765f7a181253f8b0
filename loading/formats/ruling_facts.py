"""Facts that the head of a judgment or an order gives of it; the rulings that it cites give none."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from law import dates
from law.decisions import JUDGMENTS, LAW
from law.labels import fold
from law.norms import Norm
from loading.formats import courts, generated_ids, ruling_head
from loading.formats.broken_lines import Paragraph
from loading.formats.courts import Court
from loading.formats.ruling_head import HEAD, MAX_VALUE, despaced, labelled

JUDGMENT, ORDER = "Sentencia", "Auto"
MAX_TITLE = 160
CLOSING = 12
"""Paragraphs after the ruling's decision in which its day may stand."""

_CODE = r"[A-Z0-9]{1,10}:\d{4}:[\w.]+"
_ECLI = re.compile(rf"ECLI\s*:?\s*(?:ECLI:)?(?P<ecli>[A-Z]{{2}}:{_CODE})")
_LISTED = re.compile(r"(?:\W|\d){0,5}(?:Roj|ECLI|[SA][A-Z]{1,4}(?: [A-Z]{1,4})? \d{1,6}/\d{4})\b.{0,200}$")
_CENDOJ = re.compile(r"Cendoj\s*:?\s*(\d{20})\b")
_ROJ = re.compile(r"Roj\s*:?\s*(?P<roj>(?P<kind>[SA])(?P<code>[A-Z]{1,4}(?: [A-Z]{1,4})?) \d{1,6}/\d{4})\b")
_APART = r"(?:^|(?<=[.\-–—|;] ))"
_NUM = r"(?:n[.ºo°]*|num(?:ero|\.))"
_NTH = r"(?:n\s?[.ºo°ª]*\s?|num(?:ero|\.)?\s?)?"
_DIGITS = r"(?P<order>\d{1,3}\.\d{3}|\d{1,7})\s?/\s?(?P<year>\d{4}|\d{2})(?![\d/])"
# In order: a labelled number, one after «Sentencia», one of a title, «STS 498/2018, 10 de Mayo de 2018».
_NUMBERS = (
    re.compile(
        rf"(?:{_NUM} (?:de )?(?:la )?(?:resolucion|sentencia|auto)"
        rf"|resolucion\s*:?\s*(?:sentencia |auto )?{_NTH})\s*:?\s*{_DIGITS}"
    ),
    re.compile(
        r"(?:.*?[.\-–—|;] )??(?:sentencia|sent\.?|auto)(?: (?:definitiva|firme|social))?"
        rf"\s*{_NTH}[.:\s]*{_DIGITS}(?! ?,? (?:dictad|recaid|de instancia))"
    ),
    re.compile(rf"[sa](?:tsj|ts|tc|an|js|ap)\b[^\d/,]{{0,40}}{_DIGITS}"),
    re.compile(rf"(?:tribunal|audiencia|juzgado)\b\D{{0,100}}, (?:sentencia|auto) {_NTH}{_DIGITS}"),
)
_CASE = r"c-\d+/\d\d"
_CASES = re.compile(
    r"(?:(?:(?:sentencia|auto) de [\d. ]{6,14}\W+)?(?:en )?(?:el |los )?asuntos?(?: acumulados)?"
    r"|(?:sentencia|auto) del tribunal\b.*?)\W+"
    rf"(?P<cases>{_CASE}(?:(?: ?,| y| a| e)+ {_CASE})*)"
)
_APPEAL_NUMBER = r"(?P<order>\d{1,7}) ?(?P<sign>[/-]) ?(?P<year>\d{4}|\d{2})\b"
_ONE = re.sub(r"\?P<\w+>", "?:", _APPEAL_NUMBER)
_APPEAL = re.compile(
    rf"{_APART}(?:en )?(?:el |los )?(?:[a-z]{{2,4}} )?(?:(?:tipo y )?{_NTH} ?(?:del? )?)?"
    r"(?P<kind>recursos?|rec\.|r\.?c\.?u\.?d\.?|rollo|casacion|unificacion|cuestion de inconstitucionalidad"
    r"|procedimiento|autos|demanda|conflictos? colectivos?)\b(?P<gap>\D{0,90}?)"
    rf"(?P<numbers>{_ONE}(?:(?:,| y|;) {_NTH}{_ONE})*)"
)
_ANOTHERS = re.compile(r"origen|contra|sentencia|instancia|procedencia|frente")
_FIRST_INSTANCE = ("autos", "demanda")
_PROCEEDINGS = re.compile(r"[a-z]{2,4} procedimiento")
# «DSP DESPIDO/CESES EN GENERAL 0000077 /2020», as the courts' program heads a ruling.
_PROGRAM = re.compile(rf"[a-z]{{2,3}} [a-z /.,]{{5,60}}(?=0\d{{6}})(?P<numbers>{_ONE})$")
_DAY_LABEL = r"fecha(?: (?:del? )?(?:la )?(?:sentencia|resolucion|auto|emision|firma))?"
_OF = re.compile(r",? ?(?:de )?(?:fecha )?(?=\d{1,2}[ºª]?\.? (?:de )?[a-z]{3,10}|\d{1,2}[/.-]\d)")
_EUROPEAN_DAY = re.compile(r"(?:(?:sentencia|auto) del tribunal de justicia.*?\b|\W*)de (?=\d{1,2} de )")
_CHAMBER = re.compile(
    r"\b(?:(?P<social>sala (?:de lo |do |de lo do )?social|sala (?:cuarta|4ª)(?=,? (?:\(|de lo )social|\W*$))"
    r"|sala (?:de lo )?(?P<matter>civil|penal|contencioso[- ]administrativo|militar)|(?P<grand>gran sala)"
    r"|sala (?P<nth>primera|segunda|tercera|cuarta|quinta|sexta|septima|octava|novena|decima))\b"
)
_PLENARY = re.compile(
    r"\W*pleno\W*|.*\bconstituida en pleno\b.*|.*\bpleno\. sentencia\b.*"
    r"|(?:el )?pleno del tribunal constitucional\b.*"
)
HONOURS = (
    r"(?:(?:[Ee]l|[Ll]a|EL|LA|(?:Excm|Ilm|EXCM|ILM)[oaOA]s?\.?|[Mm]agistrad[oa]|MAGISTRAD[OA]|S[Rr][aA]?\.?"
    r"|D\.? ?ª\.?|D(?:ña|ÑA)\.?|D\.|[Dd]on|[Dd]oña|DON|DOÑA)\s+)*"
)
_NAME = r"[A-ZÁÉÍÓÚÑÀÈÒÇ](?:\.|[\wáéíóúñÁÉÍÓÚÑàèòçÀÈÒÇ·'’-]+)"
PERSON = rf"(?P<name>{_NAME}(?: (?:(?:de|del|de la|de los|y|i|DE|DEL|DE LA|DE LOS|Y|I) )?{_NAME}){{1,5}})"
_TURNED = re.compile(rf"(?P<surnames>{_NAME}(?: [\w-]+){{0,4}}), (?P<name>{_NAME}(?: [\w-]+){{0,3}})\.?")
_SPEAKERS = (
    re.compile(rf"(?:[Pp]onente|PONENTE)\s*:?,?\s*{HONOURS}{PERSON}"),
    re.compile(rf"{PERSON} \(Ponente\)"),
    re.compile(rf"(?:[Vv]istos? por m[íi],? |[Mm]agistrad[oa]-[Jj]uez\w*:? |Juez\w*: ){HONOURS}{PERSON}"),
)
_BODY = re.compile(
    r"(?:[ivx]+[.)-]*)?(?:antecedentes.*|hechos(?:probados)?|relatofactico|fundamentos.*|resultandos?"
    r"|razonamientosjuridicos|considerandos?|fallo|fallamos|partedispositiva|marcojuridico"
    r"|(?:primero|unico)[.:-].*|1lapeticiondedecision.*)"
)
_DECIDED = re.compile(
    r"(?:[ivx]+[.)-]*)?(?:fallo|fallamos|partedispositiva|dispongo|acuerda|lasalaacuerda|decido)"
)
_DISSENT = re.compile(r"votoparticular.*")


def compact(text: str) -> str:
    """A line folded, without blanks or the signs at its ends: «F A L L A M O S :» is «fallamos»."""
    return re.sub(r"\s+", "", fold(text)).strip(".:-–—*· ")


class _Number(NamedTuple):
    """The number of a ruling, and the day written beside it."""

    text: str
    day: date | None


def judgment(paragraphs: Sequence[Paragraph], name: str, collection: str) -> Norm | None:
    """The judgment or order, or None for something else.

    Where none is asked for, it must give its court, and its ECLI or its own number and an operative part; it
    is put among the judgments, not among the law.
    """
    head = ruling_head.lines(paragraphs[: _head_end(paragraphs)])
    ecli, roj = _ecli(head), _ROJ.search("\n".join(head))
    code = ecli.split(":")[2] if ecli.count(":") >= 4 else (roj["code"].replace(" ", "") if roj else "")
    court = courts.of(code, head)
    number = _number(head, court or Court(""))
    said = ecli or (number.text and any(_DECIDED.fullmatch(compact(despaced(p.text))) for p in paragraphs))
    if collection != JUDGMENTS and not (court and said):
        return None
    court = court or Court("")
    rank = _rank(head, ecli, roj)
    closing = _closing(paragraphs)
    day = _day(head, number, closing)
    appeal = _appeals(head)
    prefix = f"{rank[0]}{court.initials}" if court.initials else rank
    short = " ".join(filter(None, (prefix, court.place, number.text))) if number.text else ""
    title = _title(short, prefix, court, day, appeal) or first_line(paragraphs, name)
    extra = {
        "court": court.name,
        "chamber": _chamber(head, court),
        "date": day.isoformat() if day else "",
        "ecli": ecli,
        "ponente": _speaker(head),
        "recurso": appeal,
        "roj": roj["roj"] if roj else "",
        "cendoj": cendoj[1] if (cendoj := _CENDOJ.search("\n".join(head))) else "",
        "comunidad": court.region,
        "sede": ruling_head.seat_of(head) if court.region else "",
    }
    return Norm(
        id=generated_ids.slug(ecli or short or name.rpartition(".")[0] or title, generated_ids.NORM_LENGTH),
        collection=JUDGMENTS if collection == LAW else collection,
        title=title,
        law=title,
        alias=short,
        rank=rank,
        number=number.text,
        published=day,
        valid_from=day,
        status="Firme" if court in {courts.SUPREME, courts.CONSTITUTIONAL, courts.EUROPEAN} else "Vigente",
        extra={key: value for key, value in extra.items() if value},
    )


def listed_rulings(paragraphs: Sequence[Paragraph]) -> int:
    """Number of the rulings that a page of search results lists; 0 for a ruling itself and any other text."""
    texts = [paragraph.text for paragraph in paragraphs]
    headed = {found["ecli"] for text in texts if _LISTED.match(text) and (found := _ECLI.search(text))}
    if len(headed) < 2 or any(_DECIDED.fullmatch(compact(despaced(text))) for text in texts):
        return 0
    return len(headed)


def _title(short: str, prefix: str, court: Court, day: date | None, appeal: str) -> str:
    """«STS 498/2018, de 10 de mayo de 2018»; without a number «STS de 10 de mayo de 2018 (rec. 97/2017)»."""
    spelled = dates.spelled(day) if day else ""
    if short:
        return ", de ".join(filter(None, (short, spelled)))
    named = " ".join(filter(None, (prefix, court.place)))
    return f"{named} de {spelled}{f' (rec. {appeal})' if appeal else ''}" if spelled and court.name else ""


def _head_end(paragraphs: Sequence[Paragraph]) -> int:
    """The place of the first paragraph that is no part of the head."""
    for place, paragraph in enumerate(paragraphs[:HEAD]):
        if _BODY.fullmatch(compact(despaced(paragraph.text))) or re.match(
            r"PRIMER[OA]\b\s*[.\-:]", paragraph.text
        ):
            return place
    return HEAD


def _closing(paragraphs: Sequence[Paragraph]) -> list[str]:
    """The last lines of the ruling itself, before the votes of those who dissent."""
    told = [compact(despaced(paragraph.text)) for paragraph in paragraphs]
    end = next((n for n, text in enumerate(told) if _DISSENT.fullmatch(text)), len(told))
    decided = [n for n, text in enumerate(told[:end]) if _DECIDED.fullmatch(text)]
    start = decided[-1] if decided else max(0, end - CLOSING)
    return [paragraph.text for paragraph in paragraphs[start:end]]


def _ecli(head: Sequence[str]) -> str:
    found = _ECLI.search("\n".join(head))
    if found is None:
        return ""
    return f"ECLI:{found['ecli'].rstrip('.')}"


def _rank(head: Sequence[str], ecli: str, roj: re.Match[str] | None) -> str:
    kind = fold(labelled(head, "tipo de resolucion"))
    if kind.startswith(("auto", "sentencia")):
        return ORDER if kind.startswith("auto") else JUDGMENT
    if roj:
        return ORDER if roj["kind"] == "A" else JUDGMENT
    if ecli and ecli.split(":")[1] == "ES":
        return ORDER if ecli.endswith("A") else JUDGMENT
    openings = (re.match(r"(?:sentencia|auto)\b(?! de instancia)", fold(line)) for line in head)
    opening = next(filter(None, openings), None)
    return ORDER if opening and opening.group() == "auto" else JUDGMENT


def _number(head: Sequence[str], court: Court) -> _Number:
    if court == courts.EUROPEAN:
        return _case(head)
    told = list(_numbered(head))
    text = told[0].text if told else ""
    return _Number(text, next((one.day for one in told if one.text == text and one.day), None))


def _numbered(head: Sequence[str]) -> Iterator[_Number]:
    """Each number that a line gives of the ruling, the surest first, with the day beside it."""
    for pattern in _NUMBERS:
        for line in head:
            found = pattern.match(fold(line))
            if found is None or found.start("order") > MAX_TITLE:
                continue
            year = ruling_head.full_year(found["year"])
            rest = line[found.end() :]
            beside = _OF.match(fold(rest))
            day = ruling_head.day(rest[beside.end() :][:40], year) if beside else None
            yield _Number(f"{int(found['order'].replace('.', ''))}/{year}", day)


def _case(head: Sequence[str]) -> _Number:
    """Number of the case before the Court of Justice, «C-519/22», and the day of its judgment."""
    case = next((found for line in head if (found := _CASES.match(fold(line)))), None)
    text = (
        case["cases"].upper().replace(" Y ", " y ").replace(" A ", " a ").replace(" E ", " e ")
        if case
        else ""
    )
    dated = (line[found.end() :] for line in head if (found := _EUROPEAN_DAY.match(fold(line))))
    return _Number(text, next((day for rest in dated if (day := ruling_head.day(rest[:40]))), None))


def _day(head: Sequence[str], number: _Number, closing: Sequence[str]) -> date | None:
    """The labelled day, the one beside the ruling's number, or that of the line that says where it is."""
    told = ruling_head.day(labelled(head, _DAY_LABEL)[:60]) or number.day
    seats = (seat.day for line in (*head, *reversed(closing)) if (seat := ruling_head.seat(line)))
    return told or next(seats, None) or _title_day(head)


def _title_day(head: Sequence[str]) -> date | None:
    """The day of a title without a number, «STS, 10 de Mayo de 2018»."""
    titles = (
        line for line in head[:5] if re.match(r"[SA](?:TSJ|TS|TC|AN|JS|TJUE)\b|(?:Sentencia|Auto)\b", line)
    )
    return next((day for line in titles if len(line) <= MAX_VALUE and (day := ruling_head.day(line))), None)


def _appeals(head: Sequence[str]) -> str:
    """The numbers of the appeals that the ruling decides, each once; without any, of its proceedings."""
    own: dict[str, None] = {}
    first: dict[str, None] = {}
    for line in head:
        for found in _APPEAL.finditer(fold(line)):
            if not _ANOTHERS.search(found["gap"]):
                begun = found["kind"] in _FIRST_INSTANCE or _PROCEEDINGS.match(found.group())
                (first if begun else own).update(dict.fromkeys(_numbers(found["numbers"])))
        if coded := _PROGRAM.match(fold(line)):
            first.update(dict.fromkeys(_numbers(coded["numbers"])))
    return ", ".join(own or first)


def _numbers(text: str) -> Iterator[str]:
    for found in re.finditer(_APPEAL_NUMBER, text):
        yield f"{int(found['order'])}{found['sign']}{ruling_head.full_year(found['year'])}"


def _chamber(head: Sequence[str], court: Court) -> str:
    """«Sala de lo Social», with «Pleno» when it is the whole of it."""
    if court.initials in {"JS", ""}:
        return ""
    plenary = any(_PLENARY.fullmatch(fold(line)) for line in head)
    found = next((told for line in head if (told := _CHAMBER.search(fold(line)[:120]))), None)
    name = _chamber_name(found) if found else ""
    return ", ".join(filter(None, (name, "Pleno" if plenary else "")))


def _chamber_name(found: re.Match[str]) -> str:
    if found["social"]:
        return "Sala de lo Social"
    if found["grand"]:
        return "Gran Sala"
    return f"Sala de lo {found['matter'].title()}" if found["matter"] else f"Sala {found['nth'].title()}"


def _speaker(head: Sequence[str]) -> str:
    text = "\n".join(head)
    if turned := _TURNED.fullmatch(labelled(head, "ponente")):
        return f"{turned['name']} {turned['surnames']}"
    found = next((found for pattern in _SPEAKERS if (found := pattern.search(text))), None)
    return ruling_head.titled(" ".join(found["name"].split())) if found else ""


def first_line(paragraphs: Sequence[Paragraph], name: str) -> str:
    """The first line with words when it may be a title, else the name of the file."""
    first = next((p.text for p in paragraphs if any(map(str.isalpha, p.text))), "")
    stem = name.rpartition(".")[0].replace("_", " ")
    return first.rstrip(". ") if 0 < len(first) <= MAX_TITLE else stem or first[:MAX_TITLE]
