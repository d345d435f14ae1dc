"""Commands about players and other senders."""
