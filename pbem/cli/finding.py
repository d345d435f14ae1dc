"""What a check of the doctor finds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What one check tells: ``told`` in one clause what is well, ``faults`` and ``notes`` in sentences.

    A fault needs a person; a note is for information.
    """

    told: str
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
