"""Values of accounts, audit, usage, privacy and reviews, for storage, service and pages."""
