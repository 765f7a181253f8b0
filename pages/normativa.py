"""The corpus; `doc`, `doc` and `block`, or a `tab` of the home view in the address name a view."""

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.detail import opened, or_home
from pages.parts.normativa.article import show_article
from pages.parts.normativa.document import show_document
from pages.parts.normativa.home import show_home

with opened(Permission.READ) as app, or_home(show_home, app):
    norm_id, block_id = (st.query_params.get(name) for name in ("doc", "block"))
    if norm_id and block_id:
        show_article(app, norm_id, block_id)
    elif norm_id:
        show_document(app, norm_id)
    else:
        show_home(app)
