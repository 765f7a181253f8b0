"""Hostile input through doors of its own: long consultations, files for `verify`, days, jobs, search aids."""

import argparse
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from commands.parser import day
from commands.verify import verify_answer
from core.errors import ArticuladoError, InputError, NotFound
from law.norms import BRIEF, Document
from loading.aids.packed_attributes import KEYWORDS, unpacked
from loading.chunking.chunk import chunk_document
from loading.formats import load
from loading.formats.encoding import clean
from loading.formats.word_comments import Comment, write
from loading.ingestion.metadata_corrections import day_of
from models.chat import Turn
from pages.parts.common.render import answer_html
from rag.answers.joined_answers import headed
from rag.question.consultation import LONG, questions, read_turn
from rag.run.runs import MAX_QUESTION, askable
from rag.stages.split import MAX_QUESTION as LONGEST
from rag.stages.split import parse_questions, reads_as_several
from service.contract.program import dumped
from service.contract.verification import StoredAnswer, verify
from service.opinions.keys import signing_key
from service.opinions.verification import check
from service.program.assembly import App
from service.program.leaving import leaving
from tests.factories import make_block, make_norm, save, settings_of
from tests.fakes import MemoryCorpus
from tests.homes import lexical_program
from tests.hostile import TEXTS, invisible, live_html
from tests.hostile_doors import CONSULTATIONS, DAYS, JOBS, LEAVING, SPLIT_REPLIES
from tests.hostile_files import AIDS, ANSWERS, OFFICE, RTF

ELSEWHERE = settings_of(openai_api_key="k", openai_base_url="https://modelo.example/v1")
SENTENCE = re.compile(r"[^\n\r\x00-\x1f]+[.?]")


def is_sentence(error: BaseException) -> bool:
    return SENTENCE.fullmatch(str(error)) is not None and invisible(str(error)) == []


# The box that takes a whole e-mail


@pytest.mark.parametrize("name", CONSULTATIONS)
def test_a_long_text_is_split_into_questions_that_are_drawn_as_text(name: str) -> None:
    text = askable(CONSULTATIONS[name][:MAX_QUESTION])
    assert reads_as_several(text) or len(text) < LONG
    found = questions(text)
    assert len(found) <= 50
    for number, one in enumerate(found):
        shown = headed(number, one.text, "Uno [C1].")
        assert live_html(answer_html(shown)) == []
        assert len(one.whole) <= len(text) * 2
    read = read_turn(Turn(role="user", text=text))
    assert read.gist and read.last


def test_every_hostile_text_in_the_middle_of_a_long_one_leaves_its_question() -> None:
    tale, asked = CONSULTATIONS["three-hidden"], "¿Cuántos días de vacaciones le corresponden?"
    lost = []
    for text in TEXTS:
        whole = askable(f"{tale}\n\n{text[:4000]}\n\n{asked}")
        if not questions(whole):
            lost.append(text[:60])
    assert lost == []


@pytest.mark.parametrize("name", SPLIT_REPLIES)
def test_what_a_model_calls_the_questions_are_questions_of_the_text_or_none(name: str) -> None:
    found, invented = parse_questions(SPLIT_REPLIES[name], "Pregunta por sus vacaciones.")
    assert all(0 < len(one) <= LONGEST for one in found)
    assert set(found.values()) <= {"vacaciones", "vacaciones "} and invented >= 0


# Files for `verify`

TRUE = {"citations-many", "marker-forged", "source-lines", "quote-hidden"}
"""Those that quote the law, whatever they say besides."""


@pytest.fixture(scope="module")
def law() -> argparse.Namespace:
    """A program as `verify` asks it, with one article."""
    corpus = MemoryCorpus()
    save(corpus, make_norm("N-1", make_block("1", "Texto inventado.", since="2020-01-01")))
    program: Any = argparse.Namespace(database=argparse.Namespace(corpus=corpus))
    program.verify = lambda answer: dumped(verify(program, StoredAnswer.model_validate(answer)))
    return argparse.Namespace(verify=program.verify)


