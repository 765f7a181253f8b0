"""Postal addresses: a road with its name and number, and what follows it up to the town."""

import re
from collections.abc import Iterator

from masking import elements
from masking.page import Page
from masking.plain import plain
from masking.spans import Span
from masking.words import NO_NAMES, REGIONS, WORDS
from text.numerals import TENS
from text.textnorm import STOPWORDS

LONGEST = 160
_S = r"[ \t\u00a0]"
_ROADS = WORDS["roads"]
# In lower case they need a name without words of the law.
_ROADS_OFTEN = WORDS["roads_often"]
_NO_ROAD = WORDS["no_road"]
# Everyday words too: a capital must follow.
_ROADS_OR_NOT = WORDS["roads_or_not"]
_PLACE = re.compile(
    rf"(?:pol\.|poligono|urb\.|urbanizacion|edificio|edif\.|barrio|residencial|caserio|cortijo|finca"
    rf"|masia|pazo|chalet|villa)"
    rf"{_S}[^,;\n\d]{{2,40}},{_S}*(?:(?:portal|bloque|escalera|esc\.?|puerta|piso|planta"
    rf"|n[.º°]*){_S}?[\w.º]{{1,4}},?{_S}*"
    rf"|\d{{1,2}}{_S}?\.?[ºª]{_S}?[a-z]?,{_S}*){{0,3}}"
)
# «Avenida de los príncipes catorce», not «en la calle cuatro meses».
_SAID = (
    rf"(?:cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\w+|veint\w+|ciento"
    rf"(?:{_S}\w+)?|(?:{'|'.join(TENS[1:])})(?:{_S}y{_S}\w+)?)"
    rf"(?!{_S}(?:anos?|meses|dias?|horas?|euros|semanas|veces|personas|minutos|trabajador|companer|hij|de{_S}(?!\w+\Z)"
    r"|mil|y))"
)
_NUMBER = (
    rf"(?:,?{_S}*(?:n\.?[º°o]\.?|num\.?|numero|nº|n\.|#)?{_S}*\d{{1,4}}(?![\d]|[.,/]\d{{2}})"
    rf"(?:{_S}?-?(?:bis|[a-z](?![\w])))?(?:{_S}?[-/]{_S}?\d{{1,3}}(?!\d|\.?[ºªo°]|{_S}?[ºªo°]|{_S}?(?:izq"
    rf"|d[re]?cha)))?"
    rf"|,?{_S}*s/n\.?(?!\w)|,?{_S}*(?:km|kilometro|p\.k\.)\.?{_S}*\d+(?:[.,]\d+)?"
    rf"|,?{_S}*numero{_S}+[a-z]+(?:{_S}y{_S}[a-z]+)?|,?{_S}{_SAID}(?!\w)|,?{_S}*(?:parcela|nave|bloque|casa|portal|manzana"
    rf"|chalet){_S}+(?:\d[\w-]{{0,4}}|[a-z])(?!\w))"
)
_WORD = r"[^\W\d_](?:[\w'’·-]*|\w{0,3}\.)"
_LINKS = rf"(?:(?:de|del|la|las|los|el|y|i|da|do|dos|das|en){_S}|[dl]['’])*"
_NAME = rf"{_LINKS}{_WORD}(?:{_S}{_LINKS}{_WORD}){{0,4}}?"
_ROAD = re.compile(
    rf"(?:c/|c\.{_S}?|p\.?º|gran{_S}via(?={_S}[^\W\d])|pol(?:igono|\.){_S}?ind(?:ustrial|\.)?|[a-zº]+\.?"
    rf"(?:/)?){_S}{{0,2}}(?P<name>{_NAME})(?P<number>{_NUMBER})"
)
_CAPITAL = r"[^\W\d_a-zñáéíóúüàèòç][\w'’-]+"
_SUFFIXED = re.compile(rf"(?<!\w){_CAPITAL}(?:{_S}{_CAPITAL}){{0,2}}{_S}\Z")
_SUFFIX = re.compile(rf"[a-z]+\.?{_NUMBER}")
_GRAN_VIA = re.compile(rf"gran{_S}via{_NUMBER}")
# «En el número 12 de la calle Feria», «12, rue des Lilas».
_NUMBER_BEFORE = re.compile(
    rf"(?<![\w./,-])(?:(?:numero|num\.?|n\.?[º°o]\.?|portal){_S}*)?\d{{1,3}}(?:{_S}?(?:bis"
    rf"|[a-z]))?(?:{_S}?,{_S}?"
    rf"|{_S}(?:de{_S}|del{_S})(?:la{_S}|el{_S})?)\Z"
)
_UNNUMBERED = re.compile(
    rf"(?:c/|[a-zº]+\.?/?){_S}{{0,2}}(?P<name>(?:(?:de|del|des|la|las|los|el){_S})*{_WORD})"
)
_MORE_NAME = re.compile(rf"{_S}(?:(?:de|del|la|las|los|el|y|i|des){_S})*{_CAPITAL}")
_BUILDING = re.compile(
    rf"(?:edificio|edif\.?|bloque|bloc|escalera|portal|puerta|piso|urbanizacion|urb\.?|caserio|cortijo"
    rf"|masia|chalet){_S}"
    rf"(?P<name>(?:[\wº.-]{{1,5}}|{_NAME}),?{_S}(?:(?:bloque|portal|escalera|puerta|piso|numero|n\.?º?"
    rf"|casa|parcela){_S}?"
    rf"[\wº.-]{{1,4}},?{_S}){{0,3}}(?:de{_S}(?:la{_S}|el{_S})?|del{_S})(?:barrio|barriada|urbanizacion"
    rf"|urb\.?|poligono|colonia"
    rf"|residencial|edificio|conjunto|calle|avenida|plaza)(?:{_S}{_LINKS}{_WORD}){{1,4}}?)(?=[,.;\n)]"
    rf"|{_S}[a-z]|\Z)"
)
_POST_BOX = re.compile(
    rf"(?:(?:apartado|apartat)(?:{_S}(?:de|postal|correus|correos)){{1,2}}|apdo\.?(?:{_S}(?:de|correos"
    rf"|postal)){{0,2}}"
    rf"|p\.?{_S}?o\.?{_S}?box|posta{_S}kutxa){_S}?(?:n\.?[º°o]\.?{_S}?"
    rf"|num\.?{_S}?)?(?P<n>\d{{1,3}}\.?\d{{0,3}})(?!\w)"
)
_BASQUE = WORDS["basque"]
_FLOOR = re.compile(
    rf"{_S}*[,;-]?{_S}*(?:(?:\d{{1,2}}{_S}?(?:\.?{_S}?[ºªo°]|er|è|r|n|t)?(?!\w{{2}})\.?(?!\d)"
    rf"(?:{_S}?-?{_S}?(?:\d{{1,2}}[ªºa](?!\w)|[a-h]|izq(?:da?)?|izda?|izquierda|d(?:r|e)?cha|dta|esq"
    rf"(?:uerra)?|dreta|dereita|esquerda|dcho|derecha|ctro|centro|int|ext|pta\.?{_S}?\d+)\.?(?!\w))?)"
    rf"|(?:piso|planta|puerta|porta|andar|pis|pta|pt|esc|esk|ezk|eskuina|ezkerra|escala|escalera|portal"
    rf"|bloque|blq|blk|bajos?|bxo|baix(?:os)?|entlo|entresuelo|entresol|pral|prpal|atic|dupl(?:ex)?|buzon"
    rf"|bzn|trasera|interior|exterior|torre|baixos?|soto|atico"
    rf"|local|nave|parcela|casa|oficina|of|dpto|sotano|ppal|principal|primero|segundo|tercero|cuarto"
    rf"|quinto|sexto|primera|segunda|tercera|cuarta|primer|tercer|segon|tercera"
    rf"|izq(?:da?)?|izda?|izquierda|d(?:r|e)?cha|derecha|bis|edificio|edif|chalet|solairua|numero"
    rf"|apartamento|apto)"
    rf"\.?(?!\w)(?:{_S}?[\dºª.-]{{1,5}}[a-z]?(?!\w)|{_S}[a-h](?!\w))?|[a-h](?![\w.])(?!{_S}[^\W\d_]))"
)
_POSTCODE = re.compile(
    r"\s*[,;.(–|-]*\s*(?:(?:c\.?p\.?|codigo\s+postal|cod\.?\s?postal|d\.?p\.?)[.:\s]*)?"
    r"(?:[ed]-)?(?P<code>(?:0[1-9]|[1-4]\d|5[0-2])[. ]?\d{3})(?![\w]|[.,]\d)"
)
_POSTCODE_NAMED = re.compile(
    r"(?:c\.?p\.?|codigo\s+postal|cod\.?\s?postal)[.:\s]{1,3}(?P<code>(?:0[1-9]|[1-4]\d|5[0-2])\d{3})(?!\w)"
)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_UPPER = "A-ZÁÉÍÓÚÜÑÀÈÒÇ"
_TOWN = re.compile(
    rf"{_S}*(?:,?{_S}?(?:de|en|a){_S}|[,.(–|-])?\s?{_S}*(?:(?:[Pp]oblaci[óo]n|[Ll]ocalidad|[Mm]unicipio"
    rf"|[Cc]iudad|[Pp]rovincia)[ \t]*:[ \t]*)?(?P<town>(?:(?:El|La|Los|Las|O|A|EL|LA|LOS|LAS){_S}"
    rf"|L['’])?[{_UPPER}][\w'’·-]+"
    rf"(?:{_S}(?:(?:de|del|la|las|los|el|y|i|do|da|d['’]|DE|DEL|LA|LOS|LAS|EL){_S})*"
    rf"(?:[dl]['’])?[{_UPPER}][\w'’·-]+){{0,4}}"
    rf"(?:{_S}?/{_S}?[{_UPPER}][\w'’·-]+(?:{_S}[{_UPPER}][\w'’·-]+){{0,2}})?)(?P<closes>\))?"
)
_POST_AND_TOWN = re.compile(
    rf"(?<![\w./,-])(?:0[1-9]|[1-4]\d|5[0-2])\d{{3}}{_S}*[,–-]?{_S}*(?P<town>(?:[EAO][ls]?{_S}"
    rf"|L[ao]s?{_S}|L['’])?[{_UPPER}][a-záéíóúñüàèòç'’-]{{2,}}"
    rf"(?:{_S}(?:(?:de|del|la|las|los|i|do|da){_S})*[{_UPPER}][a-záéíóúñüàèòç'’-]+){{0,3}})"
)
_LOW_TOWN = re.compile(rf"{_S}*,?{_S}*(?:(?:de|en|a){_S})?(?P<town>[^\W\d_]+)")
# An address that ends in a postcode begins at the first of these: «Polígono 27, pabellón 4, 20014 Donostia».
_CLOSED = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(WORDS['closed'], key=len, reverse=True)))})(?!\w)"
    rf"\.?{_S}{{0,2}}(?=[^;:\n]*\d|[^;:\n,]*,)[^;:\n]{{2,90}}?[ \t\n\u00a0,–(-]+\Z"
)
_ABBREVIATED = re.compile(r"(?:\d|(?<!\w)\w{1,4})\Z")
_LABELLED = re.compile(
    rf"[a-z]+(?:{_S}+(?:social|fiscal|actual|particular|familiar|habitual|completa|postal|y{_S}(?:numero"
    rf"|n\.?º)"
    rf"|de{_S}\w+|del{_S}\w+))*(?:{_S}*\.?:{_S}*|{_S}*\n{_S}*|{_S}*[=\t|]{_S}*)"
    rf"(?P<n>[^\n;|\t]{{6,90}})"
)
_LABELS = WORDS["address_labels"]


