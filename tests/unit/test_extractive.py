"""The answer without a model: whole, verbatim paragraphs and rows, the one that answers first."""

from datetime import date
from itertools import pairwise

import pytest

from rag.answers.asked_rows import asked_rows
from rag.answers.asked_text import asked_text
from rag.answers.extractive import AMOUNTS, likely
from rag.answers.passage_selection import Passage, scored, stretches, weights, with_meaning
from rag.answers.quotable import quotable, shorten_sentence
from rag.answers.written_answer import completed, draft, quoted_passage
from rag.shared.answer_contract import QUOTE_MAX
from rag.shared.cited_answer import AnswerLength
from rag.shared.hits import Context, Hit
from rag.shared.state import State
from tests.factories import make_chunk, understood

TEXT = (
    "Artículo 7. Descanso inventado. Reglas.\n"
    "1. Toda persona descansará una vez al año según lo pactado.\n"
    "En ningún caso la duración será inferior a quince días seguidos.\n"
    "2. El descanso comprende los siguientes casos:\n"
    "a) El que se pacte con dos meses de antelación por las partes."
)


def one_hit(found):
    return stretches([(0, Hit(chunk=found, score=1.0))])


def chunk(**changes):
    return make_chunk(text=TEXT, section="Artículo 7. Descanso inventado. Reglas.", start=0, **changes)


def test_neither_the_heading_nor_the_announcement_of_a_list_is_quoted():
    texts = [piece.text for piece in quotable(chunk())]
    assert not any("Reglas" in text or text.endswith(":") for text in texts)
    assert len(texts) == 3


def test_a_member_of_a_list_is_quoted_with_what_announces_it():
    *others, letter = quotable(chunk())
    assert letter.lead == "2. El descanso comprende los siguientes casos:"
    assert [piece.lead for piece in others] == ["", ""]


def test_the_sentences_of_a_paragraph_are_quoted_together_while_they_fit():
    sentence = "La persona inventada descansará quince días seguidos cada año del contrato."
    short, long = f"1. {sentence} {sentence}", " ".join([f"2. {sentence}", *[sentence] * 9])
    found = quotable(tabled(f"Artículo 9. Regla.\n{short}\n{long}"))
    assert found[0].text == short
    assert len(found) == 3
    assert all(QUOTE_MAX / 2 < len(piece.text) <= QUOTE_MAX for piece in found[1:])
    assert " ".join(piece.text for piece in found[1:]) == long


def test_every_quotable_sentence_stands_in_the_text_where_it_says():
    for start, text, *_ in quotable(chunk()):
        assert TEXT[start : start + len(text)] == text


@pytest.mark.parametrize(
    ("query", "expected"),
    [("¿Cuántos días de descanso hay?", "quince días"), ("¿Cuántos meses de antelación?", "dos meses")],
)
def test_a_figure_in_the_unit_asked_for_speaks_for_its_passage(query, expected):
    passages = scored(query, (), one_hit(chunk()))
    assert [expected in one.text for one in passages] == [
        bool(dict(one.features)["unit"]) for one in passages
    ]
    assert weights()["words"]["unit"] > 0


def test_a_sentence_too_long_to_quote_is_cut_at_a_clause():
    long = "La persona descansará, " * 40
    short = shorten_sentence(long)
    assert len(short) <= QUOTE_MAX
    assert long.startswith(short)
    assert short.endswith("descansará")


def test_a_sentence_without_any_clause_to_cut_at_is_not_quoted():
    assert shorten_sentence("palabra" * 100) == ""


CAPTION = "1. Es el de la tabla siguiente:"
HEADER = "| Grupo profesional | 2025 (euros) | 2026 (euros) |"
ROWS = (
    "| Grupo 1. Técnicos | 1.980,40 | 2.039,81 |",
    "| Grupo 2. Capataces de cuadra | 1.742,15 | 1.794,41 |",
    "| Grupo 3. Mozos | 1.512,60 | 1.557,98 |",
)
SALARIES = "\n".join(
    (
        "Artículo 9. Salario base.",
        CAPTION,
        HEADER,
        "| --- | --- | --- |",
        *ROWS,
        "Fin de la tabla de salarios.",
    )
)
SCALE = "\n".join(
    (
        "Artículo 9. Duración.",
        "| Período cotizado | Días de prestación |",
        "|:---|---:|",
        "| Desde 540 hasta 719 | 180 |",
        "| Desde 720 hasta 899 | 240 |",
        "| Desde 2.160 | 720 |",
    )
)


