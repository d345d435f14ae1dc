"""The sentences of a turn of Pipelines."""

from collections.abc import Sequence

from rules.text import left_last, listed

PASS = "pass"

ROLES = ("Red", "Blue", "Yellow")
"""What the seats are called, in their order."""

CAPTIONS = (
    "Cubes are placed on empty cells next to your home⟦ (1, 2, 3)⟧, a cube of yours or glass of yours.",
    "A cube next to a glass that nobody controls⟦ (*)⟧ takes it; next to another player’s glass it starts a battle"
    " of spinner and dice, won by three rounds.",
    "Cubes and glass that are no longer joined to their home are lost. At the end the most glass wins.",
)

HOME_WANTED = "one cell for your home, neither a glass nor right beside one"


def number(count: int, thing: str) -> str:
    """Return a number of things: "1 cube", "4 cubes"."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def up_to(count: int, thing: str) -> str:
    """Return a greatest number of things: "1 cube", "up to 4 cubes"."""
    return number(count, thing) if count == 1 else f"up to {number(count, thing)}"


def wanted(allowance: int, further: bool) -> str:
    """Return what a turn is, to complete "Reply with …"; ``further``: cubes have been placed in it."""
    more = " more" if further else ""
    cells = f"up to {allowance}{more} cells" if allowance > 1 else f"one{more} cell"
    return f"{cells}, or with the word {PASS}"


def deeds(words: Sequence[str], taken: Sequence[str], foe: str, disputed: str, rest: Sequence[str]) -> str:
    """Return what cubes on ``words`` did, to follow a name: what they took, and whose glass is attacked."""
    done = [f"placed {' '.join(words)}"] if words else []
    if taken:
        done.append(f"took the glass on {listed(taken)}")
    if foe:
        done.append(f"attacked {foe}’s glass on {disputed}")
    waits = f"; {' '.join(rest)} must wait for the end of that battle" if rest else ""
    return listed(done) + waits if done else ""


def battle_round(
    attacker: str,
    defender: str,
    glass: str,
    spinner: int,
    dice: tuple[int, int],
    score: tuple[int, int],
    away: tuple[int, int],
) -> str:
    """Return how a round went that led to ``score``; dice, score and distances are the attacker's first."""
    equal = away[0] == away[1]
    end = "it is played again at" if equal else f"{attacker if away[0] < away[1] else defender} wins it:"
    return (
        f"Round {sum(score) + equal} of the battle for {glass}: the spinner shows {spinner}; {attacker} rolls"
        f" {dice[0]} ({away[0]} away), {defender} rolls {dice[1]} ({away[1]} away), so {end}"
        f" {attacker} {score[0]}, {defender} {score[1]}."
    )


def battle_end(
    attacker: str, defender: str, glass: str, score: tuple[int, int], cubes: Sequence[str], lost: Sequence[str]
) -> str:
    """Return how a battle ended, and which cubes and which other glass the loser has lost."""
    took = score[0] > score[1]
    winner, loser = (attacker, defender) if took else (defender, attacker)
    gone = f"the cube{'' if len(cubes) == 1 else 's'} on {listed(cubes)}"
    gone += f", and the glass on {listed(lost)}" if lost else ""
    return (
        f"\n{winner} wins the battle by {max(score)} to {min(score)} and {'takes' if took else 'keeps'} {glass};"
        f" {loser} loses {gone}."
    )


def onward(role: str, dropped: Sequence[str], allowance: int) -> str:
    """Return what follows a battle: the rest of a line that is dropped, and how many cubes may still be placed."""
    verb = "is" if len(dropped) == 1 else "are"
    what = f" {listed(dropped)} {verb} dropped, since {dropped[0]} is not open now." if dropped else ""
    return what + (f" {role} may place {up_to(allowance, 'more cube')}." if allowance else "")


def no_home(words: Sequence[str]) -> str:
    """Return why words are no home, to follow them."""
    if tuple(words) == (PASS,):
        return "is not possible now, since everybody needs a home"
    return f"names {number(len(words), 'cell')}, and a home is just one"


