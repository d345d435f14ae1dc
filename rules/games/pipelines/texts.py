"""The sentences of a match of Pipelines, and of what the rules say no to."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from rules.errors import Refusal, refusal
from rules.phrase import Argument, Event, Phrase, happened, listed, mark, phrase, phrases
from rules.position import Choice, Objective, Prompt, Seat
from rules.text import left_last
from rules.text import listed as listed_words

PASS = "pass"

ROLES = ("Red", "Blue", "Yellow")
"""What the seats are called, in their order."""

NAMES = (phrase("Red"), phrase("Blue"), phrase("Yellow"))
"""The same, to stand in sentences."""

CAPTIONS = (
    phrase("Cubes go on empty cells next to your home, your cubes or your glass."),
    phrase("A cube next to free glass takes it; next to another player’s glass, it starts a battle."),
    phrase("What’s cut off from its home is lost."),
)

End = Literal["taken", "quiet", "long"]
"""Why a match ends: all glass is taken, nobody built for some rounds, or it was long enough."""


def made_home(seat: Seat, cell: str) -> Event:
    """Return where a seat has its home."""
    you, others = (
        phrase("You put your home on {cell}.", cell=cell),
        phrase("{name} put their home on {cell}.", cell=cell),
    )
    return Event(seat, you, others)


def passed(seat: Seat, *, forced: bool) -> Event:
    """Return that a seat placed nothing; ``forced``: it could not."""
    if forced:
        return Event(
            seat,
            phrase("You passed, since no cell was open to you."),
            phrase("{name} passed, since no cell was open."),
        )
    return Event(seat, phrase("You passed."), phrase("{name} passed."))


def built(seat: Seat, cubes: int, taken: Sequence[str], foe: Seat | None, disputed: str) -> Event:
    """Return what a line of cubes did: the glass that it took, and whose glass it attacks."""
    arguments: dict[str, Argument] = {"taken": listed(taken)} if taken else {}
    if foe is not None:
        arguments |= {"foe": NAMES[foe], "glass": disputed}
    if taken and foe is not None:
        you = phrases(
            "You built {count} cube, took the glass on {taken} and attacked {foe}’s glass on {glass}.",
            "You built {count} cubes, took the glass on {taken} and attacked {foe}’s glass on {glass}.",
            cubes,
            **arguments,
        )
        others = phrases(
            "{name} built {count} cube, took the glass on {taken} and attacked {foe}’s glass on {glass}.",
            "{name} built {count} cubes, took the glass on {taken} and attacked {foe}’s glass on {glass}.",
            cubes,
            **arguments,
        )
    elif foe is not None:
        you = phrases(
            "You built {count} cube and attacked {foe}’s glass on {glass}.",
            "You built {count} cubes and attacked {foe}’s glass on {glass}.",
            cubes,
            **arguments,
        )
        others = phrases(
            "{name} built {count} cube and attacked {foe}’s glass on {glass}.",
            "{name} built {count} cubes and attacked {foe}’s glass on {glass}.",
            cubes,
            **arguments,
        )
    elif taken:
        you = phrases(
            "You built {count} cube and took the glass on {taken}.",
            "You built {count} cubes and took the glass on {taken}.",
            cubes,
            **arguments,
        )
        others = phrases(
            "{name} built {count} cube and took the glass on {taken}.",
            "{name} built {count} cubes and took the glass on {taken}.",
            cubes,
            **arguments,
        )
    else:
        you = phrases("You built {count} cube.", "You built {count} cubes.", cubes)
        others = phrases("{name} built {count} cube.", "{name} built {count} cubes.", cubes)
    return Event(seat, you, others)


def went_on(seat: Seat, cubes: int, taken: Sequence[str], foe: Seat | None, disputed: str) -> tuple[Event, ...]:
    """Return what came of the rest of a line after a battle, and of the cube that stood it."""
    events = []
    if cubes:
        you = phrases("You then built {count} more cube.", "You then built {count} more cubes.", cubes)
        others = phrases("{name} then built {count} more cube.", "{name} then built {count} more cubes.", cubes)
        events.append(Event(seat, you, others, leads_up=foe is not None))
    if taken:
        you = phrase("You also took the glass on {taken}.", taken=listed(taken))
        events.append(Event(seat, you, phrase("{name} also took the glass on {taken}.", taken=listed(taken))))
    if foe is not None:
        you = phrase("You then attacked {foe}’s glass on {glass}.", foe=NAMES[foe], glass=disputed)
        others = phrase("{name} then attacked {foe}’s glass on {glass}.", foe=NAMES[foe], glass=disputed)
        events.append(Event(seat, you, others))
    return tuple(events)


def stopped(seat: Seat, cell: str) -> Event:
    """Return that the rest of a line was dropped from ``cell`` on."""
    return Event(
        seat,
        phrase("Your line stopped there, because {cell} was no longer open.", cell=cell),
        phrase("{name}’s line stopped there, because {cell} was no longer open.", cell=cell),
    )


def rolled(seat: Seat, die: int) -> Event:
    """Return what a seat has rolled."""
    return Event(seat, phrase("You rolled a {die}.", die=die), phrase("{name} rolled a {die}.", die=die), leads_up=True)


def laid_out() -> Event:
    """Return that the glass is there."""
    return happened(phrase("The glass is on the board."))


def battle_round(
    attacker: Seat, defender: Seat, glass: str, spinner: int, dice: tuple[int, int], winner: Seat | None
) -> Event:
    """Return how a round of the battle for ``glass`` went; ``dice`` are the attacker's and the defender's."""
    arguments: dict[str, Argument] = {"glass": glass, "spinner": spinner, "attack": dice[0], "defence": dice[1]}
    arguments |= {"attacker": NAMES[attacker], "defender": NAMES[defender]}
    if winner is None:
        told = phrase(
            "Battle for {glass}: the spinner shows {spinner}, {attacker} rolls a {attack} and {defender} a"
            " {defence}. It’s a tie, so they roll again.",
            **arguments,
        )
    else:
        told = phrase(
            "Battle for {glass}: the spinner shows {spinner}, {attacker} rolls a {attack} and {defender} a {defence}."
            " {winner} is nearer and wins the round.",
            winner=NAMES[winner],
            **arguments,
        )
    return happened(told)._replace(leads_up=True)


def battle_won(
    winner: Seat, loser: Seat, glass: str, rounds: tuple[int, int], further: int, *, attacking: bool
) -> Event:
    """Return who won the battle for ``glass``, by which ``rounds``, and how much ``further`` glass the loser lost."""
    arguments: dict[str, Argument] = {"glass": glass, "won": max(rounds), "lost": min(rounds), "role": NAMES[loser]}
    if attacking and further:
        you = phrases(
            "You won {glass} from {role}, {won} rounds to {lost}, and cut off {count} more piece of glass.",
            "You won {glass} from {role}, {won} rounds to {lost}, and cut off {count} more pieces of glass.",
            further,
        )
        others = phrases(
            "{name} won {glass} from {role}, {won} rounds to {lost}, and cut off {count} more piece of glass.",
            "{name} won {glass} from {role}, {won} rounds to {lost}, and cut off {count} more pieces of glass.",
            further,
        )
    elif attacking:
        you = phrase("You won {glass} from {role}, {won} rounds to {lost}.")
        others = phrase("{name} won {glass} from {role}, {won} rounds to {lost}.")
    elif further:
        you = phrases(
            "You kept {glass}, {won} rounds to {lost}, and cut {count} piece of glass off from {role}.",
            "You kept {glass}, {won} rounds to {lost}, and cut {count} pieces of glass off from {role}.",
            further,
        )
        others = phrases(
            "{name} kept {glass}, {won} rounds to {lost}, and cut {count} piece of glass off from {role}.",
            "{name} kept {glass}, {won} rounds to {lost}, and cut {count} pieces of glass off from {role}.",
            further,
        )
    else:
        you = phrase("You kept {glass}, {won} rounds to {lost}.")
        others = phrase("{name} kept {glass}, {won} rounds to {lost}.")
    return Event(winner, you.about(**arguments), others.about(**arguments))


def battle_lost(loser: Seat, cubes: Sequence[str], glass: Sequence[str]) -> Event:
    """Return what the loser of a battle has lost besides, cell by cell: cubes, and the glass behind them."""
    if glass:
        you = phrases(
            "You lost the cube on {cubes} and the glass on {glass}.",
            "You lost the cubes on {cubes} and the glass on {glass}.",
            len(cubes),
        )
        others = phrases(
            "{name} lost the cube on {cubes} and the glass on {glass}.",
            "{name} lost the cubes on {cubes} and the glass on {glass}.",
            len(cubes),
        )
    else:
        you = phrases("You lost the cube on {cubes}.", "You lost the cubes on {cubes}.", len(cubes))
        others = phrases("{name} lost the cube on {cubes}.", "{name} lost the cubes on {cubes}.", len(cubes))
    arguments: dict[str, Argument] = {"cubes": listed(cubes), "glass": listed(glass)}
    return Event(loser, you.about(**arguments), others.about(**arguments))


def home_prompt(example: str) -> Prompt:
    """Return what may be written to name a home."""
    instruction = phrase(
        "Reply with a cell for your home, at least two steps from any glass, such as {example}.", example=example
    )
    return Prompt(instruction, example)


def turn_prompt(example: str, allowance: int, *, further: bool) -> Prompt:
    """Return what may be written when up to ``allowance`` cubes can be placed; ``further``: after others."""
    if example == PASS:
        instruction = phrases(
            "Reply with {example}, or with {count} cell.",
            "Reply with {example}, or with up to {count} cells.",
            allowance,
            example=example,
        )
    elif further:
        instruction = phrases(
            "Reply with one more cell, such as {example}, or with {word}.",
            "Reply with up to {count} more cells, such as {example}, or with {word}.",
            allowance,
            example=example,
            word=PASS,
        )
    else:
        instruction = phrases(
            "Reply with a cell, such as {example}, or with {word}.",
            "Reply with up to {count} cells, such as {example}, or with {word}.",
            allowance,
            example=example,
            word=PASS,
        )
    return Prompt(instruction, example)


def pass_prompt() -> Prompt:
    """Return what may be written when no cell is open."""
    return Prompt(phrase("No cell is open to you, so reply with {example}.", example=PASS), PASS)


def objective(seat: Seat, *, homeless: bool) -> Objective:
    """Return the goal of a seat and what its turns consist of; ``homeless``: it has still to name its home."""
    if homeless:
        turn = phrase(
            "First choose a cell for your home. After that, each turn you roll a die and build up to that many cubes."
        )
    else:
        turn = phrase("Each turn you roll a die and build up to that many cubes, outwards from your home.")
    return Objective(
        phrase("You’re {role}: hold more glass than anybody else when the match ends.", role=NAMES[seat]),
        turn,
        reminder=turn,
    )


def glass_line(shares: Sequence[tuple[Seat, int]], free: int) -> Phrase:
    """Return who holds how much glass, and how much of it nobody does."""
    held = listed(phrase("{role} {count}", role=NAMES[seat], count=count) for seat, count in shares)
    return phrase("Glass: {held}; {free} free.", held=held, free=free) if free else phrase("Glass: {held}.", held=held)


def rolled_line(seat: Seat, die: int, allowance: int) -> Phrase:
    """Return what was rolled and, after a battle, how many cubes of it are left."""
    if allowance in (0, die):
        return phrase("{role} rolled a {die}.", role=NAMES[seat], die=die)
    return phrases(
        "{role} rolled a {die} and has {count} cube left.",
        "{role} rolled a {die} and has {count} cubes left.",
        allowance,
        role=NAMES[seat],
        die=die,
    )


def last_rounds_line(current: int, most: int) -> Phrase:
    """Return that the match is over soon, since it is long enough."""
    return phrase("This is round {current}; the match ends after round {most}.", current=current, most=most)


def quiet_line(quiet: int, most: int) -> Phrase:
    """Return how many rounds have passed without a cube."""
    return phrases(
        "Nobody built in the last round; after {most} rounds like that, the match ends.",
        "Nobody built in the last {count} rounds; after {most} rounds like that, the match ends.",
        quiet,
        most=most,
    )


def battle_line(attacker: Seat, defender: Seat, glass: str, won: int, lost: int) -> Phrase:
    """Return how a battle stands."""
    return phrase(
        "Battle for {glass}: {attacker} {won}, {defender} {lost}; the first to win three rounds gets it.",
        glass=glass,
        attacker=NAMES[attacker],
        won=won,
        defender=NAMES[defender],
        lost=lost,
    )


def waiting_line(rest: Sequence[str]) -> Phrase:
    """Return which cells of a line wait for the end of a battle."""
    return phrase("After the battle, the line goes on with {cells}.", cells=" ".join(rest))


def fought_line(seat: Seat, glass: Sequence[str]) -> Phrase:
    """Return beside which glass nothing may be placed in this turn."""
    return phrase("{role} can’t build next to {glass} again this turn.", role=NAMES[seat], glass=listed(glass))


def home_choices(seat: Seat) -> Phrase:
    """Return what stands before the cells where a home may be."""
    return phrase("{role}’s home may be on", role=NAMES[seat])


def open_choices(seat: Seat) -> Phrase:
    """Return what stands before the cells where the next cube may go."""
    return phrase("{role} may place the next cube on", role=NAMES[seat])


def free_glass_choices() -> Phrase:
    """Return what stands before the cells that take free glass."""
    return phrase("Free glass is taken by a cube on")


def foe_choices(foe: Seat) -> Phrase:
    """Return what stands before the cells that attack a player's glass."""
    return phrase("{foe}’s glass is attacked by a cube on", foe=NAMES[foe])


