"""Postal addresses, read element by element: «Olmo 14, 2.º B, 28935 Móstoles».

An address begins at a word for a road («C/ Larios 5»), after «vivo en» or a label, or as far as its elements
go before a postcode with its town or a floor with its door: capitalised words with their links, numbers,
floors, words for roads and buildings.
"""

import re
from collections.abc import Callable
from functools import partial

from masking.finder import Finder, Page, Place
from masking.words import NO_NAMES, REGIONS, WORDS, either
from text.textnorm import STOPWORDS

LONGEST, SIGHT, SHORT = 160, 100, 4
_UPPER = "A-ZÁÉÍÓÚÜÑÀÈÒÇ"
_ROADS = WORDS["roads"] | WORDS["basque"]
# Everyday words too: a capital must follow.
_ROADS_OR_NOT = WORDS["roads_or_not"]
_PLACES = _ROADS | _ROADS_OR_NOT | WORDS["buildings"] | WORDS["closed"] | WORDS["floors"]
_BEGINS = _ROADS | WORDS["closed"] | {"c/", "portal", "escalera"}
_LINKS = WORDS["linking"] | {"d", "l", "do", "da", "i", "a", "des", "les"}
_TOWNS = REGIONS | WORDS["towns"]
_NO_ROAD = STOPWORDS - _LINKS | WORDS["no_road"]
_NO_TOWN = WORDS["no_town"]

# «12 de mayo», «3 personas»: no house number.
_UNITS = rf" ?(?:[%€]|{either('counted', 'things')}(?!\w)|y (?:pico|medi[oa]))"
_NUMBER = (
    rf"(?P<number>(?:n\.?[º°o]\.?|num\.?|#)? ?\d{{1,4}}(?: ?- ?\d{{1,3}})?"
    rf"(?: ?\.?[ºª°](?: ?-? ?(?:[a-z]|\d{{1,2}})(?!\w))?| ?[a-z](?!\w)|er|rt|on|bis)?(?![\w%€]|[.,]\d"
    rf"|/\d{{3}})(?!{_UNITS})"
    rf"|(?:numero )?{either('said_numbers')}(?: y [a-z]+)?(?!\w)(?!{_UNITS})|s/n\.?|\d\d?\.\d{{3}}(?!\w"
    rf"|[.,]\d)"
    rf"|(?:km|p\.k\.)\.? ?\d+(?:[.,]\d+)?)"
)
_FORM_WORD = r"(?:codigo postal|c\.?p\.?|localidad|poblacion|municipio|provincia)"
_CODE = r"(?P<code>(?:[ed]-)?(?:\d{5}|\d{4}-\d{3}|[a-z]{1,2}\d{1,2}[a-z]? \d[a-z]{2})(?!\w|[.,]\d))"
_ELEMENT = re.compile(
    rf"{_NUMBER}|{_CODE}|(?P<sign>[pbc]\.?º|c/|[a-z]-\d{{1,3}}(?!\w)|{_FORM_WORD}:?(?=[ :]))"
    r"|(?P<word>[^\W\d_](?:[^\W\d_]|['’·-](?=[^\W\d_])){0,29}[ºª]?)"
)
_OF = re.compile(r" de (?P<word>[a-zñ]+)")
_GAP = re.compile(r"/|(?:\.? ?[–(-]|\)|\.?,?) ?(?:\n *(?=\d{5} |n\.?[º°]|codigo postal|c\.?p\b))?[(«]?")


