"""Given names, surnames and companies without a form, in the words around them, and words that are none."""

import pytest

from masking.found import find


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("le dije a Wilmer que no firmase", ["Wilmer"]),
        ("ayer la Reme y Mari Loli cobraron más", ["Reme", "Mari Loli"]),
        ("Kike lleva sin pagarnos desde marzo", ["Kike"]),
        ("Óliver, no hay acuerdo", ["Óliver"]),
        ("Eutimio: como no vuelvas mañana…", ["Eutimio"]),
        ("a M.ª José la han echado", ["M.ª José"]),
        ("Dolores no ha venido y me ha tocado doblar", ["Dolores"]),
        ("la encargada Susanita lo sabe", ["Susanita"]),
        ("Rosaura y Fatou ya están de baja", ["Rosaura", "Fatou"]),
        ("Driss, Hamza e Yassine trabajan sin arnés", ["Driss", "Hamza", "Yassine"]),
        ("pues antonia se jubila en mayo pero ramón dice que no", ["antonia", "ramón"]),
        ("me lo ha dicho susana la de nóminas", ["susana"]),
        ("el kiko y la toñi han firmado", ["kiko", "toñi"]),
        ("el turno de wilmer lo hago yo", ["wilmer"]),
        ("soy karima benzaouia y trabajo de noche", ["karima benzaouia"]),
        ("soy juan fontanero y soy ana embarazada de 5 meses", ["juan", "ana"]),
        ("soy la mujer de manolo", ["manolo"]),
        ("soy el marido de consuelo albarracín", ["consuelo albarracín"]),
        ("soy encarnación la de la tienda", ["encarnación"]),
        ("Lacalle pregunta por los criterios. Merino responde que el martes.", ["Lacalle", "Merino"]),
        ("La liquidación de Bonilla está mal y la de Peláez también", ["Bonilla", "Peláez"]),
        ("lo firma J. L. Bermúdez", ["J. L. Bermúdez"]),
        ("el turno de Ortuño/Estévez queda libre", ["Ortuño", "Estévez"]),
        (
            "CENSO\nBOUSSOUF, KARIM\nPÉREZ DE NANCLARES, AMAIA",
            ["BOUSSOUF, KARIM", "PÉREZ DE NANCLARES, AMAIA"],
        ),
        ("Mañana | Tarde\nCarmelo | Estévez", ["Carmelo", "Estévez"]),
        ("un tal Cifuentes me atendió", ["Cifuentes"]),
        ("D. Anselmo Rubio, alias «Cachito», se negó", ["Anselmo Rubio", "Cachito"]),
        ("Respondiendo a @luismi_tornero: no", ["@luismi_tornero"]),
    ],
)
def test_a_name_that_stands_alone_is_masked_where_its_words_speak_of_a_person(
    text: str, names: list[str]
) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "¿Qué decía el caso Melloni? ¿Y la doctrina «Bărbulescu»?",
        "la sentencia «Gavieiro Gavieiro e Iglesias Torres»",
        "la STJUE «Dicona» y la posterior «Montero Mateos» (C-677/16)",
        "FELIPE VI y Felipe R., rey de España",
        "el día de San José, la Virgen del Rocío y el Reina Sofía de Córdoba",
        "Asma bronquial y Alzheimer",
        "tengo dolores y mi pilar es la familia; la alegría y la esperanza",
        "trabajo en Marín y vivo en Lorca",
        "la máquina Rosa-3, el horno Victoria 250 y un Mercedes Clase A",
        "contrato de relevo, turno de noche, baja de larga duración, vista de ayer",
        "La Seguridad Social responde, Hacienda dice y CCOO firma",
        "La Reforma de 2021, el Plan Galileo y la Ley Azcárate",
    ],
)
def test_judgments_kings_feasts_diseases_and_places_are_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("trabajo de camarero en bar manolo", "bar manolo"),
        ("curro en lavandería hermanos ponce", "lavandería hermanos ponce"),
        ("quiero denunciar a clínica dental sonrisas del sur", "clínica dental sonrisas del sur"),
        ("Peluquería Estilazos no me paga", "Peluquería Estilazos"),
        ("la empresa que se llama limpiezas brisamar me debe", "limpiezas brisamar"),
        ("la empresa textil Hilaturas Rambleta", "textil Hilaturas Rambleta"),
        ("llevo 9 años en Ingenia Soft", "Ingenia Soft"),
        ("trabajo restaurante Gran Muralla Dorada", "restaurante Gran Muralla Dorada"),
        ("estuve en chatarras el Zurdo", "chatarras el Zurdo"),
        ("renuncio a mi puesto en reformas j&m", "reformas j&m"),
        ("soy de Kebab Estambul 2.", "Kebab Estambul 2"),
        ("el expediente de Lex Nervión Asesores", "Lex Nervión Asesores"),
        ("el pesquero Nova Ribeira Dous", "Nova Ribeira Dous"),
        ("en el establecimiento «Lounge Bahía 27» se halló", "Lounge Bahía 27"),
        ("contra CONSERVAS A LANZADA, S.A. y otros", "CONSERVAS A LANZADA, S.A."),
        ("contra TRANSPORTES HNOS. QUIROGA, S.L. y", "TRANSPORTES HNOS. QUIROGA, S.L."),
        ("Frutas Peñalver e Hijos S.A.T. no paga", "Frutas Peñalver e Hijos S.A.T."),
        ("en Ekoizpen Berdea Koop. Elk. Txikia somos socias", "Ekoizpen Berdea Koop. Elk. Txikia"),
        ("Cubiertas y Fa-\nchadas del Henares S.L.", "Cubiertas y Fa-\nchadas del Henares S.L."),
        (
            "la empresa Aguas del Río, Servicios Hidráulicos, S.A.",
            "Aguas del Río, Servicios Hidráulicos, S.A.",
        ),
    ],
)
def test_a_company_is_masked_whole_by_its_trade_its_form_or_what_announces_it(
    text: str, company: str
) -> None:
    assert found(text) == [company]


