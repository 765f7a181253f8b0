"""A question that belongs to a norm which is not loaded."""

import pytest

from law.holdings import Holdings
from law.norms import SUMMARISES, Norm
from rag.question.unloaded_norm import missing, nearest, stands_for

WORKERS, SECURITY = "BOE-A-2015-11430", "BOE-A-2015-11724"


def norm(norm_id: str, **fields) -> Norm:
    return Norm.model_validate({"id": norm_id, "title": norm_id, "law": norm_id, **fields})


def test_the_nearest_missing_norm_is_named_when_no_loaded_one_is_as_near() -> None:
    found = nearest({WORKERS: 0.9, SECURITY: 0.88}, frozenset({WORKERS}))
    assert found is not None
    assert (found.norm_id, found.law) == (WORKERS, "Estatuto de los Trabajadores")
    assert found.margin == pytest.approx(-0.02)


@pytest.mark.parametrize(
    ("nearness", "lacking"),
    [
        ({WORKERS: 0.9, SECURITY: 0.88}, {SECURITY}),
        ({WORKERS: 0.9, SECURITY: 0.9}, {SECURITY}),
        ({WORKERS: 0.9}, set()),
        ({}, {SECURITY}),
    ],
    ids=["a loaded one is nearer", "they are as near", "all are loaded", "nothing is known"],
)
def test_nothing_is_told_when_a_loaded_norm_is_as_near_or_nobody_knows(nearness, lacking) -> None:
    assert nearest(nearness, frozenset(lacking)) is None


@pytest.mark.parametrize(
    "loaded",
    [
        norm(WORKERS),
        norm("mi-estatuto", rank="Real Decreto Legislativo", number="2/2015"),
        norm("demo-et", extra={SUMMARISES: WORKERS}),
    ],
    ids=["by its id", "by its number", "by a summary"],
)
def test_a_norm_is_not_missing_when_it_is_loaded(loaded) -> None:
    assert missing([WORKERS, SECURITY], Holdings([loaded])) == {SECURITY}


def test_a_summary_stands_for_its_norm() -> None:
    holdings = Holdings([norm("demo-et", extra={SUMMARISES: WORKERS})])
    assert stands_for("demo-et", holdings) == WORKERS
    assert stands_for("otra", holdings) == "otra"
