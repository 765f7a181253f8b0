"""How a question is asked: spelling, type, follow-ups, parts and the filters it states."""

import pytest

from law import references
from law.mentions import find_mentions
from law.norm_names import NormCatalogue
from lexicon.usual_names import known_norms
from models.chat import Turn
from rag.question.filters import filters
from rag.question.question_form import clean, is_follow_up, question_type, self_contained, split_question


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("xq no me dan vacasiones???", "por qué no me dan vacaciones?"),
        ("q es el IMV", "qué es el IMV"),
        ("tb cobro el paro???!!!", "también cobro el paro?!"),
        ("holaaaa  buenas", "hola buenas"),
        ("¿Qué dice el art. 38.4 ET?", "¿Qué dice el art. 38.4 ET?"),
        ("finikito y  nomima", "finiquito y nómina"),
        ("¿La UE o el INSS?", "¿La UE o el INSS?"),
        ("Ley 39/2015 , de 1 de octubre", "Ley 39/2015, de 1 de octubre"),
        ("Mi cliente lleva un mes de baja", "lleva un mes de baja"),
        ("¿Pueden sancionar a nuestra representada?", "¿Pueden sancionar?"),
        ("Soy autónomo y mi cliente no me paga", "Soy autónomo y mi cliente no me paga"),
        ("El cliente de la empresa se queja", "El cliente de la empresa se queja"),
        ("mi cliente", "mi cliente"),
    ],
)
def test_chat_spelling_is_mended_and_the_rest_is_left(typed: str, cleaned: str) -> None:
    assert clean(typed) == cleaned


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("¿Qué diferencia hay entre el despido nulo y el improcedente?", "comparison"),
        ("¿Qué me conviene más, excedencia o reducción?", "comparison"),
        ("¿Qué dice el artículo 38 del ET?", "article"),
        ("artículo 205 LGSS", "article"),
        ("¿Cuánto se cobra de baja?", "open"),
        ("¿Cuánto cobro de paro?", "amount"),
        ("¿Qué indemnización me corresponde?", "amount"),
        ("cuantía del SMI", "amount"),
        ("¿Cuántos días de vacaciones tengo?", "duration"),
        ("plazo para reclamar un despido", "duration"),
        ("¿A qué edad me jubilo?", "duration"),
        ("requisitos del ingreso mínimo vital", "requirements"),
        ("¿Qué necesito para pedir el paro?", "requirements"),
        ("¿Cómo se tramita una excedencia?", "procedure"),
        ("¿Dónde se presenta la papeleta?", "procedure"),
        ("¿Quién paga la baja?", "who"),
        ("¿Qué pasa si no firmo el finiquito?", "effects"),
        ("¿Qué es un ERTE?", "definition"),
        ("¿Qué se entiende por accidente de trabajo?", "definition"),
        ("¿Puedo trabajar estando de baja?", "yes_no"),
        ("¿Es legal grabar a los trabajadores?", "yes_no"),
        ("vacaciones", "open"),
    ],
)
def test_the_type_of_a_question_is_read_off_its_words(question: str, kind: str) -> None:
    assert question_type(question) == kind


@pytest.mark.parametrize(
    "question",
    [
        "¿Y si no me las dan?",
        "¿Y para los autónomos?",
        "¿Cuánto dura?",
        "¿Quién paga esa prestación?",
        "¿Y en 2019?",
    ],
)
def test_a_follow_up_is_recognised(question: str) -> None:
    assert is_follow_up(question)


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuántos días de vacaciones me corresponden al año?",
        "indemnización por despido improcedente",
        "¿Qué requisitos tiene la pensión de viudedad?",
    ],
)
def test_a_question_that_stands_alone_is_no_follow_up(question: str) -> None:
    assert not is_follow_up(question)


def test_a_chain_of_follow_ups_goes_back_to_the_question_that_stood_alone() -> None:
    history = [
        Turn(role="user", text="¿Qué es el paro?"),
        Turn(role="assistant", text="…"),
        Turn(role="user", text="¿Cuántos días de vacaciones tengo?"),
        Turn(role="assistant", text="…"),
        Turn(role="user", text="¿Y si estoy de baja?"),
        Turn(role="assistant", text="…"),
    ]
    whole = self_contained("¿Y cuánto dura?", history)
    assert whole == "¿Cuántos días de vacaciones tengo? ¿Y si estoy de baja? ¿Y cuánto dura?"


