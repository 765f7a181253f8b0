"""Ties of provisions held against the real norms in ../shared/boe as they are today."""

from datetime import date
from functools import cache

import pytest

from calculations.figure_files import read_facts
from core.clock import today_in_spain
from lexicon.ties import Kind, label, ties
from loading.ingestion.stale_ties import hashes, stale_ties
from rag.answers.companion_passages import companion_passages
from rag.answers.passage_selection import Passage
from rag.shared.hits import Hit
from service.config import ROOT
from tests.real_law import RealLaw
from text.textnorm import stems

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
TODAY = date(2026, 11, 21)
HALF = 0.5
NOT_KEPT = {"dacuadragesimaprimera", "dtcuadragesima", "a269"}
"""First blocks of the effects whose wordings are not kept: never applied, or dated otherwise."""


def test_both_ends_of_every_row_are_in_the_law(real_law: RealLaw) -> None:
    corpus = real_law.program.database.corpus
    for tie in ties():
        for norm, block in (*tie.of, *tie.to):
            found = corpus.block(norm, block) if block else corpus.norm(norm)
            assert found is not None, (tie.kind, norm, block)
    tied = {place for tie in ties() if tie.kind in {Kind.COMPANION, Kind.TRANSITIONAL} for place in tie.to}
    called = {place for tie in ties() if tie.kind is Kind.COMPANION for place in tie.of}
    blocks = [corpus.block(*place) for place in tied | called]
    assert all(block and block.label == label(block.id) for block in blocks)


def test_every_row_was_checked_on_the_wordings_of_today(real_law: RealLaw) -> None:
    """A failure names what is to be read again; then `python -m lab ties "ET a48"` writes its hashes."""
    # Some norms have a hundred rows.
    read, day = cache(real_law.program.database.corpus.document), today_in_spain()
    figures = read_facts([ROOT / "data"]).ties
    assert [one.says for one in stale_ties(read, day, figures)] == []
    assert all(hashes(tie, read, day) == tie.sha256 for tie in figures)
    without = [tie for tie in ties() if not (tie.sha256 and all(tie.sha256) and all(hashes(tie, read, day)))]
    assert {tie.of[0][1] for tie in without} <= NOT_KEPT and all(tie.published for tie in without)


def test_every_companion_is_in_force_and_its_passage_has_most_of_the_words_sought(real_law: RealLaw) -> None:
    store = real_law.program.services.store
    for tie in [tie for tie in ties() if tie.kind is Kind.COMPANION]:
        wanted = frozenset(stems(tie.seeks))
        joined = store.find(tie.norm, tie.label, TODAY)
        for norm, block in tie.of:
            case = store.find(norm, label(block), TODAY)
            hits = [Hit(chunk=chunk, score=1.0) for chunk in [*case, *joined]]
            asks = " ".join(words.partition(" ")[0] for words in (tie.asked, tie.about))
            found = companion_passages([Passage(0, 0, case[0].text)], hits, f"¿{asks}?")
            (passage,) = [one for one in found if hits[one.hit].chunk.label == tie.label]
            said = stems(f"{passage.lead} {passage.text}")
            assert len(wanted.intersection(said)) >= HALF * len(wanted), (tie, passage.text)
            assert passage.text.startswith(tie.opens), tie
            folded = Passage(passage.hit, passage.start, passage.text, aside=True)
            again = companion_passages([Passage(0, 0, case[0].text), folded], hits, f"¿{asks}?")
            assert passage in again, f"what stands folded keeps it away: {tie}"
