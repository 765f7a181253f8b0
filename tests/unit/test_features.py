"""The features of the offline reranker, on invented articles."""

import pytest

from law.norms import BlockKind
from lexicon import regimes
from rag.ranking.chunk_words import heading
from rag.ranking.heuristic import contributions, heuristic_order
from rag.ranking.ranking_features import Asked, Scale, articles, table
from rag.ranking.weights import weights
from rag.shared.hits import Hit
from tests.factories import make_chunk
from text.textnorm import stems


def hit(
    label="1", text="Texto inventado.", *, score=0.5, adapted=None, sparse=None, origin="search", **fields
):
    chunk = make_chunk("N-1", label, text, **fields)
    return Hit(chunk=chunk, score=score, adapted=adapted, sparse=sparse, origin=origin)


def rows(question, *hits, synonyms=(), referring=None, **known):
    found = articles(hits)
    return dict(
        zip(
            [article.best.chunk.label for article in found],
            table(Asked.of(question, synonyms, **known), found, referring),
            strict=True,
        )
    )


def test_the_parts_of_an_article_are_one_candidate_with_the_best_score_of_each_ranking():
    first = hit(text="Primera parte.", adapted=0.8, sparse=9.0)
    second = hit(text="Segunda parte.", part=2, adapted=0.9, sparse=1.0)
    (article,) = articles([second, first])
    assert (article.adapted, article.sparse) == (0.9, 9.0)
    assert len(article.parts) == 2


def test_two_wordings_of_an_article_are_two_candidates():
    assert len(articles([hit(since="2010-01-01"), hit(since="2020-01-01")])) == 2


def test_the_part_that_matches_best_stands_for_its_article():
    worse = hit(text="Primera parte.", adapted=0.80, sparse=2.0, score=0.9)
    better = hit(text="Segunda parte.", part=2, adapted=0.85, sparse=6.0, score=0.1)
    assert articles([worse, better])[0].best.chunk.part == 2


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("Artículo 38. Vacaciones anuales.", "Vacaciones anuales."),
        ("Artículo 48 bis. Permiso.", "Permiso."),
        ("Disposición transitoria tercera. Plazos.", "Plazos."),
        ("Artículo 5", ""),
        ("Preámbulo", "Preámbulo"),
    ],
)
def test_a_heading_is_what_follows_the_label(section, expected):
    assert heading(section) == expected


def test_scores_are_relative_to_the_other_candidates_and_absent_ones_say_nothing():
    scale = Scale([0.8, 0.9, None])
    assert [scale(0.8), scale(0.9), scale(None)] == [0.0, 1.0, 0.0]
    assert Scale([None])(None) == 0.0


def test_an_article_whose_vectors_are_not_made_has_what_others_of_the_same_words_have():
    known = [hit("1", adapted=0.9, sparse=8.0), hit("2", adapted=0.8, sparse=4.0), hit("3", sparse=0.0)]
    new, worse = hit("4", sparse=8.0), hit("5", sparse=0.0)
    told = rows("x", *known, *(one.model_copy(update={"vectorless": True}) for one in (new, worse)))
    assert told["1"]["adapted"] == 1.0
    assert (told["4"]["adapted"] > 0.8, told["5"]["adapted"] < 0.1) == (True, True)
    assert rows("x", *known, new, worse)["4"]["adapted"] == 0.0


def test_nothing_is_expected_of_vectors_when_no_article_has_any():
    told = rows("x", *(hit(str(n), sparse=float(n)).model_copy(update={"vectorless": True}) for n in (1, 2)))
    assert told["1"]["adapted"] == told["2"]["adapted"] == 0.0


def near(label, passage, **scores):
    return hit(label, **scores).model_copy(update={"passage": passage})


def test_the_best_passage_of_an_article_is_compared_with_those_of_the_others():
    first, second = near("1", 0.7, adapted=0.9), near("1", 0.8, adapted=0.9, part=2)
    told = rows("x", first, second, near("2", 0.9, adapted=0.8), near("3", 0.6, adapted=0.8))
    assert [round(told[label]["passage"], 2) for label in "123"] == [0.67, 1.0, 0.0]


def test_an_article_without_vectors_of_passages_has_what_others_as_near_have():
    known = [near("1", 0.9, adapted=0.9), near("2", 0.7, adapted=0.5)]
    told = rows("x", *known, hit("3", adapted=0.9), hit("4", adapted=0.5))
    assert 1.0 > told["3"]["passage"] > told["4"]["passage"] > 0.0
    alone = rows("x", hit("3", adapted=0.9), hit("4", adapted=0.5))
    assert [alone[label]["passage"] for label in "34"] == [told[label]["passage"] for label in "34"]


