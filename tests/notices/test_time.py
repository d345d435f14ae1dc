"""The time line of notices, what is told of the log, the status, and reasons with times: data, not wording."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from pbem.commands.grammar import is_harmless
from pbem.mail.archive_paths import NO_ARCHIVE, Archive
from pbem.match.endings import Ruling
from pbem.match.log import LogEntry, LogKind
from pbem.match.match import Match, left_along
from pbem.match.time.calendar import Absence, Calendar
from pbem.match.time.clock import LONGEST_PAUSE, UNREACHABLE, Proposal
from pbem.match.time.time_control import DEFAULT_CONTROL, Policy, TimeControl
from pbem.match.timing import deadline_of, pass_clock, start_clock
from pbem.notices.audience import reminder_notice
from pbem.notices.render import match_notice, settings_notice, status_notice
from pbem.notices.scene import NoticeContent
from pbem.notices.sentences.log.players import describe_log, told_kinds
from pbem.notices.sentences.log.table import LOG_ROWS
from pbem.notices.sentences.match import describe_result, describe_winners
from pbem.notices.sentences.moments import name_zone, say_length, say_moment, say_span
from pbem.notices.sentences.public import Told, tell_log
from pbem.notices.sentences.reasons import _REASONS, explain
from pbem.notices.sentences.record import list_record
from pbem.notices.sentences.status import describe_settings, list_match
from pbem.notices.sentences.story import describe_events
from pbem.notices.sentences.time import describe_rules, describe_time, list_claims
from pbem.notices.templates import tie_words
from pbem.notices.wrapping import wrap_safely
from pbem.reading.move_phrases import MARK
from pbem.reading.reason import because
from rules.position import Entry
from tests.support.each import each
from tests.support.matches import zipline

NOW = datetime(2026, 11, 23, 18, 30, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NEW_YORK = Calendar(zone="America/New_York")


def on_clock(match: Match, control: TimeControl = DEFAULT_CONTROL, *, moved: bool = True) -> Match:
    """Return a match whose clock runs since ``NOW`` for whoever is to act, with as much time as for any move."""
    record = match.record
    for player in match.players:  # of whose vacation nothing is used by itself
        match = match.with_player(replace(player, calendar=replace(player.calendar, automatic=False)))
    match = start_clock(match.at(0), control, NOW)
    for entry in record if moved else ():
        match = pass_clock(match, match.after(entry, NOW), NOW)
    assert match.clock is not None
    return replace(match, clock=replace(match.clock, since=NOW, halted=""))


def two(control: TimeControl = DEFAULT_CONTROL) -> Match:
    """Return a match of two in which Ann is to act: Bob has taken white."""
    return on_clock(zipline(Entry(0, "c3"), Entry(1, "take"), names=("Ann", "Bob")), control)


def three(control: TimeControl = DEFAULT_CONTROL) -> Match:
    """Return a match in which Carl is to act; Ann is his partner, Bob plays alone."""
    return on_clock(zipline(Entry(0, "c3"), Entry(1, "take")), control)


def changed(match: Match, **fields: object) -> Match:
    """Return a match with a changed clock."""
    assert match.clock is not None
    return replace(match, clock=replace(match.clock, **fields))  # type: ignore[arg-type]  # any field


def living(match: Match, seat: int, **fields: object) -> Match:
    """Return a match with a changed calendar of one player."""
    player = match.players[seat]
    return match.with_player(replace(player, calendar=replace(player.calendar, **fields)))  # type: ignore[arg-type]


def line(match: Match, viewer: int, at: datetime = NOW) -> str:
    """Return the time line."""
    return " ".join(describe_time(match, viewer, at))


def test_a_moment_is_said_in_the_zone_of_its_reader() -> None:
    """Weekday, day, month, hour, and the city of the zone, each once."""
    assert str(say_moment(NOW, Calendar())) == "Monday, 23 November, 18:30 (UTC)"
    assert str(say_moment(NOW, NEW_YORK)) == "Monday, 23 November, 13:30 (New York)"
    assert str(say_moment(NOW + 7 * HOUR, Calendar(zone="Europe/Lisbon"))) == "Tuesday, 24 November, 01:30 (Lisbon)"


@each(
    "days, year",
    [(0, False), (30, False), (60, True), (299, True), (360, True), (-30, False), (-300, False), (-310, True)],
)
def test_the_year_is_said_where_the_day_alone_would_not_tell_it(days: int, year: bool) -> None:
    """Some weeks over New Year, and the months of one year, do without; the same in every sentence and on pages."""
    moment = NOW + days * DAY
    assert (str(moment.year) in str(say_moment(moment, Calendar(), NOW))) is year
    assert (str(moment.year) in str(Told("{moment}", {"moment": moment}, NOW))) is year
    assert (str(moment.year) in str(say_span(moment - HOUR, moment, Calendar(), NOW))) is year
    reason = because("not_flagged", name="Bob", until=moment.isoformat())
    assert (str(moment.year) in str(explain(reason, NEW_YORK, NOW))) is year


def test_a_partner_reads_after_the_flag_who_can_claim() -> None:
    """As whoever is out of time does; where nobody can, nobody is named."""
    match = changed(three(), halted="flagged", since=None, flagged_at=NOW, halted_at=NOW, banks=(0, 7 * 86400, 0))
    assert all("Bob" in line(match, seat) for seat in (0, 2))
    patient = replace(DEFAULT_CONTROL, policy="remind-only")
    assert "Bob" not in line(changed(match, control=patient), 0)


def test_only_the_player_to_act_is_told_to_have_run_out_of_time() -> None:
    """Their partner leaves with them, in emails, in the list of moves, and on the page."""
    running = three()
    over = running.after(Entry(2, "timeout"), NOW + DAY).after(Entry(0, "timeout"), NOW + DAY)
    alone = running.after(Entry(2, "timeout"), NOW + DAY).after(Entry(0, "timeout"), NOW + 2 * DAY)
    ply = running.ply
    assert [left_along(over, ply), left_along(over, ply + 1)] == [False, True]
    assert [left_along(alone, ply), left_along(alone, ply + 1)] == [False, False]
    for told in (describe_events(running, over, 1), [row.what for row in list_record(over)[-2:]]):
        late, partner = told
        assert ("Carl" in late, "Ann" in partner) == (True, True)
        assert late.replace("Carl", "") != partner.replace("Ann", "")
    late, partner = describe_events(running, alone, 1)
    assert late.replace("Carl", "") == partner.replace("Ann", "")


def test_a_reminder_says_above_all_how_much_time_is_left() -> None:
    """In its first line; the subject stays that of the match."""
    match = two()
    for at, left in ((NOW + 5 * DAY, 2 * 86400), (NOW + 6 * DAY + 12 * HOUR, 12 * 3600)):
        notice = reminder_notice([match], 0, at, NO_ARCHIVE)
        assert str(say_length(left)) in notice.text.splitlines()[0]
        assert str(say_length(left)) not in notice.subject


def test_a_far_deadline_says_its_year_in_notices_and_in_the_status() -> None:
    """Sixty days beyond New Year, and a year of them."""
    for days in (60, 365):
        match = two(replace(DEFAULT_CONTROL, start=days * 86400, cap=days * 86400))
        assert "2027" in line(match, 0)
        assert "2027" in status_notice([match], match.players[0], NOW).text
    assert "202" not in line(two(), 0)


@pytest.mark.parametrize("zone", ["", "Nowhere/Atall", "America", "../etc"])
def test_a_zone_without_a_name_of_its_own_is_utc(zone: str) -> None:
    """One that is no zone (any more) is not named, since its time is not shown."""
    assert name_zone(Calendar(zone=zone)) == "UTC"


def test_a_span_of_one_day_names_it_once() -> None:
    """The zone is named once in any."""
    assert str(say_span(NOW, NOW + HOUR, Calendar())).count("November") == 1
    assert str(say_span(NOW, NOW + DAY, Calendar())).count("November") == 2
    assert str(say_span(NOW, NOW + DAY, Calendar())).count("UTC") == 1


@each(
    "left, numbers",
    [
        (timedelta(minutes=5), []),
        (HOUR, [1]),
        (12 * HOUR, [12]),
        (DAY, [1]),
        (30 * HOUR, [1, 6]),
        (2 * DAY, [2]),
        (6 * DAY + 23 * HOUR, [7]),
        (6 * DAY + 12 * HOUR, [6]),
        (59 * HOUR + timedelta(minutes=50), [2, 12]),
    ],
)
def test_a_length_of_time_is_as_precise_as_it_has_to_be(left: timedelta, numbers: list[int]) -> None:
    """Days, with hours where few days are left."""
    said = str(say_length(int(left.total_seconds())))
    assert [int(word) for word in said.split() if word.isdigit()] == numbers


def test_the_first_move_is_spoken_of_only_before_it_was_made() -> None:
    """Whoever stands in later reads how much time there is, and nothing of a turn that is over."""
    opened, running = describe_rules(on_clock(zipline(), moved=False)), describe_rules(two())
    assert opened.startswith(running)
    assert opened != running != ""


def test_there_is_no_time_line_without_a_clock_or_after_the_end() -> None:
    """Nor while nobody is to act."""
    assert describe_time(zipline(), 0, NOW) == []
    over = replace(two(), ruling=Ruling("void"))
    assert describe_time(over, 0, NOW) == []
    assert describe_time(changed(two(), seat=None), 0, NOW) == []


def test_every_reader_is_told_until_when_in_their_own_zone() -> None:
    """The player to act, their partner and the opponent are told in different words."""
    match = living(living(three(), 1, zone="America/New_York"), 2, zone="Europe/Lisbon")
    told = [line(match, viewer) for viewer in range(3)]
    assert len(set(told)) == 3
    for said, until in zip(told, ("18:30 (UTC)", "13:30 (New York)", "18:30 (Lisbon)"), strict=True):
        assert f"Monday, 30 November, {until}" in said
    assert ["Carl" in said for said in told] == [False, True, False]
    assert ["Bob" in said for said in told] == [True, False, True]  # who can claim


def test_time_left_goes_down_and_the_deadline_stays() -> None:
    """A clock that waits for its email is shown as if it ran since the turn began."""
    match = two()
    later = line(match, 0, NOW + 5 * DAY)
    assert "2 days" in later
    assert "7 days" in line(match, 0)
    unsent = changed(match, since=None, halted="unsent")
    assert line(unsent, 0) == line(match, 0)
    assert "30 November" in later


@pytest.mark.parametrize("policy", get_args(Policy))
def test_what_happens_then_is_told_for_every_policy(policy: Policy) -> None:
    """It is another sentence for each, and for each reader; with a partner left, the partner is named."""
    control = replace(DEFAULT_CONTROL, policy=policy)
    told = [describe_time(three(control), viewer, NOW) for viewer in range(3)]
    assert [len(sentences) for sentences in told] == [2, 2, 2]
    usual = [describe_time(three(), viewer, NOW)[1] for viewer in range(3)]
    assert ([sentences[1] for sentences in told] == usual) == (policy == "claim")
    if policy == "partner":
        assert "Ann" in told[1][1]
        assert [describe_time(two(control), viewer, NOW)[1] for viewer in (0, 1)] == [
            describe_time(two(), viewer, NOW)[1] for viewer in (0, 1)
        ]


def test_nobody_loses_a_match_that_has_not_begun() -> None:
    """In the first turn there is nothing to claim, whatever the policy."""
    for policy in get_args(Policy):
        match = on_clock(zipline(names=("Ann", "Bob")), replace(DEFAULT_CONTROL, policy=policy), moved=False)
        first = [describe_time(match, viewer, NOW)[1] for viewer in (0, 1)]
        assert "14 days" in line(match, 0)
        assert ["Ann" in sentence for sentence in first] == [False, True]
        assert "Bob" not in first[0]


def test_when_time_is_up_each_is_told_what_they_can_do() -> None:
    """The opponent may claim or wait, where the policy lets them; partners and players who left may not."""
    up = changed(three(), since=None, halted="flagged", flagged_at=NOW)
    assert "`claim`" in line(up, 1)
    assert "`wait 3d`" in line(up, 1)
    assert "`" not in line(up, 0) + line(up, 2)
    assert [[answer for answer, _ in list_claims(up, viewer)] for viewer in range(3)] == [[], ["claim", "wait 3d"], []]
    patient = changed(up, control=replace(DEFAULT_CONTROL, policy="remind-only"))
    assert [answer for answer, _ in list_claims(patient, 1)] == ["wait 3d"]
    assert "claim" not in line(patient, 1)
    assert list_claims(three(), 1) == []


def test_a_bounce_is_told_with_the_day_on_which_it_counts() -> None:
    """Whoever it is about is told how the clock runs on."""
    bounced = changed(two(), since=None, halted="bounced", halted_at=NOW)
    assert str(say_moment(NOW + UNREACHABLE, Calendar())) in line(bounced, 1)
    assert "`resume`" in line(bounced, 0)


def test_no_deadline_is_told_that_never_comes() -> None:
    """It is while the email of the turn is under way, and with what gives more time; its reader gets it by then."""
    unsent = changed(two(), since=None, halted="unsent")
    late, promise = NOW + HOUR, ", until "
    more: tuple[LogKind, ...] = ("given",)
    assert "stands still until the email" in line(unsent, 1, late)
    assert promise not in line(unsent, 1, late)
    assert promise in line(unsent, 1, late - HOUR / 60)
    assert promise in line(unsent, 0, late)
    assert promise in " ".join(describe_time(unsent, 1, late, told=more))


def test_a_pause_is_told_while_it_lasts_or_lies_ahead() -> None:
    """Time goes on after it; when it is over, it is not mentioned."""
    end = NOW + 10 * DAY
    paused = changed(two(), pause=(NOW, end))
    for viewer in (0, 1):
        assert str(say_moment(end, Calendar())) in line(paused, viewer)
        assert str(say_moment(end + 7 * DAY, Calendar())) in line(paused, viewer)
        ahead = changed(two(), pause=(NOW + DAY, end))
        assert "24 November" in line(ahead, viewer)
        assert len(describe_time(paused, viewer, end + DAY)) == 2


def test_a_proposed_pause_is_told_with_what_to_write_for_it() -> None:
    """Whoever has agreed is told only that it waits."""
    proposed = changed(two(), proposal=Proposal(NOW + 10 * DAY, (1,)))
    assert "`pause until 3 dec`" in line(proposed, 0)
    assert "`" not in line(proposed, 1)
    assert "Bob" in describe_time(proposed, 0, NOW)[2]
    assert len(describe_time(proposed, 0, NOW + 11 * DAY)) == 1  # the time is over, the proposal too


@pytest.mark.parametrize("kind", ["vacation", "emergency", "automatic"])
def test_an_absence_is_told_in_place_of_the_time(kind: str) -> None:
    """Whole days are said without an hour: the day before it ends at midnight, where the player is."""
    end = datetime(2026, 11, 28, 5, tzinfo=UTC)  # midnight in New York
    away = living(two(), 0, zone="America/New_York", absences=(Absence(NOW - DAY, end, kind),))  # type: ignore[arg-type]
    told = [describe_time(away, viewer, NOW) for viewer in (0, 1)]
    assert ["Ann" in sentences[0] for sentences in told] == [False, True]
    assert ("Friday, 27 November" in told[1][0], "28 November, 05:00 (UTC)" in told[1][0]) == (
        kind == "vacation",
        kind != "vacation",
    )
    assert len(told[0]) == 3
    assert away.clock is not None
    spent = away.with_clock(replace(away.clock, banks=(0, 0)))
    assert len(describe_time(spent, 0, NOW)) == 1 or kind != "automatic"  # it is all that is left
    assert len(describe_time(away, 1, NOW - 2 * DAY)) == 3  # it lies ahead, and does not count


def test_a_list_names_no_time_while_nobody_spends_it() -> None:
    """In a pause, and while whoever is to act is away, it says so, and when that ends."""
    going, end = two(), NOW + 5 * DAY
    assert list_match(going, 0, NOW).until
    assert going.clock
    paused = going.with_clock(replace(going.clock, pause=(NOW - DAY, end)))
    away = living(going, 0, absences=(Absence(NOW - DAY, end, "vacation"),))
    for match in (paused, away):
        rows = [list_match(match, viewer, NOW) for viewer in (0, 1)]
        assert [row.until for row in rows] == ["", ""]
        assert all("28 November" in row.what for row in rows), rows


def test_what_does_not_count_is_told_where_it_matters() -> None:
    """Weekends, and outages since the turn began that lasted an hour or more."""
    working = two(replace(DEFAULT_CONTROL, weekends_free=True))
    assert len(describe_time(working, 0, NOW)) == 3
    assert len(describe_time(working, 0, NOW + 7 * DAY)) == 2  # no weekend is left

    def down(*hours: tuple[float, float]) -> list[str]:
        spans = tuple((NOW + start * HOUR, NOW + end * HOUR) for start, end in hours)
        return describe_time(replace(two(), outages=spans), 1, NOW + 2 * DAY)

    assert len(down((-5, -4))) == len(down((1, 1.5))) == 2
    assert "20:30" in down((2, 8))[2]
    assert "8 hours" in down((2, 8), (10, 12))[2]


ARGUMENTS: dict[LogKind, dict[str, object]] = {
    "given": {"seconds": 3 * 86400},
    "pause_proposed": {"until": "2026-12-03T18:30:00+00:00"},
    "pause_end_proposed": {"until": "2026-12-03T18:30:00+00:00"},
    "paused": {"until": "2026-12-03T18:30:00+00:00"},
    "absent": {"start": "2026-12-01T00:00:00+00:00", "end": "2026-12-06T00:00:00+00:00", "kind": "vacation"},
    "automatic_day": {"until": "2026-12-01T18:30:00+00:00", "left": 3, "again": False},
    "time_control": {"control": "bank=20d+1d max=20d weekends=free"},
    "extended": {"seconds": 86400, "seat": 0},
    "adjudicated": {"winners": [1]},
    "voided": {"by": "operator"},
    "rewound": {"to": 1, "moves": 2},
    "replaced": {"seat": 1, "before": "Bob", "after": "Dora"},
    "undo_asked": {"move": "d4", "moves": 3, "rolled": True},
    "voted": {"votes": [["d4", 2], ["e5", 1]]},
}
BY: dict[LogKind, int | None] = {
    **dict.fromkeys(get_args(LogKind)),
    **dict.fromkeys(("given", "pause_proposed", "pause_end_proposed", "pause_withdrawn", "paused", "claimed"), 1),
    **dict.fromkeys(("draw_offered", "draw_declined", "draw_withdrawn", "voted"), 1),
    **dict.fromkeys(("undo_asked", "undo_declined", "undo_withdrawn"), 1),
    **dict.fromkeys(
        ("absent", "back", "automatic_day", "flagged", "bounced", "unsubscribed", "taken_up", "stayed", "seconded"), 0
    ),
}


def entry_of(kind: LogKind, **arguments: object) -> LogEntry:
    """Return an entry of the log by whoever causes such a thing."""
    return LogEntry(kind, BY[kind], ARGUMENTS.get(kind, {}) | arguments)


@each("kind", [kind for kind in get_args(LogKind) if kind not in ("renamed", "merged")])
def test_everything_that_happens_to_a_match_is_told(kind: LogKind) -> None:
    """Whoever did it reads other words than the others, and no line that they quote is a command."""
    match = changed(two(), halted="flagged", flagged_at=NOW)
    told = [describe_log(entry_of(kind), match, viewer, NOW) for viewer in (0, 1)]
    assert told[1]
    assert told[0] or kind in ("unsubscribed", "seconded", "voted")
    if (seat := BY[kind]) is not None and kind != "paused":
        names = [match.name(seat) in told[viewer][0] for viewer in (0, 1) if told[viewer]]
        assert names == [viewer != seat for viewer in (0, 1) if told[viewer]]
    for sentences in told:
        assert all("`" in sentence or is_harmless(sentence) for sentence in sentences)
        assert all(sentence.endswith((".", ":")) for sentence in sentences)


def test_every_kind_of_the_log_has_its_row() -> None:
    """Who adds a kind decides what each voice says of it, be it nothing."""
    assert set(LOG_ROWS) == set(get_args(LogKind))


@pytest.mark.parametrize("kind", ["renamed", "merged"])
def test_what_is_noted_for_the_operator_alone_is_told_to_nobody(kind: LogKind) -> None:
    """Neither in an email nor on a page: whoever changes their name need not want the one before to be read."""
    entry = LogEntry(kind, None, {"seat": 0, "before": "Old Name", "after": "Ann", "generations": [0, 0]}, at=NOW)
    assert [describe_log(entry, two(), viewer, NOW) for viewer in (0, 1)] == [[], []]
    assert tell_log([entry], two()) == []


def test_some_things_are_not_told() -> None:
    """Most further days, an address tried first, a flag in the record, a resignation that all took back with a move."""
    match = two()
    for left, *is_told in ((20, False, False), (14, True, True), (3, False, False), (2, True, False), (0, True, True)):
        again = entry_of("automatic_day", again=True, left=left)
        assert [bool(describe_log(again, match, viewer)) for viewer in (0, 1)] == is_told
    assert describe_log(entry_of("bounced", other=True), match, 1) == []
    assert describe_log(entry_of("flagged"), match, 1) == []
    undone = replace(entry_of("rewound", left=[[1, "resign"]]), seat=0)
    assert len(describe_log(undone, match, 1)) == 1


def test_a_notice_does_not_say_twice_what_it_tells_as_news() -> None:
    """The time line leaves out what the log says of whoever is to act, and nothing of anybody else."""
    up = changed(two(), since=None, halted="flagged", flagged_at=NOW)
    whole = describe_time(up, 1, NOW)
    assert describe_time(up, 1, NOW, told=told_kinds([entry_of("flagged")], up)) == whole[1:]
    assert told_kinds([replace(entry_of("absent"), seat=1)], two()) == frozenset()
    assert told_kinds([entry_of("paused")], two()) == {"paused"}


@pytest.mark.parametrize(
    "ruling",
    [Ruling("adjudicated", frozenset({1})), Ruling("adjudicated"), Ruling("void"), Ruling("void", reason="no_show")],
)
def test_a_ruling_is_told_as_the_result(ruling: Ruling) -> None:
    """It is another sentence for each, and the log does not repeat it."""
    match = replace(two(), ruling=ruling)
    kind: LogKind = "adjudicated" if ruling.kind == "adjudicated" else "voided"
    assert describe_log(entry_of(kind), match, 0) == []
    assert (describe_result(match, 0) != describe_result(match, 1)) == bool(ruling.winners)
    assert ("Bob" in describe_result(match)) == bool(ruling.winners)
    assert describe_winners(match, 0)


KINDS: list[tuple[str, Callable[[Match], Match], LogEntry, bool]] = [
    ("time_news", lambda match: match, entry_of("given"), False),
    ("time_up", lambda match: changed(match, since=None, halted="flagged", flagged_at=NOW), entry_of("flagged"), True),
]


@pytest.mark.parametrize(("kind", "prepare", "entry", "claims"), KINDS)
def test_only_the_one_to_act_gets_the_board(
    kind: str, prepare: Callable[[Match], Match], entry: LogEntry, claims: bool
) -> None:
    """The others get a note; when time is up, with buttons for what they may answer."""
    match = prepare(two())
    content = NoticeContent(match, log=(entry,), at=NOW)
    acting = match_notice(kind, match, 0, content)
    waiting = match_notice(kind, match, 1, content, named=f"{kind}/note")
    assert 'id="board"' in acting.html
    assert 'id="board"' not in waiting.html
    assert acting.kind == waiting.kind == kind
    assert ('href="reply:claim"' in waiting.html, 'href="reply:claim"' in acting.html) == (claims, False)
    for notice in (acting, waiting):
        assert "`" not in notice.text + notice.html
        assert "·" not in waiting.text


def test_one_reminder_is_about_all_matches() -> None:
    """It shows the first, and lists the others with their numbers, opponents and deadlines."""
    first = two()
    second = replace(first, id=23, folded=first.position)
    notice = reminder_notice([first, second], 0, NOW, Archive("https://a.example"))
    assert notice.subject.startswith("[pbem 17] ")
    assert "23" in notice.text
    assert " ".join(notice.text.split()).count("30 November") == notice.html.count("30 November") == 2
    assert "23" not in reminder_notice([first], 0, NOW, NO_ARCHIVE).text.replace("23 November", "")


def test_the_status_lists_what_waits_for_whom() -> None:
    """The reader's own turns come first, the most urgent on top; then those of others, out of time first."""
    base = two()
    urgent = replace(changed(base, since=NOW - 4 * DAY), id=21, folded=base.position)
    waiting = replace(three(), id=22)
    endless = replace(base, id=24, clock=None, folded=base.position)
    player = base.players[0]
    notice = status_notice(
        [endless, waiting, base, urgent],
        player,
        NOW,
        Archive("https://a.example"),
    )
    assert re.findall(r"Match (\d+), ", notice.text) == re.findall(r"matches/(\d+)", notice.html)
    assert re.findall(r"Match (\d+), ", notice.text) == ["21", "17", "24", "22"]
    assert notice.html.count("https://a.example/matches/") == 4
    assert max(len(row) for row in notice.text.splitlines() if "://" not in row) <= 64
    assert "·" not in notice.text
    assert "`" not in notice.text + notice.html


