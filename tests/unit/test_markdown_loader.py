"""Markdown with front matter: norms, judgments and criteria written by hand."""

from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import BlockKind, Document
from loading.formats import load

NORM = """---
id: ley-faros
title: Ley 4/2031, de 5 de mayo, de Faros
law: Ley de Faros
alias: LF
aliases: [Ley de los Faros, Ley farera]
rank: Ley
number: 4/2031
published: 2031-05-06
valid_from: 2031-06-01
url: https://example.org/faros
court: Tribunal del Mar
tags: [mar, luz]
---
Preámbulo inventado.

# Ley de Faros

## TÍTULO I. De los faros

### CAPÍTULO I. Luces

#### Artículo 1. Objeto.
<!-- block: a1; url: https://example.org/a1; summary: Qué regula; y cómo.; keywords: luz, faro;
questions: ¿Qué es? | ¿Por qué? -->
1. Según el artículo 45.1 de otra
ley, los **faros** alumbran.

a) Letra.
b) Otra
letra.

##### Detalle
Sigue siendo el artículo 1.

#### Artículo 2 bis. Color.
El artículo 1 manda.
Artículo 3. no empieza nada aquí.

## TÍTULO II. De las balizas

### Disposición adicional única. Plazo.
Texto.

### Anexo I
| a | b |
| - | - |
| 1 | 2 |
"""


def document(tmp_path: Path, text: str, name: str = "norma.md", collection: str = "normativa") -> Document:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    (found,) = load(path, collection)
    return found


def test_front_matter_fills_the_norm_and_the_rest_is_kept(tmp_path: Path) -> None:
    norm = document(tmp_path, NORM).norm
    assert (norm.id, norm.law, norm.alias, norm.rank, norm.number) == (
        "ley-faros",
        "Ley de Faros",
        "LF",
        "Ley",
        "4/2031",
    )
    assert norm.aliases == ("Ley de los Faros", "Ley farera")
    assert (norm.published, norm.valid_from, norm.official) == (date(2031, 5, 6), date(2031, 6, 1), True)
    assert norm.extra == {"court": "Tribunal del Mar", "tags": "mar, luz"}


def test_headings_make_blocks_and_paths(tmp_path: Path) -> None:
    blocks = document(tmp_path, NORM).blocks
    assert [(b.id, b.kind.value, b.label) for b in blocks] == [
        ("preambulo", "preamble", ""),
        ("a1", "article", "1"),
        ("a2bis", "article", "2 bis"),
        ("daunica", "additional", "da única"),
        ("anexoi", "annex", "anexo I"),
    ]
    assert blocks[1].path == ("TÍTULO I. De los faros", "CAPÍTULO I. Luces")
    assert blocks[3].path == ("TÍTULO II. De las balizas",)


def test_an_article_named_in_a_sentence_starts_no_block(tmp_path: Path) -> None:
    blocks = document(tmp_path, NORM).blocks
    assert not [b for b in blocks if b.label in {"45", "3"}]
    assert blocks[2].versions[0].text.endswith("Artículo 3. no empieza nada aquí.")


def test_wrapped_lines_are_joined_and_lists_and_tables_are_not(tmp_path: Path) -> None:
    blocks = document(tmp_path, NORM).blocks
    assert blocks[1].versions[0].text == (
        "Artículo 1. Objeto.\n1. Según el artículo 45.1 de otra ley, los faros alumbran.\n"
        "a) Letra.\nb) Otra letra.\nDetalle\nSigue siendo el artículo 1."
    )
    assert blocks[4].versions[0].text == "Anexo I\n| a | b |\n| - | - |\n| 1 | 2 |"


def test_attributes_under_a_heading_belong_to_its_block(tmp_path: Path) -> None:
    attributes = document(tmp_path, NORM).blocks[1].attributes
    assert attributes == {
        "url": "https://example.org/a1",
        "summary": "Qué regula; y cómo.",
        "keywords": "luz, faro",
        "questions": "¿Qué es? | ¿Por qué?",
    }


def test_two_headings_with_one_block_are_two_wordings(tmp_path: Path) -> None:
    text = (
        "# Artículo 1. Viejo.\n<!-- block: a1; valid_from: 2001-01-01 -->\nAntes.\n\n"
        "# Artículo 1. Nuevo.\n<!-- block: a1; valid_from: 2010-05-01 -->\nDespués.\n"
    )
    (block,) = document(tmp_path, text).blocks
    assert [(v.valid_from.year, v.valid_to, v.text.splitlines()[1]) for v in block.versions] == [
        (2001, date(2010, 4, 30), "Antes."),
        (2010, None, "Después."),
    ]


@pytest.mark.parametrize(
    ("written", "aliases"),
    [
        ("", ()),
        ("aliases:\n", ()),
        ("aliases: []\n", ()),
        ("aliases: Ley farera, LF\n", ("Ley farera", "LF")),
        ("aliases: [Ley farera]\n", ("Ley farera",)),
    ],
)
def test_other_names_are_a_list_a_text_with_commas_or_none(tmp_path: Path, written: str, aliases) -> None:
    assert (
        document(tmp_path, f"---\nid: X-LEY\ntitle: Ley\n{written}---\n# Ley\nTexto.\n").norm.aliases
        == aliases
    )


