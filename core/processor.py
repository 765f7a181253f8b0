"""Turns at this process's processor, for whatever a person waits for: storing, answering, drawing.

Python runs one thread at a time: thirty pieces of work begun at once all finish at the end. Two at a time use
what one leaves free, and half of them finish in half that time. With one for each person, who asks once
beside forty questions of another finds a free place.
"""

from core.turns import Turns

AT_ONCE, EACH, MANY = 2, 1, 100_000
PATIENCE = 1.0
"""Seconds after which work holds nobody up: it may wait for the database, or be a text of ten questions."""

PROCESSOR = Turns(AT_ONCE, EACH, MANY, MANY, PATIENCE)
