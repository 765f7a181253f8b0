"""`calculate`: the data of a calculation, as a program or the command line gives it."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from core.values import Value

MOST = 40
LONGEST = 200


class CalculationRequest(Value):
    """Data by name; texts as a person writes them («31/01/2025», «1.850,50») or plain numbers."""

    data: Annotated[
        Mapping[str, Annotated[str, Field(max_length=LONGEST)] | bool | int | float | None],
        Field(max_length=MOST),
    ] = Field(default_factory=dict)
