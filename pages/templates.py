"""«Modelos de escrito»; `m` in the address names one, `e` the expediente it is for, `b` a kept draft."""

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.detail import opened, or_home
from pages.parts.templates.listed import show_list
from pages.parts.templates.template import show_template

with opened(Permission.ASK) as app, or_home(show_list, app):
    name, matter_id, draft_id = (st.query_params.get(one, "") for one in ("m", "e", "b"))
    if name:
        show_template(app, name, matter_id, draft_id)
    else:
        show_list(app, matter_id)
