"""Sentences for people as data: an English message and what it is about, to be said in any language."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter
from typing import Literal, NamedTuple, Protocol, TypeAlias


class Language(Hashable, Protocol):
    """Says English messages in another language, as the classes of the standard library's ``gettext`` do."""

    def gettext(self, message: str, /) -> str:
        """Return ``message`` in this language."""

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Return the message for ``count``, of which ``one`` and ``many`` are the English forms."""


class _English:
    """The language that all messages are written in."""

    def gettext(self, message: str, /) -> str:
        """Return ``message``."""
        return message

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Return the form for ``count``."""
        return one if count == 1 else many


ENGLISH: Language = _English()


def mark(message: str) -> str:
    """Return ``message``, to be kept in a table; the extractor of the catalogue finds it."""
    return message


def marks(one: str, many: str) -> tuple[str, str]:
    """Return the forms of a message for one and for many, to be kept in a table."""
    return one, many


_AND, _OR, _COMMA = mark("{most} and {last}"), mark("{most} or {last}"), mark(", ")


@dataclass(frozen=True, slots=True)
class Listed:
    """Things to be listed in a sentence, the last behind ``last``."""

    items: tuple["Argument", ...]
    last: Literal["and", "or"] = "and"

    def said(self, language: Language = ENGLISH, *, quoted: bool = False) -> str:
        """Return ``a``, ``a and b`` or ``a, b and c``; nothing for no items. ``quoted``: each in quotation marks."""
        said = [_say(item, language) for item in self.items] or [""]
        *most, final = map(quote, said) if quoted and self.items else said
        if not most:
            return final
        joined = language.gettext(_AND if self.last == "and" else _OR)
        return joined.format(most=language.gettext(_COMMA).join(most), last=final)

    def __str__(self) -> str:
        return self.said()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence, or a few words, for people: ``message`` is the English text, with ``{fields}`` for its arguments.

    ``{text!q}`` comes in quotation marks, of a list each item. Where ``plural`` is given, the argument ``count``
    chooses between them. ``str`` of it is English.
    """

    message: str
    arguments: tuple[tuple[str, "Argument"], ...] = ()
    plural: str = ""

    def said(self, language: Language = ENGLISH) -> str:
        """Return the sentence in ``language``. Raise KeyError if an argument is missing."""
        message = self.message
        if self.plural:
            count = dict(self.arguments)["count"]
            message = language.ngettext(message, self.plural, count if isinstance(count, int) else 0)
        else:
            message = language.gettext(message)
        if "{" not in message:
            return message
        said, arguments = "", dict(self.arguments)
        for literal, field, quoted in _parts(message):
            said += literal
            if field is not None:
                argument = arguments[field]
                as_it_is = isinstance(argument, str) and not quoted
                said += str(argument) if as_it_is else _fill(argument, language, quoted=quoted)
        return said

    def about(self, **arguments: "Argument") -> "Phrase":
        """Return the phrase with more arguments."""
        return Phrase(self.message, tuple((dict(self.arguments) | arguments).items()), self.plural)

    def __str__(self) -> str:
        return self.said()


Argument: TypeAlias = str | int | Phrase | Listed
"""What a phrase is about: as people write it, or a part that is said in the reader's language."""

Arguments: TypeAlias = Mapping[str, Argument]


class Event(NamedTuple):
    """Something that happened, as the one who did it reads it (``you``), and as all others do (``others``).

    ``seat`` is who did it; the field ``{name}`` of ``others`` is filled with their name. With None, nobody did it,
    and all read ``others``. ``leads_up``: it is only a step to what comes of it.
    """

    seat: int | None
    you: Phrase
    others: Phrase
    leads_up: bool = False


def phrase(message: str, **arguments: Argument) -> Phrase:
    """Return a phrase; the message is found by the extractor of the catalogue."""
    return Phrase(message, tuple(arguments.items()))


def phrases(one: str, many: str, count: int, **arguments: Argument) -> Phrase:
    """Return a phrase for ``count`` things, which is also its argument ``count``."""
    return Phrase(one, (("count", count), *arguments.items()), many)


def verbatim(text: str) -> Phrase:
    """Return a phrase that says ``text`` in every language: what people wrote, or a name."""
    return Phrase("{text}", (("text", text),))


def happened(others: Phrase) -> Event:
    """Return an event that nobody in particular has caused."""
    return Event(None, others, others)


def listed(items: Iterable[Argument], last: Literal["and", "or"] = "and") -> Listed:
    """Return things to be listed in a sentence."""
    return Listed(tuple(items), last)


def quote(text: object, limit: int = 40) -> str:
    """Return ``text`` in quotation marks, on one line and cut to ``limit`` characters."""
    shown = str(text)[: 5 * limit]
    if not shown.isprintable():
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    shown = " ".join(shown.split())
    return f"“{shown}”" if len(shown) <= limit else f"“{shown[: limit - 1].rstrip()}…”"


def _say(argument: Argument, language: Language) -> str:
    """Return an argument as it stands in a sentence."""
    return argument.said(language) if isinstance(argument, Phrase | Listed) else str(argument)


def _fill(argument: Argument, language: Language, *, quoted: bool) -> str:
    """Return an argument as its field asks for it."""
    if quoted:
        return argument.said(language, quoted=True) if isinstance(argument, Listed) else quote(_say(argument, language))
    return _say(argument, language)


@cache  # there are as many as the catalogue has messages
def _parts(message: str) -> tuple[tuple[str, str | None, bool], ...]:
    """Return what stands before each field of a message, the field's name, and whether it comes in quotation marks."""
    return tuple((literal, field, conversion == "q") for literal, field, _, conversion in Formatter().parse(message))
