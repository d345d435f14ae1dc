"""What holds for every game in GAMES, whatever it is."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from time import process_time
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import IllegalMove, InvalidOption, RulesError
from rules.game import ORDER, VERSION, Game, advance, replay
from rules.games import GAMES
from rules.phrase import Event, Phrase, phrase
from rules.position import EXIT_WORDS, Chance, Choice, Entry, Outcome, Position
from rules.record import Record, read_record, write_record
from rules.view import Mark
from tests.support.each import each
from tests.support.examples import examples
from tests.support.walks import LONGEST, Case, every_case, walk

CASES = every_case()
every = each("case", CASES, ids=str)
quick = examples(100)

WORDS = ["a1", "B2", "c3", "d45", "9z", "take", "pass", "roll", "store", "use", "n1", "xb2", "-", ",", "½", "\0", "x"]
JUNK = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=12).map("".join),
)
NASTY = ["", " ", "\0", "a" * 100_000, "a1 " * 30_000, "9" * 100_000, "a" + "9" * 100_000, "\u0661\u0662", "a\u0661"]
NASTY += ["ａ１", "\ud800", "🂡" * 1000, "a1\n" * 1000, "a " * 50_000, "a" + " " * 100_000 + "b", "x" * 50_000 + "."]


def waypoints(case: Case, seed: int = 1) -> list[Position[Any]]:
    """Return some positions of a random match, in which a seat is to act: early, halfway and late ones."""
    acting = [position for position in walk(case, seed).positions if isinstance(position.to_act, int)]
    return acting[:3] + acting[len(acting) // 2 :: 40] + acting[-2:]


def snapshot(position: Position[Any]) -> tuple[object, ...]:
    """Return all that a position tells, to compare it with later."""
    seats = range(len(position.roles()))
    return (
        repr(position),
        position.to_act,
        position.outcome(),
        position.roles(),
        position.departed(),
        position.view(),
        [(position.side(seat), position.objective(seat)) for seat in seats],
    )


def is_legal(position: Position[Any], text: str) -> bool:
    """Say whether ``text`` is accepted as a move."""
    try:
        position.play(position.parse(text))
    except RulesError:
        return False
    return True


def read_by_everybody(event: Event) -> tuple[Phrase, Phrase]:
    """Return how an event is told to the one who did it, and to the others, who know them as Ann."""
    return event.you, event.others if event.seat is None else event.others.about(name="Ann")


def told(position: Position[Any]) -> Iterator[Phrase]:
    """Yield all sentences that players can read about a position, as it stands."""
    view = position.view()
    yield from (*view.captions, *(view.spoken or ()), *view.standing, *(words for words, _ in view.choices))
    for piece in view.pieces:
        yield from (piece.name, *([piece.plural] if piece.plural else []))
    for seat in range(len(position.roles())):
        brief = position.objective(seat)
        yield from (part for part in (brief.goal, brief.turn, brief.decisive, brief.reminder) if part)
    if isinstance(position.to_act, int):
        yield position.prompt().instruction
        answers = (*position.suggestions(), *position.answers_like(position.prompt().example[:2]))
        yield from (choice.effect for choice in answers if choice.effect)
    if (outcome := position.outcome()) and outcome.story:
        yield from read_by_everybody(outcome.story)


def happened(before: Position[Any], entry: Entry) -> Iterator[Phrase]:
    """Yield all sentences that players can read about an entry of the record."""
    events: tuple[Event, ...] = ()
    if entry.seat is None:
        events = before.describe_roll(int(entry.text))
    elif entry.text not in EXIT_WORDS:
        events = (before.describe(before.parse(entry.text)),)
    for event in events:
        yield from read_by_everybody(event)


def refused(position: Position[Any]) -> Iterator[Phrase]:
    """Yield the sentences with which what is no move here is refused."""
    example = str(position.any_move(lambda n: n // 2))
    for text in (
        *WORDS,
        "take a1",
        "a1 b1",
        "c3 c4",
        "c3xc4",
        "4d",
        "roll c3 n1",
        f"{example} {example}",
        "a1 b2 c3 d4",
    ):
        try:
            position.play(position.parse(text))
        except RulesError as error:
            yield error.sentence


def options_refused(game: Game) -> Iterator[Phrase]:
    """Yield the sentences with which options and numbers of players are refused."""
    attempts: list[tuple[int, dict[str, object]]] = [(seats, {"colour": "red"}) for seats in (game.seats[0], 9)]
    for option in game.options:
        attempts += [(game.seats[0], {option.key: "red"})]
        attempts += [(seats, {option.key: option.values[-1]}) for seats in game.seats]
    for seats, options in attempts:
        try:
            game.begin(seats, options)
        except InvalidOption as error:
            yield error.sentence


class Accents:
    """A language in which each message is its fields, written backwards, between signs that no English has."""

    def gettext(self, message: str) -> str:
        """Return the fields of ``message`` in reverse order."""
        return f"¿{'·'.join(reversed(re.findall('{[^}]*}', message)))}?"

    def ngettext(self, one: str, many: str, count: int) -> str:
        """Return the fields of the form for ``count``."""
        return self.gettext(one if count == 1 else many)


def answer(position: Position[Any], text: str) -> str:
    """Return the sentence with which ``text`` is refused, or the move it is."""
    try:
        move = position.parse(text)
        assert position.parse(str(move)) == move
        position.play(move)
    except RulesError as error:
        return str(error)
    return str(move)


def test_games_are_listed_under_their_keys() -> None:
    """A game is found under the key that records and commands name it by."""
    for key, game in GAMES.items():
        assert game.key == key
        assert re.fullmatch(r"[a-z]+", key)
        for option in game.options:
            assert option.default in option.values


@every
def test_options_are_checked_when_a_match_opens(case: Case) -> None:
    """A wrong number of players, an unknown option and an unknown value are refused."""
    game = case.game
    chosen = game.normalise(case.options)
    assert set(chosen) == {option.key for option in game.options} | ({VERSION} if game.version > 1 else set())
    assert game.normalise(chosen) == chosen
    for seats in (0, 1, game.seats.stop):
        if seats not in game.seats:
            with pytest.raises(InvalidOption):
                game.begin(seats, case.options)
    with pytest.raises(InvalidOption):
        game.begin(case.seats, {"no such option": 1})
    with pytest.raises(InvalidOption):
        game.restore(case.seats, {VERSION: game.version + 1})
    for option in game.options:
        with pytest.raises(InvalidOption):
            game.normalise({option.key: "no such value"})


@every
def test_what_is_printed_is_parsed(case: Case) -> None:
    """Every legal move reads back from its own notation, in capitals and with spaces around it too."""
    for position in waypoints(case):
        for move in [*islice(position.legal_moves(), 30), position.any_move(Random(3).randrange)]:
            assert position.parse(str(move)) == move
            assert position.parse(f"  {str(move).upper()} ") == move
            assert str(move) == str(move).strip().lower()
            assert str(move) not in EXIT_WORDS


@every
def test_every_legal_move_plays_and_changes_nothing_else(case: Case) -> None:
    """A legal move leads to a new position and leaves the old one as it was."""
    for position in waypoints(case):
        before = snapshot(position)
        moves = list(islice(position.legal_moves(), 30))
        assert moves
        assert len({str(move) for move in moves}) == len(moves)
        for move in moves:
            following = position.play(move)
            assert following != position
            assert following == position.play(position.parse(str(move)))
        assert snapshot(position) == before


@every
@quick
@given(texts=st.lists(JUNK, min_size=1, max_size=10), numbers=st.lists(st.integers(), min_size=1, max_size=4))
def test_junk_raises_a_rules_error_and_nothing_else(case: Case, texts: list[str], numbers: list[int]) -> None:
    """Whatever a mail says, the rules answer with a sentence or with a move."""
    for position in waypoints(case)[-2:]:
        for text in texts:
            sentence = answer(position, text)
            assert len(sentence) < 500
            assert "\n" not in sentence
        for number in numbers:
            with pytest.raises(RulesError):
                position.roll(number)
            if number not in range(case.seats):
                with pytest.raises(RulesError):
                    advance(position, Entry(number, EXIT_WORDS[0]))


@every
def test_no_text_is_a_move_while_a_lot_is_awaited(case: Case) -> None:
    """Whatever is written before a lot has fallen is refused with a sentence."""
    for position in [one for one in walk(case, 1).positions if isinstance(one.to_act, Chance)][:6]:
        for text in (*WORDS, case.game.example, "", "roll", "pass"):
            with pytest.raises(RulesError) as refusal:
                position.play(position.parse(text))
            assert len(str(refusal.value)) < 500


@every
@each("leaving", [0.0, 0.04], ids=["staying", "leaving"])
def test_every_sentence_can_be_said_in_any_language(case: Case, leaving: float) -> None:
    """Nothing that players read misses an argument, and nothing in it stays English when its messages are translated.

    Only what players wrote themselves may, in quotation marks.
    """
    match = walk(case, 2, leaving)
    phrases: set[Phrase] = {
        *case.game.help,
        *case.game.help_spoken,
        *(piece.name for piece in case.game.roles.values()),
    }
    phrases |= {roles for roles in case.game.roles_spoken.values() if roles}
    phrases |= set(options_refused(case.game))
    phrases |= {phrase(option.help) for option in case.game.options} | {one.allowed for one in case.game.options}
    for place in {*range(0, len(match.entries), 7), *range(len(match.entries) - 3, len(match.entries))}:
        position, following = match.positions[place], match.positions[place + 1]
        phrases |= {*told(position), *told(following), *happened(position, match.entries[place])}
        if isinstance(position.to_act, int):
            phrases.update(refused(position))
    for one in phrases:
        english, other = str(one), one.said(Accents())
        assert "{" not in english
        assert english == " ".join(english.split())
        assert other.startswith("¿")
        assert not re.search(r"[a-z]{2,}(,? [a-z]{2,}){2}", re.sub("“[^”]*”", "", other), re.IGNORECASE), other


@every
def test_suggested_answers_are_legal_and_complete(case: Case) -> None:
    """Up to five, all different, each a whole move as a record has it; a turn begins on a cell of this board."""
    for seed, leaving in ((1, 0.0), (2, 0.03)):
        for position in walk(case, seed, leaving).positions[::4]:
            suggested, similar = position.suggestions(), tuple[Choice, ...]()
            assert suggested == position.suggestions()
            assert len(suggested) <= 5
            if isinstance(position.to_act, int):
                similar = position.answers_like(position.prompt().example[:2])
            else:
                assert suggested == ()
            for answers in (suggested, similar):
                moves = [one.move for one in answers]
                assert len(set(moves)) == len(moves)
                for move in moves:
                    assert str(position.parse(move)) == move
                    position.play(position.parse(move))
            assert position.first_cells() <= {cell.name for cell in position.view().cells}


@every
def test_cells_that_are_whole_moves_can_be_played(case: Case) -> None:
    """Where a game says which cells are whole moves, these and no others are."""
    for position in walk(case, 3).positions[::5]:
        if (lone := position.lone_cells()) is not None:
            assert lone == {cell.name for cell in position.view().cells if _is_legal(position, cell.name)}


def _is_legal(position: Position[Any], text: str) -> bool:
    """Return whether ``text`` can be played."""
    try:
        position.play(position.parse(text))
    except RulesError:
        return False
    return True


@every
def test_a_match_is_told_how_it_was_won(case: Case) -> None:
    """The story names a seat that has won, or nobody; the reason, which records keep, is no part of it."""
    for seed, leaving in ((1, 0.0), (2, 0.04), (3, 0.2)):
        outcome = walk(case, seed, leaving).positions[-1].outcome()
        assert outcome is not None
        assert outcome.story is not None
        assert outcome.story.seat is None or outcome.story.seat in outcome.winners


@every
def test_nasty_texts_are_refused_quickly(case: Case) -> None:
    """Huge, odd and endless texts get a short answer at once."""
    position = waypoints(case)[0]
    for text in NASTY:
        started = process_time()
        with pytest.raises(RulesError) as refusal:
            position.play(position.parse(text))
        assert process_time() - started < 2
        assert len(str(refusal.value)) < 500


@every
@each("leaving", [0.0, 0.04], ids=["staying", "leaving"])
def test_random_matches_end(case: Case, leaving: float) -> None:
    """A match ends, has an outcome then and only then, and its winners are seats of it."""
    for seed in range(3):
        match = walk(case, seed, leaving)
        assert len(match.entries) < LONGEST
        for position in match.positions:
            outcome = position.outcome()
            assert (position.to_act is None) == isinstance(outcome, Outcome)
        outcome = match.positions[-1].outcome()
        assert outcome is not None
        assert outcome.winners <= set(range(case.seats))
        assert outcome.reason
        assert not outcome.reason.endswith(".")


@every
def test_after_the_end_nothing_is_accepted(case: Case) -> None:
    """When a match is over there is no move, no prompt and nothing to leave."""
    match = walk(case, 1)
    over, last_text = match.positions[-1], match.entries[-1].text
    assert list(over.legal_moves()) == []
    with pytest.raises(RulesError):
        over.prompt()
    with pytest.raises(RulesError):
        over.play(over.parse(last_text))
    for seat in range(case.seats):
        with pytest.raises(IllegalMove):
            over.leave(seat, EXIT_WORDS[0])
    for entry in (Entry(0, last_text), Entry(None, "1"), Entry(0, "")):
        with pytest.raises(RulesError):
            advance(over, entry)


@every
@each("leaving", [0.0, 0.04], ids=["staying", "leaving"])
def test_a_record_replays_to_the_same_position(case: Case, leaving: float) -> None:
    """A position is the fold of its record, also when that went through a text."""
    match = walk(case, 2, leaving)
    options = case.game.normalise(case.options)
    entries = match.entries
    assert replay(case.game, seats=case.seats, options=options, record=entries) == match.positions[-1]
    half = len(entries) // 2
    assert replay(case.game, seats=case.seats, options=options, record=entries[:half]) == match.positions[half]
    read = read_record(write_record(Record(case.key, case.seats, options, entries)))
    assert read.entries == entries
    again = replay(GAMES[read.game], seats=read.seats, options=read.options, record=read.entries)
    assert again == match.positions[-1]


@every
def test_a_view_names_every_cell_once(case: Case) -> None:
    """A board is drawn from cells in reading order, with pieces from its legend and known marks."""
    positions = walk(case, 1).positions
    first = positions[0].view()
    for position in positions[::7] + positions[-1:]:
        view = position.view()
        names = [cell.name for cell in view.cells]
        assert len(set(names)) == len(names)
        assert names == [cell.name for cell in first.cells]
        assert [(-cell.row, cell.column) for cell in view.cells] == sorted(
            (-cell.row, cell.column) for cell in view.cells
        )
        assert {cell.piece for cell in view.cells} - {None} <= set(view.pieces)
        assert all(cell.marks <= set(get_args(Mark)) for cell in view.cells)
        assert all(cell.piece is None or "closed" not in cell.marks for cell in view.cells)
        assert all((cell.die is not None) == (cell.piece is not None and view.looks == "dice") for cell in view.cells)
        assert max(cell.column for cell in view.cells) < len(view.columns)
        assert max(cell.row for cell in view.cells) < len(view.rows)
        symbols = [piece.symbol for piece in view.pieces]
        assert len(set(symbols)) == len(symbols)
        assert all(len(symbol) == 1 and symbol.isprintable() and symbol != "." for symbol in symbols)


def test_the_first_legal_move_comes_at_once_on_the_largest_boards() -> None:
    """Legal moves are lazy: the first is there within a tenth of a second, on every game's largest board."""
    for key in GAMES:
        largest = max((case for case in CASES if case.key == key), key=lambda case: len(case.begin().view().cells))
        for position in waypoints(largest):
            times = []
            for _ in range(5):
                started = process_time()
                next(position.legal_moves())
                times.append(process_time() - started)
            assert min(times) < 0.1


