"""PDFs: pages, headers and footers, hyphens at line ends, scans with and without OCR, damage, passwords."""

import stat
from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import Document
from loading.chunking.chunk import chunk_document
from loading.formats import discover, load
from tests.office_files import paged, pdf, wrapped

SCAN = bytes(64)
HEAD = ["BOLETÍN OFICIAL DEL ESTADO", "Núm. 110 Jueves 8 de mayo de 2031 Sec. I. Pág. {page}"]
SENTENCE = "El torrero cuidará de la luz y avisará por escrito a la autoridad cuando la vea temblar. "


def read(tmp_path: Path, data: bytes, collection: str = "normativa") -> Document:
    path = tmp_path / "faros.pdf"
    path.write_bytes(data)
    (found,) = load(path, collection)
    return found


def law(articles: int) -> list[str]:
    lines = ["Ley 4/2031, de 5 de mayo, de Faros.", "PREÁMBULO", SENTENCE * 3]
    for number in range(1, articles + 1):
        lines += [f"Artículo {number}. Luz {number}.", f"1. {SENTENCE * 4}".strip(), "2. Y nada más."]
    return lines


def test_articles_come_out_whole_across_pages_and_know_their_page(tmp_path: Path) -> None:
    found = read(tmp_path, pdf(paged(wrapped(law(30)), HEAD)))
    articles = [block for block in found.blocks if block.label]
    assert [block.label for block in articles] == [str(n) for n in range(1, 31)]
    assert all(
        block.versions[0].text == f"{block.title}\n1. {SENTENCE * 4}".strip() + "\n2. Y nada más."
        for block in articles
    )
    pages = [chunk.page for chunk in chunk_document(found) if chunk.label]
    assert pages == sorted(page for page in pages if page) and pages[0] == 1 and pages[-1] == 4


def test_a_chunk_of_a_long_article_has_the_page_where_it_begins(tmp_path: Path) -> None:
    lines = [
        "Artículo 1. Larga.",
        *[f"{n}. {SENTENCE * 6}".strip() for n in range(1, 25)],
        "Artículo 2. Corta.",
        "Fin.",
    ]
    found = read(tmp_path, pdf(paged(wrapped(lines))))
    pages = [chunk.page for chunk in chunk_document(found) if chunk.label == "1"]
    assert pages[0] == 1 and pages[-1] == 3 and pages == sorted(pages)


def test_headers_footers_and_page_numbers_are_taken_out(tmp_path: Path) -> None:
    text = "\n".join(
        block.versions[0].text
        for block in read(
            tmp_path, pdf(paged(wrapped(law(30)), ["Faros del Mar, S.A.", *HEAD], "- {page} -"))
        ).blocks
    )
    assert "S.A." not in text and "Pág." not in text and "BOLETÍN" not in text
    assert text.count("Artículo") == 30


@pytest.mark.parametrize(
    ("clause", "since"), [("el día siguiente al", 9), ("el mismo día", 8), ("al mes", 8)]
)
def test_a_law_is_in_force_by_the_day_of_the_journal_over_its_pages(
    tmp_path: Path, clause: str, since: int
) -> None:
    end = [
        "Disposición final única. Entrada en vigor.",
        f"Esta ley entrará en vigor {clause} de su publicación.",
    ]
    norm = read(tmp_path, pdf(paged(wrapped([*law(30), *end]), HEAD))).norm
    assert (norm.published, norm.valid_from) == (date(2031, 5, 8), date(2031, 5, since))


def test_pages_with_different_days_over_their_text_tell_no_day_of_publication(tmp_path: Path) -> None:
    head = [HEAD[0], "Núm. 110 Jueves {page} de mayo de 2031"]
    assert read(tmp_path, pdf(paged(wrapped(law(30)), head))).norm.published == date(2031, 5, 5)


@pytest.mark.parametrize(
    "foot",
    [
        "Página {page}",
        "Pág. {page} de 9",
        "{page}",
        "Mi bufete {page}/9",
        "cve: BOE-A-2031-77 Verificable en https://www.boe.es",
    ],
)
def test_every_kind_of_footer_goes(tmp_path: Path, foot: str) -> None:
    found = read(tmp_path, pdf(paged(wrapped(law(30)), (), foot)))
    texts = [block.versions[0].text for block in found.blocks if block.label]
    assert len(texts) == 30
    assert all(text.endswith("2. Y nada más.") for text in texts)


def test_headings_that_stand_at_the_top_of_every_page_stay(tmp_path: Path) -> None:
    pages = [[f"Artículo {n}.", f"Manda que alumbre el faro número {n}."] for n in range(1, 9)]
    texts = [block.versions[0].text for block in read(tmp_path, pdf(pages)).blocks]
    assert texts == ["\n".join(page) for page in pages]


def test_what_pages_repeat_under_a_line_of_their_own_stays(tmp_path: Path) -> None:
    pages = [
        [f"Artículo {n}.", "(Sin contenido)", f"Artículo {n}0.", f"Alumbra el faro {n}."] for n in range(1, 7)
    ]
    assert len(read(tmp_path, pdf(pages)).blocks) == 12
    assert all("(Sin contenido)" in b.versions[0].text for b in read(tmp_path, pdf(pages)).blocks[::2])


