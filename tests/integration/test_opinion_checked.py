"""An opinion that the citation checker finds right, and wrong where somebody has altered it."""

import io
from collections.abc import Callable, Iterator
from datetime import date

import docx
import pypdfium2
import pytest

from casework.briefs.findings import CitationReport, Kind, State
from domain.accounts import Identity, Role
from service.contract.citations import CitationsRequest
from service.members.member import Member
from service.opinions.formats import Format
from tests.conftest import BOE
from tests.opinions import notes
from tests.real_law import RealLaw

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]
QUESTIONS = (
    "¿Qué plazo hay para reclamar contra un despido?",
    "¿Cuántos días de vacaciones corresponden al año?",
    "¿Cuál es la indemnización por despido improcedente?",
    "¿Qué permisos retribuidos tiene el trabajador?",
    "¿Cuánto dura el periodo de prueba?",
    "¿Cuánto dura la prestación por desempleo?",
    "¿Qué causas de suspensión del contrato de trabajo hay?",
)
GREEN = {State.IN_FORCE, State.EXACT}
LEAST, LONG, PAGES = 30, 8, 5
"""Citations of the opinion at least; words of a paragraph that is altered; pages of three questions."""
Made = Callable[..., bytes]


@pytest.fixture(scope="module")
def ana(real_law: RealLaw) -> Member:
    who = Identity(id="ana", username="ana", name="Ana", roles=(Role.LAWYER,))
    return Member(real_law.program, who)


@pytest.fixture(scope="module")
def made(ana: Member) -> Iterator[Made]:
    """Makes an opinion of the answers to the first questions, all accepted, in a format."""
    conversation = ana.conversations.create("Despido").id
    chosen = []
    for question in QUESTIONS:
        run = ana.runs.start(conversation, question)
        assert run.done.wait(60)
        chosen.append(run.message_id)

    def make(kind: Format, count: int = len(QUESTIONS)) -> bytes:
        return ana.opinions.dictamen(conversation, chosen[:count], kind, accepted=chosen[:count])

    assert list(ana.opinions.answers(conversation)) == chosen
    yield make
    ana.conversations.delete(conversation)


@pytest.fixture(scope="module")
def opinion(made: Made) -> bytes:
    return made(Format.WORD)


def checked(ana: Member, file: bytes, name: str = "dictamen.docx") -> CitationReport:
    return ana.law.citations(CitationsRequest(text=ana.law.brief(name, file)))


def altered(file: bytes, place: int, old: str, new: str) -> bytes:
    """The file with words of one paragraph changed, as somebody does in Word."""
    document = docx.Document(io.BytesIO(file))
    for run in document.paragraphs[place].runs:
        if old in run.text:
            run.text = run.text.replace(old, new, 1)
            break
    else:
        pytest.fail(f"no run of paragraph {place} has «{old}»")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize("kind", [Format.WORD, Format.MARKDOWN])
def test_every_citation_of_our_own_opinion_is_right(ana: Member, made: Made, kind: Format) -> None:
    report = checked(ana, made(kind), f"dictamen.{kind.value}")
    wrong = [(one.text, one.state, one.said) for one in report.findings if one.state not in GREEN]
    assert wrong == []
    assert report.counts[State.EXACT] >= LEAST
    named = [one.text for one in report.findings if one.kind is Kind.PROVISION]
    assert any(one.startswith("art. 103") for one in named), "the notes are read"


def test_an_opinion_has_a_note_for_each_citation_and_few_pages(made: Made, opinion: bytes) -> None:
    assert len(notes(opinion)) >= LEAST
    assert len(pypdfium2.PdfDocument(made(Format.PDF, 3))) <= PAGES


def test_a_quotation_altered_by_hand_is_found_and_only_that_one(ana: Member, opinion: bytes) -> None:
    document = docx.Document(io.BytesIO(opinion))
    paragraphs = [one.text for one in document.paragraphs]
    sought = "dentro de los veinte días hábiles"
    places = [place for place, text in enumerate(paragraphs) if sought in text]
    assert len(places) > 1, "the grounds and the conclusions have it"
    for place in places:
        file = altered(opinion, place, "veinte días", "treinta días")
        bad = [one for one in checked(ana, file).findings if one.state not in GREEN]
        assert bad and all("treinta días" in one.text for one in bad)
        assert all(one.state is State.DIFFERENT for one in bad)
        assert all({"treinta", "veinte"} <= {run.text.strip() for run in one.runs} for one in bad)


def test_a_word_left_out_of_any_quotation_is_found(ana: Member, opinion: bytes) -> None:
    document = docx.Document(io.BytesIO(opinion))
    quoted = [
        (place, one.text)
        for place, one in enumerate(document.paragraphs)
        if one.text.count("«") == 1 and one.text.startswith("«") and len(one.text.split()) >= LONG
    ]
    assert len(quoted) >= LONG
    for place, text in quoted[:: len(quoted) // 6]:
        word = max(text.split()[2:-2], key=len)
        report = checked(ana, altered(opinion, place, f" {word}", ""))
        bad = [one.state for one in report.findings if one.state not in GREEN]
        assert bad == [State.DIFFERENT], (text, word)


def test_the_law_of_another_day_is_told_of_an_opinion_that_states_todays(ana: Member, opinion: bytes) -> None:
    text = ana.law.brief("dictamen.docx", opinion)
    report = ana.law.citations(CitationsRequest(text=text, as_of=date(2015, 1, 1)))
    assert set(report.counts) - GREEN