def no_line(count: int, allowance: int, rolled: int) -> str:
    """Return why so many cells are no line, to follow them."""
    if count <= allowance:
        return "is no line of cells"
    left = f"you have {allowance} left of the {rolled}" if allowance < rolled else f"you rolled a {rolled}"
    return f"names {count} cells, but {left}"


def occupied(homing: bool, thing: str) -> str:
    """Return why a cell with something on it will not do, to follow its name."""
    if "glass" in thing and not homing:
        return "is a glass, and cubes are placed beside glass, never on it"
    return f"{'cannot be your home' if homing else 'cannot take a cube'}, since {thing} is there already"


def too_near(homing: bool, glass: str) -> str:
    """Return why a cell right beside a glass will not do, to follow its name."""
    if homing:
        return f"cannot be your home, since it is right beside the glass on {glass}"
    return f"cannot take a cube, since you have fought in this turn for the glass on {glass}, right beside it"


def unreached(later: bool) -> str:
    """Return why a cell is out of reach, to follow its name; ``later``: others come before it in the line."""
    when = " when its turn comes" if later else ""
    return f"is not next to your home, a cube of yours or glass of yours{when}"


def shares(counts: Sequence[tuple[str, int]], nobody: int) -> str:
    """Return who controls how much glass."""
    owners = [f"{name} {count}" for name, count in counts] + ([f"nobody {nobody}"] if nobody else [])
    return f"Glass: {', '.join(owners)}."


def rolled(role: str, die: int, allowance: int, further: bool) -> str:
    """Return what was rolled, and how many cubes may still be placed."""
    if not allowance:
        return f"{role} rolled a {die}."
    return f"{role} rolled a {die} and may place {up_to(allowance, 'more cube' if further else 'cube')}."


def battle_stands(attacker: str, defender: str, glass: str, cube: str, won: int, lost: int) -> str:
    """Return how a battle stands."""
    return (
        f"From {cube} {attacker} attacks {defender}’s glass on {glass}: rounds won are {attacker} {won},"
        f" {defender} {lost}, and three win the battle."
    )


def rounds(current: int, most: int, quiet: int, quiet_most: int) -> str:
    """Return which round it is, and how many have passed without a cube."""
    text = f"This is round {current} of at most {most}."
    if quiet:
        last = "round" if quiet == 1 else f"{quiet} rounds"
        text += f" Nobody placed a cube in the last {last}; after {quiet_most} such rounds the match ends."
    return text


def waiting(rest: Sequence[str]) -> str:
    """Return which cells of a line wait for the end of a battle."""
    return f"After the battle the line goes on with {' '.join(rest)}, as far as that is possible."


def fought(role: str, glass: Sequence[str]) -> str:
    """Return for which glass there has been a battle in this turn."""
    return f"{role} has fought for the glass on {listed(glass)} and may not place beside it until the turn ends."


def ended(why: str, winners: Sequence[str], most: int, glass: int) -> str:
    """Return why a match ended and with how much glass it was won."""
    if len(winners) == 1:
        return f"{why}, and {winners[0]} has the most glass, {most} of {glass}"
    return f"{why}, and {listed(winners)} have {most} of {glass} glass pieces each"


def one_left(seats: int, word: str) -> str:
    """Return why a match ended when only one seat stayed; the last to go left with ``word``."""
    if seats > 2:
        return "the other players have left the match"
    return left_last(word, "the other player")


def objective(role: str, homeless: bool) -> str:
    """Return the goal of a seat and what its turns consist of; ``homeless``: it has still to name its home."""
    first = " First you name a cell for your home, neither a glass nor right beside one." if homeless else ""
    return (
        f"You are {role}: you want to control more glass than anybody else at the end.{first} On each of your turns"
        " a die is rolled for you, and you place at most that many cubes, each next to your home, a cube of yours"
        " or glass of yours; placing none is a pass."
    )
