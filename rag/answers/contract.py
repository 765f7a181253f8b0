"""The answer contract (S4): schema of the model's output, and a parser that does not trust it."""

import json
import re
from itertools import islice
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import from_json

ABSTENTION = "No tengo esa información verificada"
ANSWER_MIN, ANSWER_MAX = 10, 2000
"""Characters: at least of any answer, at most of an extractive one (`Profile.answer_chars`: of a model's)."""
BRIEF_MAX, DETAILED_MAX = 1500, 4000
"""Characters at most of a model's brief answer, and of a detailed extractive one."""
QUOTE_MIN, QUOTE_MAX = 20, 500
MAX_STARTS = 1000

_FENCE = re.compile(r"^```[a-zA-Z]*\s*|\s*```$")


class DraftCitation(BaseModel):
    """A citation as the model wrote it; `marker` is ours and optional."""

    model_config = ConfigDict(extra="ignore")

    quote: str
    source: str = ""
    page: int | None = None
    marker: str = ""

    @field_validator("page", mode="before")
    @classmethod
    def _page_or_none(cls, value: object) -> object:
        """The first number of a text such as 'p. 4'; None for 'null' or '—', which models also write."""
        if isinstance(value, str):
            digits = re.search(r"\d+", value)
            return int(digits[0]) if digits else None
        return value


class Draft(BaseModel):
    """The model's answer before anything in it has been checked."""

    model_config = ConfigDict(extra="ignore")

    answer: str = Field(min_length=ANSWER_MIN)
    citations: list[DraftCitation] = []
    confidence: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    refusal: bool
    notes: str | None = None


class DraftError(ValueError):
    """The output does not meet the contract; the Spanish text says how, for the repair call."""


def parse_draft(output: str) -> Draft:
    """Read the model's output: fences and prose around the object are tolerated, nothing else.

    Raises:
        DraftError: no JSON object, or one that does not meet the schema.
    """
    try:
        return Draft.model_validate(extract_object(output))
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        raise DraftError(f"no cumple el esquema ({problems}).") from None


def extract_object(output: str) -> dict[str, Any]:
    """The first JSON object of a text.

    Raises:
        DraftError: the text has no JSON object.
    """
    found = _first(_FENCE.sub("", output.strip()), "{")
    if isinstance(found, dict):
        return found
    raise DraftError("no contiene un objeto JSON.")


def extract_array(output: str) -> list[Any] | None:
    """The first JSON array of a text, or None."""
    found = _first(output, "[")
    return found if isinstance(found, list) else None


def strings(value: object) -> list[str]:
    """The strings of a JSON array; none of anything else."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _first(text: str, opening: str) -> Any:
    """The first JSON value that begins with `opening`, or None.

    Parsing restarts at each bracket, so a text of brackets alone would take too long: it gives None after
    MAX_STARTS attempts, or when the nesting is too deep.
    """
    decoder = json.JSONDecoder(strict=False)
    for match in islice(re.finditer(re.escape(opening), text), MAX_STARTS):
        try:
            return decoder.raw_decode(text, match.start())[0]
        except json.JSONDecodeError:
            continue
        except RecursionError:
            return None
    return None


def partial_answer(output: str) -> str:
    """The `answer` text of an object that is still being written; empty until it has begun."""
    start = output.find("{")
    if start < 0:
        return ""
    try:
        value = from_json(output[start:], allow_partial="trailing-strings")
    except ValueError:
        return ""
    answer = value.get("answer") if isinstance(value, dict) else None
    return answer if isinstance(answer, str) else ""


def text_schema() -> dict[str, Any]:
    """JSON schema of an answer's text alone, for the call that shortens it."""
    return {
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
        "additionalProperties": False,
    }


def answer_schema() -> dict[str, Any]:
    """JSON schema for endpoints with structured output: every key required, nothing else allowed."""
    citation = {
        "type": "object",
        "properties": {
            "quote": {"type": "string"},
            "source": {"type": "string"},
            "page": {"type": ["integer", "null"]},
            "marker": {"type": "string"},
        },
        "required": ["quote", "source", "page", "marker"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "answer": {"type": "string"},
            "citations": {"type": "array", "items": citation},
            "confidence": {"type": "number"},
            "refusal": {"type": "boolean"},
            "notes": {"type": ["string", "null"]},
        },
        "required": ["answer", "citations", "confidence", "refusal", "notes"],
        "additionalProperties": False,
    }