@pytest.mark.parametrize("name", ANSWERS)
def test_no_file_for_verify_is_more_than_checked_or_refused(
    law: argparse.Namespace, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / "respuesta.json"
    path.write_bytes(ANSWERS[name])
    for as_json in (True, False):
        try:
            code = verify_answer(law, argparse.Namespace(answer=path, json=as_json))  # type: ignore[arg-type]
        except InputError as error:
            assert is_sentence(error)
            assert "respuesta.json no es la salida de «ask --json»" in str(error)
            return
        out = capsys.readouterr().out
        out.encode("utf-8")
        if as_json:
            document = json.loads(out)
            assert document["verified"] is (code == 0)
            outcomes = {one["outcome"] for one in document["citations"]}
            assert (code == 0) is (outcomes == {"comprobada"} and not document["false_marks"])


@pytest.mark.parametrize("name", ANSWERS)
def test_no_file_passes_for_a_certificate(tmp_path: Path, name: str) -> None:
    signing_key(tmp_path)
    for content in (ANSWERS[name], b'{"certificate":' + ANSWERS[name] + b',"jws":"","key":{}}'):
        found = check(tmp_path, name, content)
        assert not found.sound and len(found.told.splitlines()) == 1
        assert found.state in {"no_certificate", "rewritten", "changed"}


def test_only_what_the_law_says_is_verified(law: argparse.Namespace, tmp_path: Path) -> None:
    path, verified = tmp_path / "respuesta.json", set()
    for name, content in ANSWERS.items():
        path.write_bytes(content)
        try:
            if not verify_answer(law, argparse.Namespace(answer=path, json=True)):  # type: ignore[arg-type]
                verified.add(name)
        except InputError:
            continue
    assert verified == TRUE


def test_no_file_for_verify_adds_a_line_to_what_is_printed(
    law: argparse.Namespace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, lines = tmp_path / "respuesta.json", {}
    for name in sorted(TRUE | {"quote-escape", "norm-path", "quote-bidi"}):
        path.write_bytes(ANSWERS[name])
        verify_answer(law, argparse.Namespace(answer=path, json=False))  # type: ignore[arg-type]
        out = capsys.readouterr().out
        assert invisible(out) == []
        lines[name] = len(out.splitlines())
    assert lines == dict.fromkeys(lines, 3) | {"citations-many": 6000}


# What leaves


@pytest.mark.parametrize("name", LEAVING)
def test_what_would_leave_comes_back_as_it_was_written(name: str) -> None:
    masked = leaving(ELSEWHERE, LEAVING[name], ["D. Luis Gil, DNI 00000001R", LEAVING[name]])
    (text,) = masked.texts
    marks = "|".join(map(re.escape, sorted(masked.values, key=len, reverse=True)))
    restored = re.sub(marks, lambda mark: masked.values[mark[0]], text) if marks else text
    assert "12345678Z" not in text.upper()
    assert clean(restored) == clean(LEAVING[name])


def test_no_hostile_text_keeps_an_identifier_from_being_replaced() -> None:
    left = []
    for text in TEXTS:
        (shown,) = leaving(ELSEWHERE, f"{text[:600]}\n\nDNI 12345678Z\n\n{text[:600]}", []).texts
        if "12345678Z" in shown:
            left.append(text[:60])
    assert left == []


# Another day, and the day of a new wording


@pytest.mark.parametrize("name", DAYS)
def test_what_is_no_day_is_refused_with_a_sentence(name: str) -> None:
    text = DAYS[name]
    try:
        found = day_of(text)
    except InputError as error:
        assert "no es una fecha" in str(error)
    else:
        assert found is None
    with pytest.raises(argparse.ArgumentTypeError, match="no es una fecha"):
        day(text)


# Undoing a load


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with lexical_program(tmp_path_factory.mktemp("doors")) as made:
        yield made


def test_no_hostile_id_undoes_a_load_or_says_more_than_that_there_is_none(program: App) -> None:
    before = program.database.corpus.revision(fresh=True)
    wrong = []
    for text in (*JOBS.values(), *TEXTS):
        for act in (
            partial(program.corrections.undo, "local"),
            program.corrections.discard_job,
            program.database.jobs.cancel,
            program.database.jobs.retry,
        ):
            try:
                act(text)
                wrong.append(text[:60])
            except NotFound as error:
                assert is_sentence(error)
            except ArticuladoError as error:
                wrong.append(f"{text[:60]!r}: {error}")
    assert wrong == []
    assert program.database.corpus.revision(fresh=True) == before


# Search aids and office files


def words(document: Document) -> str:
    """Everything that a document would have stored, but its addresses."""
    kept = document.model_copy(
        update={
            "blocks": tuple(
                block.model_copy(update={"attributes": {**block.attributes, "url": ""}})
                for block in document.blocks
            )
        }
    )
    return json.dumps(kept.model_dump(mode="json"), ensure_ascii=False)


def read(tmp_path: Path, name: str, content: bytes) -> list[Document]:
    """The documents of a file, which are clean; none when it is refused with a sentence that names it."""
    path = tmp_path / name
    path.write_bytes(content)
    try:
        found = load(path)
    except InputError as error:
        assert is_sentence(error), str(error)
        assert str(error).startswith(name)
        return []
    for document in found:
        said = words(document)
        said.encode("utf-8")
        assert invisible(said) == []
        chunk_document(document)
    return found


@pytest.mark.parametrize("name", AIDS)
def test_search_aids_of_a_file_are_clean_or_refused(tmp_path: Path, name: str) -> None:
    read(tmp_path, name, AIDS[name])


def test_no_hostile_text_hides_in_the_search_aids_of_a_file(tmp_path: Path) -> None:
    texts = [clean(text)[:300].replace("-->", "") for text in TEXTS]
    entries = [
        {"law": "Ley", "section": f"Artículo {n}. Uno.", "text": "Texto.", "resumen": text}
        | {"palabras_clave": [text], "preguntas": [text]}
        for n, text in enumerate(texts, 1)
    ]
    (document,) = read(tmp_path, "ayudas.json", json.dumps(entries).encode())
    assert len(document.blocks) == len(texts)
    for block in document.blocks:
        assert all(invisible(word) == [] for word in unpacked(block, KEYWORDS))
    for text in texts:
        aids = f"<!-- block: b1; summary: {' '.join(text.split())} -->"
        read(tmp_path, "ayudas.md", f"# Ley\n\n#### Artículo 1. Uno.\n{aids}\n\nTexto.\n".encode())


@pytest.mark.parametrize("name", OFFICE)
def test_an_office_file_is_read_or_refused_with_a_sentence(tmp_path: Path, name: str) -> None:
    for document in read(tmp_path, name, OFFICE[name]):
        assert document.blocks


@pytest.mark.parametrize("name", OFFICE)
def test_comments_go_into_an_office_file_or_it_is_refused_with_a_sentence(tmp_path: Path, name: str) -> None:
    path, into = tmp_path / "escrito.docx", tmp_path / "comentado.docx"
    path.write_bytes(OFFICE[name])
    try:
        (found,) = load(path, BRIEF)
        comments = [Comment(0, 5, text) for text in ("<b>", "\ud800\x00", "a\n\nb" * 999)]
        write(path, "escrito.docx", comments, into)
    except InputError as error:
        assert is_sentence(error) and not into.exists()
    else:
        assert load(into, BRIEF)[0].blocks == found.blocks
    assert path.read_bytes() == OFFICE[name]


@pytest.mark.parametrize("name", RTF)
def test_rtf_is_refused_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, RTF[name]) == []
