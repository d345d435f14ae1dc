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
from pbem.limits import why_silent
from pbem.match import Match, Player
from pbem.store import Work
from pbem.tag import Tag

HELD = "unknown_address"
"""The reason of a letter that is held until its player has said that he wrote it."""

DISOWNED = "not_his"
"""The reason of a letter of which its player has said that he did not write it, and of later ones from there."""

ASKING = "was_this_you"
"""The kind of the mail that asks him."""

_DAILY = 3
ANSWERABLE = timedelta(days=14)
"""How long a question can be answered, and is not asked again."""

_LONGEST_ADDRESS = 60  # characters: a longer one could not be shown on one line
# As people answer in the languages of the players, whatever the question was written in. The line has to be just
# this: "yes, but that was not me" is no yes.
_YES = frozenset(
    {"yes", "y", "yep", "yup", "yeah", "sure", "yes it was me", "yes that was me", "that was me", "it was me", "ja"}
    | {"ja das war ich", "oui", "sí", "si", "sim", "tak", "ano", "igen", "да", "evet", "kyllä", "はい", "是"}
)
_NO = frozenset(
    {
        "no",
        "n",
        "nope",
        "no it was not",
        "it was not me",
        "that was not me",
        "no that was not me",
        "not me",
        "no not me",
    }
    | {"wasn t me", "it wasn t me", "no it wasn t me", "that wasn t me", "no that wasn t me"}
    | {"nein", "das war ich nicht", "nein das war ich nicht", "non", "não", "nee", "nej", "nie", "ne", "нет", "hayır"}
    | {"ei", "いいえ", "不是"}
)


def hold(
    work: Work, match: Match, tag: Tag, letter: Letter, row: Received, lines: Sequence[str], desk: Desk, now: datetime
) -> Ending:
    """Hold a letter that bears a right tag but comes from an address of nobody; ask its player.

    About one address he is asked once in the time in which he can answer.
    """
    sender, player = letter.senders[0], match.players[tag.seat]
    if work.ended_for(DISOWNED, sender, player):
        return Ending("discarded", DISOWNED, f"{player.name} has said that this address is not his", match.id, tag.seat)
    unasked = _why_unasked(work, player, sender, lines, now)
    if not unasked:
        notice = post.about_newcomer(match, tag.seat, sender, lines, desk.archive_url)
        queue_notices(work, match, [(tag.seat, notice)], desk, row.identity, now, row.id)
    then = f"who was not asked: {unasked}" if unasked else "who is asked"
    return Ending("rejected", HELD, f"held: {sender} is no address of {player.name}, {then}", match.id, tag.seat)


def _why_unasked(work: Work, player: Player, sender: str, lines: Sequence[str], now: datetime) -> str:
    """Return why ``player`` is not asked about a letter of these ``lines``, or an empty text if he is to be asked."""
    written = sum(1 for line in lines if line.strip())
    if not written:
        return "there is nothing in it"
    # What cannot be shown whole is not asked about: nobody should agree to what he does not see.
    if written > post.LONGEST_QUESTION or len(sender) > _LONGEST_ADDRESS:
        return "it is too long to be shown"
    if player.quiet:
        return "that player wants no mails"
    if work.asked_about(sender, ASKING, player, now - ANSWERABLE):
        return "that question was asked before"
    if work.count_mails(player.email, ASKING, now - timedelta(days=1)) >= _DAILY:
        return "there were enough such questions today"
    return ""


def confirmed(
    work: Work, match: Match, tag: Tag, letter: Letter, row: Received, lines: Sequence[str], desk: Desk, now: datetime
) -> Ending | None:
    """Carry out the answer to such a question, and return how it ends; None for a letter that is no such answer.

    With yes the address becomes the player's, and the letter he was shown waits again, to be settled like any. What
    else came from there stays held: he has not seen it. With no the address is not, or no longer, his.
    """
    said = [line for line in lines if line.strip()]
    if not said or len(said) > 3 or any(map(looks_like_a_move, said)) or not letter.answered:
        return None
    word = " ".join(re.findall(r"\w+", said[0].lower()))
    answer = "yes" if word in _YES else "no" if word in _NO else None
    # The mail answered must be the question itself: later mails of the thread only refer to it.
    held = work.letter_asked_about(match.id, tag.seat, ASKING, letter.answered[:1]) if answer else None
    if held is None or held.sender is None or now - held.received_at > ANSWERABLE:
        return None
    done = (_adopt if answer == "yes" else _disown)(work, match.players[tag.seat], held, held.sender, now)
    notice = post.after_answer(match, tag.seat, done, desk.archive_url)
    if not why_silent(work, notice.kind, match.players[tag.seat].email, now):
        queue_notices(work, match, [(tag.seat, notice)], desk, row.identity, now, row.id)
    return Ending("accepted", "", f"asked about letter {held.id}", match.id, tag.seat, (str(answer),))


def _adopt(work: Work, player: Player, held: Received, sender: str, now: datetime) -> str:
    """Let ``player`` write from the ``sender`` of the letter that was held, and settle it; return what to tell him."""
    owner = work.player(sender)
    if owner is not None and owner.id != player.id:
        return f"but {sender} belongs to another player by now, so nothing was done."
    if owner is None:
        work.add_address(player, sender)
    waits = held.reason in (HELD, DISOWNED) and work.reopen(held.id)
    if owner is not None and not waits:
        return f"that was settled before. You can write from {sender} as well."
    told = [f"you can write from {sender} as well from now on."]
    told += ["The mail I asked about counts as yours; what comes of it, another mail tells you."] if waits else []
    if work.ended_for(HELD, sender, player, held.id):
        told.append("What else came from there was not read: please send again what still matters.")
    return " ".join(told)


def _disown(work: Work, player: Player, held: Received, sender: str, now: datetime) -> str:
    """Note that ``sender`` is not ``player``, whatever was said before; return what to tell him."""
    work.drop_address(player, sender)
    if not (work.take(held.id) or work.reopen(held.id)):
        return f"nothing more counts that comes from {sender}. But the mail I asked about was carried out before."
    work.settle(held.id, Ending("discarded", DISOWNED, held.detail, held.match, held.seat), now)
    return f"that mail does not count, nor does anything else that comes from {sender}."