def reason(end: End, rounds: int, winners: Sequence[Seat], most: int, glass: int) -> str:
    """Return why a match ended and with how much glass it was won, as it stands in records: never reworded."""
    why = {
        "taken": "every glass is controlled",
        "quiet": f"nobody placed a cube in {rounds} rounds",
        "long": f"{rounds} rounds have been played",
    }[end]
    roles = [ROLES[seat] for seat in winners]
    if len(roles) == 1:
        return f"{why}, and {roles[0]} has the most glass, {most} of {glass}"
    return f"{why}, and {listed_words(roles)} have {most} of {glass} glass pieces each"


def story(end: End, rounds: int, winners: Sequence[Seat], most: int, glass: int) -> Event:
    """Return the same for players."""
    if len(winners) > 1:
        shared = {
            "taken": phrase("All the glass is taken: {roles} share the win with {most} of {glass} pieces each."),
            "quiet": phrase(
                "Nobody built for {rounds} rounds: {roles} share the win with {most} of {glass} pieces each."
            ),
            "long": phrase("After {rounds} rounds, {roles} share the win with {most} of {glass} pieces of glass each."),
        }[end]
        roles = listed(NAMES[seat] for seat in winners)
        return happened(shared.about(roles=roles, most=most, glass=glass, rounds=rounds))
    you, others = {
        "taken": (
            phrase("All the glass is taken, and you win with {most} of {glass} pieces."),
            phrase("All the glass is taken, and {name} wins with {most} of {glass} pieces."),
        ),
        "quiet": (
            phrase("Nobody built for {rounds} rounds, and you win with {most} of {glass} pieces of glass."),
            phrase("Nobody built for {rounds} rounds, and {name} wins with {most} of {glass} pieces of glass."),
        ),
        "long": (
            phrase("After {rounds} rounds, you win with {most} of {glass} pieces of glass."),
            phrase("After {rounds} rounds, {name} wins with {most} of {glass} pieces of glass."),
        ),
    }[end]
    arguments: dict[str, Argument] = {"most": most, "glass": glass, "rounds": rounds}
    return Event(winners[0], you.about(**arguments), others.about(**arguments))


