"""The facts of a collective agreement, read from its text."""

from datetime import date

import pytest

from law.agreement_names import AFTERWARDS, LAST_DAY
from law.norms import Norm
from loading.formats.agreement_facts import CODE, JOURNAL, PUBLISHER, RANK, SCOPES, completed
from loading.formats.broken_lines import Paragraph
from tests.case_files import pairs

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


def days_of(norm: Norm) -> str:
    """'2025-01-01 hasta 2027-12-31', what there is of it."""
    until = norm.extra.get(LAST_DAY, "")
    return f"{norm.valid_from or ''} {until and f'hasta {until}'}".strip()


TERMS = ("Artículo 3. Vigencia", "Artículo 3. Ámbito temporal.", "Artículo 3. Vigencia y duración.")


@pytest.mark.parametrize(("text", "days"), pairs("agreement_facts", "Vigencia pactada"))
@pytest.mark.parametrize("heading", TERMS)
def test_the_article_on_its_term_tells_the_days_whatever_their_words(heading, text, days) -> None:
    for paragraphs in ([heading, text], [f"{heading.rstrip('.')}. {text}"]):
        norm = read(
            *paragraphs, "Artículo 4. Otra cosa.", "Del 2 de mayo de 2001 al 3 de mayo de 2002 no cuenta."
        )
        assert days_of(norm) == days
        assert norm.repealed_on is None
        assert SCOPES["funcional"] not in norm.extra


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


RESOLUTION = (
    "Resolución de 3 de marzo de 2025, de la Delegación Territorial de Empleo, por la que se registra y "
    "publica el Convenio Colectivo de hostelería de la provincia de Huelva."
)


def test_an_agreement_inside_the_resolution_that_publishes_it_is_called_by_its_own_name() -> None:
    norm = read(
        "Artículo 2. Vigencia.",
        "Estará en vigor del 1 de enero de 2025 al 31 de diciembre de 2027.",
        title=RESOLUTION.rstrip("."),
        rank="Resolución",
        published=date(2025, 3, 3),
        valid_from=date(2025, 3, 3),
    )
    assert (norm.rank, norm.title) == (RANK, "Convenio Colectivo de hostelería de la provincia de Huelva")
    assert (norm.law, norm.territory) == (norm.title, "Andalucía")
    assert norm.extra[PUBLISHER] == RESOLUTION.rstrip(".")
    assert (norm.published, norm.valid_from) == (date(2025, 3, 3), date(2025, 1, 1))


@pytest.mark.parametrize(
    "title",
    [
        "Resolución de 3 de marzo de 2025, de la Dirección General, por la que se inscribe y publica el "
        "texto del IV Convenio colectivo de la empresa Faros del Sur, S.A",
        "Anuncio por el que se dispone la inscripción y la publicación del Convenio colectivo de talleres",
    ],
)
def test_the_ways_in_which_journals_publish_agreements_are_known(title: str) -> None:
    norm = read(title=title, rank="Resolución")
    assert norm.rank == RANK
    assert norm.title in title.replace("del Convenio", "Convenio")


def test_a_resolution_about_something_else_stays_a_resolution() -> None:
    title = (
        "Resolución de 3 de marzo de 2025 por la que se publica el calendario de fiestas según el convenio"
    )
    assert read(title=title, rank="Resolución").rank == "Resolución"


def test_the_name_above_the_articles_is_found_when_the_first_line_is_the_journal_s() -> None:
    norm = read(
        "CONVENIO COLECTIVO DEL SECTOR DE PELUQUERÍAS DE SORIA",
        "Artículo 1. Ámbito funcional. Obliga a las peluquerías.",
        title="Administración autonómica",
    )
    assert norm.title == "CONVENIO COLECTIVO DEL SECTOR DE PELUQUERÍAS DE SORIA"
    assert norm.territory == "Castilla y León"


def test_a_text_that_only_speaks_of_an_agreement_is_none() -> None:
    norm = read(
        "El convenio colectivo es de obligado cumplimiento.",
        "Artículo 1. Ámbito de la ayuda.",
        title="Bases de la ayuda",
    )
    assert norm.rank == ""


def test_the_scopes_are_read_and_a_shared_article_is_told_once() -> None:
    norm = read(
        "Artículo 1. Ámbito funcional. Obliga a las almazaras.",
        "También a las envasadoras.",
        "Artículo 2. Ámbito territorial y personal.",
        "Rige en la provincia de Teruel para toda su plantilla.",
        "CAPÍTULO II. Jornada",
        "Otra cosa.",
        title="Convenio colectivo de almazaras",
    )
    found = {key: norm.extra.get(key) for key in SCOPES.values()}
    assert found == {
        "ambito_funcional": "Obliga a las almazaras. También a las envasadoras.",
        "ambito_territorial": "Rige en la provincia de Teruel para toda su plantilla.",
        "ambito_personal": None,
    }
    assert norm.territory == "Aragón"