def test_nothing_is_expected_of_passages_by_words_alone():
    told = rows("x", hit("1", sparse=3.0), hit("2", sparse=1.0))
    assert {row["passage"] for row in told.values()} == {0.0}


def test_without_vectors_the_feature_by_meaning_is_absent():
    found = rows("vacaciones", hit("1", sparse=3.0), hit("2", sparse=1.0))
    assert {row["adapted"] for row in found.values()} == {0.0}
    assert found["1"]["sparse"] == 1.0


def test_a_heading_that_only_says_what_is_asked_is_explained_in_full():
    found = rows(
        "¿Cuánto dura la prestación de cuidado?",
        hit("1", section="Artículo 1. Duración de la prestación."),
        hit("2", section="Artículo 2. Inspección de buques, prestación y registro."),
    )
    assert found["1"]["heading_explained"] == 1.0
    assert found["2"]["heading_explained"] < 0.5
    assert (found["1"]["intent"], found["2"]["intent"]) == (1.0, 0.0)


def test_rare_words_count_more_in_the_coverage():
    rarity = {stem: 10.0 if stem in stems("carroza") else 1.0 for stem in stems("carroza trabajo")}
    found = rows("carroza trabajo", hit("1", "Una carroza."), hit("2", "Un trabajo."), rarity=rarity)
    assert found["1"]["coverage"] == pytest.approx(10 / 11)
    assert found["2"]["coverage"] == pytest.approx(1 / 11)


def test_words_in_their_order_are_told_from_the_same_words_apart():
    found = rows(
        "baja médica",
        hit("1", "La baja médica se comunica."),
        hit("2", "La atención médica sigue a la baja."),
    )
    assert (found["1"]["pairs"], found["2"]["pairs"]) == (1.0, 0.0)


def test_a_phrase_of_the_synonyms_counts_where_it_stands_whole():
    found = rows(
        "el paro",
        hit("1", "La prestación por desempleo."),
        hit("2", "Desempleo."),
        synonyms=["prestación por desempleo"],
    )
    assert (found["1"]["synonym_phrases"], found["2"]["synonym_phrases"]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("kind", "feature"),
    [
        (BlockKind.TRANSITIONAL, "transitional"),
        (BlockKind.FINAL, "final"),
        (BlockKind.REPEALING, "final"),
        (BlockKind.ADDITIONAL, "additional"),
        (BlockKind.PREAMBLE, "preamble"),
    ],
)
def test_the_kind_of_a_provision_is_a_feature_with_a_negative_weight(kind, feature):
    found = rows("plazo", hit("1", kind=kind), hit("2"))
    assert (found["1"][feature], found["2"][feature]) == (1.0, 0.0)
    assert weights().unaided[feature] < 0 >= weights().aided[feature] - 1e-9


@pytest.mark.parametrize(
    ("section", "amending", "dated"),
    [
        ("Disposición final primera. Modificación de la Ley 1/2001, de 3 de mayo.", 1.0, 0.0),
        ("Disposición adicional segunda. Cuantías para el año 2019.", 0.0, 1.0),
        ("Artículo 3. Modificaciones sustanciales de la jornada.", 0.0, 0.0),
    ],
)
def test_provisions_that_amend_other_laws_or_are_of_one_year_are_told(section, amending, dated):
    row = rows("plazo", hit("1", section=section))["1"]
    assert (row["amending"], row["dated"]) == (amending, dated)


def test_a_regulation_and_a_law_are_told_apart_and_a_judgment_is_neither():
    found = rows(
        "plazo", hit("1", rank="Real Decreto"), hit("2", rank="Ley Orgánica"), hit("3", rank="Sentencia")
    )
    assert [found[label]["regulation"] for label in "123"] == [1.0, 0.0, 0.0]


def test_a_norm_that_the_question_names_is_preferred():
    named, other = rows("plazo", hit("1"), norms=["N-1"]), rows("plazo", hit("1"), norms=["N-2"])
    assert (named["1"]["named"], other["1"]["named"]) == (1.0, 0.0)
    assert all(regime["named"] > 0 for regime in weights())


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [("¿Qué jornada tiene una empleada de hogar?", 1.0, 0.0), ("¿Qué jornada tengo?", 0.0, 1.0)],
)
def test_a_special_regime_counts_for_questions_that_name_it_and_against_the_others(question, said, unsaid):
    row = rows(question, hit("1", section="Artículo 1. Jornada en el servicio del hogar familiar."))["1"]
    assert (row["regime_said"], row["regime_unsaid"]) == (said, unsaid)


