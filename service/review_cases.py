"""Evaluation cases made from the verdicts on answers."""

from collections.abc import Mapping
from datetime import date

from core.errors import InputError
from domain.reviews import Judgment, ReviewItem, ReviewVerdict
from law import references
from law.chunks import Chunk
from law.corpus_store import ChunkStore
from law.norm_names import NormCatalogue
from law.reference_reading import find_mentions
from rag.evaluation.cases import Fact
from rag.evaluation.facts_told import answer_checks
from rag.evaluation.labelled_articles import cited_articles
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase, Wanted
from rag.shared.cited_answer import Answer

ANSWERS = 2
PASSES = (
    "La respuesta juzgada pasaría este caso, que así no mide nada: indique el dato que le falta, la cita que "
    "le sobra o la frase que no debe decir, y guarde el veredicto."
)


def case_of(item: ReviewItem, sources: Mapping[str, str]) -> ReviewCase:
    """The evaluation case of the standing verdict on an answer, with all of its conditions.

    Its articles are those that the reviewer named or else, of a correct answer, those cited. It has neither
    articles nor conditions, and so expects a refusal, if the answer was a correct refusal or should have been
    one. An answer that was not judged correct fails it.

    Args:
        sources: norm id to the identifier that labels use, see `rag.evaluation.labelled_articles.sources`.

    Raises:
        InputError: there is no verdict, it names neither an article that answers nor a condition, the answer
            that is not correct would pass, or it cannot be read.
    """
    answer, judgment = item.answer.answer, item.standing
    if judgment is None:
        raise InputError("Guarde antes su veredicto.")
    if answer is None:
        raise InputError("Los datos de esta respuesta los guardó otra versión de Articulado.")
    correct, wanted = judgment.verdict is ReviewVerdict.CORRECT, judgment.wanted
    relevant = _relevant(judgment, answer, sources)
    case = ReviewCase(
        id=f"review-{item.answer.id}",
        question=item.question.text,
        relevant=relevant,
        as_of=None if wanted.day else answer.as_of or item.answer.as_of,
        history=item.history,
        expect="answered" if wanted != Wanted() else None,
        expected_as_of=wanted.day,
        facts=tuple(Fact(fact=text, any_of=(text,)) for text in wanted.facts),
        forbidden=wanted.forbidden,
        surplus=wanted.surplus,
        yes_no=wanted.yes_no,
        must_cite=bool(relevant) and not correct,
    )
    if not correct and not failed(case, answer, sources):
        raise InputError(PASSES)
    return case


def failed(case: ReviewCase, answer: Answer, sources: Mapping[str, str]) -> list[str]:
    """The checks of a case that a stored answer fails, as far as it shows by itself."""
    checks = answer_checks(case.measured, answer, cited_articles(answer, sources))
    return [name for name, passed in checks.items() if not passed]


def _relevant(judgment: Judgment, answer: Answer, sources: Mapping[str, str]) -> tuple[CorrectCitation, ...]:
    correct = judgment.verdict is ReviewVerdict.CORRECT
    if judgment.must_refuse or (correct and answer.refusal):
        return ()
    named = judgment.citations or (cited(answer, sources) if correct else ())
    if not any(one.grade == ANSWERS for one in named) and judgment.wanted == Wanted():
        raise InputError(
            "Indique al menos un artículo que responda, lo que debe o no debe decir la respuesta, o que la "
            "pregunta debía rechazarse, y guarde el veredicto."
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
