"""The opinion in Word: its headings, a real footnote for each citation, and the texts cited."""

import io
import re
from datetime import date

import docx
import pytest
from lxml import etree

from casework.matters.case_facts import CaseFact, FactSource, FactsSheet
from core.errors import InputError
from law.norms import DOCUMENT
from rag.answers.joined_answers import joined
from rag.shared.cited_answer import Answer, Source
from service.opinions.background import NO_FACTS, Case
from service.opinions.formats import FORMATS, Format
from service.opinions.grounds import TOLD, TRANSCRIBED
from service.opinions.opinion import (
    MOST,
    NO_ANSWER,
    NOT_ACCEPTED,
    NOTHING,
    NOTHING_TO_SIGN,
    REVIEWED,
    compose,
)
from service.opinions.references import GONE
from tests.fakes import MemoryCorpus
from tests.hostile import batches
from tests.opinions import DAY, QUOTE, RULING, cited, consulted, law, links, notes, part, ruled

URL = "https://www.boe.es/buscar/act.php?id=BOE-A-2015-1#a59"
ARTICLE_NOTE = (
    "art. 59.3 ET (Real Decreto Legislativo 2/2015, de 23 de octubre; redacción vigente desde 1-1-2023). "
    + URL
)
RULING_NOTE = "STS (Sala de lo Social) n.º 140/2024, de 6 de noviembre de 2024 (ECLI:ES:TS:2024:140)."


@pytest.fixture(scope="module")
def corpus() -> MemoryCorpus:
    return law()


def dictamen(asked, law, made_on, **more) -> bytes:
    return FORMATS[Format.WORD].write(compose(asked, law, made_on, **more))


def texts(file: bytes) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(io.BytesIO(file)).paragraphs]


def under(file: bytes, heading: str) -> list[str]:
    """The paragraphs between a main heading and the next."""
    found, inside = [], False
    for paragraph in docx.Document(io.BytesIO(file)).paragraphs:
        if paragraph.style is not None and paragraph.style.name == "Heading 1":
            inside = paragraph.text == heading
        elif inside:
            found.append(paragraph.text)
    return found


def test_an_opinion_has_its_headings_questions_grounds_and_conclusions(corpus):
    answer = Answer(
        answer=f"Según la ley, «{QUOTE}» [C1]. Más cosas.", citations=(cited(corpus),), confidence=0.92
    )
    file = dictamen([consulted(answer)], corpus, DAY)
    document = docx.Document(io.BytesIO(file))
    headings = [one.text for one in document.paragraphs if one.style.name == "Heading 1"]
    assert headings == ["Antecedentes", "Cuestiones", "Fundamentos", "Conclusiones", "Procedencia del texto"]
    assert texts(file)[1] == "Borrador de 22 de noviembre de 2026, sin firmar."
    assert under(file, "Antecedentes") == [NO_FACTS]
    assert under(file, "Cuestiones") == [
        "¿Cuándo caduca la acción?",
        "Derecho vigente a 22 de noviembre de 2026.",
    ]
    assert f"Según la ley, «{QUOTE}». Más cosas." in under(file, "Fundamentos")
    assert under(file, "Conclusiones") == [f"Cuestión 1 (art. 59.3 ET). Según la ley, «{QUOTE}». Más cosas."]


def test_each_citation_has_a_footnote_as_a_lawyer_writes_it(corpus):
    text = f"Según la ley, «{QUOTE}» [C1]. Y el tribunal: «{RULING}» [C2]."
    answer = Answer(answer=text, citations=(cited(corpus), ruled()), confidence=0.9)
    file = dictamen([consulted(answer)], corpus, DAY)
    assert notes(file)[:2] == [ARTICLE_NOTE, RULING_NOTE]
    assert "[C" not in "\n".join(texts(file))


def test_the_marks_in_the_text_are_the_notes_of_the_part_in_order(corpus):
    text = "\n\n".join(f"Párrafo {n} [C{n}]." for n in range(1, 31))
    answer = Answer(answer=text, citations=tuple(cited(corpus, n) for n in range(1, 31)), confidence=0.9)
    file = dictamen([consulted(answer, accepted=False)], corpus, DAY)
    marks = re.findall(r'<w:footnoteReference w:id="(\d+)"/>', part(file, "word/document.xml"))
    assert marks == [str(number) for number in range(1, 31)]
    assert len(notes(file)) == 30


