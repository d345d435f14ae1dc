"""The tables and how to reach them; knows nothing of rules."""
