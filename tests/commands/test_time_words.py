"""The lines about time that are commands, and those that are talk."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.commands.decision import Command
from pbem.commands.families.time import STATUS
from pbem.commands.families.time_words import (
    TIME_KEYWORDS,
    TIME_TYPES,
    AutoVacation,
    Back,
    Give,
    Pause,
    PauseOff,
    PauseUntil,
    Quiet,
    Remind,
    Vacation,
    Wait,
    Zone,
    parse_time,
)
from tests.support.each import each

HOUR, DAY = 3600, 86400


@each(
    "line, command",
    [
        ("give 3d", Give(seconds=259200, line="give 3d")),
        ("give 3 days", Give(seconds=259200, line="give 3 days")),
        ("Give 2d 12h", Give(seconds=216000, line="Give 2d 12h")),
        ("give another 3 days", Give(seconds=259200, line="give another 3 days")),
        ("give 3 days more", Give(seconds=259200, line="give 3 days more")),
        ("give Bob 3 days", Give(seconds=259200, line="give Bob 3 days", to="bob")),
        ("give a week", Give(seconds=604800, line="give a week")),
        ("give 3", Give(seconds=None, line="give 3")),
        ("give", Give(seconds=None, line="give")),
        ("give 3 dyas", Give(seconds=None, line="give 3 dyas")),
        ("*give 3d*", Give(seconds=259200, line="*give 3d*")),
        ("- give 3d", Give(seconds=259200, line="- give 3d")),
        ("give: 3d", Give(seconds=259200, line="give: 3d")),
        ("give 3d, please", Give(seconds=259200, line="give 3d, please")),
        ("pause", Pause(seconds=None, line="pause")),
        ("pause 10d", Pause(seconds=864000, line="pause 10d")),
        ("Pause for 10 days.", Pause(seconds=864000, line="Pause for 10 days.")),
        ("pause until 12 dec", PauseUntil(text="until 12 dec")),
        ("pause until 12.12.", PauseUntil(text="until 12.12")),
        ("pause until tomorrow", PauseUntil(text="until tomorrow")),
        ("pause off", PauseOff()),
        ("pause 10", Pause(seconds=None, line="pause 10")),
        ("pause two weeks", Pause(seconds=1209600, line="pause two weeks")),
        ("pause 3-17 aug", Pause(seconds=None, line="pause 3-17 aug")),
        ("wait", Wait(seconds=None)),
        ("wait 3d", Wait(seconds=259200)),
        ("Wait for 3 days", Wait(seconds=259200)),
        ("wait 12h.", Wait(seconds=43200)),
        ("vacation 3-17 aug", Vacation(text="3-17 aug")),
        ("Vacation: 3-17 Aug", Vacation(text="3-17 Aug")),
        ("vacation 3–17 August", Vacation(text="3–17 August")),
        ("vacation from 3 aug to 17 aug", Vacation(text="from 3 aug to 17 aug")),
        ("vacation until 17 aug", Vacation(text="until 17 aug")),
        ("vacation 3-17 augst", Vacation(text="3-17 augst")),
        ("vacation 10 days", Vacation(text="10 days")),
        ("vacation tomorrow", Vacation(text="tomorrow")),
        ("vacation next week", Vacation(text="next week")),
        ("vacation 2026-08-03..2026-08-17", Vacation(text="2026-08-03..2026-08-17")),
        ("vacation 3.8.-17.8.", Vacation(text="3.8.-17.8")),
        ("vacation 3/8", Vacation(text="3/8")),
        ("vacation", Vacation(text="")),
        ("vacation off", Back()),
        ("vacaton 3-17 aug", Vacation(text="3-17 aug")),
        ("vaction 3-17 aug", Vacation(text="3-17 aug")),
        ("holiday 3-17 aug", Vacation(text="3-17 aug")),
        ("holidays until 6 jan", Vacation(text="until 6 jan")),
        ("vacation 17 aug, thanks!", Vacation(text="17 aug")),
        ("vacation vom 3. bis 17. August", Vacation(text="vom 3. bis 17. August")),
        ("vacation bis einschließlich 17. August", Vacation(text="bis einschließlich 17. August")),
        ("vacation 3 tot en met 17 augustus", Vacation(text="3 tot en met 17 augustus")),
        ("vacation du 3 au 17 août", Vacation(text="du 3 au 17 août")),
        ("auto on", AutoVacation(on=True)),
        ("auto off", AutoVacation(on=False)),
        ("Auto off!", AutoVacation(on=False)),
        ("auto vacation off", AutoVacation(on=False)),
        ("automatic vacation on", AutoVacation(on=True)),
        ("tz Europe/Lisbon", Zone(text="Europe/Lisbon")),
        ("tz lisbon", Zone(text="lisbon")),
        ("TZ: America/New York", Zone(text="America/New York")),
        ("tz EST", Zone(text="EST")),
        ("tz +2", Zone(text="+2")),
        ("tz Nowhere", Zone(text="Nowhere")),
        ("timezone berlin", Zone(text="berlin")),
        ("time zone: germany", Zone(text="germany")),
        ("tz", Zone(text="")),
        ("remind 2d 12h", Remind(text="2d 12h")),
        ("remind 3 days, 6 hours", Remind(text="3 days, 6 hours")),
        ("remind me 2 days before", Remind(text="2 days before")),
        ("remind off", Remind(text="off")),
        ("remind none", Remind(text="none")),
        ("reminders off", Remind(text="off")),
        ("remind default", Remind(text="default")),
        ("remind 2", Remind(text="2")),
        ("remind 2 dyas", Remind(text="2 dyas")),
        ("remind 30m", Remind(text="30m")),
        ("remind", Remind(text="")),
        ("quiet 22-7", Quiet(text="22-7")),
        ("quiet 22:00-7:00", Quiet(text="22:00-7:00")),
        ("quiet 10pm-7am", Quiet(text="10pm-7am")),
        ("quiet off", Quiet(text="off")),
        ("quiet hours 22-7", Quiet(text="22-7")),
        ("quiet from 10 pm to 7 am", Quiet(text="from 10 pm to 7 am")),
        ("quiet 22", Quiet(text="22")),
        ('"please vacation 3-17 aug"', Vacation(text="3-17 aug")),
    ],
)
def test_a_line_that_is_nothing_else_is_a_command(line: str, command: Command) -> None:
    """In many spellings; one that nearly is a command is that command, with a text that is still to be read."""
    assert parse_time(line) == command


@each(
    "line",
    [
        "wait, I think d7 is better",
        "Wait!",
        "wait a moment, what?",
        "wait for me",
        "wait and see",
        "wait until you see this",
        "give me 3 days",
        "give me a moment",
        "give myself 3 days",
        "give nobody 3 days",
        "give back 2 days",
        "give in one week",
        "give Ann a minute",
        "Wait a minute",
        "wait one second please",
        "pause for a minute",
        "give up?",
        "I give up",
        "give 3 stones and you still lose",
        "give or take",
        "give that some thought",
        "give my regards to Alice",
        "give it a rest",
        "quiet here today",
        "quiet!",
        "quiet",
        "quiet week at work",
        "quiet 22 years ago, wasn't it",
        "quiet game so far",
        "remind me tomorrow",
        "remind me to look at d4",
        "reminder: it is your move",
        "I'm on vacation 3-17 aug",
        "reminders are annoying",
        "remind me what the rules say",
        "back to the game",
        "vacation next week, sorry for the delay",
        "vacation was great",
        "vacation in Spain was great, 10 days of sun",
        "Vacation starts tomorrow!",
        "vacation 3-17 aug?",
        "vacation is over, back to work",
        "vacation in august",
        "holiday",
        "holidays soon",
        "holiday in 3 days",
        "holiday 12am - 6am",
        "holiday snaps attached",
        "vacation 2 weeks ago was fine",
        "pause for thought",
        "pause and reflect",
        "pause off the coast",
        "a pause would be nice",
        "auto",
        "auto is broken",
        "auto-correct strikes again",
        "automatic 3 days",
        "time zone differences make this slow",
        "timezones are hard",
        "time zone",
        "tz is what I meant there, sorry",
        "status quo, I'd say",
        "claim your prize",
        "emergency at work, sorry",
        "tomorrow I move",
        "until 17 aug I am away",
        "give 3 for d4",
        "wait 3 more moves",
        "wait 5 minutes, I think d4 wins",
        "relation 3 to 4",
        "variation 3 is better",
        "give 4 points",
    ],
)
def test_talk_beside_a_move_is_no_command(line: str) -> None:
    """However it begins: whoever chats must not be asked what they mean."""
    assert parse_time(line) is None


@each(
    "command, line",
    [
        (Give(216000, "Give: 2 days, 12 hours"), "give 2d 12h"),
        (Give(None, "give 3"), "give 3"),
        (Pause(10 * DAY, "pause for 10 days"), "pause 10d"),
        (PauseUntil("until 12 dec"), "pause until 12 dec"),
        (PauseOff(), "pause off"),
        (Wait(None), "wait"),
        (Wait(12 * HOUR), "wait 12h"),
        (Vacation("3-17 aug"), "vacation 3-17 aug"),
        (Vacation(""), "vacation"),
        (Zone("lisbon"), "tz lisbon"),
        (Remind("2d 12h"), "remind 2d 12h"),
        (Quiet("22-7"), "quiet 22-7"),
        (AutoVacation(False), "auto off"),
    ],
)
def test_the_operator_reads_the_canonical_form(command: Command, line: str) -> None:
    """It can be written again, and then means the same."""
    assert str(command) == line
    assert str(parse_time(line)) == line


def test_words_that_change_the_match_do_not_count_at_the_end_of_a_sentence() -> None:
    """Only wishes for an overview harm nobody."""
    assert {keyword.word for keyword in TIME_KEYWORDS if keyword.consequential} == {"claim", "back", "emergency"}
    overviews = {keyword.word for keyword in STATUS.keywords if not keyword.consequential}
    assert overviews == {"status", "help settings", "settings"}
    assert all(str(keyword.command) == keyword.word for keyword in TIME_KEYWORDS)
    assert Back() == next(keyword.command for keyword in TIME_KEYWORDS if keyword.word == "back")


OPENINGS = ("give", "pause", "wait", "vacation", "holiday", "auto", "tz", "time zone", "remind", "quiet", "variation")


@given(st.sampled_from(OPENINGS), st.text(max_size=5000))
def test_no_text_breaks_the_reader(opening: str, text: str) -> None:
    """It is a command of the family, or none; what is too long to be typed is none at once."""
    for line in (text, f"{opening} {text}"):
        command = parse_time(line)
        assert command is None or isinstance(command, TIME_TYPES)
        assert command is None or len(line) <= 120
