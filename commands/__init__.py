"""What each command of `cli.py` does: (program, options) -> exit code, one module a group."""
