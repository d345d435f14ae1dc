"""What is logged while a test runs, in both forms, and that nothing private stands in it."""

import json
import logging
import re
from io import StringIO

from pbem.log.logbook import Line
from pbem.log.redaction import Redacting
from tests.support.club import SECRET

ADDRESS = re.compile(rb"[\w.+-]+@[\w-]+\.[\w.-]+\w")
TOKEN = re.compile(r"\b\d+\.\d+\.\d+\.[a-z2-7]{10}")


class Written:
    """The log of everything, libraries included and at DEBUG, in both forms."""

    def __init__(self) -> None:
        self.streams = {form: StringIO() for form in ("text", "json")}
        self.handlers = [self._make(form) for form in self.streams]

    def _make(self, form: str) -> logging.Handler:
        handler = logging.StreamHandler(self.streams[form])
        handler.addFilter(Redacting(lambda: [SECRET]))
        handler.setFormatter(Line(lambda: form))
        return handler

    def text(self) -> str:
        """Return what was written as text."""
        return self.streams["text"].getvalue()

    def objects(self) -> list[dict[str, object]]:
        """Return what was written as JSON: each line has to be an object."""
        lines = self.streams["json"].getvalue().split("\n")
        assert lines.pop() == ""
        return [json.loads(line) for line in lines]

    def everything(self) -> str:
        """Return both forms, the texts of JSON as they are read."""
        return self.text() + "\n".join(str(value) for one in self.objects() for value in one.values())
