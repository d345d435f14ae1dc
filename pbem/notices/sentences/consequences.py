"""What happens when the time of whoever is to act is over, and who is concerned; as one player reads it. Pure."""

from collections.abc import Collection, Mapping
from functools import partial

from pbem.match.match import Match
from pbem.match.time.time_control import Policy
from pbem.match.timing import policy_of, side_of
from rules.phrase import Listed, Phrase, listed, mark, phrase
from rules.position import Seat


def by_reader(match: Match, viewer: Seat, seat: Seat, own: Phrase, side: Phrase, others: Phrase) -> Phrase:
    """Return the sentence for whoever is to act, for their partner, or for anybody else."""
    if viewer == seat:
        return own
    return side if viewer in side_of(match, seat) else others.about(name=match.name(seat))


def opponents(match: Match, seat: Seat) -> tuple[list[Seat], bool]:
    """Return who plays against the side of ``seat``, and whether they win when that side leaves."""
    gone = match.position.departed() | set(side_of(match, seat))
    rest = [other for other in range(len(match.players)) if other not in gone]
    return rest, bool(rest) and set(rest) <= match.position.side(rest[0])


_OWN_CONSEQUENCES: Mapping[Policy, str] = {
    "claim": mark("If you haven’t moved by then, the others are asked whether they want to win or wait."),
    "forfeit": mark("If you haven’t moved by then, you lose the match."),
    "remind-only": mark("Nobody loses on time in this match: after that, I just remind you again."),
    "partner": mark("If you haven’t moved by then and have a partner, your partner plays on without you."),
}
"""What players are told who are to act, where no more is known of their match than its time control."""


def say_own_consequence(policy: Policy, *, begun: bool) -> Phrase:
    """Return what happens to a player whose time is over, in a match that has ``begun``, or in which nobody moved."""
    if not begun:
        return phrase("If you haven’t moved by then, the match is called off.")
    return phrase(_OWN_CONSEQUENCES[policy])


def say_consequence(match: Match, viewer: Seat) -> Phrase:
    """Return what happens when the time of whoever is to act, in a match with a clock, is over."""
    clock = match.clock
    assert clock is not None
    assert clock.seat is not None
    seat, policy, side = clock.seat, policy_of(match, clock.seat), side_of(match, clock.seat)
    name = match.name(seat)
    if seat == viewer and (not match.has_begun or policy == "remind-only"):
        return say_own_consequence(policy, begun=match.has_begun)
    if not match.has_begun:
        return phrase("If {name} hasn’t moved by then, the match is called off.", name=name)
    if policy == "remind-only":
        return phrase("Nobody loses on time in this match: after that, I just remind {name} again.", name=name)
    rest, wins = opponents(match, seat)
    say_to = partial(by_reader, match, viewer, seat)
    if policy == "partner" and len(side) > 1:
        partners = listed(match.name(other) for other in sorted(set(side) - {seat}))
        return say_to(
            phrase("If you haven’t moved by then, {partners} plays on alone.", partners=partners),
            phrase("If {name} hasn’t moved by then, you play on alone.", name=name),
            phrase("If {name} hasn’t moved by then, {partners} plays on alone.", partners=partners),
        )
    if policy == "forfeit":
        return _say_forfeit(match, seat, viewer, wins=wins)
    if viewer in rest:
        if wins:
            return phrase("After that, you can claim the win.")
        return phrase("After that, you can go on without {name}.", name=name)
    if wins:
        return phrase("After that, {names} can claim the win.", names=name_all(match, rest))
    return say_to(
        phrase("After that, the others can go on without you."),
        phrase("After that, the others can go on without your side."),
        phrase("After that, the others can go on without {name}."),
    )


def _say_forfeit(match: Match, seat: Seat, viewer: Seat, *, wins: bool) -> Phrase:
    """Return that the match is lost without anybody asking; ``wins``: it is over then."""
    say_to = partial(by_reader, match, viewer, seat)
    if wins:
        return say_to(
            say_own_consequence("forfeit", begun=True),
            phrase("If {name} hasn’t moved by then, your side loses the match.", name=match.name(seat)),
            phrase("If {name} hasn’t moved by then, they lose the match."),
        )
    return say_to(
        phrase("If you haven’t moved by then, you’re out of the match."),
        phrase("If {name} hasn’t moved by then, your side is out of the match.", name=match.name(seat)),
        phrase("If {name} hasn’t moved by then, they’re out of the match."),
    )


def name_all(match: Match, seats: Collection[Seat], last: str = "and") -> Listed:
    """Return the names of some players."""
    return listed((match.name(seat) for seat in seats), "or" if last == "or" else "and")
