"""A known player on an unknown address: his letter is held, and his registered address is asked whose it was."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem import post
from pbem.commands import looks_like_a_move
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
_LONGEST = timedelta(days=14)
# As people answer in the languages of the players, whatever the question was written in. The line has to be just
# this: "yes, but that was not me" is no yes.
_YES = frozenset(
    {"yes", "y", "yep", "yup", "yeah", "sure", "yes it was me", "yes that was me", "that was me", "it was me", "ja"}
    | {"ja das war ich", "oui", "sí", "si", "sim", "tak", "ano", "igen", "да", "evet", "kyllä", "はい", "是"}
)
_NO = frozenset(
    {"no", "n", "nope", "no it was not", "nein", "non", "não", "nee", "nej", "nie", "ne", "нет", "hayır", "ei"}
    | {"いいえ", "不是"}
)


def hold(
    work: Work, match: Match, tag: Tag, letter: Letter, row: Received, lines: Sequence[str], desk: Desk, now: datetime
) -> Ending:
    """Hold a letter that bears a right tag but comes from an address of nobody; ask its player, once an address."""
    sender, player = letter.senders[0], match.players[tag.seat]
    # What cannot be shown whole is not asked about: nobody should agree to what he does not see.
    short = sum(1 for line in lines if line.strip()) <= post.LONGEST_QUESTION
    if short and work.count_mails(player.email, ASKING, now - timedelta(days=1)) < _DAILY:
        notice = post.about_newcomer(match, tag.seat, sender, lines, desk.archive_url)
        # The cause is the address: however often it writes, there is one such mail.
        queue_notices(work, match, [(tag.seat, notice)], desk, f"address {sender}", now, row.id)
    return Ending("rejected", HELD, f"held: {sender} is no address of {player.name}, who is asked", match.id, tag.seat)


def confirmed(
    work: Work, match: Match, seat: Seat, letter: Letter, lines: Sequence[str], now: datetime
) -> Ending | None:
    """Carry out the answer to such a question, and return how it ends; None for a letter that is no such answer.

    With yes the address becomes the player's, and the letter he was shown waits again, to be settled like any. What
    else came from there stays held: he has not seen it.
    """
    said = [line for line in lines if line.strip()]
    if not said or len(said) > 3 or any(map(looks_like_a_move, said)) or not letter.answered:
        return None
    word = " ".join(re.findall(r"\w+", said[0].lower()))
    answer = "yes" if word in _YES else "no" if word in _NO else None
    # The mail answered must be the question itself: later mails of the thread only refer to it.
    held = work.letter_asked_about(match.id, seat, ASKING, letter.answered[:1]) if answer else None
    if held is None or held.sender is None or now - held.received_at > _LONGEST:
        return None
    if answer == "yes" and work.player(held.sender) is None:
        work.add_address(match.players[seat], held.sender)
        work.reopen(held.id)
    return Ending("accepted", "", f"asked about letter {held.id}", match.id, seat, (str(answer),))
