"""What the words mean under which messages are kept: for the operator, who wonders why one was not carried out."""

from pbem.inbound import BOUNCE
from pbem.pipeline import DISOWNED, HELD, UNREADABLE
from pbem.storage import InboundRecord

_ASKED_BACK = {
    "unknown_sender": "The address is nobody's here. A player who writes from a new address has to reply to one of our"
    " mails: then his own address is asked whether that was he.",
    "unknown_match": "A player wrote, but no mail to him is answered by it, so that nobody can tell which match he"
    " means. He is told which of his matches are running.",
    "stale_turn": "An older mail of the match is answered, and the match has gone on since. He gets the present board.",
    "not_your_turn": "There is a move in it, but somebody else is to act, or a lot is drawn first.",
    "already_over": "The match is over.",
    "no_command": "Nothing that was written is a move, or a word such as show or help.",
    "move_rejected": "The rules say no to the move, or cannot make out which one is meant.",
    "several_moves": "Different moves were written where one is due, so he is asked which one he means.",
    "sealed": "What was written cannot be opened here, so he is asked to send it as plain text.",
    "too_large": "The mail is larger than what is read, so he is asked to send his move alone.",
    "too_often": "He has caused more mail within a day than a player may, or all together more within an hour than is"
    " usual. A move would have been played all the same.",
    HELD: "The reply belongs to a match, but the address is nobody's. The letter is held: it counts as soon as its"
    " player, asked at his own address, says yes within two weeks.",
}
_NEVER_ANSWERED = {
    DISOWNED: "Its player has said that he did not write it. Nothing counts that comes from this address.",
    BOUNCE: "A mail server reports about a mail that did not arrive. “pbem players” shows whose mail comes back.",
    "automatic": "A program wrote it, such as a note that somebody is away.",
    "list": "It came through a mailing list.",
    "bulk": "It says of itself that it went to many.",
    "our own mail": "It is our own mail that came back: an answer would go in circles.",
    "loop": "It passed more than fifty servers: it goes in circles.",
    "forged sender": "Our mail server found that the sender is not who he says he is (DMARC fails). If a player wrote"
    " it, his mail provider has to mend that.",
    "no single sender": "Its header From does not name just one address, so that nobody can tell who wrote it.",
    "too many letters": "So many letters came from the address within an hour that led to nothing that no more of them"
    " are looked at for now.",
    "a move sent again": "The same move was sent twice, as some mail programs do. It counts once.",
}
UNREAD = frozenset(_NEVER_ANSWERED) - {DISOWNED, "a move sent again"} | {"too_large"}
"""The reasons of messages whose text was not looked at."""


def meaning(message: InboundRecord) -> str:
    """Return what became of a message, and what is to be done if that is up to the operator."""
    match message.status:
        case "received":
            return "It waits for its turn: “pbem run” settles it within a minute, “pbem poll” now."
        case "accepted":
            return "It was carried out."
        case "failed" if message.reason == UNREADABLE:
            return "The bytes are no mail that can be read. They are kept. You need do nothing."
        case "failed":
            return (
                "It met a bug. Its bytes are kept, its sender was told nothing. Report the bug with the lines below;"
                f" when it is mended, “pbem inbound retry {message.id}” carries the letter out."
            )
        case "discarded":
            return f"{_NEVER_ANSWERED.get(message.reason, '')} It is kept, and not answered.".strip()
    return _ASKED_BACK.get(message.reason, "")
