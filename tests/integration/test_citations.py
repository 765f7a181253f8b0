"""`citations`: briefs held against an invented corpus: states, bad input, who may, and what is recorded."""

import json
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

import cli
from casework.briefs.findings import CitationReport, Finding, Kind, State
from core.errors import ArticuladoError, Forbidden, InputError
from domain.accounts import Identity, Role
from service import config
from service.contract.citations import CitationsRequest, CommentedRequest, citations
from service.members.member import Member
from service.program.assembly import App
from tests.boe_server import write_norm
from tests.case_files import pairs
from tests.commented_files import assert_nothing_else_changed, told
from tests.homes import new_program
from tests.office_files import pdf
from tests.pages.corpus import NORM, write_corpus
from tests.word_files import p, run, word_xml
from text.textnorm import encodable

TODAY = date(2026, 6, 1)
GONE = "BOE-A-2003-3"
LIST = (
    "20030201",
    GONE,
    "Luces\n1. El farero no podrá apagar la luz de noche, salvo orden del capitán del puerto.\n"
    "2. Son luces del puerto:\na) La blanca, que se ve desde el mar abierto.\nb) La roja.",
)
GONE_LAW = ("20030201", GONE, "Derogación\nQueda derogada la Ley 7/1990, de 1 de mayo, de faros.")
REPEALED = ("20100101", GONE, "Bocinas\n(Derogado)")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two norms of the pages' tests and one with apartados, letters and a repealed article."""
    source = write_corpus(tmp_path_factory.mktemp("norms"))
    write_norm(
        source,
        GONE,
        {
            "1": [LIST],
            "2": [("20030201", GONE, "Bocinas\nLas bocinas suenan con niebla."), REPEALED],
            "dd única": [GONE_LAW],
        },
        title="Ley 3/2003, de 3 de enero, de faros",
        numero_oficial="3/2003",
        fecha_publicacion="20030104",
        fecha_vigencia="20030201",
    )
    made = tmp_path_factory.mktemp("citations") / "home"
    program = new_program(made)
    program.loading.ingest([source])
    program.close()
    return made


@pytest.fixture(scope="module")
def program(home: Path) -> Iterator[App]:
    made = new_program(home)
    yield made
    made.close()


def checked(program: App, text: str, day: date | None = TODAY) -> CitationReport:
    return citations(program, CitationsRequest(text=encodable(text), as_of=day))


def only(program: App, text: str, day: date | None = TODAY) -> Finding:
    (found,) = checked(program, text, day).findings
    return found


@pytest.mark.parametrize("ends", ["1 a 2", "2 a 1", "2 a 9", "9 a 1", "1 a 1"])
def test_a_range_of_articles_may_be_written_in_any_order(program: App, ends: str) -> None:
    found = only(program, f"Se citan los artículos {ends} de la Ley 3/2003, de faros.")
    assert found.state is (State.MISSING if "9" in ends else State.IN_FORCE)
    assert ("Derogados: 2." in found.warning) is ("2" in ends)


@pytest.mark.parametrize(("text", "state"), pairs("brief_states", "Preceptos, normas y sentencias"))
def test_a_reference_has_its_state_on_the_day(program: App, text: str, state: str) -> None:
    brief, _, day = text.rstrip("]").partition(" [")
    assert only(program, brief, date.fromisoformat(day) if day else TODAY).state == state


def quoted(program: App, words: str, of: str, day: date = TODAY, says: str = "dispone") -> Finding:
    report = checked(program, f"El {of} {says}: «{words}».", day)
    return next(one for one in report.findings if one.kind == "cita literal")


@pytest.mark.parametrize(("text", "state"), pairs("brief_states", "Citas literales"))
def test_a_quotation_has_its_state(program: App, text: str, state: str) -> None:
    (found,) = (one for one in checked(program, text).findings if one.kind is Kind.QUOTATION)
    assert found.state == state


