"""Trainers, measurements and tools of the repository; the program imports none of it (`python -m lab`)."""
