"""Whether a person wrote an inbound message, and which lines of it are theirs; pure."""
