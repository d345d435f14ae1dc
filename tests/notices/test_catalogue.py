"""The catalogue of sentences: complete, and fit to be translated."""

import ast
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from string import Formatter

import pytest
from jinja2 import Environment

from rules.games import GAMES
from tests.support.catalogue import CATALOGUE, ROOT, accented, extract_messages, make_catalogue, read_messages
from tests.support.each import each

_THREE_WORDS = re.compile(r"(?<![\w’'-])(?:[A-Za-z][a-z’']* ){2}[A-Za-z][a-z’']*(?![\w-])")
"""What may be a piece of a sentence."""

_TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.*") if path.suffix in (".html", ".txt"))
_FOR_THE_OPERATOR = ("needs",)
"""Kinds of emails that are written in English."""

_SAYING_NOTHING = ("commands", "reading", "advice", "pipeline", "asking", "due", "boards")
"""Packages that hand over codes, and have no sentences for players."""

_NOTES = {
    *(
        "asked_again.py",
        "bounces.py",
        "catalogue.py",
        "deliver.py",
        "judge.py",
        "leaving.py",
        "days.py",
        "lengths.py",
        "limits.py",
        "ruling.py",
        "synonyms.py",
    ),
    *(
        "spans.py",
        "time_words.py",
        "accounts.py",
        "follow.py",
        "rationing.py",
        "stale_turn.py",
        "may_ask.py",
        "starting.py",
        "address.py",
        "zones.py",
    ),
}
"""Modules with lists of words, or notes that the operator reads: clauses, without a capital and a full stop."""

_APPROVED = {
    "It takes too long to read.",
    "Indonesian and Vietnamese",
    "leave league pipline",
    "sunday letter off",
    "sunday letter on",
    "name Ann Lee",
    "replace Bob with Carl",
    "standin Ann until 14 aug",
    "standin all Ann until 14 aug",
}
"""What the operator reads of a message that was given up, languages of which words are known, and a line to write."""


def test_the_catalogue_is_that_of_the_code() -> None:
    """``make messages`` writes it."""
    assert CATALOGUE.read_text("utf-8") == make_catalogue()
    assert read_messages() == extract_messages()


@each("message", sorted(read_messages()))
def test_a_message_can_be_said_in_another_language(message: str) -> None:
    """Its fields have names, its words to write stand between backquotes, and HTML would change nothing in it."""
    for form in filter(None, (message, read_messages()[message])):
        fields = [field for _, field, _, _ in Formatter().parse(form) if field is not None]
        assert all(field.isidentifier() for field in fields)
        assert form.count("`") % 2 == 0
        assert not set(form) & set("<>&%")
        translated = accented(form)
        assert sorted(re.findall(r"\{[^}]*\}|`[^`]*`", translated)) == sorted(re.findall(r"\{[^}]*\}|`[^`]*`", form))


def test_there_is_one_kind_of_apostrophe() -> None:
    """It is the typographic one; the names of rolls stand in records, so they keep theirs."""
    rolls = {what for game in GAMES.values() for what in game.rolls}
    assert [message for message in read_messages() if "'" in message and message not in rolls] == []


@each("path", _TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_template_has_no_sentence_of_its_own(path: Path) -> None:
    """Three words in a row stand within ``_()``, in what is read and in what is said to those who listen."""
    found = [words for text in _unsaid(path.read_text("utf-8")) for words in _THREE_WORDS.findall(text)]
    assert found == [] or path.parent.name in _FOR_THE_OPERATOR


@pytest.mark.parametrize("package", _SAYING_NOTHING)
def test_a_package_that_hands_over_codes_has_no_sentence(package: str) -> None:
    """Three words in a row are documentation, an error or a log line for the operator, a pattern, or a note to them."""
    for path in sorted((ROOT / "pbem" / package).rglob("*.py")):
        for text in _literals(ast.parse(path.read_text("utf-8"))):
            is_note = path.name in _NOTES and not text[:1].isupper() and not text.endswith(".")
            assert is_note or text in _APPROVED or not _THREE_WORDS.search(text), (path.name, text)


def _unsaid(template: str) -> Iterator[str]:
    """Yield what stands in a template outside of ``_()``: texts, attributes that are read out, and literals."""
    style = r"<style>.*?</style>|{% block style %}.*?{% endblock %}|/\*.*?\*/"
    bare = re.sub(r'_\("[^"]*"', "_(0", re.sub(style, "", template, flags=re.DOTALL))
    markup = ""
    for _, kind, value in Environment().lex(bare):
        markup += value if kind == "data" else "|"
        if kind == "string":
            yield value
    yield from re.findall(r'(?:aria-label|alt|title|summary)="([^"]*)"', markup)
    yield unescape(re.sub(r"<[^>]*>", "|", markup))


def _literals(tree: ast.Module) -> Iterator[str]:
    """Yield the texts in a module that may reach somebody: no documentation, error, log line or pattern."""
    passed_over: set[ast.AST] = set()
    for node in ast.walk(tree):
        named = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        if named in ("compile", "info", "warning", "error", "exception") or isinstance(node, ast.Raise):
            passed_over.update(ast.walk(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed_over.add(node.value)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in passed_over:
            yield node.value