@pytest.mark.parametrize("archive", [NO_ARCHIVE, Archive("https://a.example")], ids=["none", "one"])
def test_the_status_of_hundreds_of_matches_has_a_bounded_size(archive: Archive) -> None:
    """Those that are due first, and then how many more there are, and where."""
    base = two()
    matches = [
        replace(changed(base, since=NOW - number % 97 * HOUR), id=1000 + number, folded=base.position)
        for number in range(300)
    ]
    player = base.players[0]
    fifty, whole = (status_notice(found, player, NOW, archive) for found in (matches[:50], matches))
    due = sorted(matches, key=lambda match: (deadline_of(match, at=NOW), match.id))
    for page in (whole.text, whole.html):
        assert [match.id for match in matches if re.search(rf"\b{match.id}[,<]", page)] == sorted(
            match.id for match in due[:50]
        )
        assert " 250 " in page
        assert page.count("`") == 0
    assert " 250 " not in status_notice(matches[:50], player, NOW, archive).text
    assert len(whole.text) < len(fifty.text) + 200
    assert whole.text.count("\n  https://a.example\n") == bool(archive.url)


def test_the_settings_tell_what_the_player_has_set() -> None:
    """Another text for each setting; an absence to come, and how it is ended."""
    match = two()
    plain = replace(match.players[0], calendar=Calendar())
    texts = {settings_notice(plain, NOW, 30).text}
    for calendar in (
        Calendar(zone="Europe/Lisbon"),
        Calendar(remind=()),
        Calendar(remind=(86400, 3600)),
        Calendar(quiet=(22, 7)),
        Calendar(automatic=False),
        Calendar(absences=(Absence(NOW + DAY, NOW + 3 * DAY),)),
        Calendar(absences=(Absence(NOW - DAY, NOW + 3 * DAY, "emergency"),)),
    ):
        texts.add(settings_notice(replace(plain, calendar=calendar), NOW, 30).text)
    texts.add(settings_notice(plain, NOW, 0).text)
    assert len(texts) == 9


