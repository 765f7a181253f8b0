"""Files of holidays and figures that a firm edits: what is taken, and what is told of a wrong one."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from calculations.figure_files import read_facts
from calculations.official_figures import Facts, Rows, numeric_rows
from calculations.outcome import refs
from core.errors import InputError
from lexicon.ties import Kind
from service.config import ROOT

YEAR = "[2025]\n" + "".join(f'2025-03-{day:02d} = "Fiesta {day}"\n' for day in (4, 5, 6, 7, 8, 11, 12))
"""Seven holidays, beside the national ones of 2025, of which one is a Sunday."""
TWELVE = "".join(YEAR.splitlines(keepends=True)[:6])
REGION = 'region = "R"\n[seats]\nA = ["B"]\n'
FIGURE = '[[figure]]\nname = "x"\nsince = 2025-01-01\nuntil = 2025-12-31\namount = "10.5"\nsource = "Ley"\n'
LAW = """[[figure]]
name = "días"
since.1900-01-01 = 45
since.2012-02-12 = 33
cite = "art. 56.1 ET"
of = "ET a56"
before = "Antes no había días."

[[figure]]
name = "edad"
since.2026-01-01 = "66 años y 10 meses"
since.2027-01-01 = "67 años"
cite = "DT 7.ª LGSS"

[[figure]]
name = "duración"
since.2015-01-01 = [[360, 120], [540, 180]]
cite = "art. 269.1 LGSS"

