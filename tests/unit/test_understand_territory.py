"""Which part of Spain a question speaks of: level, comunidad, municipality."""

import pytest

from lexicon.territories import comunidad, territory


def place(question: str) -> tuple[str, str] | None:
    found = territory(question)
    return (found.ccaa, found.municipality or "") if found else None


COMUNIDADES = [
    ("en Andalucía", "Andalucía"),
    ("en Aragón", "Aragón"),
    ("en Asturias", "Asturias"),
    ("en el Principado de Asturias", "Asturias"),
    ("en Baleares", "Illes Balears"),
    ("en las Islas Baleares", "Illes Balears"),
    ("en Mallorca", "Illes Balears"),
    ("en Canarias", "Canarias"),
    ("en Tenerife", "Canarias"),
    ("en Cantabria", "Cantabria"),
    ("en Castilla y León", "Castilla y León"),
    ("Castilla y León", "Castilla y León"),
    ("en CYL", "Castilla y León"),
    ("en Castilla-La Mancha", "Castilla-La Mancha"),
    ("en castilla la mancha", "Castilla-La Mancha"),
    ("ayudas de CLM", "Castilla-La Mancha"),
    ("en Cataluña", "Cataluña"),
    ("en Catalunya", "Cataluña"),
    ("en CAT", "Cataluña"),
    ("en la Comunidad Valenciana", "Comunidad Valenciana"),
    ("en la Comunitat Valenciana", "Comunidad Valenciana"),
    ("en CV", "Comunidad Valenciana"),
    ("en Extremadura", "Extremadura"),
    ("en Galicia", "Galicia"),
    ("la Xunta de Galicia", "Galicia"),
    ("en la Comunidad de Madrid", "Comunidad de Madrid"),
    ("en la CAM", None),
    ("ayudas de CAM", "Comunidad de Madrid"),
    ("en la Región de Murcia", "Región de Murcia"),
    ("en la comunidad autónoma de Murcia", "Región de Murcia"),
    ("en Navarra", "Navarra"),
    ("en el País Vasco", "País Vasco"),
    ("en Euskadi", "País Vasco"),
    ("en Bizkaia", "País Vasco"),
    ("en La Rioja", "La Rioja"),
    ("en Ceuta", "Ceuta"),
    ("en Melilla.", "Melilla"),
    ("en la provincia de León", "Castilla y León"),
    ("provincia de Cuenca", "Castilla-La Mancha"),
    ("en la provincia de Sevilla", "Andalucía"),
]
CITIES = [
    ("en Madrid", "Comunidad de Madrid", "Madrid"),
    ("¿Qué ayudas hay en Madrid?", "Comunidad de Madrid", "Madrid"),
    ("ayudas Madrid", "Comunidad de Madrid", "Madrid"),
    ("en Valencia", "Comunidad Valenciana", "Valencia"),
    ("en València", "Comunidad Valenciana", "Valencia"),
    ("en Murcia", "Región de Murcia", "Murcia"),
    ("en León", "Castilla y León", "León"),
    ("ayuntamiento de León", "Castilla y León", "León"),
    ("en Mérida", "Extremadura", "Mérida"),
    ("en Córdoba", "Andalucía", "Córdoba"),
    ("en la ciudad de Palma", "Illes Balears", "Palma"),
    ("en Palma de Mallorca", "Illes Balears", "Palma"),
    ("en Santa Cruz de Tenerife", "Canarias", "Santa Cruz de Tenerife"),
    ("las palmas de gran canaria", "Canarias", "Las Palmas de Gran Canaria"),
    ("en A Coruña", "Galicia", "A Coruña"),
    ("en la coruña", "Galicia", "A Coruña"),
    ("en Orense", "Galicia", "Ourense"),
    ("en L'Hospitalet de Llobregat", "Cataluña", "L'Hospitalet de Llobregat"),
    ("en Lérida", "Cataluña", "Lleida"),
    ("vivo en Bilbao.", "País Vasco", "Bilbao"),
    ("Donostia/San Sebastián", "País Vasco", "San Sebastián"),
    ("en Vitoria-Gasteiz", "País Vasco", "Vitoria-Gasteiz"),
    ("en Santiago de Compostela", "Galicia", "Santiago de Compostela"),
    ("en Alcalá de Henares", "Comunidad de Madrid", "Alcalá de Henares"),
    ("en Jerez de la Frontera", "Andalucía", "Jerez de la Frontera"),
    ("trabajo en (Getafe)", "Comunidad de Madrid", "Getafe"),
    ("me mudo a Zaragoza", "Aragón", "Zaragoza"),
    ("en Toledo", "Castilla-La Mancha", "Toledo"),
    ("de Valladolid a Gijón en Gijón", "Asturias", "Gijón"),
]
NOWHERE = [
    "¿Cuántos días de vacaciones tengo?",
    "¿Me puede morder un león?",
    "el Pacto de Toledo",
    "trabajo en el Banco Santander",
    "mi cat se ha perdido",
    "¿Qué pongo en el CV?",
    "la cam de la oficina",
    "doña Mérida",
    "el señor Córdoba",
    "Soria me debe dinero",
    "trabajo en la empresa de mi padre",
    "una palma de la mano",
    "en la legislación estatal",
]


