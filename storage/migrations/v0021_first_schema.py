"""The tables of the first schema that this program keeps; `storage.former` knows those before it.

A new database has no migration run on it (`storage.migrate`), so there is none to run here.
"""

revision = "0021"
down_revision = None
schema = "daf1e5fd98956c36"
