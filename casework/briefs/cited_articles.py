"""The articles that a brief has cited so far, looked up without going through all of them. Pure."""

from collections.abc import Collection

from casework.briefs.findings import Provision


class CitedArticles:
    """Provisions with their article, in the order in which they are read.

    Attributes:
        all: each of them.
    """

    def __init__(self) -> None:
        self.all: list[Provision] = []
        self._norms: dict[tuple[str | None, bool], dict[str, int]] = {}
        self._last: dict[tuple[str | None, bool], int] = {}

    def add(self, one: Provision) -> None:
        """Take the next one."""
        for implied in {True, one.implied}:
            self._last[one.label, implied] = len(self.all)
            if one.norm_id:
                self._norms.setdefault((one.label, implied), {}).setdefault(one.norm_id, len(self.all))
        self.all.append(one)

    def norms(self, labels: Collection[str], *, implied: bool) -> list[str]:
        """Ids of the norms of which such an article was cited, the first first, by name unless `implied`."""
        found: dict[str, int] = {}
        for label in labels:
            for norm, place in self._norms.get((label, implied), {}).items():
                found[norm] = min(place, found.get(norm, place))
        return sorted(found, key=found.__getitem__)

    def last(self, labels: Collection[str]) -> Provision | None:
        """The last with one of these labels whose norm was named, else the last one."""
        for implied in (False, True):
            places = [self._last[label, implied] for label in labels if (label, implied) in self._last]
            if places:
                return self.all[max(places)]
        return None
