"""Sentences about a match for one of its players, and the comments they may read; the same in text and HTML. Pure."""

from collections.abc import Iterable
from datetime import UTC

from pbem.match import Comment, Match
from pbem.notices.wrapping import flow_lines, wrap_line
from rules import EXIT_WORDS, Chance, Entry, Event, Game, Seat, Value, advance
from rules.text import listed

QuotedComments = list[tuple[str, list[str]]]
"""For each comment an introduction, and the lines below it."""

_COMMENT_WIDTH = 58  # columns: comments are indented, and replies may quote them


def describe_events(before: Match, match: Match, viewer: Seat) -> list[str]:
    """Return a sentence for every entry of ``match`` after ``before``, as ``viewer`` reads it."""
    position = before.position
    sentences = []
    if before.awaits_seeds and not match.awaits_seeds and match.outcome is None:
        sentences.append(describe_seeds(match, viewer))
    latest: Entry | None = None
    for entry in match.record[before.ply :]:
        position = advance(position, latest) if latest else position
        latest = entry
        if entry.seat is None:
            sentences += [_tell(event, match, viewer) for event in position.describe_roll(int(entry.text))]
        elif entry.text in EXIT_WORDS:
            verb = "resigned" if entry.text == "resign" else "ran out of time"
            sentences.append(f"{_name_player(match, entry.seat, viewer)} {verb}.")
        else:
            sentences.append(_tell(position.describe(position.parse(entry.text)), match, viewer))
    return [sentence for sentence in sentences if sentence]


def describe_roles(match: Match, viewer: Seat) -> list[str]:
    """Return a sentence for every role, the viewer's first: ``You and Bob are Pip (black, X).``"""
    holders: dict[str, list[Seat]] = {}
    for seat, role in enumerate(match.position.roles()):
        if role is not None:
            holders.setdefault(role, []).append(seat)
    sentences = []
    spoken = match.players[viewer].preferences.display == "speech"
    for role, seats in holders.items():
        pieces = (match.game.roles_spoken if spoken else match.game.roles)[role]
        bracket = f" ({pieces})" if pieces else ""
        own = viewer in seats
        names = ["You"] * own + [match.name(seat) for seat in seats if seat != viewer]
        verb = "are" if own or len(seats) > 1 else "is"
        sentences.append((not own, f"{listed(names)} {verb} {role}{bracket}."))
    return [sentence for _, sentence in sorted(sentences, key=lambda pair: pair[0])]


def describe_turn(match: Match, viewer: Seat) -> str:
    """Return whose turn it is, as ``viewer`` reads it."""
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
    """Return how the match ended, as ``viewer`` (None: anybody) reads it; empty while it is not over."""
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


def describe_seeds(match: Match, viewer: Seat) -> str:
    """Return a sentence with the public player seeds of the match, each with the name of its player."""
    seeds = match.public_seeds
    if not seeds:
        return "Nobody mixed in words of their own, so the lots rest on the secret of this service alone."
    names = ["You" if seat == viewer else match.name(seat) for seat in seeds]
    return f"{listed(f'{name} mixed in “{seed}”' for name, seed in zip(names, seeds.values(), strict=True))}."


def describe_wait(match: Match, viewer: Seat) -> str:
    """Return when the first rolls are made, and for which players they wait; empty unless they wait."""
    if not match.awaits_seeds or match.rolls_due is None:
        return ""
    awaited = listed("you" if seat == viewer else match.name(seat) for seat in match.unseeded)
    latest = match.rolls_due.astimezone(UTC).strftime("%A, %d %B at %H:%M UTC").replace(", 0", ", ")
    return f"The lots are drawn as soon as everybody has answered, on {latest} at the latest. We wait for {awaited}."


def describe_order(match: Match, viewer: Seat) -> str:
    """Return a sentence with the players in the order of their turns; empty once a player has left."""
    if match.position.departed():
        return ""
    if len(match.players) == 2:
        return f"You and {match.name(1 - viewer)} take turns."
    names = ["you" if seat == viewer else match.name(seat) for seat in match.position.turn_order()]
    if not names:
        return "The order of turns is drawn by lot."
    return f"Turns go round in this order: {listed(names)}."


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


def describe_seats(game: Game) -> str:
    """Return the possible numbers of players of a game: ``two players``, ``two or three players``."""
    numbers = [("one", "two", "three", "four", "five", "six")[seats - 1] for seats in game.seats]
    return f"{' or '.join(numbers)} players"


def may_read(match: Match, viewer: Seat, comment: Comment) -> bool:
    """Return whether ``viewer`` may read ``comment``."""
    return comment.seat == viewer or not comment.to_side or viewer in match.partners(comment.seat)


def introduce_comment(match: Match, comment: Comment, viewer: Seat) -> str:
    """Return the introduction of a comment; the sender reads there who got it."""
    if comment.seat == viewer:
        partners = listed(match.name(seat) for seat in sorted(match.partners(viewer)))
        return f"You wrote to {f'{partners} alone' if comment.to_side else 'everybody'}:"
    return f"{match.name(comment.seat)} wrote{' to your side alone' if comment.to_side else ''}:"


def comments_for(match: Match, viewer: Seat, comments: Iterable[Comment]) -> QuotedComments:
    """Return an introduction and the lines of each comment that ``viewer`` may read."""
    quoted = []
    for comment in comments:
        if may_read(match, viewer, comment):
            lines = _wrap_comment(comment.text, match)
            # Quote marks before the reader's own words let them write the same words again in a reply.
            if comment.seat == viewer:
                lines = [f"> {line}" for line in lines]
            else:
                lines = ("“" + "\n".join(lines) + "”").split("\n")
            quoted.append((introduce_comment(match, comment, viewer), lines))
    return quoted


def join_story(events: list[str], comments: QuotedComments) -> tuple[list[str], QuotedComments]:
    """Join the last event with the first comment, if both are of the same player: ``Bob played c3 and wrote:``."""
    name, wrote, rest = comments[0][0].partition(" wrote:") if comments else ("", "", "")
    if wrote and not rest and events and events[-1].startswith(f"{name} "):
        events = [*events[:-1], f"{events[-1].removesuffix('.')} and wrote:"]
        comments = [("", comments[0][1]), *comments[1:]]
    return events, comments


def _tell(event: Event, match: Match, viewer: Seat) -> str:
    """Return what happened, as ``viewer`` reads it."""
    if event.seat is None:
        return str(event.others)
    return str(event.you if event.seat == viewer else event.others.about(name=match.name(event.seat)))


def _name_player(match: Match, seat: Seat, viewer: Seat) -> str:
    """Return the first word of a sentence about ``seat``: You, or the player's name."""
    return "You" if seat == viewer else match.name(seat)


def _wrap_comment(text: str, match: Match) -> list[str]:
    """Return the text of a comment in short lines."""
    position = match.position if isinstance(match.to_act, int) else None
    return [part for line in flow_lines(text) for part in wrap_line(line, _COMMENT_WIDTH, position)]