[[figure]]
name = "coeficientes"
since.2022-01-01 = "cuadro"
cite = "art. 208.2 LGSS"
of = "LGSS a208"
"""
WRONG = [
    ("holidays/a.toml", YEAR, "falta de quién son las fiestas"),
    ("holidays/a.toml", f"seat = 3\n{YEAR}", "falta de quién son las fiestas"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-02-31 = "No"\n', "«2025-02-31» no es una fecha que exista"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2026-02-01 = "No"\n', "está en la tabla de 2025"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-04-01 = ""\n', "falta el nombre del festivo 2025-04-01"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-04-01 = 3\n', "falta el nombre del festivo 2025-04-01"),
    (
        "holidays/a.toml",
        'seat = "A"\n[2025]\n2025-01-06 = "Reyes"\n',
        "tiene 8 festivos, con los nacionales y 0 locales, y deben ser 14",
    ),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-04-01 = "x"\n2025-04-02 = "y"\n', "tiene 16 festivos"),
    ("holidays/a.toml", 'seat = "A"\n[fiestas]\n', "«fiestas» no es un año"),
    ("holidays/a.toml", 'seat = "A"\n2025 = "x"\n', "«2025» no es un año"),
    ("holidays/a.toml", 'seat = "A"\n[0000]\n', "«0000» no es un año"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}{YEAR}', "no está bien escrito"),
    ("holidays/a.toml", "seat = Madrid", "no está bien escrito"),
    ("holidays/a.toml", f"{REGION}{YEAR}", "tiene 16 festivos, con los nacionales y 2 locales"),
    ("holidays/a.toml", f"region = 3\n[seats]\nA = []\n{TWELVE}", "falta de quién son las fiestas"),
    ("holidays/a.toml", f'region = "R"\nseats = ["A"]\n{TWELVE}', "falta de quién son las fiestas"),
    ("holidays/a.toml", f'region = "R"\n[seats]\nA = "B"\n{TWELVE}', "revise «A»"),
    ("holidays/a.toml", f'region = "R"\nlocal_days = "dos"\n[seats]\nA = []\n{TWELVE}', "«local_days»"),
    ("holidays/a.toml", f'{REGION}{TWELVE}[2025.local.C]\n2025-04-01 = "x"\n', "«C», que no es una"),
    ("holidays/a.toml", f'{REGION}{TWELVE}local = "x"\n', "que no es una de sus sedes"),
    ("holidays/a.toml", f'{REGION}{TWELVE}[2025.local.A]\n2025-04-31 = "x"\n', "no es una fecha que exista"),
    ("holidays/a.toml", "# " + "x" * 1_000_001, "demasiado grande"),
    ("holidays/a.toml", f"a = {'[' * 400_000}", "no se puede leer"),
    ("figures/b.toml", "", "no tiene ninguna tabla"),
    ("figures/b.toml", "figure = 3", "no tiene ninguna tabla"),
    ("figures/b.toml", FIGURE.replace('"10.5"', '"diez"'), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE.replace('"10.5"', '"-1"'), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE.replace('"10.5"', '"1e999999"'), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE.replace("2025-12-31", "2024-12-31"), "la cifra 1 no está completa"),
    ("figures/b.toml", LAW.replace("= 45", '= "muchos"'), "la cifra 1 no está completa"),
    ("figures/b.toml", LAW.replace("1900-01-01", "1900-13-01"), "la cifra 1 no está completa"),
    ("figures/b.toml", LAW.replace("ET a56", "a56"), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE + FIGURE.replace('source = "Ley"', ""), "la cifra 2 no está completa"),
]


def written(home: Path, name: str, text: str) -> Path:
    file = home / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return home


def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("ours", "firm"):
        (tmp_path / name).mkdir()
    return tmp_path / "ours", tmp_path / "firm"


@pytest.mark.parametrize(("name", "text", "told"), WRONG)
def test_a_file_that_cannot_be_used_is_told_in_one_sentence_and_stops_no_other(tmp_path, name, text, told):
    good = {"holidays/good.toml": f'seat = "Buena"\n{YEAR}', "figures/good.toml": FIGURE, name: text}
    for other, content in good.items():
        written(tmp_path, other, content)
    facts = read_facts([tmp_path])
    (problem,) = facts.problems
    assert problem.startswith(f"{name}: ") and told in problem and problem.endswith(".")
    assert [seat.name for seat in facts.seats] == ["Buena"]
    assert [figure.name for figure in facts.figures] == ["x"]


def test_a_file_that_is_no_text_is_named(tmp_path):
    written(tmp_path, "holidays/a.toml", "")
    (tmp_path / "holidays/a.toml").write_bytes(b"\xff\xfe\x00")
    assert read_facts([tmp_path]).problems[0].startswith("holidays/a.toml: no se puede leer")


def test_a_wrong_file_hides_the_shipped_one_of_its_name(tmp_path):
    ours, firm = folders(tmp_path)
    written(ours, "holidays/a.toml", f'seat = "A"\n{YEAR}')
    written(firm, "holidays/a.toml", "seat =")
    assert read_facts([ours, firm]).seats == ()


def test_a_later_folder_takes_the_place_of_an_earlier_one_file_by_file(tmp_path):
    ours, firm = folders(tmp_path)
    written(ours, "holidays/a.toml", f'seat = "A"\n{YEAR}')
    written(ours, "holidays/b.toml", f'seat = "B"\n{YEAR}')
    written(firm, "holidays/a.toml", f'seat = "La nuestra"\n{YEAR}')
    assert [seat.name for seat in read_facts([ours, firm]).seats] == ["B", "La nuestra"]


def test_a_firm_gives_a_seat_of_a_comunidad_the_whole_of_a_year(tmp_path):
    ours, firm = folders(tmp_path)
    written(ours, "holidays/es-r.toml", f"{REGION}{TWELVE}{TWELVE.replace('2025', '2024')}")
    written(firm, "holidays/b.toml", f'seat = "B"\n{YEAR}')
    (seat,) = read_facts([ours, firm]).seats
    assert (seat.name, seat.region, seat.lacking) == ("A", "R", {2025: 0, 2024: 2})
    assert seat.holiday(date(2025, 3, 11)) == "Fiesta 11"


def test_folders_that_are_not_there_hold_nothing_and_no_seat_is_told(tmp_path):
    assert read_facts([tmp_path / "none"]) == Facts()
    with pytest.raises(InputError, match="pida a quien administra Articulado"):
        Facts().seat("Madrid")


def test_a_value_of_the_law_holds_from_its_day_to_the_next_and_names_its_article(tmp_path):
    facts = read_facts([written(tmp_path, "figures/a.toml", LAW)])
    assert facts.problems == ()
    old, new = (facts.figure("días", day) for day in (date(2012, 2, 11), date(2012, 2, 12)))
    assert (old.amount, old.until, new.amount, new.until) == (45, date(2012, 2, 11), 33, date.max)
    assert new.refs == refs("art. 56.1 ET") == (("art. 56.1 ET", "art. 56 ET"),)
    assert [one[:2] for one in facts.between("días", date(2010, 1, 1), date(2013, 1, 1))] == [
        (date(2010, 1, 1), date(2012, 2, 11)),
        (date(2012, 2, 12), date(2013, 1, 1)),
    ]
    assert facts.figure("edad", date(2026, 5, 1)).amount == 66 * 12 + 10
    scale = facts.figure("duración", date(2026, 5, 1))
    assert [scale.row(days) for days in (359, 360, 539, 9999)] == [(), (120,), (120,), (180,)]
    assert next((tie.kind, tie.of, tie.says) for tie in facts.ties) == (
        Kind.FIGURE,
        (("BOE-A-2015-11430", "a56"),),
        "días",
    )


@pytest.mark.parametrize(
    ("name", "day", "told"),
    [
        ("días", date(1899, 1, 1), "Antes no había días."),
        ("edad", date(2025, 1, 1), "el primero es del 01/01/2026 (DT 7.ª LGSS). Consulte la norma que regía"),
        ("x", date(2026, 1, 1), "de Ley, llega hasta el 31/12/2025. Escriba usted el importe"),
        ("y", date(2026, 1, 1), "pida a quien administra Articulado que lo añada, con la norma que lo fija."),
        ("coeficientes", date(2026, 1, 1), "Falta el cuadro del art. 208.2 LGSS"),
    ],
)
def test_a_day_without_a_value_is_one_sentence_that_says_what_to_load_or_whom_to_ask(
    tmp_path, name, day, told
):
    facts = read_facts([written(tmp_path, "figures/a.toml", f"{LAW}\n{FIGURE}")])
    with pytest.raises(InputError) as failure:
        facts.figure(name, day)
    assert told in str(failure.value) and "figures" not in str(failure.value)


def test_the_rows_of_a_scale_are_read_from_the_table_of_the_loaded_law(tmp_path):
    facts = read_facts([written(tmp_path, "figures/a.toml", LAW)])
    table = "| Meses | Menos | Más |\n| --- | --- | --- |\n| 24 | 9,50 | 8 % |\n| 23 | 7,00 | 6 |"
    asked = []

    def rows(norm: str, block: str, day: date) -> Rows:
        asked.append((norm, block, day))
        return numeric_rows(f"2. Según el cuadro:\n\n{table}")

    day = date(2026, 1, 1)
    found = replace(facts, read_rows=rows).figure("coeficientes", day)
    assert found.rows == ((23, 7, 6), (24, Decimal("9.5"), 8))
    assert asked == [("BOE-A-2015-11724", "a208", day)]


def test_every_provision_of_a_figure_that_ships_has_the_hash_of_its_wording():
    figures = read_facts([ROOT / "data"]).figures
    assert len(figures) > 130
    unchecked = {
        one.name for one in figures if one.cited and not (one.tie and one.tie.sha256 and one.tie.checked)
    }
    assert unchecked == {"subsidio del 60 %", "subsidio del 75 %", "jubilación demorada: por año completo"}
