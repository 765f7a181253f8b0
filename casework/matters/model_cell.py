"""One cell of a review table with a model, whose quotation is checked letter by letter in the document."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from casework.matters.paper_fragments import Fragment
from casework.matters.rule_cell import LONGEST, Line, Told, answering_sentence, nearest
from law.provision_reading import read_provision
from models.chat import ChatMessage, ChatModel
from rag.answers.doubts import sentence_doubts
from rag.answers.quotation_widening import widened
from rag.answers.verbatim import clean_quote, locate
from rag.prompts import Prompts
from rag.shared.answer_contract import DraftError, extract_object
from rag.shared.asking import ask
from text.figures import unsupported_figures

MOST = 12
"""Fragments of a document that a model reads for one cell."""
ANSWER = 300
PART = "El modelo leyó las {read} partes más cercanas a la pregunta, de {all}."
FALLEN_BACK = "Sin el modelo ({why}): frase elegida por sus palabras."
NOT_THERE = "la cita que dio no está en el documento"
NO_FORM = "su respuesta no seguía el formato"
FIGURE = "La respuesta del modelo daba una cifra que no está en la cita: se muestra la cita."
DOUBT = "Compruébelo: {reasons}."
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "consta": {"type": "boolean"},
        "respuesta": {"type": "string"},
        "cita": {"type": "string"},
    },
    "required": ["consta", "respuesta", "cita"],
    "additionalProperties": False,
}


class Filled(NamedTuple):
    """A cell: what the document says, or None; whether a model said so; Spanish sentences about how."""

    told: Told | None
    by_model: bool
    remark: str = ""


async def by_model(
    model: ChatModel, prompts: Prompts, question: str, lines: Sequence[Line], seconds: float
) -> Filled:
    """Ask the model; what it says without a true quotation gives way to the rules' answer, which says so."""
    count = len({one.place.number for one in lines})
    fragments = nearest(question, lines, MOST)
    part = PART.format(read=len(fragments), all=count) if len(fragments) < count else ""
    body = "\n\n".join(one.text for one in fragments)
    messages = [
        ChatMessage(role="system", content=prompts.render("cell")),
        ChatMessage(role="user", content=f"PREGUNTA\n{question}\n\nDOCUMENTO\n{body}"),
    ]
    done, call = await ask(model, messages, seconds, schema=SCHEMA)
    if done is None:
        return by_rules(question, lines, call.error)
    try:
        said = extract_object(done.output)
    except DraftError:
        return by_rules(question, lines, NO_FORM)
    if said.get("consta") is False:
        return Filled(None, by_model=True, remark=part)
    found = _checked(question, str(said.get("respuesta") or ""), str(said.get("cita") or ""), fragments)
    if found is None:
        return by_rules(question, lines, NOT_THERE)
    cell, remark = found
    return Filled(cell, by_model=True, remark=" ".join(filter(None, (remark, part))))


def by_rules(question: str, lines: Sequence[Line], why: str) -> Filled:
    """The answer without the model, and why it is without it."""
    remark = FALLEN_BACK.format(why=why.strip().rstrip("."))
    return Filled(answering_sentence(question, lines), by_model=False, remark=remark)


def _checked(
    question: str, answer: str, quote: str, fragments: Sequence[Fragment]
) -> tuple[Told, str] | None:
    """The cell with what is to be told of it; None if the quotation stands in none of the fragments."""
    if sum(map(str.isalnum, clean_quote(quote))) < 4:
        return None
    for one in fragments:
        if (span := locate(quote, one.text)) is None:
            continue
        start, end = widened(read_provision(one.text), *span, whole=0)
        if end - start > LONGEST:
            return None
        text = one.text[start:end]
        shown = " ".join(answer.split())[:ANSWER]
        remark = ""
        if not shown or unsupported_figures(shown, [text]):
            shown, remark = text, FIGURE if shown else ""
        elif reasons := sentence_doubts(shown, quotes=[text]):
            remark = DOUBT.format(reasons="; ".join(reasons))
        return Told(answer=shown, quote=text, fragment=one.number, page=one.page), remark
    return None
