"""Aids of one block: as a model's reply gives them, and the summary of a text too short to ask about."""

from law import labels
from law.norms import Block, BlockKind
from loading.aids import keywords
from loading.aids.packed_attributes import KEYWORDS, QUESTIONS
from loading.enrichment.written_aids import ORIGIN, Aid
from rag.shared.answer_contract import DraftError, extract_object, strings

MAX_SUMMARY, MAX_QUESTION, MAX_QUESTIONS = 400, 200, 4
GONE = {BlockKind.ARTICLE: "Artículo derogado.", BlockKind.ANNEX: "Anexo derogado."}
GONE_OTHER = "Disposición derogada."
SCHEMA = {
    "title": "ayudas",
    "type": "object",
    "properties": {
        "resumen": {"type": "string"},
        "palabras_clave": {"type": "array", "items": {"type": "string"}},
        "preguntas": {"type": "array", "items": {"type": "string"}},
    },
}


def parsed(output: str, most: int) -> Aid | None:
    """The aid in a model's reply, as clean data; None when it is not the JSON that was asked for."""
    try:
        found = extract_object(output)
    except DraftError:
        return None
    summary, words, questions = (found.get(key) for key in ("resumen", "palabras_clave", "preguntas"))
    if not isinstance(summary, str) or not summary.strip():
        return None
    asked = (keywords.one_line(one, MAX_QUESTION) for one in strings(questions))
    return Aid(
        summary=keywords.one_line(summary, MAX_SUMMARY),
        keywords=keywords.cleaned(strings(words), most),
        questions=tuple(dict.fromkeys(filter(None, asked)))[:MAX_QUESTIONS],
    )


def lacking(aid: Aid, block: Block) -> Aid:
    """The aid without the fields that the block has from elsewhere, whose later versions it must not hide."""
    own = block.attributes
    given = own.get(ORIGIN) is None and bool(own.get(KEYWORDS) or own.get(QUESTIONS))
    return aid.model_copy(update={"keywords": (), "questions": ()}) if given else aid


def short(block: Block, text: str) -> str:
    """The summary of a text too short to ask about: «Artículo derogado.», or nothing."""
    gone = any(labels.is_gone(line) for line in text.split("\n")) or "derogad" in text.lower()
    return GONE.get(block.kind, GONE_OTHER) if gone else ""