def test_the_part_of_the_notes_is_what_word_asks_for(corpus):
    answer = Answer(answer="Sí [C1].", citations=(cited(corpus),), confidence=0.9)
    file = dictamen([consulted(answer)], corpus, DAY)
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    named = f'<Override PartName="/word/footnotes.xml" ContentType="{kind}"/>'
    assert named in part(file, "[Content_Types].xml")
    assert part(file, "word/_rels/document.xml.rels").count("relationships/footnotes") == 1
    assert 'w:type="separator" w:id="-1"' in part(file, "word/footnotes.xml")
    settings = part(file, "word/settings.xml")
    assert settings.index("<w:footnotePr>") < settings.index("<w:compat>")
    styles = set(re.findall(r'w:styleId="([^"]+)"', part(file, "word/styles.xml")))
    assert set(re.findall(r'w:[pr]Style w:val="([^"]+)"', part(file, "word/footnotes.xml"))) <= styles


def test_a_quotation_that_the_text_does_not_repeat_follows_it_with_its_note(corpus):
    answer = Answer(answer="Veinte días [C1].", citations=(cited(corpus),), confidence=0.9, mode="model")
    file = dictamen([consulted(answer, accepted=False)], corpus, DAY)
    assert f"«{QUOTE}»" in under(file, "Fundamentos")
    assert notes(file) == [ARTICLE_NOTE, ARTICLE_NOTE]
    assert links(file) == [URL]


def test_a_wording_that_is_gone_is_told_in_its_note(corpus):
    gone = cited(corpus, valid_from=date(1999, 1, 1))
    file = dictamen([consulted(Answer(answer="Sí [C1].", citations=(gone,), confidence=0.9))], corpus, DAY)
    assert f"{GONE})" in notes(file)[0]


def test_a_document_of_the_case_is_cited_as_one_and_never_as_law(corpus):
    letter = {"collection": DOCUMENT, "norm_id": "d1", "block_id": "2", "law": "Doc 1", "section": "p. 2"}
    one = cited(corpus, **letter, chapter="carta.pdf", valid_from=None)
    file = dictamen([consulted(Answer(answer="Sí [C1].", citations=(one,), confidence=0.9))], corpus, DAY)
    assert notes(file)[0] == "Doc 1, p. 2 (documento del caso: carta.pdf)."


def test_what_nobody_checked_is_told_in_its_note(corpus):
    named = Source(**cited(corpus, 2).model_dump(include=set(Source.model_fields)))
    answer = Answer(
        answer=f"«{QUOTE}» [C1]. Y además [C2].",
        citations=(cited(corpus, verified=False),),
        sources=(named,),
        confidence=0.4,
    )
    first, second = notes(dictamen([consulted(answer, accepted=False)], corpus, DAY))
    assert "cita no comprobada" in first
    assert "fuente nombrada, sin cita comprobada" in second


def test_the_parts_of_an_answer_are_questions_of_their_own(corpus):
    one = Answer(answer=f"«{QUOTE}» [C1].", citations=(cited(corpus),), confidence=0.9)
    whole = joined(["¿Cuánto?", "¿Y lo otro?"], [one, Answer(answer="No consta.", refusal=True)])
    file = dictamen([consulted(whole, "¿Cuánto? ¿Y lo otro?")], corpus, DAY)
    assert under(file, "Cuestiones")[:2] == ["¿Cuánto?", "¿Y lo otro?"]
    assert under(file, "Conclusiones")[1] == NO_ANSWER.format(number=2)


def test_lists_tables_and_bold_words_are_those_of_word(corpus):
    text = "**Ojo**: dos casos\n- Uno [C1]\n- Dos\n\n| Grupo | Euros |\n| --- | --- |\n| I | 12 |"
    answer = Answer(answer=text, citations=(cited(corpus),), confidence=0.9)
    document = docx.Document(io.BytesIO(dictamen([consulted(answer, accepted=False)], corpus, DAY)))
    bold = [run.text for one in document.paragraphs for run in one.runs if run.bold]
    assert bold == ["Ojo"]
    assert {"Uno", "Dos"} <= {one.text for one in document.paragraphs if one.style.name == "List Bullet"}
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [
        ["Grupo", "Euros"],
        ["I", "12"],
    ]


def test_a_note_names_the_apartado_of_the_quotation_before_it(corpus):
    other = cited(corpus, quote="Lo demás prescribe al año")
    text = f"«{QUOTE}» [C1]. «{other.quote}» [C1]. Las dos cosas [C1]."
    answer = Answer(answer=text, citations=(cited(corpus), other), confidence=0.9)
    file = dictamen([consulted(answer, accepted=False)], corpus, DAY)
    assert [note.partition(" ET")[0] for note in notes(file)] == ["art. 59.3", "art. 59.1", "art. 59"]


