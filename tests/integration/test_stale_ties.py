"""Ties whose provision has changed since they were checked, as doctor and «Normativa» tell them."""

from datetime import date
from pathlib import Path

import pytest

from lab.ties import with_hashes
from law.norms import Block, Document
from lexicon.ties import Kind, Tie
from loading.ingestion import stale_ties as module
from loading.ingestion.stale_ties import file_of, hashes, stale_ties
from service.program import assembly
from tests.boe_server import write_norm
from tests.conftest import DATA, Maker
from tests.factories import make_block, make_norm, make_version
from tests.pages.driver import html, page_at, set_open

ET = "BOE-A-2015-11430"
CHECKED, LATER = date(2026, 11, 28), date(2027, 3, 1)
KINDS = {"of": (("A", "a1"), ("A", "a2")), "to": (("B", "a3"),)}
EFFECT = {"of": (("A", ""),), "published": date(2020, 1, 1)}


def corpus(*first: Block, last: Block | None = None) -> dict[str, Document]:
    """Norm A with articles 1 and 2 unless others are given, and B with article 3 unless it is another."""
    one = [make_block(label, make_version(f"Uno {label}.", published="2020-01-01")) for label in ("1", "2")]
    return {"A": make_norm("A", *(first or one)), "B": make_norm("B", last or make_block("3", "Tres."))}


def found(monkeypatch: pytest.MonkeyPatch, kind: Kind, norms: dict[str, Document]) -> list[str]:
    """The sentences of a row of that kind that was checked on the corpus without changes."""
    row = Tie(kind=kind, **(EFFECT if kind is Kind.EFFECT else KINDS))
    checked = row.model_copy(update={"checked": CHECKED, "sha256": hashes(row, corpus().get, CHECKED)})
    monkeypatch.setattr(module, "ties", lambda: (checked, row))
    return [one.says for one in stale_ties(norms.get, LATER)]


def test_a_figure_of_the_calculators_is_stale_like_any_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ties", tuple)
    row = Tie(kind=Kind.FIGURE, of=(("B", "a3"),), says="días por año", checked=CHECKED)
    checked = row.model_copy(update={"sha256": hashes(row, corpus().get, CHECKED)})
    assert stale_ties(corpus().get, LATER, [checked]) == []
    (found,) = stale_ties(corpus(last=amended("3")).get, LATER, [checked])
    assert found.says.startswith(
        "Ley B · Artículo 3: el dato de las calculadoras (días por año) se comprobó el 28/11"
    )
    assert file_of(found.tie) == "data/figures"


def amended(label: str, text: str = "Otra redacción.") -> Block:
    """An article with another wording from the first day of 2027."""
    return make_block(label, make_version(until="2026-12-31"), make_version(text, since="2027-01-01"))


@pytest.mark.parametrize(
    ("kind", "norms", "told"),
    [
        (Kind.OVERTAKEN, corpus(), ""),
        # The same text from another day; one end, then a part of one, that is not loaded.
        (Kind.OVERTAKEN, corpus(last=amended("3", "Tres.")), ""),
        (Kind.OVERTAKEN, {"B": corpus(last=amended("3"))["B"]}, ""),
        (Kind.OVERTAKEN, corpus(make_block("1", "Otra.")), ""),
        (
            Kind.OVERTAKEN,
            corpus(last=amended("3")),
            "Ley A · Artículo 1 y Ley A · Artículo 2: el aviso de que está superado se comprobó el "
            "28/11/2026 con otra redacción de Ley B · Artículo 3 (la de hoy rige desde el 01/01/2027). "
            "Compruébelo antes de fiarse.",
        ),
        (
            Kind.TRANSITIONAL,
            {"A": corpus(make_block("1", "Uno 1."), amended("2"))["A"]},
            "transitorio se comprobó el 28/11/2026 con otra redacción de Ley A · Artículo 2 (la de hoy",
        ),
        (
            Kind.COMPANION,
            corpus(last=make_block("3", "Tres.", until="2026-12-31")),
            "la cita que lo acompaña en las respuestas se comprobó el 28/11/2026 con otra redacción de Ley B",
        ),
        (Kind.EFFECT, corpus(last=amended("3")), ""),
        (
            Kind.EFFECT,
            corpus(make_block("1", make_version("Corregido.", published="2020-01-01"))),
            "Ley A: la fecha desde la que surte efectos se comprobó el 28/11/2026 con otra redacción",
        ),
    ],
)
def test_a_row_is_stale_by_the_text_of_either_end(
    monkeypatch: pytest.MonkeyPatch, kind: Kind, norms: dict[str, Document], told: str
) -> None:
    said = found(monkeypatch, kind, norms)
    assert len(said) == bool(told)
    assert told in "".join(said)


def test_hashes_are_written_into_their_rows_and_nothing_else_changes() -> None:
    text = '# Head\n\n[[tie]]\nkind = "effect"\nsince = 2020-01-01\n\n# Below\n[[tie]]\nkind = "companion"\n'
    first = with_hashes(text, CHECKED, {0: ("ab", "cd"), 1: ("ef",)})
    lines = ["checked = 2026-11-28", 'sha256 = ["ab", "cd"]', "checked = 2026-11-28", 'sha256 = ["ef"]']
    assert [line for line in first.splitlines() if line not in text.splitlines()] == lines
    assert first.index("# Below") > first.index('["ab", "cd"]')
    again = with_hashes(first, LATER, {1: ("gh",)})
    assert again == first.replace('2026-11-28\nsha256 = ["ef"]', '2027-03-01\nsha256 = ["gh"]')


def test_the_doctor_and_the_corpus_page_tell_what_is_stale_and_find_no_fault(
    make_program: Maker, tmp_path: Path
) -> None:
    ours = make_program([DATA])
    checks = {check["name"]: check["detail"] for check in ours.doctor()["checks"]}
    assert checks["avisos de preceptos"] == "ninguno se comprobó con otra redacción"
    assert ours.holdings.stale_ties(LATER) == []

    wording = ("20151024", ET, "Despido improcedente\nTexto inventado.")
    program = make_program([DATA, write_norm(tmp_path / "boe", ET, {"56": [wording]})])
    program.models.embedder_problem = ""
    report = program.doctor()
    said = [check["detail"] for check in report["checks"] if check["name"] == "avisos de preceptos"]
    assert report["healthy"]
    begins = "ET · Artículo 56: el aviso de su régimen transitorio se comprobó el "
    [line] = [line for line in said if line.startswith(begins)]
    assert line.endswith("antes de fiarse. Está en lexicon/ties.toml: transitional, BOE-A-2015-11430 a56.")

    assembly.override(program)
    try:
        page = page_at("normativa")
        label = f"{len(said)} avisos de preceptos se comprobaron con otra redacción"
        assert label in [box.label for box in page.expander]
        assert begins not in html(page)
        assert begins in html(set_open(page, "stale-ties"))
    finally:
        assembly.override(None)
