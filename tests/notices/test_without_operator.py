"""Where no email reaches the operator, nobody is told to write to them; all else is told as elsewhere."""

import pytest

from pbem.match.log import LogEntry, LogKind
from pbem.notices.sentences.log.players import describe_log
from pbem.notices.sentences.without_operator import WithoutOperator
from pbem.settings.model import Settings
from rules.phrase import ENGLISH
from tests.support.catalogue import read_messages
from tests.support.chosen import changed
from tests.support.club import make_club
from tests.support.each import each
from tests.support.mails import html_of, text_of
from tests.support.matches import zipline

SENDING = [message for message in read_messages() if "`operator:" in message]
LANGUAGE = WithoutOperator(ENGLISH)


@each("message", SENDING)
def test_a_sentence_that_sends_players_to_the_operator_is_left_out_whole(message: str) -> None:
    """What stands before and after it stays as it is."""
    said = LANGUAGE.gettext(message)
    assert "operator" not in said
    assert "runs this service" not in said
    assert said == "" or (message.startswith(said) and said.endswith("."))


def test_other_messages_stay() -> None:
    """Those that only name the operator, too."""
    others = [message for message in read_messages() if message not in SENDING]
    assert [LANGUAGE.gettext(message) for message in others] == others
    assert LANGUAGE.ngettext("one", "many", 1) == "one"


@pytest.mark.parametrize("operator", ["", "op@play.example"])
def test_no_email_names_what_nobody_would_read(settings: Settings, operator: str) -> None:
    """Neither the lists of what players can write, nor the news; no list has an empty row."""
    club = make_club(changed(settings, operator=operator))
    club.open()
    shown = list[str]()
    for asked in ("help", "help commands"):
        club.reply(0, asked)
        shown += [text_of(club.newest(0)), html_of(club.newest(0))]
    assert all(("operator:" in one) == bool(operator) for one in shown)
    assert not any("\n- \n" in one or "- ·" in one or "<li></li>" in one for one in shown)
    club.service.database.close()


@pytest.mark.parametrize("kind", ["bounced", "unsubscribed"])
def test_news_say_what_else_there_is_to_do(kind: LogKind) -> None:
    """No sentence is empty."""
    match = zipline()
    entry = LogEntry(kind, 0, {}, 1, match.changed_at)
    told = describe_log(entry, match, 1, language=LANGUAGE)
    assert len(told) == len(describe_log(entry, match, 1)) == 2
    assert all(told)
    assert "operator" not in " ".join(told)
