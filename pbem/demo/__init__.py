"""The demo: mail servers, the service and its players on this machine alone; played by script, or by you."""