def test_a_past_wording_is_told_with_its_days_and_a_later_one_is_not_yet_in_force(program: App) -> None:
    past = quoted(program, "El descanso dura quince días", "art. 2 de la Ley 1/2001", says="disponía")
    assert past.state is State.CHANGED
    assert past.since == date(2020, 1, 1)
    assert "del 1 de febrero de 2001 al 31 de diciembre de 2019" in past.said
    day = date(2010, 1, 1)
    says = "dirá, en la redacción futura"
    later = quoted(program, "El descanso dura veinte días", "art. 2 de la Ley 1/2001", day, says)
    assert (later.state, later.since) == (State.NOT_YET, date(2020, 1, 1))


def test_words_of_another_day_presented_as_the_law_are_different_and_their_days_are_told(
    program: App,
) -> None:
    one = quoted(program, "El descanso dura quince días", "art. 2 de la Ley 1/2001")
    assert "vigente del 1 de febrero de 2001 al 31 de diciembre de 2019" in one.said
    assert [run.text.strip() for run in one.runs if run.kind.value != "equal"] == ["veinte", "quince"]


@pytest.mark.parametrize(
    "text",
    [
        "La carta dice: «ha abandonado usted su puesto sin dar ninguna explicación».",
        "Rige el art. 1 de la Ley 3/2003. El testigo declaró: «yo no vi a nadie en el faro aquella noche».",
        "El art. 1 de la Ley 3/2003, y la carta dice: «ha abandonado usted su puesto sin explicación».",
        "Dicen ustedes, con cita del art. 1 de la Ley 3/2003, que «su conducta rompe la fe del patrón».",
        "El art. 1 de la Ley 3/2003. Turno. (Doc 2, p. 1, pacto.docx: «el farero no podrá apagar la luz de "
        "noche, salvo orden del alcalde del puerto».)",
        "El art. 1 de la Ley 3/2003. «El farero no podrá apagar la luz de noche, salvo orden del alcalde del "
        "puerto.» (Doc 2, p. 1 (documento del caso: pacto.docx).)",
    ],
)
def test_words_that_nothing_makes_those_of_a_norm_are_counted_and_no_finding(program: App, text: str) -> None:
    report = checked(program, text)
    assert report.unattributed == 1
    assert [one for one in report.findings if one.kind == "cita literal"] == []


@pytest.mark.parametrize(
    "text",
    [
        "El testigo declaró: «a mí me dijeron que el art. 9 de la Ley 1/2001 me daba la razón».",
        "Firma 'el farero; de noche\nSegún el art. 9 de la Ley 1/2001 no cabe recurso\nNada' más.",
    ],
)
def test_a_citation_in_words_of_nobody_or_between_stray_marks_is_checked_too(program: App, text: str) -> None:
    report = checked(program, text)
    assert [(one.text, one.state) for one in report.findings] == [("art. 9 de la Ley 1/2001", State.MISSING)]


def test_altered_law_that_nothing_cites_beside_it_is_found_in_a_norm_that_the_brief_names(
    program: App,
) -> None:
    text = (
        "La Ley 3/2003, de 3 de enero, obliga.\n\nTodo el mundo sabe que «el farero no podrá apagar la luz "
        "de noche, salvo orden del alcalde del puerto»."
    )
    (_, one) = checked(program, text).findings
    assert one.state is State.DIFFERENT and "se parece a Ley 3/2003, artículo 1" in one.said
    assert checked(program, text.partition("\n\n")[2]).findings == ()


def test_a_bare_name_of_a_norm_is_told_only_if_something_is_wrong_with_it(program: App) -> None:
    assert checked(program, "Lo dice el Estatuto de los Trabajadores.").findings == ()
    assert only(program, "Lo dice la Ley 1/2001.").state is State.IN_FORCE


def test_where_misplaced_words_stand_and_what_was_changed_are_told(program: App) -> None:
    words = "El farero no podrá apagar la luz de noche, salvo orden del capitán"
    assert "Ley 3/2003, artículo 1, apartado 1" in quoted(program, words, "art. 2 de la Ley 1/2001").said
    changed = quoted(
        program, "El farero podrá apagar la luz de noche, salvo orden", "art. 1 de la Ley 3/2003"
    )
    assert [(run.kind.value, run.text.strip()) for run in changed.runs if run.kind.value != "equal"] == [
        ("delete", "no")
    ]


