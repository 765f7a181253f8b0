"""Words of a refusal: its fixed sentence, its reasons (`sufficiency` chooses them), what was not found."""

from collections.abc import Sequence

from rag.shared.answer_contract import ABSTENTION, Draft
from rag.shared.state import State

OUT_OF_SCOPE = (
    "La pregunta no parece tratar de Derecho laboral o de Seguridad Social, "
    "o la norma que la regula no está entre las cargadas."
)
OURS = "La pregunta es de {label}, pero ninguna de las normas cargadas parece contestarla."
ELSEWHERE = (
    "La pregunta parece de otra materia ({label}), que las normas cargadas no tratan; su sitio es {where}."
)
NOT_LEGAL = "La pregunta no parece jurídica ({label}): aquí solo hay normas laborales y de Seguridad Social."
OUTSIDE = "Las normas cargadas no incluyen {what}, por lo que pregunta: puede buscarse en {where}."
ABSENT = "{what} no está en el texto vigente a {day:%d/%m/%Y} que hay cargado: compruebe el número."
NO_DISSENT = "En el texto cargado de {which} no consta ningún voto particular."
NOT_SUMMARISED = (
    "{what} no está entre los resúmenes no oficiales cargados, que recogen solo algunos artículos: "
    "importe desde el BOE el texto de la norma ({law}) para consultarlo."
)
UNLOADED = (
    "Por lo que pregunta, parece que lo regula otra norma que no está cargada: {law}. "
    "Puede importarse del BOE ({id})."
)
BETTER = "Es posible que lo regule mejor {law}, que no está cargada: puede importarse del BOE ({id})."
MISSING = "No se ha encontrado entre las normas cargadas: {items}."


def refusal(state: State) -> Draft:
    """The draft of a refusal: the fixed sentence and the reasons."""
    return Draft(answer=" ".join([f"{ABSTENTION}.", *state.reasons]), confidence=0.0, refusal=True)


def refused(said: str, state: State) -> str:
    """The text of a refusal: the fixed sentence first (S2.31), then what is said, then the missing items."""
    if not said.startswith(ABSTENTION) and not state.understanding.courtesy:
        said = " ".join(filter(None, [f"{ABSTENTION}.", said]))
    return told_missing(said, " ", [item for item in state.missing if item not in said])


def told_missing(text: str, between: str, missing: Sequence[str]) -> str:
    """The text and, if anything is missing, what."""
    return f"{text}{between}{MISSING.format(items='; '.join(missing))}" if missing else text
