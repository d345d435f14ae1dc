"""Figures on how well games are played, where on the board, and how they go; in the order of the published report."""

from collections.abc import Iterator

from pbem.report.figures import KEPT, NO_GAME, SEARCHED, Figure, rows
from rules.phrase import mark

_LOOKED = mark("one more search at each step of the representative game")
_BROWNE = mark("Browne 2008; one more search at each step of the representative game")
_NO_LOOK = mark("It needs a game between searching players and, for most of these, two seats and a winner.")
_NO_PASS = mark("This game’s board has no way to do nothing.")


def _ladder() -> Iterator[Figure]:
    """Yield what is said of each rung of the published ladder."""
    first = mark("– wins of the first seat, of 100"), mark("How many of 100 of these games the first seat wins.")
    steps = mark("– steps"), mark("How many steps these games take.")
    said = mark("How many of 100 games the first-named player wins.")
    for strong, weak, title in (
        (3, 0, mark("3 playouts against random, wins of 100")),
        (70, 3, mark("70 playouts against 3, wins of 100")),
        (70, 70, mark("70 playouts against 70, wins of 100")),
    ):
        key, path = f"ladder_{strong}_{weak}", f"ladder/strong={strong},weak={weak}"
        shares = (f"{key} {path}/all", title, said), (f"{key}_first {path}/first_seat", *first)
        yield from rows("strength", KEPT, "percent", NO_GAME, *shares)
        yield from rows("strength", KEPT, "number", NO_GAME, (f"{key}_length {path}/length", *steps))


def _moves() -> Iterator[Figure]:
    """Yield what is said of effective and of good moves, and of games that have no others."""
    effective = mark("Steps valued within 0.1 of the best, where a sure loss is −1 and a sure win is 1.")
    good = mark("Steps after which the player is more likely to win than to lose.")
    space = mark("How many games there would be with such steps alone: their numbers at every step, multiplied.")
    for name, part, title, said in (
        ("effective", "percent", mark("Effective moves, of 100"), effective),
        ("effective", "number", mark("Effective moves a step"), effective),
        ("effective", "space", mark("Effective games"), space),
        ("good", "percent", mark("Good moves, of 100"), good),
        ("good", "number", mark("Good moves a step"), good),
        ("good", "space", mark("Good games"), space),
    ):
        titles = (("all", title), ("first", mark("– of the first seat")), ("second", mark("– of the second seat")))
        found = ((f"{name}_{who}_{part} study/scores/{name}_{who}/{part}", told, said) for who, told in titles)
        yield from rows("course", _LOOKED, "power10" if part == "space" else part, _NO_LOOK, *found)


PLAY: tuple[Figure, ...] = (
    *rows(
        "strength",
        KEPT,
        "percent",
        NO_GAME,
        (
            "mirror naive/player=mirror/all",
            mark("Half turn, wins of 100"),
            mark("A player who answers at the point opposite, through the middle of the board."),
        ),
        (
            "across naive/player=across/all",
            mark("Reflection to the side, wins of 100"),
            mark("A player who answers at the same height on the other side of the board."),
        ),
        (
            "upside naive/player=upside/all",
            mark("Reflection upwards, wins of 100"),
            mark("A player who answers at the same place above or below the middle of the board."),
        ),
        (
            "copy naive/player=copy/all",
            mark("Copying the last move, wins of 100"),
            mark("A player who does what their opponent did last, where the rules allow it."),
        ),
        (
            "middle naive/player=middle/all",
            mark("Middle first, wins of 100"),
            mark("A player who plays as close as they can to the middle of the board."),
        ),
    ),
    *_ladder(),
    *rows(
        "strength",
        KEPT,
        "picture",
        NO_GAME,
        ("ladder_chart ladder", mark("Wins by strength"), mark("How much more thinking helps, rung by rung.")),
    ),
    *rows(
        "board",
        SEARCHED,
        "number",
        NO_GAME,
        (
            "response response_distance",
            mark("Response distance"),
            mark("How many king’s steps (on hexagons: cells) each piece lies from the one placed just before it."),
        ),
    ),
    *rows(
        "board",
        SEARCHED,
        "percent",
        NO_GAME,
        ("board_use board_use", mark("Board use, of 100"), mark("Of 100 cells, how many ever have a piece in a game.")),
    ),
    *rows(
        "board",
        SEARCHED,
        "picture",
        NO_GAME,
        ("heat heat/placed", mark("Where pieces go"), mark("How many games have a piece on each cell.")),
        (
            "opening_map opening_map/placed",
            mark("Openings"),
            mark("Where the first ten pieces of a game go, and how often whoever placed them wins."),
        ),
    ),
    *rows(
        "course",
        SEARCHED,
        "picture",
        NO_GAME,
        ("material study", mark("Material"), mark("How many pieces of each kind lie on the board at each step.")),
        (
            "kinds study",
            mark("Kinds of steps"),
            mark("What each step of the game is: a piece, the end of a turn, or a word."),
        ),
    ),
    *rows(
        "course",
        _LOOKED,
        "picture",
        NO_GAME,
        (
            "best_values study",
            mark("The best step’s value"),
            mark("How likely the player to act is to win with the best step and, where they can, by doing nothing."),
        ),
        (
            "temperature study",
            mark("Temperature"),
            mark("The values of all steps, from the best to the worst, at each step of the game."),
        ),
    ),
    *rows(
        "course",
        mark("Browne 2008; values that searching players saw"),
        "share",
        _NO_LOOK,
        (
            "lead_changes drama/lead_changes",
            mark("Lead changes, of 100"),
            mark("At how many of 100 steps, in the auction too, the lead passes to the other player."),
        ),
    ),
    *rows(
        "course",
        _LOOKED,
        "percent",
        _NO_LOOK,
        (
            "critical study/scores/critical",
            mark("Critical turns, of 100"),
            mark("At how many of 100 steps only one choice is effective."),
        ),
    ),
    *_moves(),
    *rows(
        "course",
        _BROWNE,
        "percent",
        _NO_PASS,
        (
            "hot study/scores/hot",
            mark("Hot, of 100"),
            mark("At how many of 100 steps moving is better than doing nothing, as a second search sees it."),
        ),
    ),
    *rows(
        "course",
        _BROWNE,
        "percent",
        _NO_LOOK,
        (
            "momentum study/scores/momentum",
            mark("Momentum, of 100"),
            mark("At how many of 100 steps the player to act improves their chance to win."),
        ),
        (
            "correction study/scores/correction",
            mark("Correction, of 100"),
            mark("At how many of 100 steps the chances move closer to equal."),
        ),
        (
            "depth study/scores/depth",
            mark("Depth, of 100"),
            mark("How far a search as long as the players’ misjudges the best step, compared with a longer one."),
        ),
        ("drama study/scores/drama", mark("Drama, of 100"), mark("How far the winner was behind before they won.")),
        (
            "foulup study/scores/foulup",
            mark("Foul-up, of 100"),
            mark("At how many of 100 steps a search as long as the players’ prefers a step that a longer one doesn’t."),
        ),
        (
            "surprising study/scores/surprising",
            mark("Surprising, of 100"),
            mark("At how many of 100 steps the best one looks bad to such a search but good to a longer one."),
        ),
        (
            "last_lead_change study/scores/last_lead_change",
            mark("Last lead change, of 100"),
            mark("How far into the game the lead changes for the last time."),
        ),
        (
            "decisiveness study/scores/decisiveness",
            mark("Decisiveness, of 100"),
            mark("How much of the game is left once the winner’s chance stays above 95 of 100."),
        ),
    ),
)
"""From strength to the course of a game."""
