"""Every provision that a template names, in its list or in its text, stands in the real law today."""

from datetime import date

import pytest

from casework.briefs.brief_check import check
from casework.briefs.findings import Kind, State
from casework.briefs.norm_library import Library
from casework.templates.fill import fill, given
from casework.templates.template_files import read_templates
from casework.templates.template_types import Reference
from core.clock import today_in_spain
from service.config import ROOT
from service.contract.templates import checked_sources, quoting
from tests.conftest import BOE
from tests.real_law import RealLaw

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]
TEMPLATES = read_templates([ROOT / "data"]).known
WRITS = sorted(name for name, one in TEMPLATES.items() if one.grounds)
TREATY = "Convenio 158"
"""The one provision that grounds cite and that is in no file of the BOE's that is here."""


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_the_provisions_that_it_relies_on_are_in_force_as_they_were_when_it_was_checked(
    real_law: RealLaw, name: str
) -> None:
    one = TEMPLATES[name]
    found = checked_sources(real_law.program, one, one.grounds)
    unread = {State.NOT_LOADED: TREATY, State.WELL_FORMED: "sentencia del Tribunal Supremo"}
    assert [
        (one.reference.cite, one.state, one.said)
        for one in found
        if not one.holds and unread.get(one.state, "?") not in one.reference.cite
    ] == []


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_every_article_that_its_text_and_its_warnings_name_is_in_force(real_law: RealLaw, name: str) -> None:
    one = TEMPLATES[name]
    term = one.deadline.says if one.deadline else ""
    library, today = Library(real_law.program.database.corpus), today_in_spain()
    rows = (*(ground.says for ground in one.grounds), *(agree.says for agree in one.agreements))
    text = "\n\n".join((one.text, term, *one.warnings, *rows))
    report = check(text, library, real_law.program.holdings.catalogue(), today, today)
    named = [found for found in report.findings if found.kind is Kind.PROVISION]
    assert named != []
    assert [
        (found.text, found.state, found.said) for found in named if found.state is not State.IN_FORCE
    ] == []


@pytest.mark.parametrize("name", WRITS)
def test_every_ground_that_quotes_finds_its_words(real_law: RealLaw, name: str) -> None:
    quote = quoting(real_law.program)
    days = {"artículo 15.3 del ET": date(2019, 5, 6)}
    quoted = [one for one in TEMPLATES[name].grounds if one.quote and TREATY not in one.cite]
    found = [(one.cite, quote(one, days.get(one.cite))) for one in quoted]
    assert [cite for cite, said in found if said is None or said.words.endswith(":")] == []


@pytest.mark.parametrize("name", WRITS)
def test_a_writ_is_right_when_its_own_citations_are_checked(real_law: RealLaw, name: str) -> None:
    """With each choice of each field, all else given."""
    one, day = TEMPLATES[name], date(2026, 10, 5)
    library, catalogue = Library(real_law.program.database.corpus), real_law.program.holdings.catalogue()
    sample = {"date": "05/10/2026", "money": "1.250", "tick": "sí", "seat": "Madrid"}
    told = {"antiguedad": "05/03/2010", "cese": "Despido, y antes un contrato temporal"}
    every = {
        field.name: field.choices[0]
        if field.choices
        else told.get(field.name, sample.get(field.kind, "adaptación de jornada"))
        for field in one.fields
    }
    for field in (field for field in one.fields if field.choices):
        for choice in field.choices:
            draft = fill(one, given(one, {**every, field.name: choice}), quoting(real_law.program))
            found = check(draft.text, library, catalogue, day, day).findings
            wrong = [
                (finding.text, finding.state, finding.said)
                for finding in found
                if finding.state not in (State.IN_FORCE, State.EXACT, State.WELL_FORMED)
                and TREATY not in finding.text
            ]
            assert wrong == []
            assert sum(finding.kind is Kind.QUOTATION for finding in found) == draft.text.count(": «")


def test_a_wording_newer_than_the_check_and_an_article_that_is_not_there_are_told(real_law: RealLaw) -> None:
    one = TEMPLATES["excedencia-voluntaria"]
    invented = Reference(cite="artículo 999 del Estatuto de los Trabajadores", why="nada")
    old = one.model_copy(update={"checked": date(2016, 1, 1), "sources": (*one.sources, invented)})
    *found, last = checked_sources(real_law.program, old, ())
    assert {found.state for found in found} == {State.CHANGED}
    assert all("después de revisarse el modelo (1 de enero de 2016)" in found.said for found in found)
    assert (last.state, last.holds) == (State.MISSING, False)


def test_without_the_norm_nothing_is_confirmed(program) -> None:
    found = checked_sources(program, TEMPLATES["papeleta-despido"], ())
    assert {one.state for one in found} <= {State.NOT_LOADED, State.AMBIGUOUS}
    assert not any(one.holds for one in found)
