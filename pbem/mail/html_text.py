"""Turns the HTML of an email into the text that its reader sees, in linear time."""

import html as entities
import re
from functools import lru_cache
from typing import NamedTuple

_MOST_TAGS, _LONGEST_STYLE = 100_000, 5_000
_MOST_KNOWN = 300
"""Tags that are remembered while one text is read: those of a table's cells are all the same."""

_NAME = r"<(/?)((?i:[a-z][a-z0-9:-]{0,40}+))"
_BEGUN = re.compile(_NAME)
# Words, and the tag behind them, if it is one. Possessive: a tag that does not end is given up at once, whatever it is
# made of.
_TAG = re.compile(rf"""([^<]*+)({_NAME}([^>"']*+(?>(?>"[^"]*+"|'[^']*+')[^>"']*+)*+>))?+""")
_TAG_UNQUOTED = re.compile(rf"([^<]*+)({_NAME}([^>]*+(?:>|\Z)))?+")
_BLOCKS = frozenset(
    {"p", "div", "tr", "li", "ul", "ol", "dl", "dt", "dd", "table", "hr", "pre", "blockquote", "body", "center"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "header", "footer", "address", "option"}
)
_UNSEEN = frozenset({"head", "style", "script", "title", "template", "textarea", "select", "s", "strike", "del"})
_EMPTY = frozenset({"br", "hr", "img", "input", "meta", "link", "col", "wbr"})
_RAW = frozenset({"script", "style", "title", "textarea"})
_DEEPEST = 5  # marks of a quotation
# Senders hide words from the reader with these styles: previews for the list of emails, for instance.
_HIDING = re.compile(
    r"(?<![a-z-])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse)|mso-hide\s{0,9}:\s{0,9}all"
    r"|(?:font-size|max-height|max-width|opacity|height|width)\s{0,9}:\s{0,9}(?:0{1,3}(?:\.0{1,9})?(?:px|pt|em|rem|%)?)"
    r"\s{0,9}(?=[;\"'!>]|$))|\shidden(?=[\s>=/])|text-decoration(?:-line)?\s{0,9}:[^;\"'>]{0,60}line-through",
    re.IGNORECASE,
)
_COLLAPSED = re.compile(r"(?<![a-z-])(?:height|width)\s{0,9}:", re.IGNORECASE)
_CLIPPED = re.compile(r"overflow(?:-[xy])?\s{0,9}:\s{0,9}hidden", re.IGNORECASE)


class TooManyTags(ValueError):
    """The HTML has more tags than any email program writes."""


def html_to_text(html: str) -> str:
    """Return the text a reader of ``html`` sees, one line a block; quoted blocks are marked with ``>``.

    Text that is crossed out is left out. Raise TooManyTags. The standard library's parser takes far too long on some
    texts.
    """
    reader = _HtmlText()
    known: dict[str, _Tag] = {}
    add = reader.line.append
    pattern = _TAG
    place = tags = 0
    while True:
        raw = ""
        for found in pattern.finditer(html, place):
            tags += 1
            words, whole = found.group(1, 2)
            if words and not reader.hidden:
                reader.words(words) if "&" in words or reader.verbatim else add(words)
            if tags > _MOST_TAGS and (whole or found.end() < len(html)):
                raise TooManyTags("The HTML has too many tags.")
            if whole is None:
                break
            if not (tag := known.get(whole)):
                tag = _read_tag(*found.group(3, 4, 5))
                if len(known) < _MOST_KNOWN:
                    known[whole] = tag
            if tag.spaces and not reader.hidden:
                add(" ")
            elif tag.acts or reader.hidden:
                reader.close(tag.name) if tag.closes else reader.open(tag)
                if tag.is_raw:
                    raw = tag.name
                    break
        place = found.end()
        if raw:
            over = re.compile(rf"</{raw}\b", re.IGNORECASE).search(html, place)
            place = over.start() if over else len(html)
        elif place == len(html):
            return reader.text()
        elif html.startswith("<!--", place):
            place = _after(html, "-->", place + 2)
        elif html.startswith(("<!", "<?"), place):
            place = _after(html, ">", place)
        elif _BEGUN.match(html, place):  # a quotation mark is missing somewhere, so that none tells anything
            pattern = _TAG_UNQUOTED
        else:
            if not reader.hidden:
                reader.words("<")
            place += 1