def left_reason(seats: int, word: str) -> str:
    """Return why a match ended when only one seat stayed, as it stands in records; the last left with ``word``."""
    return "the other players have left the match" if seats > 2 else left_last(word, "the other player")


def left_story(winner: Seat, seats: int, word: str) -> Event:
    """Return the same for players."""
    if seats > 2:
        return Event(
            winner, phrase("You win: everybody else has left."), phrase("{name} wins: everybody else has left.")
        )
    if word == "resign":
        return Event(
            winner, phrase("You win: your opponent resigned."), phrase("{name} wins: the other player resigned.")
        )
    return Event(
        winner,
        phrase("You win: your opponent ran out of time."),
        phrase("{name} wins: the other player ran out of time."),
    )


def home_choice(cell: str, glass: int) -> Choice:
    """Return a cell for a home, with how much glass is near it."""
    return Choice(cell, phrases("{count} piece of glass nearby", "{count} pieces of glass nearby", glass))


def choice(line: Sequence[str], taken: Sequence[str], attacked: tuple[Seat, str] | None, toward: str) -> Choice:
    """Return a line with its effect: the glass taken, the seat and glass attacked, or the glass it goes to."""
    if attacked:
        effect = phrase("attacks {foe}’s glass on {glass}")
        if taken:
            effect = phrase("takes {taken}, attacks {foe}’s glass on {glass}", taken=listed(taken))
        effect = effect.about(foe=NAMES[attacked[0]], glass=attacked[1])
    elif taken:
        effect = phrase("takes {taken}", taken=listed(taken))
    elif toward:
        effect = phrase("builds towards {glass}", glass=toward)
    else:
        effect = phrase("takes nothing")
    return Choice(" ".join(line), effect)


