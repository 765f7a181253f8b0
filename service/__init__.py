"""Application services between the engine and its users: accounts, members, oversight, backup, program."""
