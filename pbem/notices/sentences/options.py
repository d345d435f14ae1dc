"""What was chosen when a match opened, in sentences for people who may not know the options of its game. Pure."""

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
    return " ".join(one.said(language) for one in say_options(shown))


def say_options(chosen: Iterable[tuple[Option, Value]]) -> Iterator[Phrase]:
    """Yield a sentence for each option that has one, and one for all others."""
    typed = list[str]()
    for option, value in chosen:
        if option.sentence:
            yield phrase(option.sentence, value=str(value))
        else:
            typed.append(f"{option.key} {as_typed(value)}")
    if typed:
        yield phrase("Options: {options}.", options=", ".join(typed))
