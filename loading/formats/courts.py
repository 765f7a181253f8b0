"""The court that gives a ruling: by the code of its ECLI or Roj, else by the head's own line."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from law.labels import fold
from loading.formats import ruling_head
from text.numerals import NUMERALS


class Court(NamedTuple):
    """A court.

    Attributes:
        initials: after the «S» or «A» of its rulings: 'TS', 'TSJ', 'JS'…; empty when it has none.
        place: of its name, as the short name of its rulings says it: «Cataluña», «Badajoz».
        region: comunidad autónoma of a Tribunal Superior de Justicia.
    """

    name: str
    initials: str = ""
    place: str = ""
    region: str = ""


class _Region(NamedTuple):
    """Comunidad autónoma: short name, the words that tell it, its name in the corpus and in its court's."""

    place: str
    words: str
    name: str = ""
    of: str = ""


SUPREME = Court("Tribunal Supremo", "TS")
CONSTITUTIONAL = Court("Tribunal Constitucional", "TC")
NATIONAL = Court("Audiencia Nacional", "AN")
EUROPEAN = Court("Tribunal de Justicia de la Unión Europea", "TJUE")
_CODES = {"TS": SUPREME, "TC": CONSTITUTIONAL, "AN": NATIONAL, "C": EUROPEAN, "TJUE": EUROPEAN}
_SUPERIOR = "Tribunal Superior de Justicia"
_REGIONS = {
    "AND": _Region("Andalucía", "andalucia"),
    "AR": _Region("Aragón", "aragon"),
    "AS": _Region("Asturias", "asturias"),
    "BAL": _Region("Illes Balears", "balears|baleares", of="de las Illes Balears"),
    "CANT": _Region("Cantabria", "cantabria"),
    "CL": _Region("Castilla y León", r"castilla\W+(?:y )?leon"),
    "CLM": _Region("Castilla-La Mancha", r"castilla\W+la mancha"),
    "CAT": _Region("Cataluña", "cataluna|catalunya"),
    "CV": _Region("Comunidad Valenciana", "valencian[ao]|valencia", of="de la Comunidad Valenciana"),
    "EXT": _Region("Extremadura", "extremadura"),
    "GAL": _Region("Galicia", "galicia"),
    "ICAN": _Region("Canarias", "canarias"),
    "LR": _Region("La Rioja", "rioja"),
    "M": _Region("Madrid", "madrid", "Comunidad de Madrid"),
    "MU": _Region("Murcia", "murcia", "Región de Murcia"),
    "NA": _Region("Navarra", "navarra|nafarroa"),
    "PV": _Region("País Vasco", "pais vasco|euskadi|euskal", of="del País Vasco"),
}
_BEFORE = (
    r"(?:(?:organo|emisor|tribunal)\s*:\s*)?(?:(?:sentencia|auto) (?:del? |de la ))?(?:el |la |los )?"
    r"(?:(?:pleno|sala|seccion)\b[^:;,.]{0,60}?\b(?:del?|de la|do) )?"
)
_TOWN = (
    r"(?: d[eo] (?:la |los de |las de )?| - |[,.]? )"
    r"(?P<town>[a-zñ][a-zñ '/-]{2,40}?)(?: y provincia)?\s*(?:[.,(]|$)"
)
_SOCIAL = (
    r"(?:juzgado|jdo\.?|xulgado|xdo\.?)(?: d[eo](?: lo)?)? social"
    rf"(?:,? (?:n\S{{0,3}}\.?|num(?:ero)?\.?)? ?(?P<number>\d{{1,3}}|{'|'.join(map(fold, NUMERALS))})\b)?"
)
_SUPREME = re.compile(rf"{_BEFORE}tribunal\s*supremo\b")
_CONSTITUTIONAL = re.compile(rf"{_BEFORE}tribunal\s*constitucional\b")
_NATIONAL = re.compile(rf"{_BEFORE}aud(?:iencia|\.)\s*nacional\b")
_TSJ = re.compile(rf"{_BEFORE}(?:tribunal\s*superior\s*de\s*(?:justicia|xustiza)|t\.?\s?s\.?\s?[jx]\b\.?)")
_LUXEMBOURG = re.compile(
    rf"{_BEFORE}tribunal\s*de\s*justicia(?: de la union europea| de las comunidades europeas| \(|,| de \d|$)"
)
_STRASBOURG = re.compile(rf"{_BEFORE}tribunal\s*europeo\s*de\s*derechos\s*humanos")
_SOCIAL_COURT = re.compile(rf"(?:(?:organo|emisor)\s*:\s*)?(?:el )?{_SOCIAL}(?:{_TOWN})?")
_PROVINCIAL = re.compile(rf"{_BEFORE}audiencia\s*provincial(?:{_TOWN})?")
# Since the Ley Orgánica 1/2025 (first additional provision) the social courts are its sections.
_INSTANCE = re.compile(rf"(?:organo\s*:\s*)?seccion de lo social del tribunal de instancia(?:{_TOWN})?")
_SIGLA = re.compile(r"[sa](?P<court>tsj|ts|tc|an|tjue)\b")
_SOLE = (
    (_STRASBOURG, Court("Tribunal Europeo de Derechos Humanos", "TEDH")),
    (_SUPREME, SUPREME),
    (_CONSTITUTIONAL, CONSTITUTIONAL),
    (_NATIONAL, NATIONAL),
    (_LUXEMBOURG, EUROPEAN),
)
_OF_TOWNS = (
    (_INSTANCE, "Sección de lo Social del Tribunal de Instancia", ""),
    (_SOCIAL_COURT, "Juzgado de lo Social", "JS"),
    (_PROVINCIAL, "Audiencia Provincial", "AP"),
)
_SHORT_LINE = 60


