"""Settings that differ in a few values."""

from dataclasses import replace
from typing import Any

from pbem.settings.model import Settings


def changed(settings: Settings, **values: Any) -> Settings:
    """Return the same settings but for some ``values``."""
    return replace(settings, **values)