REFUSALS = {
    "battle_already_fought": mark(
        "You can’t build on {cell!q} this turn: it’s next to the glass on {glass}, which you’ve already fought for."
    ),
    "cell_named_twice": mark("{text!q} names {cell} twice: once is enough."),
    "home_beside_glass": mark(
        "{cell!q} can’t be your home, because it’s right next to the glass on {glass}: stay at least two steps away."
    ),
    "not_a_cell": mark("{word!q} isn’t a cell: a move looks like {example!q}."),
    "not_a_move": mark("{text!q} names no cell: a move looks like {example!q}."),
    "pass_not_alone": mark("{text!q} mixes {word!q} with something else: write {word!q} alone, or only the cells."),
}
"""The sentence for each code that has just one; ``text`` is what the player wrote."""

refuse = partial(refusal, REFUSALS)
"""Returns why the rules say no: the sentence for a code, filled in."""


def off_board(cell: str, text: str, rows: int, row: tuple[str, str] | None) -> Refusal:
    """Return why ``cell`` will not do: there are so many ``rows``, or its row has other cells at its ends."""
    if row is None:
        sentence = phrase("{cell!q} isn’t on this board: its rows are numbered from 1 to {rows}.", rows=rows)
    else:
        sentence = phrase(
            "{cell!q} isn’t on this board: its row runs from {first} to {last}.", first=row[0], last=row[1]
        )
    arguments = {"cell": cell, "text": text}
    return Refusal("cell_off_board", sentence.about(**arguments), arguments)


