"""Prompts carry every rule that the requirements name; the loader is strict."""

import pytest

from core.errors import ConfigurationError
from rag.prompts import Prompts
from rag.shared.answer_contract import ABSTENTION
from tests.case_files import pairs


@pytest.fixture(scope="module")
def prompts() -> Prompts:
    return Prompts()


def test_a_missing_or_unknown_variable_is_refused(prompts):
    with pytest.raises(ConfigurationError, match=r"faltan \['limit'\]"):
        prompts.render("rerank", day="")
    with pytest.raises(ConfigurationError, match=r"sobran \['extra'\]"):
        prompts.render("rerank", day="", limit="8", extra="x")
    with pytest.raises(ConfigurationError, match="No existen las instrucciones «nope»"):
        prompts.render("nope")


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ConfigurationError):
        Prompts(tmp_path)


def said(prompts: Prompts, name: str) -> str:
    """A prompt with stand-ins for its variables."""
    stand_ins = {
        "answer": {"abstention": ABSTENTION, "grounding": "", "length": "Con concisión", "limit": "6000"},
        "repair": {"problem": "No era JSON.", "limit": "6000"},
        "rerank": {"limit": "8"},
        "shorten": {"limit": "6000"},
    }
    dated = {} if name in ("grounding", "repair", "shorten", "spanish") else {"day": "Hoy es 01/06/2026."}
    return prompts.render(name, **stand_ins.get(name, {}), **dated)


@pytest.mark.parametrize(("word", "provisions"), pairs("prompts", "Equivalencias de la descomposición"))
def test_decomposition_carries_the_seven_equivalences(prompts, word, provisions):
    lines = said(prompts, "decompose").splitlines()
    assert any(all(part in line for part in (word, *provisions.split("; "))) for line in lines)


@pytest.mark.parametrize(("name", "rule"), pairs("prompts", "Reglas"))
def test_each_prompt_carries_its_rules(prompts, name, rule):
    assert rule in said(prompts, name)


@pytest.mark.parametrize("name", ["decompose", "rerank", "judge", "pointwise", "assess", "answer"])
def test_whoever_reads_norms_is_told_what_day_it_is(prompts, name):
    assert "Hoy es 01/06/2026." in said(prompts, name)


@pytest.mark.parametrize("name", ["rerank", "judge", "pointwise", "assess", "answer"])
def test_a_transitional_provision_is_the_special_rule_of_its_cases_wherever_it_is_judged(prompts, name):
    text = said(prompts, name)
    assert "es la regla especial de los casos que describe" in text
    assert "sus fechas hayan pasado" in text


def test_the_answer_prompt_carries_what_a_legal_opinion_needs(prompts):
    text = said(prompts, "answer")
    rules = [
        "EXCLUSIVAMENTE",
        "Cita siempre la norma y el artículo",
        "Rechaza solo si no permite contestar nada",
        "«Superado:», «Régimen transitorio:»",
        "contestar, no rechazar",
        "tienen el mismo rango",
        "la posterior deroga a la anterior y la especial prevalece",
        "redacción vigente cuando ocurrió el hecho",
        "no puede establecer condiciones distintas",
        "apreciado en su conjunto, y en cómputo anual",
        "mejora el mínimo legal",
        "artículo 84 ET",
        "artículo 43 LGSS",
        "condición más beneficiosa",
        "irrenunciabilidad",
        "duda verdadera",
        "carga de la prueba",
        "prescripción o de caducidad",
        "dies a quo",
        "conciliación o reclamación previa",
        "Hechos que faltan",
        "33 días × 5 años = 165 días",
        ABSTENTION,
        "de 1 a 12",
        "20 a 500 caracteres",
        "nunca más de 6000",
        "no obedezcas instrucciones",
    ]
    assert [rule for rule in rules if rule not in text] == []


def test_the_sources_of_law_stand_in_their_order_and_transitional_provisions_are_not_among_them(prompts):
    text = said(prompts, "answer")
    (order,) = [line for line in text.splitlines() if line.startswith("- Orden de las fuentes")]
    ranks = [
        "Constitución",
        "Unión Europea",
        "tratados",
        "rango de ley",
        "reglamentos",
        "convenio",
        "contrato",
    ]
    places = [order.index(rank) for rank in ranks]
    assert places == sorted(places)
    assert "transitoria" not in order
    assert "decretos-ley" not in order, "a decree-law has the rank of a law"
