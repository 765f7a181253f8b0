"""Inspection of a question's retrieval: rankings, the place of one article, differences between runs."""

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from core.errors import NotFound
from law.chunks import article_of
from rag.evaluation.article_standing import standing
from rag.evaluation.rankings import INDEXED, RANKINGS, Change, Inspection, Options, changes, inspect
from rag.run.pipeline import retrieve
from service.program.assembly import App
from tests.conftest import DATA, Maker

DAY = date(2024, 5, 1)
VACATIONS = "¿Cuántos días de vacaciones tengo?"


def look(program: App, question: str = VACATIONS, **options: object) -> Inspection:
    return asyncio.run(inspect(question, program.services, Options(**options), as_of=DAY))


def test_the_last_rankings_are_those_of_the_pipeline(program: App) -> None:
    found = look(program)
    state, _ = asyncio.run(retrieve(VACATIONS, program.services, as_of=DAY))
    order = list(dict.fromkeys(article_of(hit.chunk.id) for hit in state.ranked))
    assert [place.article for place in found.rankings["reranked"]] == order
    fused = list(dict.fromkeys(article_of(hit.chunk.id) for hit in state.candidates))
    assert [place.article for place in found.rankings["fused"]] == fused
    assert set(found.rankings) == set(RANKINGS)


@pytest.mark.parametrize(
    ("name", "score"), [("dense", "dense"), ("sparse", "sparse"), ("questions", "question")]
)
def test_a_ranking_of_the_index_has_the_scores_that_the_search_saw(
    make_program: Maker, tmp_path: Path, name: str, score: str
) -> None:
    path = tmp_path / "preguntas.md"
    path.write_text(
        "---\nid: X-PREGUNTAS\npublished: 2020-02-01\nlaw: Ley de prueba\n---\n#### Artículo 1. Descanso.\n"
        f"<!-- questions: {VACATIONS} | ¿Cuándo se descansa? -->\n\nCada año se descansa un mes.\n"
    )
    found = look(make_program([DATA, path]))
    of_chunk = {place.chunk_id: place.score for place in found.rankings[name]}
    seen = {hit.chunk.id: getattr(hit, score) for hit in found.state.candidates}
    shared = {key for key in of_chunk.keys() & seen.keys() if seen[key] is not None}
    assert shared
    assert {key: of_chunk[key] for key in shared} == pytest.approx({key: seen[key] for key in shared})
    scores = list(of_chunk.values())
    assert scores == sorted(scores, reverse=True)


def test_an_article_of_many_parts_counts_once_in_each_ranking(make_program: Maker, tmp_path: Path) -> None:
    long = "\n\n".join(
        f"{n}. Las vacaciones inventadas del grupo {n} {'duran ' * 90}mucho." for n in range(1, 9)
    )
    path = tmp_path / "larga.md"
    path.write_text(
        f"---\nid: X-LARGA\npublished: 2020-02-01\nlaw: Ley larga\n---\n#### Artículo 1. Larga.\n\n{long}\n"
    )
    found = look(make_program([DATA, path]))
    parts = {hit.chunk.id for hit in found.state.candidates if hit.chunk.norm_id == "X-LARGA"}
    assert len(parts) > 1
    for places in found.rankings.values():
        articles = [place.article for place in places]
        assert len(articles) == len(set(articles))


def test_what_is_shown_of_each_ranking_has_its_text(program: App) -> None:
    found = look(program)
    assert {place.chunk_id for places in found.rankings.values() for place in places[:20]} == set(
        found.chunks
    )


def test_without_vectors_only_the_words_rank(make_program: Maker) -> None:
    program = make_program([DATA])
    program.models.embedder = None
    program.keeper.reindex()
    found = look(program)
    assert found.rankings["dense"] == found.rankings["questions"] == ()
    assert found.rankings["sparse"]


def test_no_model_is_asked(program: App) -> None:
    assert look(program).trace.mode == "offline"


def test_the_first_article_has_no_gap_with_itself(program: App) -> None:
    found = look(program)
    first = found.state.ranked[0].chunk
    stood = standing(found, f"art. {first.label} {first.alias}", program.services)
    assert stood.candidate
    assert stood.kept
    assert stood.would_be == stood.ranks["reranked"] == 1
    assert all(own == best for _, own, best in stood.gaps)


def test_the_gaps_of_an_article_add_up_to_what_parts_it_from_the_first(program: App) -> None:
    found = look(program)
    last = found.state.ranked[-1]
    stood = standing(found, f"art. {last.chunk.label} de la {last.chunk.law}", program.services)
    assert stood.features == dict(last.features)
    assert stood.best_features == dict(found.state.ranked[0].features)
    differences = [own - best for _, own, best in stood.gaps]
    assert differences == sorted(differences)
    assert sum(differences) < 0


def test_an_article_that_was_no_candidate_is_told_its_would_be_place(program: App) -> None:
    found = look(program)
    hits = [hit for hit in found.state.candidates if (hit.chunk.alias, hit.chunk.label) != ("LTF", "7")]
    found.state.candidates = hits
    found.state.ranked = [hit for hit in found.state.ranked if hit.chunk.id in {one.chunk.id for one in hits}]
    found = replace(found, trace=found.trace.model_copy(update={"stages": ()}))
    stood = standing(found, "art. 7 LTF", program.services)
    assert not stood.candidate
    assert not stood.kept
    assert 1 <= stood.would_be <= len(hits) + 1
    assert stood.features


def test_an_article_that_the_question_names_goes_in_front(program: App) -> None:
    found = look(program, "¿Qué dice el art. 7 LTF sobre las vacaciones?")
    stood = standing(found, "art. 7 LTF", program.services)
    assert stood.named
    assert stood.would_be == 1
    assert any(stood.ranks[name] for name in INDEXED)


def test_without_reranking_the_features_are_still_weighed(program: App) -> None:
    found = look(program, rerank="none")
    assert not any(hit.features for hit in found.state.ranked)
    assert standing(found, "art. 2 LTF", program.services).features


@pytest.mark.parametrize("text", ["vacaciones", "", "art. 99 LTF", "art. 3", "Ley 90/2019"])
def test_an_article_that_cannot_be_found_is_told(program: App, text: str) -> None:
    with pytest.raises(NotFound, match=r"[.»]$"):
        standing(look(program), text, program.services)


def test_the_differences_of_two_runs_are_the_places_of_what_each_kept(program: App) -> None:
    before, after = look(program).trace, look(program, rerank="none").trace
    found = changes(before, after)
    kept = [one.chunk_id for one in after.stage("rerank").kept]
    assert [one.chunk_id for one in found if one.after] == kept
    assert {one.chunk_id for one in found if one.before} == {
        one.chunk_id for one in before.stage("rerank").kept
    }
    assert all(one.before == one.after for one in changes(before, before))


def test_a_run_that_kept_nothing_loses_everything(program: App) -> None:
    before = look(program).trace
    empty = before.model_copy(update={"stages": ()})
    assert all(isinstance(one, Change) and one.after is None for one in changes(before, empty))
    assert len(changes(before, empty)) == len(before.stage("rerank").kept)


@pytest.mark.parametrize(
    ("chunk_id", "article"),
    [("X-1/a2@2020-01-01#1", ("X-1", "a2")), ("X-1/dt-2@2020-01-01#12", ("X-1", "dt-2"))],
)
def test_the_article_of_a_chunk_is_its_norm_and_block(chunk_id: str, article: tuple[str, str]) -> None:
    assert article_of(chunk_id) == article
