"""What players can write, a sentence for every row of the help email. Pure."""

from collections.abc import Callable, Mapping

from pbem.commands.decision import HelpRow, Topic
from pbem.commands.examples import example_line, example_move, example_plan
from pbem.match.match import Match
from rules.phrase import Phrase, mark, phrase
from rules.position import Seat

_ROWS: Mapping[str, str] = {
    "": mark("Your move, when it’s your turn."),
    "board plain": mark(
        "`board plain`: boards as plain text. There are also `board unicode`, `board large`, `board html` and `board"
        " speech`; `display test` sends you one of each."
    ),
    "again": mark("`again`: the same match once more, everyone one seat on, once everyone has said so."),
    "review": mark("`review`: which of your moves cost most, and what was better. Only you get the answer."),
    "help games": mark("`help games`: the games that there are, and how to start one."),
    "operator: hello": mark("Words after `operator:` go only to the person who runs this service."),
    "help matches": mark("`help matches`: how to start a match: invite people, offer a game, play again."),
    "ladder pipline": mark("`ladder pipline`: you enter the ladder of that game. `ladder` shows how yours stand."),
    "challenge Bob": mark("`challenge {opponent}`: you play for the place of somebody up to three places above you."),
    "league pipline": mark("`league pipline`: you’re in the next season of that league. `league` shows the tables."),
    "leave league pipline": mark("`leave league pipline`: you play no more seasons there; matches that go on stay."),
    "help robots": mark("`help robots`: how to play against a robot, at once."),
    "draw": mark("`draw`, beside your move or alone: you offer a draw. The next move ends the offer."),
    "propose d4": mark(
        "`propose {move}`: your partner sees that move drawn, and their `yes` plays it if it’s their turn."
    ),
    "undo": mark(
        "`undo`: you ask to take your last move back. Everyone has to agree; `oops` does it alone, where the answer to"
        " a move says so."
    ),
    "help": mark("`help`: the rules of the game."),
    "help commands": mark(
        "`help commands`: everything else you can write, about plans, draws, vacations, other matches and"
        " your settings."
    ),
    "history": mark("`history`: the moves so far, one by one."),
    "help dice": mark("`help dice`: how to check the dice of this match."),
    "mails turns": mark("`mails turns`: email only when it’s your turn. `mails all`: email for everything again."),
    "digest 07:30": mark(
        "`digest 07:30`: one email a day with all boards that wait for you; `digest mon 07:30`: one a week; `digest"
        " off`: one for each again."
    ),
    "letter off": mark(
        "`letter off`: no more Sunday letter about your ladders and leagues; `letter on` brings it back."
    ),
    "new address": mark(
        "`new address`: you get a new address to reply to, and replies to older emails stop working. Use it"
        " if somebody else may have got hold of one of your emails."
    ),
    "forget me": mark(
        "`forget me`: I erase your name, your addresses and your words, and you leave your matches. I’ll ask"
        " once more first."
    ),
    "name Ann Lee": mark("`name Ann Lee`: that’s your name from now on."),
    "address ann@work.example": mark(
        "`address ann@work.example`: you can write from there as well, once you’ve said yes there and here."
        " `address remove` and the address ends that."
    ),
    "export": mark("`export`: all I keep about you, as a file."),
    "standin all Ann until 14 aug": mark(
        "`standin all {other} until 14 aug`: the same in all your matches, with one question to {other}."
    ),
    "second Carl": mark(
        "`second {other}`: I ask {other}, by name or address, to vote with you on your moves. `second off` ends that."
    ),
    "standin Ann until 14 aug": mark(
        "`standin {other} until 14 aug`: I ask {other} to play in your seat until then. `standin off` ends that."
    ),
    "replace Bob with Carl": mark(
        "`replace {opponent} with {other}`: while you’re waiting for {opponent}, I ask {other} to play on,"
        " and then everyone else whether they may."
    ),
    "page off": mark("`page off`: the archive has no page about you. `page on`: it has one again."),
    "ready": mark("`ready`, before the first roll; or `salt` and any words of your own, to be mixed into the dice."),
    "resign": mark("`resign`: you give up the match."),
    "say: hello": mark("Start a line with `say:` to talk to everyone."),
    "show": mark("`show`: the board again."),
    "show #12": mark("`show #12`: the board after entry 12 of the record. `record`: the record as a file."),
    "what d4 e5": mark("`what {line}`: where these moves would lead. Nothing is played."),
    "if d4 then e5": mark(
        "`{plan}`: when that’s played, I play your answer at once. `plan` shows your plan, `cancel plan`"
        " drops it; only you see it."
    ),
    "try d4 e5": mark(
        "Kept for you alone: `try {line}`, which is like `what`, and words after `note:`. `tree` shows it all."
    ),
    "comment 17#12 I saw e5 too late": mark(
        "After a match, `comment 17#12` and your words, or moves as in `line 17#12: {line}`: they stand on its page"
        " under entry 12. If you aren’t one of its players, I ask them first."
    ),
    "comment off 17#12": mark(
        "`comment off 17#12` takes away what stands there: yours, or anybody’s if you played the match. `comment off"
        " 17`: all of it, now and later."
    ),
    "publish": mark("`publish`, after the match: the match page shows what you kept. `unpublish` takes it away."),
    "team: hello": mark("Words after `team:` go to your partner only."),
    "status": mark("`status`: all your matches in one email, with the time left in each."),
    "help settings": mark("`help settings`: all that you’ve set, and how to change it."),
    "vacation 3-17 aug": mark(
        "`vacation 3-17 aug`: you’re away, and your time stands still in all your matches. `back` ends it;"
        " `emergency` stops your clocks for two weeks at once, once in half a year."
    ),
    "give 3d": mark(
        "`give 3d`: three more days for whoever you’re waiting for. Once their time is up, `claim` ends the match."
    ),
    "pause 10d": mark("`pause 10d`: proposes a pause of the match to everyone."),
    "remind 2d 12h": mark(
        "`remind 2d 12h`: reminds you when you have that much time left. `quiet 22-7`: no reminders at night."
    ),
    "tz Europe/Lisbon": mark("`tz Europe/Lisbon`: your time zone; a city is enough."),
    "unsubscribe": mark("`unsubscribe` or `stop`: no more email. `resume`, or a move, brings it back."),
}

