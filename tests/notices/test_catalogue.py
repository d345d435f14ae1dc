"""The catalogue of sentences: complete, and fit to be translated."""

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from tests.support.catalogue import CATALOGUE, ROOT, accented, extract_messages, make_catalogue


def test_the_catalogue_is_that_of_the_code() -> None:
    """``make messages`` writes it."""
    assert CATALOGUE.read_text("utf-8") == make_catalogue()


@pytest.mark.parametrize("message", sorted(extract_messages()))
def test_a_message_can_be_said_in_another_language(message: str) -> None:
    """Its fields have names, its words to write stand between backquotes, and HTML would change nothing in it."""
    for form in filter(None, (message, extract_messages()[message])):
        fields = [field for _, field, _, _ in Formatter().parse(form) if field is not None]
        assert all(field.isidentifier() for field in fields)
        assert form.count("`") % 2 == 0
        assert not set(form) & set("<>&%")
        translated = accented(form)
        assert sorted(re.findall(r"\{[^}]*\}|`[^`]*`", translated)) == sorted(re.findall(r"\{[^}]*\}|`[^`]*`", form))


def test_there_is_one_kind_of_apostrophe() -> None:
    """It is the typographic one; the names of rolls stand in records, so they keep theirs."""
    rolls = {what for game in GAMES.values() for what in game.rolls}
    assert [message for message in extract_messages() if "'" in message and message not in rolls] == []
