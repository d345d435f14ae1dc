"""What html-validate finds in pages and in the HTML parts of emails: the rules of HTML, and what they warn of.

Needs node and npm, which .ci/run installs; `make slow` puts html-validate into .venv/node. Run as a module, it takes
the addresses out of the lock file that npm has written: npm finds the packages wherever this machine gets them.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal

_ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("html_validate") / "package-lock.json"
"""The packages of html-validate: names, versions and hashes, no addresses."""

_PROGRAM = _ROOT / ".venv" / "node" / "node_modules" / ".bin" / "html-validate"


def find_faults(pages: Sequence[Path], rules: Literal["pages", "emails"]) -> list[str]:
    """Return a line for each fault in HTML files; ``rules`` are those of a file in ``html_validate``.

    It reads them with the end tags that they leave out.
    """
    given = LOCK.with_name(f"{rules}.cjs")
    with tempfile.TemporaryDirectory() as place:
        found = Path(place) / "found.json"  # what it writes into a pipe is cut off
        copies = []
        for number, page in enumerate(pages):
            copies.append(str(Path(place) / f"{number}-{page.parent.name}-{page.name}"))
            Path(copies[-1]).write_text(_with_end_tags(page.read_text(encoding="utf-8")), encoding="utf-8")
        command = [str(_PROGRAM), "--formatter", f"json={found}", "--config", str(given), *copies]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if not found.exists():
            raise RuntimeError(f"html-validate could not read the pages: {done.stderr[:2000]}")
        reports = json.loads(found.read_text(encoding="utf-8"))
    return [
        f"{Path(report['filePath']).name}:{fault['line']}: {fault['ruleId']}: {fault['message']}"
        for report in reports
        for fault in report["messages"]
    ]


class _Closer(HTMLParser):
    """Copies HTML, and writes the end tags that HTML lets cells and rows of tables do without."""

    _CELLS = ("td", "th")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.written: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Copy a start tag, after the end tags of what it ends."""
        if tag in (*self._CELLS, "tr"):
            self._close(self._CELLS)
        if tag == "tr":
            self._close(("tr",))
        if tag in ("table", "tr", *self._CELLS):
            self._open.append(tag)
        self.written.append(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """Copy an empty element of SVG."""
        self.written.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        """Copy an end tag, after those of what it ends."""
        if tag in ("tr", "table"):
            self._close(self._CELLS)
        if tag == "table":
            self._close(("tr",))
        if self._open[-1:] == [tag]:
            self._open.pop()
        self.written.append(f"</{tag}>")

    def _close(self, tags: tuple[str, ...]) -> None:
        """Write the end tag of the innermost part of a table, if it is one of these."""
        if self._open and self._open[-1] in tags:
            self.written.append(f"</{self._open.pop()}>")

    def handle_data(self, data: str) -> None:
        """Copy text."""
        self.written.append(data)

    def handle_entityref(self, name: str) -> None:
        """Copy a reference to a character."""
        self.written.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Copy a reference to a character."""
        self.written.append(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        """Copy a comment."""
        self.written.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        """Copy the type of the document."""
        self.written.append(f"<!{decl}>")


def _with_end_tags(html: str) -> str:
    """Return HTML with the end tags of cells and rows that it leaves out: html-validate misses them."""
    closer = _Closer()
    closer.feed(html)
    closer.close()
    return "".join(closer.written)


def without_addresses(lock: dict[str, Any]) -> dict[str, Any]:
    """Return a lock file without the addresses that npm writes into it; the hashes of the packages stay."""
    packages = {
        name: {key: value for key, value in package.items() if key not in ("resolved", "funding")}
        for name, package in lock["packages"].items()
    }
    return {**lock, "packages": packages}


def main() -> int:
    """Take the addresses out of the lock file; return 0."""
    lock = json.loads(LOCK.read_text(encoding="utf-8"))
    LOCK.write_text(json.dumps(without_addresses(lock), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