def _run(page: Page, start: int, *, numbers: int = 0, names: int = 0, small: bool = False) -> int:
    """End of the elements at `start`, or `start` if they make no address.

    Args:
        numbers: numbers that come before, as in «12, calle…».
        names: names that come before, or one if none is needed.
        small: the name of the road may be in small letters.
    """
    text, low = page.text, page.low
    end = position = start
    coded = led = road = False
    while position < start + LONGEST and (element := _ELEMENT.match(low, position)):
        word = element["word"]
        if word:
            link, place = word in _LINKS, word.rstrip("ºª") in _PLACES
            own = text[position].isupper() and (led or word not in NO_NAMES) and word not in _NO_TOWN
            door = numbers and (len(word) == 1 or word in _TOWNS) and not link
            named = (
                small and not numbers and not link and (led or word not in NO_NAMES) and word not in _NO_ROAD
            )
            if not (own or place or door or named or link):
                break
            road, led = road or place, place or link
            names += (own or named) and not place
            end = element.end() if own or place or door else end
        elif element["number"] and _is_date(page, element.end()):
            break
        else:
            numbers += element["number"] is not None
            coded = coded or element["code"] is not None
            led = element["number"] is None
            end = element.end()
        gap = _GAP.match(low, element.end())
        if gap is None or (gap.end() == element.end() and not element["sign"]):
            break
        if gap[0].strip() == "." and (coded or _ends(page, element, gap.end(), numbers)):
            break
        position = gap.end()
    if not names or not (numbers or (coded and road)):
        return start
    if small and (town := _OF.match(low, end)) and town["word"] not in _NO_ROAD | _NO_TOWN:
        # «Segundo b de roquetas»
        end = town.end()
    return end + 1 if text[end : end + 1] == ")" and "(" in text[start:end] else end


def _ends(page: Page, element: re.Match[str], start: int, numbers: int) -> bool:
    """True if the point after the element ends a sentence: none after a short word, nor before a floor."""
    if word := element["word"]:
        return len(word) > SHORT or (numbers > 0 and word not in _PLACES)
    floor = _ELEMENT.match(page.low, start)
    return not (floor and floor["word"] and (floor["word"] in _PLACES or len(floor["word"]) == 1))


def _is_date(page: Page, end: int) -> bool:
    """True before «de mayo», not before «de Getafe» or «de bcn»."""
    of = _OF.match(page.low, end)
    return of is not None and page.text[of.start("word")].islower() and of["word"] not in _TOWNS


def _after(
    page: Page, match: re.Match[str], *, small: bool = False, numbers: int = 0, names: int = 0
) -> Place:
    """The address that follows the match."""
    return match.end(), _run(page, match.end(), small=small, numbers=numbers, names=names)


def _whole(page: Page, match: re.Match[str], *, small: bool = False, names: int = 0) -> Place:
    """The address that begins with the match."""
    return match.start(), _run(page, match.start(), small=small, names=names)


def _road(page: Page, match: re.Match[str]) -> Place | None:
    """«C/ Larios 5», or with its number before it: «en el número 12 de la calle Feria»."""
    start, sure = match.start(), match["road"] not in _ROADS_OR_NOT
    capital = page.text[match.end()].isupper()
    if not (sure or capital):
        return None
    number = _NUMBER_BEFORE.search(page.low, max(0, start - 30), start) if capital else None
    end = _run(page, start, small=sure, numbers=number is not None)
    return number.start() if number else start, end


def _before(page: Page, match: re.Match[str]) -> Place | None:
    """The longest run of elements that ends with the match or goes on beyond it."""
    line = page.text.rfind("\n", 0, match.start()) + 1
    for first in _FIRST.finditer(page.low, max(line, match.start() - SIGHT), match.start()):
        word = first["word"]
        if not (page.text[first.start("word")].isupper() or word in _BEGINS) or _is_apart(
            page, first.start()
        ):
            continue
        end = _run(page, first.start())
        if end >= match.end():
            return first.start(), end
    return match.span() if "town" in match.re.groupindex else None


def _is_apart(page: Page, start: int) -> bool:
    """True for somebody's name before the address: «Ana Ruiz, calle Olmo 3»."""
    apart = _APART.match(page.low, start)
    return apart is not None and not {*_WORD.findall(apart["before"])} & (_PLACES | _TOWNS)


def _labelled(page: Page, match: re.Match[str]) -> Place | None:
    """The address after a label: with a number, or with a word for a place or a town."""
    start, end = _after(page, match, small=True)
    if end > start:
        return start, end
    line = match["line"].split(". ")[0]
    words = {*_WORD.findall(line)}
    named = words - _LINKS
    if not page.text[start].isupper() or words & (_NO_ROAD | NO_NAMES) - _LINKS:
        return None
    return (start, start + len(line)) if len(named) > 1 and named & (_PLACES | _TOWNS) else None


