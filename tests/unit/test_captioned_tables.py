"""Tables under captions: what stands over a row, its year, short rows, rows of another agreement."""

from datetime import date
from types import SimpleNamespace

import pytest

from law.chunks import Chunk
from law.tables import captions, goes_on, left_open
from rag.answers.asked_rows import asked_rows
from rag.answers.context_block import build_context, render_context
from rag.answers.extractive import without_names
from rag.answers.passage_selection import stretches
from rag.answers.quotable import quotable
from rag.answers.quotation_check import verify
from rag.answers.remissions import others
from rag.answers.written_answer import draft, quoted_passage
from rag.answers.yearly_rows import of_the_year
from rag.question.understanding import Agreements
from rag.shared.answer_contract import DraftCitation
from rag.shared.hits import Context, Hit
from rag.shared.state import State
from rag.stages.answer import over_tables
from tests.factories import make_chunk
from text import rows

HEADER = "| Grupo | Salario base | Plus de faro |\n| --- | --- | --- |"
OLD, NEW = "| Grupo 3. Fareros | 1.111,10 | 50,00 |", "| Grupo 3. Fareros | 1.222,20 | 50,00 |"
SAME = "| Grupo 4. Aprendices | 900,00 | 40,00 |"
YEARS = "\n".join(
    (
        "Anexo I. Tablas.",
        "Tabla salarial del año 2025",
        HEADER,
        OLD,
        SAME,
        "Tabla salarial del año 2026",
        HEADER,
        NEW,
        SAME,
    )
)
SHORT = "\n".join(
    (
        "Artículo 3. Salario base.",
        "El salario base por grupo es el siguiente:",
        "| Grupo | Euros |\n| --- | --- |",
        "| 1 | 1.790 |\n| 3 | 1.433 |",
    )
)
LAUNDRIES = "Convenio colectivo de lavanderías inventadas de Teruel"


def chunk(text: str, **fields: object) -> Chunk:
    return make_chunk(text=text, **({"section": text.partition("\n")[0], "start": 0} | fields))


def hits(*texts: str | Chunk) -> list[Hit]:
    found = (
        one if isinstance(one, Chunk) else chunk(one, id=f"n/b{i}#1", block_id=f"b{i}")
        for i, one in enumerate(texts)
    )
    return [Hit(chunk=one, score=1.0) for one in found]


def chosen(question: str, *texts: str | Chunk, year: int = 2026) -> list[str]:
    found = asked_rows(question, (), stretches(list(enumerate(hits(*texts)))), year)
    return [f"{' / '.join(rows.captions(one.headers))}: {one.text}" for one in found]


def over(text: str) -> list[list[str]]:
    return [
        [text[slice(*span)] for span in spans]
        for spans in captions(chunk(text, section="Anexo I. Tablas.")).values()
    ]


def test_the_line_over_a_table_is_its_caption_and_the_heading_is_none() -> None:
    assert over(YEARS) == [["Tabla salarial del año 2025"], ["Tabla salarial del año 2026"]]
    assert over(f"Anexo I. Tablas.\n{HEADER}\n{OLD}") == []
    assert over(f"Se revisan cada año.\n{HEADER}\n{OLD}") == []
    assert over(f"Se revisan. Los importes son:\n{HEADER}\n{OLD}") == [["Los importes son:"]]


def test_a_title_over_titles_is_of_the_tables_that_follow_until_another_year() -> None:
    table = f"{HEADER}\n{OLD}"
    text = f"AÑO 2025\nTaller\n{table}\nOficina\n{table}\nAÑO 2026\nTaller\n{table}\nPluses de 2027\n{table}"
    assert over(text) == [
        ["AÑO 2025", "Taller"],
        ["AÑO 2025", "Oficina"],
        ["AÑO 2026", "Taller"],
        ["Pluses de 2027"],
    ]


