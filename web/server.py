"""The web application put together: our routes, the guard around everything, start and end."""

import asyncio
import contextlib
import gc
import logging
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache
from typing import Any, TypedDict

import streamlit as st
import uvicorn.config
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp
from streamlit import logger as streamlit_logger
from streamlit import runtime
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.pages_manager import PagesManager

from service.accounts.accounts import Accounts
from service.config import Settings
from service.program import assembly, logs
from web import consent, front, media, monitoring, preferences, sign_in, uploads
from web.api import local
from web.api.admission import Admission, Rate
from web.base import access
from web.base.site import Site, site
from web.form_routes import FormServices
from web.guard import ACCOUNT_HEADER, SESSION_HEADER, Guard
from web.headers import content_security_policy
from web.late import Late
from web.mcp.http import McpEndpoint
from web.own_machine import OwnMachine
from web.uploads import Owner, Uploads
from web.watch import Watch

logger = logging.getLogger("articulado.server")
_streamlit_theme = app_session._populate_theme_msg

SWITCH_SECONDS = 0.01
COLLECT_AFTER = (20_000, 20, 20)
"""Thresholds of `gc.set_threshold`, one per generation."""


class Parts(TypedDict):
    """Arguments of `st.App`."""

    routes: list[BaseRoute]
    middleware: list[Middleware]
    lifespan: Any


def parts(chosen: Settings, address: str | None, more: Sequence[BaseRoute] = ()) -> Parts:
    """The parts of the application for these settings, on a server at `address`; `more`: routes of the pages.

    Raises:
        ConfigurationError: the service would be open to people who must not be let in.
    """
    where = site(chosen, address)
    # Until the router has run once, Streamlit would serve any file in pages/ by its name.
    PagesManager.uses_pages_directory = False
    # Streamlit lets uvicorn trust any X-Forwarded-For from this machine and overwrite the real peer with it.
    # We trust the proxies in TRUSTED_PROXIES only (`Site.client_address`).
    uvicorn.config.ProxyHeadersMiddleware = lambda app, trusted_hosts: app  # type: ignore[attr-defined,misc,assignment]
    app_session._populate_theme_msg = fill_theme
    media.install()
    uploads.install()
    machine = OwnMachine()
    watch = Watch(lambda: accounts().sessions)
    services = FormServices(where, accounts, watch, provider=chosen.auth_mode == "oidc")
    for_programs, for_assistants = Late(_api), McpEndpoint()
    for_newcomers = Late(lambda: _oauth(where))
    return Parts(
        routes=[
            *front.routes(list(access.PAGES)),
            *preferences.routes(),
            *sign_in.routes(services),
            *consent.routes(services),
            *_provider_routes(services, chosen),
            *monitoring.routes(),
            Mount(access.PREFIX, for_programs),
            *more,
            *(Route(path, for_newcomers, include_in_schema=False) for path in sorted(access.OAUTH)),
            Route(access.MCP, for_assistants, include_in_schema=False),
            Route(f"{access.MCP}/", for_assistants, include_in_schema=False),
        ],
        middleware=[
            Middleware(monitoring.RequestLog),
            Middleware(
                Guard,
                services=services,
                programs=Admission(where, accounts, Rate(chosen.api_requests_per_minute)),
                page_owner=page_owner,
                uploads=Uploads(page_owner, uploads.store),
                makers=makers,
                machine=machine,
                policy=content_security_policy(front.script_hashes()),
            ),
        ],
        lifespan=lambda _: running(
            where, chosen, monitoring.RequestLog(for_programs), for_assistants, machine
        ),
    )


def _api() -> ASGIApp:
    from web.api.application import api

    return api()


def _oauth(where: Site) -> ASGIApp:
    from web.mcp.oauth import application

    return application(where, accounts)


def _provider_routes(services: FormServices, chosen: Settings) -> list[Route]:
    """The routes of AUTH_MODE=oidc; the other modes do without their libraries."""
    if chosen.auth_mode != "oidc":
        return []
    from web import oidc_sign_in

    return oidc_sign_in.routes(services, chosen)


