"""The facts of a collective agreement, read from its text."""

from datetime import date

import pytest

from rag.loaders.agreement_facts import CODE, LAST_DAY, RANK, completed
from rag.loaders.lines import Paragraph
from rag.types import Norm

TITLE = "Convenio colectivo de almazaras de la provincia de Jaén"


def read(*texts: str, title: str = TITLE, **fields) -> Norm:
    return completed(Norm(id="c", title=title, law=title, **fields), [Paragraph(text) for text in texts])


def test_rank_code_publication_and_comunidad_are_read() -> None:
    norm = read(
        "Código de convenio 23000995011982.",
        "Publicado en el Boletín Oficial de la Provincia de Jaén de 14 de marzo de 2025.",
    )
    assert (norm.rank, norm.extra[CODE], norm.territory) == (RANK, "23000995011982", "Andalucía")
    assert norm.published == date(2025, 3, 14)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("Estará en vigor del 1 de enero de 2025 al 31 de diciembre de 2027.", (2025, 1, 1), "2027-12-31"),
        (
            "La vigencia del convenio será desde el día 1 de abril de 2024 hasta el 31 de marzo de 2026.",
            (2024, 4, 1),
            "2026-03-31",
        ),
        ("Su duración será de dos años, del 01/01/2025 al 31/12/2026.", (2025, 1, 1), "2026-12-31"),
        ("Entrará en vigor el 5 de mayo de 2025.", (2025, 5, 5), ""),
        ("Entrará en vigor el día de su publicación.", None, ""),
        ("El 3 de marzo de 2024 se reunió la comisión.", None, ""),
    ],
)
def test_the_days_in_force_are_read_and_the_last_one_is_no_end(text, since, until) -> None:
    norm = read("Artículo 3. Ámbito temporal.", text)
    assert norm.valid_from == (date(*since) if since else None)
    assert norm.extra.get(LAST_DAY, "") == until
    assert norm.repealed_on is None


@pytest.mark.parametrize(
    "title",
    [
        "III Convenio colectivo estatal de jardinería",
        "Convenio marco de la hostelería",
        "Séptimo Convenio Colectivo de la empresa Faros",
    ],
)
def test_agreements_are_known_by_their_title(title: str) -> None:
    assert read(title=title).rank == RANK


@pytest.mark.parametrize(
    "title", ["Informe sobre el convenio colectivo", "Convenio de colaboración con Faros"]
)
def test_other_texts_are_left_as_they_are(title: str) -> None:
    assert read("En vigor del 1 de enero de 2025 al 31 de diciembre de 2027.", title=title).rank == ""


def test_what_the_document_or_its_reader_says_already_stays() -> None:
    norm = read("En vigor del 1 de enero de 2025 al 31 de diciembre de 2027.", valid_from=date(2025, 2, 2))
    assert norm.valid_from == date(2025, 2, 2)
    assert read(title=TITLE, rank="Resolución").rank == "Resolución"


def test_an_agreement_of_two_comunidades_stays_without_one() -> None:
    assert read(title="Convenio colectivo de almazaras de Jaén y Toledo").territory == "estatal"
