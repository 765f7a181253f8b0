"""What libraries do again for each program or page that a test makes: here once a process."""

import os
import sys
from functools import cache
from typing import Any


def do_once() -> None:
    """Keep what the first time finds, in those of the libraries that something has imported."""
    if "streamlit" in sys.modules:
        _components()
        _loggers()
    if "httpx" in sys.modules:
        _certificates()


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

    made = default.create_ssl_context
    trusted = cache(made)

    def chosen(verify: Any = True, cert: Any = None, trust_env: bool = True) -> Any:
        own = cert or verify is not True or os.environ.keys() & {"SSL_CERT_FILE", "SSL_CERT_DIR"}
        return made(verify, cert, trust_env) if own else trusted()

    default.create_ssl_context = chosen
