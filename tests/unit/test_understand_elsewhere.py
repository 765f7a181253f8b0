"""Needs of a question that the corpus lacks, with the place where they are met."""

from datetime import date

import pytest

from law import references
from law.agreement_names import AgreementNames
from law.holdings import Holdings
from law.norm_names import NormCatalogue
from law.norms import Norm
from law.reference_reading import find_mentions
from lexicon.territories import territory
from lexicon.usual_names import known_norms
from rag.question import asked_agreements
from rag.question.asked_day import time_scope
from rag.question.outside_corpus import missing
from tests.case_files import rows

TODAY = date(2026, 6, 1)
ET = Norm(
    id="BOE-A-2015-11430",
    title="Estatuto de los Trabajadores",
    law="Estatuto de los Trabajadores",
    rank="Real Decreto Legislativo",
    number="2/2015",
)


def outside(question: str, *loaded: Norm, dated: bool = False) -> tuple[str, ...]:
    catalogue = NormCatalogue([*known_norms(), *loaded])
    named = references.resolve(find_mentions(question), catalogue)
    holdings = Holdings([ET, *loaded], catalogue)
    time = time_scope(question, TODAY) if dated else None
    found = missing(question, named, holdings, territory(question), time)
    assert all(item.where for item in found)
    return tuple(item.what for item in found)


def agreement(title: str, **extra: str) -> Norm:
    return Norm(id=title, title=title, law=title, rank="Convenio colectivo", extra=extra)


LOADED = {
    "El Estatuto": [],
    "Y el convenio de hostelería de Huelva": [
        agreement(
            "Convenio colectivo de hostelería de la provincia de Huelva",
            ambito_funcional="Obliga a los establecimientos de alojamiento y de restauración.",
        )
    ],
    "Y el salario mínimo de 2025 y 2026": [
        Norm(id=f"smi-{year}", title=f"Real Decreto 9/{year}, del salario mínimo interprofesional", law="SMI")
        for year in (2025, 2026)
    ],
}


@pytest.mark.parametrize(("loaded", "question", "what"), rows("asked_elsewhere"))
def test_what_is_not_loaded_is_named_with_its_place(loaded: str, question: str, what: str) -> None:
    found = outside(question, *LOADED[loaded], dated="salario" in loaded)
    assert any(what in item for item in found) if what else not found


def test_a_territory_whose_norms_are_loaded_is_not_missing() -> None:
    andalusian = Norm(id="a", title="Decreto andaluz", law="Decreto andaluz", territory="Andalucía")
    assert outside("ayudas a autónomos en Andalucía", andalusian) == ()


@pytest.mark.parametrize(
    "question", ["el Real Decreto Legislativo 2/2015", "RDLeg 2/2015", "¿Qué dice la Directiva 2003/88/CE?"]
)
def test_a_norm_that_is_loaded_is_not_missing_by_its_number(question: str) -> None:
    working_time = Norm(
        id="eu", title="Directiva de tiempo de trabajo", law="Directiva", rank="Directiva", number="2003/88"
    )
    assert outside(question, working_time) == ()


@pytest.mark.parametrize(
    ("question", "norm"),
    [
        ("¿Qué dice la Ley de Sociedades de Capital?", Norm(id="BOE-A-2010-10544", title="LSC", law="LSC")),
        ("ley de familias numerosas", Norm(id="x", title="LFN", law="LFN", rank="Ley", number="40/2003")),
        ("¿Está exenta de IRPF la indemnización?", Norm(id="BOE-A-2006-20764", title="LIRPF", law="LIRPF")),
    ],
)
def test_what_a_loaded_norm_holds_is_not_missing_by_its_identifier_or_number(
    question: str, norm: Norm
) -> None:
    assert outside(question)
    assert outside(question, norm) == ()


def test_an_entry_named_by_its_number_is_missing_until_that_norm_is_loaded() -> None:
    question = "¿Qué temperatura máxima debe haber según el reglamento de lugares de trabajo?"
    assert outside(question) == ("el Reglamento sobre lugares de trabajo",)
    places = Norm(id="p", title="Lugares", law="Lugares", rank="Real Decreto", number="486/1997")
    assert outside(question, places) == ()


def test_the_agreement_of_another_sector_is_not_the_one_that_is_missing() -> None:
    title = "Convenio colectivo de limpieza de edificios"
    other = Norm(id="C-1", title=title, law=title, rank="Convenio colectivo")
    assert any("hostelería" in item for item in outside("vacaciones del convenio de hostelería", other))
    assert outside("vacaciones del convenio de limpieza", other) == ()


def test_a_norm_that_only_dates_the_question_is_not_missing() -> None:
    question = "despido antes del Real Decreto-ley 3/2012"
    assert outside(question) == ("Real Decreto-ley 3/2012",)
    assert outside(question, dated=True) == ()


def test_nothing_is_missing_from_an_empty_corpus() -> None:
    question = "¿Qué dice el Código Penal?"
    catalogue = NormCatalogue(known_norms())
    named = references.resolve(find_mentions(question), catalogue)
    assert missing(question, named, Holdings([], catalogue), None) == ()


def test_case_law_is_not_missing_once_judgments_are_loaded() -> None:
    ruling = Norm(id="s", title="Sentencia", law="Sentencia", collection="sentencias")
    assert outside("¿Hay jurisprudencia sobre el despido en baja?", ruling) == ()


def test_an_agreement_that_is_not_loaded_is_told_with_what_to_do() -> None:
    question = "vacaciones en el convenio de heladerías artesanas"
    found = asked_agreements.missing(question, AgreementNames(), None)
    assert found is not None
    assert "(heladerías) no está cargado" in found.said
    assert "quien administra Articulado puede cargarlo" in found.said


def test_an_agreement_of_a_trade_that_a_loaded_one_covers_by_its_people_is_not_missing() -> None:
    loaded = agreement("Convenio colectivo de hostelería de Huelva")
    assert outside("jornada del convenio de los camareros de hotel", loaded) == ()


def test_the_criteria_of_the_institute_are_not_missing_once_some_are_loaded() -> None:
    loaded = Norm(id="c", title="Criterio", law="Criterio", collection="criterios_inss")
    assert outside("¿Qué criterio de gestión del INSS hay sobre la recaída?", loaded) == ()
