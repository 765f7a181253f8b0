"""Placeholders: stable within a run, exact on the way back, nobody else's, whole even in pieces."""

import asyncio
import json
from typing import Any

import pytest

from core.errors import ModelError
from masking.masked import HINT, MaskedChat, MaskedEmbedder, as_sent
from masking.vault import Restorer, Vault, current, one_run
from models.chat import ChatMessage, ModelCall

DNI, OTHER, IBAN = "12345678Z", "87654321X", "ES91 2100 0418 4502 0005 1332"


def masked(*texts: str, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    return Vault().mask(texts, names).texts


def test_the_same_value_has_the_same_placeholder_and_another_value_another() -> None:
    vault = Vault()
    assert vault.mask([f"{DNI}, {OTHER}, {DNI}"]).texts == ("[DNI_1], [DNI_2], [DNI_1]",)
    assert vault.mask([f"{OTHER} y {DNI}"]).texts == ("[DNI_2] y [DNI_1]",)


def test_every_spelling_of_a_value_shares_its_number_and_comes_back_as_it_was() -> None:
    text = "12345678Z, 12.345.678-Z y 12345678z"
    made = Vault().mask([text])
    assert made.texts == ("[DNI_1], [DNI_1.2] y [DNI_1.3]",)
    assert made.restore(made.texts[0]) == text
    assert made.counts == (("DNI", 1),)


def test_a_name_once_announced_is_masked_wherever_it_stands_again() -> None:
    one, other = masked("La nómina de Ana Pérez, de ANA PEREZ y de Pérez.", "Mi clienta Ana Pérez Gil pide")
    assert not {"Ana", "ANA", "Pérez", "PEREZ", "Gil"} & set(one.replace(",", "").replace(".", "").split())
    assert "Pérez" not in other


def test_a_surname_that_is_a_place_or_a_word_of_the_law_is_not_masked_alone() -> None:
    text = masked("Me llamo Rosa León Ley. Trabajo en León. La Ley del Estatuto.")[0]
    assert text.endswith("Trabajo en León. La Ley del Estatuto.")


def test_listed_names_are_masked_in_any_case_and_with_or_without_accents() -> None:
    names = ("Ana Pérez Gil", "Talleres Ruiz, S.L.")
    text = masked("Que ANA PEREZ GIL y Ana  Pérez\nGil y talleres ruiz, s.l. paguen.", names=names)[0]
    assert text == "Que [NOMBRE_1] y [NOMBRE_1.2] y [NOMBRE_2] paguen."


def test_names_of_the_question_are_masked_whatever_list_a_call_has() -> None:
    vault = Vault(opening=["Mi clienta Ana Olmedo pide"])
    for names in ((), ("Talleres Ruiz",)):
        assert "OLMEDO" not in vault.mask(["Que OLMEDO cobre"], names).texts[0]


def test_a_placeholder_that_someone_writes_is_not_taken_for_one_of_ours() -> None:
    text = f"Mi DNI es {DNI}. ¿Qué es [DNI_1]? ¿Y [PERSONA_2.3]? [C1] [DNI]"
    made = Vault().mask([text])
    assert made.texts == ("Mi DNI es [DNI_1]. ¿Qué es [TEXTO_1]? ¿Y [TEXTO_2]? [C1] [DNI]",)
    assert made.restore(made.texts[0]) == text
    assert made.counts == (("DNI", 1),)


def test_a_placeholder_that_a_model_invents_stays_as_it_is() -> None:
    vault = Vault()
    vault.mask([OTHER])
    made = vault.mask([DNI])
    assert made.restore("[DNI_1] [DNI_2] [DNI_9] [IBAN_1]") == f"[DNI_1] {DNI} [DNI_9] [IBAN_1]"


def test_what_comes_back_can_stand_in_json() -> None:
    made = Vault().mask([f"IBAN {IBAN.replace(' 0418', chr(10) + '0418')} de D. Juan\nPérez Gil"])
    output = json.dumps({"answer": made.texts[0]})
    assert json.loads(made.restore(output))["answer"] == f"IBAN {IBAN} de D. Juan Pérez Gil"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_a_placeholder_split_over_pieces_is_joined(size: int) -> None:
    made = Vault().mask([f"{DNI} {IBAN}"])
    reply = "[C1] uno [DNI_1], dos [IBAN_1][DNI_1] [DNI_7] [D [[DNI_1]] [otro] fin [DNI_"
    pieces: list[str] = []
    restorer = Restorer(made, pieces.append)
    for start in range(0, len(reply), size):
        restorer(reply[start : start + size])
        assert "[DNI_1]" not in "".join(pieces)
    restorer.end()
    assert "".join(pieces) == made.restore(reply)
    assert "".join(pieces).endswith("fin [DNI_")


@pytest.mark.parametrize(
    "reply",
    [
        "![x](https://malo.example/?d=[DNI_1])",
        "[x](<//malo.example/a [DNI_1]>)",
        "Vea https://malo.example/[DNI_1] y calle",
        "www.malo.example/?[DNI_1]",
        "malo.example/[DNI_1]",
        "https://[DNI_1].malo.example",
        "[x]: ftp://malo.example/[DNI_1]",
        "mailto:[DNI_1]@malo.example",
        "[DNI_1]@malo.example",
        "data:text/html,[DNI_1]",
    ],
)
def test_nothing_is_put_back_inside_an_address(reply: str) -> None:
    made = Vault().mask([DNI])
    assert DNI not in made.restore(reply)
    for size in (1, 4, 9):
        pieces: list[str] = []
        restorer = Restorer(made, pieces.append)
        for start in range(0, len(reply), size):
            restorer(reply[start : start + size])
        restorer.end()
        # What is shown while it grows cannot know that an address of mail will follow.
        assert DNI not in "".join(pieces) or reply.startswith("[DNI_1]@")


@pytest.mark.parametrize(
    "reply",
    [
        "DNI:[DNI_1]",
        "([DNI_1])",
        "Art. 5.1/[DNI_1]",
        "[C1] [DNI_1], https://boe.es/x.",
        "y/o [DNI_1]",
        '"[DNI_1]"',
    ],
)
def test_all_else_comes_back(reply: str) -> None:
    assert DNI in Vault().mask([DNI]).restore(reply)


def test_nothing_waits_longer_than_a_placeholder_could_be() -> None:
    pieces: list[str] = []
    restorer = Restorer(Vault().mask([DNI]), pieces.append)
    restorer("texto [con corchete abierto")
    assert pieces == ["texto [con corchete abierto"]


class Echo:
    """A model that says what `answer` makes of its last message, in pieces of three characters."""

    role, model, endpoint = "principal", "eco", ""

    def __init__(self, answer: Any = lambda text: text) -> None:
        self.answer = answer
        self.got: list[list[ChatMessage]] = []

    calls_functions = False

    async def complete(self, messages: Any, *, on_delta: Any = None, **_: Any) -> ModelCall:
        self.got.append(list(messages))
        output = self.answer(messages[-1].content)
        for start in range(0, len(output) if on_delta else 0, 3):
            on_delta(output[start : start + 3])
        sent = tuple((message.role, message.content) for message in messages)
        return ModelCall(role=self.role, model=self.model, messages=sent, output=output)


def say(model: Any, *texts: str, **options: Any) -> ModelCall:
    messages = [ChatMessage(role=role, content=text) for role, text in zip(("system", "user"), texts)]  # noqa: B905
    return asyncio.run(model.complete(messages, **options))


def test_the_model_gets_placeholders_and_the_caller_the_data() -> None:
    echo, pieces = Echo(), []
    call = say(MaskedChat(echo), "Conteste.", f"DNI {DNI}", on_delta=pieces.append)
    assert call.output == "".join(pieces) == f"DNI {DNI}"
    assert call.messages == (("system", f"Conteste.\n\n{HINT}"), ("user", "DNI [DNI_1]"))
    assert call.masked == (("DNI", 1),)


def test_without_personal_data_a_prompt_is_sent_as_it_is() -> None:
    call = say(MaskedChat(Echo()), "Conteste.", "¿Cuántos días?")
    assert call.messages == (("system", "Conteste."), ("user", "¿Cuántos días?"))
    assert call.masked == ()


def test_two_calls_of_one_run_share_their_placeholders_and_two_runs_do_not() -> None:
    echo = Echo()
    model = MaskedChat(echo)

    async def run() -> None:
        with one_run([f"historia de {OTHER}"]):
            for text in (DNI, f"{OTHER} y {DNI}"):
                await asyncio.create_task(model.complete([ChatMessage(role="user", content=text)]))

    asyncio.run(run())
    asyncio.run(run())
    assert [messages[-1].content for messages in echo.got] == ["[DNI_2]", "[DNI_1] y [DNI_2]"] * 2
    assert current() is not current(), "outside of a run nothing is kept"


def test_two_runs_at_once_do_not_see_each_other() -> None:
    echo = Echo(lambda text: "[DNI_1] [DNI_2]")
    model = MaskedChat(echo)

    async def run(value: str) -> str:
        with one_run([]):
            await asyncio.sleep(0)
            call = await model.complete([ChatMessage(role="user", content=value)])
            await asyncio.sleep(0)
            return call.output

    async def both() -> list[str]:
        return [*await asyncio.gather(run(DNI), run(OTHER))]

    assert asyncio.run(both()) == [f"{DNI} [DNI_2]", f"{OTHER} [DNI_2]"]


def test_the_names_of_a_run_are_masked_in_queries_that_no_longer_announce_them() -> None:
    class Vectors:
        name, dimensions = "v", 2

        def __init__(self) -> None:
            self.got: list[str] = []

        async def embed_queries(self, texts):  # type: ignore[no-untyped-def]
            self.got += texts
            return [(1.0, 0.0) for _ in texts], ModelCall(role="embeddings", model="v")

        def embed_passages(self, texts):  # type: ignore[no-untyped-def]
            self.got += texts
            return [(1.0, 0.0) for _ in texts]

    inner = Vectors()
    embedder = MaskedEmbedder(inner)  # type: ignore[arg-type]

    async def run() -> ModelCall:
        with one_run(["Me llamo Ana Pérez"]):
            return (await embedder.embed_queries(["despido de Ana Pérez"]))[1]

    assert asyncio.run(run()).masked == (("PERSONA", 1),)
    embedder.embed_passages([f"{DNI} y {OTHER}", OTHER])
    assert inner.got == ["despido de [PERSONA_1]", "[DNI_1] y [DNI_2]", "[DNI_1]"]


def test_a_failing_model_s_error_is_passed_on_and_its_trace_can_be_masked() -> None:
    def fail(text: str) -> str:
        raise ModelError("El modelo falló.")

    model = MaskedChat(Echo(fail))
    with pytest.raises(ModelError, match=r"^El modelo falló\.$"):
        say(model, "Conteste.", DNI)
    assert [m.content for m in as_sent(model, [ChatMessage(role="user", content=DNI)])][-1] == "[DNI_1]"


def test_without_masking_the_model_is_the_model_itself() -> None:
    echo = Echo()
    assert as_sent(echo, [ChatMessage(role="user", content=DNI)])[0].content == DNI
