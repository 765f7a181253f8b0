"""The progress of a preview that takes more than a moment, and the button that cancels it."""

from collections.abc import Callable

import streamlit as st

from loading.ingestion.load_request import Staged
from loading.ingestion.preview_run import Reading
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button
from pages.parts.common.words import dotted

MOMENT_SECONDS, POLL_SECONDS = 0.5, 0.25


def read_with_progress(reading: Reading, cancelled: Callable[[], None]) -> Staged:
    """The result of the reading; a press of a button meanwhile ends the drawing of the page, and the reading.

    Args:
        cancelled: called when the reader cancels.

    Raises:
        ArticuladoError: see `Reading.result`.
    """
    place = st.empty()
    try:
        if not reading.wait(MOMENT_SECONDS):
            with place.container():
                bar = st.progress(0.0)
                button("Cancelar la lectura", "cancel-preview", "stop_circle", cancelled)
            while not reading.wait(POLL_SECONDS):
                name, done, total = reading.progress
                count = f"{done + 1} de {total}" if total else ""
                bar.progress(done / total if total else 0.0, label_text(dotted("Leyendo", count, name)))
    except BaseException:
        reading.cancel()
        raise
    place.empty()
    return reading.result()