def test_a_quotation_that_begins_behind_the_no_of_its_verb_is_different_and_shows_it(program: App) -> None:
    one = quoted(program, "podrá apagar la luz de noche", "art. 1 de la Ley 3/2003")
    assert one.state is State.DIFFERENT and "«no»" in one.said
    assert next((run.kind, run.text.strip()) for run in one.runs) == ("delete", "no")


@pytest.mark.parametrize(
    "before",
    [
        "no",
        "ni",
        "nunca",
        "tampoco",
        "jamás",
        "nadie",
        "en ningún caso",
        "ningún farero",
        "prohíbe que",
        "nunca se",
    ],
)
def test_a_no_outside_the_marks_counts_as_quoted(program: App, before: str) -> None:
    text = f"Según el art. 1 de la Ley 3/2003, el farero {before} «podrá apagar la luz de noche»."
    found = [one for one in checked(program, text).findings if one.kind is Kind.QUOTATION]
    assert [one.state for one in found] == [State.EXACT]


def test_a_quotation_that_leaves_out_a_condition_is_exact_with_a_warning(program: App) -> None:
    one = quoted(program, "no podrá apagar la luz de noche", "art. 1 de la Ley 3/2003")
    assert "«salvo»" in one.warning


def test_a_summary_is_no_law_to_hold_a_brief_against(program: App, tmp_path: Path) -> None:
    summary = tmp_path / "resumen.md"
    summary.write_text(
        "---\nid: X-R\ntitle: Ley 8/2031, de 5 de mayo, de faros\nrank: Ley\nnumber: 8/2031\n"
        "official: false\n"
        "valid_from: 2001-01-01\n---\n\n#### Artículo 1. Faros.\n\nLos faros lucen.\n"
    )
    other = new_program(tmp_path / "home")
    try:
        other.loading.ingest([summary])
        one = only(other, "Véase el art. 9 de la Ley 8/2031.")
        assert one.state is State.NOT_LOADED and "resumen" in one.said
    finally:
        other.close()


# Bad input


def test_a_brief_without_citations_has_none(program: App) -> None:
    assert checked(program, "Estimado señor: le saludo atentamente.").findings == ()


@pytest.mark.parametrize("text", ["", " \n\t ", "…—«»"])
def test_nothing_to_check_is_told(program: App, text: str) -> None:
    with pytest.raises(InputError, match="pegue el escrito"):
        checked(program, text)


def test_half_characters_and_a_wall_of_marks_do_no_harm(program: App) -> None:
    assert only(program, "el art. 2 \ud800de la Ley 1/2001\x00").state in set(State)
    assert checked(program, "«" * 5000 + "art. " * 3000 + "apartado 1 del " * 2000) is not None


def member(program: App, *roles: Role) -> Member:
    return Member(program, Identity(id="ana", username="ana", name="Ana", roles=roles, session="s"))