def of(code: str, head: Sequence[str]) -> Court | None:
    """The court of a head, or None when nothing tells it.

    Args:
        code: of its ECLI or Roj, 'TSJAND'; empty without one.
    """
    if code in _CODES:
        return _CODES[code]
    if code.startswith("TSJ"):
        return _superior(code[3:]) or _by_line(head, superior=True) or Court(_SUPERIOR, "TSJ")
    return _by_line(head)


def _by_line(head: Sequence[str], *, superior: bool = False) -> Court | None:
    """The court of the first line that begins with one; a superior one without its comunidad waits for it."""
    named = filter(None, (_of_line(line, head, place) for place, line in enumerate(head)))
    courts = [court for court in named if court.initials == "TSJ" or not superior]
    whole = next((court for court in courts if court.initials != "TSJ" or court.region), None)
    first = courts[0] if courts else None
    return whole if first and whole and whole.initials == first.initials else first


def _of_line(line: str, head: Sequence[str], place: int) -> Court | None:
    folded = fold(line)
    for pattern, court in _SOLE:
        if pattern.match(folded):
            return court
    if found := _TSJ.match(folded):
        return _superior_of(folded[found.end() : found.end() + 80]) or Court(_SUPERIOR, "TSJ")
    found = _SIGLA.match(folded)
    if found and found["court"] == "tsj":
        return _superior_of(folded[found.end() :]) or Court(_SUPERIOR, "TSJ")
    return _CODES[found["court"].upper()] if found else _of_a_town(line, head, place)


def _of_a_town(line: str, head: Sequence[str], place: int) -> Court | None:
    folded = fold(line)
    for pattern, name, initials in _OF_TOWNS:
        if found := pattern.match(folded):
            number, town = _number(found, head) if initials == "JS" else "", _town(found, line, head, place)
            words = (name, f"n.º {number}" if number else "", f"de {town}" if town else "")
            return Court(" ".join(filter(None, words)), initials, town)
    return None


def _number(found: re.Match[str], head: Sequence[str]) -> str:
    """The number of a social court; CENDOJ gives it as its section."""
    told = found["number"] or ""
    if told and not told.isdigit():
        return str([fold(word) for word in NUMERALS].index(told) + 1)
    return told.lstrip("0") or ruling_head.labelled(head, "seccion").lstrip("0")


def _town(found: re.Match[str], line: str, head: Sequence[str], place: int) -> str:
    """The place of a court: on its line, on the next one, as its seat, or where the ruling is given."""
    if found["town"]:
        return ruling_head.titled(line[found.start("town") : found.end("town")].strip(" -"))
    after = head[place + 1] if place + 1 < len(head) else ""
    if after.isupper() and len(after) <= _SHORT_LINE and re.fullmatch(r"[^\d:,]+", after):
        return ruling_head.titled(after)
    return ruling_head.seat_of(head)


def _superior(code: str) -> Court | None:
    region = _REGIONS.get(code)
    if region is None:
        return None
    name = f"{_SUPERIOR} {region.of or f'de {region.place}'}"
    return Court(name, "TSJ", region.place, region.name or region.place)


def _superior_of(words: str) -> Court | None:
    """The superior court of the comunidad that folded words name first."""
    found = [
        (match.start(), code)
        for code, region in _REGIONS.items()
        if (match := re.search(region.words, words))
    ]
    return _superior(min(found)[1]) if found else None
