"""What was chosen when a match opened, in words for people who may not know the options of its game. Pure."""

from collections.abc import Iterable, Iterator

from pbem.match.match import Match
from pbem.notices.sentences.match import as_typed
from rules.game import Option, Value
from rules.phrase import ENGLISH, Language, Phrase, phrase


def explain_options(match: Match, language: Language = ENGLISH) -> str:
    """Return what was chosen of all options that differ from their defaults, and of the first."""
    chosen = [(option, match.options.get(option.key, option.default)) for option in match.game.options]
    shown = [
        (option, value)
        for number, (option, value) in enumerate(chosen)
        if value != option.default or (number == 0 and len(option.values) > 1)
    ]
    options = ", ".join(one if isinstance(one, str) else one.said(language) for one in say_options(shown))
    return phrase("Options: {options}.", options=options).said(language) if options else ""


def say_options(chosen: Iterable[tuple[Option, Value]]) -> Iterator[Phrase | str]:
    """Yield each option in the words that its game has for it, or as it is typed."""
    for option, value in chosen:
        yield phrase(option.words, value=str(value)) if option.words else f"{option.key} {as_typed(value)}"