def test_a_long_scope_is_cut_at_a_word_and_says_so() -> None:
    norm = read("Artículo 1. Ámbito funcional.", "comercio " * 200)
    assert norm.extra["ambito_funcional"].endswith("comercio […]")
    assert len(norm.extra["ambito_funcional"]) <= 610


def test_what_the_document_or_its_reader_says_already_stays() -> None:
    norm = read("En vigor del 1 de enero de 2025 al 31 de diciembre de 2027.", valid_from=date(2025, 2, 2))
    assert norm.valid_from == date(2025, 2, 2)
    assert read(title=TITLE, rank="Orden").rank == "Orden"


@pytest.mark.parametrize(
    ("title", "territory"),
    [
        ("Convenio colectivo de la empresa Pastelería Soto, de Getafe", "Getafe"),
        ("Convenio colectivo del Ayuntamiento de Móstoles", "Móstoles"),
        ("Convenio colectivo para Getafe y Leganés", "estatal"),
        ("Convenio colectivo de la empresa Limpiezas Mérida", "estatal"),
    ],
)
def test_an_agreement_of_one_town_has_its_territory(title, territory) -> None:
    assert read(title=title).territory == territory


def test_an_agreement_of_two_comunidades_stays_without_one() -> None:
    assert read(title="Convenio colectivo de almazaras de Jaén y Toledo").territory == "estatal"


def test_a_clause_that_begins_later_does_not_begin_the_agreement() -> None:
    norm = read(
        "Artículo 3. Vigencia. Entra en vigor con su publicación y acaba el 31 de diciembre de 2027.",
        "Artículo 9. Plus. Entrará en vigor el 1 de enero de 2026.",
    )
    assert (norm.valid_from, norm.extra[LAST_DAY]) == (None, "2027-12-31")


@pytest.mark.parametrize(
    ("article", "told"), pairs("agreement_facts", "Lo que viene tras la vigencia pactada")
)
def test_what_comes_after_the_term_is_kept_as_the_agreement_says_it(article, told) -> None:
    title, _, text = article.partition(": ")
    norm = read(f"Artículo 4. {title}.", f"Primera frase. {text}")
    assert norm.extra.get(AFTERWARDS) == (text if told else None)


@pytest.mark.parametrize(
    ("text", "told"), [*pairs("agreement_facts", "Boletín y día en que se publicó"), ("BOP " + "." * 200, "")]
)
def test_the_journal_its_number_and_its_day_are_read_where_the_text_says_them(text, told) -> None:
    norm = read(*text.splitlines())
    assert "; ".join(map(str, filter(None, (norm.extra.get(JOURNAL), norm.published)))) == told


def test_the_day_of_the_journal_is_that_of_publication_and_not_that_of_the_resolution() -> None:
    norm = read(
        "BOP núm. 45, de 17 de abril de 2025",
        title=RESOLUTION.rstrip("."),
        rank="Resolución",
        published=date(2025, 3, 3),
    )
    assert norm.published == date(2025, 4, 17)


@pytest.mark.parametrize(
    ("term", "since"),
    [
        ("Entrará en vigor el día siguiente al de su publicación en el BOP.", date(2025, 4, 18)),
        ("Surtirá efectos a partir del día siguiente de su publicación.", date(2025, 4, 18)),
        ("Entrará en vigor el mismo día de su publicación.", date(2025, 4, 17)),
        ("Tendrá vigencia desde su publicación hasta el 31 de diciembre de 2027.", date(2025, 4, 17)),
        ("Entrará en vigor el 1 de enero de 2025 y obliga desde su publicación.", date(2025, 1, 1)),
    ],
)
def test_a_term_that_begins_with_the_publication_begins_by_the_day_of_the_journal(
    term: str, since: date
) -> None:
    told = {"title": RESOLUTION.rstrip("."), "rank": "Resolución", "published": date(2025, 3, 3)}
    assert (
        read("BOP núm. 45, de 17 de abril de 2025", "Artículo 2. Vigencia.", term, **told).valid_from == since
    )
    unknown = read("Artículo 2. Vigencia.", term, **told).valid_from
    assert unknown == (since if since.month == 1 else None)


@pytest.mark.parametrize(("text", "code"), pairs("agreement_facts", "Código"))
def test_the_code_is_read_in_the_ways_journals_write_it(text, code) -> None:
    assert read(text).extra.get(CODE, "") == code