@pytest.mark.parametrize(("question", "ccaa"), COMUNIDADES)
def test_a_comunidad_is_recognised(question: str, ccaa: str | None) -> None:
    assert place(question) == ((ccaa, "") if ccaa else None)


@pytest.mark.parametrize(("question", "ccaa", "city"), CITIES)
def test_a_city_is_recognised_with_its_comunidad(question: str, ccaa: str, city: str) -> None:
    assert place(question) == (ccaa, city)


@pytest.mark.parametrize("question", NOWHERE)
def test_words_that_are_also_something_else_are_no_place(question: str) -> None:
    assert territory(question) is None


@pytest.mark.parametrize(
    ("question", "confidence"), [("en Sevilla", 1.0), ("Castilla y León", 0.8), ("becas Sevilla", 0.6)]
)
def test_the_surest_phase_says_how_sure_it_is(question: str, confidence: float) -> None:
    found = territory(question)
    assert found is not None and found.confidence == confidence


def test_a_city_takes_the_norms_of_its_comunidad_too() -> None:
    found = territory("en Madrid")
    assert found is not None
    assert (found.level, found.names) == ("municipal", ("Madrid", "Comunidad de Madrid"))


# As the BOE names its regional departments, and as the regions themselves sign.
DEPARTMENTS = [
    ("Comunidad Autónoma de Andalucía", "Andalucía"),
    ("Comunidad Autónoma de Aragón", "Aragón"),
    ("Comunidad Autónoma del Principado de Asturias", "Asturias"),
    ("Comunidad Autónoma de las Illes Balears", "Illes Balears"),
    ("Comunidad Autónoma de Canarias", "Canarias"),
    ("Comunidad Autónoma de Cantabria", "Cantabria"),
    ("Comunidad de Castilla y León", "Castilla y León"),
    ("Comunidad Autónoma de Castilla-La Mancha", "Castilla-La Mancha"),
    ("Comunidad Autónoma de Cataluña", "Cataluña"),
    ("Generalitat de Catalunya", "Cataluña"),
    ("Comunitat Valenciana", "Comunidad Valenciana"),
    ("Generalitat Valenciana", "Comunidad Valenciana"),
    ("Comunidad Autónoma de Extremadura", "Extremadura"),
    ("Comunidad Autónoma de Galicia", "Galicia"),
    ("Comunidad de Madrid", "Comunidad de Madrid"),
    ("COMUNIDAD AUTÓNOMA DE MADRID", "Comunidad de Madrid"),
    ("Comunidad Autónoma de la Región de Murcia", "Región de Murcia"),
    ("Comunidad Foral de Navarra", "Navarra"),
    ("Comunidad Autónoma del País Vasco", "País Vasco"),
    ("Comunidad Autónoma de La Rioja", "La Rioja"),
    ("Ciudad de Ceuta", "Ceuta"),
    ("Ciudad Autónoma de Melilla", "Melilla"),
    ("Consejo de Gobierno", ""),
    ("Jefatura del Estado", ""),
    ("Conferencia de Galicia y Asturias", ""),
    ("", ""),
]


@pytest.mark.parametrize(("department", "name"), DEPARTMENTS)
def test_a_department_is_of_the_comunidad_that_its_name_contains(department: str, name: str) -> None:
    assert comunidad(department) == name
    assert not name or place(f"en {department}") == (name, "")
