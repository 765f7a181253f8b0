"""Postal addresses: a road with its name and number, and what follows it up to the town."""

import re
from collections.abc import Iterator

from rag.privacy.capitals import NO_NAMES, REGIONS
from rag.privacy.page import Page
from rag.privacy.spans import Span
from rag.privacy.words import WORDS
from rag.text.textnorm import STOPWORDS

LONGEST = 160
_S = r"[ \t\u00a0]"
_ROADS = WORDS["roads"]
# In small letters they need a name that is no word of the law.
_ROADS_OFTEN = WORDS["roads_often"]
_NO_ROAD = WORDS["no_road"]
# Words of every day too: a capital must follow.
_ROADS_OR_NOT = WORDS["roads_or_not"]
_PLACE = re.compile(
    rf"(?:pol\.|poligono|urb\.|urbanizacion|edificio|barrio|residencial){_S}[^,;\n\d]{{2,40}},{_S}*"
)
_NUMBER = (
    rf"(?:,?{_S}*(?:n\.?[º°o]\.?|num\.?|numero|nº|n\.|#)?{_S}*\d{{1,4}}(?![\d]|[.,/]\d{{2}})"
    rf"(?:{_S}?-?(?:bis|[a-z](?![\w])))?(?:{_S}?[-/]{_S}?\d{{1,3}}(?!\d|[ºªo°]|{_S}?[ºªo°]|{_S}?(?:izq|d[re]?cha)))?"
    rf"|,?{_S}*s/n\.?(?!\w)|,?{_S}*(?:km|kilometro|p\.k\.)\.?{_S}*\d+(?:[.,]\d+)?"
    rf"|,?{_S}*numero{_S}+[a-z]+(?:{_S}y{_S}[a-z]+)?|,?{_S}*(?:parcela|nave|bloque|casa|portal|manzana"
    rf"|chalet){_S}+(?:\d[\w-]{{0,4}}|[a-z])(?!\w))"
)
_WORD = r"[^\W\d_](?:[\w'’·-]*|\w{0,3}\.)"
_LINKS = rf"(?:(?:de|del|la|las|los|el|y|i|da|do|dos|das|en){_S}|[dl]['’])*"
_NAME = rf"{_LINKS}{_WORD}(?:{_S}{_LINKS}{_WORD}){{0,4}}?"
_ROAD = re.compile(
    rf"(?:c/|c\.{_S}?|p\.?º|gran{_S}via|pol(?:igono|\.){_S}?ind(?:ustrial|\.)?|[a-zº]+\.?"
    rf"(?:/)?){_S}{{0,2}}(?P<name>{_NAME})(?P<number>{_NUMBER})"
)
_SUFFIXED = re.compile(
    rf"(?<!\w)[^\W\d_][\w-]+(?:{_S}[^\W\d_][\w-]+){{0,2}}{_S}(?P<road>kalea|etorbidea|plaza|hiribidea"
    rf"|bidea){_NUMBER}"
)
_BASQUE = WORDS["basque"]
_FLOOR = re.compile(
    rf"{_S}*[,;-]?{_S}*(?:(?:\d{{1,2}}{_S}?(?:\.?{_S}?[ºªo°]|er|è|r|n|t)?(?!\w{{2}})\.?(?!\d)"
    rf"(?:{_S}?-?{_S}?(?:\d{{1,2}}[ªºa](?!\w)|[a-h]|izq(?:da?)?|izda?|izquierda|d(?:r|e)?cha|dta|esq"
    rf"(?:uerra)?|dreta|dereita|esquerda|dcho|derecha|ctro|centro|int|ext|pta\.?{_S}?\d+)\.?(?!\w))?)"
    rf"|(?:piso|planta|puerta|porta|andar|pis|pta|pt|esc|esk|ezk|eskuina|ezkerra|escala|escalera|portal"
    rf"|bloque|blq|blk|bajos?|bxo|baix(?:os)?|entlo|entresuelo|entresol|baixos?|soto|atico"
    rf"|local|nave|parcela|casa|oficina|of|dpto|sotano|ppal|principal|primero|segundo|tercero|cuarto"
    rf"|quinto|sexto|primera|segunda|tercera|cuarta|primer|tercer|segon|tercera"
    rf"|izq(?:da?)?|izda?|izquierda|d(?:r|e)?cha|derecha|bis|edificio|edif|chalet|solairua|numero"
    rf"|apartamento|apto)"
    rf"\.?(?!\w)(?:{_S}?[\dºª.-]{{1,5}}[a-z]?(?!\w)|{_S}[a-h](?!\w))?|[a-h](?![\w.])(?!{_S}[^\W\d_]))"
)
_POSTCODE = re.compile(
    r"\s*[,;.(–-]*\s*(?:(?:c\.?p\.?|codigo\s+postal|cod\.?\s?postal|d\.?p\.?)[.:\s]*)?"
    r"(?:e-)?(?P<code>(?:0[1-9]|[1-4]\d|5[0-2])\.?\d{3})(?![\w]|[.,]\d)"
)
_POSTCODE_NAMED = re.compile(
    r"(?:c\.?p\.?|codigo\s+postal|cod\.?\s?postal)[.:\s]{1,3}(?P<code>(?:0[1-9]|[1-4]\d|5[0-2])\d{3})(?!\w)"
)
_LIVES = re.compile(
    rf"\w+{_S}(?:actualmente{_S}|en{_S}la{_S}actualidad{_S}|fiscal{_S}|social{_S})?(?:en|a){_S}(?:la{_S}"
    rf"|el{_S})?"
    rf"(?P<name>{_NAME})(?P<number>,?{_S}*(?:n\.?[º°o]\.?|num\.?|numero)?{_S}*\d{{1,3}}(?![\d%]"
    rf"|[.,/:-]\d|{_S}(?:anos|dias|horas|meses|euros|%|personas|de{_S})))"
)
_LIVING = WORDS["living"]
_UPPER = "A-ZÁÉÍÓÚÜÑÀÈÒÇ"
_TOWN = re.compile(
    rf"{_S}*(?:[,.(–|-]|(?:de|en|a){_S})?\s?{_S}*(?P<town>(?:(?:El|La|Los|Las|O|A|EL|LA|LOS|LAS){_S}"
    rf"|L['’])?[{_UPPER}][\w'’·-]+"
    rf"(?:{_S}(?:(?:de|del|la|las|los|el|y|i|do|da|d['’]|DE|DEL|LA|LOS|LAS|EL){_S})*"
    rf"(?:[dl]['’])?[{_UPPER}][\w'’·-]+){{0,4}})(?P<closes>\))?"
)
_POST_AND_TOWN = re.compile(
    rf"(?<![\w./,-])(?:0[1-9]|[1-4]\d|5[0-2])\d{{3}}{_S}*[,–-]?{_S}*(?P<town>(?:[EAO][ls]?{_S}"
    rf"|L[ao]s?{_S}|L['’])?[{_UPPER}][a-záéíóúñüàèòç'’-]{{2,}}"
    rf"(?:{_S}(?:(?:de|del|la|las|los|i|do|da){_S})*[{_UPPER}][a-záéíóúñüàèòç'’-]+){{0,3}})"
)
_LOW_TOWN = re.compile(rf"{_S}*,?{_S}*(?:(?:de|en|a){_S})?(?P<town>[^\W\d_]+)")
_LABELLED = re.compile(
    rf"[a-z]+(?:{_S}+(?:social|fiscal|actual|particular|familiar|habitual|de{_S}\w+))?{_S}*:{_S}*"
    rf"(?P<n>[^\n;|\t]{{6,90}})"
)
_LABELS = WORDS["address_labels"]