def test_reasons_say_times_in_the_zone_of_their_reader() -> None:
    """Days stay what they are; a moment is said in the zone; without one the sentence does without."""
    until = because("not_flagged", name="Bob", until=NOW.isoformat())
    assert "13:30 (New York)" in str(explain(until, NEW_YORK))
    assert "18:30 (UTC)" in str(explain(until))
    assert "Bob" in str(explain(because("not_flagged", name="Bob", until="")))
    assert "no_claims" in _REASONS
    assert explain(because("no_claims", name="Bob", until="")).message == _REASONS["no_claims"]
    days = because("vacation_set", first="2026-08-03", last="2026-08-17", days=15, left=1, year="2026")
    said = str(explain(days, NEW_YORK))
    assert "Monday, 3 August" in said
    assert "Monday, 17 August" in said
    assert said != str(
        explain(because("vacation_set", first="2026-08-03", last="2026-08-17", days=15, left=2, year="2026"), NEW_YORK)
    )
    offer = str(explain(because("away_offer", first="2026-08-03", last="2026-08-17")))
    assert "`vacation 3 aug - 17 aug`" in offer
    steps = str(explain(because("remind_set", steps="1d 12h, 6h")))
    assert ("1 day and 12 hours" in steps, "6 hours" in steps) == (True, True)
    assert "New York" in str(explain(because("zone_set", zone="America/New_York")))


