"""Documents by the metadata that a question points by, numbers and titles; made once, asked often."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from law.decisions import PAPERS
from law.labels import fold
from law.norms import Norm
from text.textnorm import stems

NUMBERS = ("num_contrato", "ecli", "numero", "number")
PARTY = "contratista"
MIN_NUMBER = 5


class Records:
    """The documents of a corpus with metadata of their own, found without walking them all.

    Attributes:
        contracts: those that are contracts.
        titles: stems of the title of each contract and paper, by id; `uses` counts those with a stem.
    """

    def __init__(self, documents: Iterable[Norm] = ()) -> None:
        self._norms = {norm.id: norm for norm in documents}
        self._places = {norm_id: place for place, norm_id in enumerate(self._norms)}
        self._numbers = {norm.id: numbers for norm in self._norms.values() if (numbers := _numbers(norm))}
        self._numbered: defaultdict[str, list[str]] = defaultdict(list)
        for norm_id, numbers in self._numbers.items():
            for number in numbers:
                self._numbered[number].append(norm_id)
        self._longest = max((number.count("-") + 1 for number in self._numbered), default=0)
        self.contracts = tuple(norm for norm in self._norms.values() if _is_contract(norm))
        called = [*self.contracts, *(one for one in self._norms.values() if one.collection == PAPERS)]
        self.titles = {norm.id: frozenset(stems(f"{norm.title} {norm.law}")) for norm in called}
        self.uses = Counter(stem for title in self.titles.values() for stem in title)
        self._titled: defaultdict[str, set[str]] = defaultdict(set)
        for norm_id, title in self.titles.items():
            for stem in title:
                self._titled[stem].add(norm_id)

    def named(self, asked: str) -> dict[str, str]:
        """Ids of the documents whose number a text says, in their order, with that number.

        Args:
            asked: the text as `hyphened` writes it.
        """
        words = asked.split("-")
        said = {
            number
            for start in range(len(words))
            for end in range(start + 1, start + 1 + self._longest)
            if (number := "-".join(words[start:end])) in self._numbered
        }
        ids = {norm_id for number in said for norm_id in self._numbered[number]}
        return {i: [n for n in self._numbers[i] if n in said][-1] for i in self._ordered(ids)}

    def titled(self, said: Collection[str]) -> list[str]:
        """Ids of the contracts and papers with one of these stems in their title, in their order."""
        return self._ordered(set().union(*(self._titled.get(stem, ()) for stem in said)))

    def those(self, ids: Collection[str]) -> list[Norm]:
        """The documents with these ids, in their order."""
        return [self._norms[norm_id] for norm_id in self._ordered(ids)]

    def _ordered(self, ids: Iterable[str]) -> list[str]:
        return sorted(ids, key=self._places.__getitem__)


def hyphened(text: str) -> str:
    """The words and figures of a text, folded and joined by hyphens: 'con-2024-001'."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")


def _is_contract(norm: Norm) -> bool:
    return bool(norm.extra.get("num_contrato") or norm.extra.get(PARTY))


def _numbers(norm: Norm) -> Sequence[str]:
    values = (norm.extra.get(key, "") for key in NUMBERS)
    return [one for value in values if len(one := hyphened(value)) >= MIN_NUMBER and _digits(value)]


def _digits(value: str) -> bool:
    return any(map(str.isdigit, value))
