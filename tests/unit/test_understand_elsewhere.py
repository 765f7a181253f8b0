"""Needs of a question that the corpus lacks, with the place where they are met."""

from datetime import date

import pytest

from law import references
from law.agreement_names import AgreementNames
from law.holdings import Holdings
from law.mentions import find_mentions
from law.norm_names import NormCatalogue
from law.norms import Norm
from lexicon.territories import territory
from lexicon.usual_names import known_norms
from rag.question import asked_agreements
from rag.question.asked_day import time_scope
from rag.question.outside_corpus import missing

TODAY = date(2026, 6, 1)
ET = Norm(
    id="BOE-A-2015-11430",
    title="Estatuto de los Trabajadores",
    law="Estatuto de los Trabajadores",
    rank="Real Decreto Legislativo",
    number="2/2015",
)


def outside(question: str, *loaded: Norm, dated: bool = False) -> tuple[str, ...]:
    catalogue = NormCatalogue([*known_norms(), *loaded])
    named = references.resolve(find_mentions(question), catalogue)
    holdings = Holdings([ET, *loaded], catalogue)
    time = time_scope(question, TODAY) if dated else None
    found = missing(question, named, holdings, territory(question), time)
    assert all(item.where for item in found)
    return tuple(item.what for item in found)


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("¿Qué dice la Ley de Arrendamientos Urbanos?", "Arrendamientos Urbanos"),
        ("artículo 1902 del Código Civil", "Código Civil"),
        ("¿Qué dice el Código Penal?", "Código Penal"),
        ("¿Qué dice el EBEP sobre las vacaciones?", "EBEP"),
        ("pensión de clases pasivas", "clases pasivas"),
        ("receta en MUFACE", "mutualismo administrativo"),
        ("¿Cómo pido una beca MEC?", "becas"),
        ("renta activa de inserción", "renta activa"),
        ("¿Qué porcentaje fija el Decreto 3158/1966?", "Decreto 3158/1966"),
        ("¿Qué cambió la Ley Orgánica 1/2025?", "Ley Orgánica 1/2025"),
        ("¿Qué dice la orden de cotización?", "orden anual de cotización"),
        ("¿El despido exige audiencia según el Convenio 158 de la OIT?", "Organización Internacional"),
        ("¿A cuánto asciende el IPREM 2026?", "IPREM"),
        ("art. 1902 CC", "art. 1902 CC"),
        ("¿Cuántas vacaciones da el convenio de hostelería?", "convenio colectivo"),
        ("tablas salariales del convenio colectivo estatal del metal", "convenio colectivo"),
        ("renta garantizada de ciudadanía", "renta garantizada"),
        ("¿Cómo se llama la sentencia de los repartidores?", "jurisprudencia"),
        ("dime la última sentencia sobre vacaciones", "jurisprudencia"),
        ("estadísticas de conciliaciones con avenencia", "estadísticas"),
        ("¿Cuál es la tasa de paro de este trimestre?", "estadísticas"),
        ("¿Me ayuda a redactar una demanda?", "modelos de escritos"),
        ("¿Qué festivos hay en Valencia?", "normativa propia de Valencia"),
        ("ayudas a autónomos en Andalucía", "normativa propia de Andalucía"),
    ],
)
def test_what_the_corpus_lacks_is_named_with_its_place(question: str, what: str) -> None:
    assert any(what in item for item in outside(question))


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué dice el artículo 38 del Estatuto de los Trabajadores?",
        "¿Puede el convenio colectivo ampliar las vacaciones?",
        "¿Cuántos días de vacaciones tengo en Madrid?",
        "despido de una trabajadora en Bilbao",
        "ayuda para cuidar a un hijo enfermo",
        "¿Cuánto se cobra de IT por CC?",
        "tipo de cotización por CP",
        "renta activa de inserción para una víctima de violencia de género",
        "¿Tiene renta activa de inserción un emigrante retornado?",
        "La sentencia dice que el despido es improcedente, ¿puedo exigir volver?",
        "¿Cuánto tarda el juez en sacar la sentencia después del juicio?",
        "¿Qué tribunal resuelve un conflicto colectivo de dos provincias?",
        "¿Qué medidas estadísticas recoge el registro retributivo?",
        "¿A partir de cuántos despidos hay que hacer un plan de recolocación?",
        "partes de confirmación si la baja es de duración media",
        "¿Hacen falta fundamentos jurídicos al redactar una demanda?",
    ],
)
def test_what_the_corpus_may_hold_is_not_said_to_be_missing(question: str) -> None:
    assert outside(question) == ()


