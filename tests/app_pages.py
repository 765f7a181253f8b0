"""Streamlit's `AppTest` looks for components in the data of every installed package: here once a process.

It does so whenever a test starts a page, for longer than most pages take to run.
"""

import sys
from functools import cache


def scan_once() -> None:
    """Keep what the first look finds, where something has imported Streamlit."""
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner

        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
