"""Collective agreements by the words that they are called by; made once, asked by every question."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from law import dates
from law.norms import Norm
from text.textnorm import stems

RANK = "Convenio colectivo"
LAST_DAY, AFTERWARDS = "vigencia_hasta", "tras_la_vigencia"
"""Keys in `Norm.extra` of the last agreed day and of what the agreement says about the time after it."""
FUNCTIONAL, TERRITORIAL, PERSONAL = SCOPES = ("ambito_funcional", "ambito_territorial", "ambito_personal")

_TERM_OVER = "La vigencia pactada terminó el {day}: compruebe la ultraactividad (art. 86.3 ET)."

GENERIC = frozenset(
    stems(
        "convenio colectivo marco estatal provincial nacional autonómico general interprovincial empresa "
        "sector industria provincia región comunidad autónoma principado comarca código personal laboral "
        "centro servicio actividad trabajo trabajadores sociedad limitada anónima años jornada salario"
    )
)


def term_over(norm: Norm, today: date) -> str:
    """Warning about an agreement whose agreed term has passed; '' while it has not."""
    until = dates.parse(norm.extra.get(LAST_DAY, ""))
    return _TERM_OVER.format(day=dates.spelled(until)) if until and until < today else ""


class _Words(NamedTuple):
    """Stems of an agreement: the words of its name that are not generic, and those of its scope besides."""

    name: frozenset[str]
    scope: frozenset[str]


class AgreementNames:
    """The agreements of a corpus, found by their words without walking them all.

    Attributes:
        norms: the agreements by id, in the order given.
        words: of each; `uses` counts the agreements' names and scopes that have a stem.
    """

    def __init__(self, agreements: Iterable[Norm] = ()) -> None:
        self.norms: Mapping[str, Norm] = {norm.id: norm for norm in agreements}
        self.words: dict[str, _Words] = {}
        self.uses: Counter[str] = Counter()
        self._places = {norm_id: place for place, norm_id in enumerate(self.norms)}
        self._called: defaultdict[str, set[str]] = defaultdict(set)
        self._having: defaultdict[str, set[str]] = defaultdict(set)
        for norm in self.norms.values():
            self._add(norm)

    def _add(self, norm: Norm) -> None:
        said = " ".join(norm.extra.get(key, "") for key in SCOPES)
        name = frozenset(stems(norm.title)) - GENERIC
        words = self.words[norm.id] = _Words(name, frozenset(stems(said)) - name)
        self.uses.update(words.name)
        self.uses.update(words.scope)
        for stem in words.name | words.scope:
            self._called[stem].add(norm.id)
        for stem in stems(f"{norm.title} {norm.law} {said}"):
            self._having[stem].add(norm.id)

    def called(self, said: Iterable[str]) -> list[str]:
        """Ids of those with one of these stems in their name or scope, in their order."""
        return self._ordered(set().union(*(self._called.get(stem, ()) for stem in said)))

    def having(self, said: Iterable[set[str]]) -> list[Norm]:
        """Those that say every stem of one of these sets, none of which is empty, in their order."""
        found: set[str] = set()
        for one in said:
            found |= set.intersection(*(self._having.get(stem, set()) for stem in one))
        return [self.norms[norm_id] for norm_id in self._ordered(found)]

    def _ordered(self, ids: Iterable[str]) -> list[str]:
        return sorted(ids, key=self._places.__getitem__)
