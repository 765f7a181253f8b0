"""Results of asking an endpoint what it can do, and what they mean for the program, in Spanish. Pure."""

from collections.abc import Iterator
from enum import StrEnum

from core.profile import Profile
from core.values import Value
from models.role import RoleSettings

INSTRUCTIONS, ANSWER = 4000, 2000
"""Tokens of a prompt besides the context block (instructions, history), and of the answer to it."""
ANSWER_CHARACTERS = 4000
"""Length of the JSON of an ordinary answer."""
LEAST_COUNTED = 0.6
"""Share of the estimated tokens that an endpoint counts at least when it reads a whole text."""
ROLES = {"reader": "lectura", "principal": "redacción", "embeddings": "búsqueda por el significado"}
UNTRIED = "sin comprobar"
MARKS = {True: "✔", False: "✘", None: "·"}
"""The sign of a row that is good, bad or neither."""
ENLARGE = (
    "amplíe la ventana de contexto del servidor a {needed} tokens (Ollama: OLLAMA_CONTEXT_LENGTH, o num_ctx"
    " en un Modelfile; LM Studio: la longitud de contexto al cargar el modelo; vLLM: --max-model-len)"
)


class Structured(StrEnum):
    """Reaction of an endpoint to a JSON schema."""

    OBEYED = "obeyed"
    IGNORED = "ignored"
    REFUSED = "refused"


class Thinking(StrEnum):
    """Place of a model's reasoning in its reply."""

    NONE = "none"
    APART = "apart"
    INSIDE = "inside"


class Window(Value):
    """Reading of a long text whose beginning holds a number that is asked for at its end.

    Attributes:
        sent: estimated tokens of the text.
        counted: tokens of the prompt by the endpoint's own count; 0 when it tells none.
        first_seconds: time until the first piece of the reply.
        error: a Spanish sentence when the endpoint did not take the text.
    """

    sent: int
    counted: int = 0
    found: bool = False
    first_seconds: float = 0.0
    error: str = ""

    @property
    def whole(self) -> bool:
        """True if nothing shows that a part was left unread."""
        return self.found and not 0 < self.counted < LEAST_COUNTED * self.sent


class RoleProbe(Value):
    """Abilities of the endpoint of one role; None: not known.

    Attributes:
        host: name and port of the endpoint.
        answers: False if the model does not exist, or no request without options is answered.
        error: a Spanish sentence that says why it does not answer.
        several_systems: True if a prompt may have several messages of role 'system'.
        reply_seconds: time of a whole short reply.
        first_seconds: time until its first piece.
        uses: use that the program makes of the endpoint, in Spanish.
        works: True if the role can do its work with the settings as they are.
    """

    role: str
    model: str
    host: str
    reachable: bool | None = None
    key: bool | None = None
    answers: bool = False
    error: str = ""
    streaming: bool | None = None
    structured: Structured | None = None
    several_systems: bool | None = None
    window: Window | None = None
    thinking: Thinking | None = None
    temperature: bool | None = None
    reply_seconds: float | None = None
    first_seconds: float | None = None
    characters_per_second: float | None = None
    tokens_per_second: float | None = None
    uses: str = ""
    advice: tuple[str, ...] = ()
    works: bool = False

    @property
    def title(self) -> str:
        """'Redacción (principal): gpt-5.2, en api.openai.com'."""
        return f"{ROLES[self.role].capitalize()} ({self.role}): {self.model}, en {self.host}"


class Probed(Value):
    """Abilities of all endpoints in use; `works` if the model mode will."""

    works: bool
    roles: tuple[RoleProbe, ...]

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        if self.works:
            return "El modo con modelo funcionará."
        return "El modo con modelo no funcionará bien: corrija lo que se indica y repita la prueba."


def announced(tokens: int) -> str:
    """The sentence that says, before a probe, how much it sends."""
    return f"Se enviarán unos {_number(tokens)} tokens a los modelos configurados; el texto es inventado."


def judged(found: RoleProbe, role: RoleSettings, profile: Profile) -> RoleProbe:
    """The probe of a role with its use, advice and verdict."""
    late = _late(found, profile)
    return found.model_copy(
        update={
            "uses": _uses(found, role, profile),
            "advice": tuple(_advice(found, role, profile)),
            "works": found.answers and (found.window is None or found.window.whole) and not late,
        }
    )


def rows(probe: RoleProbe) -> Iterator[tuple[bool | None, str, str]]:
    """(good, bad or neither; what was tried; result) of everything that concerns the role."""
    yield probe.reachable, "El servidor responde", _yes(probe.reachable)
    yield probe.key, "Acepta la clave", _yes(probe.key)
    yield probe.answers, "El modelo existe y contesta", probe.error or "sí"
    if not probe.answers or probe.role == "embeddings":
        return
    yield probe.streaming, "Respuesta por partes (streaming)", _yes(probe.streaming)
    structured = {
        Structured.OBEYED: (True, "sí"),
        Structured.IGNORED: (False, "acepta el esquema y no lo cumple"),
        Structured.REFUSED: (False, "no"),
        None: (None, UNTRIED),
    }
    good, told = structured[probe.structured]
    yield good, "Salida estructurada (esquema JSON)", told
    systems = (
        "no; Articulado los reúne en uno" if probe.several_systems is False else _yes(probe.several_systems)
    )
    yield probe.several_systems or None, "Varios mensajes de sistema", systems
    yield (probe.window.whole if probe.window else None), "Contexto que lee", _window(probe.window)
    yield None, "Velocidad", _speed(probe)
    thinking = {
        Thinking.NONE: (True, "no"),
        Thinking.APART: (True, "aparte, fuera de la respuesta"),
        Thinking.INSIDE: (False, "dentro de la respuesta"),
        None: (None, UNTRIED),
    }
    good, told = thinking[probe.thinking]
    yield good, "Razonamiento escrito", told


