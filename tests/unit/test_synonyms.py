"""The synonyms file and its reading (S2.10, S2.11, X.19)."""

import tomllib
from pathlib import Path

import pytest

from core.errors import ConfigurationError
from lexicon.synonyms import FILE, Synonyms
from tests.case_files import pairs
from text.textnorm import fold_for_search, stems

SECTIONS = tomllib.loads(FILE.read_text("utf-8")).values()
WHOLE = {key: entry for section in SECTIONS for key, entry in section.items()}
ENTRIES = {key: entry["terms"] if isinstance(entry, dict) else entry for key, entry in WHOLE.items()}
SENSES = {key: entry for key, entry in WHOLE.items() if isinstance(entry, dict)}
IN_ITS_SENSE = pairs("synonyms", "Una palabra de varios sentidos, en el suyo")
IN_ANOTHER = pairs("synonyms", "Una palabra de varios sentidos, en otro")


@pytest.fixture(scope="module")
def synonyms() -> Synonyms:
    return Synonyms()


def made(tmp_path: Path, text: str) -> Synonyms:
    path = tmp_path / "synonyms.toml"
    path.write_text(text, encoding="utf-8")
    return Synonyms(path)


@pytest.mark.parametrize(("text", "terms"), pairs("synonyms", "Todo lo que se añade a la búsqueda"))
def test_what_people_say_brings_what_the_norms_say(synonyms: Synonyms, text: str, terms: str) -> None:
    assert "; ".join(synonyms.expand(text)) == terms


@pytest.mark.parametrize(("text", "term"), pairs("synonyms", "Un término que se añade"))
def test_words_of_everyday_working_life_bring_those_of_the_law(
    synonyms: Synonyms, text: str, term: str
) -> None:
    assert term in synonyms.expand(text)


@pytest.mark.parametrize("text", ["", "   ", "¿Qué dice el artículo 14?", "Hola, buenos días", "1234"])
def test_a_text_without_known_words_brings_nothing(synonyms: Synonyms, text: str) -> None:
    assert synonyms.expand(text) == ()
    assert synonyms.fired(text) == ()


@pytest.mark.parametrize(("text", "fired"), pairs("synonyms", "Las entradas que se reconocen"))
def test_the_longest_key_wins_and_each_fires_once_in_order(synonyms: Synonyms, text: str, fired: str) -> None:
    assert "; ".join(synonyms.fired(text)) == fired


@pytest.mark.parametrize(("text", "key"), pairs("synonyms", "Una entrada escrita en otra forma"))
def test_a_key_of_several_words_fires_in_their_other_forms(synonyms: Synonyms, text: str, key: str) -> None:
    assert key in synonyms.fired(text)


@pytest.mark.parametrize(("text", "key"), pairs("synonyms", "Una entrada a la que el texto solo se parece"))
def test_words_that_only_look_like_a_key_do_not_fire(synonyms: Synonyms, text: str, key: str) -> None:
    assert key in ENTRIES
    assert key not in synonyms.fired(text)


def test_two_keys_that_are_forms_of_the_same_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"«pagas extras» y «paga extra» son las mismas palabras"):
        made(tmp_path, '[a]\n"paga extra" = ["gratificación"]\n"pagas extras" = ["gratificaciones"]\n')


@pytest.mark.parametrize(
    "text", ["disparo", "parones", "el quite", "título", "reparto", "zipear", "preere", "autonómica", "jefes"]
)
def test_a_key_inside_another_word_does_not_fire(synonyms: Synonyms, text: str) -> None:
    assert synonyms.fired(text) == ()


def test_each_key_fires_and_not_inside_a_longer_word(synonyms: Synonyms) -> None:
    wrong = []
    for key in sorted(map(fold_for_search, ENTRIES)):
        sense = "".join(f" {phrase}" for phrase in SENSES.get(key, {}).get("when", ())[:1])
        texts = [f"{key}{sense}", f"x{key}x{sense}", f"{key}7{sense}"]
        if [key in synonyms.fired(text) for text in texts] != [True, False, False]:
            wrong.append(key)
    assert len(ENTRIES) > 500
    assert wrong == []


@pytest.mark.parametrize(("text", "key"), IN_ITS_SENSE)
def test_a_word_of_several_senses_fires_in_its_own(synonyms: Synonyms, text: str, key: str) -> None:
    assert synonyms.terms(key)[0] in synonyms.expand(text)


