"""Citations that leave words out: numbers without «artículo», norms said once, notes; and mere numbers."""

import pytest

from casework.briefs.brief_reading import read_brief
from tests.brief_notation import CATALOGUE, TODAY, provisions_of, written

ET = "Rige el art. 35.1 ET. "
LGSS = "El art. 195.3 LGSS lo exige. "
AFTER_A_DETERMINER = [
    (f"{LGSS}Otra cosa es lo del 195.2, propio de la parcial.", "LGSS 195.3; LGSS 195.2"),
    (f"{ET}Tampoco hay resumen del 35.5.", "ET 35.1; ET 35.5"),
    (f"{ET}Eso se lo atribuye al 35.3.", "ET 35.1; ET 35.3"),
    (f"{ET}El 35.4 permite pactarlo.", "ET 35.1; ET 35.4"),
    (f"{ET}Conforme al 35.2, no cabe.", "ET 35.1; ET 35.2"),
    (f"{ET}Según el 34.9, hay que registrar.", "ET 35.1; ET 34.9"),
    (f"{ET}La empresa invoca el 41.4 y calla el resto.", "ET 35.1; ET 41.4"),
    (f"{ET}En el 51.2 se dice lo contrario.", "ET 35.1; ET 51.2"),
    (f"{LGSS}Para el socio está la letra b) del 305.2, que lo presume.", "LGSS 195.3; LGSS 305.2.b"),
    (f"{ET}El apartado 2 del 35 bis no existe; el 35 bis tampoco.", "ET 35.1; ET 35 bis.2; ET 35 bis"),
    (f"{ET}No así el 35.5, párrafo segundo.", "ET 35.1; ET 35.5"),
    (f"{ET}El propio 35.4 lo dice.", "ET 35.1; ET 35.4"),
]
IN_PARENTHESES = [
    (f"{ET}Solo decae la renuncia (35.2, párr. 2º).", "ET 35.1; ET 35.2"),
    ("Rige el art. 84.1 ET. Puede primar en salario (84.2.a)).", "ET 84.1; ET 84.2.a"),
    (f"{ET}Se pagan con descanso (35.1 in fine).", "ET 35.1; ET 35.1"),
    (f"{ET}Son voluntarias (cfr. 35.4).", "ET 35.1; ET 35.4"),
    (f"{ET}Son voluntarias (vid. 35.4).", "ET 35.1; ET 35.4"),
    (f"{ET}Son voluntarias (35.4 y 35.5).", "ET 35.1; ET 35.4; ET 35.5"),
    (f"{ET}No se computan (ex 35.3).", "ET 35.1; ET 35.3"),
    (f"{ET}El tope es anual (35.2; también 35.3).", "ET 35.1; ET 35.2; ET 35.3"),
    ("Rige el art. 52 ET. Procede la extinción (52.c)).", "ET 52; ET 52.c"),
    ("Rige el art. 51 ET. Toca plan de recolocación, 51.10, y su coste.", "ET 51; ET 51.10"),
    ("Motivación, art. 35 LPAC: el acto es anulable, 48.2, y revocable.", "LPAC 35; LPAC 48.2"),
    ("Siete contratos (art. 15 ET). 15.3: «fraude». 15.5: más de 24 meses.", "ET 15; ET 15.3; ET 15.5"),
    ("Art. 49.1 ET. Contrato de un año. 49.1.c), último pfo.: 15 días.", "ET 49.1; ET 49.1.c"),
]
BEFORE_ITS_NORM = [
    ("la opción que dice del 110.5 de la propia L.J.S., y otra", "LRJS 110.5"),
    ("El 52.d) del Estatuto permite extinguir", "ET 52.d"),
    ("la tarifa plana del 31.1 de la Ley 20/2007 (el 31 bis, no)", "LETA 31.1; LETA 31 bis"),
    ("Replica que el 26.3, inciso final, L.J.S. le permite acumular", "LRJS 26.3"),
    ("prescribieron (60.2 y 58.1 T.R.L.E.T.)", "ET 60.2; ET 58.1"),
    ("No hubo audiencia (82.1 Ley 39/2015; antes 84 LRJ-PAC)", "LPAC 82.1; LRJPAC 84"),
    ("con arreglo al 97.2 de la Ley de la Jurisdicción Social", "LRJS 97.2"),
    ("el 55.4 de la vigente norma estatutaria", "ET 55.4"),
    ("aplazamiento: 23.1 LGSS, 31.1 RGR; y lo demás", "LGSS 23.1; RGRSS 31.1"),
    ("el 14.2, párrafo segundo, LPRL", "LPRL 14.2"),
    ("los del 41.4, letra a), ET", "ET 41.4.a"),
    ("El R.D. 2720/98, art. 2, y el 8.3 del R.D. citado", "2720/1998 2; 2720/1998 8.3"),
    ("El art. 4 LPRL y el 16.2 de la Ley citada", "LPRL 4; LPRL 16.2"),
    ("(59.3 ET; 103.1 y 2 LRJS)", "ET 59.3; LRJS 103.1; LRJS 103.2"),
    ("el 103.1, 2 y 3 LRJS", "LRJS 103.1; LRJS 103.2; LRJS 103.3"),
    ("«…» (1.1 y 8 ET)", "ET 1.1; ET 8"),
]
BEHIND_ITS_NORM = [
    ("son infracción muy grave (LISOS, 8.10).", "LISOS 8.10"),
    ("| Correo | CE, 18.3 | y más |", "CE 18.3"),
    ("| Salud | LPRL, 22.4 | datos |", "LPRL 22.4"),
    ("| Sanciones | LPRL, 48 | no |", "LPRL 48"),
    ("procede la extinción (ET, 52.c))", "ET 52.c"),
    ("(LRJS, 103)", "LRJS 103"),
    ("Cfr. ET, 41.1; LRJS, 138.1.", "ET 41.1; LRJS 138.1"),
    ("(vid. LGSS, 193.1)", "LGSS 193.1"),
    ("| Desconexión | LTD, 18.1 | |", "LTD 18.1"),
    ("(LPRL, 14.2 y 15.1)", "LPRL 14.2; LPRL 15.1"),
    ("LGSS 210.2, ET 59.3, ET 37.3.g, ET 12.4", "LGSS 210.2; ET 59.3; ET 37.3.g; ET 12.4"),
]
LISTS = [
    ("prorrateadas las extras (art. 26.1 y 31 ET)", "ET 26.1; ET 31"),
    ("el art. 26.1 y 3 ET", "ET 26.1; ET 26.3"),
    ("el art. 53.1 y 122 LRJS", "LRJS 53.1; LRJS 122"),
    ("el art. 41.1, 50 y 138 LRJS", "LRJS 41.1; LRJS 50; LRJS 138"),
    ("el art. 4.2 y el 17 ET", "ET 4.2; ET 17"),
    (
        "los arts. 4.2, letras c) y e), y 17.1, párrafo segundo, ET/15",
        "ET 4.2.c; ET 4.2.e; ET 17.1",
    ),
    ("los arts. 41.4, párr. 2º, y 51.2 ET", "ET 41.4; ET 51.2"),
    ("los arts. 68, letras a) y e), ET", "ET 68.a; ET 68.e"),
    ("el art. 26, inciso final, LRJS", "LRJS 26"),
    ("los arts. 14, 17, in fine, y 24, CE", "CE 14; CE 17; CE 24"),
    ("(antes, art. 137, nºs 4 y 5, LPL)", "LPL 137.4; LPL 137.5"),
    ("Y la letra c) de dicho art. 195.3 LGSS", "LGSS 195.3.c"),
    ("el apartado 2 del precitado artículo 41 ET", "ET 41.2"),
    ("la letra a) de ese art. 55.5 ET", "ET 55.5.a"),
]
SAID_TO_BE_OPEN = [
    ("El ET rige. Discuten si rige el art. 8, sin decir si del Estatuto o del convenio.", "? 8"),
    ("El ET rige. Invoca el art. 8, sin precisar de qué norma.", "? 8"),
    ("El ET rige. Invoca el art. 8 sin aclarar de qué ley.", "? 8"),
    ("El ET rige. Invoca el art. 8, sin más señas.", "? 8"),
    ("El ET rige. Invoca el art. 8, sin indicar cuerpo legal.", "? 8"),
    ("El ET rige. Invoca el art. 8 (no dice de qué norma).", "? 8"),
    ("El ET rige. Invoca el art. 8, a secas.", "? 8"),
    ("El ET rige. Invoca el art. 8 sin especificar a qué texto pertenece.", "? 8"),
    ("El ET rige. Invoca el art. 8, que no se sabe de qué ley es.", "? 8"),
    ("El ET rige. Invoca el art. 8, sin mencionar la norma.", "? 8"),
    ("El ET rige. Invoca el art. 8 sin decir nada más de la empresa.", "ET 8"),
    ("El ET rige. Invoca el art. 8 sin precisar los hechos.", "ET 8"),
    ("Invoca el art. 8 ET, sin decir de qué norma toma el resto.", "ET 8"),
]
RUN = [
    ("El art. 24 CE.¶La LRJS, art. 196.3; art. 193.b) LRJS.¶La facultad del art. 97.2.", "LRJS 97.2"),
    ("El art. 28 CE y el RDL 17/77, art. 3. Comité: art. 5 del mismo. Talleres: art. 7.", "RDLRT 7"),
    ("El art. 24 CE.¶Arts. 80 y 82 LRJS.¶Y el art. 85 ordena.", "LRJS 85"),
    ("El art. 24 CE.¶El art. 41 ET. El art. 39 del mismo.¶Procede el art. 50.", "ET 50"),
    ("El art. 41 ET. El art. 97 LRJS.¶Procede el art. 50.", "? 50"),
    ("El art. 41 ET y el art. 5 LRJS. El art. 14 CE.¶Procede el art. 50.", "? 50"),
    ("El art. 24 CE, los arts. 41 y 50 ET y el art. 3 del Convenio. Procede el art. 60.", "? 60"),
]
NO_CITATION = [
    f"{ET}La grabación dura 48.8 minutos y el vídeo, minuto 37.7.",
    f"{ET}Véase la pág. 16.3 y el folio 35.2.",
    f"{ET}Siendo las 10.15 horas, y a las 35.4.",
    f"{ET}El salario diario es de 51.10 euros.",
    f"{ET}Subió el 35.2 por ciento y bajó el 35.4 %.",
    f"{ET}En el punto 35.2 del orden del día y en el apartado 35.4.",
    f"{ET}El 15.3.2021 y el 15.3 se reunieron.",
    f"{ET}La cláusula 35.2, el hecho 35.3 y el epígrafe 35.4.",
    "35.1. Antecedentes\n\n35.2: Hechos\n\nRige el art. 35.1 ET.",
    f"{ET}La versión 35.2 del programa, km 35.4.",
    f"{ET}El CNAE 35.14 y el código 35.2.",
    f"{ET}Trabaja 35.5 horas, el 35.5 de media semanal.",
    f"{ET}El despacho del 35 bis de la calle Mayor.",
    f"{ET}Según el ET, 20 días; según el ET, 35.5 horas.",
    f"{ET}El plazo (LRJS, 20 días) y el salario (ET, 1.944,10).",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [*AFTER_A_DETERMINER, *IN_PARENTHESES, *BEFORE_ITS_NORM, *BEHIND_ITS_NORM, *LISTS, *SAID_TO_BE_OPEN],
)
def test_a_citation_that_leaves_words_out_is_read(text: str, expected: str) -> None:
    assert provisions_of(text, expected) == expected


@pytest.mark.parametrize(("text", "last"), RUN)
def test_an_article_cited_alone_goes_on_with_the_norm_of_the_last_two(text: str, last: str) -> None:
    assert provisions_of(text.replace("¶", "\n\n")).split("; ")[-1] == last


@pytest.mark.parametrize("text", NO_CITATION)
def test_a_number_that_counts_or_measures_is_no_article(text: str) -> None:
    assert provisions_of(text) == "ET 35.1"


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
