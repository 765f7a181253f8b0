"""Plain text of laws to articles: encodings, headings, what stands in sentences, disposiciones, annexes."""

from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import BlockKind, Document
from loading.chunking.chunk import chunk_document
from loading.formats import load

LAW = """\
Ley 4/2031, de 5 de mayo, de Faros y Balizas.
Ministerio del Mar
«BOE» núm. 110, de 8 de mayo de 2031

PREÁMBULO

La luz de los faros guía a quien navega de noche, y según el artículo 45.1
de otra norma ha de estar siempre encendida.

TÍTULO I
De los faros

CAPÍTULO I. Luces

Artículo 1. Objeto.
1. Esta ley ordena las luces que se ven desde el mar, de acuerdo con lo que
establece el
Artículo 9. de los estatutos, y nada más que ellas.
2. Quedan fuera, con arreglo al artículo 3 de la Ley 9/2029:
a) Las linternas.
b) Las hogueras.

Artículo 2 bis. Color.
La luz será blanca.

CAPÍTULO II
Gente de los faros

Art. 3.- Torreros.
El torrero cobrará 1.250.000,00 pesetas.
Artículo 4 de esta ley manda sobre todo lo demás, aunque empiece una línea.

Artículos 5 a 7. (Derogados)

DISPOSICIONES ADICIONALES
Primera. Boyas.
Las boyas serán rojas.
Segunda.- Las sirenas sonarán con niebla.

Disposición transitoria única. Velas.
Valen hasta 2032.

Disposición derogatoria
Queda derogado todo lo anterior.

Disposición final primera. Entrada en vigor.
Al día siguiente.

Dado en Puerto Alto, el 5 de mayo de 2031.
EL FARERO MAYOR

ANEXO I
Lista de faros
Uno, dos y tres.
"""


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


def test_articles_disposiciones_and_annexes_are_blocks(tmp_path: Path) -> None:
    assert [(b.id, b.kind.value, b.label) for b in law(tmp_path).blocks] == [
        ("preambulo", "preamble", ""),
        ("a1", "article", "1"),
        ("a2bis", "article", "2 bis"),
        ("a3", "article", "3"),
        ("a5-7", "article", "5-7"),
        ("da1", "additional", "da 1"),
        ("da2", "additional", "da 2"),
        ("dtunica", "transitional", "dt única"),
        ("ddunica", "repealing", "dd única"),
        ("df1", "final", "df 1"),
        ("firma", "signature", ""),
        ("anexoi", "annex", "anexo I"),
    ]


def test_headings_above_an_article_are_its_path(tmp_path: Path) -> None:
    paths = {block.id: block.path for block in law(tmp_path).blocks}
    assert paths["a1"] == ("TÍTULO I. De los faros", "CAPÍTULO I. Luces")
    assert paths["a3"] == ("TÍTULO I. De los faros", "CAPÍTULO II. Gente de los faros")
    assert paths["da1"] == paths["anexoi"] == ()


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


def test_a_disposicion_under_a_common_heading_is_titled_in_full(tmp_path: Path) -> None:
    titles = {block.id: block.title for block in law(tmp_path).blocks}
    assert titles["da1"] == "Disposición adicional primera. Boyas."
    assert titles["da2"] == "Disposición adicional segunda. Las sirenas sonarán con niebla."


@pytest.mark.parametrize(
    "line",
    [
        "artículo 45.1 de esta ley",
        "Artículo 45.1 del Estatuto se aplicará",
        "Artículo 45 del Estatuto se aplicará",
        "ARTÍCULO 45 DEL ESTATUTO",
        "Disposición adicional primera de la Ley 4/2031",
        "Anexo II de esta ley y otros textos del mar",
        "Título III de esta ley",
        "Artículos varios. Nada",
        "«Artículo 45. Redacción nueva.",
    ],
)
def test_a_reference_at_the_start_of_a_line_opens_nothing(tmp_path: Path, line: str) -> None:
    text = f"Artículo 1. Uno.\nAlgo dice.\n\n{line} sigue aquí.\n\nArtículo 2. Dos.\nOtra cosa."
    found = law(tmp_path, text)
    assert [block.label for block in found.blocks if block.label] == ["1", "2"]
    assert line.rsplit(maxsplit=1)[-1] in found.blocks[0].versions[0].text


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Artículo 48.", "48"),
        ("Artículo 48", "48"),
        ("ARTÍCULO 48. OBJETO", "48"),
        ("Artículo 48.- Objeto.", "48"),
        ("Artículo 48 bis. Objeto.", "48 bis"),
        ("Artículo 48 quinquies. Objeto.", "48 quinquies"),
        ("Artículo treinta y uno. Objeto.", "31"),
        ("Artículo primero. Objeto.", "1"),
        ("Artículo único. Objeto.", "único"),
        ("Art. 7º. Objeto.", "7"),
        ("Artículo 1.º Objeto.", "1"),
        ("Artículo 12: Objeto", "12"),
        ("Disposición adicional cuadragésima primera. Plazo.", "da 41"),
        ("Disposición final", "df única"),
    ],
)
def test_headings_in_their_usual_spellings(tmp_path: Path, heading: str, label: str) -> None:
    text = f"Ley 4/2031, de 5 de mayo, de Faros\n\n{heading}\nDice algo que importa."
    assert [block.label for block in law(tmp_path, text).blocks if block.label] == [label]


def test_articles_quoted_by_an_amending_law_stay_inside_it(tmp_path: Path) -> None:
    text = (
        "Artículo 1. Cambio de la Ley 9/2029.\nSe modifica así:\n«Artículo 45. Nuevo.\nUno.\n"
        "Artículo 46. Otro.\nDos.»\nArtículo 2. Fin.\nAcaba."
    )
    found = law(tmp_path, text)
    assert [block.label for block in found.blocks if block.label] == ["1", "2"]


def test_a_quotation_left_open_does_not_swallow_the_next_article(tmp_path: Path) -> None:
    found = law(tmp_path, "Artículo 1. Uno.\nDice «algo sin cerrar.\nArtículo 2. Dos.\nSigue.")
    assert [block.label for block in found.blocks if block.label] == ["1", "2"]


def test_a_label_that_occurs_twice_is_told(tmp_path: Path) -> None:
    found = law(tmp_path, "Artículo 1. Uno.\nA.\nArtículo 2. Dos.\nB.\nArtículo 2. Tres.\nC.")
    assert [block.id for block in found.blocks] == ["a1", "a2", "a2-2"]
    assert "«Artículo 2. Dos.»" in found.warnings[0]


def test_a_heading_that_a_list_names_just_before_it_begins_opens_nothing(tmp_path: Path) -> None:
    listed = "Artículo 1. Uno.\nEs básico lo que sigue:\nArtículo 2. Dos.\nY nada más."
    text = f"{listed}\nArtículo 2. Dos.\nOtra cosa."
    blocks = law(tmp_path, text).blocks
    assert [block.id for block in blocks] == ["a1", "a2"]
    assert blocks[0].versions[0].text.endswith("Artículo 2. Dos.\nY nada más.")


def test_the_table_of_contents_is_left_out(tmp_path: Path) -> None:
    index = (
        "ÍNDICE\nArtículo 1. Objeto . . . . . . . . . 3\nArtículo 2. Un título que sigue\n"
        "en otra línea ......... 4\nArtículo 3. Tal ........ 5\n\n"
    )
    found = law(tmp_path, index + "Artículo 1. Objeto.\nUno.\nArtículo 2. Fin.\nDos.")
    assert [block.id for block in found.blocks] == ["a1", "a2"]


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