def find(page: Page) -> Iterator[Span]:
    """Addresses with a number or after a label such as «domicilio:»; they may overlap."""
    text, low = page.text, page.low
    for word, start in page.places(_OPENERS):
        for words, finder in _FINDERS:
            if word in words and (found := finder(page, start)):
                yield _span(low, *found)
    for start, end in elements.find(page):
        yield _span(low, start, _end(text, low, end))
    for match in _POST_AND_TOWN.finditer(text):
        if match["town"].split(maxsplit=1)[0].lower() not in _NO_TOWN:
            closed = _CLOSED.search(low, max(0, match.start() - LONGEST), match.start())
            yield _span(low, (closed or match).start(), max(match.end(), _town(text, low, match.start() + 5)))


def _labelled(page: Page, start: int) -> tuple[int, int] | None:
    """The address after a label («Domicilio: …»), if it looks like one."""
    labelled = _LABELLED.match(page.low, start)
    if labelled is None or not _is_told(page.text[labelled.start("n") : labelled.end("n")]):
        return None
    # The address ends with its sentence; the point of «PTDA. LA FOIA» ends none.
    sentences = (match.start() for match in re.finditer(r"\.\s", labelled["n"]))
    whole = (at for at in sentences if not _ABBREVIATED.search(labelled["n"], 0, at))
    end = labelled.start("n") + next(whole, len(labelled["n"]))
    return labelled.start("n"), _end(page.text, page.low, end)