def test_the_signature_of_the_boe_gives_the_identifier(tmp_path: Path) -> None:
    pages = paged(wrapped(law(3)), (), "cve: BOE-A-2031-77")
    norm = read(tmp_path, pdf(pages)).norm
    assert (norm.id, norm.url) == ("BOE-A-2031-77", "https://www.boe.es/buscar/act.php?id=BOE-A-2031-77")


def test_words_divided_at_a_line_end_are_whole(tmp_path: Path) -> None:
    page = [
        "Artículo 1. Luz.",
        "La ley teórico-práctica manda que el torrero vigile la exce-",
        "lente luz del faro, y que su formación teórico-",
        "práctica no decaiga.",
        "Artículo 2. Fin.",
        "Acaba.",
    ]
    text = read(tmp_path, pdf([page])).blocks[0].versions[0].text
    assert "excelente luz" in text and "formación teórico-práctica no" in text


def test_a_pdf_of_images_says_that_it_needs_ocr(tmp_path: Path, without_ocr: None) -> None:
    with pytest.raises(InputError, match="necesita OCR"):
        read(tmp_path, pdf([SCAN, SCAN]))


def test_a_page_that_is_an_image_among_others_is_told(tmp_path: Path, without_ocr: None) -> None:
    found = read(tmp_path, pdf([["Artículo 1. Uno.", "Alumbra."], SCAN, ["Artículo 2. Dos.", "Apaga."]]))
    assert found.warnings == ("Las páginas 2 son imágenes sin texto y necesitan OCR.",)
    assert len(found.blocks) == 2


def test_scans_are_read_where_tesseract_knows_spanish(tmp_path: Path, ocr: Path) -> None:
    found = read(tmp_path, pdf([["Artículo 1. Uno.", "Alumbra mucho."], SCAN]))
    assert [block.label for block in found.blocks] == ["1", "7"]
    assert (
        found.blocks[1].versions[0].text == "Artículo 7. Leído.\nLo que dice la imagen que entró en el faro."
    )
    assert chunk_document(found)[1].page == 2
    assert found.warnings == ()


def test_tesseract_without_spanish_is_as_good_as_none(tmp_path: Path, ocr: Path) -> None:
    ocr.write_text(ocr.read_text().replace("spa", "eng"))
    with pytest.raises(InputError, match="necesita OCR"):
        read(tmp_path, pdf([SCAN]))


def test_a_page_that_ocr_cannot_read_is_told(tmp_path: Path, ocr: Path) -> None:
    ocr.write_text('#!/bin/sh\n[ "$1" = --list-langs ] && echo spa && exit 0\nexit 1\n')
    found = read(tmp_path, pdf([["Artículo 1. Uno.", "Alumbra mucho."], SCAN]))
    assert "páginas 2" in found.warnings[0]


@pytest.fixture
def without_ocr(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))


@pytest.fixture
def ocr(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A `tesseract` that takes a picture and says always the same."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "tesseract"
    command.write_text(
        '#!/bin/sh\nif [ "$1" = --list-langs ]; then echo "List:"; echo spa; exit 0; fi\n'
        '[ "$(head -c 2)" = P5 ] || exit 1\ncat > /dev/null\n'
        "printf 'Artículo 7. Leído.\\n\\nLo que dice la imagen que entró\\nen el faro.\\n'\n"
    )
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return command


def test_a_protected_pdf_asks_for_one_without_password(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contraseña"):
        read(tmp_path, pdf([["Artículo 1. Secreto."]], password="clave"))


def test_the_password_of_the_test_is_a_real_one() -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf([["Artículo 1. Secreto."]], password="clave"), password="clave")
    assert "Secreto" in document[0].get_textpage().get_text_range()


@pytest.mark.parametrize(
    "damage", [lambda data: data[:60], lambda data: b"%PDF-1.7\n" + bytes(range(256)) * 9]
)
def test_a_damaged_pdf_is_refused(tmp_path: Path, damage) -> None:
    with pytest.raises(InputError, match="dañado"):
        read(tmp_path, damage(pdf([["Artículo 1. Uno."]])))


def test_a_pdf_of_empty_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ninguna de sus páginas"):
        read(tmp_path, pdf([[], []]))


@pytest.mark.corpus
@pytest.mark.slow
def test_real_norms_printed_as_pdf_give_back_every_article(tmp_path: Path, boe: Path) -> None:
    for norm_id in ("BOE-A-2015-11430", "BOE-A-1978-31229", "BOE-A-1995-24292"):
        (original,) = load(next(path for path in discover([boe]) if path.name == norm_id))
        texts = [line for b in original.blocks for line in b.versions[-1].text.split("\n")]
        lines = wrapped(
            text.encode("cp1252", "replace").decode("cp1252") for text in [f"{original.norm.title}.", *texts]
        )
        found = read(tmp_path, pdf(paged(lines, HEAD)))
        labels = [block.label for block in original.blocks if block.label]
        assert [block.label for block in found.blocks if block.label] == labels
        assert found.norm.id == norm_id
