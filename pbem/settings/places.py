"""Where the program itself lies, the same in a checkout and in an installed wheel."""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
"""The templates of emails and of the archive, beside the package."""

PROGRAM = tuple(TEMPLATES.with_name(name) for name in ("pbem", "rules", "templates"))
"""The directories of what decides how a page looks."""
