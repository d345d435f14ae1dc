"""What the doctor finds of the service itself: whether it works, what waits too long, and its copies."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.finding import Finding
from pbem.cli.keep.backup import list_copies
from pbem.cli.output import format_time_utc

if TYPE_CHECKING:
    from pbem.storage.database import Database
    from pbem.storage.transaction import Transaction

_MOST = 1000  # rows that are counted
_OVERDUE = timedelta(hours=1)
_UNSEEN = timedelta(minutes=2)  # workers say four times a minute that they are alive
_LATELY = timedelta(days=14)
_OLD = timedelta(days=2)  # copies are made every night
_COPIES = "backups"  # the directory of pbem-backup.service, beside the database


def check_service(database: "Database", now: datetime) -> Finding:
    """Check that messages are read and emails sent now, that none waits too long, and that the clock is right."""
    from pbem.due.outages import RECEIVES, SENDS
    from pbem.running.scheduler import is_locked

    with database.reading() as tx:
        beats, notes = tx.heartbeats.last(), (*_find_restored(tx, now), *_find_workers(tx, now))
        faults = (*_find_gaps(tx, now), *_find_jumps(tx, now), *_find_overdue(tx, now), *_find_unprocessed(tx, now))
    if not {RECEIVES, SENDS} & beats.keys():
        return Finding("it hasn't run yet; start it when every line has its tick", faults, notes)
    worked = ", ".join(f"{name} as of {format_time_utc(beats[name])}" for name in (RECEIVES, SENDS) if name in beats)
    if database.file and not is_locked(database.file):
        return Finding(worked, faults, ("“pbem run” is not running now.", *notes))
    return Finding(f"it is running; it {worked}" if database.file else worked, faults, notes)


def _find_restored(tx: "Transaction", now: datetime) -> Iterator[str]:
    """Yield a sentence if a backup was restored lately, and which matches are gone."""
    found = tx.restorations.latest()
    if found is None or now - found.found_at > _LATELY:
        return
    first, last = found.first_lost, found.last_lost
    gone = "No match is gone" if first is None else f"Match {first} is gone"
    if first is not None and first != last:
        gone = f"Matches {first} to {last} are gone"
    yield (
        f"The database was restored, and is that of {format_time_utc(found.state_at)} with what was read again since."
        f" {gone}; the players of the others are told."
    )


def _find_workers(tx: "Transaction", now: datetime) -> Iterator[str]:
    """Yield a sentence for the workers that work now, and one for each that has not ended, and is not seen any more."""
    workers = tx.workers.all()
    alive = [one for one in workers if now - one.seen_at <= _UNSEEN]
    if alive:
        names = ", ".join(f"{one.name} ({one.processed} since {format_time_utc(one.started_at)})" for one in alive)
        yield f"Workers, each with the messages that it has processed: {names}."
    for one in workers:
        if one not in alive:
            yield (
                f"Worker {one.name} was last seen at {format_time_utc(one.seen_at)}: look at “systemctl status"
                " pbem-worker” there. What it was doing was left to the others; after a day it is forgotten."
            )


def _find_gaps(tx: "Transaction", now: datetime) -> Iterator[str]:
    """Yield a sentence for what the service should do all the time, and has not done for an hour or more.

    While sending is behind, ``find_behind`` tells that it sends nothing, and why; that a running service receives
    nothing is among what needs a person.
    """
    from pbem.due.outages import BEHIND, RECEIVES, SENDS, find_gaps, find_unreceived

    beats = tx.heartbeats.last()
    told = {SENDS: BEHIND in beats, RECEIVES: find_unreceived(beats)}
    for name, last in sorted(find_gaps(beats, now).items()):
        if not told.get(name):
            yield (
                f"The service {name} nothing since {format_time_utc(last)}, and no clock counts that time:"
                " see “systemctl status pbem”, and its log."
            )


def _find_jumps(tx: "Transaction", now: datetime) -> Iterator[str]:
    """Yield a sentence if the service has noted a time that has yet to come."""
    from pbem.due.outages import LONGEST_PAUSE, latest_noted

    latest = latest_noted(tx.heartbeats.last(), now)
    if latest - now > LONGEST_PAUSE:
        says, noted = format_time_utc(now), format_time_utc(latest)
        yield (
            f"The clock of this machine says {says}, but the service has noted {noted}:"
            " it was wrong then, or it is now. “timedatectl” shows whether it is set by a time server."
        )


def _find_overdue(tx: "Transaction", now: datetime) -> Iterator[str]:
    """Yield a sentence for emails that nobody has tried to send, and one for those put off to a time far away."""
    from pbem.due.outages import LONGEST_DELAY

    if late := tx.outbound.due_before(now - _OVERDUE, _MOST):
        since = format_time_utc(late[0].due_at)
        yield (
            f"An email to {late[0].recipient} is due since {since}, and nobody has tried to send it since."
            " “pbem run” should; “pbem deliver” sends it now."
            if len(late) == 1
            else f"Emails that are due since {since} or later and that nobody has tried to send since: {len(late)}."
            " “pbem run” should; “pbem deliver” sends them now."
        )
    if far := tx.outbound.due_after(now + LONGEST_DELAY, _MOST):
        until, last = format_time_utc(far[-1].due_at), far[-1]
        yield (
            f"An email to {last.recipient} is put off until {until}, which is further than pbem puts off any. The clock"
            f" of this machine was wrong. “pbem outbound retry {last.id}” sends it; “pbem run” sets it right when it"
            " starts."
            if len(far) == 1
            else f"Emails put off until {until} or so, which is further than pbem puts off any: {len(far)}. The clock"
            f" of this machine was wrong. “pbem outbound retry {last.id}” sends the last of them; “pbem run” sets all"
            " of them right when it starts."
        )


def _find_unprocessed(tx: "Transaction", now: datetime) -> Iterator[str]:
    """Yield a sentence if messages were received, and nothing has become of them."""
    waiting = tx.inbound.waiting()
    first = tx.inbound.get(waiting[0]) if waiting else None
    if first and now - first.received_at > _OVERDUE:
        yield (
            f"Messages received at {format_time_utc(first.received_at)} or later, and not processed: {len(waiting)}."
            " “pbem run” should; “pbem poll” processes them now."
        )


def check_copies(file: Path | None, now: datetime) -> Finding:
    """Check that a sound copy of the database was made lately, where ``pbem-backup.service`` puts them."""
    if file is None:
        return Finding("the database is on a server, which has tools of its own to copy it")
    directory = file.resolve().parent / _COPIES
    copies = list_copies(directory)
    if not copies:
        return Finding(f"there is none in {directory} yet; pbem-backup.timer makes one every night")
    newest = max(copies, key=copies.__getitem__)
    made = datetime.fromtimestamp(copies[newest], now.tzinfo)
    if now - made > _OLD:
        fault = f"The newest copy, {newest}, is from {format_time_utc(made)}: see “systemctl status pbem-backup”."
        return Finding("", (fault,))
    return Finding(f"the newest of {len(copies)} in {directory} is from {format_time_utc(made)}")
