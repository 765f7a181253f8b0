"""The web application: `streamlit run app.py`.

Streamlit imports this file once, in the server, to find `app`; then it executes it on every rerun of
a page, as the router.
"""

from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is None:
    import streamlit as st

    from core.errors import ArticuladoError
    from pages.parts.answer import copying, pane, passage
    from service.config import settings
    from service.program import assembly, home
    from web import server

    try:
        parts = server.parts(
            settings(),
            st.get_option("server.address"),
            [*pane.routes(), *passage.routes(), *copying.routes()],
        )
        home.close(settings().articulado_home)
        # Here and not when the server begins, which would tell an error with its traceback.
        assembly.app()
    except ArticuladoError as error:
        raise SystemExit(str(error)) from None
    app = st.App(__file__, **parts)
else:
    import streamlit as st

    from pages.parts.common import navigation

    st.set_page_config(page_title="Articulado", layout="centered", initial_sidebar_state="auto")
    navigation.navigate()
