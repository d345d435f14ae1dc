"""The demonstration: a small world of mail servers and players on this machine alone."""
