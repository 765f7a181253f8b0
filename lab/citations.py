"""The citation checker on the labelled briefs and the real norms: precision, recall, time of long briefs.

Briefs by their author: `a` and `b` were written with the checker, those of anybody else without seeing it.
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from casework.briefs.brief_check import check
from casework.briefs.norm_library import Library
from lab.harness import BOE, has_norms, program
from lab.table import Row, Tables, Watch
from tests.brief_cases import Brief, Verdict, briefs, scores, total, verdicts

TARGET = 0.97
SECONDS_OF_50_PAGES = 10.0
PAGE = 3000
"""Characters of a page."""
TODAY = date(2026, 11, 22)


def tables(folder: Path) -> Tables:
    if not has_norms():
        return
    with program(folder / "home", embeddings_provider="none") as opened:
        opened.loading.ingest([BOE])
        library, catalogue = Library(opened.database.corpus), opened.holdings.catalogue()
        cases = list(briefs(library))
        judged = {
            one.name: verdicts(one, check(one.text, library, catalogue, one.day, TODAY)) for one in cases
        }
        for one in (one for found in judged.values() for one in found if not one.right):
            print(_wrong(one))
        for author in sorted({one.author for one in cases}):
            own = [one for case in cases if case.author == author for one in judged[case.name]]
            yield f"Citations of author {author}", _rows(own)
        times = []
        for pages in (50, 500):
            text = _long(cases, pages)
            watch = Watch()
            fresh = Library(opened.database.corpus)
            findings = check(text, fresh, catalogue, TODAY, TODAY).findings
            target = SECONDS_OF_50_PAGES if pages == 50 else None
            times.append(Row(f"{pages} pages, {len(findings)} citations", watch.wall, "s", target))
        yield "Citations: time", times


def _rows(found: Sequence[Verdict]) -> list[Row]:
    by_state = scores(found)
    rows = []
    for name, score in (("all", total(by_state)), *by_state.items()):
        of = f"{name} ({score.expected} expected, {score.made} found)"
        rows += [
            Row(f"{of}: precision", score.precision, "", TARGET, True),
            Row(f"{of}: recall", score.recall, "", TARGET, True),
        ]
    return rows


def _wrong(one: Verdict) -> str:
    expected = f"«{one.expected.text[:60]}» {one.expected.state}" if one.expected else "nothing"
    found = f"«{one.found.text[:60]}» {one.found.state}: {one.found.said}" if one.found else "nothing"
    return f"{one.brief}: {expected}; found {found}"


def _long(cases: Sequence[Brief], pages: int) -> str:
    whole = "\n\n".join(one.text for one in cases)
    return (f"{whole}\n\n" * (pages * PAGE // len(whole) + 1))[: pages * PAGE]
