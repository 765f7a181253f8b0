"""What stands between the engine and its doors: administration, background processes, notices."""
