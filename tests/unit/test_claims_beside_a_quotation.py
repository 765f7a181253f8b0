"""Sentences held against the sentence that the answer quotes beside them, over an invented law."""

import pytest

from rag.answers.claims import doubts

LAW = """Artículo 8. Beca inventada.
1. La beca inventada será siempre de duración determinada.
2. El registro de llamadas inventadas se admitirá únicamente cuando el tutor preste su consentimiento.
3. Todas las academias deben llevar un libro de becas inventadas.
4. La condición de becario inventado solo se podrá ostentar respecto de un único centro.
5. El becario con al menos una antigüedad de un año tendrá derecho a la ampliación de su beca inventada.
6. Serán nulos los pactos que renuncien a la beca inventada.
7. No se exigirá ningún curso previo de orientación a los becarios inventados.
8. La asistencia a la entrevista inventada es obligatoria para los aspirantes.
9. La negativa a la entrevista inventada podrá determinar la pérdida de la beca.
10. El coste de los libros inventados estará a cargo de la empresa.
11. La opción entre libros y viaje inventado corresponderá siempre al trabajador.
12. La multa inventada será de 50 euros por los retrasos leves de entrega.
13. La multa inventada será de 900 euros por los retrasos muy graves de entrega de libros prestados.
14. Las horas de biblioteca no excederán de treinta de promedio en un período de referencia de un mes.
15. La prueba inventada durará seis meses en la beca larga y dos meses en la beca corta.
16. La solicitud inventada se presentará en diez días desde la publicación de la lista.
17. La beca inventada no alcanzará a más de cuarenta días, con un mínimo de siete días de descanso.
18. Al menos el 75 por ciento de los ingresos del centro inventado procederá de sus cuotas.
19. Con carácter previo, la academia habrá de informar del control inventado.
20. El horario inventado se fijará de común acuerdo entre la academia y el becario.
21. Las prácticas inventadas no podrán exceder de nueve horas diarias.
22. La reclamación de la nota inventada caducará a los veinte días.
23. La ausencia interrumpe la práctica inventada siempre que se produzca acuerdo entre ambas partes.
24. El Gobierno fijará, previa consulta, la cuota inventada de matrícula."""


def quoted(number: int) -> str:
    return LAW.split("\n")[number].split(" ", 1)[1]


@pytest.mark.parametrize(
    ("number", "sentence", "told"),
    [
        (1, "Salvo que se pacte un término, la beca inventada es indefinida.", "dice lo contrario"),
        (
            2,
            "El registro de llamadas inventadas está permitido con carácter general.",
            "no alcanza a lo mismo",
        ),
        (3, "El libro de becas solo obliga a las academias de más de mil alumnos.", "no alcanza a lo mismo"),
        (4, "La condición de becario inventado cabe invocarla ante varios centros.", "no alcanza a lo mismo"),
        (
            5,
            "La ampliación de la beca asiste a cualquier becario, sin antigüedad previa.",
            "sí pide «antiguedad»",
        ),
        (6, "Nada impide que se convenga la renuncia a la beca inventada.", "dice lo contrario"),
        (7, "A los becarios inventados les hace falta un curso de orientación.", "dice lo contrario"),
        (8, "Acudir a la entrevista inventada es meramente facultativo.", "deber y no una facultad"),
        (9, "La negativa a la entrevista conlleva siempre la pérdida de la beca.", "facultad y no un deber"),
        (10, "El trabajador asume el coste de los libros inventados.", "a cargo de otra parte"),
        (
            10,
            "Los libros inventados los paga la Tesorería, sin coste para la empresa.",
            "a cargo de otra parte",
        ),
        (11, "Entre los libros y el viaje inventado es la empresa quien decide.", "a cargo de otra parte"),
        (12, "Por un retraso leve de entrega la multa inventada es de 900 euros.", "no dice «900 euros»"),
        (14, "Las horas de biblioteca se promedian: treinta de media a lo largo de un año.", "de otro modo"),
        (15, "La prueba inventada dura seis meses, sea la beca larga o corta.", "va con otras palabras"),
        (
            16,
            "La solicitud se presenta en diez días desde la firma del contrato.",
            "se cuenta desde otro momento",
        ),
        (17, "El descanso de la beca inventada no tiene mínimo alguno.", "sí fija un límite"),
        (
            18,
            "Basta con que la mitad de los ingresos del centro proceda de sus cuotas.",
            "«mitad de los ingresos»",
        ),
        (19, "La academia puede informar del control una vez que ya funcione.", "⚠"),
        (
            10,
            "No es cierto que el coste de los libros inventados esté a cargo de la empresa.",
            "lo contrario",
        ),
        (19, "La ley no exige que la academia informe con carácter previo del control.", "lo contrario"),
    ],
)
def test_a_lie_beside_a_true_quotation_is_told(number: int, sentence: str, told: str) -> None:
    reasons = "; ".join(doubts(sentence, [LAW], quotes=[quoted(number)]))
    assert reasons if told == "⚠" else told in reasons


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (1, "La beca inventada no puede ser indefinida: dura siempre un tiempo determinado."),
        (2, "El registro de llamadas inventadas solo vale con el consentimiento del tutor."),
        (3, "Cualquier academia, grande o pequeña, debe llevar el libro de becas."),
        (4, "Solo se puede ser becario inventado de un centro, no de varios."),
        (5, "Sin un año de antigüedad no hay derecho a la ampliación de la beca."),
        (6, "No cabe renunciar por pacto a la beca inventada."),
        (7, "Los becarios inventados no necesitan ningún curso de orientación."),
        (8, "La entrevista inventada no es voluntaria: los aspirantes tienen que asistir."),
        (9, "Si se niega a la entrevista inventada, puede perder la beca."),
        (10, "La empresa paga los libros inventados; el becario no paga nada."),
        (11, "El trabajador elige entre los libros y el viaje inventado, no la empresa."),
        (
            12,
            "Por un retraso leve de entrega la multa inventada es de 50 euros, y por uno muy grave, de 900.",
        ),
        (14, "La media de un mes no puede pasar de treinta horas de biblioteca."),
        (15, "La prueba inventada dura seis meses en la beca larga y dos en la corta."),
        (16, "Hay diez días desde que la lista se publica para presentar la solicitud."),
        (17, "El descanso de la beca inventada no baja de siete días."),
        (18, "Tres cuartas partes de los ingresos del centro, al menos, proceden de sus cuotas."),
        (19, "Antes de usar el control inventado, la academia tiene que informar."),
        (20, "La academia no fija por sí sola el horario inventado: hace falta acuerdo."),
        (21, "Si las prácticas inventadas superan las nueve horas diarias, se incumple el máximo."),
        (22, "La reclamación de la nota inventada caduca en veinte días, no al año."),
        (23, "La ausencia solo interrumpe la práctica inventada si las dos partes lo acuerdan."),
        (24, "Tras consultar, la cuota inventada la fija el Gobierno, no los sindicatos."),
        (10, "No es cierto que el becario pague el coste de los libros inventados."),
        (16, "No es cierto que la solicitud tenga un plazo de treinta días."),
    ],
)
def test_an_honest_sentence_beside_it_is_not(number: int, sentence: str) -> None:
    assert doubts(sentence, [LAW], quotes=[quoted(number)]) == []
