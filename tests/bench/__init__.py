"""How fast it is on this machine: ``make bench``."""
