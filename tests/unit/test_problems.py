"""Values that pydantic refuses, told in Spanish."""

from datetime import date
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from text.refused_values import problem


class Sample(BaseModel):
    model_config = ConfigDict(extra="forbid")

    count: int = Field(1, ge=1, le=9)
    rate: float = Field(1.0, gt=0)
    yes: bool = True
    mode: Literal["uno", "dos", "tres"] = "uno"
    day: date | None = None
    name: str = Field("ana", min_length=2, max_length=4)
    key: SecretStr | None = Field(None, min_length=16)
    must: str

    @field_validator("name")
    @classmethod
    def _no_x(cls, value: str) -> str:
        if "x" in value:
            raise ValueError("no lleva equis")
        return value


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"count": "uno"}, "COUNT debe ser un número entero"),
        ({"count": 0}, "COUNT debe ser como mínimo 1"),
        ({"count": 10}, "COUNT debe ser como máximo 9"),
        ({"rate": "mucho"}, "RATE debe ser un número"),
        ({"rate": 0}, "RATE debe ser mayor que 0.0"),
        ({"yes": "quizá"}, "YES debe ser sí o no (true o false)"),
        ({"mode": "cinco"}, "MODE debe ser uno de uno, dos, tres"),
        ({"day": "ayer"}, "DAY debe ser una fecha escrita como 2024-03-01"),
        ({"name": "a"}, "NAME debe ser un texto de 2 caracteres como mínimo"),
        ({"name": "abcde"}, "NAME debe ser un texto de 4 caracteres como máximo"),
        ({"name": 7}, "NAME debe ser un texto"),
        ({"name": "ax"}, "NAME: no lleva equis"),
        ({"key": "corta"}, "KEY debe ser de 16 caracteres como mínimo"),
        ({"must": None, "other": 1}, "sobra «OTHER»"),
    ],
)
def test_a_refused_value_is_told_in_spanish(values: dict[str, object], told: str):
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate({"must": "sí"} | values)
    errors = caught.value.errors()
    assert told in [problem(".".join(map(str, one["loc"])).upper(), one) for one in errors]


def test_a_missing_value_and_a_whole_that_is_something_else_are_told():
    for text, told in (("{}", "falta «must»"), ("[]", "el valor debe ser un objeto JSON")):
        with pytest.raises(ValidationError) as caught:
            Sample.model_validate_json(text)
        (error,) = caught.value.errors()
        assert problem(".".join(map(str, error["loc"])), error) == told
