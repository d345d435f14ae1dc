"""How much of an email is taken in; apart from all else, since the short way of an email imports next to nothing."""

LARGEST, HEAD = 10_000_000, 200_000
"""Sizes in bytes: of a message larger than ``LARGEST``, only the first ``HEAD`` bytes are fetched and stored."""
