"""The settings of who may come in, and what makes them contradictory."""

from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from core.hosts import is_loopback, server
from domain.accounts import Role

Network = IPv4Network | IPv6Network
ROLES = ", ".join(Role)


class AuthSettings(BaseModel):
    """Part of `service.config.Settings`.

    Attributes:
        auth_mode: personal = one local user and no accounts; local = accounts with a password; oidc = people
            of an identity provider, and accounts with a password beside them for emergencies.
        public_url: the only address that browsers may use; without a slash at the end.
        trusted_proxies: addresses or networks whose X-Forwarded-* headers are believed.
        session_idle_minutes, session_hours: how long a session lasts unused, and at most.
        one_time_password_hours: how long a password that an administrator gave may be used.
        oidc_role_map: 'group=role, …' for the values of `oidc_roles_claim`.
        oidc_default_role: of a person without any role; empty = they are refused.
    """

    model_config = ConfigDict(frozen=True)

    auth_mode: Literal["personal", "local", "oidc"] = "personal"
    public_url: str = ""
    trusted_proxies: str = ""
    session_idle_minutes: int = Field(default=120, ge=1, le=7 * 24 * 60)
    session_hours: int = Field(default=12, ge=1, le=30 * 24)
    one_time_password_hours: int = Field(default=72, ge=1, le=30 * 24)
    password_min_length: int = Field(default=12, ge=8, le=64)

    oidc_issuer: str = ""
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr | None = None
    oidc_scopes: str = "openid profile email"
    oidc_username_claim: str = "preferred_username"
    oidc_roles_claim: str = ""
    oidc_role_map: str = ""
    oidc_default_role: str = ""

    @property
    def is_https(self) -> bool:
        return self.public_url.startswith("https://")

    @property
    def trusted_networks(self) -> tuple[Network, ...]:
        return tuple(ip_network(part, strict=False) for part in _parts(self.trusted_proxies))

    @property
    def oidc_roles(self) -> Mapping[str, tuple[Role, ...]]:
        """The roles that each value of the claim gives."""
        found: dict[str, tuple[Role, ...]] = {}
        for part in _parts(self.oidc_role_map):
            group, _, role = part.rpartition("=")
            found[group.strip()] = (*found.get(group.strip(), ()), Role(role.strip()))
        return found

    @property
    def default_role(self) -> Role | None:
        return Role(self.oidc_default_role) if self.oidc_default_role else None

    @model_validator(mode="before")
    @classmethod
    def _without_slash(cls, values: object) -> object:
        if isinstance(values, dict):
            for name in ("public_url", "oidc_issuer"):
                if isinstance(values.get(name), str):
                    url = values[name].strip()
                    values[name] = url.rstrip("/") if name == "public_url" else url
        return values

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        problem = (
            _public_problem(self.public_url, self.auth_mode)
            or _proxies_problem(self.trusted_proxies)
            or _roles_problem(self)
        )
        if not problem and self.session_idle_minutes > self.session_hours * 60:
            problem = "SESSION_IDLE_MINUTES supera SESSION_HOURS: ponga menos minutos que los de la sesión."
        if not problem and self.auth_mode == "oidc":
            problem = _provider_problem(self)
        if problem:
            raise ValueError(problem)
        return self


def _public_problem(url: str, mode: str) -> str:
    if not url:
        return ""
    parts = server(url)
    if parts is None or parts.scheme not in {"http", "https"}:
        return "PUBLIC_URL debe empezar por https:// y nombrar un servidor: https://articulado.example."
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        return (
            "PUBLIC_URL solo lleva esquema, servidor y puerto: quite la ruta, la consulta y el usuario. Bajo "
            "una ruta no funciona, porque sus páginas y cookies son de todo el servidor: dele un nombre "
            "propio, como https://articulado.bufete.es."
        )
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        return "PUBLIC_URL debe ser https: por http se podrían leer contraseñas y sesiones por el camino."
    if mode == "personal" and not is_loopback(parts.hostname):
        return "PUBLIC_URL nombra un servidor que no es este equipo: ponga AUTH_MODE=local u oidc."
    return ""


def _proxies_problem(proxies: str) -> str:
    for part in _parts(proxies):
        try:
            network = ip_network(part, strict=False)
        except ValueError:
            return (
                f"TRUSTED_PROXIES: «{part}» no es una dirección ni una red: escriba 10.0.0.5 o 10.0.0.0/24."
            )
        if network.prefixlen == 0:
            return f"TRUSTED_PROXIES: «{part}» es cualquiera: escriba la dirección del proxy."
    return ""


def _provider_problem(chosen: AuthSettings) -> str:
    if not chosen.oidc_issuer or not chosen.oidc_client_id:
        return "AUTH_MODE=oidc necesita OIDC_ISSUER y OIDC_CLIENT_ID."
    parts = server(chosen.oidc_issuer)
    if parts is None or parts.query or parts.fragment or parts.username is not None:
        return "OIDC_ISSUER debe ser la dirección del proveedor: https://proveedor.example/…"
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
        return "OIDC_ISSUER debe ser https, salvo que el proveedor esté en este equipo."
    if "openid" not in chosen.oidc_scopes.split():
        return "OIDC_SCOPES debe contener «openid»."
    return "" if chosen.oidc_username_claim else "OIDC_USERNAME_CLAIM debe nombrar un «claim»."


def _roles_problem(chosen: AuthSettings) -> str:
    for part in _parts(chosen.oidc_role_map):
        group, equals, role = part.rpartition("=")
        if not equals or not group.strip():
            return f"OIDC_ROLE_MAP: «{part}» no tiene la forma «grupo=rol»."
        if role.strip() not in set(Role):
            return f"OIDC_ROLE_MAP: no existe el rol «{role.strip()}»; los roles son {ROLES}."
    if bool(chosen.oidc_role_map.strip()) != bool(chosen.oidc_roles_claim):
        return "OIDC_ROLES_CLAIM y OIDC_ROLE_MAP van juntos: indique el «claim» de los grupos y sus roles."
    default = chosen.oidc_default_role
    if default and default not in set(Role):
        return f"OIDC_DEFAULT_ROLE: no existe el rol «{default}»; los roles son {ROLES}."
    if default == Role.ADMIN:
        return "OIDC_DEFAULT_ROLE no puede ser admin: cualquiera del proveedor administraría el programa."
    return ""


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