def find(page: Page) -> Iterator[Span]:
    """Every address with a number, and what follows «domicilio:»; they may overlap."""
    text, low = page.text, page.low
    for word, start in page.places(_OPENERS):
        if word in _LIVING and (lives := _LIVES.match(low, start)) and text[lives.start("name")].isupper():
            yield _span(low, lives.start("name"), _end(text, low, lives.end()))
        if word in _LABELS and (labelled := _LABELLED.match(low, start)) and re.search(r"\d", labelled["n"]):
            end = labelled.start("n") + len(labelled["n"].split(". ", 1)[0])
            yield _span(low, labelled.start("n"), _end(text, low, end))
        if word in _CODES and (code := _POSTCODE_NAMED.match(low, start)):
            yield _span(low, code.start("code"), _town(text, low, code.end()))
        if word in _ANY_ROAD and (road := _road(page, word, start)):
            yield _span(low, *road)
    for match in _POST_AND_TOWN.finditer(text):
        if match["town"].split(maxsplit=1)[0].lower() not in _NO_TOWN:
            yield _span(low, match.start(), match.end())


_CODES = {"codigo", "cp", "cod", "c"}
_ANY_ROAD = _ROADS | _ROADS_OR_NOT | _BASQUE
_OPENERS = _ANY_ROAD | _LABELS | _LIVING | _CODES
_NO_TOWN = WORDS["no_town"]


