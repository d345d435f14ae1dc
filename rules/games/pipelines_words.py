"""What Pipelines says to players: the rules in plain words, and the sentences of a turn."""

from collections.abc import Sequence

from rules.prose import ORDER_BY_LOT, credit, listed, paragraphs

DESIGNERS = ("Ian Wyman",)

PASS = "pass"

ROLES = ("Red", "Blue", "Yellow")
"""What the seats are called, in their order."""

CAPTIONS = (
    "Cubes are placed on empty cells next to your home⟦ (1, 2, 3)⟧, a cube of yours or glass of yours.",
    "A cube next to a glass that nobody controls⟦ (*)⟧ takes it; next to another player’s glass it starts a battle"
    " of spinner and dice, won by three rounds.",
    "Cubes and glass that are no longer joined to their home are lost. At the end the most glass wins.",
)

LETTER_FIRST = "is not how a cell is named: the letter comes first"
"""Follows a word such as "4d"."""

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


def homes_go(role: str) -> str:
    """Return what the cells complete where a home may be."""
    return f"{role} may have the home on"


def cubes_go(role: str) -> str:
    """Return what the cells complete where the next cube may go."""
    return f"{role} may place the next cube on"


TAKING = "Nobody’s glass is taken by a cube on"
"""What the cells complete where a cube takes glass."""


def attacking(foe: str) -> str:
    """Return what the cells complete where a cube starts a battle."""
    return f"{foe}’s glass is attacked by a cube on"


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


def left_last(seats: int, word: str) -> str:
    """Return why a match ended when only one seat stayed; the last to go left with ``word``."""
    if seats > 2:
        return "the other players have left the match"
    return f"the other player {'resigned' if word == 'resign' else 'ran out of time'}"


def brief(role: str, homeless: bool) -> str:
    """Return what a seat plays for and does on its turns; ``homeless``: it has still to name its home."""
    first = " First you name a cell for your home, neither a glass nor right beside one." if homeless else ""
    return (
        f"You are {role}: you want to control more glass than anybody else at the end.{first} On each of your turns"
        " a die is rolled for you, and you place at most that many cubes, each next to your home, a cube of yours"
        " or glass of yours; placing none is a pass."
    )


HELP = paragraphs(f"""
    You build pipelines of cubes from your home to the glass pieces on the board. Whoever controls
    the most glass at the end wins.

    The board is a hexagon made of hexagonal cells, each next to up to six others. A cell has a
    letter and a number: a1 is at the bottom left, numbers count the rows upward. ⟦The board shows
    homes as 1, 2 and 3, cubes as r, b and y, glass that nobody controls as * and glass that is
    controlled as R, B and Y: |⟧Red is seat 1, Blue seat 2 and Yellow seat 3.

    At the start the glass is laid out by lot: spread evenly, no two pieces closer than three steps
    wherever that is possible. Then each player in turn, Red first, names one cell for his home. It
    must be empty and at least two steps away from every glass, so neither a glass nor right beside
    one; it may be right beside another home (our reading).

    On your turn a die is rolled for you. You name as many cells as it shows, or fewer, and on each
    of them one of your cubes is placed, in the order in which you name them; or you write the word
    pass. Each cell must be empty, and next to your home, to one of your cubes or to a glass you
    control. Cubes never move. When no cell at all is open to you, the turn is passed for you.

    A cube placed next to a glass that nobody controls takes that glass at once. The cubes that you
    name afterwards may then go on from the glass.

    A cube placed next to a glass of another player attacks it, and there is a battle at once. In
    each round a spinner shows a number from 1 to 6, then the attacker rolls a die and the defender
    rolls one. The numbers lie on a ring on which 6 and 1 are neighbours, and whoever is nearer to
    the spinner wins the round. If both are equally near, the whole round is played again, with the
    spinner (our reading). Whoever first wins three rounds wins the battle. All of this is drawn for
    you. Homes cannot be attacked.

    The loser of a battle removes every cube of his that reaches the glass through cubes of his own
    alone: chains of his cubes that touch the glass, as far as they run without a home or a glass in
    between. If the defender lost, the attacker controls the glass.

    Until your turn ends you may not place next to a glass that you have fought for, unless you control
    it: there is no second battle for a glass in one turn, but from one that you have won you may build
    on. (In matches opened under the first version of these rules, whose records have no line “rules”,
    you may not even then.) If a cube touches several glass pieces of others, it attacks them one
    after the other while it stands, in the order of their names: first by letter, then by number
    (our reading). A piece that is nobody’s by then is taken, not attacked (our reading).

    After every change each player keeps only those cubes and glass pieces that hang together with
    his home through cubes and glass of his. All his other cubes are removed, and his other glass is
    nobody’s again.

    If you named more cells after one that led to a battle, they are placed after it, as far as that
    is possible; from the first cell on that is not open any more, they are dropped (our reading). One
    reply does not name a cell twice (our reading). A
    battle does not use up your turn: if you may still place cubes after it, it is your turn again,
    and you may also pass. A reply that leads to no battle ends the turn, even if you name fewer cells
    than you might.

    The match ends at once when every glass is controlled, even before a battle that would come next
    (our reading). It also ends after three full rounds in which nobody placed a cube, and after 100
    rounds (our reading). A round is one turn of each player, counted from the first one who is
    still there (our reading); a cube that is removed again counts as placed (our reading). The most
    glass wins, and those who have equally much share the win.

    When somebody leaves, his home and his cubes are removed, his glass is nobody’s, and he is passed
    over. A battle against him ends there: the attacking cube takes the glass, which then was not
    fought for. His own battle as the attacker just ends. If only one player stays, he wins. (All of
    this is our reading.)

    For example, “d4” as the first move makes that cell your home. Later a line of three cells
    might put one cube right beside your home, one beside that cube and the third beside a glass;
    if nobody controls it, it is yours at once.
{ORDER_BY_LOT}
    {credit("Pipelines", DESIGNERS)}
""")
