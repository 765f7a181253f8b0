"""Work that libraries repeat for each program or page of a test, done once a process."""

import os
import signal
import sys
from functools import cache, partial
from pathlib import Path
from typing import Any


def do_once() -> None:
    """Keep what the first time finds, in those of the libraries that something has imported."""
    _handlers()
    if "streamlit" in sys.modules:
        _components()
        _loggers()
        _scripts()
    if "httpx" in sys.modules:
        _certificates()
    if "pydantic_settings" in sys.modules:
        _environment()
    if "service.accounts.accounts" in sys.modules:
        _hashes()
    if "storage.base.engine" in sys.modules:
        _statements()
        _tables()


def _handlers() -> None:
    """To say whose handler `asyncio.run` has set, Python first writes out all that its task has given."""
    named = signal._int_to_enum
    signal._int_to_enum = lambda value, kind: named(value, kind) if isinstance(value, int) else value


def _components() -> None:
    """`AppTest` looks for components in the data of every installed package, longer than most pages run."""
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _loggers() -> None:
    """Pytest adds handlers, six times a test, to each logger that does not propagate: Streamlit's do not."""
    import logging

    for name, logger in logging.root.manager.loggerDict.items():
        if name.startswith("streamlit") and isinstance(logger, logging.Logger):
            logger.propagate = True


def _certificates() -> None:
    """Each client of a model reads the authorities that it trusts, whether its address is of TLS or not."""
    from httpx._transports import default

    made = vars(default)["create_ssl_context"]

    @cache
    def trusted(trust_env: bool, *_files: str | None) -> Any:
        return made(trust_env=trust_env)

    def chosen(verify: Any = True, cert: Any = None, trust_env: bool = True) -> Any:
        if cert or verify is not True:
            return made(verify, cert, trust_env)
        return trusted(trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))

    setattr(default, "create_ssl_context", chosen)  # noqa: B010


def _scripts() -> None:
    """Each run of an `AppTest` compiles app.py and its page anew, which is half of what most runs take."""
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache

    kept, compiled = ScriptCache(), ScriptCache.get_bytecode
    ScriptCache.get_bytecode = lambda _, path: compiled(kept, path)


def _environment() -> None:
    """Every field of the settings is looked for in the environment, each in its possible spellings."""
    from pydantic_settings.sources.base import PydanticBaseEnvSettingsSource

    read = PydanticBaseEnvSettingsSource.__call__

    def what_is_set(source: Any) -> dict[str, Any]:
        named = {name.lower() for name in source.settings_cls.model_fields}
        return read(source) if any(name.lower() in named for name in source.env_vars) else {}

    PydanticBaseEnvSettingsSource.__call__ = what_is_set


def _statements() -> None:
    """Each database compiles each of its statements anew, a third of what most of its tests take."""
    from sqlalchemy import Engine
    from sqlalchemy.util import LRUCache

    from storage.base import engine as database

    created, first = database.create_engine, dict[str, Engine]()

    def sharing(url: Any, **options: Any) -> Engine:
        engine = created(url, **options)
        known = first.get(engine.driver)
        # A dialect learns at its first connection which server it speaks to.
        if known is None or known.dialect.server_version_info is None:
            engine._compiled_cache = LRUCache(5000)
            first[engine.driver] = engine
        else:
            engine.dialect, engine._compiled_cache = known.dialect, known._compiled_cache
        return engine

    database.create_engine = sharing


def _tables() -> None:
    """A new database goes through all migrations; here a new file gets the tables that they have made once.

    `storage.migrate`, which the tests of migrations call, stays as it is.
    """
    from storage import stores
    from storage.base.engine import Engines
    from tests.databases import lay_new_tables

    upgrade = stores.upgrade

    def laid(engines: Engines) -> None:
        address = engines.engine.url
        if address.get_backend_name() == "sqlite" and address.database:
            lay_new_tables(Path(address.database))
        upgrade(engines)

    stores.upgrade = laid


def _hashes() -> None:
    """A hash of a password takes a tenth of a second and 64 MiB, as the tests of hashes see to."""
    from service.accounts import accounts

    accounts.Passwords = partial(accounts.Passwords, memory=8, passes=1)
