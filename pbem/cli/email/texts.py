"""Text files that an operator hands in: decoded as the program that wrote them meant, or refused."""

import codecs

from pbem.errors import BadFile

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""How files begin that say their encoding; Excel writes the first two."""


def read_text(content: bytes, name: str) -> tuple[str, str]:
    """Return the text of a file, its lines ending in a line feed, and its encoding; raises BadFile for what is none.

    What isn't UTF-8 is taken for Windows-1252, as most programs write that know nothing better.
    """
    encodings = [encoding for mark, encoding in _MARKS if content.startswith(mark)] or ["utf-8", "windows-1252"]
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        return text.replace("\r\n", "\n").replace("\r", "\n"), encoding
    raise BadFile(f"{name} is no text: save it as plain text or CSV in UTF-8.")
