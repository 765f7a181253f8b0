"""Whose words an answer has, for machines and in a sentence (Regulation (EU) 2024/1689, article 50)."""

from enum import StrEnum

from core.values import Value
from rag.answers.joined_answers import answers_of
from rag.answers.quoted_words import in_marks
from rag.answers.verbatim import locate
from rag.shared.cited_answer import Answer
from rag.shared.trace import Trace

MODEL = (
    "Texto redactado por un modelo de lenguaje. Palabras literales de lo citado son solo las citas "
    "comprobadas de las fuentes, y en el texto las que las repiten entre comillas."
)
EXTRACT = (
    "Texto compuesto sin modelo de lenguaje: lo que va entre comillas son frases literales de lo citado; "
    "los nombres de las normas, los enlaces entre frases y las filas de tablas puestas en frase los escribe "
    "el programa."
)
PROGRAM = "Texto del programa, sin modelo de lenguaje y sin palabras de la normativa."
REFUSED = "Texto redactado con ayuda de un modelo de lenguaje, sin palabras literales de la normativa."
UNOFFICIAL = (
    "Alguna fuente es un resumen no oficial: sus frases son las del resumen, no las palabras de la norma."
)
BY_QUESTION = "Pregunta {number}: {told}"


class Writer(StrEnum):
    """Who wrote the words around the quotations of an answer."""

    MODEL = "model"
    EXTRACT = "extract"
    PROGRAM = "program"
    MIXED = "mixed"


class Literal(Value):
    """Words of an answer that are its source's: its characters `start` to `end` (not included).

    `official`: False if the source is a summary, whose words are not the law's.
    """

    start: int
    end: int
    marker: str
    official: bool = True


class Provenance(Value):
    """Whose words an answer has.

    Attributes:
        text: its writer; 'program' for a refusal that no model had a part in, 'mixed' if its parts differ.
        model: name of the model that wrote it; None if none did or its name is not known.
        literal: stretches of `Answer.answer` between quotation marks that stand in a checked citation.
        quotations: what `Answer.citations` are: 'verbatim' (each checked), 'unchecked' or 'none'.
    """

    system: str = "Articulado"
    automatic: bool = True
    text: Writer
    model: str | None = None
    literal: tuple[Literal, ...] = ()
    quotations: str


def provenance(answer: Answer, trace: Trace | None = None) -> Provenance:
    """Whose words the answer has; the model's name comes from its trace."""
    writer = writer_of(answer)
    checked = [one.verified for one in answer.citations]
    return Provenance(
        text=writer,
        model=_model(trace) if trace and writer in {Writer.MODEL, Writer.MIXED} else None,
        literal=tuple(_literal(answer)),
        quotations="none" if not checked else "verbatim" if all(checked) else "unchecked",
    )


def writer_of(answer: Answer) -> Writer:
    """Who wrote the words around the quotations; a refusal of a run with a model counts as the model's."""
    writers = {_writer(one) for one in answers_of(answer)}
    return writers.pop() if len(writers) == 1 else Writer.MIXED


def provenance_told(answer: Answer) -> str:
    """Whose words the answer has, in a Spanish sentence; by question if its parts differ."""
    each = answers_of(answer)
    said = [_told(one) for one in each]
    if len(set(said)) == 1:
        return said[0]
    return " ".join(BY_QUESTION.format(number=n, told=one) for n, one in enumerate(said, start=1))


def _writer(answer: Answer) -> Writer:
    if answer.mode == "model":
        return Writer.MODEL
    return Writer.PROGRAM if answer.refusal else Writer.EXTRACT


def _told(answer: Answer) -> str:
    if answer.refusal:
        return REFUSED if answer.mode == "model" else PROGRAM
    said = MODEL if answer.mode == "model" else EXTRACT
    return said if all(one.official for one in answer.citations) else f"{said} {UNOFFICIAL}"


def _literal(answer: Answer) -> list[Literal]:
    checked = [one for one in answer.citations if one.verified]
    found = []
    for start, end in in_marks(answer.answer):
        words = answer.answer[start:end]
        holder = next((one for one in checked if locate(words, one.quote)), None)
        if holder is not None:
            found.append(Literal(start=start, end=end, marker=holder.marker, official=holder.official))
    return found


def _model(trace: Trace) -> str | None:
    """The model that wrote last for a stage of answering."""
    calls = [call for record in trace.records if record.name == "answer" for call in record.calls]
    return next((call.model for call in reversed(calls) if call.role == "principal" and not call.error), None)