def out_of_reach(cell: str, text: str, *, later: bool) -> Refusal:
    """Return why no cube can go on ``cell``; ``later``: others come before it in the line."""
    if later:
        sentence = phrase(
            "{text!q} doesn’t reach {cell}: each cube has to be next to your home, your cubes or your glass."
        )
    else:
        sentence = phrase("{cell!q} is out of reach: cubes go next to your home, your cubes or your glass.")
    arguments = {"cell": cell, "text": text}
    return Refusal("cell_out_of_reach", sentence.about(**arguments), arguments)


def occupied(cell: str, text: str, thing: str, owner: Seat | None, *, homing: bool) -> Refusal:
    """Return why a cell with a ``thing`` on it will not do; nobody is the ``owner`` of what is one's own, or glass."""
    if thing == "glass":
        if homing:
            sentence = phrase("{cell!q} can’t be your home, because there’s glass on it: choose an empty cell.")
        else:
            sentence = phrase("There’s glass on {cell!q}: cubes go next to glass, never on it.")
    elif thing == "home":
        if owner is None:
            sentence = phrase("Your home is on {cell!q}: choose an empty cell.")
        else:
            sentence = phrase("{owner}’s home is on {cell!q}: choose an empty cell.", owner=NAMES[owner])
    elif owner is None:
        sentence = phrase("You already have a cube on {cell!q}: choose an empty cell.")
    else:
        sentence = phrase("{owner} already has a cube on {cell!q}: choose an empty cell.", owner=NAMES[owner])
    arguments = {"cell": cell, "text": text}
    return Refusal("cell_occupied", sentence.about(**arguments), arguments)


def not_one_home(text: str, count: int) -> Refusal:
    """Return why a line is no home: it names ``count`` cells, or with 0 none."""
    if count > 1:
        sentence = phrase("{text!q} names {count} cells, but a home is just one.")
    else:
        sentence = phrase("{text!q} isn’t possible yet: first choose a cell for your home.")
    arguments: dict[str, Argument] = {"text": text, "count": count}
    return Refusal("not_one_home", sentence.about(**arguments), arguments)


def too_many(text: str, count: int, allowance: int, rolled: int) -> Refusal:
    """Return why ``count`` cells are too many, or no line."""
    if count <= allowance:
        sentence = phrase("{text!q} isn’t a line of cells.")
    elif allowance == rolled:
        sentence = phrase("{text!q} names {count} cells, but you rolled a {rolled}.")
    else:
        sentence = phrase("{text!q} names {count} cells, but you have {allowance} left of the {rolled} you rolled.")
    arguments: dict[str, Argument] = {"text": text, "count": count}
    return Refusal("too_many_cells", sentence.about(allowance=allowance, rolled=rolled, **arguments), arguments)
