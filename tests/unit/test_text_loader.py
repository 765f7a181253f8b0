"""Plain text of laws to articles: encodings, headings, what stands in sentences, disposiciones, annexes."""

from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import BlockKind, Document
from loading.chunking.chunk import chunk_document
from loading.formats import load
from tests.case_files import pairs, texts

CASES = texts("articles")
LAW = CASES[0][1]


def documents(
    tmp_path: Path, text: str | bytes, name: str = "faros.txt", collection: str = "normativa"
) -> list[Document]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(path, collection)


def law(tmp_path: Path, text: str = LAW) -> Document:
    (found,) = documents(tmp_path, text)
    return found


def test_the_head_of_a_law_says_what_it_is(tmp_path: Path) -> None:
    norm = law(tmp_path).norm
    assert norm.title == "Ley 4/2031, de 5 de mayo, de Faros y Balizas"
    assert (norm.law, norm.rank, norm.number, norm.department) == (
        "Ley 4/2031",
        "Ley",
        "4/2031",
        "Ministerio del Mar",
    )
    assert (norm.published, norm.valid_from) == (date(2031, 5, 8), date(2031, 5, 8))
    assert norm.id == "ley-4-2031-de-5-de-mayo-de-faros-y-balizas"


@pytest.mark.parametrize(("text", "blocks"), [one[1:] for one in CASES], ids=[one[0] for one in CASES])
def test_a_text_is_read_into_its_articles(tmp_path: Path, text: str, blocks: list[str]) -> None:
    found = law(tmp_path, text).blocks
    told = [f"{one.id}: {' > '.join((*one.path, one.title))}" for one in found]
    assert [one.removesuffix(": ") for one in told] == blocks


def test_each_block_has_its_kind_and_label(tmp_path: Path) -> None:
    assert [f"{block.kind.value} {block.label}".strip() for block in law(tmp_path).blocks] == [
        *("preamble", "article 1", "article 2 bis", "article 3", "article 5-7"),
        *("additional da 1", "additional da 2", "transitional dt única", "repealing dd única", "final df 1"),
        *("signature", "annex anexo I"),
    ]


def test_lines_with_columns_stay_apart(tmp_path: Path) -> None:
    row = "Prorrata de las pagas extraordinarias            288,42"
    (found,) = documents(tmp_path, f"{row}\nTotal devengado de este mes completo           1.842,50\n")
    assert "\n" in found.blocks[0].versions[-1].text


def test_broken_lines_are_joined_and_apartados_are_not(tmp_path: Path) -> None:
    blocks = {block.id: block.versions[0].text for block in law(tmp_path).blocks}
    assert blocks["a1"] == (
        "Artículo 1. Objeto.\n"
        "1. Esta ley ordena las luces que se ven desde el mar, de acuerdo con lo que establece el Artículo "
        "9. de los estatutos, y nada más que ellas.\n"
        "2. Quedan fuera, con arreglo al artículo 3 de la Ley 9/2029:\na) Las linternas.\nb) Las hogueras."
    )
    assert blocks["a3"].endswith(
        "Artículo 4 de esta ley manda sobre todo lo demás, aunque empiece una línea."
    )
    assert blocks["da2"] == "Segunda.- Las sirenas sonarán con niebla."


@pytest.mark.parametrize(("line", "_"), pairs("headings", "Remisiones que no abren un artículo"))
def test_a_reference_at_the_start_of_a_line_opens_nothing(tmp_path: Path, line: str, _: str) -> None:
    text = f"Artículo 1. Uno.\nAlgo dice.\n\n{line} sigue aquí.\n\nArtículo 2. Dos.\nOtra cosa."
    found = law(tmp_path, text)
    assert [block.label for block in found.blocks if block.label] == ["1", "2"]
    assert line.rsplit(maxsplit=1)[-1] in found.blocks[0].versions[0].text


@pytest.mark.parametrize(("heading", "label"), pairs("headings", "Encabezamientos en sus formas corrientes"))
def test_headings_in_their_usual_spellings(tmp_path: Path, heading: str, label: str) -> None:
    text = f"Ley 4/2031, de 5 de mayo, de Faros\n\n{heading}\nDice algo que importa."
    assert [block.label for block in law(tmp_path, text).blocks if block.label] == [label]


