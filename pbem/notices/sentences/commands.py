"""What players can write, a sentence for every row of the help email. Pure."""

from collections.abc import Mapping

from pbem.commands import HelpRow
from rules import Phrase, mark, phrase

_ROWS: Mapping[str, str] = {
    "": mark("Your move, when it’s your turn."),
    "board plain": mark(
        "`board plain`: boards as plain text. There are also `board unicode`, `board large`, `board html` and `board"
        " speech`; `display test` sends you one of each."
    ),
    "draw": mark("`draw`, beside your move or alone: you offer a draw. The next move ends the offer."),
    "propose d4": mark("`propose d4`: your partner sees that move drawn, and their `yes` plays it if it’s their turn."),
    "undo": mark(
        "`undo`: you ask to take your last move back. Everyone has to agree; `oops` does it alone, where the answer to"
        " a move says so."
    ),
    "help": mark("`help`: the rules, and this list."),
    "history": mark("`history`: the moves so far, one by one."),
    "help dice": mark("`help dice`: how the dice of this match can be checked."),
    "mails turns": mark("`mails turns`: email only when it’s your turn. `mails all`: email for everything again."),
    "new address": mark(
        "`new address`: you get a new address to reply to, and replies to older emails stop counting. Use it if someone"
        " else may have got hold of one of your emails."
    ),
    "forget me": mark(
        "`forget me`: your name, your addresses and your words are erased, and you leave your matches. I ask once more"
        " first."
    ),
    "page off": mark("`page off`: the archive has no page about you. `page on`: it has one again."),
    "ready": mark("`ready`, before the first roll; or `salt` and any words of your own, to be mixed into the dice."),
    "resign": mark("`resign`: you give up the match."),
    "say: hello": mark("Words after `say:` go to everyone, without a move."),
    "show": mark("`show`: the board again."),
    "team: hello": mark("Words after `team:` go to your partner only."),
    "status": mark("`status`: all your matches in one email, with the time left in each, and what you’ve set."),
    "vacation 3-17 aug": mark(
        "`vacation 3-17 aug`: you’re away, and your time stands still in all your matches. `back` ends it;"
        " `emergency` stops your clocks for two weeks at once, once in half a year."
    ),
    "give 3d": mark(
        "`give 3d`: three more days for whoever you’re waiting for. Once their time is up, `claim` ends the match."
    ),
    "pause 10d": mark("`pause 10d`: proposes a pause of the match to everyone."),
    "remind 2d 12h": mark(
        "`remind 2d 12h`: reminds you of your turn with so much time left. `quiet 22-7`: no reminders at night."
    ),
    "tz Europe/Lisbon": mark("`tz Europe/Lisbon`: the time zone in which you read times; a city is enough."),
    "unsubscribe": mark("`unsubscribe`: no more email. `resume`, or a move, brings it back."),
}


def explain_row(row: HelpRow) -> Phrase:
    """Return what the example of ``row`` does, with the words to write in backquotes."""
    return phrase(_ROWS[row.example])
