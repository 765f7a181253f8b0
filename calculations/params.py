"""Parameters as a program or a model gives them."""

from pydantic import BaseModel, ConfigDict


class Params(BaseModel):
    """Parameters of a tool. A value above the `maximum` of its field is clamped, not refused (X.16)."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        coerce_numbers_to_str=True,
        str_strip_whitespace=True,
        allow_inf_nan=False,
    )
