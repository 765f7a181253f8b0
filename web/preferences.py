"""A person's preferences for the scripts of the pages, which need them before the first drawing."""

import json

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.errors import ArticuladoError
from domain.preferences import Preferences
from web.api.person import member
from web.base.access import PREFERENCES


def routes() -> list[Route]:
    """The route of the script; the guard has checked the session."""
    return [Route(PREFERENCES, _script)]


async def _script(request: Request) -> Response:
    try:
        chosen = await run_in_threadpool(member(request).preferences.read)
    except ArticuladoError:
        # The page says what is wrong; its colours are no reason to fail.
        chosen = Preferences()
    told = {"theme": chosen.theme, "shortcuts": chosen.shortcuts, "notice": chosen.notice}
    return Response(f"window.articulado = {json.dumps(told)};", media_type="text/javascript")