def _is_told(value: str) -> bool:
    """True if it may be an address: a number with an initial capital or a place word, or a name with one."""
    words = [plain(word) for word in re.findall(r"[^\W\d_]+", value)]
    places = {*words} & (_ANY_ROAD | _BUILDINGS | WORDS["closed"] | _TOWNS) - _LINKING
    if re.search(r"\d", value):
        return value[:1].isupper() or bool(places)
    names = [word for word in words if word not in _LINKING]
    return len(names) > 1 and bool(places) and not {*names} & (STOPWORDS | NO_NAMES) and value[:1].isupper()


def _coded(page: Page, start: int) -> tuple[int, int] | None:
    """«CP: 28009 Madrid»."""
    code = _POSTCODE_NAMED.match(page.low, start)
    return (code.start("code"), _town(page.text, page.low, code.end())) if code else None


def _gran_via(page: Page, start: int) -> tuple[int, int] | None:
    """«Gran Vía 28», a road without a name."""
    road = _GRAN_VIA.match(page.low, start)
    return (start, _end(page.text, page.low, road.end())) if road else None


# «Nos dejó en la calle. Tengo 62 años»: only a word that is cut short goes on behind its point.
_SPELT = frozenset({"calle", "carrer", "avenida", "plaza", "paseo", "camino", "carretera"})
_CODES = frozenset({"codigo", "cp", "cod", "c"})
_ANY_ROAD = _ROADS | _ROADS_OR_NOT | _BASQUE
_BUILDINGS = WORDS["buildings"]
_TOWNS = REGIONS | WORDS["towns"]
_NO_TOWN = WORDS["no_town"]
_NO_SMALL_TOWN = _NO_TOWN | STOPWORDS | NO_NAMES
_TOWN_FIRST = {"real", "puerto", "villa", "san", "santa", "sant", "pueblo", "colegio", "corte", "domingo"}