_WORD = re.compile(r"[^\W\d_]+")
_ROAD = re.compile(
    r"(?P<road>c(?=[/.])|p\.?º|[^\W\d_]+º?(?!\w))(?!/c)[./]{0,2} {0,2}(?:de |del |la |las |los |el "
    r"|[dl]['’])*(?=[^\W_])"
)
_NUMBER_BEFORE = re.compile(
    r"(?<![\w./,-])(?:(?:numero|num\.?|n\.?[º°o]\.?|portal) *)?\d{1,3}(?: ?bis| ?[a-z])?(?: ?, ?| (?:de "
    r"|del )(?:la |el )?)\Z"
)
_LIVES = re.compile(
    r"\w+ (?:\w+ |en la actualidad |a efectos de notificaciones )?(?:en|a):? (?:(?:la|el|un|una|mi|casa"
    r"|piso) (?:de )?)?"
)
_LABELLED = re.compile(
    r"[a-z]+(?: +(?:social|fiscal|actual|particular|familiar|habitual|completa|postal|y (?:numero|n\.?º)"
    r"|del? \w+))*"
    r"(?: *\.?: *| *\n *| *[=\t|] *)(?=(?P<line>[^\n;|\t]{6,90}))"
)
_TOWN = rf"(?P<town>(?:[EAO][ls]? |L[ao]s? |L['’])?[{_UPPER}][a-záéíóúñüàèòç'’-]{{2,}})"
_CODED = re.compile(
    rf"(?<![\w./-])(?:\d{{5}}|\d{{4}}-\d{{3}}) *[,–-]? *{_TOWN}"
    rf"|(?<![\w./-])[A-Z]{{1,2}}\d{{1,2}}[A-Z]? \d[A-Z]{{2}}(?!\w)"
)
_FLOOR = re.compile(
    r"(?<![\w.,/])\d{1,3},? *-? *(?:\d{1,2} ?\.? ?[ºª°] ?-?,? ?(?:[A-H](?!\w)|(?i:iz|d[re]?ch|centro|ctro"
    r"|pta|puerta))"
    r"|(?i:bajo|bj|[aá]tico|entlo|pral)\.?(?: [A-H])?(?!\w)"
    r"|(?i:pabell[oó]n|nave|portal|local|oficina|despacho|escalera|esc\.|piso|puerta|chalet) (?:\d{1,3}"
    r"|[A-H])(?!\w))"
)
_FIRST = re.compile(r"(?<![\w.,/-])(?:\d{1,4},? )?(?P<word>c/|[^\W\d_]+)")
_APART = re.compile(rf"(?P<before>[^,(\d]{{2,60}})(?:, | \(| en )(?:c/|{either('roads')}(?!\w))")
_SUFFIXED = re.compile(rf"(?<!\w)(?:[{_UPPER}][\w'’-]+ ){{1,3}}(?=[a-z]+ \d)")
_BOX = re.compile(
    r"(?:(?:apartado|apartat|apdo\.?)(?: (?:de|postal|correus|correos)){1,2}|p\.? ?o\.? ?box|posta kutxa) ?"
)
_DIGITS = re.compile(r"\d{3}|\d[a-z]? \d[a-z]{2}(?!\w)")


def _row(form: re.Pattern[str], reads: Callable[[Page, re.Match[str]], Place | None], *lists: str) -> Finder:
    return Finder("DIRECCION", form, frozenset().union(*(WORDS[name] for name in lists)), reads=reads)


FINDERS = (
    _row(_ROAD, _road, "roads", "roads_or_not", "basque"),
    _row(_LIVES, _after, "living"),
    _row(_LABELLED, _labelled, "address_labels"),
    _row(re.compile(r"gran via (?=\d)"), partial(_whole, names=1), "roads_or_not"),
    _row(_BOX, partial(_whole, names=1, small=True), "buildings"),
    _row(
        re.compile(r"(?:c\.?p\.?|codigo postal|cod\. ?postal)[.: ]{1,3}(?=\d{5})"),
        partial(_after, numbers=1, names=1),
        "codes",
    ),
    Finder("DIRECCION", _CODED, near=_DIGITS, cased=True, reads=_before),
    Finder("DIRECCION", _FLOOR, near=re.compile(r"\d"), cased=True, reads=_before),
    Finder(
        "DIRECCION",
        _SUFFIXED,
        near=re.compile(r"(?:kalea?|bidea|etorbidea|plaza) \d"),
        cased=True,
        reads=_whole,
    ),
)
