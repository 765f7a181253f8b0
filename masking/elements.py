"""Postal addresses without a word for the road, read element by element: «Olmo 14, 2.º B».

An address follows «vivo en» or «sito en», or precedes a postcode with its town or a floor with its door. It
is a run of elements: capitalised words with their links, numbers, floors, words for roads and buildings.
"""

import re
from collections.abc import Iterator

from masking.page import Page
from masking.words import NO_NAMES, WORDS
from text.textnorm import STOPWORDS

LONGEST, SIGHT = 160, 100
_S = r"[ \t\u00a0]"
_UPPER = "A-ZÁÉÍÓÚÜÑÀÈÒÇ"
_ROADS = WORDS["roads"] | WORDS["roads_or_not"] | WORDS["buildings"] | WORDS["closed"] | WORDS["floors"]
_LINKS = WORDS["linking"] | {"d", "l", "do", "da", "i", "a"}
# A number before a unit is no house number.
_UNITS = (
    rf"{_S}?(?:%|€|euros?|anos?|dias?|horas?|h|meses|mes|semanas?|veces|personas?|minutos?|noches?|turnos?|km|kilometros"
    rf"|trabajador\w*|companer\w*|hij\w+|emplead\w+|plazas|pagas|alumn\w+|camas|centros|locales|tiendas|sedes|habitacion\w*|y{_S}(?:pico|medi[oa]))(?!\w)"
)
_ELEMENT = re.compile(
    rf"(?P<number>(?:n\.?[º°o]\.?|num\.?|#)?{_S}?\d{{1,4}}(?:{_S}?-{_S}?\d{{1,3}})?(?:{_S}?\.?[ºª°](?:{_S}?-?{_S}?[a-z](?!\w))?|[a-z](?!\w)|er|rt|on)?(?![\w%€]|[.,]\d)"
    rf"(?!{_UNITS}))|(?P<code>\d{{5}}|\d{{4}}-\d{{3}}|[a-z]{{1,2}}\d{{1,2}}[a-z]?{_S}\d[a-z]{{2}})(?!\w|[.,]\d)|(?P<none>s/n\.?|p\.?º|bº|cº|c/|[a-z]-\d{{1,3}}(?!\w))"
    rf"|(?P<word>[^\W\d_](?:[^\W\d_]|['’·-](?=[^\W\d_])){{0,29}}[ºª]?)"
)
# «12 de mayo», not «14 de Getafe».
_OF_WHAT = re.compile(rf"{_S}de{_S}[a-zñ]")
_GAP = re.compile(rf"(?:\.?,?|\.?{_S}?[–(-]|\)){_S}{{0,3}}(?:\n{_S}{{0,3}}(?=\d{{5}}{_S}|n\.?[º°]))?[(«]?|/")
_LIVES = re.compile(
    rf"\w+{_S}(?:\w+{_S}|en{_S}la{_S}actualidad{_S}|a{_S}efectos{_S}de{_S}notificaciones{_S})?(?:en|a)(?P<colon>:)?{_S}(?:(?:la|el|un|una|mi|casa|piso){_S}(?:de{_S})?)?"
)
_CODE = re.compile(
    rf"(?<![\w./-])(?:\d{{5}}|\d{{4}}-\d{{3}}){_S}*[,–-]?{_S}*(?:[EAO][ls]?{_S}|L[ao]s?{_S}|L['’])?[{_UPPER}][a-záéíóúñüàèòç'’-]{{2,}}"
    rf"|(?<![\w./-])[A-Z]{{1,2}}\d{{1,2}}[A-Z]?{_S}\d[A-Z]{{2}}(?!\w)"
)
_FLOOR = re.compile(
    rf"(?<![\w.,/])\d{{1,3}},?{_S}*-?{_S}*(?:\d{{1,2}}{_S}?\.?{_S}?[ºª°]{_S}?-?,?{_S}?(?:[A-H](?!\w)|(?i:iz|d[re]?ch|centro|ctro|pta|puerta))"
    rf"|(?i:bajo|bj|[aá]tico|entlo|pral)\.?(?:{_S}[A-H])?(?!\w)|(?i:pabell[oó]n|nave|portal|local|oficina|despacho|escalera|esc\.|piso|puerta|chalet)"
    rf"{_S}(?:\d{{1,3}}|[A-H])(?!\w))"
)
_SUFFIXED = re.compile(
    rf"(?<!\w)[{_UPPER}][\w-]{{1,30}}(?:straße|strasse|gasse|platz|weg|straat|laan|gatan|vägen){_S}\d{{1,4}}(?!\w)"
    rf"|(?<!\w)\d{{1,4}},?{_S}(?:[{_UPPER}][\w'’]+{_S}){{1,3}}(?:Street|Road|Avenue|Lane|Drive|Square|St\.|Rd\.|Ave\.?)(?!\w)"
)
_LIVING = WORDS["living"]


def find(page: Page) -> Iterator[tuple[int, int]]:
    """Start and end of each address found by the words before it or at its end; they may overlap."""
    for _, start in page.places(_LIVING):
        lives = _LIVES.match(page.low, start)
        if lives and (end := _run(page, lives.end(), least=1)):
            yield lives.end(), end
    for pattern in (_CODE, _FLOOR):
        for match in pattern.finditer(page.text):
            if found := _before(page, match.start(), match.end()):
                yield found
    for match in _SUFFIXED.finditer(page.text):
        yield match.start(), _run(page, match.start(), least=1) or match.end()


def _before(page: Page, start: int, end: int) -> tuple[int, int] | None:
    """The longest run of elements that begins before `start` and reaches `end`."""
    first = max(0, start - SIGHT, page.text.rfind("\n", 0, start) + 1)
    for match in _FIRST.finditer(page.text, first, start):
        reached = _run(page, match.start(), least=1)
        if reached >= end:
            return match.start(), reached
    return None


_FIRST = re.compile(
    rf"(?<![\w.,/-])(?:[{_UPPER}]|\d{{1,4}},?{_S}[{_UPPER}])|(?<!\w)(?:c/|calle|avda|plaza|bloque|portal|camino|finca|nave)(?!\w)"
)


def _run(page: Page, start: int, *, least: int) -> int:
    """End of the run of elements at `start`; 0 if it has no name or fewer than `least` numbers."""
    text, low = page.text, page.low
    end = position = start
    numbers = names = 0
    placed = False
    while position < start + LONGEST and (element := _ELEMENT.match(low, position)):
        word = element["word"]
        if word:
            # «La calle Mayor».
            own = text[position].isupper() and (word not in NO_NAMES or placed)
            placed = place = word.rstrip("ºª") in _ROADS
            if not (own or place or word in _LINKS or (len(word) == 1 and numbers and word not in STOPWORDS)):
                break
            names += own and not (place and not numbers and not names and word in STOPWORDS)
            if own or place or (len(word) == 1 and word not in _LINKS):
                end = element.end()
        else:
            if (
                element["number"]
                and not names
                and not end > start
                and not text[element.end() :].lstrip(" ,")[:1].isupper()
            ):
                break
            if element["number"] and _OF_WHAT.match(text, element.end()):
                break
            numbers += element["number"] is not None or element["none"] == "s/n"
            end = element.end()
        gap = _GAP.match(low, element.end())
        if gap is None or (gap.end() == element.end() and not element["none"]):
            break
        # A point ends the sentence, except after a short word: an abbreviation.
        if gap[0].strip() == "." and word and len(word) > 4:
            break
        position = gap.end()
    return end if numbers >= least and names else 0