def test_a_territory_whose_norms_are_loaded_is_not_missing() -> None:
    andalusian = Norm(id="a", title="Decreto andaluz", law="Decreto andaluz", territory="Andalucía")
    assert outside("ayudas a autónomos en Andalucía", andalusian) == ()


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("¿Qué medios enumera el RD 171/2031?", "el RD 171/2031"),
        ("niveles que permite la ley 32/2006", "la ley 32/2006"),
        ("¿Qué dice la Ley 12/2031 de Jornada de Cuatro Días?", "la Ley 12/2031"),
        ("Directiva 2023/970, ¿qué obliga a informar?", "la Directiva 2023/970"),
        ("Reglamento (CE) 561/2006, pausas", "el Reglamento (CE) 561/2006"),
        ("¿Lo regula el Reglamento 883/2004?", "el Reglamento 883/2004"),
    ],
)
def test_a_norm_named_by_a_number_that_nobody_knows_is_missing(question: str, what: str) -> None:
    assert what in outside(question)


@pytest.mark.parametrize(
    "question", ["el Real Decreto Legislativo 2/2015", "RDLeg 2/2015", "¿Qué dice la Directiva 2003/88/CE?"]
)
def test_a_norm_that_is_loaded_is_not_missing_by_its_number(question: str) -> None:
    working_time = Norm(
        id="eu", title="Directiva de tiempo de trabajo", law="Directiva", rank="Directiva", number="2003/88"
    )
    assert outside(question, working_time) == ()


@pytest.mark.parametrize(
    ("question", "norm"),
    [
        ("¿Qué dice la Ley de Sociedades de Capital?", Norm(id="BOE-A-2010-10544", title="LSC", law="LSC")),
        ("ley de familias numerosas", Norm(id="x", title="LFN", law="LFN", rank="Ley", number="40/2003")),
        ("¿Está exenta de IRPF la indemnización?", Norm(id="BOE-A-2006-20764", title="LIRPF", law="LIRPF")),
    ],
)
def test_what_a_loaded_norm_holds_is_not_missing_by_its_identifier_or_number(
    question: str, norm: Norm
) -> None:
    assert outside(question)
    assert outside(question, norm) == ()


def test_an_entry_named_by_its_number_is_missing_until_that_norm_is_loaded() -> None:
    question = "¿Qué temperatura máxima debe haber según el reglamento de lugares de trabajo?"
    assert outside(question) == ("el Reglamento sobre lugares de trabajo",)
    places = Norm(id="p", title="Lugares", law="Lugares", rank="Real Decreto", number="486/1997")
    assert outside(question, places) == ()


def test_the_agreement_of_another_sector_is_not_the_one_that_is_missing() -> None:
    title = "Convenio colectivo de limpieza de edificios"
    other = Norm(id="C-1", title=title, law=title, rank="Convenio colectivo")
    assert any("hostelería" in item for item in outside("vacaciones del convenio de hostelería", other))
    assert outside("vacaciones del convenio de limpieza", other) == ()


def test_a_norm_that_only_dates_the_question_is_not_missing() -> None:
    question = "despido antes del Real Decreto-ley 3/2012"
    assert outside(question) == ("Real Decreto-ley 3/2012",)
    assert outside(question, dated=True) == ()


def test_a_norm_of_the_story_is_not_missing() -> None:
    question = "¿En qué plazo prescriben las cuotas? El deudor cita la Ley General Tributaria y el RD 1/2031."
    assert outside(question) == ()
    assert outside("¿Qué plazo da el RD 1/2031?") == ("el RD 1/2031",)


def test_nothing_is_missing_from_an_empty_corpus() -> None:
    question = "¿Qué dice el Código Penal?"
    catalogue = NormCatalogue(known_norms())
    named = references.resolve(find_mentions(question), catalogue)
    assert missing(question, named, Holdings([], catalogue), None) == ()


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("¿Hay jurisprudencia sobre el despido en situación de baja?", "la jurisprudencia"),
        ("Resumen de la STC 119/2022 sobre cámaras", "la jurisprudencia"),
        ("¿Qué han dicho los tribunales de Madrid sobre los detectives?", "la jurisprudencia"),
        ("Necesito tres sentencias de TSJ que consideren fraude la cadena de contratos", "la jurisprudencia"),
        ("¿Cuántos parados hay en España?", "las estadísticas y los datos de actualidad"),
        ("sueldo medio de una enfermera", "las estadísticas y los datos de actualidad"),
        ("teléfono de la oficina del SEPE en Alcorcón", "los datos de contacto"),
        ("estado de mi expediente de jubilación", "el estado de un expediente"),
        ("plantilla en Word de carta de dimisión", "los modelos de escritos"),
        ("base máxima de cotización 2026 en euros", "las bases y topes de cotización"),
        ("¿De cuánto es la pensión mínima en 2026?", "las cuantías anuales de las pensiones"),
    ],
)
def test_a_request_that_no_norm_of_ours_answers_is_told_where_to_go(question: str, what: str) -> None:
    assert any(item.startswith(what) for item in outside(question))


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué plazo hay para recurrir una sentencia del Tribunal Superior de Justicia?",
        "La sentencia declara improcedente mi despido, ¿quién elige?",
        "me pasaba una pensión por lo que dijo el juez, ¿me queda viudedad?",
        "¿Cuándo cabe recurso de casación para la unificación de doctrina?",
        "¿Puede mi jefe leer mi correo electrónico?",
        "¿Cuántos trabajadores hacen falta para elegir comité?",
        "¿Qué es la base máxima de cotización?",
        "¿Qué porcentaje de trabajadores con discapacidad debe haber?",
        "¿Qué debe decir la carta de despido?",
        "¿El IMV es de la Seguridad Social o de las CC. AA.?",
    ],
)
def test_questions_of_law_that_sound_like_such_requests_are_ours(question: str) -> None:
    assert outside(question) == ()


