"""The templates of emails: found, compiled for a language, and asked which values they name. Pure."""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup, escape

from pbem.reading.move_phrases import MARK, TIE
from pbem.settings.places import TEMPLATES
from rules.phrase import Language

_SUBJECT_OF_A_MATCH = "_subject.txt"
"""Of every email to a seat, so that programs keep a match in one conversation; other kinds have their own."""

_INCLUDE = re.compile(r'{% include "([^"]+)" %}\n?')
_SAID = re.compile(r'\{\{ _\("([^"\\]*)"\) \}\}')
"""A sentence without arguments in a template."""

PLAY = "play"
"""The folder of the templates for whoever plays at a terminal; they may include those of emails."""

_MACROS = ("button", "link", "answers")
"""What draws buttons, in all templates."""

_TO_WRITE = re.compile(r"`([^`]+)`")
_TAG = re.compile(r"\{[{%](.*?)[%}]\}", re.DOTALL)
_NAME = re.compile(r'"[^"]*"|block \w+|\| ?\w+|(?<![\w.])([a-z_]+)(?![\w=])')
_EXTENDED = re.compile(r'{% extends "([^"]+)" %}')


class Templates(NamedTuple):
    """The templates of a kind in one language, and ``names``: among them are those of the values that they ask for."""

    kind: str
    subject: Template
    text: Template
    html: Template
    names: frozenset[str]


@cache  # there are as many as kinds, for every language that is spoken
def load_templates(kind: str, language: Language) -> Templates:
    """Return the templates of ``kind``, whose sentences are said in ``language``."""
    plain, rich = _make_environment(language, tie_words), _make_environment(language, embolden_words)
    own_subject = f"{kind}/subject.txt"
    named = own_subject if (TEMPLATES / "mail" / own_subject).is_file() else _SUBJECT_OF_A_MATCH
    subject, text = plain.get_template(named), plain.get_template(f"{kind}/body.txt")
    html = rich.get_template(f"{kind}/body.html")
    for template in (subject, text, html):
        template.globals = dict(template.globals)  # jinja copies them for every email; a dict it copies quickly
    names = _names_in(named) | _names_in(f"{kind}/body.txt") | _names_in(f"{kind}/body.html")
    return Templates(kind, subject, text, html, names)


@cache
def load_text(name: str, language: Language) -> tuple[Template, frozenset[str]]:
    """Return a template of ``templates/play``, said in ``language``, and the names in it."""
    path = f"{PLAY}/{name}.txt"
    return _make_environment(language, tie_words).get_template(path), _names_in(path)


def _names_in(path: str) -> frozenset[str]:
    """Return all names in the tags of a template, and of one that it extends; jinja would compile both to find them."""
    text = _read_template(path)
    names = {name for tag in _TAG.findall(text) for name in _NAME.findall(tag)}
    return frozenset(names).union(*map(_names_in, _EXTENDED.findall(text)))


def tie_words(sentence: str) -> str:
    """Return ``sentence`` as text, the words in backquotes, which readers may write, unbroken and without these."""
    return _TO_WRITE.sub(lambda found: found[1].replace(" ", TIE), sentence) if "`" in sentence else sentence


def embolden_words(sentence: str) -> Markup:
    """Return ``sentence`` as HTML, the words in backquotes in bold."""
    return Markup(_TO_WRITE.sub(r"<strong>\1</strong>", str(escape(sentence))))


def _sayer(language: Language, show_words: Callable[[str], str]) -> Callable[..., str]:
    """Return what templates call ``_``: it says an English message, its ``{fields}`` filled in, in ``language``."""
    known: dict[str, str] = {}

    def say(message: str, /, **arguments: object) -> str:
        said = known.get(message)
        if said is None:
            said = known[message] = show_words(language.gettext(message))
        return said.format(**arguments) if arguments else said

    return say


@cache
def _make_environment(language: Language, show_words: Callable[[str], str]) -> Environment:
    """Return an environment of templates: strict about names, with escaping in HTML, its sentences in ``language``."""
    say = _sayer(language, show_words)

    def load(name: str) -> str:
        return _SAID.sub(lambda found: say(found[1]), _read_template(name))  # once, not for every email

    environment = Environment(
        loader=FunctionLoader(load),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals.clear()  # templates use none, but jinja copies them for every email
    # Babel finds the sentences with jinja's extension; here they have the same ``{fields}`` as everywhere.
    environment.globals |= {"_": say, "mark": MARK}
    environment.globals |= {name: getattr(environment.get_template("_button.html").module, name) for name in _MACROS}
    environment.filters["words"] = show_words  # for sentences that are values
    return environment


def _read_template(name: str) -> str:
    """Return the text of a template with its includes inlined: jinja would look them up for every email."""
    folder = TEMPLATES if name.startswith(f"{PLAY}/") else TEMPLATES / "mail"
    text = (folder / name).read_text("utf-8")
    return _INCLUDE.sub(lambda found: _read_template(found[1]), text)
