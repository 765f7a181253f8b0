"""What routes of the API are given by its framework."""

from typing import Annotated

from fastapi import Depends

from service.members.member import Member
from web.api.person import member

Person = Annotated[Member, Depends(member)]