def _road(page: Page, word: str, start: int) -> tuple[int, int] | None:
    """Start and end of the address with that road, or None."""
    text, low = page.text, page.low
    if word in _BASQUE:
        line = max(0, start - 40)
        for named in _SUFFIXED.finditer(low, line, start + 30):
            if named.start("road") == start and text[named.start()].isupper():
                return named.start(), _end(text, low, named.end())
    match = _ROAD.match(low, start)
    if match is None or (len(word) == 1 and low[start + 1 : start + 2] not in "/.º"):
        return None
    capital = any(char.isupper() for char in text[match.start("name") : match.end("name")])
    if not capital and (word in _ROADS_OR_NOT or (len(word) == 1 and low[start + 1] != "/")):
        return None
    if not capital and any(one in STOPWORDS - _LINKING or one in _NO_ROAD for one in match["name"].split()):
        return None
    if not capital and word in _ROADS_OFTEN and any(one in NO_NAMES for one in match["name"].split()):
        return None
    before = max(0, start - 60)
    first = next((one.start() for one in _PLACE.finditer(low, before, start) if one.end() == start), start)
    return first, _end(text, low, match.end())


_LINKING = WORDS["linking"]


def _end(text: str, low: str, end: int) -> int:
    """End of floor, door, postcode and town after the number of a road."""
    most = end + LONGEST
    while end < most and not _POSTCODE.match(low, end) and (floor := _FLOOR.match(low, end)):
        end = floor.end()
    if code := _POSTCODE.match(low, end):
        return _town(text, low, code.end())
    return _town(text, low, end, near=True)


def _town(text: str, low: str, end: int, *, near: bool = False) -> int:
    """End of the town, and of the province after it, or `end`.

    Args:
        near: no postcode tells that a town follows: it stands after a comma, or is the capital of a province.
    """
    for place in range(2):
        town = _TOWN.match(text, end)
        if town is None:
            break
        gap = text[end : town.start("town")]
        first = low[town.start("town") : town.end("town")].split(maxsplit=1)[0]
        if first in NO_NAMES or ("\n" in gap and (near or place)) or "." in gap:
            break
        if near and not (set(gap) & set(",(-–|") or gap.strip() in ("de", "en")) and first not in REGIONS:
            break
        if place and not gap.strip():
            break
        end = town.end()
    else:
        return end
    small = _LOW_TOWN.match(low, end)
    if (
        small
        and text[small.start("town")].islower()
        and (small["town"] in REGIONS or (not near and small["town"] not in STOPWORDS))
    ):
        end = small.end()
    return end


def _span(low: str, start: int, end: int) -> Span:
    address = low[start:end].rstrip(" \t\u00a0\n,;.-")
    return Span(start, start + len(address), "DIRECCION", " ".join(address.split()))