@pytest.mark.parametrize(
    ("question", "year", "row"),
    [
        ("salario base del grupo 3 en 2025", 2026, f"Tabla salarial del año 2025: {OLD}"),
        ("salario base del grupo 3 en 2026", 2026, f"Tabla salarial del año 2026: {NEW}"),
        ("salario base del grupo 3", 2026, f"Tabla salarial del año 2026: {NEW}"),
        ("salario base del grupo 3", 2025, f"Tabla salarial del año 2025: {OLD}"),
        ("salario base del grupo 3", 2030, f"Tabla salarial del año 2026: {NEW}"),
        ("salario base del grupo 3 en 2029", 2026, f"Tabla salarial del año 2026: {NEW}"),
        ("salario base del grupo 4 en 2026", 2026, f"Tabla salarial del año 2026: {SAME}"),
    ],
)
def test_a_row_is_of_the_year_that_its_caption_names(question: str, year: int, row: str) -> None:
    assert chosen(question, YEARS, year=year) == [row]


def test_rows_of_both_years_that_are_asked_about_stand_each_under_its_caption() -> None:
    state = State(question="salario del grupo 3 en 2025 y 2026", as_of=date(2026, 1, 1))
    state.context = Context(hits=tuple(hits(YEARS)))
    found = asked_rows(state.question, (), stretches(list(enumerate(state.context.hits))))
    text = draft(found, state, 0.5).answer
    places = [text.index(one) for one in ("año 2025»", "1.111,10", "año 2026»", "1.222,20")]
    assert places == sorted(places)


def test_the_year_may_stand_in_the_heading_or_the_header_and_the_newer_table_may_have_more_columns() -> None:
    row = "| Grupo 3. Fareros | 1.222,20 |"
    sheets = f"Tablas 2025\n{HEADER}\n{OLD}", f"Tablas 2026\n| Grupo | Salario base |\n| --- | --- |\n{row}"
    assert chosen("salario base del grupo 3", *sheets) == [f": {row}"]
    columns = [f"Anexo.\n{HEADER.replace('base', f'base {one}')}\n{OLD}" for one in (2025, 2026)]
    (found,) = asked_rows("salario del grupo 3", (), stretches(list(enumerate(hits(*columns)))), 2026)
    assert found.hit == 1


def test_a_table_of_something_else_is_no_older_one() -> None:
    text = f"Anexo I. Tablas.\nSalarios de 2026\n{HEADER}\n{NEW}\nDietas de 2025\n{HEADER}\n{OLD}"
    found = stretches(list(enumerate(hits(text))))
    assert of_the_year("dietas del grupo 3", found, 2026) == found


def test_a_short_row_is_quoted_with_its_short_header_and_its_caption() -> None:
    assert [(piece.text, piece.headers) for piece in quotable(chunk(SHORT))[1:]] == [
        (row, ("El salario base por grupo es el siguiente:", "| Grupo | Euros |"))
        for row in ("| 1 | 1.790 |", "| 3 | 1.433 |")
    ]


@pytest.mark.parametrize(("group", "row"), [("1", "| 1 | 1.790 |"), ("3", "| 3 | 1.433 |")])
def test_a_row_is_found_by_its_number_and_not_by_the_thousands_of_another(group: str, row: str) -> None:
    assert chosen(f"¿Cuánto cobra el grupo {group}?", SHORT) == [
        f"El salario base por grupo es el siguiente:: {row}"
    ]


def test_the_number_that_names_a_row_is_said_with_its_value() -> None:
    header = ("| Grupo | Euros |",)
    columns = rows.asked_columns("salario del grupo 3", "| 3 | 1.433 |", header)
    assert rows.row_in_words("| 3 | 1.433 |", header, columns) == "Grupo: 3 · Euros: 1.433"


def test_a_row_that_only_has_a_name_is_not_quoted() -> None:
    assert quotable(chunk(f"{SHORT}\n| Total |  |"))[3:] == []


