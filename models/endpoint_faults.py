"""Refusals and failures of endpoints in our words, from their HTTP status and what they say.

Endpoints quote keys and prompts in their errors: what they say is compared with known wordings, and let go.
"""

import re
from collections.abc import Mapping
from typing import Any

from core.errors import (
    ModelBusy,
    ModelContextTooSmall,
    ModelError,
    ModelKeyRejected,
    ModelMissing,
    ModelRegionRefused,
    ModelRejected,
    ModelUnavailable,
    ModelUnpaid,
)
from models.retry import Fault
from models.role import RoleSettings

_KEY = "{who} no admitió la clave (HTTP {status}): revise {ROLE}_API_KEY u OPENAI_API_KEY."
_REQUEST = "{who} rechazó la petición (HTTP {status}): revise {ROLE}_MODEL y {ROLE}_BASE_URL."
_BALANCE = "La cuenta de {who} no tiene saldo: revise la facturación de su proveedor."
_TOO_LONG = "La petición no cabe en {who}: amplíe su contexto, reduzca CONTEXT_TOKENS o use otro modelo."
_FILTERED = "El filtro de contenidos de {who} rechazó la petición: reformule la pregunta."
_REGION = (
    "El proveedor de {who} no atiende el país o la región desde donde se conecta este equipo: "
    "use otro proveedor en {ROLE}_BASE_URL."
)
_PATH = "El servidor de {who} no conoce esa ruta: revise {ROLE}_BASE_URL, que suele acabar en /v1."
_REJECTED = {
    400: (ModelRejected, _REQUEST),
    401: (ModelKeyRejected, _KEY),
    402: (ModelUnpaid, _BALANCE),
    403: (ModelKeyRejected, _KEY),
    404: (
        ModelMissing,
        "{who} no existe en su servidor (HTTP {status}): revise {ROLE}_MODEL, {ROLE}_BASE_URL y OPENAI_API.",
    ),
    413: (ModelContextTooSmall, _TOO_LONG),
    422: (ModelRejected, _REQUEST),
}
_BUSY = (
    "{who} está saturado o ha llegado a su límite de uso (HTTP {status}): repita la pregunta en un momento."
)
_FAILED = "El servidor de {who} falló (HTTP {status}): repita la pregunta en un momento."
_OTHER = "El servidor de {who} respondió de un modo inesperado (HTTP {status}): revise {ROLE}_BASE_URL."
_MIDWAY = "El servidor de {who} falló a mitad de su respuesta: repita la pregunta."
# Codes and words of OpenAI, vLLM, llama.cpp, LM Studio, Ollama, Mistral, Google, DeepSeek and OpenRouter.
_REASONS: tuple[tuple[re.Pattern[str], type[ModelError], str], ...] = (
    (
        re.compile(
            r"context_length_exceeded|exceed_context_size|context (?:length|window|size)"
            r"|context the overflows|\bn_ctx\b|maximum model length"
            r"|(?:prompt|input) (?:is )?too (?:long|large)"
            r"|exceeds the maximum number of tokens|tokens must be reduced|reduce the length of"
        ),
        ModelContextTooSmall,
        _TOO_LONG,
    ),
    (re.compile(r"insufficient[_ ](?:quota|balance|credits)"), ModelUnpaid, _BALANCE),
    (
        re.compile(r"unsupported_country|country, region|user location is not supported"),
        ModelRegionRefused,
        _REGION,
    ),
    (
        re.compile(
            r"content_filter|invalid_prompt|bio_policy|misalignment_policy_violation|input was flagged"
        ),
        ModelRejected,
        _FILTERED,
    ),
    (re.compile(r"unexpected endpoint"), ModelError, _PATH),
)
# Optional keys of a request, and the words with which endpoints say that they lack them.
_OPTIONAL = {
    "stream_options": ("stream_options", "include_usage"),
    "stream": ("'stream'", "stream this model", "streaming"),
    "response_format": ("response_format", "response format", "schema", "grammar"),
    "temperature": ("temperature",),
    "reasoning_effort": ("reasoning_effort", "reasoning effort"),
    "reasoning": ("reasoning.effort", "'reasoning'", "reasoning effort"),
    "text": ("text.format", "'text'", "schema", "grammar"),
    "include": ("'include'", "encrypted"),
    "tools": ("tools", "function"),
}
_FORMAT = ("response_format", "text")
"""The keys that some endpoints refuse without a word of it, or by failing over their grammar."""
GOES_WITH = {"stream": "stream_options"}
"""Keys that endpoints refuse without another."""


def sentence(role: RoleSettings, text: str, status: int = 0) -> str:
    """`text` with {who}, {ROLE} and {status} filled in, and a capital at its start."""
    who = f"el modelo «{role.model}» (papel «{role.role}»)"
    made = text.replace("de {who}", "d{who}").format(who=who, ROLE=role.role.upper(), status=status)
    return made[0].upper() + made[1:]


def fault_of_status(status: int, said: Any, role: RoleSettings, wait: float | None = None) -> Fault:
    """The fault for an HTTP status and the body that came with it.

    Args:
        status: 0 for an error within a reply, without a status: it may pass.
        wait: seconds that the endpoint asked for.
    """
    words = str(said).lower()
    for pattern, kind, text in _REASONS:
        if pattern.search(words):
            return Fault(kind, sentence(role, text))
    if status in _REJECTED:
        kind, text = _REJECTED[status]
        return Fault(kind, sentence(role, text, status), unsupported=_lacking(status, words))
    if not status:
        return Fault(ModelError, sentence(role, _MIDWAY), retryable=True)
    if status in (408, 409, 429) or status >= 500:
        text = sentence(role, _BUSY if status == 429 else _FAILED, status)
        lacking = _lacking(status, words)
        kind = ModelBusy if status == 429 else ModelUnavailable
        return Fault(kind, text, retryable=True, retry_after=wait, unsupported=lacking)
    return Fault(ModelError, sentence(role, _OTHER, status))


def fault_within(error: Any, role: RoleSettings) -> Fault:
    """The fault for the error that came within a reply: an object with a code, which may be a status."""
    code = str(error.get("code") or "") if isinstance(error, Mapping) else ""
    return fault_of_status(int(code) if re.fullmatch(r"[45]\d\d", code) else 0, error, role)


def _lacking(status: int, words: str) -> tuple[str, ...]:
    """The optional keys that the endpoint may have refused."""
    named = tuple(key for key, known in _OPTIONAL.items() if any(word in words for word in known))
    if status in (400, 422):
        return named or _FORMAT
    return tuple(key for key in named if key in _FORMAT) if status == 500 else ()
