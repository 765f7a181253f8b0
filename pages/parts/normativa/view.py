"""Tabs, accepted files and lookup of a norm, shared by the views of the corpus page."""

from typing import NoReturn

import streamlit as st

from core.errors import NotFound
from law.norms import Norm
from loading.formats.source_file import SUFFIXES
from pages.parts.common.confirm import done
from pages.parts.common.layout import go
from service.members.member import Member

TAB, NEXT = "tab", "next-tab"
CATALOGUE, UPLOAD, BOE, JOBS = TABS = ("Catálogo", "Cargar", "BOE", "Trabajos")

ACCEPTED = sorted({"xml", *(suffix.removeprefix(".") for suffix in SUFFIXES)})
"""Allowed file name endings; the content decides the format."""


def queued(told: str = "En cola: puede seguir consultando mientras se carga.") -> NoReturn:
    """Show the jobs, after one has been added, also from a dialog."""
    st.session_state[NEXT] = JOBS
    go()
    done(told)


def stored(app: Member, norm_id: str) -> Norm:
    """A stored norm. Raises NotFound."""
    norm = app.corpus.norm(norm_id)
    if norm is None:
        raise NotFound("Ese documento no está entre los cargados: puede que se haya eliminado.")
    return norm
