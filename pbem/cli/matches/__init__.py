"""Commands about matches, and what the operator decides about them."""
