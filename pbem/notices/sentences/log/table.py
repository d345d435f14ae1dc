"""What is said of each kind of entry of the log: to who did it, to the others, and on the public page. Pure.

A field of a message is filled by whoever says it: ``log`` for a player, ``public`` for anybody, with days alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pbem.match.log import LogKind
from pbem.notices.sentences.log import choices
from pbem.notices.sentences.log.happened import Happened, Words, unless, when
from rules.phrase import mark


@dataclass(frozen=True, slots=True)
class Row:
    """What is said of a kind of entry: to ``own``, who did it or whom the operator did it to, to ``others``, on a page.

    Players are told of it only if ``applies`` says so. A page says one sentence, without its full stop.
    """

    own: Words = ()
    others: Words = ()
    page: Words = ""
    applies: Callable[[Happened], bool] = lambda it: True


def _alike(*words: Words, page: Words = "", applies: Callable[[Happened], bool] = lambda it: True) -> Row:
    """Return the row of what every player reads in the same words, whoever did it."""
    return Row(words, words, page, applies)


def _goes_on(it: Happened) -> bool:
    """Return whether the match is not over."""
    return it.match.outcome is None


def _is_unruled(it: Happened) -> bool:
    """Return whether no result says already how the match was ended."""
    return it.match.ruling is None


def _plays(it: Happened) -> bool:
    """Return whether the reader is still in the match."""
    return it.plays


def _by_player(it: Happened) -> bool:
    """Return whether a player did it, or all by agreement."""
    return it.entry.seat is not None


def _is_joined(it: Happened) -> bool:
    """Return whether somebody agrees to what another proposed, who is named by ``by``."""
    return "by" in it.entry.arguments


def _is_seconded(it: Happened) -> bool:
    """Return whether more than who proposed a pause, or its end, agree to it."""
    return len(it.agreed) > 1


def _is_partner(it: Happened) -> bool:
    """Return whether the reader is on the side of who did it."""
    return it.seat is not None and it.viewer in it.match.partners(it.seat)


def _is_taken(it: Happened) -> bool:
    """Return whether time was taken off, not given."""
    return it.seconds < 0


_TOO_LONG = mark("If that’s too long for you, reply `operator: help` to have someone play on for them.")
_AWAY = mark("{name} is away until {last}")
_GOES_ON = mark("So it just goes on.")
_NO_DRAW = mark("That ends the offer of a draw.")
_ROLLED = when("rolled", mark("Dice have been rolled since, and everyone has seen them; they’d come out the same."))

LOG_ROWS: Mapping[LogKind, Row] = {
    "given": Row(
        mark("You gave {other} {length}."),
        (
            when(lambda it: it.timed == it.viewer, mark("{name} gave you {length}.")),
            unless(lambda it: it.timed == it.viewer, mark("{name} gave {other} {length}.")),
        ),
        when(
            lambda it: it.mover is None,
            mark("{name} gave extra time: {time}"),
            mark("{name} gave {other} extra time: {time}"),
        ),
        applies=lambda it: it.timed is not None,
    ),
    "pause_proposed": Row(
        (
            when(_is_seconded, mark("You agreed to pause the match until {until}.")),
            unless(_is_seconded, mark("You proposed to pause the match until {until}.")),
            mark("The pause begins when everyone has agreed. Until then, time runs on."),
            mark("If you change your mind, reply `pause off`."),
        ),
        (
            when(_is_seconded, mark("{name} agrees to pause the match until {until}.")),
            unless(_is_seconded, mark("{name} would like to pause the match until {until}.")),
            choices.second(mark("If you agree, reply `yes`. If you don’t, just ignore this, and the match goes on.")),
        ),
    ),
    "pause_withdrawn": Row(
        (mark("You no longer want to pause the match."), _GOES_ON),
        (mark("{name} no longer wants to pause the match."), _GOES_ON),
    ),
    "pause_end_proposed": Row(
        (
            mark("You’d like to end the pause now."),
            mark("It ends when everyone has agreed. Otherwise it lasts until {until}."),
        ),
        (
            when(_is_seconded, mark("{name} agrees to end the pause now.")),
            unless(_is_seconded, mark("{name} would like to end the pause now.")),
            choices.second(
                mark("If you agree, reply `yes`. If you don’t, just ignore this, and the pause lasts until {until}.")
            ),
        ),
    ),
    "paused": _alike(
        when(_by_player, mark("Everyone has agreed: the match is paused until {until}.")),
        unless(_by_player, mark("The operator has paused the match until {until}.")),
        mark("Nobody’s time runs until then. You can still move when it’s your turn, if you like."),
        when(_plays, mark("To end the pause sooner, reply `pause off`: it ends when everyone has.")),
        page=mark("The match is paused until {until}"),
    ),
    "pause_ended": _alike(
        when(_by_player, mark("Everyone has agreed: the pause of the match is over.")),
        unless(_by_player, mark("The pause of the match is over.")),
        mark("The clock runs again."),
        page=mark("The pause ended"),
    ),
    "absent": Row(
        (
            when(choices.is_emergency, mark("Your time stands still until {until}.")),
            when(choices.is_emergency, mark("When you can play again, reply `back`.")),
            when(choices.is_on_vacation, mark("You’re on vacation until the end of {last}.")),
            when(choices.will_be_away, mark("You’re on vacation from {first} to {last}.")),
            unless(
                choices.is_emergency,
                mark("Your time stands still in all your matches. To end or cancel that, reply `back`."),
            ),
        ),
        (
            when(choices.is_emergency, mark("{name} can’t play for now.")),
            when(choices.is_emergency, mark("Their time stands still until {until}, or until they’re back.")),
            when(choices.is_emergency, _TOO_LONG),
            when(choices.is_on_vacation, mark("{name} is on vacation until the end of {last}.")),
            when(choices.will_be_away, mark("{name} will be on vacation from {first} to {last}.")),
            choices.invite_to_pause,
        ),
        (when(choices.lies_ahead, mark("{name} is away from {first} to {last}")), unless(choices.lies_ahead, _AWAY)),
    ),
    "back": Row(
        when(
            "cancelled",
            mark("You’ve cancelled your vacation."),
            (mark("You’re back."), mark("Your time runs again.")),
        ),
        when(
            "cancelled",
            mark("{name} has cancelled their vacation."),
            (mark("{name} is back."), when(lambda it: it.timed == it.seat, mark("Their time runs again."))),
        ),
        when("cancelled", mark("{name} cancelled their vacation"), mark("{name} is back")),
    ),
    "automatic_day": Row(
        (
            when("again", mark("You haven’t moved yet, so your vacation is being used, a day at a time.")),
            unless("again", mark("Your time is up, so a day of your vacation is used.")),
            mark("That gives you until {until}."),
            when("left", choices.count_vacation, mark("That was your last day of vacation this year.")),
            unless("again", mark("To keep the rest for yourself, reply `auto off`.")),
        ),
        (
            mark("{name}’s time is up, so a day of their vacation is used."),
            mark("That gives them until {until}. More days may follow, as long as they have some."),
        ),
        _AWAY,
        applies=choices.is_rare_day,
    ),
    "flagged": Row(
        when("again", mark("Your time is up, and your move is still missing."), mark("Your time is up.")),
        when("again", mark("{name}’s time is up, and there’s still no move."), mark("{name}’s time is up.")),
        unless(choices.is_told_by_move, mark("{name}’s time is up")),
        applies=lambda it: it.match.clock is not None and it.match.clock.halted == "flagged",
    ),
    "claimed": Row(
        (when(_goes_on, mark("You chose not to wait any longer.")), unless(_goes_on, mark("You claimed the win."))),
        when(_goes_on, mark("{name} chose not to wait any longer."), mark("{name} claimed the win.")),
        mark("{name} claimed the win on time"),
    ),
    "bounced": Row(
        unless("again", mark("My emails to you bounced.")),
        when(
            "again",
            mark("The operator has a new address for {name}, so emails reach them again."),
            (
                mark("Emails to {name} come back."),
                when(
                    _plays,
                    mark(
                        "If they’ve had emails from me before, they can reply `resume` to one. If you know their right"
                        " address, reply `operator:` and that address, or `operator: help` to have someone play on for"
                        " them."
                    ),
                ),
            ),
        ),
        unless(
            "other",
            when(
                "again",
                mark("{name} has another address now"),
                mark("Emails to {name} came back, so the clock stopped"),
            ),
        ),
        applies=lambda it: not it.has("other"),
    ),
    "unsubscribed": Row(
        (),
        (
            mark("{name} doesn’t want any more email."),
            when(
                lambda it: it.match.clock is not None,
                mark(
                    "They’re still in the match, and their time runs as before. You can wait, or"
                    " reply `operator: help` to have someone play on for them."
                ),
            ),
            when(
                lambda it: it.match.clock is None,
                mark(
                    "They’re still in the match and may come back. You can wait, or"
                    " reply `operator: help` to have someone play on for them."
                ),
            ),
        ),
    ),
    "time_control": _alike(
        mark("The operator has changed the time for moves."),
        choices.list_control,
        page=mark("The operator changed the time control"),
    ),
    "extended": Row(
        when(_is_taken, mark("The operator took {length} off your time."), mark("The operator gave you {length}.")),
        (
            when(_is_taken, mark("The operator took {length} off {name}’s time.")),
            unless(_is_taken, mark("The operator gave {name} {length}.")),
        ),
        (
            when(_is_taken, mark("The operator took time from {name}: {time}")),
            unless(_is_taken, mark("The operator gave {name} extra time: {time}")),
        ),
    ),
    "adjudicated": _alike(choices.name_winners, page=mark("The operator adjudicated the match"), applies=_is_unruled),
    "voided": _alike(
        mark("The match was called off."),
        page=(
            when("by", mark("The operator called the match off")),
            unless("by", mark("Nobody moved in time, so the match was called off")),
        ),
        applies=_is_unruled,
    ),
    "reinstated": _alike(
        mark("The operator has reopened the match, and it goes on."), page=mark("The operator let the match go on")
    ),
    "rewound": _alike(
        choices.count_undone,
        choices.list_returned,
        unless(choices.is_agreed, mark("The match goes on from there.")),
        page=choices.page_rewinding,
    ),
    "restored": _alike(
        mark("The operator put back what had been taken back."),
        page=mark("The operator restored what had been taken back"),
    ),
    "replaced": Row(
        (
            when("until", mark("You’re standing in for {before} until {until}.")),
            when("until", mark("Then the seat is theirs again. To give it back sooner, reply `standin off`.")),
            when("back", mark("{before} stood in for you, and the seat is yours again.")),
            unless(choices.is_lent, mark("You’re playing on for {before}.")),
        ),
        (
            when("until", mark("{after} is standing in for {before} until {until}.")),
            when("back", mark("{after} is back, and {before} no longer stands in for them.")),
            unless(choices.is_lent, mark("{after} is playing on for {before}.")),
        ),
        mark("{after} plays on for {before}"),
    ),
    "stayed": Row(
        (
            mark("Nobody will take back the seat you’re standing in for, so it’s yours from now on."),
            mark("If you’d rather not play on, reply `resign`."),
        ),
        mark("{name} has the seat for good now."),
        mark("{name} plays on for good"),
    ),
    "draw_offered": Row(
        (
            when(_is_joined, mark("You agreed to a draw. It’s one once everyone has.")),
            unless(
                _is_joined,
                mark("You offered a draw."),
                choices.wait,
                mark("It ends with the next move. To take it back, reply `draw off`."),
            ),
        ),
        (when(_is_joined, mark("{name} agrees to a draw."), mark("{name} offers a draw.")), choices.ask),
        mark("{name} offered a draw"),
    ),
    "draw_declined": Row(
        mark("You declined the draw."),
        when("moved", mark("{name} played on, so the draw is declined."), mark("{name} declined the draw.")),
        mark("{name} declined the draw"),
    ),
    "draw_withdrawn": Row(
        when("moved", _NO_DRAW, mark("You no longer offer a draw.")),
        when("moved", _NO_DRAW, mark("{name} no longer offers a draw.")),
    ),
    "draw_agreed": _alike(
        mark("Everyone had agreed on a draw."), page=mark("The players agreed on a draw"), applies=_is_unruled
    ),
    "undo_asked": Row(
        (
            when(_is_joined, mark("You agreed that {other} takes {move} back. It’s done once everyone has.")),
            unless(
                _is_joined,
                mark("You asked to take back your move {move}."),
                choices.count_undone_too,
                _ROLLED,
                choices.wait,
                mark("The next move ends that. To withdraw it, reply `undo off`."),
            ),
        ),
        (
            when(_is_joined, mark("{name} agrees that {move} is taken back.")),
            unless(_is_joined, mark("{name} would like to take back “{move}”.")),
            choices.count_undone_too,
            _ROLLED,
            choices.ask,
        ),
        mark("{name} asked to take a move back"),
    ),
    "undo_declined": Row(
        mark("You declined, so nothing is taken back."),
        (
            when("moved", mark("{name} played on, so nothing is taken back.")),
            unless("moved", mark("{name} declined, so nothing is taken back.")),
        ),
        mark("{name} declined to take moves back"),
    ),
    "undo_withdrawn": Row(
        mark("You no longer ask to take a move back."), mark("{name} no longer asks to take a move back.")
    ),
    "seconded": Row(
        (), mark("Several people vote on {name}’s moves now."), mark("Several people vote on {name}’s moves")
    ),
    "voted": Row(
        mark("Your side cast {votes}."),
        when(_is_partner, mark("On {name}’s move your side cast {votes}.")),
        when(lambda it: it.match.tells_team, mark("{name}’s side cast {votes}")),
    ),
    "renamed": Row(),
    "merged": Row(),
    "put_away": _alike(
        mark("This match has been put away."),
        mark("Nobody has written in it for a long time, so I won’t send any more reminders. It has no result."),
        choices.take_up,
        page=mark("The match was put away, since nobody wrote"),
        applies=_goes_on,
    ),
    "taken_up": Row(
        mark("You’ve taken the match up again."),
        mark("{name} has taken the match up again."),
        mark("{name} took the match up again"),
        applies=_goes_on,
    ),
}
"""The row of every kind; who changed their name does not want the one before to be read."""
