"""A plazo that a real provision leaves to another article."""

from datetime import date

from rag.answers.passage_selection import stretches
from rag.answers.remissions import followed
from rag.shared.hits import Hit
from tests.real_law import RealLaw

TODAY = date(2026, 11, 21)
PROCEDURE = "BOE-A-2011-15936"


def test_the_plazo_is_quoted_from_the_article_that_has_it(real_law: RealLaw) -> None:
    services = real_law.program.services
    chunks = [one for label in ("114", "103") for one in services.store.find(PROCEDURE, label, TODAY)]
    hits = [Hit(chunk=chunk, score=1.0) for chunk in chunks]
    found = stretches(list(enumerate(hits)))
    first = next(one for one in found if "plazo señalado en el artículo 103" in one.piece.text)
    asked = "¿Qué plazo tengo para impugnar una sanción?"
    (passage,) = followed([first.passage(0.9)], hits, asked, services.catalogue())
    assert hits[passage.hit].chunk.label == "103"
    assert "veinte días hábiles" in passage.text
