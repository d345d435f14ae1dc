"""Sends the Sunday letters: a few at a time, so that turns that come meanwhile are told between them."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import zip_longest
from typing import TypeVar

from pbem.asking.may_ask import marks_of
from pbem.clubs.week import Week, next_letter, saturday_before
from pbem.due.letter.readers import Circle, Reader, list_circles, list_players, list_readers
from pbem.due.letter.reading import Told, read_week
from pbem.due.listed_matches import enqueue_listing
from pbem.errors import DamagedMatch, DamagedRow
from pbem.log.logbook import event
from pbem.mail.archive_paths import contest_page, match_page
from pbem.mail.compose import Notice
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.match.summary import MatchSummary
from pbem.notices.ladders import title_of
from pbem.notices.letter.email import MOST_SHOWN, MOST_TOLD, News, Part, Shown, letter_notice
from pbem.notices.letter.sentences import lay_division, lay_ladder, tell_own, tell_result, tell_swing, tell_waiting
from pbem.notices.sentences.contests.leagues import title_league
from pbem.pipeline.act import Act, Cause
from pbem.storage.due import LETTERS_DUE, SWING_DUE
from rules.phrase import phrase

log = logging.getLogger("pbem")

Item = TypeVar("Item")

AT_A_TIME = 20
"""Letters in a transaction."""

PAUSE = timedelta(seconds=30)
"""After each transaction: emails about turns go out first, and providers don’t take fright."""

_LOOK, _WEEK = timedelta(days=1), timedelta(days=7)


def send_letters(act: Act, _: int) -> None:
    """Queue the next letters that are due, and schedule when it is looked again; on Saturdays, let robots look back.

    Where there is no contest there are no letters, until one begins.
    """
    circles = list_circles(act.tx)
    players = list_players(act.tx, circles)
    readers = list_readers(act.tx, circles, players, act.now)
    desk = _Desk(act)
    written, left = 0, list(reversed(readers))
    while left and written < AT_A_TIME:
        reader = left.pop()
        try:
            letter = desk.write(reader)
        except Exception:  # a bug, or damage, takes nobody else's letter
            log.exception("no letter to player %d", reader.player.id, extra=event("no_letter", player=reader.player.id))
            continue
        if letter:
            _queue(act, reader, *letter)
            written += 1
    saturday = saturday_before(act.now)
    if act.now - saturday < _LOOK and act.site.robots:
        for contest in sorted({one.contest.id for each in circles.values() for one in each}):
            act.tx.due.hasten(SWING_DUE, contest, act.now)
    moments = [next_letter(act.now, player.calendar) for player in players]
    moments += [act.now + PAUSE] if left else []  # whoever has no news is not waited for
    if act.tx.contests.all():
        following = min(*moments, act.now + _LOOK, saturday + _WEEK)
        act.tx.due.schedule(LETTERS_DUE, 0, following)


def _queue(act: Act, reader: Reader, notice: Notice, own: Sequence[Match]) -> None:
    """Queue a letter, which is answered like a digest."""
    enqueue_listing(act.because(Cause(f"{reader.key} {reader.player.id}")), notice, reader.player, own, key=reader.key)


class _Desk:
    """Where letters are written: what is told to several is read once."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._told = dict[tuple[int, int, Week], Told | None]()
        self._matches = dict[int, Match | None]()

    def write(self, reader: Reader) -> tuple[Notice, list[Match]] | None:
        """Return the letter to a reader, and the matches that it lists; None where there is nothing to tell."""
        act, player = self._act, reader.player
        read = ((circle, self._read(circle, reader.week)) for circle in reader.circles)
        found = [(circle, told) for circle, told in read if told and told.has_news]
        if not found:
            return None
        parts = [self._describe(circle, told, player) for circle, told in found]
        numbers = {one.id for _, told in found for one in told.running}
        own = act.tx.matches.all(sorted(numbers), player=player.id, running=True) if numbers else []
        shown = list(self._choose_shown([told for _, told in found], player))
        notice = letter_notice(player, parts, shown, own, act.now, act.site.archive, act.site.language)
        return notice, own

    def _read(self, circle: Circle, week: Week) -> Told | None:
        """Return what there is to tell of a circle; None of a damaged one."""
        key = circle.contest.id, circle.division, week
        if key not in self._told:
            try:
                self._told[key] = read_week(self._act, circle, week)
            except DamagedRow as damaged:
                log.error("no letter tells of %s: %s", circle.contest.name, damaged, extra=event("damaged"))
                self._told[key] = None
        return self._told[key]

    def _describe(self, circle: Circle, told: Told, player: Player) -> Part:
        """Return what a player is told of a circle."""
        now, language = self._act.now, self._act.site.language
        season = circle.league.season if circle.league else None
        if season and circle.league:
            title = phrase("{league} league", league=title_league(circle.league))
            table = lay_division(season, circle.division, told.rows, told.places, told.names, player.id, language)
        else:
            title = phrase("{title} ladder", title=title_of(circle.contest))
            table = lay_ladder(circle.contest, told.rungs, told.names, player, now, language)
        results = [self._news(one, tell_result(one, language)) for one in told.ended[-MOST_TOLD:]]
        others = [one for one in told.running if not _waits_for(one, player)]
        turns = [(one, tell_waiting(one, player.calendar, now, language)) for one in others]
        turns = [(one, said) for one, said in turns if said]
        return Part(
            title.said(language),
            tell_own(table, language),
            table,
            tuple(results),
            len(told.ended) - len(results),
            tuple(self._news(one, said) for one, said in turns[:MOST_TOLD]),
            max(0, len(turns) - MOST_TOLD),
            tell_swing(*told.swing, language) if told.swing else "",
            self._act.site.archive.address(contest_page(circle.contest.id, season.number if season else None)),
        )

    def _news(self, match: MatchSummary, text: str) -> News:
        """Return news of a match that anybody may read."""
        archive = self._act.site.archive
        return News(text, archive.address(match_page(match.id)) if archive.url else "")

    def _choose_shown(self, all_told: Sequence[Told], player: Player) -> Iterator[Shown]:
        """Yield the matches that a player is shown, of each contest one in turn: first those with words."""
        chosen = set[int]()
        for saying in _in_turn(told.sayings for told in all_told):
            if len(chosen) < MOST_SHOWN and saying.match not in chosen:
                match = self._match(saying.match)
                if match and saying.ply <= match.ply and self._may_read(player, match.players[saying.seat]):
                    chosen.add(saying.match)
                    yield Shown(match, saying)
        for number in _in_turn(told.unsaid for told in all_told):
            if len(chosen) < MOST_SHOWN and number not in chosen and (match := self._match(number)):
                chosen.add(number)
                yield Shown(match)

    def _match(self, number: int) -> Match | None:
        """Return a match; None for a damaged one."""
        if number not in self._matches:
            try:
                self._matches[number] = self._act.tx.matches.get(number)
            except DamagedMatch:
                self._matches[number] = None
        return self._matches[number]

    def _may_read(self, player: Player, writer: Player) -> bool:
        """Return whether somebody is shown the words of another: of nobody who is blocked, by them or the operator."""
        refused = self._act.tx.invitations.refuses(player.id, marks_of(writer, self._act.site.secret))
        return not refused and not self._act.tx.blocked.among(writer.emails) and writer.has_mail


def _waits_for(match: MatchSummary, player: Player) -> bool:
    """Return whether it is the turn of a player in a match."""
    seat = match.standing.to_act
    return seat is not None and match.players[seat].id == player.id


def _in_turn(lists: Iterable[Iterable[Item]]) -> Iterator[Item]:
    """Yield the first one of each list, then the second ones, and so on."""
    for some in zip_longest(*lists):
        yield from (one for one in some if one is not None)