def _yes(value: bool | None) -> str:
    return UNTRIED if value is None else "sí" if value else "no"


def _window(window: Window | None) -> str:
    if window is None:
        return UNTRIED
    sent = f"unos {_number(window.sent)} tokens"
    if window.error:
        return f"no admite {sent}: {window.error}"
    counted = f" (el servidor contó {_number(window.counted)})" if window.counted else ""
    return f"{'encuentra' if window.found else 'no encuentra'} un dato al principio de {sent}{counted}"


def _speed(probe: RoleProbe) -> str:
    if probe.characters_per_second is None:
        return UNTRIED
    first = f"{_seconds(probe.first_seconds or 0)} hasta la primera palabra"
    if probe.tokens_per_second:
        return f"{first}; {_number(probe.tokens_per_second)} tokens por segundo"
    return f"{first}; {_number(probe.characters_per_second)} caracteres por segundo"


def _number(value: float, decimals: int = 0) -> str:
    return f"{value:,.{decimals}f}".translate(str.maketrans(",.", ".,"))


def _seconds(value: float) -> str:
    return f"{_number(value, 1)} s"


def _answer_seconds(found: RoleProbe) -> float:
    """Time of an answer over a long context at the speed that was measured."""
    first = found.window.first_seconds if found.window else found.first_seconds
    rate = found.characters_per_second
    return (first or 0.0) + (ANSWER_CHARACTERS / rate if rate else 0.0)


def _late(found: RoleProbe, profile: Profile) -> bool:
    return found.role == "principal" and _answer_seconds(found) > profile.answer_seconds


def _uses(found: RoleProbe, role: RoleSettings, profile: Profile) -> str:
    if not found.answers or found.role == "embeddings":
        return ""
    schema = role.structured and found.structured is Structured.OBEYED
    uses = ["salida estructurada" if schema else "JSON pedido en las instrucciones"]
    if found.role == "reader":
        return f"{uses[0]}, respuestas cortas y de una vez"
    uses.append("respuesta por partes" if found.streaming else "respuesta de una vez")
    tried = f", {_number(found.window.sent)} comprobados" if found.window and found.window.whole else ""
    uses.append(f"hasta {_number(profile.context_tokens)} tokens de contexto (CONTEXT_TOKENS{tried})")
    return ", ".join(uses)


def _advice(found: RoleProbe, role: RoleSettings, profile: Profile) -> Iterator[str]:
    if not found.answers or found.role == "embeddings":
        return
    setting = found.role.upper()
    if found.window and not found.window.whole:
        yield _enlarge(found.window, profile)
    if found.streaming is False:
        yield (
            "Sin streaming la respuesta no se ve hasta que está entera; en OpenAI se admite al verificar la"
            " organización."
        )
    if found.structured is not Structured.OBEYED and found.structured is not None and role.structured:
        yield "Ponga STRUCTURED_OUTPUT=false: el servidor no hace caso del esquema que se le envía."
    if found.structured is Structured.OBEYED and not role.structured:
        yield "Puede poner STRUCTURED_OUTPUT=true: el servidor cumple el esquema que se le envía."
    yield from _advice_on_reasoning(found, role, setting)
    yield from _advice_on_time(found, profile)


def _advice_on_reasoning(found: RoleProbe, role: RoleSettings, setting: str) -> Iterator[str]:
    if found.thinking is Thinking.INSIDE:
        yield (
            "El modelo escribe su razonamiento en la respuesta, lo que gasta tiempo y tokens: sepárelo en el"
            f" servidor (vLLM: --reasoning-parser) o elija en {setting}_MODEL uno que no razone."
        )
    if found.temperature is False and not role.reasoning:
        yield f"Ponga {setting}_REASONING=true: el modelo no admite que se le fije la temperatura."
    elif role.reasoning and found.thinking is Thinking.NONE:
        yield f"Si el modelo no razona, ponga {setting}_REASONING=false: contestará siempre igual a lo mismo."


def _advice_on_time(found: RoleProbe, profile: Profile) -> Iterator[str]:
    if _late(found, profile):
        yield (
            f"A esta velocidad una respuesta tarda {_seconds(_answer_seconds(found))} y ANSWER_SECONDS es"
            f" {_number(profile.answer_seconds)}: use un modelo más rápido, o suba ANSWER_SECONDS y"
            " RUN_BUDGET_SECONDS."
        )
    if found.role == "reader" and (found.reply_seconds or 0) > profile.decompose_seconds:
        yield (
            f"Una respuesta corta tarda {_seconds(found.reply_seconds or 0)} y DECOMPOSE_SECONDS es"
            f" {_number(profile.decompose_seconds)}: use en READER_MODEL un modelo más rápido, o suba"
            " DECOMPOSE_SECONDS, RERANK_SECONDS y RUN_BUDGET_SECONDS."
        )


def _enlarge(window: Window, profile: Profile) -> str:
    wanted = ENLARGE.format(needed=_number(profile.context_tokens + INSTRUCTIONS + ANSWER))
    fits = (window.counted - INSTRUCTIONS - ANSWER) // 1000 * 1000
    lower = f", o ponga CONTEXT_TOKENS={fits}" if fits > 0 else ""
    if window.error:
        return f"El texto no cabe: {wanted}, o baje CONTEXT_TOKENS."
    if window.found:
        return f"El servidor no lee el texto entero: {wanted}{lower}."
    lost = "El servidor corta el texto, o el modelo lo olvida"
    return f"{lost}: {wanted}{lower}; si ya es mayor, use otro modelo."
