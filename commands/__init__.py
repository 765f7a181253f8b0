"""Commands of `cli.py`: (program, options) -> exit code, one module a group."""
