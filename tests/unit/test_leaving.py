"""The parts of a question that would leave this machine, by the settings."""

from typing import Any

import pytest

from service.config import Settings
from service.program.leaving import away, leaving
from tests.factories import settings_of

ELSEWHERE, HERE = "https://modelo.example/v1", "http://127.0.0.1:11434/v1"
QUESTION = "Mi clienta Lucía Martín, DNI 12345678Z"


def settings(**given: Any) -> Settings:
    return settings_of(**given)


@pytest.mark.parametrize(
    ("given", "roles"),
    [
        ({}, []),
        ({"openai_base_url": HERE}, []),
        ({"openai_api_key": "k"}, ["reader", "principal"]),
        ({"openai_base_url": HERE, "principal_base_url": ELSEWHERE}, ["principal"]),
        ({"embeddings_base_url": ELSEWHERE}, []),
        ({"embeddings_base_url": ELSEWHERE, "embeddings_provider": "openai"}, ["embeddings"]),
    ],
)
def test_a_role_is_away_when_it_is_in_use_and_its_endpoint_is_elsewhere(given: Any, roles: list[str]) -> None:
    assert [role.role for role in away(settings(**given))] == roles


def test_the_question_leaves_with_the_placeholders_that_a_run_gives_it() -> None:
    chosen = settings(openai_base_url=ELSEWHERE, mask_names="Marta")
    assert leaving(chosen, f"{QUESTION} y Marta", ["D. Luis Gil pregunta"]).texts == (
        "Mi clienta [PERSONA_2], DNI [DNI_1] y [NOMBRE_1]",
    )


def test_with_masking_switched_off_it_leaves_as_it_is_and_says_so() -> None:
    chosen = settings(openai_base_url=ELSEWHERE, mask_personal_data=False)
    masked = leaving(chosen, QUESTION, [])
    assert masked.texts == (QUESTION,) and not masked.values
