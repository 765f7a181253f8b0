"""The matter of a question."""

import pytest

from rag.question.matter import matter

OURS = [
    ("¿Cuántas horas extraordinarias se pueden hacer?", "labour"),
    ("Mi jefe no me da las vacaciones", "labour"),
    ("¿Qué preaviso debo dar si dimito?", "labour"),
    ("¿Puedo pedir una excedencia?", "labour"),
    ("¿Cómo se elige al comité de empresa?", "labour"),
    ("¿Qué es un ERTE?", "labour"),
    ("No me pagan la nómina", "labour"),
    ("¿Cuándo es ilegal una huelga?", "labour"),
    ("contrato de trabajo verbal", "labour"),
    ("derechos de las empleadas de hogar", "labour"),
    ("teletrabajo y gastos", "labour"),
    ("¿Qué cubre el FOGASA?", "labour"),
    ("pensión de viudedad", "social_security"),
    ("¿Cuánto se cobra de paro?", "social_security"),
    ("requisitos del ingreso mínimo vital", "social_security"),
    ("¿Quién paga la baja médica?", "social_security"),
    ("cuota de autónomos", "social_security"),
    ("grado de dependencia de mi madre", "social_security"),
    ("jubilación anticipada", "social_security"),
    ("incapacidad permanente total", "social_security"),
    ("accidente in itinere", "social_security"),
    ("años cotizados para jubilarse", "social_security"),
    ("papeleta de conciliación", "procedural"),
    ("recurso de suplicación", "procedural"),
    ("silencio administrativo", "procedural"),
    ("¿Quién elige al delegado de prevención?", "prevention"),
    ("evaluación de riesgos laborales", "prevention"),
    ("¿Cuándo hace falta un delegado de protección de datos?", "data_protection"),
]
# Words of another matter that a question about work says too.
SHARED = [
    "¿Cuántos días me dan por la boda de un hermano?",
    "¿Me dan libre el día de la boda de mi hijo?",
    "¿Me tienen que dar día libre para votar?",
    "el domingo trabajo, ¿puedo salir a votar?",
    "¿Pueden leerme el WhatsApp del móvil de empresa?",
    "¿Puede mi jefe escribirme por WhatsApp a las once de la noche?",
    "¿Puede la empresa instalar una app en mi móvil?",
    "¿Puedo pedir reducción por la custodia compartida?",
    "tengo la custodia compartida y quiero adaptar el horario",
    "¿Cuánto puede conducir un camionero?",
    "¿Cuántas horas puede conducir un conductor de autobús?",
    "¿Me pueden grabar con el móvil?",
    "¿Tengo que llevar casco en la obra?",
    "¿Quién paga el casco y las botas?",
    "pensión compensatoria y viudedad divorciada",
    "¿Cobro viudedad de mi ex si estamos divorciados?",
    "¿Me dan permiso para donar órganos?",
    "Tengo fiebre, ¿necesito la baja?",
    "¿Me pueden dar la baja por dolor de cabeza?",
]
OTHERS = [
    ("¿Me puede echar el casero del piso?", "housing"),
    ("reparto de una herencia sin testamento", "civil"),
    ("mi vecino invade la linde", "civil"),
    ("custodia compartida tras el divorcio", "family"),
    ("¿Cada cuánto se paga el IBI?", "tax"),
    ("presentar el modelo 303", "tax"),
    ("tipo del impuesto sobre sociedades", "tax"),
    ("¿Qué pena tiene un hurto?", "criminal"),
    ("orden de alejamiento", "criminal"),
    ("cancelar los antecedentes penales", "criminal"),
    ("la aerolínea ha perdido mi equipaje", "consumer"),
    ("devolver una lavadora defectuosa", "consumer"),
    ("puntos del carné de conducir", "traffic"),
    ("pasar la ITV", "traffic"),
    ("multa por un radar", "traffic"),
    ("pedir la nacionalidad española", "immigration"),
    ("solicitar asilo", "immigration"),
    ("registrar una marca", "intellectual"),
    ("derechos de autor de una canción", "intellectual"),
    ("concurso de acreedores", "commercial"),
    ("capital social mínimo de una sociedad limitada", "commercial"),
    ("votar por correo en las elecciones", "public"),
    ("¿Me dan la custodia compartida de mis hijos?", "family"),
    ("¿Es obligatorio el casco en la moto?", "traffic"),
    ("un móvil nuevo que no funciona", "consumer"),
    ("pensión compensatoria de mi ex", "family"),
    ("licencia de obras", "public"),
    ("trienios de un funcionario", "civil_service"),
]
NOT_LEGAL = [
    ("¿Lloverá mañana?", "weather"),
    ("receta de paella", "leisure"),
    ("recomiéndame una película", "leisure"),
    ("¿Cuál es la capital de Francia?", "knowledge"),
    ("raíz cuadrada de 81", "knowledge"),
    ("remedio para el dolor de cabeza", "knowledge"),
    ("¿Cómo instalo una impresora?", "technology"),
    ("escribe código en Python", "technology"),
    ("hola, ¿qué tal?", "chat"),
]


