"""Search aids and flags of provisions: shipped with the program, or found by rules."""
