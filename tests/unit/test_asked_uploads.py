"""Files of pages: those that a box asked for, within the share of the account."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.accounts import Identity, Role
from web import uploads
from web.base import access
from web.uploads import Uploads

MB = 2**20
LAWYER = Identity(id="a1", username="ana", name="Ana", roles=(Role.LAWYER,), session="s1")
OWNERS = {"mine": ("a1", "s1"), "other": ("a1", "s2"), "of-berta": ("b1", "s3")}
STORE = SimpleNamespace(
    has_asked=lambda page, file: (page, file) == ("mine", "asked"),
    held=lambda: {"mine": 0, "other": 300 * MB, "of-berta": 900 * MB},
)


def made() -> Uploads:
    return Uploads(OWNERS.get, lambda: STORE)  # type: ignore[arg-type,return-value]


def put(file: str, size: int | None) -> dict[str, Any]:
    headers = [] if size is None else [(b"content-length", str(size).encode())]
    return {"type": "http", "method": "PUT", "path": f"{access.UPLOAD}mine/{file}", "headers": headers}


@pytest.mark.parametrize(
    ("role", "file", "size", "refused"),
    [
        (Role.LAWYER, "asked", 50 * MB, None),
        (Role.LAWYER, "invented", 10, (403, uploads.NOT_ASKED)),
        (Role.LAWYER, "", 10, (403, uploads.NOT_ASKED)),
        (Role.LAWYER, "asked", None, (411, uploads.NO_SIZE)),
        (Role.LAWYER, "asked", 51 * MB, (413, uploads.TOO_LARGE.format(50))),
        (Role.ADMIN, "asked", 99 * MB, None),
        (Role.ADMIN, "asked", 150 * MB, (413, uploads.TOO_MUCH)),
        (Role.ADMIN, "asked", 201 * MB, (413, uploads.TOO_LARGE.format(200))),
    ],
)
def test_a_page_sends_the_files_that_its_box_asked_for_within_the_share_of_its_account(
    role: Role, file: str, size: int | None, refused: tuple[int, str] | None
) -> None:
    assert made().refusal(put(file, size), LAWYER.model_copy(update={"roles": (role,)})) == refused


def test_files_that_are_still_coming_count_too() -> None:
    files, coming = made(), put("asked", 40 * MB)
    with files.coming(coming), files.coming(coming):
        assert files.refusal(coming, LAWYER) == (413, uploads.TOO_MUCH)
    assert files.refusal(coming, LAWYER) is None
