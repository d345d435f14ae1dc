"""Lots, from the machine's source of randomness."""

import secrets


class SystemDice:
    """Dice that nobody can foresee."""

    def roll(self, faces: int) -> int:
        """Return a number in 1…faces, each equally likely."""
        return secrets.randbelow(faces) + 1
