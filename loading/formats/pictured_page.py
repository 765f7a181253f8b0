"""A page as a picture, with the places of quotations on it: values."""

from typing import Annotated

from pydantic import Field

from core.values import Value

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Box(Value):
    """A rectangle of a page: its edges as shares of the page's width and height, from the upper left."""

    left: Share
    top: Share
    width: Share
    height: Share


class PagePicture(Value):
    """A page as a picture, and where the quotations stand on it.

    Attributes:
        number: of the page, from 1.
        width, height: of the picture, in pixels.
        data: a JPEG in base64.
    """

    number: int
    width: int
    height: int
    data: str
    marks: tuple[Box, ...] = ()


class PicturedPassage(Value):
    """The pages that a passage stands on, none in a format without pages.

    Attributes:
        lost: how many of its quotations could not be located on them exactly, and so are not marked.
    """

    pages: tuple[PagePicture, ...] = ()
    lost: int = 0
