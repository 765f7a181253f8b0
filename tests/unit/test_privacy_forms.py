"""Data in forms, scans and dictations; ⟦ ⟧ mark what of each text must be masked, and nothing else is."""

import re

import pytest

from masking.found import find


def marked(text: str) -> str:
    """The text without its marks."""
    return re.sub("[⟦⟧]", "", text)


def missed(text: str) -> list[str]:
    """Words within the marks that are not masked, and values masked that touch no mark."""
    inside: list[tuple[int, int]] = []
    for number, mark in enumerate(re.finditer("⟦(.*?)⟧", text, re.S)):
        inside.append((mark.start() - 2 * number, mark.end() - 2 * number - 2))
    plain, spans = marked(text), find(marked(text))
    words = [
        (start + word.start(), start + word.end())
        for start, end in inside
        for word in re.finditer(r"\w+", plain[start:end])
    ]
    left = [plain[a:b] for a, b in words if not any(one.start <= a and b <= one.end for one in spans)]
    others = [one for one in spans if not any(one.start < b and a < one.end for a, b in inside)]
    return [*left, *(plain[one.start : one.end] for one in others)]


@pytest.mark.parametrize(
    "text",
    [
        "mi dni ⟦0 4 8 5 5 1 2 3 H⟧ y nada",
        "con DNI n.º\n⟦44851233T⟧ y",
        "nº de dni: ⟦44851233, letra T⟧ fin",
        "NIF/CIF.- ⟦44851233-T⟧",
        "D N I ⟦44851233 T⟧",
        "DNI nº: ⟦448512330T⟧ mal",
        "DNI ⟦4485123T⟧ corto",
        "Documento Nacional de Identidad número ⟦44,851,233-T⟧ fin",
        "DNI ____⟦44851233T⟧____ fin",
        "dni ⟦44 85 12 33 T⟧ fin",
        "DNI ⟦***5123**⟧ fin",
        "D.N.l. ⟦4485l233T⟧ fin",
        "con NlF ⟦O7845l23-R⟧ fin",
        "NlF ⟦B1O2244l7⟧ fin",
        "me dijo: apunta, ⟦44851233 te⟧, y ya",
        "⟦44.850.95-Z⟧ es mi DNI",
        "N.I.F.:\n\n⟦44851233T⟧",
        "nie ⟦1234567L⟧ fin",
        "TIE ⟦E12345678⟧ fin",
        "mi nie es la ⟦equis uno dos tres cuatro cinco seis siete ele⟧ y vivo",
        "el nie es y griega ⟦Y 1 8 4 0 5 5 2 Z⟧ y mi empresa",
        "SS: ⟦281234567⟧ fin",
        "nº ss ⟦28 12345 67⟧ fin",
        "N. S. S. ⟦2812345678⟧ fin",
        "seg. social ⟦28 12 34 56 78 40⟧ fin",
        "Nº SS\n⟦08 0966104418⟧\nNombre",
        "lnscr.S.S. ⟦32/1 00 4 4 l 7/60⟧ fin",
        "nº patronal ⟦28/12345/67⟧ fin",
        "Cuenta de cotización: ⟦28 1234 5⟧ fin",
        "CIF ⟦B 12 345 678⟧ fin",
        "cif: ⟦B/12345678⟧ fin",
        "iban ⟦es12 2100 0418 4502 0005 13⟧ fin",
        "consignar en ⟦ES61 2100 3817 22 020038475⟧ fin",
        "cuenta: ⟦ES 12 / 2100 / 0418 / 4502 / 0005 / 1332⟧ fin",
        "cuenta de la Caixa nº ⟦2100-0418-45-02000513⟧ fin",
        "la tarjeta dice ⟦4 9 1 8 3 3 7 0 2 4 5 5 1 0 9 7⟧ que",
        "tarjeta n.º ⟦4111 1111 1111 111⟧ fin",
        "pasaporte (Francia) ⟦12AB34567⟧ fin",
        "passport number ⟦C1234567⟧ fin",
        "camión (⟦1234/BCD⟧) y matrícula ⟦1234 - BCD⟧ fin",
        "matrícula portuguesa ⟦12-AB-34⟧ fin",
        "tel ⟦6 1 2 3 4 5 6 7 8⟧ fin",
        "Tel.: ⟦22 61 08⟧ (mañanas)",
        "⟦2207714⟧ (mi móvil)",
        "contacto: ⟦612_345_678⟧ fin",
        "mail: ⟦ana . perez @ gmail . com⟧ fin",
        "correo ⟦anaperez@gmail,com⟧ fin",
        "correo: ⟦ana.perez@\ngmail.com⟧ fin",
        "correo ⟦ana perez arroba gmail punto com⟧ fin",
        "CIPNA ⟦NA 20448137⟧ fin",
        "T.S.: ⟦5070 0444 1811⟧ fin",
        "NHC: ⟦44719⟧ fin",
        "Tarjeta sanitaria europea ⟦80724000001234567890⟧ fin",
    ],
)
def test_a_number_is_masked_however_a_form_a_scan_or_a_voice_has_it(text: str) -> None:
    assert missed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "n. ⟦12/08/1990⟧ y más",
        "47 años (⟦06.06.1977⟧), en paro",
        "edad: 47 (⟦06/06/1977⟧) fijo",
        "natural de Lugo, ⟦3-5-1970⟧, casado",
        "FdN: ⟦12/03/80⟧ fin",
        "⟦12/08/1990⟧ (fecha de nacimiento) fin",
        "⟦12/08/1990⟧ es mi fecha de nacimiento",
        "Fecha y lugar de nacimiento: Lugo, ⟦12/08/1990⟧ fin",
        "fecha de nacimiento de la menor: ⟦12/08/2019⟧ fin",
        "born on ⟦12 August 1990⟧ fin",
        "la fecha de nacimiento de los niños: el mayor, ⟦14-6-2015⟧, y el otro, ⟦2-12-2018⟧. Falta",
        "F. ANTIG. 12/08/1990 fin",
        "permiso por nacimiento desde el 12/03/2024",
        "el nacimiento se produjo el 12 de mayo de 2024 fin",
        "nací en 1960, ¿cuándo me jubilo?",
    ],
)
def test_a_birth_is_told_by_a_label_an_age_or_another_birth(text: str) -> None:
    assert missed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "vivo en ⟦Bº San Blas 12, 3º A⟧ y trabajo",
        "vive en ⟦Olmo 14, 2º B⟧ y no paga",
        "⟦Costa Rica, 14, 2º, 28016 Madrid⟧ es el centro",
        "vivo en ⟦portal 3, esc. B, 4º dcha. de la calle Olmo⟧, fin",
        "⟦Portal de Legutio, 11, 5.º izq., 01002 Vitoria-Gasteiz⟧. Pernocta: no",
        "centro de trabajo: ⟦Polígono Industrial Las Nieves, C/ Puerto Lápice, 5, 28935 Móstoles⟧.",
        "⟦25 High Street, London SW1A 1AA⟧ fin",
        "⟦Via Roma 12, 00184 Roma⟧ fin",
        "⟦Hauptstraße 15, 10115 Berlin⟧ fin",
        "⟦Rua Augusta 120, 1100-053 Lisboa⟧ fin",
        "⟦Cº de la Fuente 3, 45600 Talavera⟧ fin",
        "⟦bloque 4, 2º C, barriada La Paz⟧ fin",
        "⟦Grupo San José 14, 1º D⟧ fin",
        "vivo en ⟦Getafe, calle Olmo 14⟧ fin",
        "vivo en ⟦Can Roca, disseminat 12, 08500 Vic⟧ fin",
        "con domicilio en ⟦Getafe, Olmo, 14⟧, y DNI",
        "el piso de ⟦Olmo 14, 2ºB⟧ fin",
        "en ⟦Bidebarri 4, pabellón 9, Basauri⟧.",
        "notificaciones en ⟦C/ Olmo 14, despacho 3, Getafe⟧.",
        "vivo en ⟦calle doctor fleming número catorce segundo b de roquetas⟧ mi teléfono",
        "sito en ⟦Olmo 14⟧ de Getafe desde el 12 de mayo",
        "Domicilio: ⟦Aldea de Arriba, Casa Grande⟧",
        "Dirección: ⟦Cortijo Los Naranjos⟧\nTel: ⟦612345678⟧",
        "Dir.: ⟦Masía Can Bosch, Vilafranca⟧",
        "domicilio: ⟦el ejido, calle sol 3⟧\ndni",
        "⟦Apdo. correos 215⟧ fin",
        "c/c ⟦2100 0418 4502 0005 1332⟧ fin",
        "Dirección: Recursos Humanos. Domicilio: pendiente de confirmar",
        "Dirección: el jefe de obra y 3 personas más",
        "camino de 3 años, calle de 2 sentidos, vía 2 de acceso",
        "vivo en Getafe y trabajo en Madrid 3 días",
        "domicilio: el del trabajador",
        "el artículo 14, 2.º b), de la Ley",
        "plaza 14 de la RPT, grupo 2, nivel 14",
        "el portal 060 y la oficina 12",
        "vive en la calle desde 2019",
    ],
)
def test_an_address_needs_no_word_of_road(text: str) -> None:
    assert missed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "CNAE 4711 y CNO 5120, epígrafe 1.1",
        "expediente 2500071934 fin",
        "recurso 1234/2023, NIG 2807944420200012345 y oferta 022025003318 fin",
        "el código 812 604 377, ticket 912-440-118 y lote 4471220311",
        "14 000 euros brutos, 2 300 € al mes y 900000000 €",
        "salario 2022 2023 2024 1.000 1.200 y",
        "en 2019 2020 2021 2022 2023 y 2024 cobré",
        "1 2 3 4 5 6 7",
        "horas 8 8 8 8 8 0 0 cada semana",
        "Cuenta: 1.234,56 €; Documento: 12 páginas; mi DNI: pendiente de 2 meses",
        "Afiliación media: 21.337.962. Seguridad social: 36 horas",
        "ECLI:ES:TS:2022:1223 y BOE-A-2015-11430",
        "la Seguridad Social en 2023 ingresó 150.000.000",
        "Identificación del convenio: 99004615011982",
        "Necesito: nombre, DNI, teléfono\nAdemás, la empresa, el convenio",
        "El trabajador, el socio, el paciente\nTrabaja, cobra, cotiza",
        "¿Y la tarjeta sanitaria del 2023? La plataforma es Digital y el negocio es Familiar",
        "con domicilio social en Barcelona, 3 centros y 120 trabajadores",
        "H2O, CO2, 1o de mayo, 2o izquierda, R2O0 y A1",
    ],
)
def test_figures_of_papers_are_nobody_s_numbers(text: str) -> None:
    assert missed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Trabajador/a ⟦FLAVlA  MORElRA  D0S SANTOS⟧\nNIE",
        "EMPRESA: ⟦HORMIG0NES DEL JERTE,S.L⟧ CIF",
        "Un abrazo. ⟦J. M. Tortosa⟧",
        "- demandante: ⟦Segundo Arteaga Montes⟧ y otros",
        "D./Dña.: ⟦Tetyana Kovalchuk⟧ EXPONE",
        "Estimado/a señor/a ⟦KOUYATÉ⟧: Se ha",
        "Pero ⟦Tamara⟧ sí va y ⟦Wilmer⟧ no",
        "llamar a Sor ⟦Benigna⟧, ext. 12",
        "casada con ⟦Lin Weidong⟧ desde 2019",
        "⟦Cristian Fdo. Lozano Ibarra⟧ trabaja",
        "la señora se llama ⟦Mercedes⟧ y vive en otra casa",
        "Hijos: 1, ⟦Alba⟧, nac. ⟦19/09/2010⟧",
        "curran ⟦Mar⟧, ⟦Sol⟧ y ⟦Consuelo⟧ el domingo",
        "que el jefe de obra, ⟦Zamorano⟧, lo sabía",
        "el domingo, el lunes y en Julio",
        "El segundo apartado y el domingo, en julio, de Segundo Grado",
        "para que la miren con calma",
        "A. Disposiciones generales. B. Anexos. C. Otras",
    ],
)
def test_names_of_scans_titles_and_initials_are_masked(text: str) -> None:
    assert missed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "el bar es ⟦La Tasca de Paco⟧ en Lorca",
        "bazar llama ⟦Feliz Casa 88⟧ y",
        "la app es ⟦Pedalgo⟧ y me",
        "una empresa de paquetería, ⟦Envíos Relámpago Turia⟧, con",
        "la empresa ⟦Call & Co Mallorca⟧ me da",
        "en ⟦Bahía Consultores Laborales⟧ tramitando",
        "de ⟦Grupo Aldaya Logística⟧ ha decidido",
        "contra ⟦Panificadora A Fervenza⟧. Provisión",
        "con ⟦Galega de Granitos O Porriño SL⟧. Ejecución",
        "EMPRESA: ⟦PORCINO SOMONTANO SAT 4471⟧ y",
        "contra ⟦Transportes Urbanos Mezquita, S.A.M.⟧ Objeto",
        "de ⟦Naranjas del Baix Maestrat, Coop. V.⟧ por",
        "DE: ⟦ASESORES RIOJANOS DEL TRABAJO SLP⟧ y",
        "a cargo de ⟦Editorial Sal y Llama, S.L.U.⟧ y",
        "accede al almacén B y al bar de la esquina",
        "el bar es pequeño y la tienda es de Madrid",
        "la Agencia Espacial y el Instituto de Mayores y Servicios Sociales",
    ],
)
def test_companies_of_chats_and_scans_are_masked_whole(text: str) -> None:
    assert missed(text) == []


def test_the_columns_of_a_payroll_are_told_by_abbreviated_headers() -> None:
    rows = "NAF               I.P.F.         Base\n⟦08 0966104418⟧     ⟦X07714209D⟧   1.323,00"
    assert missed(rows) == []


def test_two_columns_of_a_form_name_the_company_and_the_worker() -> None:
    form = "EMPRESA              TRABAJADOR\n⟦HORNOS VILLALBA, S.A.⟧    ⟦PARDO LEIRO, EUDOSIA⟧\n"
    assert missed(form) == []