@pytest.mark.parametrize(
    "text",
    [
        "soy limpiadora en un colegio de Aranda y en un hotel de Zermatt",
        "Despacho de 180 empleados y taller de 15 en Burgos",
        "la Sala Cuarta, el Ayuntamiento de Getafe y la Seguridad Minera",
        "el sistema especial de frutas y hortalizas y conservas vegetales",
        "trabajo en una cafetería familiar, en limpieza y en logística",
        "el Ilustre Colegio de Abogados",
        "el convenio de hostelería, bares y restaurantes",
    ],
)
def test_trades_offices_and_places_are_no_companies(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("mi dni 753O0576H", ["753O0576H"]),
        ("mi dni es 44 850 957 zeta", ["44 850 957 zeta"]),
        ("el nie equis 2627114 pe", ["equis 2627114 pe"]),
        ("el NAF bueno es 504198558278, el anterior (151871718582)", ["504198558278", "151871718582"]),
        ("mi NSS mal: pone 46333823475", ["46333823475"]),
        ("nos dieron el 07/161009741 en 2016", ["07/161009741"]),
        ("cuenta (DE57939244233798351229)", ["DE57939244233798351229"]),
        ("cobra en 20856961374904094239 desde", ["20856961374904094239"]),
        ("el DNI de quien firma, 6237454Y", ["6237454Y"]),
        ("carta nacional de identidad italiana CA48201FR", ["CA48201FR"]),
        ("47582910G 17 09 1993", ["47582910G", "17 09 1993"]),
        ("Fecha de naci-\nmiento: 14/02/1988", ["14/02/1988"]),
        ("Gracias\n602.118.743\nPD", ["602.118.743"]),
        ("Pasap. RT2281094 y n.º de historia 4471902", ["RT2281094", "4471902"]),
        ("Polígono 27, Pabellón 4, 20014 Donostia", ["Polígono 27, Pabellón 4, 20014 Donostia"]),
        (
            "Cortijo Los Almendros, Dip. de Campillo, 30813 Lorca (Murcia)",
            ["Cortijo Los Almendros, Dip. de Campillo, 30813 Lorca (Murcia)"],
        ),
        ("Domicilio: PTDA. LA FOIA, POL. 12, 46650 CANALS", ["PTDA. LA FOIA, POL. 12, 46650 CANALS"]),
        ("pedido web 2025-0093817", []),
        ("convenio 99004615011982, serie E411-20981", []),
        ("REGINA, X3403220W, 01/03/1999 antigüedad | X3403220W | 01/03/2019", None),
    ],
)
def test_identifiers_of_dictation_forms_and_typing_errors_are_masked(
    text: str, masked: list[str] | None
) -> None:
    if masked is None:
        assert "01/03/2019" not in found(text)
    else:
        assert found(text) == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("MI CUÑADO DICE QUE UN JUEZ OBLIGÓ A READMITIR A UNO QUE COBRABA POR DAÑO MORAL", []),
        ("TRABAJO EN UN BAR EN LA PLAYA Y SALGO A LA UNA, ME TIENEN QUE DAR EL PLUS?", []),
        ("ME LLAMO LUCÍA PÉREZ Y NO ME PAGAN LO QUE ME DEBEN EN LA EMPRESA", ["LUCÍA PÉREZ"]),
        (
            "QUE SE ESTIMA LA DEMANDA DE ANA RUIZ CONTRA EL SUR, S.L., POR LO QUE",
            ["ANA RUIZ", "EL SUR, S.L."],
        ),
        ("TRABAJADOR: CASTILLEJO ROMERA, FCO. JAVIER", ["CASTILLEJO ROMERA, FCO. JAVIER"]),
    ],
)
def test_in_sentences_all_in_capitals_a_capital_tells_nothing(text: str, masked: list[str]) -> None:
    assert found(text) == masked
