"""What axe-core finds on a page: things that keep somebody from reading or using it."""

import json
from functools import cache
from importlib.metadata import files

from tests.support.browser import Browser

_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_COLOURS = ("color-contrast", "link-in-text-block")


@cache
def _engine() -> str:
    """Return the script of axe-core, which tests/support/axe.txt names."""
    (script,) = (path for path in files("axe-playwright-python") or () if path.name == "axe.min.js")
    return script.read_text(encoding="utf-8")


def find_violations(browser: Browser, *, colours: bool = False, without: tuple[str, ...] = ()) -> list[str]:
    """Return a line for each rule that the shown page breaks, with the first place where it does.

    The rules are those of WCAG 2.2 A and AA, and what is good practice besides; ``without`` are rules left out.
    ``colours``: only those of colours, which are all that differs between a light page and a dark one.
    """
    # Where nothing is painted axe-core takes the ground for white, and it is dark in a dark window.
    browser.evaluate(f"document.documentElement.style.backgroundColor ||= 'Canvas'; {_engine()}; 0")
    only = {"type": "rule", "values": _COLOURS} if colours else {"type": "tag", "values": _TAGS}
    rules = {} if colours else {rule: {"enabled": False} for rule in without}
    options = json.dumps({"runOnly": only, "rules": rules, "resultTypes": ["violations"]})
    found = browser.evaluate(
        f"axe.run(document, {options}).then(done => done.violations.map(broken => ["
        "broken.id, broken.nodes.length, broken.nodes[0].html.slice(0, 160), broken.nodes[0].failureSummary]))"
    )
    return [f"{rule} × {count}: {html} – {' '.join(why.split())[:200]}" for rule, count, html, why in found]
