"""An automatic reply that names its dates: its player is offered a vacation, and nothing else follows from it."""

from dataclasses import replace

from pbem.inbound.absence_dates import absence_in
from pbem.inbound.reply import read_reply
from pbem.mail.body import Unreadable
from pbem.mail.message import InboundMessage
from pbem.match.time.calendar import Calendar
from pbem.pipeline.act import Act
from pbem.pipeline.identify import identify
from pbem.reading.when.days import DateSpan


def note_away(act: Act, message: InboundMessage) -> None:
    """Keep the days on which the sender of an automatic reply says they are away, to be offered in their notices.

    It has to answer an email to the player, and come from an address of theirs.
    """
    seated = identify(act.tx, message, act.site).seated if len(message.senders) == 1 else None
    if seated is None:
        return
    player = seated.player
    try:
        lines = read_reply(message.text, act.site.address, act.site.name).lines()  # a quotation has dates of ours
    except Unreadable:
        return
    days = absence_in("\n".join(lines), act.now.astimezone(player.calendar.tzinfo).date())
    if days and not _is_known(player.calendar, days):
        act.tx.players.set_calendar(player, replace(player.calendar, away=days), act.now)


def _is_known(calendar: Calendar, days: DateSpan) -> bool:
    """Return whether a player has an absence on these days already, or was offered one."""
    zone = calendar.tzinfo
    return calendar.away == days or any(
        one.start.astimezone(zone).date() <= days.first and days.last <= one.end.astimezone(zone).date()
        for one in calendar.absences
    )
