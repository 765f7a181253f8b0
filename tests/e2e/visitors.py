"""Contexts of the browser, kept from test to test: the scripts of a page stay compiled in their process."""

from typing import Any

FLAGS = ("--process-per-site",)
"""Every page of a context is drawn by the process of its first one."""


class Visitors:
    """Contexts by the address of their server, each lent to one page at a time.

    A new one loads and compiles all of Streamlit's scripts: half of what it takes to open a page.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}
        self._keepers: dict[Any, Any] = {}

    def lend(self, address: str) -> Any:
        """A context without cookies, permissions or anything stored."""
        free = self._free.setdefault(address, [])
        return free.pop() if free else self._new(address)

    def take_back(self, address: str, context: Any) -> None:
        """Close its pages and forget what they left; files that may be cached stay so."""
        keeper = self._keepers[context]
        for page in context.pages:
            if page is not keeper:
                page.close()
        context.clear_cookies()
        context.clear_permissions()
        session = context.new_cdp_session(keeper)
        session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
        session.detach()
        self._free[address].append(context)

    def _new(self, address: str) -> Any:
        context = self._browser.new_context(locale="es-ES", base_url=address)
        # A page of the same site that nothing moves: its process lives as long as the context.
        keeper = context.new_page()
        keeper.route("**/*", lambda route: route.fulfill(content_type="text/html", body="<!doctype html>"))
        keeper.goto("/")
        self._keepers[context] = keeper
        return context