def test_case_law_is_not_missing_once_judgments_are_loaded() -> None:
    ruling = Norm(id="s", title="Sentencia", law="Sentencia", collection="sentencias")
    assert outside("¿Hay jurisprudencia sobre el despido en baja?", ruling) == ()


def agreement(title: str, **extra: str) -> Norm:
    return Norm(id=title, title=title, law=title, rank="Convenio colectivo", extra=extra)


@pytest.mark.parametrize(
    ("question", "missing_one"),
    [
        ("¿Qué plus fija el convenio de hostelería de Huelva?", False),
        ("plus de domingos del convenio hostelería", False),
        ("¿Qué plus fija el convenio de hostelería de Madrid?", True),
        ("¿Qué plus fija el convenio de comercio de Huelva?", True),
        ("¿Qué jornada fija el convenio de restauración?", False),
        ("¿Qué jornada fija el convenio de colectividades?", False),
        ("soy dependienta en mercadona, ¿cuánto es el plus según su convenio de empresa?", True),
    ],
)
def test_an_agreement_is_missing_unless_a_loaded_one_covers_it(question, missing_one) -> None:
    loaded = agreement(
        "Convenio colectivo de hostelería de la provincia de Huelva",
        ambito_funcional="Obliga a los establecimientos de alojamiento y de restauración.",
    )
    assert bool(outside(question, loaded)) is missing_one


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("¿Cuántos días de asuntos propios da el convenio estatal de empresas de jardinería?", True),
        ("¿Qué plus fija el convenio colectivo de hostelería de Soria?", True),
        ("En el convenio de heladerías artesanas de Villarrubia, ¿cuántas vacaciones hay?", True),
        ("jornada según el convenio de los campaneros", True),
        ("¿Qué dice el convenio de panadería de Lugo?", True),
        ("¿Puede el convenio de los trabajadores rebajar la jornada?", False),
        ("¿Qué pasa con los salarios en un convenio de acreedores?", False),
        ("El convenio de este año no se ha publicado, ¿qué hago?", False),
        ("¿Puede el convenio colectivo rebajar el salario?", False),
        ("¿El convenio colectivo de aplicación puede empeorar la jornada?", False),
        ("¿Quién negocia el convenio colectivo de empresa?", False),
        ("¿Qué vigencia tiene un convenio colectivo de ámbito superior?", False),
        ("¿Qué es un convenio especial con la Seguridad Social?", False),
    ],
)
def test_a_certain_collective_agreement_is_missing_and_agreements_in_general_are_not(question, named) -> None:
    assert bool(outside(question)) is named


def test_an_agreement_that_is_not_loaded_is_told_with_what_to_do() -> None:
    question = "vacaciones en el convenio de heladerías artesanas"
    found = asked_agreements.missing(question, AgreementNames(), None)
    assert found is not None
    assert "(heladerías) no está cargado" in found.said
    assert "quien administra Articulado puede cargarlo" in found.said


def test_an_agreement_of_a_trade_that_a_loaded_one_covers_by_its_people_is_not_missing() -> None:
    loaded = agreement("Convenio colectivo de hostelería de Huelva")
    assert outside("jornada del convenio de los camareros de hotel", loaded) == ()


