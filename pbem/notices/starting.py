"""Renders the emails about matches that are proposed: invitations, questions, and lists of offers. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from markupsafe import Markup

from pbem.clubs.reliability import Reliability
from pbem.commands.families.starting import plain_name
from pbem.log.redaction import without_domains
from pbem.mail.archive_paths import ABOUT_PAGE, Archive, rules_page
from pbem.mail.compose import Notice
from pbem.match.invitation import Invitation
from pbem.match.player import Player
from pbem.match.preferences import Display
from pbem.match.time.time_control import read_time_control
from pbem.notices.board_block import RenderedBoard, renderings_of
from pbem.notices.ladders import Defended, LadderTold
from pbem.notices.render import plain_notice
from pbem.notices.sentences.contests.reasons_about_ladders import LADDERS, REFUSED_IN_LADDERS
from pbem.notices.sentences.contests.reasons_about_leagues import LEAGUE_REFUSED, LEAGUES
from pbem.notices.sentences.match import as_typed, describe_seats
from pbem.notices.sentences.moments import say_day
from pbem.notices.sentences.options import say_options
from pbem.notices.sentences.ratings import describe_reliability
from pbem.notices.sentences.reasons import say
from pbem.notices.sentences.reasons_about_starting import REFUSED
from pbem.notices.sentences.time import list_pace
from pbem.notices.wrapping import quote_words
from pbem.reading.reason import Reason
from rules.game import VERSION, Option
from rules.games import GAMES
from rules.phrase import Language, phrase, phrases

_INVITING = frozenset({"new", "pair", "again", "join"})
"""The first words of wishes beside which people write to others."""

_TOPICS = (("ladders", LADDERS.keys()), ("leagues", LEAGUES.keys()))
"""What an answer is about, by its sentences."""

_OF_LINES = (
    "line_refused",
    "line_refused_for",
    "line_over",
    "line_rolls",
    "line_too_long",
    "no_such_entry",
    "tree_full",
)
_REFUSED = {*REFUSED, *REFUSED_IN_LADDERS, *LEAGUE_REFUSED, *_OF_LINES}


class GameRow(NamedTuple):
    """A game, as a list of all shows it; ``command`` is an example of how to start it."""

    title: str
    summary: str
    seats: str
    command: str


class OptionsRow(NamedTuple):
    """The options of a game, each as it is unless it is chosen, with what it decides and can be."""

    title: str
    options: list[str]


class OfferRow(NamedTuple):
    """A match that is offered, as a list shows it; ``command`` is what to write about it."""

    number: int
    game: str
    setting: str
    name: str
    places: str
    until: str
    command: str
    both: bool
    again: bool


def invitation_notice(
    kind: str,
    invitation: Invitation,
    inviter: Player,
    player: Player | None,
    archive: Archive,
    language: Language,
    *,
    acquainted: bool,
    words: str,
    now: datetime,
    defended: Defended | None = None,
) -> Notice:
    """Return the invitation of ``inviter`` to ``player``, None for a stranger, with ``words`` of theirs.

    ``acquainted``: they know each other. A challenge is for the place of ``player`` that is ``defended``.
    """
    display = player.preferences.display if player else "html"
    board = _draw_board(invitation, display, language)
    goal = invitation.game.summary
    return plain_notice(
        kind,
        language,
        goal=goal.said(language) if goal else "",
        board_text=board.text,
        board_html=Markup(board.html),
        board_style=Markup(board.style),
        name=without_domains(inviter.name) if acquainted else name_to_strangers(inviter, language),
        you=player.name if player else "",
        game=invitation.game.title,
        setting=describe_setting(invitation, language),
        others=len(invitation.guests) - 2,
        robots=len(invitation.robots),
        both=invitation.both,
        again=invitation.kind == "again",
        ladder=defended.ladder if defended else "",
        title=defended.title if defended else "",
        place=defended.place if defended else 0,
        words=quote_words(words),
        until=say_day(invitation.expires_at.date(), now).said(language),
        rules=archive.address(rules_page(invitation.game.key)),
        about=archive.address(ABOUT_PAGE),
    )


def start_question(
    kind: str, player: Player | None, name: str, wishes: Sequence[str], archive: Archive, language: Language
) -> Notice:
    """Return the question to a player whether ``wishes`` are theirs, or to a stranger whether they want to play.

    A stranger reads nothing that others may have written, but for a ``name`` of letters.
    """
    you = player.name if player else ""
    told = {"wishes": wishes, "wants": bool(wishes), "invites": any(one.split()[0] in _INVITING for one in wishes)}
    about = archive.address(ABOUT_PAGE)
    return plain_notice(kind, language, you=you, name=name, **told, about=about)


def offers_notice(
    kind: str,
    player: Player,
    told: Sequence[Reason],
    lists: Sequence[Sequence[Invitation]] | None,
    names: Mapping[int, str],
    reliability: Mapping[int, Reliability],
    language: Language,
    *,
    helps: bool,
    games: bool,
    seats: bool,
    now: datetime,
    ladders: Sequence[LadderTold] = (),
) -> Notice:
    """Return what came of what a player asked for; ``lists``: invitations, offers of others, their own.

    ``seats``: they asked for something about these alone. ``reliability`` is that of those who offer matches.
    """
    shown = lists is not None
    invited, offers, own = (
        [_row(one, player, names, reliability, word, now, language) for one in part]
        for word, part in zip(("join", "join", "cancel"), lists or ((), (), ()), strict=True)
    )
    return plain_notice(
        kind,
        language,
        you=player.name,
        welcome=any(one.code == "welcome" for one in told),
        refused=not (shown or helps or games or ladders) and all(one.code in _REFUSED for one in told),
        told=[say(one, language) for one in told],
        listed=shown,
        invited=invited,
        offers=offers,
        own=own,
        helps=_list_options(language) if helps else [],
        games=_list_games(language) if games else [],
        seats=seats,
        ladders=ladders,
        topic="ladders"
        if ladders
        else next((topic for topic, codes in _TOPICS if not codes.isdisjoint(one.code for one in told)), ""),
    )


def _list_options(language: Language) -> list[OptionsRow]:
    """Return a row for every game in which there is something to choose."""
    return [
        OptionsRow(game.title, [_explain(option, language) for option in options])
        for game in GAMES.values()
        if (options := [option for option in game.options if len(option.values) > 1])
    ]


def _explain(option: Option, language: Language) -> str:
    """Return an option as it is typed, with the values it can have and what it decides."""
    typed = f"`{option.key}={as_typed(option.default)}`"
    return f"{typed} ({option.allowed.said(language)}), {phrase(option.help).said(language)}"


def _list_games(language: Language) -> list[GameRow]:
    """Return a row for every game."""
    return [
        GameRow(
            game.title,
            game.summary.said(language) if game.summary else "",
            describe_seats(game, language),
            f"new {game.key} bob@example.org",
        )
        for game in GAMES.values()
    ]


def _row(
    one: Invitation,
    player: Player,
    names: Mapping[int, str],
    reliability: Mapping[int, Reliability],
    word: str,
    now: datetime,
    language: Language,
) -> OfferRow:
    """Return the row of a match that is offered; beside the name of whoever offers it stands how reliable they are."""
    name = without_domains(names.get(one.inviter, ""))
    if known := reliability.get(one.inviter):
        name = phrase("{name} ({reliability})", name=name, reliability=describe_reliability(known)).said(language)
    places = [phrases("one place is free", "{count} places are free", len(one.awaited))] if one.kind == "open" else []
    robots = [phrases("with a robot", "with {count} robots", len(one.robots))] if one.robots else []
    return OfferRow(
        one.id,
        one.game.title,
        describe_setting(one, language),
        name if one.inviter != player.id else "",
        ", ".join(said.said(language) for said in (*places, *robots)),
        say_day(one.expires_at.date(), now).said(language),
        f"{word} {one.id}",
        one.both,
        one.kind == "again",
    )


def name_to_strangers(inviter: Player, language: Language) -> str:
    """Return the name of a player for somebody who does not know them: they may not say anything by it."""
    first, _, number = inviter.name.rpartition(" ")
    plain = plain_name(inviter.name) or (plain_name(first) and number.isdigit() and inviter.name)
    return plain or phrase("A player").said(language)


def describe_setting(invitation: Invitation, language: Language) -> str:
    """Return what a match is played with, to whoever may not know the options of its game: "9 × 9, 3 days a move"."""
    control, chosen = read_time_control(invitation.options)
    read = [(option, option.read(chosen.get(option.key, option.default))) for option in invitation.game.options]
    told = [*say_options((option, value) for option, value in read if option.words or value != option.default)]
    told += [phrase("no time limit")] if control is None else list_pace(control)
    told += [phrase("rated")] if invitation.rated else []
    if least := invitation.reliable:
        told.append(phrase("for players at least {least} percent reliable", least=least))
    return ", ".join(one if isinstance(one, str) else one.said(language) for one in told)


def _draw_board(invitation: Invitation, display: Display, language: Language) -> RenderedBoard:
    """Return the board that a match begins with."""
    _, chosen = read_time_control(invitation.options)
    position = invitation.game.restore(len(invitation.guests), {VERSION: invitation.game.version, **chosen})
    return renderings_of(position, language).render(display, acting=False)
