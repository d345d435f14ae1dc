"""Sentences about a match for one of its players, and the comments they may read; the same in text and HTML. Pure."""

from typing import TypeVar

from pbem.match.endings import Ruling, is_draw
from pbem.match.match import Match
from pbem.match.preferences import Display
from pbem.notices.sentences.moments import say_moment
from rules.game import Game, Value
from rules.phrase import ENGLISH, Language, Listed, Phrase, listed, mark, phrase, phrases, verbatim
from rules.position import Chance, Outcome, Seat

T = TypeVar("T")
_NUMBERS = (mark("one"), mark("two"), mark("three"), mark("four"), mark("five"), mark("six"))


_DISPLAYS: dict[Display, str] = {
    "plain": mark("plain text only, with letters for the pieces"),
    "unicode": mark("round stones in the text, and a coloured board where your email program shows one"),
    "large": mark("a coloured board with large cells and strong colours, and letters in the text"),
    "html": mark("a coloured board where your email program shows one, and letters in the text"),
    "speech": mark("no drawing, but sentences to listen to: what changed, and who holds what"),
}


def describe_displays(language: Language = ENGLISH) -> dict[Display, str]:
    """Return what each display is like, in words that follow a colon."""
    return {display: phrase(meaning).said(language) for display, meaning in _DISPLAYS.items()}


def describe_adding(language: Language = ENGLISH) -> str:
    """Return how to go on with an answer that has its first cell already; it stands in many links, so it is short."""
    return phrase("Add another on the line above, then send.").said(language)


def describe_roles(match: Match, viewer: Seat, language: Language = ENGLISH) -> list[str]:
    """Return a sentence for every role, the viewer's first; players who have left hold none."""
    holders = _find_holders(match)
    pieces = match.game.roles_spoken  # the legend has the signs of a drawn board
    sentences = [
        (viewer not in seats, _describe_role(match, viewer, seats, role, pieces[role]).said(language))
        for role, seats in holders.items()
    ]
    return [sentence for _, sentence in sorted(sentences, key=lambda pair: pair[0])]


def name_holders(match: Match, viewer: Seat, language: Language = ENGLISH) -> dict[str, str]:
    """Return who has which pieces, by the name of these, as ``viewer`` reads it; nothing where nobody shares any."""
    if len(match.players) < 3:
        return {}
    holders, pieces = _find_holders(match), match.game.roles_spoken
    if all(len(seats) == 1 for seats in holders.values()):
        return {}
    return {
        str(pieces[role]): listed(
            phrase("you") if seat == viewer else match.name(seat)
            for seat in sorted(seats, key=lambda seat: (seat != viewer, seat))
        ).said(language)
        for role, seats in holders.items()
        if pieces[role]
    }


def _find_holders(match: Match) -> dict[str, list[Seat]]:
    """Return the seats that play each role; in a match of several players those who have left play none."""
    holders: dict[str, list[Seat]] = {}
    departed = match.position.departed() if len(match.players) > 2 else frozenset[Seat]()
    for seat, role in enumerate(match.position.roles()):
        if role is not None and seat not in departed:
            holders.setdefault(role, []).append(seat)
    return holders


def _describe_role(
    match: Match, viewer: Seat, seats: list[Seat], role_name: str, pieces: Phrase | str | None
) -> Phrase:
    """Return who holds ``role``: "You and Bob are Pip (black)." """
    role = phrase(role_name)
    names = listed(match.name(seat) for seat in seats if seat != viewer)
    count = len(names.items)
    if pieces:
        if viewer in seats and count:
            return phrase("You and {names} are {role} ({pieces}).", names=names, role=role, pieces=pieces)
        if viewer in seats:
            return phrase("You’re {role} ({pieces}).", role=role, pieces=pieces)
        return phrases(
            "{names} is {role} ({pieces}).",
            "{names} are {role} ({pieces}).",
            count,
            names=names,
            role=role,
            pieces=pieces,
        )
    if viewer in seats and count:
        return phrase("You and {names} are {role}.", names=names, role=role)
    if viewer in seats:
        return phrase("You’re {role}.", role=role)
    return phrases("{names} is {role}.", "{names} are {role}.", count, names=names, role=role)


