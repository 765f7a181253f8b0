"""Texts that come after the law unless the question asks for them: rulings, papers, agreements of others."""

from collections.abc import Sequence

from law.agreement_names import RANK
from law.chunks import Chunk
from law.decisions import PAPERS
from rag.answers.passage_selection import Passage
from rag.answers.ruling_parts import asks_decisions, is_decision
from rag.question.understanding import Understanding
from rag.shared.hits import Hit

RULING, RULING_PASSAGE = 0.37, 0.6
"""A ruling says the words of a case: of 240 questions that the law answers 46 had one before it, with this
17; of 32 that a ruling or a criterion answers 29 have it first."""
AGREEMENT, AGREEMENT_PASSAGE = 0.2, 0.5
"""An agreement says in few words what the law says of everybody: it answers first only what no law does."""
PAPER, PAPER_PASSAGE = 0.05, 0.1
"""A paper, or a draft, is no law: it answers first only what it surely does and no law."""
SURE = 0.5
"""Odds of a paper that may answer first, and of a passage of the law that comes before the rows of an
agreement, whose scores tell no odds."""


def binds_others(chunk: Chunk, read: Understanding) -> bool:
    """True for a chunk of an agreement, or of a paper, that the question is not about: it may bind nobody."""
    if chunk.rank != RANK and chunk.collection != PAPERS:
        return False
    named = {*read.agreements.about, *read.filters.norm_ids}
    return chunk.norm_id not in named.union(*read.pointed.where.values())


def comes_after(chunk: Chunk, read: Understanding) -> bool:
    """True for a chunk that comes after the law unless the question asks for it."""
    return _share(chunk, read, 0.0, 0.0, 0.0) < 1.0


def _share(chunk: Chunk, read: Understanding, ruling: float, agreement: float, paper: float) -> float:
    """The factor of a chunk: of a ruling, of an agreement of others, of a paper, or 1."""
    if is_decision(chunk):
        return 1.0 if asks_decisions(read) else ruling
    if not binds_others(chunk, read):
        return 1.0
    return paper if chunk.collection == PAPERS else agreement


def behind_the_law(hits: Sequence[Hit], read: Understanding) -> list[Hit]:
    """The hits in the order of their scores, some of them lowered; the best one has 1 again.

    Hits that the question names keep their scores and come first, further parts of an article last.
    """
    shares = [_share(hit.chunk, read, RULING, AGREEMENT, PAPER) for hit in hits]
    if all(share == 1.0 for share in shares):
        return list(hits)
    first: set[object] = set()
    placed: list[tuple[bool, bool, Hit]] = []
    for hit, share in zip(hits, shares, strict=True):
        named = hit.origin == "exact"
        lowered = (hit.rerank or 0.0) * (1.0 if named else share)
        placed.append((not named, hit.chunk.article in first, hit.model_copy(update={"rerank": lowered})))
        first.add(hit.chunk.article)
    best = max(hit.rerank or 0.0 for *_, hit in placed) or 1.0
    placed.sort(key=lambda one: (*one[:2], -(one[2].rerank or 0.0)))
    return [hit.model_copy(update={"rerank": (hit.rerank or 0.0) / best}) for *_, hit in placed]


def law_first(ranked: list[Passage], hits: Sequence[Hit], read: Understanding) -> list[Passage]:
    """The passages, the law's first one before what comes behind the law and is little better.

    Of an article that comes before an agreement of others any passage is good enough.

    Args:
        hits: those of the passages, in their order.
    """
    factors = RULING_PASSAGE, AGREEMENT_PASSAGE, PAPER_PASSAGE
    shares = [_share(hits[one.hit].chunk, read, *factors) for one in ranked]
    if not ranked or shares[0] == 1.0:
        return ranked
    best, least = ranked[0].hit, shares[0] * ranked[0].score
    paper = hits[best].chunk.collection == PAPERS
    agreement = binds_others(hits[best].chunk, read) and not paper
    if paper and ranked[0].score < SURE:
        least = 0.0
    law = [
        one
        for one, share in zip(ranked, shares, strict=True)
        if share == 1.0 and (one.score >= least or (agreement and one.hit < best))
    ]
    return [*law[:1], *(one for one in ranked if one not in law[:1])]


def before_rows(
    tabular: list[Passage], pool: Sequence[Passage], hits: Sequence[Hit], read: Understanding
) -> list[Passage]:
    """The rows, after the best passage if they are of an agreement of others and it is of the law."""
    if not binds_others(hits[tabular[0].hit].chunk, read) or not pool or pool[0].score < SURE:
        return tabular
    return tabular if binds_others(hits[pool[0].hit].chunk, read) else [pool[0], *tabular]
