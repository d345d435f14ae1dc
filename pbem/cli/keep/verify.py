"""The command that checks a record: what is proven, what to compare, and what no record can show.

With --robots, what robots thought in a record is thought again, and their moves are compared.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import output
from pbem.errors import BadFile, BadInput, PbemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.position import Outcome
    from rules.record import Record

_LONGEST = 5_000_000  # bytes; the record of a long match has 50,000
_LONGEST_NAME, _LONGEST_WORDS = 80, 210  # characters that are shown
_SEATS = re.compile(r"[1-9]\d?(?: [1-9]\d?)*", re.ASCII)


def verify(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record that export wrote; - reads standard input.")],
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="The key of its host: fail unless it signed the record."),
    ] = None,
    robots: Annotated[
        bool, typer.Option("--robots", help="Think again what robots have thought: a minute for some moves.")
    ] = False,
) -> None:
    """Check a record: replay its moves, work out its rolls again, check its signature, and list what to compare.

    A host's key is on the first page of its archive; players also get it when they reply “help dice”.
    """
    from pbem.match.endings import ruled_outcome
    from pbem.match.fair_rolls import verify_rolls
    from pbem.match.signature import normal_key, signing_key
    from rules.errors import RulesError, quote
    from rules.game import replay
    from rules.games import GAMES
    from rules.record import read_record

    try:
        wanted = "" if key is None else normal_key(key)
    except ValueError as error:
        raise BadInput(
            f"{quote(key or '', 60)} is not a key: a key has 44 characters of Base64 and ends in “=”."
        ) from error
    name = "standard input" if file == "-" else file
    try:
        record = read_record(output.read_bytes(file, _LONGEST).decode())
        if record.game not in GAMES:
            raise BadFile(f"{name} is a record of {quote(record.game)}, a game that isn't known here.")
        checked = verify_rolls(record)
        position = replay(GAMES[record.game], seats=record.seats, options=record.options, record=record.entries)
        ruled, outcome = ruled_outcome(record), position.outcome()
        if ruled and outcome:
            raise BadFile(f"{name}: it announces a ruling, but its moves have ended the match: {outcome.reason}.")
        outcome = ruled or outcome
        _compare_result(record, outcome, name)
        rolls = sum(entry.seat is None for entry in record.entries)
        if rolls and checked is None and outcome:
            raise BadFile(f"{name}: it has rolls, but not the secret that they follow from (a line “secret: …”).")
        thought = _think_again(record, name) if robots else ""
        compared = list(_list_compared(record))
        signed_with = signing_key(record)
    except UnicodeDecodeError as error:
        raise BadFile(f"{name} is not a record: it is not UTF-8 text.") from error
    except RulesError as error:
        raise BadFile(f"{name}: {error}") from error
    if wanted and signed_with != wanted:
        found = f"signed with the key {signed_with}, not" if signed_with else "not signed, so not"
        raise BadFile(f"{name}: it is {found} with {wanted}.")

    typer.echo(_describe_replay(record, outcome))
    if ruled:
        agreed = record.notes["ruling"] == "agreed"
        by = "an agreement of its players" if agreed else "a decision of its host"
        typer.echo(f"Its result is {by}: no move proves it.")
    for sentence in _describe_rolls(record, rolls, checked):
        typer.echo(sentence)
    if thought:
        typer.echo(thought)
    typer.echo(_describe_signature(signed_with, wanted, "" if wanted else _own_key(context)))
    if compared:
        typer.echo("\nCompare, with the emails of the match or its page in the archive:")
    output.print_fields([*compared, ("key", signed_with)])
    typer.echo(
        "\nNo record can show that its players are different people, and that none of them is the host"
        + ("." if outcome else ", or whether the match has gone on since.")
    )


def _think_again(record: "Record", name: str) -> str:
    """Return what comes of thinking again what robots have thought. Raise BadFile for moves that none thinks."""

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty():
            typer.echo(f"\r{done} of {total} moves", err=True, nl=done == total)

    if not record.notes.get("robots"):
        raise BadInput(f"{name} is the record of a match in which no robot has played.")
    found = think_again(record, show)
    if found is None:
        return "What its robots thought can be checked when the match is over and the secret is published."
    if found.wrong:
        entries = f"Entry {found.wrong[0]} is" if len(found.wrong) == 1 else f"{len(found.wrong)} entries are"
        first = "" if len(found.wrong) == 1 else f", the first of them entry {found.wrong[0]}"
        raise BadFile(f"{name}: {entries} not what its robot thinks{first}.")
    told = f"All {found.same} moves of robots are what they think, by the secret."
    if found.same == 1:
        told = "The only move of a robot is what it thinks, by the secret."
    elif not found.same:
        told = "Its robots have made no move."
    told += f" {found.weaker} of them a weaker one has made, for want of time." if found.weaker else ""
    return told + (f" {found.former} of them are as robots of an earlier version think." if found.former else "")


def _compare_result(record: "Record", outcome: "Outcome | None", name: str) -> None:
    """Compare the result that a record announces with that of its moves. Raise BadFile for another one."""
    from pbem.match.endings import winners_note
    from rules.errors import quote

    announced, found = record.notes.get("winners"), winners_note(outcome)
    if announced != found:
        wrong = f"it announces {_describe_winners(announced)}, but its moves lead to {_describe_winners(found)}"
        raise BadFile(f"{name}: {wrong}.")
    if outcome and record.notes.get("reason", outcome.reason) != outcome.reason:
        raise BadFile(
            f"{name}: it announces {quote(record.notes['reason'])}, but its moves lead to “{outcome.reason}”."
        )


def _describe_winners(seats: str | None) -> str:
    """Return winners, as a record notes them, in words."""
    from rules.errors import quote
    from rules.text import listed

    if seats is None or seats == "nobody":
        return "no winner" if seats else "no result yet"
    if not _SEATS.fullmatch(seats):
        return f"{quote(seats)} as winners"
    return f"a win of seat{'s' if ' ' in seats else ''} {listed(seats.split())}"


def _describe_replay(record: "Record", outcome: "Outcome | None") -> str:
    """Return what was played, how it ended, and that all of it follows from the rules."""
    from pbem.match.endings import winners_note

    result = _describe_winners(winners_note(outcome)) + (f" ({outcome.reason})" if outcome else "")
    entries = output.counted(len(record.entries), "entry", "entries")
    return f"{record.game}, {record.seats} players, {entries}: {result}. Every move is legal."


def _describe_rolls(record: "Record", rolls: int, checked: int | None) -> Iterator[str]:
    """Yield what is known about the rolls of a record: that they follow from the secret, and on what they depend."""
    if not rolls:
        return
    if checked is None:
        its = "Its only roll" if rolls == 1 else f"Its {rolls} rolls"
        yield f"{its} can be checked when the match is over and the secret is published."
    elif checked == 1:
        yield "Its only roll follows from the secret, whose SHA-256 is the commitment."
    else:
        yield f"All {checked} rolls follow from the secret, whose SHA-256 is the commitment."
    if not any(_read_seeds(record)):
        yield "Nobody mixed in words of their own, so the rolls depend on the host's secret alone."


def _describe_signature(signed_with: str | None, wanted: str, own: str) -> str:
    """Return what the signature proves to somebody who gave the key ``wanted``, or whose own service has ``own``."""
    if signed_with is None:
        return (
            "WARNING: it is not signed, so it doesn't prove who played what, or when: once the secret is published,"
            " anyone can write such a record, with the right rolls. Ask its host for a signed one."
        )
    signed = "The signature is good: nothing has changed since it was signed with the key below"
    if wanted:
        return f"{signed}, which is the one you gave."
    if own == signed_with:
        return f"{signed}, which is that of your own service."
    other = f", which is not that of your own service ({own})" if own else ""
    return (
        f"{signed}{other}. Anyone can make a key: compare it with the one on the first page of the host's archive,"
        " or in the host's answer to “help dice”."
    )


def _list_compared(record: "Record") -> Iterator[tuple[str, str]]:
    """Yield what a reader compares with what they know from elsewhere. Raise InvalidRecord for a wrong number."""
    from pbem.match.fair_rolls import number_of
    from pbem.match.records import fingerprint_of
    from rules.errors import quote

    notes = record.notes
    days = "".join(f", {word} {quote(notes[word])}" for word in ("opened", "over") if word in notes)
    if "match" in notes:
        yield "match", f"{number_of(record)}{days}"
    for seat in range(record.seats):
        if name := notes.get(f"player {seat + 1}"):
            yield f"seat {seat + 1}", quote(name, _LONGEST_NAME)
    if robots := notes.get("robots"):
        yield "robots", f"{quote(robots, _LONGEST_WORDS)} (other moves are taken for those of people)"
    if "match" in notes:
        yield (
            "check code",
            f"{fingerprint_of(record)} (after the last entry; it catches slips, but no forger)",
        )
    if commitment := notes.get("commitment"):
        yield "commitment", f"{quote(commitment, _LONGEST_NAME)[1:-1]} (the hash of the secret)"
    for seat, words in enumerate(_read_seeds(record), 1):
        if words:
            yield f"salt {seat}", quote(words, _LONGEST_WORDS)


def _read_seeds(record: "Record") -> list[str]:
    """Return the player seeds of a record, in the order of seats; an empty text for each that is not there."""
    return [record.notes.get(f"salt {seat + 1}", "") for seat in range(record.seats)]


def _own_key(context: typer.Context) -> str:
    """Return the key of the service whose settings are here, if there are any: records are checked anywhere."""
    from pbem.match.signature import public_key

    try:
        secret = output.load_settings(context).secret
    except PbemError:
        return ""
    return public_key(secret) if secret else ""


@dataclass(frozen=True, slots=True)
class Rethought:
    """How many moves of robots are what robots think: ``weaker`` ones of a lower strength, ``former`` ones before.

    ``wrong`` are the numbers, from 1, of entries that no robot thinks.
    """

    same: int
    weaker: int
    former: int
    wrong: tuple[int, ...]


def think_again(record: "Record", on_thought: "Callable[[int, int], None]") -> Rethought | None:
    """Return what comes of thinking again; None for a record without the secret that thoughts follow from.

    ``on_thought`` is called with how many moves have been thought about, and of how many. Raise InvalidRecord for notes
    that no pbem writes.
    """
    from pbem.match.fair_rolls import fair_rolls_of
    from pbem.match.stints import stints_of
    from pbem.robots.thinking import choose, versions_of
    from rules.game import VERSION
    from rules.games import GAMES
    from rules.position import EXIT_WORDS

    stints, rolls = stints_of(record), fair_rolls_of(record)
    if rolls is None:
        return None
    moves = [
        (ply, entry, stint.strength)
        for ply, entry in enumerate(record.entries)
        for stint in stints
        if entry.seat is not None and stint.covers(entry.seat, ply) and entry.text not in EXIT_WORDS
    ]
    options = GAMES[record.game].normalise({VERSION: 1, **record.options})  # a record has them as they are written
    versions, same, weaker, former, wrong = versions_of(record.game), 0, 0, 0, list[int]()
    for count, (ply, entry, full) in enumerate(moves, 1):
        assert entry.seat is not None
        seed, before = rolls.thought_seed(ply, entry.seat), record.entries[:ply]
        # One that was not done in time was replaced by a weaker one; and matches outlive the robots that began them.
        for strength, version in product(range(full, 0, -1), versions):
            thought = choose(record.game, record.seats, options, before, strength, seed, version)
            if thought.move == entry.text:
                same, weaker, former = same + 1, weaker + (strength < full), former + (version < versions[0])
                break
        else:
            wrong.append(ply + 1)
        on_thought(count, len(moves))
    return Rethought(same, weaker, former, tuple(wrong))