@pytest.mark.parametrize(("question", "subject"), OURS)
def test_a_subject_of_ours_is_recognised(question: str, subject: str) -> None:
    found = matter(question)
    assert (found.branch, found.subject) == ("own", subject)


@pytest.mark.parametrize("question", SHARED)
def test_a_word_of_another_matter_does_not_take_a_question_about_work_away(question: str) -> None:
    assert matter(question).branch == "own"


@pytest.mark.parametrize(("question", "subject"), OTHERS)
def test_another_branch_is_recognised_and_says_where_it_is(question: str, subject: str) -> None:
    found = matter(question)
    assert (found.branch, found.subject) == ("other_branch", subject)
    assert found.score >= 0.5
    assert found.where


@pytest.mark.parametrize(("question", "subject"), NOT_LEGAL)
def test_what_is_not_legal_is_recognised(question: str, subject: str) -> None:
    found = matter(question)
    assert (found.branch, found.subject) == ("not_legal", subject)


@pytest.mark.parametrize("question", ["¿Qué órgano elabora los planes?", "", "¿Y si no?"])
def test_nothing_found_is_unknown(question: str) -> None:
    assert matter(question).branch == "unknown"


@pytest.mark.parametrize(
    "question",
    ["embargo del salario por el alquiler", "el banco no admite mi nómina"],
)
def test_a_tie_is_ours(question: str) -> None:
    assert matter(question).branch == "own"


@pytest.mark.parametrize(
    ("question", "country"),
    [
        ("¿Cuántos días de vacaciones hay en Perú?", "Perú"),
        ("¿Qué dice la ley peruana sobre el despido?", "Perú"),
        ("vacaciones según la Ley Federal del Trabajo", "México"),
        ("el Código Sustantivo del Trabajo", "Colombia"),
        ("¿Cuál es el salario mínimo en Francia?", "Francia"),
        ("la legislación laboral alemana", "Alemania"),
        ("código de trabajo de Chile", "Chile"),
        ("Uruguay: salario vacacional, cómo se calcula", "Uruguay"),
        ("¿Me pueden despedir en Texas sin motivo?", "Estados Unidos"),
        ("lo contrataron en Oslo, con contrato noruego", "Noruega"),
        ("¿Qué es el Kurzarbeit?", "Alemania"),
        ("quiero vivir un año en Portugal, ¿cuánto dura la excedencia?", ""),
        ("mi mujer está en Rumanía, ¿cuántos días me dan?", ""),
        ("una empresa con domicilio en Lisboa y delegación en Madrid", ""),
        ("Trabajo en Francia desplazado por mi empresa española", ""),
        ("Coticé diez años en Alemania, ¿cuentan para mi pensión en España?", ""),
        ("¿Puede un trabajador peruano cobrar el paro?", ""),
    ],
)
def test_foreign_law_is_out_of_scope_but_people_from_abroad_are_not(question: str, country: str) -> None:
    assert matter(question).foreign == country
    assert (matter(question).branch == "other_branch") == bool(country)


@pytest.mark.parametrize(
    "question",
    [
        "¿Hasta qué cantidad está exenta de IRPF la indemnización por despido?",
        "Custodia compartida con turnos rotativos de fábrica, ¿me la pueden negar?",
        "Rescindo el alquiler porque me trasladan por trabajo, ¿qué penalización hay?",
    ],
)
def test_sure_words_of_another_matter_win_over_words_of_ours(question: str) -> None:
    assert matter(question).branch == "other_branch"


@pytest.mark.parametrize(
    "question", ["Hola, me han despedido el lunes, ¿qué plazo solo tengo?", "¿Cuenta el sábado?"]
)
def test_words_that_only_share_a_stem_with_another_matter_do_not_count(question: str) -> None:
    assert matter(question).branch in ("own", "unknown")


@pytest.mark.parametrize(
    "question",
    [
        "Estoy cobrando el paro y quiero pasar dos meses con mi hermana en Irlanda, ¿lo pierdo?",
        "Cobro un complemento a mínimos, ¿puedo pasar el invierno con mi hija en Alemania?",
    ],
)
def test_a_stay_abroad_is_no_question_of_foreign_law(question: str) -> None:
    assert matter(question).foreign == ""