def test_notes_side_by_side_do_not_read_as_one_number(corpus):
    answer = Answer(answer="Veinte días [C1][C2].", citations=(cited(corpus), ruled()), confidence=0.9)
    file = dictamen([consulted(answer)], corpus, DAY)
    assert "Veinte días,." in under(file, "Fundamentos")


def test_a_conclusion_has_the_provision_and_no_heading_nor_figure_of_confidence(corpus):
    text = f"**ET, Artículo 59. Prescripción.** «3. {QUOTE}.» [C1]\n«Otra frase entera.» [C1]"
    one = cited(corpus, quote=f"3. {QUOTE}.")
    said = []
    for mode in ("offline", "model"):
        answer = Answer(answer=text, citations=(one,), confidence=0.5, mode=mode)
        said += under(dictamen([consulted(answer)], corpus, DAY), "Conclusiones")
    assert said == [f"Cuestión 1 (art. 59.3 ET). «{QUOTE}.»", f"Cuestión 1. «{QUOTE}.»"]


def test_only_answers_that_a_person_accepts_are_concluded(corpus):
    answers = [Answer(answer=f"Respuesta {n}.", confidence=0.9, mode="model") for n in (1, 2)]
    asked = [consulted(one, f"¿Caso {n}?", accepted=n == 2) for n, one in enumerate(answers, start=1)]
    assert under(dictamen(asked, corpus, DAY), "Conclusiones") == [
        NOT_ACCEPTED.format(number=1),
        "Cuestión 2. Respuesta 2.",
    ]


def test_what_the_asker_tells_is_the_background_and_no_heading(corpus):
    question = "Buenos días. Trabajo en Zaragoza desde 2019. ¿Cuándo caduca la acción?"
    file = dictamen([consulted(Answer(answer="Sí.", confidence=0.9), question)], corpus, DAY)
    assert under(file, "Antecedentes") == ["Quien consulta expone: «Trabajo en Zaragoza desde 2019.»"]
    assert "1. Buenos días. ¿Cuándo caduca la acción?" in under(file, "Fundamentos")
    assert under(file, "Cuestiones")[0] == question


LETTER = {"collection": DOCUMENT, "norm_id": "d1", "block_id": "2", "law": "Doc 1", "section": "p. 2"}
FOLDED = "### También pueden interesar\n\n**LISOS, Artículo 7. Otro.** «Nada de esto responde.» [C9]"


def test_grounds_have_what_is_shown_first_once_and_papers_tell_facts(corpus):
    """An extract as `rag.answers` writes it: law, papers, what is folded, and the same law again."""
    law, paper = f"**ET, Artículo 59. Prescripción.** «{QUOTE}» [C1]", "La despedimos con efectos de hoy."
    text = f"{law}\n\nEn sus documentos:\n\n**Doc 1, p. 2.** «{paper}» [C2]\n\n{FOLDED}"
    aside = cited(corpus, 9, section="Artículo 7. Otro", quote="Nada de esto responde.")
    cites = (cited(corpus), cited(corpus, 2, **LETTER, chapter="carta.txt", quote=paper), aside)
    notes_ = "LISOS · Artículo 7: es de otros.\nVea la ley."
    first = Answer(answer=text, citations=cites, confidence=0.9, notes=notes_)
    again = Answer(answer=f"{law}\n«Otra frase que responde.» [C1]", citations=cites[:1], confidence=0.9)
    file = dictamen([consulted(first), consulted(again, "¿Y lo otro?")], corpus, DAY)
    assert under(file, "Antecedentes") == [f"«{paper}»"]
    assert under(file, "Fundamentos") == [
        "1. ¿Cuándo caduca la acción?",
        f"ET, Artículo 59. Prescripción. «{QUOTE}»",
        "Observación: Vea la ley.",
        "2. ¿Y lo otro?",
        "ET, Artículo 59. Prescripción. «Otra frase que responde.»",
        TOLD.format(number=1, place="art. 59.3 ET"),
    ]


