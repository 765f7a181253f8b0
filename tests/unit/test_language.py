"""Recognition of texts that are clearly in another language than Spanish."""

import pytest

from tests.case_files import pairs
from text.language import is_foreign


@pytest.mark.parametrize(("text", "language"), pairs("languages", "Otro idioma"))
def test_an_answer_in_another_language_is_noticed(text, language):
    assert is_foreign(text)


@pytest.mark.parametrize(("text", "manner"), [*pairs("languages", "Español"), ("", "nada")])
def test_an_answer_in_spanish_raises_no_alarm(text, manner):
    assert not is_foreign(text)


@pytest.mark.corpus
def test_no_sentence_of_the_law_raises_an_alarm(real_law):
    chunks = [chunk for batch in real_law.program.database.corpus.all_chunks() for chunk in batch]
    assert len(chunks) > 1000
    assert [chunk.id for chunk in chunks if is_foreign(chunk.text)] == []
