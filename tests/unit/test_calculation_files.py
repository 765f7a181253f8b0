"""Files of holidays and figures that a firm edits: what is taken from them, and errors that name the file."""

from pathlib import Path

import pytest

from calculations.figure_files import FEWEST, read_facts
from core.errors import ConfigurationError

YEAR = "[2025]\n" + "".join(f'2025-03-{day:02d} = "Fiesta {day}"\n' for day in range(1, FEWEST + 1))
FIGURE = '[[figure]]\nname = "x"\nsince = 2025-01-01\nuntil = 2025-12-31\namount = "10.5"\nsource = "Ley"\n'
WRONG = [
    ("holidays/a.toml", YEAR, "falta el nombre de la sede"),
    ("holidays/a.toml", f"seat = 3\n{YEAR}", "falta el nombre de la sede"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-02-31 = "No"\n', "«2025-02-31» no es una fecha que exista"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2026-02-01 = "No"\n', "está en la tabla de 2025"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-04-01 = ""\n', "falta el nombre del festivo 2025-04-01"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-04-01 = 3\n', "falta el nombre del festivo 2025-04-01"),
    ("holidays/a.toml", 'seat = "A"\n[2025]\n2025-01-01 = "Año Nuevo"\n', "tiene 1 festivos y deben ser 14"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}2025-04-01 = "x"\n2025-04-02 = "y"\n', "tiene 16 festivos"),
    ("holidays/a.toml", 'seat = "A"\n[fiestas]\n', "«fiestas» no es un año"),
    ("holidays/a.toml", 'seat = "A"\n2025 = "x"\n', "«2025» no es un año"),
    ("holidays/a.toml", f'seat = "A"\n{YEAR}{YEAR}', "no está bien escrito"),
    ("holidays/a.toml", "seat = Madrid", "no está bien escrito"),
    ("holidays/a.toml", "# " + "x" * 1_000_001, "demasiado grande"),
    ("holidays/a.toml", f"a = {'[' * 400_000}", "no se puede leer"),
    ("figures/b.toml", "", "no tiene ninguna tabla"),
    ("figures/b.toml", "figure = 3", "no tiene ninguna tabla"),
    ("figures/b.toml", FIGURE.replace('"10.5"', '"diez"'), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE.replace('"10.5"', '"-1"'), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE.replace('"10.5"', '"1e999999"'), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE.replace("2025-12-31", "2024-12-31"), "la cifra 1 no está completa"),
    ("figures/b.toml", FIGURE + FIGURE.replace('source = "Ley"', ""), "la cifra 2 no está completa"),
]


def written(home: Path, name: str, text: str) -> Path:
    file = home / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return home


@pytest.mark.parametrize(("name", "text", "told"), WRONG)
def test_a_file_that_cannot_be_used_is_named_in_one_sentence(tmp_path, name, text, told):
    with pytest.raises(ConfigurationError, match=r"^[ab]\.toml: ") as failure:
        read_facts([written(tmp_path, name, text)])
    assert told in str(failure.value)


def test_a_file_that_is_no_text_is_named(tmp_path):
    written(tmp_path, "holidays/a.toml", "")
    (tmp_path / "holidays/a.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match=r"^a\.toml: no se puede leer"):
        read_facts([tmp_path])


def test_a_later_folder_takes_the_place_of_an_earlier_one_file_by_file(tmp_path):
    ours = tmp_path / "ours"
    ours.mkdir()
    firm = tmp_path / "firm"
    firm.mkdir()
    written(ours, "holidays/a.toml", f'seat = "A"\n{YEAR}')
    written(ours, "holidays/b.toml", f'seat = "B"\n{YEAR}')
    written(firm, "holidays/a.toml", f'seat = "La nuestra"\n{YEAR}')
    assert [seat.name for seat in read_facts([ours, firm]).seats.values()] == ["La nuestra", "B"]


def test_folders_that_are_not_there_hold_nothing(tmp_path):
    assert read_facts([tmp_path / "none"]).seats == {}
