"""PDF pages in two columns whose file goes line by line across both."""

from pathlib import Path

from loading.formats import load
from tests.office_files import Drawn, pdf
from tests.pdf_drawings import text

LEFT = [
    "Artículo 1. Objeto de esta ley.", "Regula los faros de la costa y",
    "el trabajo de los torreros que", "los cuidan de noche y de día,",
    "con niebla y también sin ella.", "Artículo 2. Jornada de trabajo.",
    "Es de treinta y ocho horas por", "semana, de promedio en el año.",
]  # fmt: skip
RIGHT = [
    "Artículo 3. Descanso de todos.", "Entre dos noches de vela pasan",
    "al menos doce horas, salvo que", "haya niebla: entonces quedan en",
    "seis, que se recuperan después.", "Artículo 4. Fiestas de la costa.",
    "La noche de San Juan no se vela", "en los faros que no tienen mar.",
]  # fmt: skip


def across(left: list[str], right: list[str], *, y: float = 740) -> str:
    """Both columns, line by line; an empty text leaves a line of a column free."""
    drawn = ""
    for n, (one, other) in enumerate(zip(left, right, strict=True)):
        drawn += text(50, y - n * 12, one) if one else ""
        drawn += text(320, y - n * 12, other) if other else ""
    return drawn


def read(tmp_path: Path, page: str) -> list[str]:
    path = tmp_path / "columnas.pdf"
    path.write_bytes(pdf([Drawn(page)]))
    (document,) = load(path)
    return [block.versions[0].text for block in document.blocks if block.label]


def test_the_left_column_comes_before_the_right_one(tmp_path: Path) -> None:
    page = text(50, 780, "Ley 4/2031, de 5 de mayo, de Faros.") + across(LEFT, RIGHT)
    page += text(50, 600, "Disposición final única. Esta ley rige desde hoy en todos los faros de la costa.")
    found = read(tmp_path, page)
    assert found[:4] == [
        f"{part[0]}\n{' '.join(part[1:])}" for part in (LEFT[:5], LEFT[5:], RIGHT[:5], RIGHT[5:])
    ]
    assert found[4].startswith("Disposición final única. Esta ley rige")


def test_a_line_that_one_column_leaves_free_does_not_end_it(tmp_path: Path) -> None:
    left, right = [*LEFT[:5], "", *LEFT[5:]], [*RIGHT[:5], "", *RIGHT[5:]]
    right[4], right[5] = "", right[4]
    found = read(tmp_path, across(left, right))
    assert [text.partition(".")[0] for text in found] == [f"Artículo {n}" for n in (1, 2, 3, 4)]


def test_columns_over_and_under_a_line_across_the_page_are_known_by_where_they_part(tmp_path: Path) -> None:
    line = "Artículo 5. Encendido. Lo que sigue rige de día en todos los faros de la costa."
    page = across(LEFT[:4], RIGHT[:4], y=760) + text(50, 700, line) + across(LEFT[4:], RIGHT[4:], y=680)
    found = " ".join(read(tmp_path, page)).replace("\n", " ")
    assert found == " ".join([*LEFT[:4], *RIGHT[:4], line, *LEFT[4:], *RIGHT[4:]])


def test_names_beside_their_words_are_read_across(tmp_path: Path) -> None:
    names = [f"Grupo {n}" for n in range(1, 9)]
    page = text(50, 790, "Ley 4/2031, de 5 de mayo, de Faros.") + text(50, 770, "Artículo 1. Grupos.")
    page += across(names, RIGHT)
    assert "Grupo 2 Entre dos noches de vela pasan" in read(tmp_path, page)[0].replace("\n", " ")
