"""Requests that no route can use, told as problems: bodies beyond the limit, and addresses with a NUL."""

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.api import problems

BAD, TOO_LARGE = 400, 413


class Sized:
    """Middleware that refuses bodies with too many bytes, before they are read where their length is told.

    No database keeps a NUL, and PostgreSQL refuses to look for one.
    """

    def __init__(self, app: ASGIApp, most: int, others: Mapping[str, int]) -> None:
        """Wire it; `others` are limits by the end of the path."""
        self._app = app
        self._most = most
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            await problems.reply(scope, BAD, problems.NUL)(scope, receive, send)
            return
        most = self._others.get(scope["path"].rpartition("/")[2], self._most)
        told = Headers(scope=scope).get("content-length", "0")
        if told.isdecimal() and int(told) > most:
            await problems.reply(scope, TOO_LARGE, problems.TOO_LARGE)(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(TOO_LARGE)
            return message

        await self._app(scope, counted, send)