SMI = [
    Norm(id=f"smi-{year}", title=f"Real Decreto 9/{year}, del salario mínimo interprofesional", law="SMI")
    for year in (2025, 2026)
]


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("¿Cuál era el SMI en 2023?", "el salario mínimo interprofesional de 2023"),
        ("¿A cuánto ascendía el salario mínimo el año 2021?", "el salario mínimo interprofesional de 2021"),
        ("En 2019, ¿qué salario mínimo había?", "el salario mínimo interprofesional de 2019"),
        ("importe del SMI 2022", "el salario mínimo interprofesional de 2022"),
        ("¿Cuánto era el SMI hace tres años?", "el salario mínimo interprofesional de 2023"),
        ("¿A cuánto ascendió el IPREM en 2022?", "el IPREM de 2022"),
        ("¿Cuál era el interés legal del dinero en 2024?", "el interés legal del dinero"),
        ("tipo de interés de demora 2023 de la Seguridad Social", "el interés legal del dinero"),
        ("¿Cuánto subieron las pensiones en 2024?", "la revalorización de las pensiones de 2024"),
        ("¿Cuál era la cuota de autónomos en 2022?", "las cuotas y bases de los trabajadores autónomos"),
    ],
)
def test_the_amount_of_a_year_whose_norm_is_not_loaded_is_missing(question: str, what: str) -> None:
    (found,) = outside(question, *SMI, dated=True)
    assert found.startswith(what)


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuál es el SMI de 2026?",
        "¿Qué SMI había en enero de 2025?",
        "¿Cuánto es el salario mínimo?",
        "¿Cuánto era el SMI el año pasado?",
        "Trabajo aquí desde 2019, ¿cuánto es el SMI?",
        "¿Cuánto será el salario mínimo en 2029?",
        "¿Qué parte del salario mínimo es inembargable según la ley de 2021?",
        "¿Cuál es el interés de demora de los salarios que me deben de 2023?",
        "Me despidieron en 2023, ¿qué indemnización me toca?",
        "¿Se revaloriza la pensión de quien se jubiló en 2019?",
        "Soy autónomo desde 2018, ¿qué cuota pago si me doy de baja a mitad de mes?",
        "¿Cuánto paga el FOGASA con el SMI de 2023?",
    ],
)
def test_amounts_that_are_loaded_or_of_no_year_are_not_missing(question: str) -> None:
    assert outside(question, *SMI, dated=True) == ()


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("¿Qué criterio de gestión del INSS hay sobre la recaída?", "entidades gestoras"),
        ("criterio 12/2031 del INSS sobre la baja", "entidades gestoras"),
        ("¿Qué criterio sigue el INSS para la viudedad de parejas de hecho?", "entidades gestoras"),
        ("¿Hay alguna consulta vinculante de la DGT sobre la indemnización?", "Tributos"),
        ("¿La indemnización por despido tributa?", "impuestos"),
        ("¿Cuánto IRPF me retienen en la nómina?", "impuestos"),
        ("¿Tengo que declarar el paro a Hacienda?", "impuestos"),
        ("¿Qué dice el criterio técnico 101/2019 de la Inspección?", "Inspección de Trabajo"),
        ("criterio técnico de la Inspección sobre el registro de jornada", "Inspección de Trabajo"),
        ("¿Qué instrucción de la TGSS regula el cese en el RETA?", "entidades de la Seguridad Social"),
        ("circular de la Tesorería sobre aplazamientos", "entidades de la Seguridad Social"),
        ("¿Qué dice el último boletín de noticias RED?", "entidades de la Seguridad Social"),
        ("consulta de la Dirección General de Trabajo sobre permisos", "Dirección General de Trabajo"),
    ],
)
def test_what_an_office_says_of_the_law_is_missing_as_case_law_is(question: str, what: str) -> None:
    assert any(what in item for item in outside(question))


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué criterios fija la ley para elegir a los despedidos?",
        "criterios de selección en un despido colectivo",
        "¿Con qué criterio se reparten las vacaciones?",
        "¿Qué criterios técnicos debe seguir la evaluación de riesgos?",
        "¿Puede la Inspección levantar acta sin visita?",
        "¿Cuánto tarda el INSS en resolver?",
        "El INSS me deniega la baja, ¿qué criterio legal hay para la recaída?",
        "¿Es vinculante la consulta a los representantes?",
        "¿Qué instrucciones debe dar la empresa sobre los riesgos?",
        "He recibido un oficio de la TGSS, ¿puedo recurrirlo?",
        "¿Qué criterios tiene el contrato de gestión?",
    ],
)
def test_a_criterion_of_the_law_is_not_one_of_an_office(question: str) -> None:
    assert outside(question) == ()


def test_the_criteria_of_the_institute_are_not_missing_once_some_are_loaded() -> None:
    loaded = Norm(id="c", title="Criterio", law="Criterio", collection="criterios_inss")
    assert outside("¿Qué criterio de gestión del INSS hay sobre la recaída?", loaded) == ()