def _after(text: str, mark: str, start: int) -> int:
    """Return the place behind the next ``mark``; the end of ``text`` where there is none."""
    found = text.find(mark, start)
    return found + len(mark) if found >= 0 else len(text)


class _Tag(NamedTuple):
    """A tag: whether it ends an element, hides what is inside it, is but a space, and does anything at all."""

    name: str
    closes: bool
    hides: bool
    spaces: bool
    acts: bool
    is_raw: bool


def _read_tag(slash: str, name: str, attributes: str) -> _Tag:
    """Return what a tag does."""
    name = name.lower()
    return _tag(name, slash != "", not slash and name not in _EMPTY and _hides(attributes))


@lru_cache(maxsize=200)
def _tag(name: str, closes: bool, styled: bool) -> _Tag:
    """Return what a tag does whose attributes hide the element or do not: ``styled``."""
    hides = styled or (not closes and name in _UNSEEN)
    spaces = not closes and name in ("td", "th") and not hides
    acts = hides or spaces or name in _BLOCKS or (not closes and name == "br")
    return _Tag(name, closes, hides, spaces, acts, not closes and name in _RAW)


def _hides(attributes: str) -> bool:
    """Return whether an element with these attributes is not shown."""
    small = attributes.lower()
    start = 0 if "hidden" in small else small.find("style")
    return start >= 0 and _hide(small[start : start + _LONGEST_STYLE])


@lru_cache(maxsize=200)  # the cells of a board all say the same, and so do those of all boards
def _hide(styles: str) -> bool:
    """Return whether an element with these styles is not shown."""
    if not (found := _HIDING.search(styles)):
        return False
    # A table cell may well be nothing high as it stands, and grow with what is in it.
    return not _COLLAPSED.match(found[0]) or _CLIPPED.search(styles) is not None


class _HtmlText:
    """Collects visible text; knows blocks, breaks, quotations and hidden elements."""

    def __init__(self) -> None:
        self.hidden = ""  # the element that hides what is inside it, and how many of its kind are open
        self._inside = 0
        self._lines: list[tuple[int, str]] = []
        self.line: list[str] = []
        self._depth = 0
        self.verbatim = 0

    def open(self, tag: _Tag) -> None:
        """Begin an element: a block, a quotation or a hidden one."""
        name = tag.name
        if self.hidden:
            self._inside += name == self.hidden
            return
        if name in ("td", "th"):
            self.line.append(" ")
        elif name in _BLOCKS or name == "br":
            self._break()
            self._depth += name == "blockquote"
            self.verbatim += name == "pre"
        if tag.hides:
            self.hidden, self._inside = name, 1

    def close(self, name: str) -> None:
        """End an element."""
        if self.hidden:
            self._inside -= name == self.hidden
            if not self._inside:
                self.hidden = ""
        if name in _BLOCKS:
            self._break()
            self._depth = max(0, self._depth - (name == "blockquote"))
            self.verbatim = max(0, self.verbatim - (name == "pre"))

    def words(self, text: str) -> None:
        """Add text to the line."""
        if "&" in text:
            text = _resolve_references(text)
        if not self.verbatim:
            self.line.append(text)
            return
        first, *others = text.split("\n")
        self.line.append(first)
        for line in others:
            self._break()
            self.line.append(line)

    def text(self) -> str:
        """Return the collected text."""
        self._break()
        return "\n".join("> " * min(depth, _DEEPEST) + line for depth, line in self._lines)

    def _break(self) -> None:
        if line := " ".join("".join(self.line).split()):
            self._lines.append((self._depth, line))
        self.line.clear()


def _resolve_references(text: str) -> str:
    """Return ``text`` with its character references resolved; one with too long a number is a replacement character."""
    return entities.unescape(re.sub(r"&#x?[0-9a-fA-F]{9,};?", "\ufffd", text))
