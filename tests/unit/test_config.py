"""Settings: one place, one frozen value, every name documented."""

from pathlib import Path

import pytest

from core.errors import ConfigurationError
from service import config
from service.config import Settings
from tests.factories import settings_of

ROOT = Path(__file__).parents[2]


def settings(**values) -> Settings:
    return settings_of(**values)


def test_the_example_file_sets_nothing_but_the_defaults():
    example = Settings(_env_file=ROOT / ".env.example")  # pyright: ignore[reportCallIssue]
    assert example == settings()


def test_both_roles_take_the_common_endpoint_unless_they_have_their_own():
    chosen = settings(
        openai_api_key="k1", principal_api_key="k2", principal_base_url="https://own.example/v1"
    )
    assert chosen.reader.api_key.get_secret_value() == "k1"
    assert chosen.principal.api_key.get_secret_value() == "k2"
    assert (chosen.reader.base_url, chosen.principal.base_url) == (None, "https://own.example/v1")


def test_each_role_may_speak_another_api_than_the_common_one():
    chosen = settings(openai_api="responses", reader_api="chat")
    assert (chosen.reader.api, chosen.principal.api) == ("chat", "responses")
    assert settings().principal.api == "chat"


def test_an_endpoint_without_a_key_is_a_model_too():
    assert settings(openai_base_url="http://127.0.0.1:11434/v1").has_model


def test_without_a_model_the_legal_profile_reranks_by_rules():
    assert settings().has_model is False
    assert settings().reader.enabled is False


def test_the_defaults_are_the_legal_profile():
    chosen = settings()
    cuts = (
        chosen.search_prefetch,
        chosen.search_per_query,
        chosen.search_merged,
        chosen.rag_max_chunks_in_prompt,
    )
    assert cuts == (20, 20, 30, 8)
    weights = {"normativa": 1.0, "sentencias": 0.8, "criterios_inss": 0.9, "documentos": 0.7}
    assert chosen.collection_weights == weights
    assert (chosen.history_decompose_messages, chosen.history_decompose_chars) == (4, 300)
    assert chosen.history_answer_messages == 6


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RAG_MAX_CHUNKS_IN_PROMPT", "9"),
        ("COLLECTION_WEIGHTS", "normativa"),
        ("COLLECTION_WEIGHTS", "normativa=0"),
        ("RAG_RERANK_STRATEGY", "magic"),
        ("READER_REASONING", "quizás"),
        ("PRINCIPAL_REASONING_EFFORT", "mucho"),
    ],
)
def test_a_bad_value_is_told_by_name_and_without_any_secret(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    config.settings.cache_clear()
    with pytest.raises(ConfigurationError, match=name) as caught:
        config.settings()
    config.settings.cache_clear()
    assert "sk-very-secret" not in str(caught.value)


def test_settings_are_frozen_and_keys_do_not_show():
    chosen = settings(openai_api_key="sk-very-secret")
    with pytest.raises(ValueError, match="frozen"):
        chosen.reader_model = "other"
    assert "sk-very-secret" not in repr(chosen) + repr(chosen.reader)