_OTHERS = ("Dora", "Emil", "Frida", "Gus")
"""Names for whoever is no player of a match; one of them is free in any."""

_MOVES: Mapping[str, Callable[[Match, Seat], str]] = {
    "move": lambda match, seat: example_move(match),
    "line": lambda match, seat: example_line(match),
    "plan": example_plan,
    "other": lambda match, seat: _name_other(match),
    "opponent": lambda match, seat: match.name((seat + 1) % len(match.players)),
}
"""What stands for moves in these sentences, which are of the game and can be played; and for people."""

_TOPICS: Mapping[Topic, str] = {
    "match": mark("In this match"),
    "ahead": mark("Looking ahead"),
    "agreeing": mark("Agreeing with the others"),
    "time": mark("Time"),
    "you": mark("You and your emails"),
    "matches": mark("More matches"),
}


def name_topic(topic: Topic) -> Phrase:
    """Return the heading of a topic."""
    return phrase(_TOPICS[topic])


def _name_other(match: Match) -> str:
    """Return a name for somebody who has no seat in the match."""
    taken = {player.name.casefold() for player in match.players}
    return next(name for name in _OTHERS if name.casefold() not in taken)


def explain_row(row: HelpRow, match: Match, seat: Seat) -> Phrase:
    """Return what the example of ``row`` does, with the words to write in backquotes; moves are such as could come."""
    message = _ROWS[row.example]
    return phrase(message, **{name: make(match, seat) for name, make in _MOVES.items() if f"{{{name}}}" in message})
