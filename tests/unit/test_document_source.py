"""A document of the expediente as a source: its passage, marked where it was quoted."""

import asyncio
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from casework.matters.paper_fragments import FoundFragment, Fragment
from casework.matters.paper_search import as_hit
from law.norms import DOCUMENT
from pages.parts.answer import documents
from rag.answers.article_numbers import CitedArticle
from rag.shared.answer_contract import Draft
from rag.shared.cited_answer import Verdict
from rag.shared.hits import Context
from rag.shared.state import State
from rag.stages.verify import verify_answer
from tests.fakes import verifier

LEAD = "Son faltas inventadas las que siguen:"
MEMBER = "b) El olvido inventado de la llave del taller."
TEXT = (
    f"Leves.\n{LEAD}\na) El retraso inventado de diez minutos.\nb) El saludo inventado sin gorra.\n"
    f"Graves.\n{LEAD}\na) El retraso inventado de dos horas.\n{MEMBER}\n"
)


def test_words_that_stand_twice_are_marked_where_they_were_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    fragment = Fragment(number=1, page=1, text=TEXT)
    hit = as_hit(FoundFragment(document_id="d", document_number=1, name="carta.pdf", fragment=fragment), 1.0)
    state = State(question="¿Es grave el olvido de la llave?", as_of=date(2026, 1, 1))
    state.context = Context(hits=(hit.model_copy(update={"origin": DOCUMENT}),))
    state.verdict = Verdict.SUFFICIENT
    state.draft = Draft.model_validate(
        {
            "answer": "El olvido es grave [C1].",
            "citations": [{"quote": MEMBER, "source": "Doc 1", "page": 1, "marker": "C1"}],
            "confidence": 0.9,
            "refusal": False,
            "notes": None,
        }
    )
    services: Any = verifier()
    asyncio.run(verify_answer(state, services))
    assert state.answer is not None
    quotes = state.answer.citations
    assert {one.quote for one in quotes} == {LEAD, MEMBER}
    marked: list[list[tuple[int, int]]] = []
    monkeypatch.setattr(documents, "quoted_html", lambda _text, spans: marked.append(sorted(spans)))
    monkeypatch.setattr(documents, "show", lambda *_: None)
    papers = SimpleNamespace(fragment=lambda *_: fragment)
    view: Any = SimpleNamespace(app=SimpleNamespace(papers=papers))
    documents.show_document(view, CitedArticle(1, quotes[0], tuple(quotes)))
    places = [(TEXT.rindex(words), TEXT.rindex(words) + len(words)) for words in (LEAD, MEMBER)]
    assert marked == [places]
