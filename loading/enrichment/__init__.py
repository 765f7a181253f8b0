"""Search aids and sections written by the reader model, or by rules without one."""
