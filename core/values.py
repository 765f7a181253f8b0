"""Base of every frozen value."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value; unknown fields are refused so that a typo cannot pass for data."""

    # Errors end in logs: they say what is wrong with a value, never the value.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
