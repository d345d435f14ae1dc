"""What happens when a time has come: a function for each kind of due thing, through the one record and announce."""

from datetime import datetime

from pbem.commands import automatic_decision
from pbem.mail import Site
from pbem.pipeline.announce import announce
from pbem.pipeline.record import ROLLS_DUE, record
from pbem.storage import FIRST_ROLLS, DueThing, Transaction


def do_due(tx: Transaction, thing: DueThing, site: Site, now: datetime) -> None:
    """Do one thing whose time has come; it is due no more. Raises RulesError for a damaged record."""
    _DUE[thing.kind](tx, thing.subject, site, now)
    tx.due.cancel(thing.kind, thing.subject)


def _make_first_rolls(tx: Transaction, number: int, site: Site, now: datetime) -> None:
    """Begin a match whose players have had their time to mix in words."""
    match = tx.matches.get(number)
    assert match is not None
    decision = automatic_decision(match, now)
    record(tx, decision, ROLLS_DUE, now)
    announce(tx, decision, "", site, ROLLS_DUE, now)


_DUE = {FIRST_ROLLS: _make_first_rolls}
