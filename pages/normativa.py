"""The corpus. The address says which view it shows: `doc`, `doc` and `block`, or a `tab` of the home view."""

from __future__ import annotations

import streamlit as st

from pages._evaluation_ui import not_there
from pages._normativa_article import show_article
from pages._normativa_document import show_document
from pages._normativa_home import show_home
from pages._normativa_ui import notice
from pages._session import member
from pages._ui import errors_as_sentences
from rag.accounts_types import Permission
from rag.errors import NotFound


def page() -> None:
    app = member(Permission.READ)
    norm_id, block_id = (st.query_params.get(name) for name in ("doc", "block"))
    # A link to another view of the same page changes these but not the address that the browser shows.
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


with errors_as_sentences():
    page()
