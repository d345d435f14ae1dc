"""What email programs make of the colours of an email where they force a dark look, as a script for a browser.

Some turn over the light grounds and dark inks one by one, some all colours, and some the whole page as a picture. None
of the first two touches images, which gradients are.
"""

PARTIAL, EACH, WHOLE = "partial", "each", "whole"
"""Grounds that are light and inks that are dark (Gmail on Android, Outlook.com); all colours (Gmail on iPhones); the
page as it is shown (browsers' add-ons, some programs for Android)."""

INVERSIONS = (PARTIAL, EACH, WHOLE)

_FORCED = """((how) => {
  if (how === "whole") {
    document.documentElement.style.cssText = "background:#fff;filter:invert(1) hue-rotate(180deg)";
    return;
  }
  const turn = (colour, isTurned) => {
    const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
    const light = (Math.max(red, green, blue) + Math.min(red, green, blue)) / 510;
    if (!alpha || !isTurned(light)) return colour;
    const span = 1 - Math.abs(2 * light - 1);
    const to = 0.07 + 0.86 * (1 - light);
    const scale = span ? (1 - Math.abs(2 * to - 1)) / span : 0;
    const [r, g, b] = [red, green, blue].map((part) => Math.round(255 * to + (part - 255 * light) * scale));
    return `rgba(${r},${g},${b},${alpha})`;
  };
  const rules = how === "each" ? [() => true, () => true] : [(light) => light > 0.6, (light) => light < 0.4];
  document.documentElement.style.backgroundColor = "#fff";
  const found = [...document.querySelectorAll("*")].map((element) => [element, getComputedStyle(element)]);
  const turned = found.map(([element, style]) => [
    element,
    ["background-color", rules[0]],
    ["color", rules[1]],
    ...["top", "right", "bottom", "left"].map((side) => [`border-${side}-color`, rules[1]]),
  ].map((one, place) => (place ? [one[0], turn(style.getPropertyValue(one[0]), one[1])] : one)));
  for (const [element, ...colours] of turned) {
    for (const [name, colour] of colours) element.style.setProperty(name, colour, "important");
  }
})"""


def force(how: str) -> str:
    """Return the script that turns the colours of a page over in one of these ways."""
    return f'{_FORCED}("{how}")'
