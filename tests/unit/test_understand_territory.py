"""Which part of Spain a question speaks of: level, comunidad, municipality."""

import pytest

from lexicon.territories import territory


@pytest.mark.parametrize(
    ("question", "confidence"), [("en Sevilla", 1.0), ("Castilla y León", 0.8), ("becas Sevilla", 0.6)]
)
def test_the_surest_phase_says_how_sure_it_is(question: str, confidence: float) -> None:
    found = territory(question)
    assert found is not None and found.confidence == confidence


def test_a_city_takes_the_norms_of_its_comunidad_too() -> None:
    found = territory("en Madrid")
    assert found is not None
    assert (found.level, found.names) == ("municipal", ("Madrid", "Comunidad de Madrid"))