def tabled(text: str, **changes):
    return make_chunk(text=text, section=text.split("\n", maxsplit=1)[0], start=0, **changes)


def test_a_row_is_quoted_whole_and_with_the_header_of_its_table():
    found = quotable(tabled(SALARIES))
    assert [(piece.text, piece.headers) for piece in found] == [
        (CAPTION, ()),
        *((row, (CAPTION, HEADER)) for row in ROWS),
        ("Fin de la tabla de salarios.", ()),
    ]
    assert all(SALARIES[piece.start :].startswith(piece.text) for piece in found)


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("¿Cuál es el salario base del grupo 3 en 2026?", ROWS[2]),
        ("salario de los mozos", ROWS[2]),
        ("¿Cuánto cobran los capataces?", ROWS[1]),
    ],
)
def test_the_row_that_is_asked_about_is_the_only_one_of_its_table(query, row):
    quoted = asked_rows(query, (), one_hit(tabled(SALARIES)))
    assert [passage.quotes for passage in quoted] == [(CAPTION, HEADER, row)]


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("¿Cuánto dura la prestación con dos años cotizados?", "240"),
        ("He cotizado 18 meses, ¿cuánto dura?", "180"),
        ("Con seis años cotizados, ¿cuánto dura la prestación?", "720"),
        ("¿Cuánto dura con 899 días?", "240"),
    ],
)
def test_the_row_whose_range_holds_the_time_asked_about_comes_first(query, days):
    first = asked_rows(query, (), one_hit(tabled(SCALE)))[0]
    assert first.text.endswith(f"| {days} |")


def test_a_range_is_read_without_its_prepositions():
    bare = SCALE.replace("Desde 540 hasta 719", "540 a 719 días").replace(
        "Desde 720 hasta 899", "720 a 899 días"
    )
    query = "¿Cuánto dura la prestación con 800 días cotizados?"
    assert asked_rows(query, (), one_hit(tabled(bare)))[0].text == "| 720 a 899 días | 240 |"


def test_rows_of_different_tables_do_not_hide_each_other():
    texts = (SALARIES, SALARIES.replace("1.512,60", "1.300,00").replace("Artículo 9", "Artículo 10"))
    found = stretches([(i, Hit(chunk=tabled(text), score=1.0)) for i, text in enumerate(texts)])
    rows = asked_rows("salario base de los mozos", (), found)
    assert {row.hit for row in rows} == {0, 1}


def test_a_question_that_a_sentence_answers_better_gets_no_row():
    text = f"{SALARIES}\n2. El plus de nocturnidad de los mozos inventados se cobra cada trimestre."
    assert asked_rows("plus de nocturnidad de los mozos", (), one_hit(tabled(text))) == []


def test_a_table_of_rows_too_long_to_quote_is_not_quoted():
    long = "| " + "palabra " * 80 + "|"
    assert quotable(tabled(f"Artículo 9. Tabla.\n{long}\n| --- |\n{long}")) == []
    (short,) = quotable(tabled(f"Artículo 9. Tabla.\n{long}\n| --- |\n{ROWS[0]}"))
    assert short.headers == ()


@pytest.mark.parametrize(
    ("text", "header", "expected"),
    [
        ("Una frase entera.", "", "«Una frase entera.»"),
        ("| Mozos | 1.512,60 |", "| Grupo | 2025 |", "Grupo: Mozos · 2025: 1.512,60"),
        ("| Mozos \\| peones |  |", "| Grupo | 2025 |", "Grupo: Mozos | peones"),
        ("| Mozos | 1.512,60 |", "", "Mozos · 1.512,60"),
        ("| Mozos | 1.512,60 | más |", "| Grupo | 2025 |", "Mozos · 1.512,60 · más"),
    ],
)
def test_a_row_is_said_with_the_names_of_its_columns(text, header, expected):
    assert quoted_passage(Passage(0, 0, text, 1.0, (header,) if header else ())) == expected


AGES = "\n".join(
    (
        "Artículo 9. Edad.",
        "| Año | Cotizado | Edad |",
        "| --- | --- | --- |",
        "| 2025 | Menos de 37 años | 66 años y 8 meses |",
        "| 2026 | 38 años y 3 meses o más | 65 años |",
        "| 2026 | Menos de 38 años y 3 meses | 66 años y 10 meses |",
    )
)