def _road(page: Page, start: int) -> tuple[int, int] | None:
    """«C/ Larios 5», or with its number before it."""
    text, low = page.text, page.low
    opener = _FIRST_WORD.match(low, start)
    word = opener[0] if opener else ""
    match = _ROAD.match(low, start)
    if (len(word) == 1 and low[start + 1 : start + 2] not in ("/", ".", "º")) or low.startswith(
        "c/c ", start
    ):
        return None
    if match is None:
        return _numbered_before(page, start)
    ended = word in _SPELT and low[start + len(word)] == "."
    capital = _has_capital(text[match.start("name") : match.end("name")])
    if ended or (not capital and (word in _ROADS_OR_NOT or (len(word) == 1 and low[start + 1] != "/"))):
        return None
    said = match["name"].split()
    if not capital and ({*said} <= _LINKING or {*said} & ((STOPWORDS - _LINKING) | _NO_ROAD)):
        return None
    if not capital and word in _ROADS_OFTEN and any(one in NO_NAMES for one in match["name"].split()):
        return None
    return _place(low, start), _end(text, low, match.end())


def _has_capital(text: str) -> bool:
    return any(map(str.isupper, text))


def _place(low: str, start: int) -> int:
    """Start of the building named before the road, or `start`."""
    return next(
        (one.start() for one in _PLACE.finditer(low, max(0, start - 80), start) if one.end() == start), start
    )