@pytest.mark.parametrize(("text", "key"), IN_ANOTHER)
def test_a_word_of_several_senses_does_not_fire_in_another(synonyms: Synonyms, text: str, key: str) -> None:
    assert not set(synonyms.expand(text)) & set(ENTRIES[key])


def test_every_word_of_several_senses_is_in_the_table() -> None:
    for table in (IN_ITS_SENSE, IN_ANOTHER):
        assert {key for _, key in table} | {"deniegan", "denegacion"} == set(SENSES)


@pytest.mark.parametrize(("text", "brought"), pairs("synonyms", "La disposición que pide el caso"))
def test_a_word_brings_the_provision_that_its_case_needs(synonyms: Synonyms, text: str, brought: str) -> None:
    term, wrong = brought.split("; no ")
    terms = " | ".join(synonyms.expand(text))
    assert term in terms
    assert wrong not in terms


def test_terms_that_the_text_already_has_are_not_added(synonyms: Synonyms) -> None:
    assert synonyms.expand("IMV: ingreso mínimo vital") == ()
    assert synonyms.expand("sueldo y salario") == ()


def test_terms_of_several_keys_are_added_once_each(synonyms: Synonyms) -> None:
    terms = synonyms.expand("me han echado y me despiden: finiquito")
    assert len(terms) == len(set(terms))
    assert terms[0] == "despido"
    assert "liquidación de haberes" in terms


def test_the_file_is_large_enough_and_its_terms_have_no_space_around(synonyms: Synonyms) -> None:
    assert len(synonyms) >= 100
    assert len(synonyms) == len(ENTRIES)
    assert [key for key, terms in ENTRIES.items() if not terms or "" in terms] == []
    assert [term for terms in ENTRIES.values() for term in terms if term != term.strip()] == []


def test_an_entry_of_several_terms_adds_a_word() -> None:
    """One term alone may be the key as the norms spell it: it tells what the question is about."""
    several = {key: terms for key, terms in ENTRIES.items() if len(terms) > 1}
    assert len(several) > 50
    added = {key: set(stems(" ".join(terms))) - set(stems(key)) for key, terms in several.items()}
    assert [key for key, words in added.items() if not words] == []


def test_keys_are_plain_words(synonyms: Synonyms) -> None:
    for key in ENTRIES:
        assert key == fold_for_search(key) == " ".join(key.split()), key
        assert all(word.isalnum() for word in key.split()), key


def test_accents_in_the_file_do_not_matter(tmp_path: Path) -> None:
    assert made(tmp_path, '[a]\n"Nómina" = ["salario"]\n').expand("NOMINA") == ("salario",)


def test_when_and_unless_are_compared_by_whole_words(tmp_path: Path) -> None:
    entry = '{terms = ["menstruación"], when = ["baja", "Mis días"], unless = ["en régla"]}'
    synonyms = made(tmp_path, f'[a]\n"regla" = {entry}\n')
    assert synonyms.expand("baja por regla") == synonyms.expand("mis dias de regla") == ("menstruación",)
    assert synonyms.expand("trabaja con regla") == ()
    assert synonyms.expand("una baja en regla") == ()
    assert synonyms.expand("baja en reglamento, regla") == ("menstruación",)


def test_signs_in_a_key_are_taken_to_the_letter(tmp_path: Path) -> None:
    synonyms = made(tmp_path, '[a]\n"i.t" = ["incapacidad temporal"]\n')
    assert synonyms.expand("por i.t desde ayer") == ("incapacidad temporal",)
    assert synonyms.expand("por iXt desde ayer") == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a]\nuno = ", "synonyms.toml"),
        ("[a]\nuno = 'texto'\n", "uno"),
        ("[a]\nuno = []\n", "uno"),
        ("[a]\nuno = [1]\n", "uno"),
        ("[a]\nuno = {terms = []}\n", "uno"),
        ("[a]\nuno = {when = ['dos']}\n", "uno"),
        ("[a]\nuno = {terms = ['dos'], unless = 'tres'}\n", "uno"),
        ("[a]\nuno = {terms = ['dos'], como = ['tres']}\n", "uno"),
        ("", "ninguna entrada"),
        ("[a]\n", "ninguna entrada"),
    ],
)
def test_a_file_with_a_mistake_is_refused_and_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        made(tmp_path, text)
    assert told in str(caught.value)
    assert "synonyms.toml" in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nada\.toml"):
        Synonyms(tmp_path / "nada.toml")


@pytest.mark.parametrize("text", ["uno = ['dos']\n", "uno = 'dos'\n"])
def test_an_entry_outside_a_section_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"synonyms\.toml"):
        made(tmp_path, text)
