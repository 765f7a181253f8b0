"""The answer contract (S4): schema of the model's output, and a parser that does not trust it."""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import from_json

from rag.shared.cited_answer import Answer
from text.json_values import mended, outermost_values, unwrapped
from text.textnorm import fold_for_search

ABSTENTION = "No tengo esa información verificada"
ANSWER_MIN, ANSWER_MAX = 10, 3000
"""Characters: at least of any answer, at most of an extractive one, with what stands apart and is folded
(`Profile.answer_chars`: of a model's)."""
BRIEF_MAX, DETAILED_MAX = 1500, 4000
"""Characters at most of a model's brief answer, and of a detailed extractive one."""
QUOTE_MIN, QUOTE_MAX = 20, 500
MODEST = 0.5
"""Confidence of an answer whose model gave none that can be read."""

_BANDS = {
    "alta": 0.8,
    "high": 0.8,
    "moderada": 0.5,
    "media": 0.5,
    "medium": 0.5,
    "moderate": 0.5,
    "baja": 0.2,
    "low": 0.2,
}
_QUOTED = re.compile(
    rf"[«“\"](?P<quote>[^«»“”\"{{}}]{{{QUOTE_MIN},{QUOTE_MAX}}})[»”\"]"
    r"[^«»“”\"\n\[]{0,120}\[(?P<marker>C\d{1,3})\]"
)
_BROKEN = re.compile(r"[\"'](?:answer|respuesta|citations|citas)[\"']\s*:")
_ONLY = re.compile(r"\s*(?:```[a-zA-Z]*)?\s*(\[.*\])\s*(?:```)?", re.S)
_NEAR = 12
_BEGINS, _GOES_ON = re.compile(r"[\n:>][\s`*]*$"), re.compile(r"[^\n\w]{0,20}\w")


def is_courtesy(answer: Answer) -> bool:
    """True for the line that answers a courtesy: it says nothing of the law, and refuses nothing."""
    return answer.refusal and not answer.parts and not answer.answer.startswith(ABSTENTION)