@pytest.mark.parametrize(
    "listed", ["Anexo 2.I Hoja de luces.", "Anexo I. Hoja de luces.", "Anexo 3: Hoja de luces."]
)
def test_annexes_that_an_article_lists_are_part_of_it(tmp_path: Path, listed: str) -> None:
    article = f"Artículo 6. Hojas.\n1. Son estas:\n{listed}\n2. Se firman."
    text = f"{article}\nArtículo 7. Fin.\nNada.\nANEXO I\nLa hoja."
    blocks = documents(tmp_path, text)[0].blocks
    assert [block.label for block in blocks] == ["6", "7", "anexo I"]
    assert blocks[0].versions[0].text.endswith(f"Son estas:\n{listed}\n2. Se firman.")


def test_an_annex_between_articles_with_a_heading_of_its_own_stays_one(tmp_path: Path) -> None:
    text = "Artículo 6. Hojas.\nUno.\nANEXO I\nLa hoja.\nArtículo 7. Fin.\nNada."
    assert [block.label for block in documents(tmp_path, text)[0].blocks] == ["6", "anexo I", "7"]


def test_a_label_that_occurs_twice_is_told(tmp_path: Path) -> None:
    found = law(tmp_path, "Artículo 1. Uno.\nA.\nArtículo 2. Dos.\nB.\nArtículo 2. Tres.\nC.")
    assert "«Artículo 2. Dos.»" in found.warnings[0]


def test_a_well_known_norm_is_recognised_by_its_number(tmp_path: Path) -> None:
    title = "Real Decreto Legislativo 2/2015, de 23 de octubre, por el que se aprueba un texto inventado."
    text = f"{title}\n\nArtículo 1. Uno.\nA.\nArtículo 2. Dos.\nB."
    norm = law(tmp_path, text).norm
    assert (norm.id, norm.alias) == ("BOE-A-2015-11430", "ET")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
)
def test_every_usual_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    text = "Artículo 1. Señal.\nEl añadido «único» dirá ¿qué? con acción.\n\nArtículo 2. Más.\nSí, también."
    (found,) = documents(tmp_path, text.encode(encoding))
    assert found.blocks[0].versions[0].text == text.split("\n\n", maxsplit=1)[0]


def test_signs_that_only_windows_has_are_read(tmp_path: Path) -> None:
    (found,) = documents(
        tmp_path, "Artículo 1. “Señal” – 5 €…\nSí.\n\nArtículo 2. Más.\nNo.".encode("cp1252")
    )
    assert found.blocks[0].title == "Artículo 1. “Señal” – 5 €…"


def test_a_label_takes_the_next_line_as_its_value_and_no_more(tmp_path: Path) -> None:
    text = "Informe sobre la luz\n\nEncargado por:\nDirección General de Luces y Faros\nEl faro alumbra."
    (found,) = documents(tmp_path, text)
    assert (
        found.blocks[0]
        .versions[0]
        .text.endswith("Encargado por: Dirección General de Luces y Faros\nEl faro alumbra.")
    )


def test_line_ends_of_every_system_are_the_same(tmp_path: Path) -> None:
    text = "Artículo 1. Uno.\nA.\n\nArtículo 2. Dos.\nB.\n"
    expected = documents(tmp_path, text)[0].blocks
    for end in ("\r\n", "\r", "\u2028"):
        assert documents(tmp_path, text.replace("\n", end))[0].blocks == expected


def test_what_a_database_cannot_hold_is_taken_out(tmp_path: Path) -> None:
    (found,) = documents(
        tmp_path, "Artículo 1. U\u200bno.\nA\x01 b\ufeff.\n\nArtículo 2. De\u00ad\u0301.\nB."
    )
    assert found.blocks[0].versions[0].text == "Artículo 1. Uno.\nA b."
    assert "Dé" in found.blocks[1].versions[0].text


def test_text_without_articles_is_one_section_under_its_title(tmp_path: Path) -> None:
    (found,) = documents(tmp_path, "Nota sobre los faros\n\nLos faros alumbran. Y nada más.\n", "mi_nota.txt")
    assert (found.norm.id, found.norm.title) == ("mi-nota", "Nota sobre los faros")
    assert [(b.kind, b.title) for b in found.blocks] == [(BlockKind.SECTION, "Nota sobre los faros")]
    assert len(chunk_document(found)) == 1


def test_a_file_in_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="codificación"):
        documents(tmp_path, "Маяк светит ночью кораблям".encode("koi8-r"))