@pytest.mark.parametrize("zone", ["", "Europe/Lisbon", "America/Argentina/ComodRivadavia"])
def test_no_line_about_time_needs_a_mark(zone: str) -> None:
    """However dates and names fall into lines, none reads as a command when a reply quotes it."""
    position = two().position
    for days in range(0, 370, 15):
        at = NOW + timedelta(days=days, hours=days)
        for name in ("Ann", "Bo", "Maximiliane Wolkenstein"):
            base = on_clock(zipline(Entry(0, "c3"), Entry(1, "take"), names=(name, "Bob")))
            match = changed(living(living(base, 0, zone=zone), 1, zone=zone), since=at, turned_at=at)
            for one in (
                match,
                changed(match, halted="flagged", flagged_at=at),
                changed(match, since=None, halted="bounced", halted_at=at),
                changed(match, pause=(at, at + 10 * DAY)),
                changed(match, proposal=Proposal(at + 10 * DAY, (1,))),
                living(match, 0, absences=(Absence(at, at + 10 * DAY),)),
            ):
                for viewer in (0, 1):
                    text = tie_words(" ".join(describe_time(one, viewer, at)))
                    assert MARK not in wrap_safely(text, position), text
            told = describe_log(entry_of("absent", end=(at + 3 * DAY).isoformat()), match, 1, at)
            assert MARK not in wrap_safely(tie_words(" ".join(told)), position), told


@pytest.mark.parametrize(("days", "offered"), [(LONGEST_PAUSE, True), (LONGEST_PAUSE + 1, False)])
def test_no_pause_is_offered_that_would_be_refused(days: int, offered: bool) -> None:
    """Who reads of a vacation next summer can have no break up to its end."""
    told = describe_log(entry_of("absent", end=(NOW + days * DAY).isoformat()), two(), 1, NOW)
    assert any("`pause until" in sentence for sentence in told) == offered


def test_what_ends_absences_is_said_once_for_all_of_them() -> None:
    """Two vacations end with one `back`, so neither seems to have one of its own."""
    ahead = tuple(Absence(NOW + day * DAY, NOW + (day + 2) * DAY) for day in (5, 20))
    for absences in (ahead[:1], ahead):
        player = living(two(), 0, absences=absences).players[0]
        assert sum("`back`" in said for said in describe_settings(player, NOW, 30)) == 1
