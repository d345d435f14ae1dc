"""Commands about what many matches belong to: leagues."""
