"""Rulings and criteria of a corpus by what names them: number, appeal, Roj, ECLI, court and day."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from law.labels import fold
from law.norms import Norm
from law.ruling_form import year_of
from law.rulings import JUDGMENTS_OF, Ruling, initials
from text.textnorm import words

LAW, JUDGMENTS, CRITERIA, PAPERS = "normativa", "sentencias", "criterios_inss", "documentos"
"""Collections."""
_CASE = re.compile(r"([ct])\s?[-\u2010-\u2015]\s?(\d{1,4}/\d{2})\b", re.I)
_NUMBER = re.compile(r"\d{1,6}/\d{2,4}")
_NO_PLACE = frozenset(
    words(
        "Tribunal Superior de Justicia Sala Social Juzgado número n núm sección instancia lo la de del los"
        " las y País Comunidad Castilla"
    )
)


class Decisions:
    """The rulings and criteria of a corpus, found without walking them.

    Attributes:
        norms: them by id.
        replaced: ids of the criteria that a later one leaves without effect, each with the later one's id.
    """

    def __init__(self, norms: Iterable[Norm] = ()) -> None:
        self.norms = {norm.id: norm for norm in norms if norm.collection in (JUDGMENTS, CRITERIA)}
        self._by: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for norm in self.norms.values():
            for kind, name in _names(norm):
                self._by[kind][name].append(norm.id)
        self.replaced = {
            old: norm.id
            for norm in self.norms.values()
            for number in numbers(norm.extra.get("replaces", ""))
            for old in self._by["criterion"].get(number, ())
            if old != norm.id
        }

    def of(self, ruling: Ruling) -> list[str]:
        """Ids of the held rulings that a citation means, by ECLI, number, Roj, appeal, or court and day."""
        court = ruling.court if ruling.court in JUDGMENTS_OF else ""
        if found := self._by["ecli"].get(ruling.ecli.upper()):
            return found
        if number := next(iter(numbers(ruling.number)), ""):
            return self._of_court(self.numbered(number, "number"), court) or self._of_court(
                self.numbered(number, "roj"), court
            )
        if appeal := next(iter(numbers(ruling.appeal)), ""):
            return self._of_court(self.numbered(appeal, "appeal", "number"), court)
        return self._of_court(self.on(ruling.day), court) if ruling.day and court else []

    def numbered(self, number: str, *kinds: str) -> list[str]:
        """Ids of those with this number, as `numbers` writes it, of these kinds of `_names`."""
        return list(dict.fromkeys(found for kind in kinds for found in self._by[kind].get(number, ())))

    def alike(self, found: Iterable[str], collection: str) -> list[str]:
        """Ids of those of a collection that have one of these numbers in whatever year."""
        return sorted({i for number in found for i in self._by[collection].get(_order(number), ())})

    def placed(self, said: Iterable[str]) -> list[str]:
        """Ids of the rulings of the courts of one comunidad or town that one of these words names."""
        return sorted({i for word in said for i in self._by["place"].get(word, ())})

    def on(self, day: date) -> list[str]:
        """Ids of the rulings of that day."""
        return self._by["day"].get(day.isoformat(), [])

    def _of_court(self, ids: Iterable[str], court: str) -> list[str]:
        return [i for i in ids if not court or _acronym(self.norms[i]) in ("", court)]


def _acronym(norm: Norm) -> str:
    """The acronym of the judgments of a ruling's court: 'STS'; '' if it is not known."""
    said = norm.name.partition(" ")[0]
    court = initials(fold(norm.extra.get("court", "")))
    return said if said in JUDGMENTS_OF else court and f"S{court}"


def numbers(text: str) -> list[str]:
    """The numbers of a text in one form: '498/2018' of '00498/18', 'c-519/22' of a case with any hyphen."""
    cases = [f"{kind}-{number}".lower() for kind, number in _CASE.findall(text)]
    rest = _NUMBER.findall(_CASE.sub(" ", text))
    return cases + [f"{int(one.partition('/')[0])}/{year_of(one) or one.partition('/')[2]}" for one in rest]


def _names(norm: Norm) -> Iterator[tuple[str, str]]:
    """Names of a ruling or criterion, each with its kind."""
    own, told = norm.extra, numbers(f"{norm.number} {norm.alias}")
    yield from ((norm.collection, order) for order in dict.fromkeys(map(_order, told)))
    if norm.collection == CRITERIA:
        yield from (("criterion", number) for number in numbers(own.get("criterion_number", norm.number)))
        return
    yield from (("number", number) for number in dict.fromkeys(told))
    yield from (("appeal", number) for number in numbers(own.get("recurso", "")))
    yield from (("roj", number) for number in numbers(own.get("roj", "")))
    if cendoj := own.get("cendoj", ""):
        yield "cendoj", cendoj
    if ecli := own.get("ecli", ""):
        yield "ecli", ecli.upper()
    if norm.published:
        yield "day", norm.published.isoformat()
    if _acronym(norm) in ("STSJ", "SJS"):
        named = words(f"{own.get('comunidad', '')} {own.get('sede', '')} {own.get('court', '')}")
        yield from (("place", word) for word in {*named} - _NO_PLACE if not word.isdigit())


def _order(number: str) -> str:
    return number.partition("/")[0]
