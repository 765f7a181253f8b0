"""The settings of the digests that leave by mail, and what makes them contradictory."""

from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from core.hosts import is_loopback

_OPEN = "SMTP_SECURITY=none solo vale con un servidor de este equipo: ponga starttls o tls."


class AlertsSettings(BaseModel):
    """Part of `service.config.Settings`.

    Attributes:
        alerts_hour: of Spain, from which on the day's digest leaves.
        alerts_case_names: True to name the person's questions and expedientes in it, not norms alone.
        alerts_ca_file: certificates of the mail server that are trusted besides the machine's own.
        smtp_security: starttls = the connection is encrypted before anything is said; tls = from its first
            byte; none = a server of this machine.
    """

    model_config = ConfigDict(frozen=True)

    alerts_hour: int = Field(default=7, ge=0, le=23)
    alerts_case_names: bool = False
    alerts_ca_file: Path | None = None
    smtp_host: str = ""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str = ""
    smtp_password: SecretStr | None = None
    smtp_from: str = ""
    smtp_timeout: int = Field(default=20, ge=1, le=120)

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        if problem := _mail_problem(self):
            raise ValueError(problem)
        return self


def _mail_problem(chosen: AlertsSettings) -> str:
    if not chosen.smtp_host:
        return ""
    if "@" not in chosen.smtp_from:
        return "SMTP_HOST necesita SMTP_FROM, la dirección de la que salen los avisos."
    if chosen.smtp_security == "none" and not is_loopback(chosen.smtp_host):
        return _OPEN
    if chosen.smtp_user and chosen.smtp_password is None:
        return "SMTP_USER necesita SMTP_PASSWORD."
    secret = chosen.smtp_password.get_secret_value() if chosen.smtp_password else ""
    if not (chosen.smtp_user + secret).isascii():
        # smtplib encodes both in ASCII (RFC 4954 leaves other letters to the server).
        return "SMTP_USER y SMTP_PASSWORD solo pueden llevar letras sin tilde, cifras y signos corrientes."
    return ""
