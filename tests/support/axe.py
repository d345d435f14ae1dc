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


def find_violations(
    browser: Browser, *, dark: tuple[bool, ...] = (False, True), without: tuple[str, ...] = ()
) -> list[str]:
    """Return a line for each rule that the shown page breaks, light and ``dark``, with the first place where it does.

    The rules are those of WCAG 2.2 A and AA, and what is good practice besides; ``without`` are rules left out. In the
    dark only those of colours are tried, which are all that differs then.
    """
    # Where nothing is painted axe-core takes the ground for white, and it is dark in a dark window.
    if not browser.evaluate("document.documentElement.style.backgroundColor ||= 'Canvas'; 'axe' in window"):
        browser.evaluate(f"{_engine()}; 0")
    return [one for scheme in dark for one in _find(browser, scheme, without)]


def _find(browser: Browser, dark: bool, without: tuple[str, ...]) -> list[str]:
    """Return a line for each rule that is broken in one of the two schemes."""
    browser.prefer(dark=dark)
    only = {"type": "rule", "values": _COLOURS} if dark else {"type": "tag", "values": _TAGS}
    rules = {} if dark else {rule: {"enabled": False} for rule in without}
    options = json.dumps({"runOnly": only, "rules": rules, "resultTypes": ["violations"]})
    found = browser.evaluate(
        f"axe.run(document, {options}).then(done => done.violations.map(broken => ["
        "broken.id, broken.nodes.length, broken.nodes[0].html.slice(0, 160), broken.nodes[0].failureSummary]))"
    )
    where = ", dark" if dark else ""
    return [f"{rule}{where} × {count}: {html} – {' '.join(why.split())[:200]}" for rule, count, html, why in found]