def test_without_articles_the_sections_are_blocks(tmp_path: Path) -> None:
    text = (
        "---\ncollection: sentencias\n---\n# STS 1/2031\n\n## Antecedentes\nHechos.\n\n"
        "## Fundamentos\n\n### Primero\nRazón.\n"
    )
    found = document(tmp_path, text, "sts-1.md")
    assert (found.norm.id, found.norm.collection, found.norm.title) == ("sts-1", "sentencias", "STS 1/2031")
    assert [(b.kind, b.title, b.path) for b in found.blocks] == [
        (BlockKind.SECTION, "Antecedentes", ()),
        (BlockKind.SECTION, "Primero", ("Fundamentos",)),
    ]


def test_repeated_headings_get_ids_of_their_own(tmp_path: Path) -> None:
    blocks = document(tmp_path, "## Hechos\nUno.\n## Hechos\nDos.\n## Hechos\nTres.").blocks
    assert [b.id for b in blocks] == ["hechos", "hechos-2", "hechos-3"]


def test_a_heading_inside_a_code_fence_is_text(tmp_path: Path) -> None:
    blocks = document(tmp_path, "## Uno\n```\n# Artículo 9. No.\n```\n").blocks
    assert [b.title for b in blocks] == ["Uno"]


def test_the_collection_asked_for_applies_where_the_file_names_none(tmp_path: Path) -> None:
    assert document(tmp_path, "## A\nTexto.", collection="criterios_inss").norm.collection == "criterios_inss"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"---\nid: [abierto\n---\n# A\nTexto", "cabecera YAML"),
        (b"---\nvalid_from: ayer\n---\n# A\nTexto", "valid_from debe ser una fecha"),
        (b"# A\n<!-- valid_from: ayer -->\nTexto", "mala.md: valid_from debe ser una fecha"),
        (b"# \xd0\xcf\xd2", "codificaci"),
        (b"", "vac"),
        (b"---\ntitle: Solo\n---\n", "no contiene texto"),
        (b"---\nid: !!python/object/apply:os.system ['true']\n---\nTexto", "cabecera YAML"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "mala.md"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        load(path)


def test_an_agreement_without_a_rank_is_known_by_its_title_and_its_scope_by_its_text(tmp_path: Path) -> None:
    path = tmp_path / "horchata.md"
    path.write_text(
        "# Convenio colectivo de la empresa Horchatas Inventadas, S.L.\n\n"
        "## Artículo 1. Ámbito funcional.\n\nRegula el trabajo en las horchaterías de la empresa.\n\n"
        "## Artículo 2. Ámbito temporal.\n\nRige del 1 de enero de 2031 al 31 de diciembre de 2033.",
        encoding="utf-8",
    )
    (document,) = load(path, "normativa")
    norm = document.norm
    assert (norm.rank, norm.title[-5:], norm.valid_from) == ("Convenio colectivo", " S.L.", date(2031, 1, 1))
    assert norm.extra["vigencia_hasta"] == "2033-12-31"
    assert "horchaterías" in norm.extra["ambito_funcional"]


def test_what_the_front_matter_says_of_an_agreement_wins_over_its_text(tmp_path: Path) -> None:
    path = tmp_path / "horchata.md"
    path.write_text(
        "---\ntitle: Convenio colectivo de horchaterías de la provincia de Huelva\nterritory: ES-VC\n"
        "vigencia_hasta: 2040-12-31\n---\n"
        "## Artículo 1. Ámbito funcional.\n\nRegula las horchaterías.\n\n"
        "## Artículo 2. Ámbito temporal.\n\nRige del 1 de enero de 2031 al 31 de diciembre de 2033.",
        encoding="utf-8",
    )
    norm = load(path, "normativa")[0].norm
    assert (norm.rank, norm.territory, norm.extra["vigencia_hasta"]) == (
        "Convenio colectivo",
        "ES-VC",
        "2040-12-31",
    )


@pytest.mark.parametrize("front", ["---\nid: X-1\nvalid_from: 2020-01-01\n---\n", "# De faros\n", ""])
def test_articles_without_a_mark_are_articles(tmp_path: Path, front: str) -> None:
    lines = "Ley 5/2021, de 6 de mayo.", "Artículo 1. Luz.", "Se enciende.", "Artículo 2. Mar.", "Se mira."
    blocks = document(tmp_path, "\n\n".join((front, *lines))).blocks
    found = [(one.label, one.versions[0].text) for one in blocks if one.label]
    assert found == [("1", "Artículo 1. Luz.\nSe enciende."), ("2", "Artículo 2. Mar.\nSe mira.")]


def test_a_note_that_quotes_one_article_is_not_divided(tmp_path: Path) -> None:
    text = "# Nota para el cliente\n\nHoy le escribo.\n\nArtículo 5. Deberes.\n\nCumplir con el puesto.\n"
    assert [one.label for one in document(tmp_path, text).blocks] == [""]
