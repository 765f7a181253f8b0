"""The decision without a model: documents that the question points to, articles that a norm does not have."""

from datetime import date
from types import SimpleNamespace

from law.holdings import Holdings
from law.norm_names import NormCatalogue
from law.norms import SUMMARISES, Norm
from rag.answers.sufficiency import ANSWERABLE, REFUSE_BELOW, judge_context, novelty_signals, signals, subject
from rag.question.asked_day import time_scope
from rag.question.understanding import Agreements, Matter, Pointed, Understanding
from rag.shared.cited_answer import Verdict
from rag.shared.hits import Hit, SubQuery
from rag.shared.state import State
from tests.factories import make_chunk
from tests.unit.test_rarity import SERVICES

ET = Norm(id="ET", title="Estatuto inventado", law="Estatuto inventado", alias="ETI")


def services(*held: str, norm: Norm = ET) -> SimpleNamespace:
    """A corpus with one norm that has the articles `held`."""
    store = SimpleNamespace(find=lambda norm, label, day: [1] if label in held else [])
    names = {"holdings": lambda: Holdings([norm]), "catalogue": lambda: NormCatalogue([norm])}
    return SimpleNamespace(**vars(SERVICES) | names | {"store": store, "embedder": None})


def state(question: str, **read: object) -> State:
    made = State(question=question, as_of=date(2026, 6, 1))
    said = {"question": question, "cleaned": question, "whole": question}
    made.understanding = Understanding(**said, **read)  # type: ignore[arg-type]
    made.queries = [SubQuery(text=question)]
    made.hits = made.ranked = [Hit(chunk=make_chunk(text="Otra cosa."), score=1.0)]
    return made


def test_words_that_nothing_holds_are_refused_unless_they_point_to_a_document() -> None:
    question = "zurribanda zarrapastrosa del quiribirí"
    assert judge_context(state(question), services()).verdict is Verdict.INSUFFICIENT
    pointed = state(question, pointed=Pointed(where={"contratos": ("c-1",)}))
    named = state(question, agreements=Agreements(about=("ET",), named=("ET",)))
    assert all(judge_context(one, services()).verdict is not Verdict.INSUFFICIENT for one in (pointed, named))


def test_a_refusal_says_whose_matter_the_question_is_if_it_is_ours() -> None:
    question = "zurribanda zarrapastrosa del quiribirí"
    ours = Matter(branch="own", subject="social_security", label="Seguridad Social", score=0.75)
    reasons = {judge_context(state(question, matter=one), services()).reasons[0] for one in (ours, Matter())}
    assert sorted("La pregunta es de Seguridad Social" in reason for reason in reasons) == [False, True]


def test_an_article_that_the_norm_does_not_have_is_told() -> None:
    judged = judge_context(state("artículo 97 ter del Estatuto inventado"), services("7"))
    assert judged.verdict is Verdict.INSUFFICIENT
    assert "97 ter" in judged.reasons[0]
    assert judged.confidence < REFUSE_BELOW


def test_an_article_that_it_has_is_not_told_to_be_absent() -> None:
    judged = judge_context(state("artículo 7 del Estatuto inventado"), services("7"))
    assert not any("no está en el texto vigente" in reason for reason in judged.reasons)


def test_an_article_without_a_summary_is_not_told_to_be_missing_from_the_norm() -> None:
    summary = ET.model_copy(update={"official": False, "extra": {SUMMARISES: "BOE-A-2031-1"}})
    judged = judge_context(state("artículo 97 ter del Estatuto inventado"), services("7", norm=summary))
    assert judged.verdict is Verdict.INSUFFICIENT
    assert "97 ter" in judged.reasons[0]
    assert "no está entre los resúmenes no oficiales" in judged.reasons[0]
    assert "compruebe el número" not in judged.reasons[0]


def test_words_are_novel_unless_our_questions_or_the_articles_found_have_them() -> None:
    hits = [Hit(chunk=make_chunk(text="La zurribanda se paga."), score=1.0)]
    rarity = {"despid": 2.0, "zurriband": 4.0, "quiribir": 4.0, "2300": 9.0}
    found = novelty_signals(rarity, hits)
    assert found["novel"] == 4.0 / sum(rarity.values())
    assert found["gathered"] == 1.0
    assert novelty_signals({}, [])["novel"] == 0.0


def test_the_words_that_only_name_the_time_are_no_matter_of_the_question() -> None:
    today = date(2026, 6, 1)
    asked = {
        "¿Qué indemnización había antes de la reforma laboral de Zapatero?": "¿Qué indemnización había ?",
        "¿Qué permiso había el 3 de marzo de 2019?": "¿Qué permiso había el ?",
        "¿Qué indemnización había antes de la reforma del quiribirí?": "",
        "¿Qué indemnización hay?": "",
    }
    for question, left in asked.items():
        assert subject(state(question, time=time_scope(question, today))) == (left or question)


def test_the_odds_of_the_meaning_of_a_question_that_names_a_day_only_speak_for_it() -> None:
    (name,) = ANSWERABLE
    dated, plain = "¿Qué pagaban en enero de 2019 por la zurribanda?", "¿Qué pagan por la zurribanda?"

    def probability(question: str, odds: float | None) -> float:
        given = services()
        given.embedder = SimpleNamespace(name=name)
        one = state(question, time=time_scope(question, date(2026, 6, 1)))
        one.candidates = [Hit(chunk=make_chunk(text="Otra cosa."), score=1.0, dense=0.9, adapted=0.7)]
        one.answerable = odds
        return dict(judge_context(one, given).signals)["probabilidad"]

    assert probability(plain, -9.0) < probability(plain, None) < probability(plain, 9.0)
    assert probability(dated, -9.0) == probability(dated, None) < probability(dated, 9.0)


def test_an_everyday_word_that_the_law_of_the_hits_says_in_its_own_way_is_covered() -> None:
    def covered(text: str) -> float:
        hits = [Hit(chunk=make_chunk(text=text), score=1.0)]
        return signals("¿Me toca bocata?", hits, {"bocat": 5.0}, services())["coverage"]

    assert covered("Habrá un período de descanso inventado.") == 1.0
    assert covered("Habrá una paga inventada.") == 0.0


def test_the_odds_of_the_meaning_only_speak_for_a_question_that_the_law_says_whole() -> None:
    (name,) = ANSWERABLE

    def probability(text: str, odds: float | None) -> float:
        given = services()
        given.embedder = SimpleNamespace(name=name)
        one = state("¿Cuánto conduce un camionero?")
        hit = Hit(chunk=make_chunk(text=text), score=1.0, dense=0.9, adapted=0.7)
        one.hits = one.ranked = one.candidates = [hit]
        one.answerable = odds
        return dict(judge_context(one, given).signals)["probabilidad"]

    whole, less = (
        "Cuánto tiempo de conducción tiene un conductor que conduce.",
        "El conductor tiene un descanso.",
    )
    assert probability(whole, -9.0) == probability(whole, None)
    assert probability(less, -9.0) < probability(less, None)