def _numbered_before(page: Page, start: int) -> tuple[int, int] | None:
    """Start and end of an address whose number comes first: «en el número 12 de la calle Feria»."""
    number = _NUMBER_BEFORE.search(page.low, max(0, start - 30), start)
    road = _UNNUMBERED.match(page.low, start) if number else None
    if number is None or road is None or not _has_capital(page.text[road.start("name") : road.end()]):
        return None
    end = road.end()
    while (more := _MORE_NAME.match(page.text, end)) is not None:
        end = more.end()
    return number.start(), _end(page.text, page.low, end, floors=True)


def _suffixed(page: Page, start: int) -> tuple[int, int] | None:
    """Start and end of an address with the word for road after the name: «Zumalakarregi kalea 15»."""
    number = _SUFFIX.match(page.low, start)
    name = _SUFFIXED.search(page.text, max(0, start - 45), start) if number else None
    return (name.start(), _end(page.text, page.low, number.end())) if name and number else None


def _building(page: Page, start: int) -> tuple[int, int] | None:
    """Start and end of a post box (spelled out or with a postcode), or of a building with its district."""
    text, low = page.text, page.low
    if box := _POST_BOX.match(low, start):
        full = {"de", "correos"} & {*box[0].split()} or "postal" in box[0] or "box" in box[0]
        return (start, _end(text, low, box.end())) if full or _POSTCODE.match(low, box.end()) else None
    named = _BUILDING.match(low, start)
    if named and re.search(r"\d", named["name"]) and _has_capital(text[named.start("name") : named.end()]):
        return start, _end(text, low, named.end())
    return None


_LINKING = WORDS["linking"]


def _end(text: str, low: str, end: int, *, floors: bool = False) -> int:
    """End of floor, door, postcode and town after the number of a road.

    Args:
        floors: a floor must follow a comma.
    """
    most, number = end + LONGEST, end
    while end < most and not _POSTCODE.match(low, end) and (floor := _FLOOR.match(low, end)):
        if floors and "," not in floor[0][:2]:
            break
        end = floor.end()
    if code := _POSTCODE.match(low, end):
        return _town(text, low, code.end())
    town = _town(text, low, end, near=True, floor=end > number)
    # «… 41 segundo b ourense 32003».
    code = _POSTCODE.match(low, town) if town > end else None
    return _town(text, low, code.end(), near=True) if code else town


def _town(text: str, low: str, end: int, *, near: bool = False, floor: bool = False) -> int:
    """End of the town, and of the province after it, or `end`.

    Args:
        near: no postcode comes before: the town must follow a separator or be a known one.
        floor: a floor comes before: a capitalised word alone may be the town («nº 201-6ºD Vigo»).
    """
    begin = end
    for place in range(2):
        town = _TOWN.match(text, end)
        if town is None:
            break
        gap = text[end : town.start("town")]
        first = low[town.start("town") : town.end("town")].split(maxsplit=1)[0]
        legal = first in NO_NAMES and (near or first not in _TOWN_FIRST)
        if legal or first in _NO_TOWN or ("\n" in gap and (near or place) and ":" not in gap) or "." in gap:
            break
        parted = set(gap) & set(",(-–|:") or gap.strip() in ("de", "en")
        closed = floor and low[town.end() : town.end() + 1] in ("", ",", ".", ";", ")", "\n")
        if near and not parted and first not in _TOWNS and not closed:
            break
        if place and not gap.strip():
            break
        end = town.end()
    else:
        return end
    small = _LOW_TOWN.match(low, end)
    if small is None or not text[small.start("town")].islower():
        return end
    # «Segundo b de roquetas»
    follows = end == begin and (not near or (floor and " de " in small[0]))
    if small["town"] in _TOWNS or (follows and small["town"] not in _NO_SMALL_TOWN):
        end = small.end()
    return end


def _span(low: str, start: int, end: int) -> Span:
    address = low[start:end].rstrip(" \t\u00a0\n,;.-")
    return Span(start, start + len(address), "DIRECCION", " ".join(address.split()))


_FINDERS = (
    (_LABELS, _labelled),
    (_BASQUE, _suffixed),
    (frozenset({"gran"}), _gran_via),
    (_BUILDINGS, _building),
    (_CODES, _coded),
    (_ANY_ROAD, _road),
)
"""Words that open an address, and the function that reads it from there."""
_OPENERS = frozenset().union(*(words for words, _ in _FINDERS))
