"""The version of this program: that of a release is named here, and every later commit has a higher one.

So whoever builds and installs a later commit over an earlier one has it, also between releases.
"""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

RELEASE = "1.0.0"


def of_tree(root: str = ".") -> str:
    """Return the version of what lies in ``root``: with the number of commits since the release, where git knows it.

    What builds the package calls it, without anything of this package at hand.
    """
    try:
        named = _git(root, "log", "--max-count=1", "--format=%H", f'-SRELEASE = "{RELEASE}"', "--", "pbem/version.py")
        since = int(_git(root, "rev-list", "--count", f"{named}..HEAD")) if named else 0
    except (OSError, subprocess.CalledProcessError):
        since = 0  # no git, or files without a history
    return f"{RELEASE}.post{since}" if since else RELEASE


def _git(root: str, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def installed() -> str:
    """Return the version that is installed; of files that never were, that of the release."""
    try:
        return version("pbem")
    except PackageNotFoundError:
        return RELEASE


def describe_extra(name: str) -> str:
    """Return an extra of pbem, with the command that installs it."""
    return (
        f"pbem’s extra “{name}” (in ~/pbem: {sys.prefix}/bin/pip install --require-hashes -r deploy/extras/{name}.txt)"
    )
