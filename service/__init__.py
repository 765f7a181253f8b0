"""Settings, and the services between the engine and its users."""
