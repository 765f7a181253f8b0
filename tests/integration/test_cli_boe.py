"""`boe` and `diff` as programs use them, against a replay of the BOE's API."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import cli
from commands import engine
from index.edge import EdgeIndex
from index.points import Fingerprint
from loading.chunking.chunk import CHUNKER
from service import config
from tests.boe_server import BoeServer, Fault, write_norm
from tests.factories import settings_of
from tests.integration.cli.conftest import Result, Run

ID, OTHER, REFORM = "BOE-A-2001-1", "BOE-A-2001-2", "BOE-A-2021-9"
FIRST = ("20010201", ID, "Vacaciones.\n1. Las vacaciones inventadas duran treinta días.")
AMENDED = ("20210501", REFORM, "Vacaciones.\n1. Las vacaciones inventadas duran cuarenta días.")
FUTURE = ("20990101", REFORM, "Vacaciones.\n1. Las vacaciones inventadas duran cincuenta días.")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BoeServer]:
    served = tmp_path / "served"
    write_norm(served, ID, {"1": [FIRST]})
    write_norm(
        served,
        OTHER,
        {"1": [FIRST]},
        title="Ley 2/2001, de 2 de enero, de más pruebas",
        numero_oficial="2/2001",
    )
    with BoeServer(served) as running:
        yield running


@pytest.fixture
def run(
    server: BoeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    chosen = settings_of(
        articulado_home=tmp_path / "home",
        embeddings_provider="none",
        boe_api_url=server.url,
        boe_rate=20,
    )
    monkeypatch.setattr(engine, "settings", lambda: chosen)
    monkeypatch.setattr(config, "settings", lambda: chosen)

    def command(*arguments: str) -> Result:
        capsys.readouterr()
        try:
            code = cli.main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        return Result(code, *capsys.readouterr())

    return command


def reform(server: BoeServer) -> None:
    articles = {
        "1": [FIRST, AMENDED, FUTURE],
        "2": [("20210501", REFORM, "Nuevo.\nTexto inventado y nuevo.")],
    }
    write_norm(server.root, ID, articles, updated="20210501T000000Z")


def test_a_norm_is_added_and_found(run):
    added = run("boe", "add", ID, "--json")
    assert (added.code, added.err) == (0, "")
    (result,) = added.json["results"]
    assert (result["norm_id"], result["outcome"], result["added"]) == (ID, "added", 1)
    assert added.json["index"]["sparse"] == 1
    (hit,) = run("search", "vacaciones", "--mode", "lexical", "--json").json["hits"]
    assert (hit["norm_id"], hit["article"]) == (ID, "1")


def test_an_update_is_told_article_by_article(run, server):
    run("boe", "add", ID, OTHER)
    reform(server)
    said = run("boe", "update")
    assert said.code == 0
    assert (
        "Artículo 1: nueva redacción desde el 1 de mayo de 2021 y el 1 de enero de 2099 (BOE-A-2021-9)"
        in said.out
    )
    assert "Artículo 2: nuevo desde el 1 de mayo de 2021 (BOE-A-2021-9)" in said.out
    assert f"{OTHER}  sin cambios" in said.out


def test_the_articles_that_changed_are_in_the_json(run, server):
    run("boe", "add", ID)
    reform(server)
    (result,) = run("boe", "update", ID, "--json").json["results"]
    assert [(a["label"], a["fate"], a["on"]) for a in result["articles"]] == [
        ("1", "amended", "2099-01-01"),
        ("2", "new", "2021-05-01"),
    ]
    assert result["articles"][0]["wordings"] == ["2021-05-01", "2099-01-01"]


def test_a_list_of_norms_is_read_from_a_file(run, tmp_path):
    path = tmp_path / "normas.txt"
    path.write_text(f"# las mías\n{ID}  # una\n\n{OTHER}\n", "utf-8")
    assert [r["outcome"] for r in run("boe", "add", "--list", str(path), "--json").json["results"]] == [
        "added"
    ] * 2


@pytest.mark.parametrize("content", [None, b"", b"# nada\n", b"\xff\xfe\x00"])
def test_a_list_that_cannot_be_used_is_told(run, tmp_path, content):
    path = tmp_path / "normas.txt"
    if content is not None:
        path.write_bytes(content)
    failed = run("boe", "add", "--list", str(path))
    assert failed.code == 1
    assert "normas.txt" in failed.err


def test_one_that_fails_does_not_stop_the_others_but_ends_in_1(run):
    said = run("boe", "add", "BOE-A-1999-99", ID, "--json")
    assert said.code == 1
    assert [result["outcome"] for result in said.json["results"]] == ["failed", "added"]
    assert said.err.startswith("1 de 2 normas no han entrado: BOE-A-1999-99 no existe en el BOE")
    assert said.err.count("\n") == 1


def test_a_server_that_refuses_ends_in_1_with_one_line(run, server):
    server.script(Fault(403))
    said = run("boe", "add", ID)
    assert (said.code, said.err.count("\n")) == (1, 1)


def test_an_update_of_an_empty_corpus_says_so(run):
    said = run("boe", "update")
    assert (said.code, "no tiene ninguna norma del BOE" in said.out) == (0, True)


def test_the_list_marks_what_the_corpus_has(run):
    run("boe", "add", ID)
    norms = {norm["id"]: norm for norm in run("boe", "list", "--json").json["norms"]}
    assert len(norms) > 60
    assert norms[ID]["loaded"]
    assert not norms["BOE-A-2015-11430"]["loaded"]
    shown = run("boe", "list").out
    assert f"✔ {ID}" in shown
    assert "Prevención de riesgos laborales" in shown


def test_while_the_page_holds_the_index_the_norm_is_stored_all_the_same(run, tmp_path):
    (tmp_path / "home").mkdir()
    page = EdgeIndex(tmp_path / "home" / "index")
    page.open(Fingerprint(embedding="none", dimensions=0, chunker=CHUNKER))
    try:
        said = run("boe", "add", ID, "--json")
        assert said.code == 0
        assert said.json["index"] is None
        assert "lo pone al día con lo guardado" in said.err and "cierre" not in said.err
    finally:
        page.close()
    assert run("search", "vacaciones", "--mode", "lexical", "--json").json["hits"][0]["norm_id"] == ID


def test_diff_shows_the_wording_in_force_against_the_one_before(run, server):
    reform(server)
    run("boe", "add", ID)
    said = run("diff", "art. 1 de la Ley 1/2001")
    assert said.code == 0
    assert "duran [-treinta -]{+cuarenta +}días." in said.out
    assert "Vigente desde el 1 de mayo de 2021; cambia el 1 de enero de 2099" in said.out
