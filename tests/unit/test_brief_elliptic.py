"""Citations that leave words out: numbers without «artículo», norms said once, notes; and mere numbers."""

import pytest

from casework.briefs.brief_reading import read_brief
from tests.brief_notation import CATALOGUE, TODAY, provisions_of, written


def test_the_name_of_a_norm_repeated_beside_it_is_no_second_citation() -> None:
    assert provisions_of("el art. 45 RGRSS, R.D. 1415/2004, y la LISOS", "RGRSS; LISOS") == "RGRSS 45; LISOS"


WORDS = "«las horas que excedan de la jornada»"
OF_WHAT = [
    (f"El art. 14 CE. {WORDS}, art. 8 LOI.", "LOI 8"),
    (f"El art. 14 CE. {WORDS}, 35.1 ET.", "ET 35.1"),
    (f"Rige el art. 14 CE. El objeto son {WORDS}, 35.1 del Estatuto de los Trabajadores.", "ET 35.1"),
    (f"El art. 14 CE. {WORDS} (35.1 ET).", "ET 35.1"),
    (f"El art. 14 CE. {WORDS}, LISOS, art. 7.", "LISOS 7"),
    (f"El art. 14 CE rige. {WORDS}, artículo 35 del ET.", "ET 35"),
    (f"El art. 35.1 ET. {WORDS}, DA 3ª LGSS.", "LGSS da 3"),
    (f"El art. 14 CE. Son {WORDS}[^4] y basta.\n\n[^4]: Art. 35.1 ET. Vid. art. 5 LOI.", "ET 35.1"),
    (f"El art. 14 CE. Son {WORDS}[4] y basta.\n\n[4] Art. 35.1 ET.", "ET 35.1"),
    (f"El art. 14 CE. Son {WORDS} (4) y basta.\n\n(4) Art. 35.1 ET.", "ET 35.1"),
    (f"El art. 14 CE. Son {WORDS}¹ y basta.\n\n¹ Art. 35.1 ET.", "ET 35.1"),
    (f"El art. 14 CE. Son {WORDS}.¹² Y basta.\n\n12. Art. 35.1 ET.", "ET 35.1"),
    (f"El art. 14 CE. Son {WORDS}[^2]. Basta.\n\n[^1]: Art. 5 LOI.\n[^2]: Cfr. art. 35.1 ET.", "ET 35.1"),
    (f"El art. 14 CE dispone que son {WORDS}, art. 35.1 ET aparte.", "CE 14"),
    (f"El art. 14 CE dispone: {WORDS}. El art. 35.1 ET calla.", "CE 14"),
    (f"El art. 14 CE dispone: {WORDS} (4).\n\nY nada más.", "CE 14"),
    (f"El art. 14 CE dispone: {WORDS}[^3].\n\n[^3]: Vídeo 2, minuto 37.7.", "CE 14"),
    (f"ET 3.2 {WORDS} [T]. Otra, ET 3.3 compara {WORDS} [T]: nada.", "ET 3.2|ET 3.3"),
    (f"LGSS: DT 40.ª {WORDS}, DT 4.ª.7 {WORDS} [T].", "LGSS dt 40|LGSS dt 4.7"),
    (f"Art. 5 LOI {WORDS}, art. 8 LOI {WORDS}, art. 9 LOI {WORDS}.", "LOI 5|LOI 8|LOI 9"),
    (f"Se pide {WORDS} (26.1.c) LGSS, 44.1 LISOS). El derecho {WORDS}.", "LGSS 26.1.c; LISOS 44.1|"),
]


@pytest.mark.parametrize(("text", "expected"), OF_WHAT)
def test_a_quotation_is_of_what_stands_right_behind_it_or_in_its_note(text: str, expected: str) -> None:
    brief = read_brief(text, CATALOGUE, TODAY)
    told = ["; ".join(written(brief.provisions[place]) for place in one.cited) for one in brief.quotations]
    assert "|".join(told) == expected
