"""Commands about emails, both ways."""
