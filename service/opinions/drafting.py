"""Antecedentes and conclusions drafted by a model from stored answers; only what is checked stays.

Of a conclusion, what stands between quotation marks must be in the quotations of its question, every figure
in its question, answer or quotations, no sentence may plainly deny one of them, and a reader must find that
each follows from them. The antecedentes have no words of weight but those of the questions.
What fails gives way to the assembled version, and is told.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.values import Value
from loading.formats.encoding import clean, one_line
from models.chat import ChatMessage, ChatModel
from rag.answers.doubts import sentence_doubts
from rag.answers.judged_sentences import judge_sentences
from rag.answers.quoted_words import in_marks, without_seals
from rag.answers.verbatim import locate
from rag.prompts import Prompts
from rag.shared.answer_contract import DraftError, extract_object, strings
from rag.shared.asking import ask
from rag.shared.cited_answer import Answer
from service.opinions.grounds import Consulted
from text.figures import unsupported_figures
from text.markers import keep_markers
from text.segmentation import sentences
from text.textnorm import stems, words

SECONDS = 90.0
MOST_PARAGRAPHS, LONGEST, MOST_CHARACTERS = 6, 1200, 60_000
FAILED = "El modelo no redactó antecedentes ni conclusiones ({reason}): se han compuesto sin él."
NO_CONTRACT = "su respuesta no seguía el formato"
TOO_LONG = "las respuestas elegidas son demasiado largas"
DROPPED = (
    "Del texto del modelo se ha descartado: {what}. Decía algo que no consta en las preguntas y respuestas; "
    "va la parte compuesta sin él."
)
CONCLUSION = "la conclusión de la cuestión {number}"
DRAFTED = (
    "Redactado por un modelo de lenguaje ({model}): {what}. Sus citas y cifras se han comprobado con las "
    "preguntas y respuestas; los hechos son los que estas y los documentos cuentan."
)
UNREAD = "Nadie ha comprobado frase a frase las conclusiones del modelo ({reason}): compárelas con sus citas."
_CONNECTING = frozenset(
    stems(
        "consulta consultante persona pregunta plantea expone manifiesta refiere indica señala desea quiere "
        "saber conocer caso según solicita interesa cuestión además asimismo"
    )
)
"""Stems that a paragraph may have besides those of the questions: they tell no fact."""
_NEGATIONS = frozenset({"no", "sin", "nunca", "ni", "tampoco", "jamas", "nadie", "ningun", "ninguna"})
_MARKDOWN = re.compile(r"[*_#|`]+")


class Draft(Value):
    """Checked draft of a model.

    Attributes:
        background: paragraphs; empty for the assembled one.
        conclusions: by number of the question, from 1; the others are assembled.
        told: sentences for the part that says where the text is from.
    """

    background: tuple[str, ...] = ()
    conclusions: Mapping[int, str] = {}
    told: tuple[str, ...] = ()


async def draft(
    asked: Sequence[Consulted], model: ChatModel, prompts: Prompts, reader: ChatModel | None = None
) -> Draft:
    """Ask the model once, and the reader about each sentence of its conclusions.

    A failure, or a reply that is no contract, gives an empty draft that tells it.

    Args:
        asked: their questions may be followed by the facts of the case, on which a draft may rest too.
    """
    content = "\n\n".join(_shown(number, one) for number, one in enumerate(asked, start=1))
    if len(content) > MOST_CHARACTERS:
        return Draft(told=(FAILED.format(reason=TOO_LONG),))
    messages = [
        ChatMessage(role="system", content=prompts.render("opinion")),
        ChatMessage(role="user", content=content),
    ]
    done, call = await ask(model, messages, SECONDS)
    if done is None:
        return Draft(told=(FAILED.format(reason=call.error),))
    try:
        found = extract_object(done.output)
    except DraftError:
        return Draft(told=(FAILED.format(reason=NO_CONTRACT),))
    background, conclusions, dropped = checked(found, asked)
    unread = ""
    if reader is not None and conclusions:
        wrong, unread = await _wrong(reader, prompts, conclusions, asked)
        dropped += [CONCLUSION.format(number=number) for number in wrong]
        conclusions = {number: text for number, text in conclusions.items() if number not in wrong}
    told = _told(call.model, bool(background), sorted(conclusions), dropped)
    told += [UNREAD.format(reason=unread)] if unread and conclusions else []
    return Draft(background=tuple(background), conclusions=conclusions, told=tuple(told))


async def _wrong(
    reader: ChatModel, prompts: Prompts, conclusions: Mapping[int, str], asked: Sequence[Consulted]
) -> tuple[set[int], str]:
    """(numbers of the conclusions with a sentence that does not follow, why nobody judged one or '')."""
    numbers = sorted(conclusions)
    fragments = [
        (f"Respuesta {number}", f"{keep_markers(answer.answer, ())}\n{_quotes(answer)}")
        for number in numbers
        for answer in [asked[number - 1].answer]
    ]
    case = "\n".join(asked[number - 1].question for number in numbers)
    said = [
        (conclusions[number][span.start : span.end], [place])
        for place, number in enumerate(numbers)
        for span in sentences(conclusions[number])
    ]
    judged = await judge_sentences(reader, prompts, case, fragments, said, seconds=SECONDS)
    wrong = {numbers[said[one][1][0]] for one, reasons in judged.reasons.items() if reasons}
    unread = len(judged.reasons) < len(said)
    return wrong, judged.failure or (NO_CONTRACT if unread else "")


def checked(
    found: Mapping[str, Any], asked: Sequence[Consulted]
) -> tuple[list[str], dict[int, str], list[str]]:
    """(the antecedentes and the conclusions by number of a reply, as far as they hold; what was dropped)."""
    paragraphs, concluded = strings(found.get("antecedentes")), found.get("conclusiones")
    background = [_plain(one) for one in paragraphs[:MOST_PARAGRAPHS] if _plain(one)]
    questions = [one.question for one in asked]
    dropped: list[str] = []
    if not all(_is_told(one, questions) for one in background):
        background, dropped = [], ["los antecedentes"]
    conclusions: dict[int, str] = {}
    for item in concluded if isinstance(concluded, list) else []:
        number, text = (item.get("cuestion"), item.get("texto")) if isinstance(item, dict) else (None, None)
        if type(number) is not int or not 1 <= number <= len(asked) or not isinstance(text, str):
            continue
        said, one = _plain(text), asked[number - 1]
        if not one.accepted:
            continue
        if said and _holds(said, one.question, one.answer) and number not in conclusions:
            conclusions[number] = said
        else:
            dropped.append(CONCLUSION.format(number=number))
    return background, conclusions, dropped


def _told(model: str, background: bool, conclusions: Sequence[int], dropped: Sequence[str]) -> list[str]:
    used = ["los antecedentes"] if background else []
    if conclusions:
        used.append(f"las conclusiones de las cuestiones {', '.join(map(str, conclusions))}")
    told = [DRAFTED.format(model=model, what=" y ".join(used))] if used else []
    if dropped:
        told.append(DROPPED.format(what=", ".join(dict.fromkeys(dropped))))
    return told or [FAILED.format(reason=NO_CONTRACT)]


def _shown(number: int, one: Consulted) -> str:
    answered = one.accepted and not one.answer.refusal
    said = keep_markers(one.answer.answer, ()) if answered else "sin respuesta"
    quotes = (answered and _quotes(one.answer)) or "ninguna"
    return f"CUESTIÓN {number}\nPREGUNTA\n{one.question}\nRESPUESTA\n{said}\nCITAS\n{quotes}"


def _quotes(answer: Answer) -> str:
    return "\n".join(f"- «{one.quote}»" for one in answer.citations if one.verified)


def _holds(text: str, question: str, answer: Answer) -> bool:
    """True if a conclusion says nothing that its question and answer do not."""
    quotes = [one.quote for one in answer.citations if one.verified]
    if answer.refusal or len(text) > LONGEST or not _is_quoted(text, quotes):
        return False
    names = [" ".join((one.law, one.section, one.source)) for one in answer.citations]
    texts = [keep_markers(answer.answer, ()), question, *quotes, *names]
    if unsupported_figures(text, texts):
        return False
    said = (text[span.start : span.end] for span in sentences(text))
    return not any(sentence_doubts(one, quotes=[texts[0], *quotes]) for one in said)


def _is_told(text: str, questions: Sequence[str]) -> bool:
    """True if a paragraph of the antecedentes has figures, negations and words of weight of the questions."""
    if len(text) > LONGEST or not _is_quoted(text, questions) or unsupported_figures(text, questions):
        return False
    known = {stem for question in questions for stem in stems(question)} | _CONNECTING
    negated = {word for question in questions for word in words(question)} & _NEGATIONS
    return set(stems(text)) <= known and (bool(negated) or not _NEGATIONS & set(words(text)))


def _is_quoted(text: str, quotes: Sequence[str]) -> bool:
    """True if all that stands between quotation marks stands in one of the quotations."""
    marked = [text[start:end] for start, end in in_marks(text)]
    return all(any(locate(one, quote) for quote in quotes) for one in marked)


def _plain(text: str) -> str:
    """The text on one line, without markers, seals and marks of Markdown."""
    return one_line(clean(_MARKDOWN.sub("", without_seals(keep_markers(text, ()))))).strip()
