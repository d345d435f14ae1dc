"""The tables of messages, both ways, and of senders who are blocked."""
