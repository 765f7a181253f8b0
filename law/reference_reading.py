"""Citations in a text, as written: articles, disposiciones, annexes and norms, with offsets.

Purely lexical and case-insensitive, so that it serves the text of laws and what people type alike. It works
on the folded text (`law.labels.fold`), whose offsets are those of the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from law import labels
from law.norm_names import NUMBERED, ONLY_AFTER_AN_ARTICLE

SPELLED = 60
LOOK_BACK = 70
MOST_APARTADOS, NEXT = 15, 3
"""A number that is higher, or more than so much after the apartado before it, is another article."""


class Item(NamedTuple):
    """One cited block: its canonical label, its apartado, and the last label when it is a range."""

    label: str
    apartado: str | None = None
    until: str | None = None


class Mention(NamedTuple):
    """A citation as written.

    Attributes:
        source, folded: the whole text, and its folding, in which `resolve` looks for the name of the norm.
        tail: offset where that name may begin.
        items: the blocks it names; empty for 'artículo anterior' and for a norm alone.
        relative: 'previous', 'next', 'this' or empty.
        weak: counts as a citation only with the name of a norm ('48 bis ET', 'la ley de huelga').
    """

    source: str
    folded: str
    start: int
    end: int
    tail: int
    items: tuple[Item, ...] = ()
    relative: str = ""
    weak: bool = False

    @property
    def text(self) -> str:
        return self.source[self.start : self.end]

    @property
    def quoted(self) -> bool:
        """True inside «…»: a citation there that names no norm may refer to another text."""
        return self.source.count("«", 0, self.start) > self.source.count("»", 0, self.start)


_ACRONYMS = "lgss|trlgss|lisos|trlisos|leta|lrjs|lols|lprl|lett|tret|rgss"
_ANCHOR = re.compile(
    r"\b(?:(?P<art>articulos?|arts?\b\.?)(?=[\s\d,.;:)]|$)"
    r"|(?:disp(?:osicion(?:es)?|\.)|\bd\.)\s*(?P<disp>adicional|transitoria|derogatoria|final|adic|ad|transit|trans|tr|derog|fin)"
    r"(?:es|s)?\b\.?"
    r"|(?P<short>d\.?\s?[atdf])\b\.?(?=\s*\d|\s[a-z])"
    r"|anexos?\s+(?P<annex>[ivxl]+|\d{1,2})\b)\s*"
)
_NUMBER = re.compile(
    r"(?<![\w./,-])\d{1,3}(?:\s(?:bis|ter|quater))?(?:\.\d{1,2})?(?:\.?[a-z]\)|\.[a-z])?\s+"
    r"(?:(?:de\s+la\s+|del?\s+)?(?=(?:et|ce|estatuto de los|constitucion)\b)"
    rf"|(?:de la |del )?(?=(?!(?:{'|'.join(sorted(ONLY_AFTER_AN_ARTICLE))})\b)[a-z]{{3,8}}\b))"
)
_NUMBER_OF_SAID = re.compile(
    r"(?<![\w./,-])\d{1,3}\.\d{1,2}(?:\.?\s?[a-z]\))?"
    r"(?=\s+(?:del?|de la)\s+(?:mism[oa](?=\s*(?:[.,;)]|$))"
    r"|(?:mism|citad|precitad|dich|referid|mencionad|repetid)[oa]\s+"
    r"(?:cuerpo|texto|norma|ley|estatuto)))"
)
"""«55.4 del mismo cuerpo legal»."""
_NAME = re.compile(rf"\b(?:ley|estatuto|constitucion|reglamento|texto refundido|codigo|{_ACRONYMS})\b")
_UPPER = re.compile(r"(?<![\w/-])[A-Z]{2,8}(?![\w/-]|\) ?n)")
_KINDS = {prefix[-1]: kind for kind, prefix in labels.PREFIXES.items()}

_MEASURE = (
    r"(?!\s*(?:dias?|mes(?:es)?|anos?|semanas?|horas?|minutos?|euros?|pesetas|por ciento|%"
    rf"|de (?:{labels.ANY_MONTH}))\b)"
)
# «(art. 21.1 ET)» has no letter.
_LETTER = r"(?!(?:et|ce|cc|cp)\))[a-zñ]{1,2}\)"
_SUB = rf"(?:[. ] ?{_LETTER}(?:(?:\s*,\s*|\s+[yoe]\s+){_LETTER})*|\.[a-zñ](?![\w)]))?"
_ITEM = re.compile(
    rf"(?P<n>\d{{1,2}}\.\d{{3}}(?!\d)|\d{{1,4}}(?![\d/]))(?:\.?\s?[ºª°])?(?:\s?(?P<s>{labels.SUFFIXES})\b)?"
    r"(?:(?:\. ?|,(?=\d(?!\d))|(?<=[a-z]) )(?P<a>\d{1,2})(?![\d/]|\.\d{3})(?:\.?[ºª°])?"
    r"(?:\s(?P<as>bis|ter|quater|quinquies)\b)?(?:\.\d{1,2}\.?[ªº]?(?:\s*(?:,|y)\s*\d{1,2}\.?[ªº])*)?)?"
    rf"{_SUB}{_MEASURE}"
)
_ORDINAL_MARK = re.compile(r"\.?\s?[ºª°]|[.)]?[ao]\b")
_OWN_APARTADO = re.compile(r"\.(\d{1,2})(?:\.[a-zñ]\))?(?!\d)")
_JOIN = re.compile(
    r"(?P<to>\s*[-–]\s*(?=\d)|\s+(?:a|al|hasta(?: el| la)?)\s+)|(?P<comma>\s*,\s*(?:(?:y|e|o|u)\s+)?)"
    r"|\s+(?:y|e|o|u|ni)\s+"
)
_AGAIN = re.compile(r"(?:(?:en\s+)?(?:el|los|del|de los|la|las)\s+)?(?:articulos?\s+|arts?\.?\s+)?")
_ORDINAL = r"(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim|ultim|penultim)[oa]?s?\b"
_VALUE = (
    rf"(?:{_LETTER}|\d{{1,2}}(?:\.?[ªº])?(?![\d/])(?:\.?[a-zñ]\))?|[ivx]{{1,4}}\b|{_ORDINAL}"
    r"|final\b|unic[oa]\b|uno\b|dos\b|tres\b|cuatro\b|cinco\b|seis\b|siete\b|ocho\b|nueve\b)"
)
APARTADO_WORDS = r"apartados?|apdos?\.?|aptdos?\.?|aps?\.|numeros?|nums?\.?|n\.?\s?[º°]s?\.?"
_DETAIL = re.compile(
    rf" *,? *(?:y\s+)?(?:en\s+)?(?:sus?\s+)?(?:(?:(?P<part>{APARTADO_WORDS})"
    r"|letras?|parrafos?|parrs?\b\.?|pfos?\b\.?"
    rf"|reglas?|incisos?|ordinal(?:es)?|puntos?)\s+(?P<v>{_VALUE})(?:(?:\s*,\s*|\s+[yoae]\s+){_VALUE})*"
    rf"|letra\s+[a-z]\b(?!\))|(?:{_ORDINAL})\s+(?:parrafo|parr\b\.?|pfo\b\.?|inciso|apartado)"
    r"|(?:y\s+)?(?:siguientes|concordantes|sgtes\b\.?|ss\b\.?|conc(?:ord)?\b\.)"
    r"|ambos|todos ellos|todas ellas|inclusive|in fine)"
)
_BEFORE = re.compile(
    rf"\b(?:{APARTADO_WORDS}|parrafos?|letras?|reglas?|incisos?)\s(?:(?!\barts?\b|articulo)[^.;:\n]){{0,50}}?\s*\bdel?\s+"
    r"(?:los\s+|el\s+)?(?:(?:(?:mism|propi|dich|[a-z]{2,}(?:ad|id))os?|es[eo]s?|este|aquel)\s+)?$"
)
_APARTADO = re.compile(rf"\b(?:{APARTADO_WORDS})\s+(\d{{1,2}}(?:\s(?:bis|ter)\b)?)")
_RELATIVE = re.compile(r"(?:inmediatamente\s+|inmediato\s+)?(?P<which>anterior|precedente|siguiente)\b")
_THIS = re.compile(r"\b(?:este|presente|propio)\s+(?:mismo\s+)?$")
_HEADING_END = re.compile(r"\.?(?:\s*$|\s*\n|\s+[A-ZÁÉÍÓÚÑ(\[])")


def find_mentions(text: str) -> list[Mention]:
    """Every citation of `text`, in order of appearance. Headings of articles are not citations."""
    folded = labels.fold(text)
    blocks = [mention for mention in _blocks(text, folded) if not _is_heading(mention)]
    covered = {position for mention in blocks for position in range(mention.start, mention.end)}
    alone = (mention for mention in _norms(text, folded) if mention.start not in covered)
    return sorted([*blocks, *alone], key=lambda mention: (mention.start, -mention.end))


def unannounced(text: str, folded: str, start: int, until: int | None = None) -> Mention | None:
    """The numbers that begin at `start`, without «artículo» before them; weak.

    Args:
        until: where they end at the latest.
    """
    items, end = _items(folded if until is None else folded[:until], start, plural=True)
    return _detailed(text, folded, start, end, items)._replace(weak=True) if items else None


def _blocks(text: str, folded: str) -> Iterator[Mention]:
    for anchor in _ANCHOR.finditer(folded):
        if anchor["art"]:
            mention = _article(text, folded, anchor)
        elif anchor["annex"]:
            item = Item(labels.annex(anchor["annex"]))
            mention = Mention(text, folded, anchor.start(), anchor.end("annex"), anchor.end("annex"), (item,))
        else:
            mention = _disposition(text, folded, anchor)
        if mention is not None:
            yield mention
    for pattern, weak in ((_NUMBER, True), (_NUMBER_OF_SAID, False)):
        for number in pattern.finditer(folded):
            items, end = _items(folded, number.start(), plural=False)
            if items:
                yield Mention(text, folded, number.start(), end, end, tuple(items), weak=weak)


def _norms(text: str, folded: str) -> Iterator[Mention]:
    """Norms cited by number (known or not), and places where the name of a norm may begin."""
    taken: set[int] = set()
    for match in NUMBERED.finditer(folded):
        taken.add(match.start())
        yield Mention(text, folded, match.start(), match.end(), match.start())
    for pattern, where in ((_NAME, folded), (_UPPER, text)):
        for match in pattern.finditer(where):
            if match.start() not in taken:
                taken.add(match.start())
                yield Mention(text, folded, match.start(), match.end(), match.start(), weak=True)


def _article(text: str, folded: str, anchor: re.Match[str]) -> Mention | None:
    start, position = anchor.start(), anchor.end()
    plural = anchor["art"].startswith(("articulos", "arts"))
    items, end = _items(folded, position, plural)
    if items:
        return _detailed(text, folded, start, end, items)
    if plural:
        return None
    relative = _RELATIVE.match(folded, position)
    if relative:
        which = "next" if relative["which"] == "siguiente" else "previous"
        return Mention(text, folded, start, relative.end(), relative.end(), relative=which)
    this = _THIS.search(folded, max(0, start - LOOK_BACK), start)
    end = anchor.end("art")
    return Mention(text, folded, this.start(), end, end, relative="this") if this else None


def _disposition(text: str, folded: str, anchor: re.Match[str]) -> Mention | None:
    """A spelled-out disposición, or 'DA 3'; in lower case 'da 3' needs a norm after it ('da 3 lgss')."""
    short = anchor["short"]
    kind = _KINDS[short[-1] if short else anchor["disp"][0]]
    position = anchor.end()
    values: list[Item] = []
    end = position
    ranged = False
    while value := labels.parse_number(folded[position : position + SPELLED]):
        end = position + value[1]
        label = f"{labels.PREFIXES[kind]} {value[0]}"
        if ranged:
            values[-1] = values[-1]._replace(until=label)
        else:
            values.append(Item(label))
        if mark := _ORDINAL_MARK.match(folded, end):
            end = mark.end()
        if apartado := _OWN_APARTADO.match(folded, end):
            end = apartado.end()
            values[-1] = values[-1]._replace(apartado=apartado.group(1))
        joint = _JOIN.match(folded, end)
        if joint is None:
            break
        ranged = joint["to"] is not None
        position = joint.end()
    if not values:
        return None
    mention = _detailed(text, folded, anchor.start(), end, values)
    return mention._replace(weak=bool(short) and not text[anchor.start()].isupper())


def _items(folded: str, position: int, plural: bool) -> tuple[list[Item], int]:
    """The numbers of a list such as '38.1, 48 bis y 49 a 56', and where it ends."""
    items: list[Item] = []
    end = position
    ranged = False
    apartado: str | None = None
    while read := _item(folded, position):
        item, end = read
        if ranged:
            items[-1] = items[-1]._replace(until=item.label)
        elif items and apartado and _is_apartado(item, items[-1].label, apartado, plural):
            apartado = item.label
        else:
            items.append(item)
            apartado = item.apartado
        joint = _JOIN.match(folded, end)
        if joint is None or (not plural and not _joins_one(joint)):
            break
        ranged = joint["to"] is not None
        again = _AGAIN.match(folded, joint.end())
        position = again.end() if again else joint.end()
    return items, end


def _is_apartado(item: Item, article: str, before: str, plural: bool) -> bool:
    """True for the «3» of «26.1 y 3», not for the «31» of «26.1 y 31».

    Behind «artículos» it is one only if it comes soon after the apartado `before` and no article follows the
    other so: «207.1.a) y 2, 208.1», but «24.1 y 14» and «8.1 y 12».
    """
    if item.apartado is not None or not item.label.isdigit() or int(item.label) > MOST_APARTADOS:
        return False
    own, last = re.match(r"\d+", article), re.match(r"\d+", before)
    if not plural or own is None or last is None:
        return not plural
    return int(last[0]) < int(item.label) <= int(last[0]) + NEXT and int(item.label) < int(own[0])


def _joins_one(joint: re.Match[str]) -> bool:
    """True for 'y', 'al' or 'hasta', which alone extend a singular «artículo»: '48, 2 días' is not a list."""
    return joint["comma"] is None and (joint["to"] is None or "l" in joint["to"] or "h" in joint["to"])


def _item(folded: str, position: int) -> tuple[Item, int] | None:
    match = _ITEM.match(folded, position)
    if match is None:
        spelled = labels.parse_number(folded[position : position + SPELLED])
        if spelled is None:
            return None
        label = "único" if spelled[0] == labels.SOLE else spelled[0]
        return Item(label), position + spelled[1]
    label = match["n"].replace(".", "").lstrip("0") or "0"
    if match["s"]:
        label = f"{label} {match['s']}"
    apartado = f"{match['a']} {match['as']}" if match["as"] else match["a"]
    return Item(label, apartado), match.end()


def _detailed(text: str, folded: str, start: int, end: int, items: list[Item]) -> Mention:
    """The mention with its 'apartado 2 de' before and ', apartado 2, letra b)' after."""
    apartado = None
    before = _BEFORE.search(folded, max(0, start - LOOK_BACK), start)
    if before:
        start = before.start()
        inside = _APARTADO.search(before.group())
        apartado = inside.group(1) if inside else None
    while detail := _DETAIL.match(folded, end):
        end = detail.end()
        if detail["part"] and apartado is None and (digits := re.match(r"\d+", detail["v"])):
            apartado = digits.group()
    if apartado and len(items) == 1 and items[0].apartado is None:
        items = [items[0]._replace(apartado=apartado)]
    return Mention(text, folded, start, end, end, tuple(items))


def _is_heading(mention: Mention) -> bool:
    """'Artículo 48. Suspensión…' at the start of a line, or of a quotation, of a longer text."""
    text, start = mention.source, mention.start
    if start and text[start - 1] not in "\n«":
        return False
    return ("\n" in text or start > 0) and _HEADING_END.match(text, mention.end) is not None
