"""Options of the command line, conversations, and the index that it checks and rebuilds."""

from pathlib import Path

from storage.stores import open_database
from tests.integration.cli.conftest import ASK, VACATIONS, Run
from tests.texts import law

# Options


def test_as_of_chooses_the_wordings_in_force_on_that_day(run: Run, tmp_path: Path) -> None:
    law = tmp_path / "ley.md"
    law.write_text(
        "---\nid: X-1\ntitle: Ley inventada\nlaw: Ley Inventada\nvalid_from: 2000-01-01\n---\n"
        "#### Artículo 1. Permiso.\n<!-- block: a1; valid_from: 2000-01-01; valid_to: 2009-12-31 -->\n"
        "El permiso por mudanza será de dos días.\n\n"
        "#### Artículo 1. Permiso.\n<!-- block: a1; valid_from: 2010-01-01 -->\n"
        "El permiso por mudanza será de siete días.\n",
        encoding="utf-8",
    )
    home = tmp_path / "home"
    run(home, "ingest", str(law))

    def texts(*options: str) -> list[str]:
        return [hit["text"] for hit in run(home, "search", "permiso por mudanza", "--json", *options).hits]

    assert ["dos días" in text for text in texts("--as-of", "2009-12-31")] == [True]
    assert ["siete días" in text for text in texts("--as-of", "2010-01-01")] == [True]
    assert ["siete días" in text for text in texts()] == [True]
    assert texts("--as-of", "1999-12-31") == []
    old = run(home, "ask", "¿Cuántos días de permiso por mudanza tengo?", "--as-of", "2005-05-05", "--json")
    assert "dos días" in old.json["answer"]
    assert old.json["trace"]["as_of"] == "2005-05-05"


def test_another_text_of_what_is_loaded_is_told_from_when_it_is_in_force(run: Run, tmp_path: Path) -> None:
    home, old, new = tmp_path / "home", tmp_path / "a" / "una.md", tmp_path / "b" / "una.md"
    for path, days in ((old, "dos"), (new, "siete")):
        path.parent.mkdir()
        path.write_bytes(law("una", {"1": f"El permiso por mudanza será de {days} días."}))

    def texts(*options: str) -> list[str]:
        return [hit["text"] for hit in run(home, "search", "permiso por mudanza", "--json", *options).hits]

    run(home, "ingest", str(old))
    asked = run(home, "ingest", str(new)).err
    assert "Indique desde qué día rige la nueva redacción de «Ley una». Escriba --in-force-from" in asked
    early = run(home, "ingest", str(new), "--in-force-from", "2020-01-01").err
    assert "tiene que regir desde después del 01/01/2020" in early
    assert ["dos días" in text for text in texts()] == [True]

    assert run(home, "ingest", str(new), "--in-force-from", "2024-01-01").code == 0
    assert ["dos días" in text for text in texts("--as-of", "2023-12-31")] == [True]
    assert ["siete días" in text for text in texts("--as-of", "2024-01-01")] == [True]
    again = run(home, "ingest", str(new), "--json")
    assert "no hay nada que cargar" in again.json["documents"][0]["skipped"]

    new.write_bytes(law("una", {"1": "El permiso por mudanza será de nueve días."}))
    assert run(home, "ingest", str(new), "--correct").code == 0
    assert ["nueve días" in text for text in texts()] == [True]
    assert ["dos días" in text for text in texts("--as-of", "2023-12-31")] == [True]


def test_a_text_that_loses_much_of_an_article_asks_before_it_is_loaded(run: Run, tmp_path: Path) -> None:
    home, path = tmp_path / "home", tmp_path / "una.md"
    more = "Serán tres si la mudanza es a otra isla de la misma provincia."
    path.write_bytes(law("una", {"1": f"El permiso por mudanza será de dos días. {more}"}))
    run(home, "ingest", str(path))
    path.write_bytes(law("una", {"1": "El permiso por mudanza será de dos días."}))
    refused = run(home, "ingest", str(path), "--correct")
    assert refused.code == 1
    assert "Pierde más de una décima parte de su texto: Artículo 1. Prueba." in refused.err
    assert "escriba --may-shorten" in refused.err
    assert run(home, "ingest", str(path), "--correct", "--may-shorten").code == 0


def test_lexical_search_needs_no_vectors_and_gives_no_notice(home: Path, run: Run) -> None:
    done = run(home, "search", "vacaciones", "--mode", "lexical", "--json")
    assert done.err == ""
    assert all(hit["dense"] is None and hit["sparse"] > 0 for hit in done.hits)


def test_a_conversation_goes_on_where_it_was(own_home: Path, run: Run) -> None:
    first = run(own_home, "ask", VACATIONS, "--conversation", "new", "--json")
    assert first.code == 0
    name, number = first.err.split()[:2]
    assert name == "conversación"

    second = run(own_home, "ask", "¿Y con qué antelación se conocerá?", "--conversation", number, "--json")

    assert first.json.keys() == second.json.keys() == ASK
    assert "dos meses de antelación" in second.json["answer"]
    decomposed = second.json["trace"]["stages"][1]
    assert "vacaciones" in decomposed["queries"][0]
    database = open_database(f"sqlite:///{own_home / 'articulado.db'}")
    assert [m.role for m in database.conversations.messages("local", number)] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    database.close()


# The index: derived, checked, rebuilt


def test_reindex_keeps_the_order_of_the_results(own_home: Path, run: Run) -> None:
    queries = ["vacaciones", "despido improcedente", "baja médica", "art. 6 bis de la LTF"]

    def ranked(query: str) -> list[tuple[str, float]]:
        return [(hit["chunk_id"], hit["score"]) for hit in run(own_home, "search", query, "--json").hits]

    before = [ranked(query) for query in queries]

    assert run(own_home, "reindex", "--json").json["sparse"] == 14

    assert all(before)
    assert [ranked(query) for query in queries] == before
