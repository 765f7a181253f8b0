"""Words that are capitalised in legal texts and in names, plain (`rag.privacy.plain.plain`)."""

from rag.privacy.words import WORDS

# Capitalised words that begin with one of these are not a name; a name ends before any of these.
NO_NAMES = WORDS["legal"]
REGIONS = WORDS["regions"]
# Surnames that are usually another word: never masked on their own.
NOT_ALONE = REGIONS | WORDS["ambiguous"]
# Words of places and institutions: a name that nothing announces and that has one of them is not a person's.
NO_PERSON = REGIONS | WORDS["places"]
# What many companies' names begin with.
TRADES = WORDS["trades"]
