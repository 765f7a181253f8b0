"""The evaluation page: choose a set, run it, read a run."""

import re
from collections.abc import Callable

import pytest

from core.errors import IndexUnavailable
from pages.parts.common.html import table
from pages.parts.evaluation.words import (
    DATASETS,
    category_name,
    signed,
    signed_spread,
    spread,
    value,
    verdict,
)
from rag.evaluation.cases import read_dataset
from rag.evaluation.evaluation_runner import Progress
from rag.evaluation.results import AnswerTold, EvaluationState, FactTold, Miss
from service.config import ROOT
from service.program.assembly import App
from tests.pages.driver import html, labels, page_at, press
from tests.pages.evaluation.conftest import SECONDS, evaluated, result, stored, write

# Starting


def test_a_set_is_described_before_it_is_run(app: App) -> None:
    shown = html(page_at("evaluation"))
    assert "4 preguntas: 3 con respuesta y 1 que debe rechazarse." in shown
    assert "El corpus cargado contiene 2 de los 4 artículos de referencia." in shown
    assert "1 pregunta se contará aparte" in shown
    assert "Aquí aparecerán sus evaluaciones." in shown
    assert "llamadas a los modelos" not in shown


def test_the_page_opens_on_a_set_that_the_corpus_can_answer(app: App) -> None:
    folder = app.settings.articulado_home / "evaluation"
    (folder / "propias.jsonl").rename(folder / "core.jsonl")
    other = {
        "id": "otro",
        "question": "¿Y?",
        "relevant": [{"norm": "Z", "article": "1"}],
        "category": "plazos",
    }
    write(folder / "agreements.jsonl", [other])
    write(folder / "ajenas.jsonl", [other])
    (folder / "rotas.jsonl").write_text("{", encoding="utf-8")
    box = page_at("evaluation").selectbox(key="dataset")
    assert box.value == "core"
    assert [name.partition(" (")[0].partition(" · ")[0] for name in box.options] == [
        "ajenas",
        "rotas",
        "Preguntas generales",
        "Convenios inventados, que hay que cargar antes",
    ]


def test_every_set_that_ships_has_a_name_and_none_has_an_english_category() -> None:
    files = list((ROOT / "data" / "evaluation").glob("*.jsonl"))
    assert [path.stem for path in files if path.stem not in DATASETS] == []
    shown = {category_name(case.category) for path in files for case in read_dataset(path).cases}
    english = {"aside", "branch", "case", "foreign", "hr", "law", "lawyer", "situation", "simple", "worker"}
    assert {name for name in shown if english & set(re.findall(r"[a-z]+", name.lower()))} == set()


def test_the_headline_says_how_many_answers_were_checked_by_their_words(app: App) -> None:
    told = AnswerTold(text="Sí.", facts=(FactTold(fact="sí", told=True),))
    some = stored(app, result("a"), result("b", told=told))
    shown = html(page_at("evaluation", run=some.id))
    assert "Pasan las comprobaciones" in shown and "Preguntas correctas" not in shown
    assert "Lo que dice la respuesta se comprueba en 1 de 2 preguntas" in shown
    every = stored(app, result("b", told=told))
    assert "se comprueba en" not in html(page_at("evaluation", run=every.id))


def test_without_sets_it_says_where_to_put_them(app: App) -> None:
    app.evaluations._folders = ()
    page = page_at("evaluation")
    assert "copie sus archivos JSONL" in html(page)
    assert "Evaluar" not in labels(page)


def test_a_set_that_cannot_be_read_is_told_and_not_run(app: App) -> None:
    (app.settings.articulado_home / "evaluation" / "propias.jsonl").write_text("{", encoding="utf-8")
    page = page_at("evaluation")
    assert "línea 1" in page.error[0].value
    assert "Evaluar" not in labels(page)


