"""The same notice answered from the programs that most people use, each quoting it in its own way, in every game."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import pytest

from pbem.match.match import Match
from pbem.running.service import Arrival, Service
from pbem.storage.database import Database
from rules.game import Game
from rules.games import GAMES
from tests.corpus import tables
from tests.corpus.templates import fill
from tests.support.club import PLAYERS
from tests.support.fakes import FakeClock, FakeDice
from tests.support.mails import message

PLAIN, HTML = (
    "{{head}}\nContent-Type: text/plain; charset=utf-8\n\n",
    "{{head}}\nContent-Type: text/html; charset=utf-8\n\n",
)
GMAIL = "On Fri, Nov 20, 2026 at 7:30 PM pbem <\n{{tagged}}> wrote:\n"
GMAIL_HTML = (
    '<div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 7:30 PM pbem &lt;'
    '<a href="mailto:{{tagged}}">{{tagged}}</a>&gt; wrote:<br></div>'
)
OUTLOOK = "From: pbem <{{tagged}}> \nSent: Friday, November 20, 2026 7:30 PM\nTo: Ann\nSubject: {{subjecttext}}\n"
OUTLOOK_HTML = (
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> pbem &lt;{{tagged}}&gt;'
    "<br><b>Sent:</b> Friday, November 20, 2026 7:30 PM<br><b>To:</b> Ann<br><b>Subject:</b> x<o:p></o:p></p></div>"
)
APPLE = "> On 20. Nov 2026, at 19:30, pbem <{{tagged}}> wrote:\n> \n"
YAHOO = "On Friday, November 20, 2026 at 07:30:00 PM GMT+1, pbem <{{tagged}}> wrote: \n"

CLIENTS = {
    "gmail-top": f"{PLAIN}WORDS\n\n{GMAIL}\n{{{{notice marked}}}}\n>\n",
    "gmail-bottom": f"{PLAIN}{GMAIL}\n{{{{notice marked}}}}\n>\n\nWORDS\n",
    "gmail-unmarked": f"{PLAIN}WORDS\n\n{GMAIL}\n{{{{notice plain}}}}\n",
    "gmail-html-alone": f'{HTML}<div dir="ltr">HYPER</div><br><div class="gmail_quote">{GMAIL_HTML}'
    '<blockquote class="gmail_quote">{{htmlnotice}}</blockquote></div>\n',
    "gmail-html-bottom": f'{HTML}<div class="gmail_quote">{GMAIL_HTML}<blockquote class="gmail_quote">'
    "{{htmlnotice}}</blockquote><div><br></div><div>HYPER</div></div>\n",
    "gmail-links-as-text": f"{PLAIN}WORDS\n\n{GMAIL}\n{{{{notice broken wrapped 76 marked}}}}\n",
    "outlook-top": f"{PLAIN}WORDS\n\n{OUTLOOK}\n{{{{notice plain}}}}\n",
    "outlook-bottom": f"{PLAIN}{OUTLOOK}\n{{{{notice plain}}}}\n\nWORDS\n",
    "outlook-from-html": f"{PLAIN}WORDS\n\n{OUTLOOK}\n{{{{notice tabs}}}}\n",
    "outlook-links-as-text": f"{PLAIN}WORDS\n\n{{{{notice linked wrapped 72}}}}\n",
    "outlook-html-alone": f'{HTML}<div class="WordSection1"><p class="MsoNormal">HYPER<o:p></o:p></p>{OUTLOOK_HTML}'
    "{{htmlnotice outlook}}</div>\n",
    "outlook-html-bottom": f'{HTML}<div class="WordSection1">{OUTLOOK_HTML}{{{{htmlnotice outlook}}}}'
    '<p class="MsoNormal">HYPER<o:p></o:p></p></div>\n',
    "apple-top": f"{PLAIN}WORDS\n\n{APPLE}{{{{notice marked}}}}\n",
    "apple-bottom": f"{PLAIN}{APPLE}{{{{notice marked}}}}\n\nWORDS\n",
    "apple-html-alone": f'{HTML}<body>HYPER<div><br><blockquote type="cite"><div>On 20. Nov 2026, at 19:30, pbem wrote:'
    "</div><br><div>{{htmlnotice}}</div></blockquote></div></body>\n",
    "thunderbird-top": f"{PLAIN}WORDS\n\nOn 11/20/26 19:30, pbem wrote:\n{{{{notice marked}}}}\n",
    "thunderbird-bottom": f"{PLAIN}On 11/20/26 19:30, pbem wrote:\n{{{{notice marked}}}}\n\nWORDS\n",
    "thunderbird-broken": f"{PLAIN}WORDS\n\nOn 11/20/26 19:30, pbem wrote:\n{{{{notice marked wrapped 60}}}}\n",
    "thunderbird-html-alone": f'{HTML}<p>HYPER</p><div class="moz-cite-prefix">On 11/20/26 19:30, pbem wrote:<br></div>'
    '<blockquote type="cite">{{htmlnotice}}</blockquote>\n',
    "yahoo-top": f"{PLAIN} WORDS\n    {YAHOO} \n {{{{notice spaces}}}}\n",
    "yahoo-bottom": f"{PLAIN} {YAHOO}\n{{{{notice refilled 72}}}}\n\nWORDS\n",
    "yahoo-cells": f"{PLAIN}WORDS\n\n{YAHOO}\n{{{{notice cells}}}}\n",
    "yahoo-html-alone": f'{HTML}<div class="yahoo-style-wrap"><div dir="ltr">HYPER</div></div>'
    '<div class="yahoo_quoted">'
    f"<div>{escape(YAHOO)}</div><div>{{{{htmlnotice stripped}}}}</div></div>\n",
    "yahoo-mobile-refilled": f"{PLAIN}WORDS\n\nSent from Yahoo Mail\n\n{YAHOO} {{{{notice refilled 300}}}}\n",
}


@dataclass
class Board:
    """A running match of one game; whoever is to act writes."""

    directory: Path
    database: Database
    match: Match
    table: tables.Table

    def answered(self, client: str, words: str) -> tuple[Arrival, list[str]]:
        """Let a program answer the newest notice with ``words``; returns what came of it, and the new entries."""
        template = CLIENTS[client].replace("WORDS", words).replace("HYPER", escape(words) or "<br>")
        raw = fill(template, self.table, self.table.writer, client)
        with self.database.rehearsal() as rehearsed:
            service = _service(self.directory, rehearsed)
            arrival = service.hand_in(raw)
            with rehearsed.reading() as tx:
                after = tx.matches.get(self.match.id)
        assert after is not None
        return arrival, [entry.text for entry in after.record[self.match.ply :]]

    def moves(self) -> list[str]:
        """Return the move that the notice suggests, and another one."""
        position = self.match.position
        example = position.prompt().example
        chance = random.Random(5)
        others = (str(position.any_move(chance.randrange)) for _ in range(100))
        return [example, next(move for move in others if move != str(position.parse(example)))]


def _service(directory: Path, database: Database) -> Service:
    """Return the service that the messages are written to."""
    return Service(tables.settings(directory), database, clock=FakeClock(), dice=FakeDice(9))


def _laid(directory: Path, database: Database, game: Game) -> Board:
    """Open a match, and play the examples of the first emails, each with a word that tempts."""
    served = _service(directory, database)
    number = served.open(game.key, PLAYERS[:2], game.short).id
    for count in range(7):
        with database.reading() as tx:
            match = tx.matches.get(number)
        assert match is not None
        if not isinstance(match.to_act, int):
            seat, words = match.unseeded[0], "ready"
        elif count < 5:
            seat = match.to_act
            words = f"{match.position.prompt().example}\nMaybe you could have played this one: c4, or b3."
        else:
            return Board(directory, database, match, tables.table(served, number))
        notice = tables.table(served, number).mails[seat][-1]
        head = {"From": PLAYERS[seat], "To": notice.header("Reply-To"), "Message_ID": f"<{count}@earlier.example>"}
        arrival = served.hand_in(message(words, **head))
        assert arrival.message.status == "accepted", (words, arrival.message.detail)
    raise AssertionError(game.key)


@pytest.fixture(scope="module", params=GAMES.values(), ids=lambda game: str(game.key))
def board(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A match of each game."""
    directory = tmp_path_factory.mktemp("clients")
    database = Database(tables.settings(directory).database_url)
    database.upgrade()
    yield _laid(directory, database, request.param)
    database.close()


@pytest.mark.sampled(7)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_move_written_in_any_program_is_played(board: Board, client: str) -> None:
    """The notice's own example and another legal move are played as they stand, with nothing else and no comment."""
    for words in board.moves():
        arrival, entries = board.answered(client, words)
        assert arrival.message.status == "accepted", (words, arrival.message.detail)
        assert list(arrival.message.commands) == entries[:1] == [str(board.match.position.parse(words))]
        assert "wrote" not in {mail.kind for mail in arrival.outbound}


@pytest.mark.sampled(7)
@pytest.mark.parametrize("client", CLIENTS)
def test_an_empty_reply_is_never_a_move(board: Board, client: str) -> None:
    """Whoever presses Send by accident is asked, and nothing is played."""
    arrival, entries = board.answered(client, "")
    assert (arrival.message.status, arrival.message.reason, entries) == ("rejected", "no_command", [])
