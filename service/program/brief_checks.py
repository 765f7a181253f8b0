"""Citations of briefs checked in processes of their own, which a deadline or whoever leaves ends."""

from collections.abc import Sequence
from datetime import date

from casework.briefs.findings import CitationReport
from casework.briefs.ruling_state import Paper
from core.errors import InputError
from loading.parsing.kept_processes import KeptProcesses
from loading.parsing.limits import Limits
from loading.parsing.reading_process import Died, TooBig, TooLong, TooSlow
from loading.parsing.wire_messages import Check

LIMITS = Limits(seconds=60, memory_mb=4096)
COMMAND = ("-m", "service.program.brief_child")
TOO_MUCH = "Comprobar este escrito lleva demasiado tiempo o memoria: divídalo en partes."


class BriefChecks(KeptProcesses):
    """The check of briefs against the corpus of a database."""

    def __init__(self, database_url: str) -> None:
        super().__init__(LIMITS, COMMAND, database_url)

    def report(
        self,
        text: str,
        day: date,
        today: date,
        revision: str,
        check: Check,
        *,
        papers: Sequence[Paper] = (),
    ) -> CitationReport:
        """See `brief_check.check`.

        Raises:
            InputError: the brief takes too long.
        """
        try:
            days = day.isoformat(), today.isoformat()
            pieces = self._asked((text, days, revision, papers), check)
        except (TooSlow, TooBig, TooLong, Died) as error:
            raise InputError(TOO_MUCH) from error
        if pieces[0].error:
            raise InputError(pieces[0].error)
        return CitationReport.model_validate_json(pieces[0].made)
