"""No text becomes a formula in a spreadsheet, wherever it splits the cells."""

import csv
import io
import re
from datetime import UTC, datetime

import pytest

from domain.audit import AuditAction, AuditEntry
from pages.parts.common.widgets import grid
from service.config import ROOT
from service.oversight.audit_view import csv_text
from service.oversight.cells import plain_cell
from tests.hostile import CELLS, CONTROL, TEXTS

FORMULA = re.compile(r"^[\s\"]*[=+@\-＝＋＠－]")


@pytest.mark.parametrize("text", [*CELLS.values(), CONTROL["csv-formula"], CONTROL["csv-at"]])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_cell_that_would_be_a_formula_begins_with_an_apostrophe(text: str, sign: str) -> None:
    assert not any(FORMULA.match(cell) for cell in re.split(f"[{sign}\r\n]", plain_cell(text)))


@pytest.mark.parametrize("text", ["", "BOE-A-2015-1 = 2", "art. 3-bis", "a+b", "'=1", "uno, dos; tres"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert plain_cell(text) == text


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_no_hostile_text_becomes_a_formula_in_the_exported_log(sign: str) -> None:
    for text in TEXTS:
        entry = AuditEntry(
            number=1,
            at=datetime(2026, 3, 1, tzinfo=UTC),
            actor=text,
            action=AuditAction.READ,
            target=text,
            detail={"x": text},
        )
        written = csv_text([entry.model_copy(update={"hash": "0"})])
        rows = csv.reader(io.StringIO(written, newline=""), delimiter=sign)
        wrong = [cell for row in rows for cell in row if FORMULA.match(cell)]
        assert wrong == [], text[:60]


def test_the_tables_that_a_page_lets_one_save_as_csv_hold_no_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr("streamlit.dataframe", lambda rows, **_: drawn.append(rows))
    grid([{"Extracto": "=1+1", "Nº": -1, "Vacío": None}], "Una tabla")
    assert drawn == [[{"Extracto": "'=1+1", "Nº": -1, "Vacío": None}]]


def test_every_table_of_a_page_is_drawn_by_the_one_that_leaves_no_formula() -> None:
    callers = [path.name for path in (ROOT / "pages").rglob("*.py") if "st.data" in path.read_text("utf-8")]
    assert callers == ["widgets.py"]