def test_the_facts_of_an_expediente_stand_with_their_papers_and_contradictions(corpus):
    paper = FactSource(
        kind="date", value="01/03/2018", paper="Doc 2", sentence="Antigüedad: 1 de marzo de 2018"
    )
    start = CaseFact(
        key="start", label="Antigüedad", kind="date", value="01/03/2019", by="Ana Sanz", others=(paper,)
    )
    firm = CaseFact(
        key="employer", label="Empresa", value="Invento, S.L.", paper="Doc 1", page=2, sentence="X"
    )
    gap = CaseFact(key="hours", label="Jornada", kind="hours")
    sheet = FactsSheet(facts=(firm, start, gap), problems=("Doc 2: la fecha no existe.",))
    case = Case(name="Despido", papers={"Doc 1": "carta.pdf", "Doc 2": "nomina.pdf"}, sheet=sheet)
    file = dictamen([consulted(Answer(answer="Sí.", confidence=0.9))], corpus, DAY, case=case)
    assert under(file, "Antecedentes") == [
        "Expediente «Despido». Documentos examinados: Doc 1, carta.pdf; Doc 2, nomina.pdf.",
        "Empresa: Invento, S.L.",
        "Antigüedad: 1 de marzo de 2019. Doc 2 dice otra cosa: 1 de marzo de 2018.",
        "Doc 2: la fecha no existe.",
    ]
    assert notes(file) == [
        "Doc 1, p. 2, carta.pdf: «X»",
        "Dato dado por Ana Sanz.",
        "Doc 2, nomina.pdf: «Antigüedad: 1 de marzo de 2018»",
    ]


def test_rows_said_in_words_are_a_table_again_with_one_note(corpus):
    header, rows = "| Días | Prestación |", ["| Desde 360 | 120 |", "| Desde 540 | 180 |"]
    said = [f"Días: Desde {days} · Prestación: {paid} [C1]" for days, paid in ((360, 120), (540, 180))]
    cites = [cited(corpus, quote=one) for one in ("La escala es:", header, *rows)]
    text = "\n".join(["**ET, Artículo 59. Escala.** «La escala es:»", *said])
    answer = Answer(answer=text, citations=tuple(cites), confidence=0.9)
    file = dictamen([consulted(answer)], corpus, DAY)
    table = docx.Document(io.BytesIO(file)).tables[0]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Días", "Prestación"],
        ["Desde 360", "120"],
        ["Desde 540", "180"],
    ]
    assert len(notes(file)) == 1
    assert under(file, "Conclusiones") == [f"Cuestión 1 (art. 59 ET). {TRANSCRIBED.format(number=1)}"]


def test_who_reviewed_and_who_signs_stand_with_their_day(corpus):
    answer = Answer(answer="Sí.", confidence=0.9, mode="model")
    by = "Rosa Gil el 20 de noviembre de 2026"
    asked = [consulted(answer, reviewed=by), consulted(answer, "¿Y?", accepted=False)]
    file = dictamen(asked, corpus, DAY, signer="Ana Sanz")
    signed = "Firmado por Ana Sanz el 22 de noviembre de 2026."
    assert texts(file)[1] == f"{signed} {REVIEWED.format(by=by)}"
    assert under(file, "Conclusiones")[-1] == signed
    accepted = [one.model_copy(update={"accepted": True}) for one in asked]
    assert texts(dictamen(accepted, corpus, DAY, signer="Ana Sanz"))[1] == signed, "nobody reviewed the other"
    with pytest.raises(InputError, match=NOTHING_TO_SIGN):
        dictamen([consulted(answer, accepted=False)], corpus, DAY, signer="Ana Sanz")


@pytest.mark.parametrize(("count", "said"), [(0, NOTHING), (MOST + 1, "elija menos")])
def test_too_few_or_too_many_answers_are_refused_in_a_sentence(corpus, count, said):
    one = consulted(Answer(answer="Sí."))
    with pytest.raises(InputError, match=re.escape(said)):
        dictamen([one] * count, corpus, DAY)


def hostile(corpus, text):
    """A question whose answer, and the law that it cites, are made of one text."""
    citation = cited(corpus, section=text, url=text, norm_id=text[:50], law=text, quote=text or "x")
    answer = Answer(answer=f"{text} [C1]", citations=(citation,), notes=text, confidence=0.5, mode="model")
    return consulted(answer, text)


def test_no_hostile_text_is_more_than_text(corpus):
    """Questions, answers, names of laws and addresses: every part stays XML, without fields or links."""
    controls = "\x00\x0b\ufffe\ud800 { HYPERLINK x }"
    given = [*batches(6, whole=True), controls, 'javascript:alert("x")', "]]><w:fldSimple/>"]
    asked = [hostile(corpus, text) for text in given]
    for first in range(0, len(asked), MOST):
        file = dictamen(asked[first : first + MOST], corpus, DAY)
        docx.Document(io.BytesIO(file))
        for name in ("word/document.xml", "word/footnotes.xml"):
            tree = etree.fromstring(part(file, name).encode())
            assert not tree.xpath("//*[local-name()='fldSimple' or local-name()='instrText']")
        assert all(target.startswith("https://") for target in links(file))