@pytest.mark.parametrize(
    ("quote", "right"),
    [
        ("| 3 | 1.433 |", True),
        ("| 3 | 1.4 |", False),
        ("| 3 | 50 |", False),
        ("1.433", False),
        ("3 | 50", False),
    ],
)
def test_a_short_quotation_is_a_whole_row_of_a_table(quote: str, right: bool) -> None:
    context = Context(hits=tuple(hits(SHORT, f"Anexo.\n{HEADER}\n| 3 | 50 | 20 |\n| Grupo | 3 | 50 |")))
    found, (check,) = verify([DraftCitation(quote=quote, marker="C1")], context)
    assert check.verified is right
    assert [one.quote for one in found] == right * [
        "El salario base por grupo es el siguiente:",
        "| Grupo | Euros |",
        "| 3 | 1.433 |",
    ]


def test_a_row_that_a_model_quotes_comes_with_its_caption_and_one_of_two_tables_with_both() -> None:
    context = Context(hits=tuple(hits(YEARS)))
    for row, years in ((OLD, "5"), (NEW, "6"), (SAME, "56")):
        found, _ = verify([DraftCitation(quote=row, marker="C1")], context)
        assert [one.quote[-1] for one in found if one.quote.startswith("Tabla")] == list(years)


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("¿Cuánto cobra un peón de los astilleros de Lugo?", (1,)),
        ("sueldo de un peón", (1,)),
        ("¿Cuánto es el plus de toxicidad de un peón?", (2,)),
        ("¿Cuánto cobra un peón por la hora extraordinaria?", (3,)),
        ("¿Cuánto pagan por comer fuera a un peón?", (1, 2, 3)),
        ("¿Qué hay de un peón en los astilleros?", (1, 2, 3)),
        ("¿Cuánto cobra un peón y qué plus de toxicidad tiene?", (1, 2)),
        ("¿Qué plus de toxicidad y cuánto por la hora extraordinaria cobra un peón?", (2, 3)),
    ],
)
def test_a_column_is_named_by_words_that_say_something_and_the_pay_is_the_base_salary(
    question: str, columns: tuple[int, ...]
) -> None:
    header = ("| Categoría | Salario base mensual | Plus de toxicidad | Hora extraordinaria |",)
    assert rows.asked_columns(question, "| Peón | 1.613,15 | 79,00 | 19,50 |", header) == columns


def test_only_the_tables_of_the_agreement_that_the_question_is_about_answer() -> None:
    own = chunk(SHORT, norm_id="lav", law=LAUNDRIES, rank="Convenio colectivo")
    florists = chunk(f"Floristerías de Teruel\n{HEADER}\n{OLD}", norm_id="flor", law="tablas", rank="")
    under = chunk(f"{LAUNDRIES}\n{HEADER}\n{OLD}", norm_id="hoja", law="tablas", rank="")
    called = chunk(f"2026\n{HEADER}\n{OLD}", norm_id="lavanderias-2026", law="Lavanderías Teruel", rank="")
    law = chunk(f"Artículo 9.\n{HEADER}\n{OLD}", norm_id="ley", law="Ley 7/1999", rank="Ley")
    context = hits(own, florists, under, called, law)
    question = "salario del grupo 3 en las lavanderías de Teruel"
    assert others(context, ("lav",), question) == {"flor"}
    assert others(context, (), question) == set()


FIRST = chunk("\n".join(YEARS.splitlines()[:-1]), id="n/anexo#1", block_id="anexo", part=1, parts=2)
LATER = chunk(
    f"{SAME}\nFin.",
    section=FIRST.section,
    id="n/anexo#2",
    block_id="anexo",
    part=2,
    parts=2,
    start=len(FIRST.text) + 1,
)