def test_articles_that_good_candidates_refer_to_gain():
    source, target, other = hit("1", sparse=5.0), hit("2", sparse=1.0), hit("3", sparse=1.0)
    found = rows("plazo", source, target, other, referring={source.chunk.id: [target.chunk.id]})
    assert found["2"]["referred"] > found["3"]["referred"] == 0.0


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("¿Cuánto tiempo puedo estar fuera?", "duración"),
        ("¿Cuánto cobro?", "cuantía"),
        ("¿Qué requisitos hay?", "requisitos"),
        ("¿Qué es un festejo?", "concepto"),
        ("¿Es compatible con otra?", "compatibilidad"),
    ],
)
def test_what_a_question_asks_for_maps_to_words_of_headings(question, word):
    assert set(stems(word)) <= regimes.heading_stems(question)


def test_the_longest_phrase_of_a_question_tells_its_intent():
    shown = regimes.heading_stems("¿Cuánto tiempo?")
    assert set(stems("duración")) <= shown
    assert not set(stems("cuantía")) & shown


@pytest.mark.parametrize(
    ("other", "meant", "regime"),
    [
        ("¿necesito abogado para el juicio?", "soy abogada en un bufete", "lawyers"),
        ("me lo dijo el director de la oficina", "soy director general de la empresa", "management"),
    ],
)
def test_a_question_names_a_regime_only_in_its_sense(other, meant, regime):
    assert regime not in regimes.regimes_named(other)
    assert regime in regimes.regimes_named(meant)


def test_residence_in_a_country_is_not_that_of_doctors():
    assert "students" not in regimes.marked("Artículo 51. Residencia a efectos de prestaciones")
    assert "students" in regimes.marked("relación laboral de residencia para la formación de especialistas")


def test_every_weight_belongs_to_a_feature_and_every_feature_has_one():
    assert set(rows("plazo", hit("1"))["1"]) == {*weights().aided, *weights().unaided}


@pytest.mark.parametrize(
    ("questions", "adapted", "aided"),
    [((), 0.9, (0.0, 0.0)), (("¿Cuándo?",), 0.9, (1.0, 0.0)), (("¿Cuándo?",), None, (0.0, 1.0))],
)
def test_an_article_with_search_aids_is_told_from_one_without(questions, adapted, aided):
    row = rows("plazo", hit("1", questions=questions, adapted=adapted))["1"]
    assert (row["aided"], row["aided_words"]) == aided


def test_an_article_without_search_aids_is_weighed_as_such():
    row = rows("plazo", hit("1", "El plazo."))["1"]
    assert contributions(row)["coverage"] == round(weights().unaided["coverage"] * row["coverage"], 4)
    row = rows("plazo", hit("1", "El plazo.", keywords=("plazo",)))["1"]
    assert contributions(row)["coverage"] == round(weights().aided["coverage"] * row["coverage"], 4)


def test_the_order_explains_itself_and_keeps_every_candidate():
    good = hit("1", "Las vacaciones anuales.", section="Artículo 1. Vacaciones.", adapted=0.9, sparse=8.0)
    more = hit("1", "Otra parte.", section="Artículo 1. Vacaciones.", part=2, adapted=0.8, sparse=1.0)
    bad = hit("2", "Otra cosa.", adapted=0.85, sparse=2.0)
    ranked = heuristic_order(Asked.of("vacaciones"), [bad, more, good])
    assert [h.chunk.id for h in ranked] == [good.chunk.id, bad.chunk.id, more.chunk.id]
    assert ranked[0].rerank == 1.0 > ranked[1].rerank > 0
    assert dict(ranked[0].features)["coverage"] > 0
    assert set(dict(ranked[0].features)) <= set(weights().unaided)


def test_what_the_question_names_outright_stays_in_front_in_its_order():
    named = [hit(str(n), origin="exact", score=2.0 - n / 100) for n in (5, 3)]
    found = hit("1", "Las vacaciones.", adapted=0.9, sparse=9.0)
    ranked = heuristic_order(Asked.of("vacaciones"), [found, *named])
    assert [h.chunk.label for h in ranked] == ["5", "3", "1"]


def test_the_order_does_not_depend_on_arrival():
    hits = [hit(str(n), adapted=0.8, sparse=1.0) for n in range(5)]
    one, other = (heuristic_order(Asked.of("vacaciones"), order) for order in (hits, hits[::-1]))
    assert [h.chunk.id for h in one] == [h.chunk.id for h in other]


def test_no_candidates_no_order():
    assert heuristic_order(Asked.of("vacaciones"), []) == []


def test_an_article_whose_words_are_near_those_of_the_question_is_told_from_one_whose_are_not():
    found = rows(
        "me han bajado el sueldo",
        hit("1", "Se notificará el alta.\nLa cuantía salarial se reducirá."),
        hit("2", "La huelga será voluntaria.\nSe notificará el alta."),
    )
    assert (found["1"]["related"], found["2"]["related"]) == (1.0, 0.0)