def describe_turn(match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return whose turn it is, as ``viewer`` reads it."""
    return _describe_turn(match, viewer).said(language)


def _describe_turn(match: Match, viewer: Seat) -> Phrase:
    """Return whose turn it is."""
    seat = match.to_act
    if isinstance(seat, Chance):
        return phrase("The dice are rolled before anyone plays.")
    if seat is None:
        return phrase("The match is over.")
    if seat == viewer:
        return phrase("It’s your turn.")
    if viewer in match.partners(seat):
        return phrase("It’s {name}’s turn, for your side.", name=match.name(seat))
    return phrase("It’s {name}’s turn.", name=match.name(seat))


def describe_winners(match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return who won, as ``viewer`` reads it; empty while the match goes on."""
    outcome = match.outcome
    return _describe_winners(match, outcome, viewer).said(language) if outcome else ""


def _describe_winners(match: Match, outcome: Outcome, viewer: Seat) -> Phrase:
    """Return who won."""
    if match.ruling and match.ruling.kind == "void":
        return phrase("The match has been called off.")
    if not outcome.winners:
        return phrase("The match is over, and nobody won.")
    if is_draw(outcome.winners, outcome.reason, len(match.players)):
        return phrase("The match is over. It’s a draw.")
    others = _name_winners(match, outcome, viewer)
    if viewer not in outcome.winners:
        return phrase("The match is over. {names} won.", names=others)
    if others.items:
        return phrase("You and {names} won!", names=others)
    return phrase("You won, {name}!", name=match.name(viewer))


def describe_result(match: Match, viewer: Seat | None = None, language: Language = ENGLISH) -> str:
    """Return how the match was decided, as ``viewer`` (None: anybody) reads it; empty while it is not over."""
    outcome = match.outcome
    return _describe_result(match, outcome, viewer).said(language) if outcome else ""


def _describe_result(match: Match, outcome: Outcome, viewer: Seat | None) -> Phrase:
    """Return how the match was decided: in the words of the game, or with the reason in the record."""
    others = _name_winners(match, outcome, viewer)
    if match.ruling:
        return _describe_ruling(match.ruling, match, viewer, others)
    if story := outcome.story:
        own = story.seat is not None and viewer in outcome.winners
        return (story.you if own else story.others).about(name=others)
    reason = verbatim(outcome.reason)
    if not outcome.winners:
        return phrase("Nobody won: {reason}.", reason=reason)
    if len(outcome.winners) == len(match.players):
        return phrase("It’s a draw: {reason}.", reason=reason)
    if viewer not in outcome.winners:
        return phrase("{names} won: {reason}.", names=others, reason=reason)
    if others.items:
        return phrase("You and {names} won: {reason}.", names=others, reason=reason)
    return phrase("You won: {reason}.", reason=reason)


def _describe_ruling(ruling: Ruling, match: Match, viewer: Seat | None, others: Listed) -> Phrase:
    """Return how a match ended whose record shows no end."""
    if ruling.kind == "void":
        if ruling.reason == "no_show":
            return phrase("Nobody made a move in time.")
        return phrase("The operator called the match off, so it counts for nobody.")
    if ruling.kind == "agreed":
        if len(match.present) == 2 and viewer in match.present:
            return phrase("You and {name} agreed on it.", name=others)
        return phrase("{names} agreed on a draw.", names=listed(match.name(seat) for seat in sorted(match.present)))
    if not ruling.winners:
        return phrase("The operator decided that nobody won.")
    if len(ruling.winners) == len(match.players):
        return phrase("The operator decided that it’s a draw.")
    if viewer not in ruling.winners:
        return phrase("The operator decided that {names} won.", names=others)
    if others.items:
        return phrase("The operator decided that you and {names} won.", names=others)
    return phrase("The operator decided that you won.")


def describe_length(match: Match, language: Language = ENGLISH) -> str:
    """Return how many moves a match took, and how many days; empty where nobody made one."""
    moves, days = match.moves_made, (match.changed_at - match.opened_at).days
    if not moves:
        return ""
    if not days:
        said = phrases("It took {count} move.", "It took {count} moves.", moves)
    else:
        lasted = phrases("{count} day", "{count} days", days)
        said = phrases("It took {count} move and {days}.", "It took {count} moves and {days}.", moves, days=lasted)
    return said.said(language)


def _name_winners(match: Match, outcome: Outcome, viewer: Seat | None) -> Listed:
    """Return the names of the winners other than ``viewer``."""
    return listed(match.name(seat) for seat in sorted(outcome.winners) if seat != viewer)


def describe_seeds(match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return a sentence with the public player seeds of the match, each with the name of its player."""
    seeds = match.public_seeds
    if not seeds:
        return phrase("The dice rest on this service alone: nobody added words to them.").said(language)
    sentences = (
        phrase("You mixed {words!q} into the dice.", words=words)
        if seat == viewer
        else phrase("{name} mixed {words!q} into the dice.", name=match.name(seat), words=words)
        for seat, words in seeds.items()
    )
    return " ".join(sentence.said(language) for sentence in sentences)


def describe_wait(match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return when the first rolls are made, and for which players they wait; empty unless they wait."""
    if not match.awaits_seeds or match.rolls_due is None:
        return ""
    due = say_moment(match.rolls_due, match.players[viewer].calendar, match.changed_at)
    names = [match.name(seat) for seat in match.unseeded if seat != viewer]
    if viewer not in match.unseeded:
        said = phrases(
            "The dice are rolled once {names} has answered, or on {due} at the latest.",
            "The dice are rolled once {names} have answered, or on {due} at the latest.",
            len(names),
            names=listed(names),
            due=due,
        )
    else:
        said = phrase("The dice are rolled once everyone has answered, or on {due} at the latest.", due=due)
    return said.said(language)


def describe_order(match: Match, viewer: Seat, language: Language = ENGLISH) -> str:
    """Return a sentence with the players in the order of their turns; empty once a player has left."""
    return "" if match.position.departed() else _describe_order(match, viewer).said(language)


def _describe_order(match: Match, viewer: Seat) -> Phrase:
    """Return with whom ``viewer`` plays, and in which order."""
    if len(match.players) == 2:
        return phrase("You’re playing {name}.", name=match.name(1 - viewer))
    names = [phrase("you") if seat == viewer else match.name(seat) for seat in match.position.turn_order()]
    if not names:
        others = listed(match.name(seat) for seat in range(len(match.players)) if seat != viewer)
        return phrase("You’re playing {names}. The dice decide the order of turns.", names=others)
    return phrase("Turns go round in this order: {names}.", names=listed(names))


def describe_robots(match: Match, language: Language = ENGLISH) -> str:
    """Return which players are programs, and what that means for the others; empty where none is."""
    names = listed(match.name(seat) for seat in sorted(match.robot_seats))
    if not match.robot_seats:
        return ""
    if len(match.robot_seats) == 1:
        said = phrase(
            "{name} is a program: it moves by itself, and `undo` takes your last move back. The match isn’t rated.",
            name=names,
        )
    else:
        said = phrase(
            "{names} are programs: they move by themselves, and `undo` takes your last move back. The match isn’t"
            " rated.",
            names=names,
        )
    return said.said(language)


def describe_options(match: Match) -> str:
    """Return the first option, and all that differ from their defaults: ``size 13, partner_gap yes``."""
    return ", ".join(
        f"{option.key} {as_typed(value)}"
        for number, option in enumerate(match.game.options)
        if (value := match.options.get(option.key, option.default)) != option.default
        or (number == 0 and len(option.values) > 1)
    )


def as_typed(value: Value) -> str:
    """Return the value of an option as people write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def describe_seats(game: Game, language: Language = ENGLISH) -> str:
    """Return the possible numbers of players of a game: ``two players``, ``two or three players``."""
    numbers = listed([phrase(_NUMBERS[seats - 1]) for seats in game.seats], "or")
    return phrase("{numbers} players", numbers=numbers).said(language)


def describe_own_proposal(match: Match, viewer: Seat, move: str, language: Language = ENGLISH) -> str:
    """Return that the reader has proposed a move, and to whom."""
    names = listed(match.name(seat) for seat in sorted(match.reading_partners(viewer)))
    return phrase("You proposed {move} to {names}, who’ll see it on the board.", move=move, names=names).said(language)
