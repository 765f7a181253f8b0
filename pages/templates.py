"""«Modelos de escrito»; `m` in the address names one, `e` the expediente it is for, `b` a kept draft."""

import streamlit as st

from core.errors import NotFound
from domain.accounts import Permission
from pages.parts.common.layout import not_there, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.templates.listed import show_list
from pages.parts.templates.template import show_template

with errors_as_sentences():
    app = member(Permission.ASK)
    name, matter_id = st.query_params.get("m"), st.query_params.get("e", "")
    draft_id = st.query_params.get("b", "")
    st.query_params.from_dict(st.query_params.to_dict())
    notice()
    try:
        if name:
            show_template(app, name, matter_id, draft_id)
        else:
            show_list(app, matter_id)
    except NotFound as error:
        not_there(error)
        show_list(app, "")
