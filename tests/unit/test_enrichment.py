"""Search aids: what they add to a document, and what they leave alone."""

import json
from pathlib import Path

import pytest

from core.errors import InputError
from loading.aids.shipped_aids import Enrichment, ShippedAid
from loading.chunking.chunk import chunk_document
from tests.factories import make_block, make_norm

AID = {"block": "a1", "keywords": ["finde", "librar"], "questions": ["¿Me toca librar?", "¿Y el finde?"]}
TEXT = "Artículo inventado.\nEl descanso semanal inventado será de dos días."
SHIPPED = Path(__file__).resolve().parents[2] / "data" / "enrichment"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "N-1.jsonl").write_text(json.dumps(AID) + "\n\n", encoding="utf-8")
    return tmp_path


def test_the_chunks_of_a_block_get_its_keywords_and_questions(folder):
    document = Enrichment(folder).apply(make_norm("N-1", make_block("1", TEXT), make_block("2", TEXT)))
    first, second = chunk_document(document)
    assert first.keywords == ("finde", "librar")
    assert first.questions == ("¿Me toca librar?", "¿Y el finde?")
    assert (second.keywords, second.questions) == ((), ())


def test_what_the_document_says_of_a_block_stays_and_comes_first(folder):
    own = make_block("1", TEXT, attributes={"questions": "¿Propia?|¿Y el finde?", "summary": "Resumen."})
    (chunk,) = chunk_document(Enrichment(folder).apply(make_norm("N-1", own)))
    assert chunk.questions == ("¿Propia?", "¿Y el finde?", "¿Me toca librar?")
    assert (chunk.keywords, chunk.summary) == (("finde", "librar"), "Resumen.")


def test_a_summary_has_the_aids_of_the_norm_it_stands_for(folder):
    document = make_norm("D-1", make_block("1", TEXT), official=False, extra={"source_norm": "N-1"})
    (chunk,) = chunk_document(Enrichment(folder).apply(document))
    assert chunk.keywords == ("finde", "librar")


@pytest.mark.parametrize("changes", [{"official": False}, {"id": "N-2"}])
def test_norms_without_a_file_stay_as_they_are(folder, changes):
    document = make_norm("N-1", make_block("1"))
    document = document.model_copy(update={"norm": document.norm.model_copy(update=changes)})
    assert Enrichment(folder).apply(document) is document
    assert Enrichment().apply(document) is document


@pytest.mark.parametrize("line", ["{", '{"block": "a1"}', '{"block": "a1", "keywords": [], "other": 1}'])
def test_a_damaged_file_is_one_clear_sentence(folder, line):
    (folder / "N-1.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=r"N-1.jsonl: el archivo está dañado"):
        Enrichment(folder).apply(make_norm("N-1"))


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_shipped_aid_is_well_formed(path):
    aids = [ShippedAid.model_validate_json(line) for line in path.read_text("utf-8").splitlines()]
    assert len({aid.block for aid in aids}) == len(aids)
    for aid in aids:
        assert 1 <= len(aid.questions) <= 16, aid.block
        assert len(set(aid.questions)) == len(aid.questions), aid.block
        assert not any("|" in text for text in aid.questions), aid.block
        assert not any("," in word for word in aid.keywords), aid.block
        assert all(4 <= len(text) <= 400 for text in aid.questions), aid.block


def test_the_aids_are_questions_not_the_text_of_the_law(boe):
    """No question repeats twelve words in a row of its block; a heading names an institution, it may."""
    from loading.formats import load

    copied, compared = [], 0
    for path in SHIPPED.glob("*.jsonl"):
        if not (boe / path.stem).is_dir():
            continue
        aids = Enrichment(SHIPPED).of(path.stem)
        for block in load(boe / path.stem)[0].blocks:
            if block.id in aids:
                compared += 1
                texts = [body(version.text) for version in block.versions]
                copied += [
                    (path.stem, block.id, question)
                    for question in aids[block.id].questions
                    for run in runs(question.lower().strip("¿?").split(), 12)
                    if any(run in text for text in texts)
                ]
    assert compared > 500
    assert copied == []


def body(text: str) -> str:
    return " ".join(text.partition("\n")[2].lower().split())


def runs(words: list[str], size: int) -> list[str]:
    return [" ".join(words[i : i + size]) for i in range(len(words) - size + 1)]
