"""A known player on an unknown address: his letter is held, and his registered address is asked whose it was."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem import post
from pbem.dispatch import queue_notices
from pbem.envelope import Desk
from pbem.kept import Ending, Received
from pbem.letter import Letter
from pbem.match import Match
from pbem.store import Work
from pbem.tag import Tag
from rules import Seat

HELD = "unknown_address"
"""The reason of a letter that is held until its player has said that he wrote it."""

ASKING = "was_this_you"
"""The kind of the mail that asks him."""

_DAILY = 3
# As people answer in the languages of the players, whatever the question was written in.
_YES = frozenset("yes y yep ja jo oui sí si sim tak ano igen да evet kyllä はい 是".split())  # noqa: SIM905, easier to read
_NO = frozenset("no n nope nein non não nee nej nie ne нет hayır ei いいえ 不是".split())  # noqa: SIM905, as above


def hold(
    work: Work, match: Match, tag: Tag, letter: Letter, row: Received, lines: Sequence[str], desk: Desk, now: datetime
) -> Ending:
    """Hold a letter that bears a right tag but comes from an address of nobody; ask its player, once an address."""
    sender, player = letter.senders[0], match.players[tag.seat]
    if work.count_mails(player.email, ASKING, now - timedelta(days=1)) < _DAILY:
        notice = post.about_newcomer(match, tag.seat, sender, lines, desk.archive_url)
        # The cause is the address: however often it writes, there is one such mail.
        queue_notices(work, match, [(tag.seat, notice)], desk, f"address {sender}", now, row.id)
    return Ending("rejected", HELD, f"held: {sender} is no address of {player.name}, who is asked", match.id, tag.seat)


def confirmed(
    work: Work, match: Match, seat: Seat, letter: Letter, lines: Sequence[str], now: datetime
) -> Ending | None:
    """Carry out the answer to such a question, and return how it ends; None for a letter that is no such answer.

    With yes the address becomes the player's, and what was held waits again, to be settled like any letter.
    """
    words = next((line.lower().split() for line in lines if line.strip()), [])
    word = words[0].strip(".,;!*_\"'“”") if words else ""
    answer = "yes" if word in _YES else "no" if word in _NO else None
    held = work.letter_asked_about(match.id, seat, ASKING, letter.answered) if answer and letter.answered else None
    if held is None or held.sender is None:
        return None
    if answer == "yes" and work.player(held.sender) is None:
        work.add_address(match.players[seat], held.sender)
        work.reopen_held(held.sender, match.players[seat], HELD)
    return Ending("accepted", "", f"asked about letter {held.id}", match.id, seat, (str(answer),))
