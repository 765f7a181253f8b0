"""A norm that is not loaded and seems to answer a question better than any that is."""

from collections.abc import Iterable, Mapping, Set

from law.holdings import Holdings
from law.labels import fold
from law.norms import SUMMARISES
from lexicon.usual_names import known_norm
from rag.question.understanding import Unloaded

# Below it are 96 in 100 of the questions whose norm is missing and 24 of those whose norm is loaded: 637
# questions, each with random choices of the 49 shipped norms loaded.
PERHAPS = 0.0


def missing(known: Iterable[str], holdings: Holdings) -> frozenset[str]:
    """Ids of the known norms that are not loaded, by their id, their number or a summary."""
    return frozenset(norm for norm in known if not _is_loaded(norm, holdings))


def nearest(nearness: Mapping[str, float], lacking: Set[str]) -> Unloaded | None:
    """The missing norm nearest to a question; None if a loaded one is as near.

    Args:
        nearness: of the norms whose questions ship, by id.
        lacking: ids of those that are not loaded.
    """
    absent = nearness.keys() & lacking
    known = known_norm(max(sorted(absent), key=lambda norm: nearness[norm])) if absent else None
    if known is None:
        return None
    loaded = max((near for norm, near in nearness.items() if norm not in lacking), default=0.0)
    margin = loaded - nearness[known.id]
    if margin >= PERHAPS:
        return None
    return Unloaded(law=known.law, norm_id=known.id, margin=round(margin, 4))


def stands_for(norm_id: str, holdings: Holdings) -> str:
    """The id of the norm that a summary is of, else its own."""
    norm = holdings.by_id.get(norm_id)
    return norm.extra.get(SUMMARISES, norm_id) if norm else norm_id


def _is_loaded(norm_id: str, holdings: Holdings) -> bool:
    known = known_norm(norm_id)
    return norm_id in holdings.norms or (
        known is not None and bool(known.number) and fold(f"{known.rank} {known.number}") in holdings.numbers
    )