class _Lenient(BaseModel):
    """A part of the contract whose keys may be in Spanish."""

    model_config = ConfigDict(extra="ignore")
    spanish: ClassVar[Mapping[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _keys(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        translated = {cls.spanish.get(fold_for_search(str(key)), key): one for key, one in value.items()}
        return translated | {key: value[key] for key in cls.model_fields if key in value}


class DraftCitation(_Lenient):
    """A citation as the model wrote it; `marker` is ours and optional."""

    spanish = {"cita": "quote", "texto": "quote", "fuente": "source", "marca": "marker", "pagina": "page"}

    quote: str
    source: str = ""
    page: int | None = None
    marker: str = ""

    @field_validator("page", mode="before")
    @classmethod
    def _page_or_none(cls, value: object) -> object:
        """The first number of a text such as 'p. 4'; None for 'null' or '—', which models also write."""
        if isinstance(value, str):
            digits = re.search(r"\d{1,9}", value)
            return int(digits[0]) if digits else None
        return value if isinstance(value, int) else None

    @field_validator("source", "marker", mode="before")
    @classmethod
    def _text(cls, value: object) -> str:
        return value if isinstance(value, str) else ""


class Draft(_Lenient):
    """The model's answer before anything in it has been checked; read as it is meant where that is clear.

    Without `refusal` it is none, and without a readable `confidence` it has MODEST; citations that are texts,
    or a single one, are citations; notes in a list are one note.
    """

    spanish = {
        "respuesta": "answer",
        "citas": "citations",
        "confianza": "confidence",
        "rechazo": "refusal",
        "notas": "notes",
        "nota": "notes",
    }

    answer: str = Field(min_length=ANSWER_MIN)
    citations: list[DraftCitation] = []
    confidence: float = Field(default=MODEST, ge=0.0, le=1.0, allow_inf_nan=False)
    refusal: bool = False
    notes: str | None = None

    @field_validator("answer", mode="before")
    @classmethod
    def _paragraphs(cls, value: object) -> object:
        return "\n\n".join(strings(value)) if isinstance(value, list) else value

    @field_validator("citations", mode="before")
    @classmethod
    def _list_of_quotations(cls, value: object) -> list[object]:
        """Citations as objects; one without any words is none."""
        items = [{"quote": one} if isinstance(one, str) else one for one in _listed(value)]
        return [one for one in items if isinstance(one, DraftCitation) or _is_quotation(one)]

    @field_validator("confidence", mode="before")
    @classmethod
    def _share(cls, value: object) -> float:
        return _share_of(value)

    @field_validator("refusal", mode="before")
    @classmethod
    def _is_refusal(cls, value: object) -> object:
        return False if value is None else value

    @field_validator("notes", mode="before")
    @classmethod
    def _one_note(cls, value: object) -> str | None:
        return " ".join(strings(_listed(value))).strip() or None


def _listed(value: object) -> list[object]:
    """The list, or the list of a single value; none of nothing."""
    if isinstance(value, list | tuple):
        return list(value)
    return [] if value is None else [value]


def _is_quotation(value: object) -> bool:
    names = ("quote", *(key for key, name in DraftCitation.spanish.items() if name == "quote"))
    return isinstance(value, dict) and any(isinstance(value.get(name), str) for name in names)


def _share_of(value: object) -> float:
    """A confidence of 0 to 1 as a number, a percentage from 10, or a word of its band; else MODEST."""
    if isinstance(value, str):
        said = set(re.findall(r"[a-z]+", fold_for_search(value)))
        if band := next((share for word, share in _BANDS.items() if word in said), None):
            return band
        number = re.search(r"-?\d{1,3}(?:[.,]\d{1,9})?", value)
        value = float(number[0].replace(",", ".")) / (100 if "%" in value else 1) if number else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return MODEST
    if 0 <= value <= 1:
        return float(value)
    return value / 100 if 10 <= value <= 100 else MODEST


class DraftError(ValueError):
    """The output does not meet the contract; the Spanish text says how, for the repair call."""


def parse_draft(output: str) -> Draft:
    """Read the model's output: the last object in it that meets the contract, or a text that quotes.

    Raises:
        DraftError: neither; the problem is that of the last object.
    """
    try:
        return Draft.model_validate(extract_object(output, _is_draft))
    except DraftError:
        if quoting := _quoting(output):
            return quoting
        raise
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        raise DraftError(f"no cumple el esquema ({problems}).") from None


def _is_draft(value: object) -> bool:
    try:
        Draft.model_validate(value)
    except ValidationError:
        return False
    return True


def _quoting(output: str) -> Draft | None:
    """A text without JSON as an answer, with the words quoted before its markers; None if it quotes none.

    Without a quotation nothing of it could be verified: the model is asked for one. Nor is a broken object.
    """
    if _BROKEN.search(output):
        return None
    quoted = [DraftCitation(quote=one["quote"], marker=one["marker"]) for one in _QUOTED.finditer(output)]
    return Draft(answer=output.strip(), citations=quoted) if quoted else None


def extract_object(output: str, meets: Callable[[dict[str, Any]], object] = bool) -> dict[str, Any]:
    """The last JSON object of a text that `meets` what is wanted; one that is mended if none does.

    Objects before it are drafts. If nothing meets it, the last object of all.

    Raises:
        DraftError: the text has no JSON object.
    """
    text = unwrapped(output)
    found: list[dict[str, Any]] = [one.value for one in outermost_values(text, "{")]
    fitting = [one for one in found if meets(one)]
    if not fitting:
        fitting = [one for one in _listed(mended(text, "{")) if isinstance(one, dict) and meets(one)]
    if fitting or found:
        return (fitting or found)[-1]
    raise DraftError("no contiene un objeto JSON.")


def _any(_: object) -> bool:
    return True


def extract_array(output: str, meets: Callable[[list[Any]], object] = _any) -> list[Any] | None:
    """The last JSON array of a text that `meets` what is wanted, or None.

    One within a line («El [3] trata de…») is a mark in a sentence, and counts if no other does.
    """
    text = f"\n{unwrapped(output)}"
    found = [one for one in outermost_values(text, "[") if meets(one.value)]
    alone = [
        one
        for one in found
        if _BEGINS.search(text[max(0, one.start - _NEAR) : one.start]) and not _GOES_ON.match(text, one.end)
    ]
    if found:
        last: list[Any] = (alone or found)[-1].value
        return last
    only = _ONLY.fullmatch(text)
    repaired = mended(only[1], "[") if only else None
    return repaired if isinstance(repaired, list) and meets(repaired) else None


def strings(value: object) -> list[str]:
    """The strings of a JSON array; none of anything else."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


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
