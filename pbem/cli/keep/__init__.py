"""Commands that keep and check what the service has."""
