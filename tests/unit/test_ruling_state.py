"""A cited ruling is known among those that are held by number, Roj or any of its appeals."""

from collections.abc import Sequence
from datetime import date
from typing import cast

import pytest

from casework.briefs.norm_library import Library
from casework.briefs.ruling_state import judged
from law.norms import Norm
from law.rulings import rulings
from tests.case_files import pairs

TODAY = date(2032, 1, 1)
SUPREME = Norm(
    id="uno",
    collection="sentencias",
    title="STS 77/2031, de 12 de marzo de 2031",
    law="STS 77/2031, de 12 de marzo de 2031",
    alias="STS 77/2031",
    number="77/2031",
    published=date(2031, 3, 12),
    extra={"recurso": "900/2029, 901/2029", "roj": "STS 4321/2031"},
)
EUROPEAN = Norm(
    id="dos",
    collection="sentencias",
    title="STJUE C-7/30 y C-8/30",
    law="STJUE C-7/30 y C-8/30",
    number="C-7/30 y C-8/30",
)


class Held:
    """The norms of a corpus."""

    def norms(self) -> Sequence[Norm]:
        return (SUPREME, EUROPEAN)


@pytest.mark.parametrize(("cited", "held"), pairs("held_rulings"))
def test_a_cited_ruling_is_found_by_any_of_its_numbers(cited: str, held: str) -> None:
    (ruling,) = rulings(f"Véase la {cited}.", TODAY)
    assert judged(ruling, cast(Library, Held())).norm_id == held
