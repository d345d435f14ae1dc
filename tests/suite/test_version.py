"""A build of a later commit has a higher version, so that pip installs it over an earlier one."""

import subprocess
from pathlib import Path

from packaging.version import Version

from pbem import version


def _commit(root: Path) -> None:
    known = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", "-C", root, "add", "--all"], check=True)
    subprocess.run(["git", "-C", root, *known, "commit", "--quiet", "--allow-empty", "--message=Any"], check=True)


def test_every_later_commit_has_a_higher_version(tmp_path: Path) -> None:
    """Also after the file that names the release was changed otherwise; files without a history have the release's."""
    assert version.of_tree(str(tmp_path)) == version.RELEASE
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    named = tmp_path / "pbem" / "version.py"
    named.parent.mkdir()
    named.write_text(Path(version.__file__).read_text("utf-8"), "utf-8")
    found = [version.of_tree(str(tmp_path))]
    for change in ("", "", "# more\n", ""):
        named.write_text(named.read_text("utf-8") + change, "utf-8")
        _commit(tmp_path)
        found.append(version.of_tree(str(tmp_path)))
    assert found[:2] == [version.RELEASE, version.RELEASE]
    assert sorted({Version(one) for one in found[1:]}) == [Version(one) for one in found[1:]]
