"""Local copies of the BOE's norms, loaded and updated, also after a kill."""

import json
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError, NotFound
from law.changes import Fate
from loading.boe.boe_client import BoeClient, check_id
from loading.boe.boe_copies import Copies
from loading.boe.boe_update import BoeLibrary, BoeOutcome
from loading.formats import load
from loading.ingestion.ingest import store_document
from tests.boe_server import BoeServer, Fault
from tests.conftest import ROOT
from tests.integration.boe.conftest import ID, OTHER, REFORM, reform


def test_a_norm_is_added_with_its_three_files(library, server, corpus, tmp_path):
    (result,) = library.add([ID])
    assert (result.outcome, result.added, result.reason) == (BoeOutcome.ADDED, 2, "")
    assert server.asked == [f"{ID}/metadatos", f"{ID}/texto/indice", f"{ID}/texto"]
    assert {chunk.label for chunk in corpus.stored.values()} == {"1", "2"}
    kept = {path.name for path in (tmp_path / "home" / "boe" / ID).iterdir()}
    assert kept == {"metadatos.xml", "indice.xml", "texto.xml", "state.json"}


@pytest.mark.parametrize(("etags", "dates"), [(True, True), (False, True), (True, False), (False, False)])
def test_adding_again_costs_one_request_whatever_the_server_remembers(library, server, brought, etags, dates):
    server.etags, server.dates = etags, dates
    library.add([ID])
    del server.asked[:]
    (result,) = library.add([ID])
    assert result.outcome is BoeOutcome.UNCHANGED
    assert server.asked == [f"{ID}/metadatos"]
    assert brought == [ID], "and is not loaded again"


def test_an_update_tells_article_by_article_what_changed(library, served, corpus):
    library.add([ID, OTHER])
    reform(served)
    changed, same = library.update()
    assert same.outcome is BoeOutcome.UNCHANGED
    assert changed.outcome is BoeOutcome.UPDATED
    told = [(a.label, a.fate, a.on, a.amended_by) for a in changed.articles]
    day = date(2021, 5, 1)
    assert told == [
        ("1", Fate.AMENDED, day, REFORM),
        ("2", Fate.REPEALED, day, REFORM),
        ("3", Fate.NEW, day, REFORM),
    ]
    assert corpus.documents[ID].blocks[0].wording_on(date(2020, 1, 1)).valid_to == date(2021, 4, 30)


def test_an_update_of_one_norm_leaves_the_others_alone(library, server):
    library.add([ID, OTHER])
    del server.asked[:]
    library.update([OTHER])
    assert server.asked == [f"{OTHER}/metadatos"]


def test_an_update_of_what_is_not_loaded_says_how_to_add_it(library):
    with pytest.raises(NotFound, match="boe add BOE-A-2001-1"):
        library.update([ID])


def test_a_norm_that_came_from_a_file_is_updated_too(library, served, corpus, tmp_path):
    shutil.copytree(served / ID, tmp_path / "upload" / ID)
    store_document(tmp_path, load(tmp_path / "upload" / ID)[0], corpus, corpus)
    reform(served)
    (result,) = library.update()
    assert [article.fate for article in result.articles] == [Fate.AMENDED, Fate.REPEALED, Fate.NEW]


def test_a_copy_that_never_reached_the_database_goes_in_the_next_time(copies, library, server, corpus):
    copies.download(ID)
    (result,) = library.add([ID])
    assert result.outcome is BoeOutcome.ADDED
    assert ID in corpus.documents


def test_a_copy_that_an_earlier_reader_loaded_goes_in_again_without_a_download(
    library, server, brought, corpus, tmp_path
):
    library.add([ID])
    document = corpus.documents[ID]
    read_otherwise = document.norm.model_copy(update={"territory": "autonómico"})
    corpus.documents[ID] = document.model_copy(update={"norm": read_otherwise})
    state = tmp_path / "home" / "boe" / ID / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | {"loaded": True}), "utf-8")
    del server.asked[:]
    library.update()
    library.update()
    assert brought == [ID, ID]
    assert server.asked == [f"{ID}/metadatos"] * 2
    assert corpus.documents[ID] == document


def test_a_norm_removed_from_the_corpus_can_be_added_again(library, corpus):
    library.add([ID])
    corpus.remove(ID)
    assert library.add([ID])[0].outcome is BoeOutcome.ADDED


def test_a_damaged_copy_is_downloaded_anew(library, corpus, tmp_path):
    library.add([ID])
    (tmp_path / "home" / "boe" / ID / "texto.xml").unlink()
    assert library.add([ID])[0].outcome is BoeOutcome.UNCHANGED
    assert (tmp_path / "home" / "boe" / ID / "texto.xml").is_file()


def test_a_norm_that_the_boe_does_not_have_is_told_and_the_others_go_in(library, server):
    missing, found = library.add(["BOE-A-1999-99", ID])
    assert missing.outcome is BoeOutcome.FAILED
    assert "no existe en el BOE o no está consolidada" in missing.reason
    assert found.outcome is BoeOutcome.ADDED
    assert server.asked.count("BOE-A-1999-99/metadatos") == 1, "a 404 is final"


