"""Messages that nobody would think of, through the whole reading path: ``python -m tests.fuzz --minutes 10``."""