@pytest.mark.parametrize(
    ("name", "contents", "why"),
    [
        ("vacio.txt", b"", "vacío"),
        ("foto.png", b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "imagen"),
        ("raro.pdf", b"%PDF-1.7 nada", "raro.pdf"),
        ("ruido.txt", bytes(range(256)) * 40, "ruido.txt"),
        ("viejo.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "DOCX"),
        ("escaneado.pdf", pdf([bytes(range(64))] * 2), "escaneado.pdf"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_in_one_sentence(
    program: App, name: str, contents: bytes, why: str
) -> None:
    with pytest.raises(ArticuladoError) as raised:
        member(program, Role.LAWYER).law.brief(name, contents)
    assert why in str(raised.value) and name in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_too_large_is_refused_before_it_is_read(program: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.contract.citations.MOST_BYTES", 10)
    with pytest.raises(InputError, match=r"gordo\.txt: tiene más de"):
        member(program, Role.LAWYER).law.brief("gordo.txt", b"x" * 11)


def test_a_word_file_is_read_like_its_text(program: App) -> None:
    text = "El art. 2 de la Ley 1/2001 dispone: «El descanso dura veinte días»."
    read = member(program, Role.LAWYER).law.brief("escrito.docx", word_xml(p(run(text))))
    assert [one.state for one in checked(program, read).findings] == [State.IN_FORCE, State.EXACT]


@pytest.mark.parametrize(("content", "why"), [("á", "base64"), ("", "vacío"), ("RWwgYXJ0LiA5LgoK", "docx")])
def test_only_a_word_file_in_base64_is_commented(program: App, content: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        member(program, Role.LAWYER).law.commented(CommentedRequest(name="e.docx", content=content))


# Who may, and what stays


def test_whoever_reads_may_check_and_only_the_fact_is_recorded(program: App, home: Path) -> None:
    secret = "Filomena Zurrutúa cita el art. 2 de la Ley 1/2001"
    ana = member(program, Role.LAWYER)
    ana.law.citations(CitationsRequest(text=ana.law.brief("demanda de Filomena.txt", secret.encode())))
    checking, reading, *_ = program.audit.log.entries()
    assert (checking.action.value, checking.target) == ("searched", "citations")
    assert (reading.action.value, reading.target) == ("read", "brief")
    assert checking.detail == {"characters": str(len(secret))}
    held = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert not any(b"Filomena" in contents for contents in held)


def test_nobody_without_the_permission_may(program: App) -> None:
    nobody = member(program)
    with pytest.raises(Forbidden):
        nobody.law.citations(CitationsRequest(text="el art. 2 ET"))
    with pytest.raises(Forbidden):
        nobody.law.brief("a.txt", b"x")
    with pytest.raises(Forbidden):
        nobody.law.in_margin("a.docx", b"x", CitationReport(as_of=TODAY, revision="", characters=0))


# On the command line


@pytest.fixture
def installed(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ARTICULADO_HOME", str(home))
    monkeypatch.setenv("EMBEDDINGS_PROVIDER", "none")
    config.settings.cache_clear()
    yield
    config.settings.cache_clear()


def test_the_command_prints_each_citation_and_fails_when_one_is_bad(
    installed: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "demanda.txt"
    path.write_text("Véanse el art. 2 de la Ley 1/2001 y el art. 9 de la Ley 1/2001.")
    assert cli.main(["citations", str(path), "--date", "2026-06-01"]) == 1
    shown = capsys.readouterr().out
    assert "✔ vigente · art. 2 de la Ley 1/2001" in shown and "✘ no existe" in shown
    path.write_text("Véase el art. 2.1 de la Ley 1/2001.")
    assert cli.main(["citations", str(path), "--date", "2010-01-01", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["as_of"] == "2010-01-01"
    (one,) = document["findings"]
    assert (one["state"], one["since"], one["norm_id"]) == ("modificada desde", "2020-01-01", NORM)


def test_the_command_writes_the_word_file_with_comments_once(
    installed: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy = tmp_path / "demanda.docx", tmp_path / "copia.docx"
    path.write_bytes(before := word_xml(p("Véanse el art. 2 de la Ley 1/2001 y el art. 9 de la Ley 1/2001.")))
    assert cli.main(["citations", str(path), "--date", "2026-06-01", "--word", str(copy)]) == 1
    assert "✘ no existe" in capsys.readouterr().out
    (found,) = told(after := copy.read_bytes())
    assert found.words == "art. 9 de la Ley 1/2001" and found.text.startswith("No existe. ")
    assert_nothing_else_changed(before, after)
    assert cli.main(["citations", str(path), "--word", str(copy)]) == 1
    assert "ya existe" in capsys.readouterr().err and copy.read_bytes() == after


def test_a_file_that_is_not_there_is_one_line(
    installed: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = os.fspath(tmp_path / "no.txt")
    assert cli.main(["citations", missing]) == 1
    assert capsys.readouterr().err.strip().startswith(f"{missing} no se puede leer")
