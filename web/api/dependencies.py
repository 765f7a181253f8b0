"""Values that the framework of the API gives to its routes."""

from typing import Annotated

from fastapi import Depends

from service.members.member import Member
from web.api.person import member

Person = Annotated[Member, Depends(member)]
