"""Settings of the sign-in: contradictions are reported by name."""

import pytest

from domain.accounts import Role
from domain.auth_settings import AuthSettings

ISSUER = "https://id.example"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"public_url": "articulado.example"}, "PUBLIC_URL"),
        ({"public_url": "ftp://articulado.example"}, "PUBLIC_URL"),
        ({"public_url": "https://"}, "PUBLIC_URL"),
        ({"public_url": "https://a.example:99999"}, "PUBLIC_URL"),
        ({"public_url": "https://a.example/app"}, "dele un nombre"),
        ({"public_url": "https://user@a.example"}, "el usuario"),
        ({"public_url": "http://a.example", "auth_mode": "local"}, "https"),
        ({"public_url": "https://a.example"}, "AUTH_MODE"),
        ({"trusted_proxies": "nginx"}, "TRUSTED_PROXIES"),
        ({"trusted_proxies": "10.0.0.1, 0.0.0.0/0"}, "cualquiera"),
        ({"session_idle_minutes": 121, "session_hours": 2}, "SESSION_IDLE_MINUTES"),
        ({"auth_mode": "oidc"}, "OIDC_ISSUER"),
        ({"auth_mode": "oidc", "oidc_issuer": ISSUER}, "OIDC_CLIENT_ID"),
        ({"auth_mode": "oidc", "oidc_issuer": "http://id.example", "oidc_client_id": "a"}, "https"),
        ({"auth_mode": "oidc", "oidc_issuer": "id.example", "oidc_client_id": "a"}, "dirección"),
        ({"auth_mode": "oidc", "oidc_issuer": f"{ISSUER}:99999", "oidc_client_id": "a"}, "dirección"),
        (
            {"auth_mode": "oidc", "oidc_issuer": ISSUER, "oidc_client_id": "a", "oidc_scopes": "email"},
            "openid",
        ),
        ({"oidc_roles_claim": "groups", "oidc_role_map": "x=jefe"}, "jefe"),
        ({"oidc_roles_claim": "groups", "oidc_role_map": "admin"}, "grupo=rol"),
        ({"oidc_role_map": "x=admin"}, "OIDC_ROLES_CLAIM"),
        ({"oidc_roles_claim": "groups"}, "OIDC_ROLE_MAP"),
        ({"oidc_default_role": "jefe"}, "OIDC_DEFAULT_ROLE"),
        ({"oidc_default_role": "admin"}, "OIDC_DEFAULT_ROLE"),
    ],
)
def test_settings_that_contradict_each_other_are_told_by_name(values, told):
    with pytest.raises(ValueError, match=told):
        AuthSettings(**values)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"public_url": "http://localhost:8501"},
        {"auth_mode": "local", "public_url": "https://articulado.example:8443/"},
        {"auth_mode": "local", "public_url": "http://[::1]:8501"},
        {"auth_mode": "oidc", "oidc_issuer": "http://127.0.0.1:9000/realm", "oidc_client_id": "a"},
    ],
)
def test_settings_that_agree_are_taken(values):
    AuthSettings(**values)


def test_the_settings_are_read_into_typed_values():
    chosen = AuthSettings(
        auth_mode="local",
        public_url=" https://Articulado.example:8443/ ",
        trusted_proxies="10.0.0.5, fd00::/8",
        oidc_roles_claim="groups",
        oidc_role_map="letrados=abogado, ou=ti=admin, letrados=revisor",
    )
    assert (chosen.public_url, chosen.is_https) == ("https://Articulado.example:8443", True)
    assert [str(network) for network in chosen.trusted_networks] == ["10.0.0.5/32", "fd00::/8"]
    assert chosen.oidc_roles == {"letrados": (Role.LAWYER, Role.REVIEWER), "ou=ti": (Role.ADMIN,)}
