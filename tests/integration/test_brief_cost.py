"""Briefs written to cost: four times the text takes about four times the work, whatever stands in it."""

import time
from datetime import date

import pytest

from casework.briefs.brief_check import MOST_CITED, TOO_MANY, check
from core.errors import InputError
from loading.parsing.limits import Limits
from service.program.assembly import App
from service.program.brief_checks import TOO_MUCH, BriefChecks

HOSTILE = {
    "articles of nobody": "art. 5 ",
    "articles in lines": "art.\n40\n",
    "articles in one sentence": "art. 3; ",
    "articles in many sentences": "El artículo 40 manda. ",
    "numbers": "el 53.7 permite ",
    "numbers that are none": "12 3 ",
    "letters for digits": "lO lO ",
    "spaces": " ",
    "the article before": "dicho precepto ",
    "the article said": "dicho artículo 49, ",
    "the text said": "art. 3 del mismo reglamento; ",
    "the law said": "art. 3 de dicha orden, ",
    "norms of the Union": "art. 5 del Reglamento (UE) 2016/679, ",
    "courts": "Tribunal Supremo ",
    "notes": "«el testigo dijo aquella tarde en el taller algo»[1] ",
    "quotations in one paragraph": "El art. 59 ET. Dijo el testigo que «la tarde aquella llovía mucho». ",
    "paragraphs in marks": '> a b c d e f g\n\n"a b c d e f"\n\n',
}
DAY = date(2026, 11, 22)


def seconds(program: App, text: str) -> float:
    begun = time.process_time()
    check(text, program.holdings.library(), program.holdings.catalogue(), DAY, DAY)
    return time.process_time() - begun


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_four_times_the_text_is_no_more_than_seven_times_the_work(program: App, unit: str) -> None:
    seconds(program, "art. 59 ET. «la tarde aquella llovía mucho en el taller»")
    small, large = (
        min(seconds(program, unit * (size // len(unit))) for _ in range(2)) for size in (10_000, 40_000)
    )
    assert large < 7 * small + 0.2


def test_a_text_of_nothing_but_citations_is_refused(program: App) -> None:
    with pytest.raises(InputError) as refused:
        seconds(program, "art. 5 ET. " * (MOST_CITED + 1))
    assert str(refused.value) == TOO_MANY


def test_a_brief_beyond_its_time_or_left_by_its_reader_ends_and_the_next_is_checked(program: App) -> None:
    text, days = "art. 5 " * 9_000, (DAY, DAY, "")
    hurried = BriefChecks(program.settings.database)
    hurried.limits = Limits(seconds=1, memory_mb=4096)
    with pytest.raises(InputError) as refused:
        hurried.report(text, *days, lambda: None)
    assert str(refused.value) == TOO_MUCH

    class Gone(Exception):
        pass

    def gone() -> None:
        raise Gone

    with pytest.raises(Gone):
        program.briefs.report(text, *days, gone)
    assert program.briefs.report("art. 2 LTF", *days, lambda: None).characters == 10
    assert not (program.briefs._busy or hurried._busy or hurried._idle)
