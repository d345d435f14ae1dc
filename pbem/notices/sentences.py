"""Turns a match into sentences for one of its players; pure, and the same for text and HTML."""

from datetime import UTC

from pbem.match import Comment, Match
from rules import EXIT_WORDS, Chance, Entry, Game, Seat, Value, advance
from rules.text import listed


def describe_events(before: Match, match: Match, viewer: Seat) -> list[str]:
    """Return a sentence for every entry that ``match`` has beyond ``before``, as ``viewer`` is told it."""
    position = before.position
    sentences = []
    if before.awaits_seeds and not match.awaits_seeds and match.outcome is None:
        sentences.append(describe_seeds(match, viewer))
    latest: Entry | None = None
    for entry in match.record[before.ply :]:
        position = advance(position, latest) if latest else position
        latest = entry
        if entry.seat is None:
            sentences += position.describe_roll(int(entry.text)).splitlines()
        elif entry.text in EXIT_WORDS:
            verb = "resigned" if entry.text == "resign" else "ran out of time"
            sentences.append(f"{_subject(match, entry.seat, viewer)} {verb}.")
        else:
            told = position.describe(position.parse(entry.text))
            sentences.append(f"{_subject(match, entry.seat, viewer)} {told}.")
    return [sentence for sentence in sentences if sentence]


def describe_roles(match: Match, viewer: Seat) -> list[str]:
    """Return a sentence for every role: ``You and Bob are Pip (black, X).``; nothing while there are no roles."""
    holders: dict[str, list[Seat]] = {}
    for seat, role in enumerate(match.position.roles()):
        if role is not None:
            holders.setdefault(role, []).append(seat)
    sentences = []
    listening = match.players[viewer].preferences.display == "speech"
    for role, seats in holders.items():
        plays = (match.game.roles_spoken if listening else match.game.roles)[role]
        words = f" ({plays})" if plays else ""
        mine = viewer in seats
        names = ["You"] * mine + [match.name(seat) for seat in seats if seat != viewer]
        verb = "are" if mine or len(seats) > 1 else "is"
        sentences.append((not mine, f"{listed(names)} {verb} {role}{words}."))
    return [sentence for _, sentence in sorted(sentences, key=lambda pair: pair[0])]


def describe_turn(match: Match, viewer: Seat) -> str:
    """Return whose turn it is, as ``viewer`` is told it."""
    seat = match.to_act
    if isinstance(seat, Chance):
        return "Lots are to be drawn before anybody plays."
    if seat is None:
        return "The match is over."
    if seat == viewer:
        return "It is your turn."
    name = match.name(seat)
    if viewer in match.partners(seat):
        return f"It is your side's turn: {name} plays now, you wait."
    return f"It is {name}'s turn."


def describe_result(match: Match, viewer: Seat | None = None) -> str:
    """Return how the match ended, as ``viewer`` (None: anybody) is told it; empty while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return ""
    if not outcome.winners:
        return f"Nobody won: {outcome.reason}."
    if len(outcome.winners) == len(match.players):
        return f"It is a draw: {outcome.reason}."
    names = [match.name(seat) for seat in sorted(outcome.winners) if seat != viewer]
    won = listed(["You", *names] if viewer in outcome.winners else names)
    return f"{won} won: {outcome.reason}."


def describe_rolls(match: Match) -> str:
    """Return what is drawn by lot in the match: ``colours, starting player and die``."""
    return listed(match.possible_rolls)


def describe_seeds(match: Match, viewer: Seat) -> str:
    """Return whose words went into the rolls, so that nobody is said to have written what he did not."""
    seeds = match.public_seeds
    if not seeds:
        return "Nobody mixed in words of his own."
    names = ["You" if seat == viewer else match.name(seat) for seat in seeds]
    return f"{listed(f'{name} mixed in “{words}”' for name, words in zip(names, seeds.values(), strict=True))}."


def describe_wait(match: Match, viewer: Seat) -> str:
    """Return when the first rolls are drawn, and for whom they wait; empty unless they wait."""
    if not match.awaits_seeds or match.rolls_due is None:
        return ""
    awaited = listed("you" if seat == viewer else match.name(seat) for seat in match.unseeded)
    latest = match.rolls_due.astimezone(UTC).strftime("%A, %d %B at %H:%M UTC").replace(", 0", ", ")
    return f"The lots are drawn as soon as everybody has answered, on {latest} at the latest. We wait for {awaited}."


def describe_order(match: Match, viewer: Seat) -> str:
    """Return who plays, in the order of their turns, as a sentence; nothing once somebody has left."""
    if match.position.departed():
        return ""
    if len(match.players) == 2:
        return f"You and {match.name(1 - viewer)} take turns."
    names = ["you" if seat == viewer else match.name(seat) for seat in match.position.turn_order()]
    if not names:
        return "The order of turns is drawn by lot."
    return f"Turns go round in this order: {listed(names)}."


def describe_options(match: Match) -> str:
    """Return the first option and those that are not as usual: ``size 9``, ``size 13, partner_gap yes``."""
    return ", ".join(
        f"{option.key} {as_typed(value)}"
        for number, option in enumerate(match.game.options)
        if (value := match.options.get(option.key, option.default)) != option.default
        or (number == 0 and len(option.values) > 1)
    )


def as_typed(value: Value) -> str:
    """Return the value of an option as people write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def describe_seats(game: Game) -> str:
    """Return for how many a game is: ``two players``, ``two or three players``."""
    numbers = [("one", "two", "three", "four", "five", "six")[seats - 1] for seats in game.seats]
    return f"{' or '.join(numbers)} players"


def may_read(match: Match, viewer: Seat, comment: Comment) -> bool:
    """Return whether ``comment`` is for ``viewer`` to read."""
    return comment.seat == viewer or not comment.to_side or viewer in match.partners(comment.seat)


def introduce_comment(match: Match, comment: Comment, viewer: Seat) -> str:
    """Return what stands before a comment; its sender is told whom it went to."""
    if comment.seat == viewer:
        partners = listed(match.name(seat) for seat in sorted(match.partners(viewer)))
        return f"You wrote to {f'{partners} alone' if comment.to_side else 'everybody'}:"
    return f"{match.name(comment.seat)} wrote{' to your side alone' if comment.to_side else ''}:"


def _subject(match: Match, seat: Seat, viewer: Seat) -> str:
    """Return the name a sentence about ``seat`` begins with."""
    return "You" if seat == viewer else match.name(seat)