@pytest.mark.parametrize(
    "query", ["¿A qué edad me jubilo en 2026?", "edad en 2026 con 38 años cotizados o más"]
)
def test_a_year_that_is_named_leaves_out_the_rows_of_others_and_keeps_its_cases_together(query):
    quoted = asked_rows(query, (), one_hit(tabled(AGES)))
    assert [quoted_passage(passage) for passage in sorted(quoted, key=lambda one: one.start)] == [
        "Año: 2026 · Cotizado: 38 años y 3 meses o más · Edad: 65 años",
        "Año: 2026 · Cotizado: Menos de 38 años y 3 meses · Edad: 66 años y 10 meses",
    ]


def test_a_year_in_the_header_leaves_no_row_out():
    [row] = asked_rows("salario de los mozos en 2026", (), one_hit(tabled(SALARIES)))
    assert quoted_passage(row) == f"«{CAPTION}»\nGrupo profesional: Grupo 3. Mozos · 2026 (euros): 1.557,98"


def test_a_letter_is_said_after_its_announcement_with_what_lies_between_left_out():
    lead, first, second = "2. Son casos:", "a) El primero de ellos.", "b) El segundo de ellos."
    text = "\n".join((lead, first, second))
    assert quoted_passage(Passage(0, 0, first, lead=lead), text) == f"«{lead}» «{first}»"
    assert quoted_passage(Passage(0, 0, second, lead=lead), text) == f"«{lead}» (…) «{second}»"


def test_a_member_is_said_after_every_announcement_around_it_that_denies_or_excepts():
    outer, inner = "1. No se exigirá el plazo inventado en estos casos:", "a) Contratos inventados:"
    long = f"2. Quienes no hayan {'inventado, redactado o escrito ' * 20}nada cumplirán estas reglas:"
    text = f"Artículo 9.\n{outer}\n{inner}\n1.º Los de obra de invención.\n{long}\na) La primera de ellas."
    first, second = (completed(one.passage(1.0), text) for one in one_hit(tabled(text)))
    assert quoted_passage(first, text) == f"«{outer}» «{inner}» «1.º Los de obra de invención.»"
    assert quoted_passage(second, text) == f"«{long}» «a) La primera de ellas.»"
    assert quoted_passage(first, text, {outer, inner}) == "«1.º Los de obra de invención.»"


def test_a_mark_that_only_a_neighbouring_sentence_closes_is_closed():
    text = "«Darán derecho a una bonificación inventada de las cuotas."
    assert quoted_passage(Passage(0, 0, text)) == f"«{text}»»"


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ([], 0),
        ([0.01], 1),
        ([0.01, 0.009], 1),
        ([0.9, 0.5, 0.12, 0.1], 2),
        ([0.4, 0.3, 0.09, 0.05], 3),
        ([0.9] * 9, AMOUNTS[AnswerLength.NORMAL].per_query),
    ],
)
def test_the_first_passage_is_quoted_and_those_likely_beside_it(scores, count):
    assert likely(scores) == count


def test_meaning_can_overturn_the_order_by_words():
    first, second, *_ = passages = scored("¿Cuántos días de descanso hay?", (), one_hit(chunk()))
    cosines = [0.1] + [0.9] * (len(passages) - 1)
    again = with_meaning(passages, cosines, cosines)
    assert again[0].text != first.text
    assert again[0].text == second.text


def state_of(*texts: str) -> State:
    hits = tuple(Hit(chunk=tabled(text), score=1.0) for text in texts)
    state = State(question="¿?", as_of=date(2026, 1, 1), today=date(2026, 1, 1))
    state.context = Context(hits=hits)
    return state


def test_the_answer_opens_with_the_best_passage_and_goes_on_as_the_law_does():
    one = TEXT.replace("7", "8")
    passages = [
        Passage(1, 120, "En ningún caso la duración será inferior a quince días seguidos."),
        Passage(0, 40, "1. Toda persona descansará una vez al año según lo pactado."),
        Passage(
            1, 200, "a) El que se pacte con dos meses de antelación por las partes.", lead="2. Casos de ley:"
        ),
        Passage(1, 40, "1. Toda persona descansará una vez al año según lo pactado."),
    ]
    written = draft(passages, state_of(TEXT, one), 0.5)
    first, second = written.answer.split("\n\n")
    assert first.index("quince días") < first.index("una vez al año") < first.index("dos meses")
    assert "[C2]" in first
    assert "[C1]" in second
    assert {citation.quote for citation in written.citations} == {
        quote for passage in passages for quote in passage.quotes
    }


