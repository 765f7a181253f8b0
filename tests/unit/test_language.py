"""Recognition of texts that are clearly in another language than Spanish."""

import pytest

from text.language import is_foreign

FOREIGN = {
    "English": (
        "You are entitled to thirty calendar days of paid holidays for each year of work [C1]. The "
        "company must agree the dates with you, and this right may not be replaced by money."
    ),
    "English that quotes": (
        "The time limit is twenty working days from the dismissal [C1]: «el ejercicio de la acción "
        "contra el despido caducará a los veinte días siguientes», and the claim must be filed with"
        " the court of the place of work, not by letter."
    ),
    "French": (
        "Vous avez droit à trente jours de congés payés pour une année de travail dans "
        "l'entreprise. Le congé est fixé avec vous et ne peut pas être remplacé par une somme; la "
        "date est connue au moins deux mois avant."
    ),
    "Portuguese": (
        "Você tem direito a trinta dias de férias por ano. As férias não podem ser pagas em "
        "dinheiro e a empresa deve combinar com você a data em que são gozadas; o prazo do aviso é "
        "de dois meses."
    ),
    "Catalan": (
        "Els treballadors tenen dret a trenta dies de vacances i les dates es pacten amb l'empresa."
        " Aquest dret no es pot substituir per diners, i cal fixar els dies amb dos mesos "
        "d'antelació."
    ),
    "German": (
        "Sie haben Anspruch auf dreißig Tage Urlaub und der Urlaub ist nicht mit Geld abzugelten. "
        "Die Zeit wird mit dem Betrieb vereinbart und das ist zwei Monate vorher bekannt zu geben."
    ),
}
SPANISH = {
    "plain": (
        "Le corresponden treinta días naturales de vacaciones por cada año de trabajo [C1]. La "
        "empresa pacta con usted las fechas y este derecho no se sustituye por dinero."
    ),
    "with English words": (
        "El bonus por objetivos, el «stock option plan of the company», el leasing y el renting son"
        " salario en especie; el mobbing, el burnout y el crunch no lo son. Con el outplacement "
        "ocurre lo mismo."
    ),
    "with Latin": (
        "Rige el principio in dubio pro operario y, ex lege, el dies a quo es el de la "
        "notificación; el dies ad quem se cuenta de fecha a fecha, salvo pacto ex ante o ad hoc con"
        " los representantes."
    ),
    "a list": ("- 20 días: despido objetivo.\n- 33 días: despido improcedente.\n- 12 días: fin de contrato."),
    "a name in English": (
        "La IPR pool of the and to be of the for you and with, S. L., es la empresa de los Ayala; "
        "por lo que usted y las demás personas de la plantilla siguen en el mismo centro."
    ),
    "short": ("No."),
    "nothing": (""),
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN.keys())
def test_an_answer_in_another_language_is_noticed(text):
    assert is_foreign(text)


@pytest.mark.parametrize("text", SPANISH.values(), ids=SPANISH.keys())
def test_an_answer_in_spanish_raises_no_alarm(text):
    assert not is_foreign(text)


@pytest.mark.corpus
def test_no_sentence_of_the_law_raises_an_alarm(real_law):
    chunks = [chunk for batch in real_law.program.database.corpus.all_chunks() for chunk in batch]
    assert len(chunks) > 1000
    assert [chunk.id for chunk in chunks if is_foreign(chunk.text)] == []
