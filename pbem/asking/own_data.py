"""What a player asks for of themselves and only the database can tell: whether a name is free, an address, an export.

Each check returns why something can't be had; None where it can.
"""

from pbem.asking.kinds.address import MOST_ADDRESSES
from pbem.asking.limit_table import RENAMED
from pbem.asking.limits import had_enough
from pbem.asking.player_names import examine_name
from pbem.commands.effects import ClaimAddress, Export, Rename
from pbem.mail.headers import LONGEST_NAME, is_address, mailbox_of
from pbem.match.match import Match
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason, because
from pbem.storage.due import EXPORT_DUE

EXPORTING = "export"
"""The kind of the email with all that is kept of a player."""


def check_name(act: Act, _: Match, wish: Rename) -> Reason | None:
    """Return why a player can't be called so; None if they can."""
    name, fault = examine_name(act.tx, wish.player, wish.name, act.now)
    shown = name[:LONGEST_NAME]
    if fault:
        code = "name_taken" if fault.other else fault.code  # whose it is, or was, is nobody else's business
        return because(code, name=shown, sign=fault.sign, most=LONGEST_NAME)
    if name == wish.player.name:
        return because("name_same", name=shown)
    if act.tx.accounts.count_renamings(wish.player, act.now - RENAMED.within) >= RENAMED.most:
        return because("name_too_often", most=RENAMED.most)
    return None


def check_address(act: Act, _: Match, wish: ClaimAddress) -> Reason | None:
    """Return why an address is not to be asked; None where the reason would tell something of anybody else."""
    if not is_address(wish.email) or mailbox_of(wish.email) == act.site.address:
        return because("address_unread", text=wish.email)
    if len(wish.player.emails) >= MOST_ADDRESSES:
        return because("address_enough", most=MOST_ADDRESSES)
    return None


def check_export(act: Act, _: Match | None, wish: Export) -> Reason | None:
    """Return why no copy is sent: one a day is enough."""
    email = wish.player.email
    if act.tx.due.is_scheduled(EXPORT_DUE, wish.player.id) or had_enough(act.tx, EXPORTING, email, act.now):
        return because("export_today", address=email)
    return None