def test_a_run_that_ends_before_the_page_is_drawn_again_is_shown(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = app.evaluations.start

    def ended(*given: object, **named: object) -> Progress:
        current = start(*given, **named)
        assert current.finished.wait(SECONDS)
        return current

    monkeypatch.setattr(app.evaluations, "start", ended)
    page = press(page_at("evaluation"), "Evaluar")
    [run] = app.evaluations.evaluations()
    assert page.query_params["run"] == run.id


def test_a_run_that_cannot_start_is_told_and_the_page_stays(app: App) -> None:
    evaluated(app)

    def services() -> None:
        raise IndexUnavailable("El índice no responde.")

    app.evaluations._services = services  # type: ignore[assignment]
    page = press(page_at("evaluation"), "Evaluar")
    assert "El índice no responde" in page.error[0].value
    assert "Abrir" in labels(page)


# One run


def test_a_run_shows_measures_with_intervals_categories_and_what_is_apart(app: App) -> None:
    page = page_at("evaluation", run=evaluated(app).id)
    shown = html(page)
    assert "<h1>propias</h1>" in shown
    assert "Acierto entre los 3 primeros" in shown
    assert "50,0 %" in shown
    assert "0,0 – 100,0 %" in shown
    assert "<td>Información básica</td>" in shown
    assert "1 pregunta aparte" in shown
    assert "rag_max_chunks_in_prompt" in shown
    assert len(page.get("vega_lite_chart") or page.get("arrow_vega_lite_chart")) == 4


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (EvaluationState.CANCELLED, "Cancelada"),
        (EvaluationState.INTERRUPTED, "Interrumpida"),
    ],
)
def test_a_run_without_its_end_says_so(app: App, state: EvaluationState, told: str) -> None:
    assert told in html(page_at("evaluation", run=stored(app, result("a"), state=state).id))


def test_a_failed_run_tells_why(app: App) -> None:
    failed = stored(app, state=EvaluationState.FAILED, error="El índice no responde.")
    assert "El índice no responde" in page_at("evaluation", run=failed.id).error[0].value


def test_a_run_is_removed_with_confirmation(app: App) -> None:
    page = page_at("evaluation", run=stored(app, result("a")).id)
    press(page, "Eliminar la evaluación")
    page.button(key="remove-yes").click().run()
    assert app.evaluations.evaluations() == []


def test_an_evaluation_names_the_model_that_wrote_its_answers(app: App) -> None:
    by_model = stored(app, result("a"), facts={"mode": "model", "principal": "gpt-5.2"})
    stored(app, result("a"), facts={"mode": "offline", "principal": ""})
    listed = html(page_at("evaluation"))
    assert listed.count("con modelo (gpt-5.2)") == 1
    assert "sin modelo" in listed
    assert "con modelo (gpt-5.2)" in html(page_at("evaluation", run=by_model.id))


def test_an_evaluation_says_in_words_which_search_aids_it_used(app: App) -> None:
    whole = stored(app, result("a"), facts={"aids": "all"})
    mixed = stored(app, result("a"), facts={"aids": "mixed"})
    assert html(page_at("evaluation")).count("ayudas: todas menos las de las normas preguntadas") == 1
    shown = html(page_at("evaluation", run=whole.id, **{"with": mixed.id}))
    assert "como si las hubiera cargado usted" in shown
    assert "mixed" not in shown


# Words


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (lambda: value("hit@3", 0.8254), "82,5 %"),
        (lambda: value("mrr@10", 0.8254), "0,83"),
        (lambda: spread("hit@3", (0.75, 0.881)), "75,0 – 88,1 %"),
        (lambda: spread("mrr@10", None), ""),
        (lambda: signed("hit@3", 0.025), "+2,5 p. p."),
        (lambda: signed("mrr@10", -0.03), "−0,03"),
        (lambda: signed("mrr@10", 0.0), "0,00"),
        (lambda: signed_spread("hit@3", (-0.1, 0.2)), "−10,0 a +20,0"),
        (
            lambda: verdict(
                result(
                    "a",
                    checks={"refusal": True, "facts": False},
                    told=AnswerTold(
                        text="",
                        facts=(
                            FactTold(fact="Uno.", told=True),
                            FactTold(fact="Dos.", told=False, miss=Miss.SENTENCE),
                        ),
                    ),
                )
            ),
            "faltan 1 de 2 hechos",
        ),
        (lambda: verdict(result("a", 7)), "artículo en el lugar 7"),
        (lambda: verdict(result("a", None)), "artículo no encontrado"),
        (
            lambda: verdict(result("a", checks={"refusal": True, "as_of": False})),
            "falla: fecha de la normativa",
        ),
        (lambda: table(("<b>",), [("<i>",)]).count("<i>"), 0),
    ],
)
def test_words(shown: Callable[[], object], expected: object) -> None:
    assert shown() == expected


def test_a_program_with_models_warns_of_their_cost(app: App) -> None:
    app.models.reader = app.models.principal = object()  # type: ignore[assignment]
    assert "llamadas a los modelos" in html(page_at("evaluation"))
