"""The corpus; `doc`, `doc` and `block`, or a `tab` of the home view in the address name a view."""

import streamlit as st

from core.errors import NotFound
from domain.accounts import Permission
from pages.parts.common.layout import not_there, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.normativa.article import show_article
from pages.parts.normativa.document import show_document
from pages.parts.normativa.home import show_home

with errors_as_sentences():
    app = member(Permission.READ)
    norm_id, block_id = (st.query_params.get(name) for name in ("doc", "block"))
    # A link within the page changes the parameters but not the browser's address: writing them does.
    st.query_params.from_dict(st.query_params.to_dict())
    notice()
    try:
        if norm_id and block_id:
            show_article(app, norm_id, block_id)
        elif norm_id:
            show_document(app, norm_id)
        else:
            show_home(app)
    except NotFound as error:
        not_there(error)
        show_home(app)
