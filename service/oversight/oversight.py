"""Oversight of the use of the program: audit log, usage and quotas, privacy."""

from functools import cached_property

from config import ROOT, Settings
from domain.accounts import GRANTS, LOCAL_USER, Permission
from domain.usage import Quota
from service.accounts.accounts import Accounts
from service.oversight.audit import Auditor
from service.oversight.privacy import PersonalData
from service.oversight.usage import UsageReports
from storage import Database

PRICES = "prices.toml"


class Oversight:
    """The part of `bootstrap.App` that records and limits what people do."""

    settings: Settings
    database: Database
    accounts: Accounts

    def oversee(self) -> None:
        """Put the settings' limits in force; an account that is removed takes its person's data along."""
        self.database.usage.quota = Quota(
            questions=self.settings.quota_questions_per_day, tokens=self.settings.quota_tokens_per_day
        )
        self.accounts.erase = self.privacy.erase

    def may_load(self, owner: str) -> bool:
        """True if a job of that owner may still run: its account exists and has the role."""
        return self.may(owner, Permission.LOAD)

    def may(self, owner: str, permission: Permission) -> bool:
        """True if the account of somebody who is not there exists, is active and has that permission."""
        if owner == LOCAL_USER or self.accounts.mode == "personal":
            return True
        account = next((one for one in self.accounts.accounts(None) if one.id == owner), None)
        roles = account.roles if account and account.active else ()
        return any(permission in GRANTS[role] for role in roles)

    @cached_property
    def audit(self) -> Auditor:
        return Auditor(self.database.audit)

    @cached_property
    def usage(self) -> UsageReports:
        files = (self.settings.articulado_home / PRICES, ROOT / "data" / PRICES)
        return UsageReports(self.database.usage, files)

    @cached_property
    def privacy(self) -> PersonalData:
        return PersonalData(
            self.database.privacy,
            self.database.usage,
            self.database.audit,
            retention_days=self.settings.retention_days,
            audit_retention_days=self.settings.audit_retention_days,
        )