def test_without_history_a_follow_up_stays_as_it_is() -> None:
    assert self_contained("¿Y cuánto dura?", []) == "¿Y cuánto dura?"


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("¿Cuántos días de vacaciones tengo?", []),
        ("¿Qué derechos y obligaciones tengo?", []),
        ("permiso por nacimiento de hijos e hijas", []),
        ("¿Son días hábiles o naturales?", []),
        (
            "¿Qué diferencia hay entre el despido nulo y el improcedente?",
            ["el despido nulo", "el improcedente"],
        ),
        ("excedencia frente a reducción de jornada", ["excedencia", "reducción de jornada"]),
        (
            "¿Qué me conviene más, la excedencia o la reducción de jornada?",
            ["la excedencia", "la reducción de jornada"],
        ),
        ("¿Qué es un ERTE y quién lo autoriza?", ["Qué es un ERTE", "es un ERTE quién lo autoriza"]),
        ("¿Cuánto dura la baja y quién la paga?", ["Cuánto dura la baja", "la baja quién la paga"]),
        ("¿Cuánto dura el paro y qué cuantía tiene?", ["Cuánto dura el paro", "el paro qué cuantía tiene"]),
        (
            "¿Cuánto dura la huelga y cuándo se convoca el referéndum de empresa?",
            ["Cuánto dura la huelga", "cuándo se convoca el referéndum de empresa"],
        ),
        (
            "Me voy yo de la empresa, ¿cobro el paro y qué preaviso doy a los jefes de obra?",
            [
                "Me voy yo de la empresa, ¿cobro el paro",
                "Me voy yo de la empresa, qué preaviso doy a los jefes de obra",
            ],
        ),
        (
            "requisitos de la jubilación parcial y de la jubilación anticipada",
            ["requisitos de la jubilación parcial", "requisitos de la jubilación anticipada"],
        ),
    ],
)
def test_several_concepts_become_searches_after_the_whole(question: str, parts: list[str]) -> None:
    assert split_question(question) == [question, *parts]


def test_a_request_that_only_goes_on_with_the_question_is_searched_with_its_subject() -> None:
    assert split_question("¿Cuántos días son por boda y puedo cogerlos cuando quiera?") == [
        "Cuántos días son por boda",
        "días son por boda puedo cogerlos cuando quiera",
    ]
    whole = "¿Cuántos días son por boda y puedo negarme a las guardias del hospital?"
    assert split_question(whole) == [whole]


def test_several_questions_are_searched_one_by_one_and_never_more_than_four() -> None:
    five = " ".join(
        f"¿Qué regula la norma sobre {topic}?" for topic in ("paro", "bajas", "huelga", "salario", "multas")
    )
    assert len(split_question(five)) == 4
    assert split_question("¿Qué es un ERTE? ¿Cuánto dura?") == [
        "¿Qué es un ERTE?",
        "es un ERTE ¿Cuánto dura?",
    ]
    assert split_question("Soy interna. ¿Pueden echarme así? ¿Qué me pagan?") == [
        "Soy interna. ¿Pueden echarme así?",
        "Soy interna. ¿Qué me pagan?",
    ]


def test_white_space_says_nothing_however_long() -> None:
    assert split_question(f"  ¿Cuánto dura{' ' * 20_000}la huelga?  ") == ["¿Cuánto dura la huelga?"]


CATALOGUE = NormCatalogue(known_norms())
LOADED = {"BOE-A-2015-11430", "BOE-A-2015-11724"}


@pytest.mark.parametrize(
    ("question", "field", "expected"),
    [
        ("¿Hay sentencias del Tribunal Supremo sobre el registro horario?", "collections", ("sentencias",)),
        ("jurisprudencia sobre el despido", "collections", ("sentencias",)),
        ("¿Qué dice el Supremo sobre las guardias?", "collections", ("sentencias",)),
        ("¿Hay algún criterio del INSS sobre viudedad?", "collections", ("criterios_inss",)),
        ("¿Cómo se ejecuta una sentencia de despido?", "collections", ()),
        ("¿Con qué criterio se elige a los despedidos?", "collections", ()),
        ("¿Qué reales decretos regulan la jornada?", "ranks", ("Real Decreto",)),
        ("¿Qué leyes orgánicas tratan de la huelga?", "ranks", ("Ley Orgánica",)),
        ("¿Qué regula el Real Decreto 295/2009?", "ranks", ()),
        ("Según el Estatuto de los Trabajadores, ¿qué es la huelga?", "norm_ids", ()),
        ("Según el Estatuto de los Trabajadores, ¿qué es?", "preferred_norms", ("BOE-A-2015-11430",)),
        ("¿Qué dice la LGSS sobre la viudedad?", "norm_ids", ("BOE-A-2015-11724",)),
        ("¿Qué dice la Ley de Empleo sobre los parados?", "norm_ids", ()),
        ("¿Qué dice el artículo 38 del Estatuto de los Trabajadores?", "norm_ids", ()),
        ("quiero solo las infracciones graves", "section_types", ("sanciones",)),
    ],
)
def test_only_what_is_stated_outright_becomes_a_filter(
    question: str, field: str, expected: tuple[str, ...]
) -> None:
    named = references.resolve(find_mentions(question), CATALOGUE)
    assert getattr(filters(question, named, LOADED), field) == expected
