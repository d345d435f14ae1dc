"""The page of a ladder: who stands where, who challenges whom, and what has happened."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup, escape

from pbem.archive.contests.parts import LATEST, Moment, People, link_player, name_player, take_latest
from pbem.archive.lists.contest_lines import LadderLine
from pbem.archive.pages import address_links, template, without_addresses, write_if_changed
from pbem.archive.way_in import WayIn
from pbem.clubs.contest import Contest, ContestEvent, ContestResult
from pbem.clubs.ladder import Challenge, Ladder, LadderRow, Rung, show_ladder
from pbem.clubs.ratings import Ratings
from pbem.mail.archive_paths import contest_page, match_page
from pbem.match.stints import robot_name
from pbem.notices.ladders import title_of
from pbem.notices.sentences.ratings import write_rating
from rules.phrase import phrase


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A place: who stands there, and who plays for it, in a match or, without one, after an answer ``until`` a day."""

    place: int
    player: Markup
    rating: str
    rival: Markup | str = ""
    match: str = ""
    page: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder as its page shows it; ``people`` is how many stand in it, ``leader`` who stands first."""

    number: int
    name: str
    title: str
    game: str
    key: str
    paused: bool
    people: int
    leader: str
    places: tuple[LadderPlace, ...]
    players: tuple[tuple[int, LadderLine], ...]
    moments: tuple[Moment, ...]

    @property
    def latest(self) -> str:
        """The day of what happened last."""
        return self.moments[0].day if self.moments else ""


def view_ladder(
    contest: Contest,
    ladder: Ladder,
    events: Iterable[ContestEvent],
    results: Iterable[ContestResult],
    people: People,
    ratings: Ratings,
    hidden: Collection[int],
) -> LadderView:
    """Return a ladder as its page shows it; ``hidden`` are the numbers of private matches."""
    rows = show_ladder(ladder, hidden)
    return LadderView(
        contest.id,
        contest.name,
        title_of(contest),
        contest.game.title,
        contest.game.key,
        ladder.is_paused,
        len(ladder.people),
        _name(rows[0].rung, people) if rows else "",
        tuple(_view_place(row, contest, people, ratings) for row in rows),
        tuple(
            (row.rung.player, LadderLine(title_of(contest), f"../{contest_page(contest.id)}", row.place, len(rows)))
            for row in rows
            if row.rung.player is not None
        ),
        take_latest([*_tell_events(events, ladder, people), *_tell_results(results, ladder, people, hidden)]),
    )


def write_ladder(view: LadderView, directory: Path, head: str, way_in: WayIn) -> int:
    """Write the page of a ladder; return how many files are new. Raises OSError."""
    text = template("ladder.html").render(head=head, ladder=view, moments=view.moments[:LATEST], way_in=way_in)
    page = address_links(without_addresses(text), way_in.host)
    return write_if_changed(directory / contest_page(view.number), page.encode())


def _view_place(row: LadderRow, contest: Contest, people: People, ratings: Ratings) -> LadderPlace:
    """Return a place as the page shows it."""
    number, one = row.rung.player, row.defends
    player = link_player(number, people) if number is not None else escape(robot_name(row.rung.robot))
    rating = ratings.of(number) if number is not None else None
    rated = write_rating(rating) if rating else ""
    if one is None:
        return LadderPlace(row.place, player, rated)
    rival = link_player(one.player, people)
    if one.match is not None:
        title, page = f"{contest.game.title} {one.match}", f"../{match_page(one.match)}"
        return LadderPlace(row.place, player, rated, rival, title, page)
    return LadderPlace(row.place, player, rated, rival, until=f"{one.until:%Y-%m-%d}" if one.until else "")


def _tell_events(events: Iterable[ContestEvent], ladder: Ladder, people: People) -> Iterator[Moment]:
    """Yield what has happened in a ladder beside its matches, but for what was taken back."""
    for event in events:
        name = name_player(event.player, people)
        one = ladder.challenges.get(event.id if event.kind == "challenged" else event.arguments.get("challenge", 0))
        other = _name(one.rung, people) if one else ""
        match event.kind:
            case "entered":
                told = phrase("{name} enters the ladder.", name=name)
            case "left" | "removed":
                told = phrase("{name} leaves the ladder.", name=name)
            case "challenged" if one:
                told = phrase("{name} challenges {other}.", name=name, other=other)
            case "taken" if one:
                told = phrase("{name} gets the place of {other} without a match.", name=name, other=other)
            case "sank":
                told = phrase("{name} hasn’t played for three months, and goes to the end.", name=name)
            case "paused":
                told = phrase("The ladder is paused.")
            case "resumed":
                told = phrase("The ladder goes on.")
            case _:
                continue
        if event.undone_at is None:
            yield Moment(f"event-{event.id}", event.at, str(told))


def _tell_results(
    results: Iterable[ContestResult], ladder: Ladder, people: People, hidden: Collection[int]
) -> Iterator[Moment]:
    """Yield how the matches of a ladder ended that count."""
    for result in results:
        number, one = result.place.match, ladder.challenges.get(result.place.event)
        if one and number and number not in hidden and result.over_at and not result.void and result.standing:
            winners = result.standing.winners or ()
            yield Moment(f"match-{number}", result.over_at, _tell_result(one, winners, people), number)


def _tell_result(one: Challenge, winners: Collection[int], people: People) -> str:
    """Return how the match of a challenge ended; whoever challenged has the first seat in it."""
    names = {"name": name_player(one.player, people), "other": _name(one.rung, people)}
    if len(winners) != 1:
        return str(phrase("{name} and {other} draw.", **names))
    if 0 in winners:
        return str(phrase("{name} beats {other}.", **names))
    return str(phrase("{other} beats {name}, who challenged.", **names))


def _name(rung: Rung, people: People) -> str:
    """Return the name of whoever stands at a place."""
    return name_player(rung.player, people) if rung.player is not None else robot_name(rung.robot)
