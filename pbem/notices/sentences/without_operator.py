"""Leaves out of sentences what sends players to the operator, where no words reach that person. Pure."""

import re
from dataclasses import dataclass

from rules.phrase import Language

_COMMAND = "`operator:"
_SENTENCE = re.compile(rf"[^.!?。]*{_COMMAND}[^.!?。]*[.!?。]?")


@dataclass(frozen=True, slots=True)
class WithoutOperator:
    """A language for a service whose settings name no operator: its messages lack each sentence with that command.

    What such a sentence says stands in none beside it. A message of nothing else is empty, and isn't said.
    """

    language: Language

    def gettext(self, message: str, /) -> str:
        """Return ``message`` in this language."""
        said = self.language.gettext(message)
        return _SENTENCE.sub("", said).strip() if _COMMAND in said else said

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Return the message for ``count``."""
        return self.language.ngettext(one, many, count)
