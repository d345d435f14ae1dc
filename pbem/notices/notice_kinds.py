"""The kinds of notices: each has a directory of templates."""

from functools import cache

from pbem.settings.places import TEMPLATES


@cache
def notice_kinds() -> frozenset[str]:
    """Return the names of all kinds, and of the templates for some who get a notice of another kind."""
    return frozenset(path.name for path in (TEMPLATES / "mail").iterdir() if path.is_dir())