def test_a_part_that_goes_on_with_a_table_begins_with_its_caption_and_header_for_a_model() -> None:
    assert goes_on(LATER) and not goes_on(FIRST)
    above = left_open(LATER, {FIRST.id: FIRST})
    state = State(question="", as_of=date(2026, 1, 1), hits=hits(LATER, FIRST))
    store = SimpleNamespace(chunks=lambda ids: [FIRST] if ids == [FIRST.id] else [])
    assert over_tables(state, SimpleNamespace(store=store)) == {LATER.id: above}  # type: ignore[arg-type]
    context, _, _ = build_context(hits(LATER), 10_000, over={LATER.id: above})
    assert f"Texto: Tabla salarial del año 2026\n{HEADER}\n{SAME}\nFin." in render_context(context)
    quotes = [DraftCitation(quote=one, marker="C1") for one in (HEADER.partition("\n")[0], SAME)]
    found, checks = verify(quotes, context)
    assert [one.quote for one in found] == ["Tabla salarial del año 2026", HEADER.partition("\n")[0], SAME]
    assert [one.verified for one in checks] == [True]


def test_a_long_caption_over_several_rows_takes_its_room_once() -> None:
    long = f"Los importes {'inventados ' * 30}son:"
    text = f"Anexo.\n{long}\n| Grupo | Euros |\n| --- | --- |\n| A 1 | 10 |\n| A 2 | 20 |\n| A 3 | 30 |"
    state = State(question="", as_of=date(2026, 1, 1), context=Context(hits=tuple(hits(text))))
    found = [one.passage(1.0) for one in stretches(list(enumerate(state.context.hits)))[1:]]
    written = draft(found, state, 0.5, limit=900)
    assert len(written.citations) == 5
    assert written.answer.count(long) == 1


def test_a_year_in_the_name_of_an_agreement_is_still_asked_for() -> None:
    state = State(question="salario del grupo 3 en 2025 en faros", as_of=date(2026, 1, 1))
    found = chunk(YEARS, norm_id="faros", law="Convenio colectivo de faros 2025-2026")
    state.context = Context(hits=tuple(hits(found)))
    state.understanding = SimpleNamespace(agreements=Agreements(named=("faros",)))  # type: ignore[assignment]
    assert without_names(state.question, state) == "salario del grupo 3 en 2025 en"


def test_a_title_over_all_columns_is_said_as_a_caption_and_the_row_under_it_names_them() -> None:
    title, names, row = "| TABLA DE 2026 |  |", "| Grupo | Euros |", "| 1 | 1.800 |"
    text = f"Anexo.\n{title}\n| --- | --- |\n{names}\n{row}"
    (found,) = asked_rows("salario del grupo 1", (), stretches(list(enumerate(hits(text)))))
    assert found.quotes == (title, names, row)
    assert quoted_passage(found) == "«TABLA DE 2026»\nGrupo: 1 · Euros: 1.800"
    one = rows.headers([names, "| --- | --- |", row]), rows.headers(["| Grupo |  |", "| --- | --- |", row])
    assert one == ((0,), (0,))
    assert rows.names(["| Grupo |  |"], 2) == ["Grupo", ""]


def test_the_caption_of_a_table_is_not_taken_to_the_next_one() -> None:
    text = f"Anexo.\nTabla de 2025\n{HEADER}\n{OLD}\n{HEADER}\n{NEW}"
    assert [rows.captions(piece.headers) for piece in quotable(chunk(text))] == [["Tabla de 2025"], []]


@pytest.mark.parametrize(
    ("section", "text", "first"),
    [
        (
            "PRECIO",
            "Precio total: 28.500,00 euros\nPlazo de pago: treinta días",
            "Precio total: 28.500,00 euros",
        ),
        (
            "Artículo 3. Precio.",
            "Artículo 3. Precio.\nEl precio será de dos mil euros.",
            "El precio será de dos",
        ),
        (
            "Otro título",
            "Artículo 3. Precio del aceite.\nEl precio será de dos mil euros.",
            "El precio será de",
        ),
    ],
)
def test_the_first_line_is_left_out_only_if_it_is_the_heading(section: str, text: str, first: str) -> None:
    assert quotable(chunk(text, section=section))[0].text.startswith(first)