def test_the_announcement_of_a_list_is_said_once():
    lead = "2. El descanso comprende los siguientes casos:"
    passages = [
        Passage(0, start, f"{letter}) Un caso de los inventados.", lead=lead)
        for start, letter in enumerate("ab")
    ]
    assert draft(passages, state_of(TEXT), 0.5).answer.count("siguientes casos") == 1


def test_a_text_that_is_given_whole_is_read_a_stretch_a_paragraph():
    texts = ["1. Toda persona descansará una vez al año.", "2. El descanso no se paga en dinero."]
    law = "\n".join(texts)
    passages = [Passage(0, law.index(one), one) for one in texts]
    whole = draft(passages, state_of(law), 0.5, whole=True).answer
    assert [part.rpartition("«")[2] for part in whole.split("\n\n")] == [f"{one}» [C1]" for one in texts]
    assert "\n\n" not in draft(passages, state_of(law), 0.5).answer


def parts_of(article, *cuts):
    """The stretches of an article that is cut into chunks before these lines."""
    places = [0, *(article.index(f"\n{cut}") + 1 for cut in cuts), len(article)]
    chunks = [
        make_chunk(id=f"n/a12#{start}", text=article[start:end].strip(), start=start, end=end, label="12")
        for start, end in pairwise(places)
    ]
    return stretches([(index, Hit(chunk=one, score=1.0)) for index, one in enumerate(chunks)])


LONG = """Artículo 12. Permisos inventados.
1.Toda persona inventada descansará dos días cada semana.
2. Quien avise antes podrá ausentarse por los motivos siguientes:
a) Por la invención de una regla que nadie más conocía.
b) Por la copia de la regla inventada. Se entregará:
En papel o en pantalla, como se prefiera.
La copia que se entregue llevará la fecha inventada.
3. Los permisos inventados se piden por escrito y con tiempo."""


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("texto del artículo 12.1", ["1.Toda"]),
        ("texto del artículo 12.2", ["2. Qui|a) Por", "b) Por", "Se ent", "En pap", "La cop"]),
        ("texto del artículo 12.2.b)", ["2. Qui", "b) Por", "Se ent", "En pap", "La cop"]),
        ("texto del artículo 12.3", ["3. Los"]),
    ],
)
def test_a_part_is_given_whole_from_an_article_that_is_cut_in_the_middle_of_its_list(question, quotes):
    found = asked_text(understood(question), parts_of(LONG, "b)", "3."))
    assert ["|".join(words[:6] for words in one.quotes) for one in found] == quotes


def test_of_a_list_that_counts_from_one_again_the_whole_article_is_given():
    article = LONG.replace("En papel", "1. En papel").replace("La copia", "2. La copia")
    first, *_, last = asked_text(
        understood("texto del artículo 12.2.b)"), one_hit(tabled(article, label="12"))
    )
    assert (first.text[:6], last.text[:6]) == ("1.Toda", "3. Los")


ARTICLE = """Artículo 12. Extinción inventada.
1. El contrato inventado se extingue por estas causas:
a) Por el acuerdo de las dos partes inventadas.
b) Por el fin de la obra que se inventó.
2. La extinción inventada se comunica con diez días."""


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("dame el texto del artículo 12.1.b) LTF", ["b)"]),
        ("Transcríbame el apartado 1 del artículo 12 LTF", ["a)", "b)"]),
        ("¿Cuál es el texto literal del artículo 12?", ["a)", "b)", "2."]),
        ("Muéstreme la letra a del apartado 1 del artículo 12", ["a)"]),
        ("texto del artículo 12.b) LTF", ["b)"]),
        ("Copia literal del artículo 12.1, letra b), párrafo tercero", ["b)"]),
        ("texto del artículo 12.7", ["a)", "b)", "2."]),
        ("¿Qué plazo da el artículo 12.2?", []),
    ],
)
def test_the_text_of_a_provision_is_given_whole_when_it_is_asked_for(question, quotes):
    found = asked_text(understood(question), one_hit(tabled(ARTICLE, label="12")))
    assert [passage.text[:2] for passage in found] == quotes
    assert all(bool(passage.lead) == (passage.text[1] == ")") for passage in found)
