"""A list that is asked for is quoted whole, and what is not sure stands apart."""

from dataclasses import replace
from datetime import date

import pytest

from rag.answers.aside import ASIDE, with_aside, without_aside
from rag.answers.asked_list import asked_list
from rag.answers.passage_selection import Passage, stretches
from rag.answers.written_answer import draft
from rag.shared.hits import Context, Hit
from rag.shared.state import State
from tests.case_files import listed, pairs
from tests.factories import make_chunk

LIST = (
    "Artículo 8. Causas inventadas.\n"
    "1. Este apartado no tiene ninguna relación con la lista que sigue.\n"
    "2. El contrato inventado terminará:\n"
    "a) Por el acuerdo de las partes que lo firmaron.\n"
    "b) Por la voluntad de la persona que trabaja.\n"
    "c) Por la llegada del término que se pactó."
)
SCALE = (
    "Artículo 9. Escala inventada.\n"
    "1. El número de fareros se fijará según esta escala:\n"
    "a) Hasta cien lámparas, un farero.\n"
    "b) De ciento una a doscientas cincuenta lámparas, dos fareros.\n"
    "c) De doscientas cincuenta y una en adelante, por cada mil lámparas un farero más."
)


def found_in(chunk):
    return stretches([(0, Hit(chunk=chunk, score=1.0))])


@pytest.fixture
def members():
    return found_in(make_chunk(text=LIST, section="Artículo 8. Causas inventadas.", start=0))


@pytest.mark.parametrize("question", listed("asked_lists", "lists"))
def test_a_list_that_is_asked_for_is_quoted_whole(members, question):
    second = next(one.passage(0.7) for one in members if one.piece.text.startswith("b)"))
    assert [one.text[:2] for one in asked_list(question, [second], members)] == ["a)", "b)", "c)"]


@pytest.mark.parametrize("question", listed("asked_lists", "one thing"))
def test_of_a_list_that_is_not_asked_for_a_member_is_enough(members, question):
    assert asked_list(question, [members[-1].passage(0.7)], members) == []


def test_a_passage_of_no_list_brings_none(members):
    assert asked_list("causas del despido", [members[0].passage(0.7)], members) == []


def test_a_list_that_is_mostly_quoted_already_is_quoted_whole(members):
    first, last = members[1].passage(0.7), members[-1].passage(0.5)
    quoted = asked_list("¿Y el acuerdo?", [first, last], members)
    assert [one.text[:2] for one in quoted] == ["a)", "b)", "c)"]


def test_a_list_whose_announcement_is_too_long_to_be_quoted_is_whole_all_the_same():
    long = "2. El contrato inventado, " + "del que se trata en este artículo, " * 15 + "terminará:"
    found = found_in(make_chunk(text=LIST.replace("2. El contrato inventado terminará:", long), start=0))
    first, last = (one.passage(0.7) for one in (found[1], found[-1]))
    assert not first.lead
    assert [one.text[:2] for one in asked_list("¿Y el acuerdo?", [first, last], found)] == ["a)", "b)", "c)"]


def test_a_list_goes_on_with_the_members_that_another_part_of_its_article_begins_with():
    cut = LIST.index("c)")
    more = f"{LIST[cut:]}\n3. Otro apartado inventado, que no es de la lista."
    parts = [
        make_chunk(text=LIST[:cut].rstrip(), section="Artículo 8. Causas inventadas.", start=0, part=1),
        make_chunk(text=more, section="Artículo 8. Causas inventadas.", start=cut, part=2),
    ]
    found = stretches([(place, Hit(chunk=one, score=1.0)) for place, one in enumerate(parts)])
    [second] = [one.passage(0.7) for one in found if one.piece.text.startswith("b)")]
    quoted = asked_list("causas del despido", [second], found)
    assert [(one.hit, one.text[:2]) for one in quoted] == [(0, "a)"), (0, "b)"), (1, "c)")]


@pytest.mark.parametrize(("question", "letter"), pairs("asked_lists", "scales"))
def test_a_scale_answers_with_the_member_that_holds_the_number(question, letter):
    found = found_in(make_chunk(text=SCALE, section="Artículo 9. Escala inventada.", start=0))
    listed = asked_list(question, [found[0].passage(0.7)], found)
    shown = [one.text[:2] for one in listed if not one.aside]
    assert shown == (["a)", "b)", "c)"] if letter == "todas" else [letter])
    assert {one.text[:2] for one in listed} == {"a)", "b)", "c)"}


@pytest.mark.parametrize(("question", "range_"), pairs("asked_lists", "scales of paragraphs"))
def test_of_a_scale_of_paragraphs_the_one_that_holds_the_number_answers(question, range_):
    text = (
        "Los delegados inventados se elegirán según la escala que sigue.\n\n"
        "En las empresas de hasta 30 trabajadores, un delegado inventado.\n\n"
        "De 31 a 49 trabajadores: dos delegados inventados.\n\n"
        "De 50 a 100 trabajadores: tres delegados inventados."
    )
    found = found_in(make_chunk(text=text, section="Artículo 9. Delegados inventados.", start=0))
    listed = asked_list(question, [found[0].passage(0.7)], found)
    assert [range_ in one.text for one in listed] == ([] if range_ == "ninguno" else [True])


def test_what_is_not_sure_stands_apart_with_its_citations():
    state = State(question="¿?", as_of=date(2026, 1, 1), today=date(2026, 1, 1))
    chunk = make_chunk(text=LIST, section="Artículo 8. Causas inventadas.", start=0)
    state.context = Context(hits=[Hit(chunk=chunk, score=1.0)])
    first, second, *_ = (one.passage(0.9) for one in found_in(chunk))
    written = draft([first, replace(second, aside=True)], state, 0.9)
    shown, aside = without_aside(written.answer)
    assert first.text in shown
    assert second.text in aside
    assert second.text not in shown
    assert ASIDE in written.answer
    assert [one.quote for one in written.citations] == [first.text, second.lead, second.text]


def test_a_sentence_that_another_goes_on_from_is_said_once():
    one = "La empresa inventada podrá asumir personalmente las funciones del faro."
    other = "La misma posibilidad se reconoce a quien ocupe hasta veinticinco personas inventadas."
    state = State(question="¿?", as_of=date(2026, 1, 1), today=date(2026, 1, 1))
    chunk = make_chunk(text=f"{one} {other}", section="Artículo 8. Faros inventados.", start=0)
    state.context = Context(hits=[Hit(chunk=chunk, score=1.0)])
    first, second = Passage(0, 0, one, 0.9), Passage(0, len(one) + 1, other, 0.8)
    for chosen in ([first, second], [second, first]):
        said = draft(chosen, state, 0.9).answer
        assert (said.count(one), said.count(other)) == (1, 1)


def test_an_answer_without_anything_apart_has_no_heading():
    assert without_aside(with_aside(["uno", "dos"], [])) == ("uno\n\ndos", "")


def test_a_row_of_another_article_is_of_no_list(members):
    row = Passage(hit=7, start=0, text="| Los casos anteriores | 10 |", score=0.7)
    assert asked_list("causas del despido", [row], members) == []
