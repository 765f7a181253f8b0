"""Questions that name their own date, over the real norms with all their wordings."""

import asyncio
import json
from datetime import date
from pathlib import Path

import pytest

from rag.run.pipeline import retrieve
from tests.real_law import RealLaw

TODAY = date(2026, 11, 21)
# The questions of ../shared/gold/temporal_dev.jsonl with their date inside, by id.
DATED = [
    ("t01", "¿Cuántas semanas de suspensión por paternidad correspondían en marzo de 2018?"),
    ("t01", "Fui padre en 2018: ¿cuántas semanas de suspensión por paternidad correspondían?"),
    (
        "t02",
        "¿Cuántas semanas dura la suspensión por nacimiento para el progenitor distinto de la madre"
        " biológica a 1/3/2026?",
    ),
    ("t03", "¿Cuántos días de permiso había por hospitalización de un familiar el 10 de mayo de 2022?"),
    ("t03", "¿Cuántos días de permiso había por hospitalización de un familiar en 2022?"),
    (
        "t04",
        "¿Qué porcentaje de la base reguladora se cobra de paro a partir del día 181 en febrero de 2026?",
    ),
    ("t05", "¿Podía despedirse por faltas de asistencia justificadas pero intermitentes en junio de 2019?"),
    (
        "t05",
        "Me despidieron en 2019 por faltas de asistencia justificadas pero intermitentes, ¿puede despedirse?",
    ),
]


@pytest.mark.slow
@pytest.mark.corpus
def test_a_question_that_names_its_date_reads_the_wording_of_that_day(real_law: RealLaw, boe: Path) -> None:
    services = real_law.program.services
    lines = (boe.parent / "gold" / "temporal_dev.jsonl").read_text("utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, lines)}
    wrong: list[str] = []
    for name, question in DATED:
        case, wanted = cases[name], cases[name]["relevant"][0]
        state, _ = asyncio.run(retrieve(question, services, today=TODAY))
        found = {h.chunk.valid_from for h in state.hits if h.chunk.label == wanted["article"]}
        wording = services.store.find(wanted["norm"], wanted["article"], state.as_of)
        text = " ".join(chunk.text for chunk in wording)
        right = case["must_contain"] in text and case["must_not_contain"] not in text
        if not right or found != {wording[0].valid_from}:
            wrong.append(f"{question} ({state.as_of}): {[h.chunk.id for h in state.hits]}")
    assert wrong == []
