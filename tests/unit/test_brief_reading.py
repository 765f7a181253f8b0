"""Briefs read into citations: norms and provisions, quotations and what they are of, rulings."""

from datetime import date

import pytest

from casework.briefs.brief_lines import flat
from casework.briefs.findings import Provision
from casework.briefs.quotation_words import find_quotation, nearest, pieces
from law.norm_names import NormCatalogue
from law.rulings import Ruling
from lexicon.usual_names import known_norms
from tests.brief_notation import read_brief
from tests.case_files import listed, pairs

TODAY = date(2031, 5, 5)
CATALOGUE = NormCatalogue(known_norms())
ET = "BOE-A-2015-11430"
LPRL = "BOE-A-1995-24292"


def provisions(text: str) -> list[Provision]:
    return list(read_brief(text, CATALOGUE, TODAY).provisions)


def rulings(text: str) -> list[Ruling]:
    return list(read_brief(text, CATALOGUE, TODAY).rulings)


def told(one: Provision) -> tuple[str | None, str | None, str | None, str | None]:
    return one.norm_id, one.label, one.apartado, one.letter


def test_a_range_is_one_citation_and_every_citation_has_its_own_words() -> None:
    (one,) = provisions("Los artículos 14 a 18 LPRL obligan.")
    assert (one.norm_id, one.label, one.until, one.text) == (LPRL, "14", "18", "artículos 14 a 18 LPRL")
    text = "Son los arts. 52.c) y 53 ET, y otros."
    assert [text[one.start : one.end] for one in provisions(text)] == ["arts. 52.c)", "53 ET"]


def test_an_article_of_which_nothing_tells_the_norm_is_of_none() -> None:
    *_, one = provisions("Se habló del ET y de la LPRL. El artículo 6 no se entiende.")
    assert one.norm_id is None and set(one.choices) == {ET, LPRL}
    (alone,) = provisions("El citado precepto no se entiende.")
    assert (alone.norm_id, alone.label) == (None, "")


def test_after_a_list_the_cited_precept_is_none_in_particular() -> None:
    *_, one = provisions("Los arts. 52 y 53 ET. El citado precepto no se sabe cuál es.")
    assert (one.norm_id, one.label) == (None, "")


def test_lines_of_a_width_go_on_and_paragraphs_end() -> None:
    text = "El despido que se comunicó por escrito al trabajador, del\nart. 41.\n3. Otra cosa.\n\nFin"
    line = flat(text)
    assert len(line) == len(text)
    assert "del art. 41.¶3. Otra cosa.¶ Fin" in line
    assert told(provisions(f"{text} ET art. 1")[0])[2] is None


def quoted(text: str) -> list[str]:
    brief = read_brief(text, CATALOGUE, TODAY)
    return [brief.provisions[place].text for one in brief.quotations for place in one.cited]


@pytest.mark.parametrize(("text", "of"), pairs("whose_quotation"))
def test_a_quotation_belongs_to_the_citation_that_gives_it(text: str, of: str) -> None:
    assert quoted(text)[-1] == of


def test_few_words_between_marks_are_no_quotation_and_what_a_quotation_cites_is_not_the_briefs() -> None:
    assert not read_brief("El «despido nulo» del art. 55 ET", CATALOGUE, TODAY).quotations
    text = "El art. 41 ET dice «las farolas del artículo 99 lucen toda la noche»."
    assert [one.label for one in provisions(text)] == ["41"]


@pytest.mark.parametrize("text", listed("possible_rulings"))
def test_a_ruling_of_possible_form_is_read_whole_and_without_objection(text: str) -> None:
    (one,) = rulings(f"Véase la {text}; es clara.")
    assert (one.text, one.problem) == (text, "")


@pytest.mark.parametrize(("text", "why"), pairs("impossible_rulings"))
def test_an_impossible_ruling_is_told_why(text: str, why: str) -> None:
    (one,) = rulings(f"Véase la {text}.")
    assert why in one.problem


def test_an_ecli_beside_a_ruling_is_part_of_its_citation_and_has_to_fit_it() -> None:
    (one,) = rulings("La STC 119/2021, de 31 de mayo (ECLI:ES:TC:2021:120), y otras.")
    assert "no es el de la sentencia" in one.problem
    (one,) = rulings("STSJ Galicia de 14 de febrero de 2023 (rec. 6102/2022; ECLI:ES:TSJM:2023:1290).")
    assert "otro tribunal superior" in one.problem
    (one,) = rulings("STS de 12 de marzo de 2014 (rec. 3391/2016).")
    assert "recurso es de 2016" in one.problem
    (one,) = rulings("STJUE de 18 de enero de 2018, C-270/16, Ruiz Conejero (ECLI:EU:C:2018:17).")
    assert one.problem == ""
    assert len(rulings("STC 92/2005, de 18 de abril; ECLI:ES:TS:2020:1234.")) == 2
    assert len(rulings("La STC 119/2021, de 31 de mayo, que se conoce como ECLI:ES:TC:2021:119.")) == 2


def test_rulings_of_a_list_are_each_one() -> None:
    text = "SSTS de 3 de mayo de 2017 (rec. 1/2016) y de 4 de junio de 2018 (rcud. 22/2017), y otras."
    first, second = rulings(text)
    assert (first.appeal, second.appeal) == ("1/2016", "22/2017")
    assert (second.court, second.day) == ("STS", date(2018, 6, 4))
    assert text[second.start : second.end] == second.text
    assert len(rulings("STS de 3 de mayo de 2017 y 4 de junio de 2018 se firmó.")) == 1


LAW = "El farero no podrá apagar la luz, salvo orden del capitán; encenderá la bocina con niebla densa."


@pytest.mark.parametrize(
    "quote",
    [
        "El farero no podrá apagar la luz",
        "el farero no podrá apagar (…) orden del capitán",
        "El farero [sic] no podrá apagar la luz",
        "[E]l farero no podrá […] la luz,",
        "[La persona encargada] no podrá apagar la luz (énfasis añadido)",
        "encenderá la bocina\ncon niebla densa.",
    ],
)
def test_cuts_brackets_sic_and_lines_do_not_make_a_quotation_false(quote: str) -> None:
    assert find_quotation(pieces(quote), LAW)


def test_a_word_more_less_or_changed_does_and_is_shown() -> None:
    for quote in (
        "El farero podrá apagar la luz, salvo orden del capitán",
        "El farero no podrá nunca apagar la luz, salvo orden del capitán",
        "El farero no podrá apagar la luz, salvo orden del alcalde",
        "orden del capitán (…) no podrá apagar",
    ):
        assert find_quotation(pieces(quote), LAW) is None
    near = nearest(pieces("El farero podrá apagar la luz, salvo orden del capitán"), LAW)
    assert near.likeness > 0.8
    assert [(run.kind.value, run.text.strip()) for run in near.runs if run.kind.value != "equal"] == [
        ("delete", "no")
    ]