@cache
def _theme(section: str) -> CustomThemeConfig:
    made = CustomThemeConfig()
    _streamlit_theme(made, section)
    return made


def fill_theme(msg: CustomThemeConfig, section: str = "theme") -> None:
    """Fill in the theme from a kept copy: Streamlit reads 300 unchanging options at every drawing."""
    kept = _theme(section)
    if kept.ByteSize():  # merging an empty message would create the section
        msg.MergeFrom(kept)


def accounts() -> Accounts:
    """The program's accounts; the first call wires the program."""
    return assembly.app().accounts


def page_owner(session_id: str) -> Owner | None:
    """Account and login session that opened a Streamlit page session; None when that one is not open."""
    client = runtime.get_instance().get_client(session_id)
    if client is None or client.client_context is None:
        return None
    named = dict(client.client_context.headers)
    return named.get(ACCOUNT_HEADER.decode(), ""), named.get(SESSION_HEADER.decode(), "")


def makers(name: str) -> tuple[str, ...]:
    """Ids of the page sessions that made the file of that name."""
    files: media.OwnMedia = runtime.get_instance().media_file_mgr._storage  # type: ignore[assignment]
    return files.makers(name)


@contextlib.asynccontextmanager
async def running(
    where: Site, chosen: Settings, programs: ASGIApp, assistants: McpEndpoint, machine: OwnMachine
) -> AsyncIterator[dict[str, Any]]:
    """Lifespan: wires the program before the first page asks for it, and closes it with the server."""
    one_log(chosen)
    application = await run_in_threadpool(assembly.app)
    await run_in_threadpool(application.demo.queue)
    application.background.start()
    # Opening the runs marks the answers that a dead process left open as interrupted.
    await run_in_threadpool(lambda: application.runs)
    await run_in_threadpool(_announce_setup, application.accounts, where)
    # Streamlit collects garbage after every rerun; frozen objects cost it nothing.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    # Thirty answers and their pages are many threads: switch between them less often.
    sys.setswitchinterval(SWITCH_SECONDS)
    door = machine.written(chosen.articulado_home) if where.personal else contextlib.nullcontext()
    async with local.listening(programs, chosen.articulado_home), assistants.running():
        with door:
            _end_work_on_signals(lambda: application.settle(chosen.shutdown_seconds))
            logger.info("ready")
            logger.info("open %s", machine.address(_here()) if where.personal else where.public or _here())
            yield {}
    logger.info("stopping: answers under way have %s s to end", chosen.shutdown_seconds)
    await run_in_threadpool(application.drain, chosen.shutdown_seconds)
    await run_in_threadpool(application.close)
    logger.info("stopped")


def _end_work_on_signals(settle: Callable[[], None]) -> None:
    """Have the signals that end the server settle its work too: the server waits for open requests."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def ending(number: int, frame: Any, before: Any = before) -> None:
            ended = threading.Thread(target=settle, daemon=True)
            loop.call_soon_threadsafe(ended.start)  # no lock may be taken in a handler
            if callable(before):
                before(number, frame)

        signal.signal(number, ending)


def one_log(chosen: Settings) -> None:
    """Send the log lines of Streamlit and uvicorn, which have their own formats, into ours."""
    streamlit_logger.setup_formatter = _leave_to_ours
    streamlit_logger.update_formatter()
    logs.configure(chosen.log_format, chosen.log_level)


def _leave_to_ours(logger: logging.Logger) -> None:
    logger.handlers.clear()
    logger.setLevel(logging.NOTSET)
    logger.propagate = True


def _here() -> str:
    return f"http://{st.get_option('server.address')}:{st.get_option('server.port')}"


def _announce_setup(accounts: Accounts, where: Site) -> None:
    """Log the address and the code that make the first account: only readers of the log see them."""
    if accounts.setup.needed:
        address = where.public or _here()
        logger.warning(
            "Todavía no hay ninguna cuenta. Créela en %s%s con este código, que vale una vez: %s",
            address,
            access.SETUP,
            accounts.setup.code,
        )
