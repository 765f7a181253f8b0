"""«Calcular»: amounts and terms of labour law, each step with its formula and its article."""

from domain.accounts import Permission
from pages.parts.calculations.form import show_form
from pages.parts.calculations.result import show_result
from pages.parts.common.detail import opened
from pages.parts.common.html import problem, show
from pages.parts.common.layout import heading

INTRO = (
    "Plazos y cantidades paso a paso, con la fórmula y el artículo de cada uno. Lo que la ley deja abierto "
    "se dice como supuesto. Nada de lo que escriba aquí se guarda, salvo lo que usted pida."
)
WRONG = "Estos archivos de festivos o de cifras no se pueden usar:"


with opened(Permission.READ) as app:
    heading("Calcular", INTRO)
    if wrong := app.calculations.problems():
        show(problem(WRONG, *wrong))
    show_result(app, show_form(app))
