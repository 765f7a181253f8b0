"""The quantity that an answer's first passage leaves to another article of its norm."""

import pytest

from law.norm_names import NormCatalogue
from law.norms import DOCUMENT
from rag.answers.passage_selection import stretches
from rag.answers.remissions import followed
from rag.shared.hits import Hit
from tests.factories import make_chunk

REMITS = "Artículo 9. Quejas.\nLa queja se presentará dentro del plazo señalado en el artículo 3."
TELLS = (
    "Artículo 3. Reclamación.\n1. Se reclamará ante el órgano inventado.\n"
    "2. La reclamación se presentará dentro de los veinte días hábiles siguientes."
)
ASKED = "¿Qué plazo hay para la queja?"


def quoted(
    remits: str = REMITS, tells: str = TELLS, label: str = "3", norm: str = "N-1", origin: str = "reference"
):
    hits = [
        Hit(chunk=make_chunk("N-1", "9", remits, section="Artículo 9. Quejas.", start=0), score=1.0),
        Hit(
            chunk=make_chunk(norm, label, tells, section="Artículo 3. Reclamación.", start=0),
            score=0.5,
            origin=origin,
        ),
    ]
    (first, *_) = stretches([(0, hits[0])])
    found = followed([first.passage(0.9)], hits, ASKED, NormCatalogue(()))
    return [(one.hit, one.text) for one in found]


def test_the_passage_that_tells_the_quantity_is_found():
    assert quoted() == [(1, "2. La reclamación se presentará dentro de los veinte días hábiles siguientes.")]


@pytest.mark.parametrize(
    "remits",
    [
        "Artículo 9. Quejas.\nEl plazo para presentarla será el previsto en el artículo 3.",
        "Artículo 9. Quejas.\nSe presentará en los plazos que establece el artículo 3, con la documentación.",
        "Artículo 9. Quejas.\nSe presentará en el plazo regulado por el artículo 3.",
    ],
)
def test_a_remission_may_be_said_in_several_ways(remits):
    assert [hit for hit, _ in quoted(remits)] == [1]


@pytest.mark.parametrize(
    "case",
    [
        {"remits": "Artículo 9. Quejas.\nSe presentará en diez días, plazo señalado en el artículo 3."},
        {"remits": "Artículo 9. Quejas.\nLa queja se presentará por las personas que señala el artículo 3."},
        {"tells": "Artículo 3. Reclamación.\n1. Se reclamará ante el órgano inventado, y nunca ante otro."},
        {"label": "4"},
        {"norm": "N-2"},
        {"origin": DOCUMENT},
    ],
    ids=["says it itself", "no quantity", "tells none", "another article", "another norm", "a document"],
)
def test_nothing_else_is_followed(case):
    assert quoted(**case) == []


def test_an_answer_without_passages_follows_nothing():
    assert followed([], [], ASKED, NormCatalogue(())) == []
