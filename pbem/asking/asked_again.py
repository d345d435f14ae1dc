"""The board of a match, for a player whose email answers none of ours: they may have lost it.

Anybody can write in their name, so it goes to their own main address, a few times a day.
"""

from pbem.asking.limits import allowance, may_cause_more
from pbem.asking.posting import enqueue_notices
from pbem.commands.asking_effects import ShowAgain
from pbem.commands.decision import Decision, Situation, Step
from pbem.commands.families.asking_again import named_matches
from pbem.commands.rejections import Discard
from pbem.match.match import Match
from pbem.notices.sentences.reasons import say
from pbem.notices.whole_boards import show_notice
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.reading.reason import because
from rules.position import Seat

_SHOWING = "show"
"""The kind of that email."""

_NOTED = "nothing else was done, since it answers no email of theirs"


def find_asked_again(act: Act, origin: Origin, reading: Reading) -> Decision | None:
    """Return the decision to send a player the board of the match that their message names; None where it names none.

    Raise Discard where they had enough of them today.
    """
    player = origin.player
    if player is None or not player.has_mail or origin.fault:
        return None
    for number in named_matches(reading.lines, reading.named):
        match = act.tx.matches.get(number)
        if match is None or all(one.id != player.id for one in match.players):
            continue
        suppressed = allowance(act, _SHOWING, player.email).suppressed
        if suppressed or not may_cause_more(act, player.email):
            raise Discard("asked enough")
        return Situation((Step(f"show {number}", (ShowAgain(player, number),)),), player=player, noted=_NOTED)
    return None


def show_again(act: Act, effect: ShowAgain) -> None:
    """Queue the board, with what else became of the message that asked for it: nothing."""
    match = act.tx.matches.get(effect.match)
    assert match is not None  # in this transaction it was read
    announce_present(
        act, match, match.seat_of(effect.player), say(because("only_shown", match=match.id), act.site.language)
    )


def announce_present(act: Act, match: Match, seat: Seat, *asides: str, to: str = "") -> None:
    """Queue a notice that shows the player at ``seat`` the match as it stands; ``to`` another address of theirs."""
    notice = show_notice(match, seat, act.site.archive, asides, act.site.language, now=act.now)
    enqueue_notices(act, match, [(seat, notice)], to=to)
