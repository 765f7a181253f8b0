"""Compilations: one file with many norms is split into them."""

from itertools import pairwise
from pathlib import Path

import pytest

from law.norms import Document
from loading.formats import load
from tests.office_files import paged, pdf, wrapped

SENTENCE = "El torrero {} cuidará de la luz y avisará por escrito {} veces a la autoridad {} cuando tiemble. "


def title(number: int) -> str:
    return f"Ley {number}/2031, de 5 de mayo, de los Faros de la Costa Número {number}."


def body(number: int, articles: int) -> list[str]:
    lines = ["PREÁMBULO", f"Esta ley sigue a la Ley {number + 40}/2029, de 3 de junio, de Boyas."]
    for article in range(1, articles + 1):
        lines += [
            f"Artículo {article}. Luz {article} de la costa {number}.",
            f"1. {SENTENCE * 3}".format(*range(article, article + 9)).strip(),
        ]
    return [
        *lines,
        "Disposición derogatoria única. Derogaciones.",
        "Quedan derogadas las siguientes:",
        f"Ley {number + 60}/2020, de 1 de enero, de Velas.",
        "Disposición final única. Vigor.",
        "Al día siguiente.",
        "Dado en Puerto Alto, el 5 de mayo de 2031.",
        "EL FARERO MAYOR",
    ]


def read(tmp_path: Path, data: bytes | str, name: str) -> list[Document]:
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load(path)


def check(found: list[Document], norms: int, articles: int) -> None:
    assert [document.norm.number for document in found] == [f"{n}/2031" for n in range(1, norms + 1)]
    assert len({document.norm.id for document in found}) == norms
    for document in found:
        labels = [block.label for block in document.blocks if block.label]
        assert labels == [*(str(n) for n in range(1, articles + 1)), "dd única", "df única"], (
            document.norm.law
        )


def test_titles_after_which_articles_begin_again_divide_a_text(tmp_path: Path) -> None:
    text = "\n\n".join(line for n in range(1, 6) for line in [title(n), *body(n, 4)])
    found = read(tmp_path, text, "leyes.txt")
    check(found, 5, 4)
    assert found[0].warnings[0].startswith("Es una compilación de 5 normas.")


def test_sections_of_a_code_divide_it_and_its_cover_is_told(tmp_path: Path) -> None:
    lines = ["CÓDIGO DE LOS FAROS", "Edición de 2031, sin valor oficial."]
    for n in range(1, 5):
        lines += [
            f"§ {n}",
            title(n),
            "Jefatura del Mar",
            "«BOE» núm. 9, de 8 de mayo de 2031",
            f"Referencia: BOE-A-2031-{n}",
        ]
        lines += body(n, 3)
    found = read(tmp_path, "\n\n".join(lines), "codigo.txt")
    check(found, 4, 3)
    assert [document.norm.id for document in found] == [f"BOE-A-2031-{n}" for n in range(1, 5)]
    assert {document.norm.department for document in found} == {"Jefatura del Mar"}
    assert "caracteres anteriores a la primera" in found[0].warnings[0]


def test_references_alone_divide_too(tmp_path: Path) -> None:
    lines = [
        line
        for n in range(1, 4)
        for line in [
            title(n),
            "Jefatura del Mar",
            "«BOE» núm. 9, de 8 de mayo de 2031",
            f"Referencia: BOE-A-2031-{n}",
            *body(n, 3),
        ]
    ]
    check(read(tmp_path, "\n\n".join(lines), "codigo.txt"), 3, 3)


def test_a_law_that_names_other_laws_is_one(tmp_path: Path) -> None:
    found = read(tmp_path, "\n\n".join([title(7), *body(7, 5)]), "una.txt")
    assert len(found) == 1 and found[0].warnings == ()


def test_a_decree_and_the_regulation_it_approves_are_one(tmp_path: Path) -> None:
    lines = [
        title(1),
        "Artículo único. Aprobación.",
        "Se aprueba el reglamento.",
        "REGLAMENTO DE FAROS",
        *body(1, 3),
    ]
    found = read(tmp_path, "\n\n".join(lines), "una.txt")
    assert len(found) == 1
    assert [block.label for block in found[0].blocks if block.label][:2] == ["único", "1"]


NORMS = 12


@pytest.mark.slow
def test_a_pdf_of_250_pages_is_divided_into_its_norms(tmp_path: Path) -> None:
    """Each norm begins a page; headers name the code and the norm, an index comes first."""
    pages: list[list[str]] = [
        ["CÓDIGO DE LOS FAROS"],
        ["SUMARIO", *(f"§ {n}. {title(n)[:60]} ........ {n * 21}" for n in range(1, NORMS + 1))],
    ]
    for n in range(1, NORMS + 1):
        lines = [
            f"§ {n}",
            *wrapped([title(n), "Jefatura del Mar", "«BOE» núm. 9, de 8 de mayo de 2031", *body(n, 105)]),
        ]
        head = ["CÓDIGO DE LOS FAROS", f"§ {n} Ley de los Faros de la Costa Número {n}"]
        # Half-empty pages: what a page costs is its letters.
        pages += paged(lines, head, foot="", per_page=25)
    pages = [[*page, f"- {number} -"] for number, page in enumerate(pages, 1)]
    assert len(pages) > 250
    found = read(tmp_path, pdf(pages), "codigo.pdf")
    check(found, NORMS, 105)
    firsts = [int(document.blocks[0].attributes["pages"].split(":")[1].split()[0]) for document in found]
    assert all(one < two for one, two in pairwise(firsts))
    assert not any(
        "CÓDIGO" in b.versions[0].text or "§" in b.versions[0].text for d in found for b in d.blocks
    )
