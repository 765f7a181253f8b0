"""Evaluation cases made from the verdicts on answers."""

from collections.abc import Mapping
from datetime import date

from core.errors import InputError
from domain.reviews import ReviewItem, ReviewVerdict
from law import references
from law.chunks import Chunk
from law.corpus_store import ChunkStore
from law.mentions import find_mentions
from law.norm_names import NormCatalogue
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase
from rag.shared.cited_answer import Answer

ANSWERS = 2


def case_of(item: ReviewItem, sources: Mapping[str, str]) -> ReviewCase:
    """The evaluation case of the latest verdict on an answer.

    Its articles are those that the reviewer named or else, of a correct answer, those cited. It has none, and
    so expects a refusal, if the answer was a correct refusal or should have been one.

    Args:
        sources: norm id to the identifier that labels use, see `rag.evaluation.labelled_articles.sources`.

    Raises:
        InputError: there is no verdict, it names no article that answers, or the answer cannot be read.
    """
    answer = item.answer.answer
    if not item.judgments:
        raise InputError("Guarde antes su veredicto.")
    if answer is None:
        raise InputError("Los datos de esta respuesta los guardó otra versión de Articulado.")
    return ReviewCase(
        id=f"review-{item.answer.id}",
        question=item.question.text,
        relevant=_relevant(item, answer, sources),
        as_of=answer.as_of or item.answer.as_of,
        history=item.history,
    )


def _relevant(item: ReviewItem, answer: Answer, sources: Mapping[str, str]) -> tuple[CorrectCitation, ...]:
    judgment = item.judgments[0]
    correct = judgment.verdict is ReviewVerdict.CORRECT
    if judgment.must_refuse or (correct and answer.refusal):
        return ()
    named = judgment.citations or (cited(answer, sources) if correct else ())
    if not any(one.grade == ANSWERS for one in named):
        raise InputError(
            "Indique al menos un artículo que responda, o que la pregunta debía rechazarse, "
            "y guarde el veredicto."
        )
    return named


def cited(answer: Answer, sources: Mapping[str, str]) -> tuple[CorrectCitation, ...]:
    """The articles that an answer cites, each once; citations without an article number are left out."""
    keys = dict.fromkeys((c.norm_id, c.article) for c in answer.citations if c.norm_id and c.article)
    return tuple(CorrectCitation(norm=sources.get(norm, norm), article=label) for norm, label in keys)


def named_articles(text: str, catalogue: NormCatalogue, store: ChunkStore, as_of: date) -> list[Chunk]:
    """First part, as in force that day, of each article that `text` names («art. 38 ET»)."""
    found: list[Chunk] = []
    for reference in references.resolve(find_mentions(text), catalogue):
        if reference.norm_id and reference.label:
            found += store.find(reference.norm_id, reference.label, as_of)[:1]
    return list({(chunk.norm_id, chunk.label): chunk for chunk in found}.values())
