"""`cli.py verify`: the quotations of a stored answer, checked again."""

import io
import json
from contextlib import redirect_stdout

import pytest

import cli
from rag.answers.doubts import DENIED, TOLD
from service import config
from tests.homes import lexical_program


def asked(question):
    """Output of `ask --json`."""
    with redirect_stdout(io.StringIO()) as printed:
        assert cli.main(["ask", question, "--json"]) == 0
    return printed.getvalue()


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """The commands work on a home with the invented corpus, which they leave as it is."""
    made = tmp_path_factory.mktemp("verify") / "home"
    with lexical_program(made):
        pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARTICULADO_HOME", str(made))
        patch.setenv("EMBEDDINGS_PROVIDER", "none")
        config.settings.cache_clear()
        yield
    config.settings.cache_clear()


@pytest.fixture(scope="module")
def answer(home):
    return asked("¿Cuántos días de vacaciones me corresponden al año?")


@pytest.fixture
def stored(answer, tmp_path):
    path = tmp_path / "respuesta.json"
    path.write_text(answer, "utf-8")
    return path


def changed(path, change):
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")
    return path


def checked(path, capsys):
    code = cli.main(["verify", str(path), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_an_answer_as_it_was_given_is_checked_with_the_wording_it_names(stored, capsys):
    code, document = checked(stored, capsys)
    assert code == 0 and document["verified"]
    first = document["citations"][0]
    assert first["outcome"] == "comprobada"
    assert len(first["wording_sha256"]) == 64 and first["wording_sha256"] == first["found_sha256"]
    assert {"norm_id", "article", "valid_from"} <= set(first)


def one(field, value):
    def change(document):
        document["citations"][0][field] = value

    return change


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (one("quote", "Toda persona trabajadora tiene derecho a cuarenta días"), "no consta"),
        (one("wording_sha256", "0" * 64), "otra redacción"),
        (one("valid_from", "1999-01-01"), "no está en el corpus"),
        (one("norm_id", "OTRA"), "no está en el corpus"),
    ],
)
def test_a_changed_quotation_or_wording_is_found(stored, capsys, change, outcome):
    code, document = checked(changed(stored, change), capsys)
    assert code == 1 and not document["verified"]
    assert document["citations"][0]["outcome"] == outcome


def test_a_quotation_slipped_into_the_text_of_the_answer_is_found(stored, capsys):
    def slip(document):
        document["answer"] += " Y «las vacaciones se podrán cambiar siempre por dinero»."

    code, document = checked(changed(stored, slip), capsys)
    assert code == 1
    assert document["false_marks"] == ["las vacaciones se podrán cambiar siempre por dinero"]


def test_what_the_program_tells_beside_a_sentence_is_no_false_mark(stored, capsys):
    def tell(document):
        document["answer"] += TOLD.format(
            reasons=DENIED.format(there="no se podrán cambiar nunca por dinero…")
        )

    code, document = checked(changed(stored, tell), capsys)
    assert (code, document["false_marks"]) == (0, [])


def test_what_the_person_quotes_in_a_question_of_a_long_text_is_no_false_mark(tmp_path, capsys):
    story = "En la empresa le tratan bien desde hace años y no quiere problemas con nadie. " * 14
    question = "¿Es verdad que «las vacaciones se pueden cambiar siempre por dinero» al año?"
    path = tmp_path / "larga.json"
    path.write_text(asked(f"{story}\n{question}\n¿Y cuántas horas extraordinarias puede hacer?"), "utf-8")
    code, document = checked(path, capsys)
    assert (code, document["false_marks"]) == (0, [])
    assert "cambiar siempre por dinero" in json.loads(path.read_text("utf-8"))["parts"][0]["question"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"answer": 3, "citations": [], "sources": []}', "[" * 9999]
)
def test_what_is_no_answer_is_told_in_one_sentence(tmp_path, capsys, text):
    path = tmp_path / "otra.json"
    path.write_text(text, "utf-8")
    assert cli.main(["verify", str(path)]) == 1
    error = capsys.readouterr().err
    assert "no es la salida de «ask --json»" in error and "Traceback" not in error
