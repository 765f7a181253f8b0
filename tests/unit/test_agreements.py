"""The collective agreement that a question is about."""

import asyncio
from datetime import date
from types import SimpleNamespace

import pytest

from law.agreement_names import AgreementNames
from law.holdings import Holdings
from law.norm_names import NormCatalogue
from law.norms import Norm
from lexicon.synonyms import Synonyms
from lexicon.territories import territory
from rag.answers.extractive import extract
from rag.question.asked_agreements import meant
from rag.question.understanding import Agreements, Understanding
from rag.shared.hits import Context, Hit, SubQuery
from rag.shared.state import State
from rag.stages.rerank import rerank
from tests.factories import make_chunk


def agreement(title: str, **extra: str) -> Norm:
    return Norm(
        id=title.rsplit(maxsplit=1)[-1], title=title, law=title, rank="Convenio colectivo", extra=extra
    )


HUELVA = agreement(
    "Convenio colectivo de hostelería de la provincia de Huelva",
    ambito_funcional="Obliga a bares, restaurantes, cafeterías y chiringuitos de playa.",
)
BURGOS = agreement("Convenio colectivo de limpieza de edificios de la provincia de Burgos")
CANTABRIA = agreement("Convenio colectivo de la industria siderometalúrgica de Cantabria")
LOADED = AgreementNames((HUELVA, BURGOS, CANTABRIA))


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("¿Cuánto se cobra en la hostelería de Huelva?", HUELVA),
        ("soy limpiadora de edificios, ¿cuántos días tengo?", BURGOS),
        ("trabajo en un chiringuito de la playa", HUELVA),
        ("jornada en Cantabria", CANTABRIA),
        ("soy camarera, ¿cuánto cobro?", HUELVA),
        ("jornada del metal cántabro", CANTABRIA),
        ("la hostelería onubense", HUELVA),
    ],
)
def test_words_of_its_name_or_several_of_its_scope_tell_which_is_meant(question: str, about: Norm) -> None:
    found = meant(question, LOADED)
    assert about.id not in found.others
    assert len(found.others) == 2


@pytest.mark.parametrize(
    "question", ["¿Cuántas vacaciones tengo?", "trabajo de noche", "¿Qué es un convenio?"]
)
def test_without_such_words_none_is_left_out(question: str) -> None:
    assert meant(question, LOADED).others == ()
    assert meant(question, LOADED).named == ()


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("¿Qué dice el convenio de hostelería?", True),
        ("hostelería de la provincia de Huelva, jornada", True),
        ("trabajo en la hostelería", False),
        ("un chiringuito de Huelva", True),
    ],
)
def test_it_is_named_by_most_of_its_name_or_by_speaking_of_an_agreement(question: str, named: bool) -> None:
    assert (HUELVA.id in meant(question, LOADED).named) is named


@pytest.mark.parametrize("question", ["jornada del metal cántabro", "soy soldador en Torrelavega"])
def test_another_name_of_its_sector_and_a_town_of_its_comunidad_name_it(question: str) -> None:
    assert meant(question, LOADED, territory(question)).named == (CANTABRIA.id,)


def test_the_place_alone_tells_no_agreement() -> None:
    assert meant("trabajo en Torrelavega", LOADED, territory("trabajo en Torrelavega")).about == ()


def test_an_agreement_without_words_of_its_own_is_never_named_by_its_name() -> None:
    nameless = agreement("Convenio colectivo de empresa", ambito_funcional="Obliga a los faros y las boyas.")
    found = meant("trabajo en los faros y las boyas", AgreementNames((nameless,)))
    assert found.about == (nameless.id,)
    assert found.named == ()


def test_without_agreements_nothing_is_meant() -> None:
    assert meant("convenio de hostelería de Huelva", AgreementNames()).named == ()


def asked(question: str, **agreements: tuple[str, ...]) -> State:
    state = State(question=question, as_of=date(2026, 6, 1))
    said = {"question": question, "cleaned": question, "whole": question}
    state.understanding = Understanding(**said, agreements=Agreements(**agreements))
    state.queries = [SubQuery(text=question)]
    return state


def test_the_articles_of_agreements_that_are_not_meant_are_no_candidates() -> None:
    state = asked("jornada en la hostelería", others=(BURGOS.id,))
    state.candidates = [Hit(chunk=make_chunk(norm.id), score=1.0) for norm in (BURGOS, HUELVA)]
    profile = SimpleNamespace(rag_max_chunks_in_prompt=8)
    services = SimpleNamespace(rerank_strategy="none", profile=profile, holdings=Holdings)
    asyncio.run(rerank(state, services))  # type: ignore[arg-type]
    assert [hit.chunk.norm_id for hit in state.hits] == [HUELVA.id]


def test_a_sentence_that_only_repeats_the_name_of_the_agreement_is_not_what_is_asked() -> None:
    text = (
        "Artículo 9. Jornada.\nEl convenio de hostelería de la provincia de Huelva rige en todo centro.\n"
        "La jornada es de mil setecientas horas en cada año natural."
    )
    chunk = make_chunk(HUELVA.id, "9", text, law=HUELVA.law, section="Artículo 9. Otras reglas.")
    state = asked(f"jornada del {HUELVA.title}", named=(HUELVA.id,))
    state.context = Context(hits=(Hit(chunk=chunk, score=1.0),))
    services = SimpleNamespace(
        synonyms=Synonyms(),
        embedder=None,
        unseen=frozenset(),
        profile=SimpleNamespace(search_seconds=5),
        catalogue=lambda: NormCatalogue([]),
    )
    draft = asyncio.run(extract(state, services)).draft  # type: ignore[arg-type]
    first = draft.citations[0]
    assert first.quote == "La jornada es de mil setecientas horas en cada año natural."
