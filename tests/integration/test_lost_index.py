"""An index that lost part of the corpus is completed before anything is searched."""

from service.program import assembly
from tests.conftest import DATA
from tests.factories import settings_of
from tests.fakes import HashEmbedder


def program(home) -> assembly.App:
    made = assembly.build(settings_of(articulado_home=home, embeddings_provider="none"))
    made.models.embedder = HashEmbedder()
    return made


def test_half_a_corpus_is_never_searched_in_silence(tmp_path):
    first = program(tmp_path)
    first.loading.ingest([DATA])
    stored = first.database.corpus.ids()
    first.index.delete(sorted(stored)[:5])
    first.close()

    second = program(tmp_path)
    assert second.services.index.ids() == stored
    assert any("solo por las palabras" in notice for notice in second.notices)
    second.keeper.reindex()
    assert not any("solo por las palabras" in notice for notice in second.notices)
    second.close()