@pytest.mark.parametrize(
    "text", ["", "ET", "../../etc/passwd", "BOE-A-2015-11430/../x", "boe-a-2015-1", "BOE-A-15-1"]
)
def test_what_is_no_identifier_never_reaches_the_network_or_the_disk(library, server, text):
    (result,) = library.add([text])
    assert result.outcome is BoeOutcome.FAILED
    assert "BOE-A-2015-11430" in result.reason
    assert server.asked == []


def test_spaces_around_an_identifier_do_not_matter():
    assert check_id(" BOE-A-2015-11430\n") == "BOE-A-2015-11430"


def test_an_exception_of_the_observer_stops_the_work_between_norms(library, corpus):
    class Stop(Exception):
        pass

    def stop(phase: str, done: int, total: int) -> None:
        if done == 1:
            raise Stop

    with pytest.raises(Stop):
        library.add([ID, OTHER], on_progress=stop)
    assert list(corpus.documents) == [ID]


def test_progress_and_results_are_told_as_they_come(library):
    progress, results = [], []
    library.add([ID, ID, OTHER], on_progress=lambda *told: progress.append(told), on_result=results.append)
    assert progress == [("boe", 0, 2), ("boe", 1, 2), ("boe", 2, 2)]
    assert [result.norm_id for result in results] == [ID, OTHER]


def test_a_full_disk_is_told_and_leaves_what_was_there(library, copies, served, monkeypatch, tmp_path):
    library.add([ID])
    reform(served)
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.name == "texto.xml":
            raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="no se pudo guardar la descarga"):
        copies.download(ID)
    monkeypatch.undo()
    assert b"Treinta y un" not in (tmp_path / "home" / "boe" / ID / "texto.xml").read_bytes()
    assert [p.name for p in (tmp_path / "home" / "boe").iterdir() if p.name.startswith(".new")] == []


def test_the_listing_knows_what_the_corpus_has(library):
    library.add([ID])
    listed = {entry.id: (entry, norm) for entry, norm in library.listed()}
    assert listed["BOE-A-2015-11430"][1] is None
    assert listed[ID][1].id == ID
    assert listed[ID][0].title == "Ley 1/2001, de 2 de enero, de pruebas"


DOWNLOAD = """
import sys
from pathlib import Path
from loading.boe.boe_client import BoeClient
from loading.boe.boe_copies import Copies
Copies(Path(sys.argv[2]), BoeClient(sys.argv[1], rate=1000, timeout=60)).download(sys.argv[3])
"""


def download_apart(server: BoeServer, home: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", DOWNLOAD, server.url, str(home), ID], cwd=ROOT)


@pytest.mark.slow
def test_a_kill_in_mid_download_leaves_the_old_copy_whole(library, copies, server, served, tmp_path):
    library.add([ID])
    home = tmp_path / "home" / "boe"
    before = {path.name: path.read_bytes() for path in (home / ID).iterdir()}
    reform(served)
    server.script(None, None, Fault(stall=True))
    process = download_apart(server, home)
    assert server.stalled.wait(30)
    process.kill()
    process.wait(10)
    assert {path.name: path.read_bytes() for path in (home / ID).iterdir()} == before
    assert library.update()[0].outcome is BoeOutcome.UPDATED


def test_a_kill_between_the_two_renames_is_undone(library, copies, server, served, tmp_path):
    library.add([ID])
    folder = tmp_path / "home" / "boe" / ID
    folder.rename(folder.with_name(f".old-{ID}"))
    del server.asked[:]
    assert library.add([ID])[0].outcome is BoeOutcome.UNCHANGED
    assert server.asked == [f"{ID}/metadatos"], "the copy was put back, not downloaded again"


def test_a_kill_after_the_second_rename_keeps_the_new_copy(library, served, tmp_path):
    library.add([ID])
    folder = tmp_path / "home" / "boe" / ID
    shutil.copytree(folder, folder.with_name(f".old-{ID}"))
    assert library.add([ID])[0].outcome is BoeOutcome.UNCHANGED
    assert not folder.with_name(f".old-{ID}").exists()


@pytest.mark.corpus
@pytest.mark.slow
def test_real_norms_go_through_the_api_as_they_stand(boe, corpus, tmp_path):
    ids = ["BOE-A-2015-10565", "BOE-A-2018-16673", "BOE-A-2025-2576"]
    with BoeServer(boe) as server:
        client = BoeClient(server.url, rate=1000)
        library = BoeLibrary(
            Copies(tmp_path / "boe", client),
            corpus,
            lambda path, norm: store_document(path, norm, corpus, corpus),
        )
        assert [r.outcome for r in library.add(ids)] == [BoeOutcome.ADDED] * 3
        assert [r.outcome for r in library.update()] == [BoeOutcome.UNCHANGED] * 3
    for norm_id in ids:
        for name in ("metadatos.xml", "indice.xml", "texto.xml"):
            assert (tmp_path / "boe" / norm_id / name).read_bytes() == (boe / norm_id / name).read_bytes()
