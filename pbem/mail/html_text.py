"""Turns the HTML of an email into the text that its reader sees, in linear time."""

import html as entities
import re
from functools import lru_cache

_MOST_TAGS, _LONGEST_STYLE = 100_000, 5_000
_TAG = re.compile(r"<(/?)([a-z][a-z0-9:-]{0,40})", re.IGNORECASE)
# Possessive: a tag that does not end is given up at once, whatever it is made of.
_TAG_END = re.compile(r"""(?>[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_RAW = frozenset({"script", "style", "title", "textarea"})
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
    place, quotes, tags = 0, True, 0
    while (start := html.find("<", place)) >= 0:
        reader.words(html[place:start])
        tags += 1
        if tags > _MOST_TAGS:
            raise TooManyTags("The HTML has too many tags.")
        if html.startswith("<!--", start):
            place = _after(html, "-->", start + 2)
        elif html.startswith(("<!", "<?"), start):
            place = _after(html, ">", start)
        elif not (tag := _TAG.match(html, start)):
            reader.words("<")
            place = start + 1
        else:
            end = _TAG_END.match(html, tag.end()) if quotes else None
            quotes = end is not None
            place = end.end() if end else _after(html, ">", start)
            name = tag[2].lower()
            if tag[1]:
                reader.close(name)
                continue
            reader.open(name, html[tag.end() : place])
            if name in _RAW:
                over = re.compile(rf"</{name}\b", re.IGNORECASE).search(html, place)
                place = over.start() if over else len(html)
    reader.words(html[place:])
    return reader.text()


def _after(text: str, mark: str, start: int) -> int:
    """Return the place behind the next ``mark``; the end of ``text`` where there is none."""
    found = text.find(mark, start)
    return found + len(mark) if found >= 0 else len(text)


def _hides(attributes: str) -> bool:
    """Return whether an element with these attributes is not shown."""
    small = attributes.lower()
    start = 0 if "hidden" in small else small.find("style")
    return start >= 0 and _hide(small[start:][:_LONGEST_STYLE])


@lru_cache(maxsize=200)  # the cells of a board all say the same: 4 % of a message with a quoted notice
def _hide(styles: str) -> bool:
    """Return whether an element with these styles is not shown."""
    if not (found := _HIDING.search(styles)):
        return False
    # A table cell may well be nothing high as it stands, and grow with what is in it.
    return not _COLLAPSED.match(found[0]) or _CLIPPED.search(styles) is not None


class _HtmlText:
    """Collects visible text; knows blocks, breaks, quotations and hidden elements."""

    _BLOCKS = frozenset(
        {"p", "div", "tr", "li", "ul", "ol", "dl", "dt", "dd", "table", "hr", "pre", "blockquote", "body", "center"}
        | {"h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "header", "footer", "address", "option"}
    )
    _UNSEEN = frozenset({"head", "style", "script", "title", "template", "textarea", "select", "s", "strike", "del"})
    _EMPTY = frozenset({"br", "hr", "img", "input", "meta", "link", "col", "wbr"})
    _DEEPEST = 5

    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []
        self._line: list[str] = []
        self._depth = 0
        self._verbatim = 0
        self._hidden = ""  # the element that hides what is inside it, and how many of its kind are open
        self._inside = 0

    def open(self, name: str, attributes: str) -> None:
        """Begin an element: a block, a quotation or a hidden one."""
        if self._hidden:
            self._inside += name == self._hidden
            return
        if name in self._BLOCKS or name == "br":
            self._break()
        elif name in ("td", "th"):
            self._line.append(" ")
        self._depth += name == "blockquote"
        self._verbatim += name == "pre"
        if name in self._UNSEEN or (name not in self._EMPTY and attributes and _hides(attributes)):
            self._hidden, self._inside = name, 1

    def close(self, name: str) -> None:
        """End an element."""
        if self._hidden:
            self._inside -= name == self._hidden
            if not self._inside:
                self._hidden = ""
        if name in self._BLOCKS:
            self._break()
        self._depth = max(0, self._depth - (name == "blockquote"))
        self._verbatim = max(0, self._verbatim - (name == "pre"))

    def words(self, text: str) -> None:
        """Add text to the line, if it is shown."""
        if self._hidden or not text:
            return
        first, *others = _resolve_references(text).split("\n") if self._verbatim else [_resolve_references(text)]
        self._line.append(first)
        for line in others:
            self._break()
            self._line.append(line)

    def text(self) -> str:
        """Return the collected text."""
        self._break()
        return "\n".join("> " * min(depth, self._DEEPEST) + line for depth, line in self._lines)

    def _break(self) -> None:
        if line := " ".join("".join(self._line).split()):
            self._lines.append((self._depth, line))
        self._line = []


def _resolve_references(text: str) -> str:
    """Return ``text`` with its character references resolved; one with too long a number is a replacement character."""
    return entities.unescape(re.sub(r"&#x?[0-9a-fA-F]{9,};?", "\ufffd", text)) if "&" in text else text