@every
def test_the_help_has_an_example_that_plays(case: Case) -> None:
    """The rules text shows a first move that can be written as it stands."""
    game, position = case.game, case.begin()
    while isinstance(awaited := position.to_act, Chance):
        position = position.roll(1 + awaited.faces // 2)
    assert f"“{game.example}”" in " ".join(map(str, game.help))
    assert str(position.parse(game.example)) == game.example
    position.play(position.parse(game.example))


@every
def test_the_prompt_shows_a_legal_move_at_every_turn(case: Case) -> None:
    """Whoever sends the example back has moved."""
    for seed, leaving in ((1, 0.0), (2, 0.0), (3, 0.03)):
        for position in walk(case, seed, leaving).positions:
            if isinstance(position.to_act, int):
                prompt = position.prompt()
                assert prompt == position.prompt()
                assert str(position.parse(prompt.example)) == prompt.example
                position.play(position.parse(prompt.example))
                assert str(prompt.instruction).endswith(".")
                assert dict(prompt.instruction.arguments)["example"] == prompt.example


@every
def test_no_line_that_we_write_is_a_move(case: Case) -> None:
    """A quoted line of ours is never taken for a move."""
    for position in waypoints(case):
        for sentence in (*case.game.help, *told(position)):
            assert not is_legal(position, str(sentence))
    over = walk(case, 1).positions[-1].outcome()
    assert over is not None
    assert not is_legal(case.begin(), over.reason)


@each("game", GAMES.values(), ids=lambda game: game.key)
def test_the_words_of_a_game_are_moves_and_no_others(game: Game) -> None:
    """Each is played somewhere in random matches, and no other move of one word is a word; none has two meanings."""
    written = set()
    for case in CASES:
        for position in walk(case, 1).positions if case.key == game.key else ():
            written |= {word for word in game.words if is_legal(position, word) and str(position.parse(word)) == word}
            if isinstance(position.to_act, int):
                words = {str(move) for move in islice(position.legal_moves(), 3) if str(move).isalpha()}
                assert words <= game.words.keys()
    assert written == game.words.keys()
    synonyms = [synonym for others in game.words.values() for synonym in others]
    assert len({*synonyms, *game.words}) == len(synonyms) + len(game.words)
    assert all(word == word.lower() and word.isalpha() for word in (*synonyms, *game.words))


@every
def test_a_forced_move_is_the_only_one(case: Case) -> None:
    """What the service plays for a player is all that he could have played."""
    for position in walk(case, 1).positions:
        if not isinstance(position.to_act, int):
            assert position.forced() is None
        elif (forced := position.forced()) is not None:
            assert list(islice(position.legal_moves(), 2)) == [forced]


@every
def test_lots_are_announced_and_told(case: Case) -> None:
    """A game lists what it draws by lot; what a lot led to is told in sentences, or left to the lots that follow."""
    match = walk(case, 1)
    drawn = [(position, position.to_act) for position in match.positions if isinstance(position.to_act, Chance)]
    expected = case.game.rolls_with(case.game.normalise(case.options))
    assert {awaited.what for _, awaited in drawn} <= set(expected)
    assert bool(drawn) == bool(expected)
    for position, awaited in drawn[:50]:
        assert awaited.faces > 1
        for value in (1, awaited.faces):
            for event in position.describe_roll(value):
                for sentence in map(str, read_by_everybody(event)):
                    assert sentence == " ".join(sentence.split())
                    assert sentence.endswith(".")


@each("game", GAMES.values(), ids=lambda game: game.key)
def test_every_game_names_its_designers_and_can_roll_the_order_of_turns(game: Game) -> None:
    """The help ends with the designers; with order=lot the first thing to come is a lot."""
    assert game.designers
    assert all(name in str(game.help[-1]) for name in game.designers)
    for seats in game.seats:
        assert isinstance(game.begin(seats, {ORDER.key: "lot"}).to_act, Chance)


@each("game", GAMES.values(), ids=lambda game: game.key)
def test_options_that_change_nothing_are_refused_in_new_matches_only(game: Game) -> None:
    """An option for other numbers of players may stand at its default, and anyhow in a match opened before."""
    for option in game.options:
        for seats in set(game.seats) - set(option.seats or game.seats):
            other = next(value for value in option.values if value != option.default)
            with pytest.raises(InvalidOption):
                game.begin(seats, {option.key: other})
            assert game.begin(seats, {option.key: option.default}) == game.begin(seats, {})
            assert replay(game, seats=seats, options={option.key: other}, record=[]).to_act == 0


@every
def test_a_short_match_can_be_had(case: Case) -> None:
    """The options for trying a game out are options of the game."""
    assert case.game.normalise(case.game.short).keys() == case.game.normalise({}).keys()


@every
def test_help_is_in_whole_paragraphs(case: Case) -> None:
    """A paragraph of the rules text is one line, so that a mail can wrap it as it likes."""
    for paragraph in map(str, case.game.help):
        assert paragraph == " ".join(paragraph.split())
        assert paragraph.endswith((".", ")"))


@every
def test_any_move_is_legal_whatever_is_picked(case: Case) -> None:
    """The first choice each time, the last one and a random one all give legal moves, to the very end."""
    random = Random(5)
    for pick in (lambda n: 0, lambda n: n - 1, random.randrange):
        position, plies = case.begin(), 0
        while (awaited := position.to_act) is not None:
            if isinstance(awaited, Chance):
                position = position.roll(1 + pick(awaited.faces))
                continue
            move = position.any_move(pick)
            if plies % 10 == 0:
                assert position.parse(str(move)) == move
            position = position.play(move)
            plies += 1
            assert plies < LONGEST


@every
def test_roles_and_sides_fit_together(case: Case) -> None:
    """Every seat has a role that the game explains, or none yet, and is on exactly one side."""
    for position in walk(case, 2, 0.04).positions:
        roles = position.roles()
        assert len(roles) == case.seats
        assert {role for role in roles if role} <= set(case.game.roles)
        for seat in range(case.seats):
            assert seat in position.side(seat)
            assert all(position.side(other) == position.side(seat) for other in position.side(seat))
            brief = position.objective(seat)
            assert all(
                str(part).endswith(".") for part in (brief.goal, brief.turn, brief.decisive, brief.reminder) if part
            )
        outcome = position.outcome()
        if outcome:
            assert all(position.side(seat) <= outcome.winners for seat in outcome.winners)


@every
def test_seats_leave_until_one_side_stays(case: Case) -> None:
    """A seat leaves once, in turn or not; it never acts again, and at the latest the last one wins."""
    for start in waypoints(case):
        for order in (range(case.seats), reversed(range(case.seats))):
            position: Position[Any] = start
            for number, seat in enumerate(order, 1):
                position = position.leave(seat, EXIT_WORDS[number % len(EXIT_WORDS)])
                assert seat in position.departed()
                assert len(position.departed()) == number
                assert position.to_act not in position.departed()
                with pytest.raises(IllegalMove):
                    position.leave(seat, EXIT_WORDS[0])
                if position.to_act is None:
                    break
            outcome = position.outcome()
            assert outcome is not None
            assert outcome.winners - position.departed()
        assert start.departed() == frozenset()
