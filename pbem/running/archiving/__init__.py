"""The passes that keep the archive up to date while the service runs: each writes what has changed since the last."""
