"""Every figure of a report by subject, in the order of the published one: what it means, and where it comes from."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.phrase import mark

KEPT = mark("kept games")
SEARCHED = mark("kept games between searching players")
_RANDOM = mark("kept games between random players")
_MEASURED = mark("measured on the machine that made the report")
_CODE = mark("the rules of the game, as they stand in the program")
_COUNTED = mark("counted on the robots’ board")
_HELP = mark("the rules page of the game")

_NOT_OURS = mark("Other people’s votes are theirs to publish; this report counts only what programs play.")
NO_GAME = mark("No such game was played in the time that was given.")
_NO_SPEED = mark("It wasn’t measured yet.")
_NO_AUCTION = mark("No auction has ended.")
_TOO_MANY = mark("There are too many boards to count.")
_ALL_NEW = mark("New positions don’t get rarer in so few games, so nobody can tell where they end.")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its ``path`` leads into a profile, or with a slash in front into the whole report.

    A part of it is a key, or ``key=value`` of an item in a list. ``form`` is that of its value: ``number``; ``exact``,
    a number that chance has no part in; ``percent``, from 0 to 100; ``share``, from 0 to 1, to be said in per cent;
    ``power10``, an exponent of ten; ``text``; ``picture``, whose key the page knows. ``absent`` says why a report may
    not have it.
    """

    key: str
    subject: str
    title: str
    definition: str
    source: str
    form: str
    path: str
    absent: str


def rows(subject: str, source: str, form: str, absent: str, *rows: tuple[str, str, str]) -> Iterator[Figure]:
    """Yield figures that have much in common, from key and path, title, and definition of each."""
    for place, title, definition in rows:
        key, path = place.split()
        yield Figure(key, subject, title, definition, source, form, path, absent)


def _perft() -> Iterator[Figure]:
    """Yield how many boards there are."""
    titles = (
        mark("Boards before the first step"),
        mark("Boards within one step"),
        mark("Boards within two steps"),
        mark("Boards within three steps"),
    )
    said = mark("Boards that differ in what lies on their cells, whoever’s turn it is.")
    found = ((f"perft_{depth} /perft/depth={depth}/boards", title, said) for depth, title in enumerate(titles))
    yield from rows("choices", _COUNTED, "exact", _TOO_MANY, *found)


SIZES: tuple[Figure, ...] = (
    *rows(
        "samples",
        KEPT,
        "number",
        NO_GAME,
        (
            "games length/search/count",
            mark("Games"),
            mark("Games between two players who both search before every step."),
        ),
    ),
    *rows(
        "samples",
        SEARCHED,
        "picture",
        NO_GAME,
        (
            "representative representative",
            mark("Representative game"),
            mark("The game nearest to the mean length, drawn with its steps numbered."),
        ),
    ),
    *rows(
        "samples",
        _HELP,
        "text",
        NO_GAME,
        ("rules /rules", mark("Rules"), mark("Where to read the rules.")),
    ),
    *rows(
        "samples",
        mark("other people’s pages"),
        "text",
        _NOT_OURS,
        ("votes /votes", mark("Votes of players"), mark("What players think of the game.")),
    ),
    *rows(
        "samples",
        _CODE,
        "number",
        NO_GAME,
        (
            "code_bytes /code/bytes",
            mark("Size of the code, bytes"),
            mark("How many bytes the rules of the game take in the program."),
        ),
        (
            "code_reference /code/reference",
            mark("Size of the smallest game, bytes"),
            mark("The same for the game with the shortest rules in the program."),
        ),
        ("code_ratio /code/ratio", mark("Ratio of sizes"), mark("The first size divided by the second.")),
    ),
    *rows(
        "speed",
        _MEASURED,
        "number",
        _NO_SPEED,
        (
            "playouts /speed/random/rate",
            mark("Playouts a second"),
            mark("Random games that one core plays from beginning to end in a second."),
        ),
        (
            "reference_playouts /speed/reference/rate",
            mark("Playouts a second, reference game"),
            mark("The same for noughts and crosses."),
        ),
        (
            "speed_ratio /speed/ratio",
            mark("Tavener complexity"),
            mark("How many times as many games of noughts and crosses are played in the same time."),
        ),
        (
            "random_rate /speed/random/rate",
            mark("Random games a second"),
            mark("The same, with its deviation from trial to trial."),
        ),
        (
            "random_nodes /speed/random/nodes",
            mark("Steps a second in random games"),
            mark("Random games a second times their mean length."),
        ),
        (
            "flat_rate /speed/flat/rate",
            mark("Playouts a second, search without a tree"),
            mark("Playouts of a search (UCB) one step deep, mean of a game’s first five steps."),
        ),
        (
            "tree_rate /speed/tree/rate",
            mark("Playouts a second, tree search"),
            mark("Playouts of a search with a tree (UCT), mean of a game’s first five steps."),
        ),
    ),
    *rows(
        "length",
        _RANDOM,
        "number",
        NO_GAME,
        (
            "random_length length/random",
            mark("Random games, steps"),
            mark("How many steps games take between players who play any legal step."),
        ),
    ),
    *rows(
        "length",
        mark("sampled: a step as often as the search tried it, then random steps"),
        "number",
        _NO_SPEED,
        (
            "flat_length /speed/flat/length",
            mark("Playouts of a search without a tree, steps"),
            mark("How many steps playouts take from a game’s first five positions, in a search one step deep."),
        ),
        (
            "tree_length /speed/tree/length",
            mark("Playouts of a tree search, steps"),
            mark("How many steps playouts take from a game’s first five positions, in a search with a tree."),
        ),
    ),
    *rows(
        "length",
        SEARCHED,
        "number",
        NO_GAME,
        (
            "length length/search",
            mark("Length, steps"),
            mark("How many steps a game takes: a stone, a die, “take” or the end of a bid is one."),
        ),
    ),
    *rows(
        "length",
        SEARCHED,
        "text",
        NO_GAME,
        ("length_mode length/search/mode", mark("Most frequent length"), mark("The length that most games have.")),
    ),
    *rows(
        "length",
        SEARCHED,
        "number",
        NO_GAME,
        (
            "length_median length/search/median",
            mark("Median length"),
            mark("Half of the games are shorter, half are longer."),
        ),
    ),
    *rows(
        "length",
        SEARCHED,
        "picture",
        NO_GAME,
        ("lengths length/search", mark("Frequencies of lengths"), mark("How many games have which length.")),
    ),
    *rows(
        "choices",
        SEARCHED,
        "number",
        NO_GAME,
        (
            "branching branching/search/mean",
            mark("Choices a step"),
            mark("How many steps are legal on average: first over a game’s steps, then over the games."),
        ),
    ),
    *rows(
        "choices",
        SEARCHED,
        "picture",
        NO_GAME,
        (
            "choices_by_step branching/search/by_step",
            mark("Choices by step"),
            mark("How many steps are legal, from the first step of a game to the last."),
        ),
    ),
    *rows(
        "choices",
        SEARCHED,
        "power10",
        NO_GAME,
        (
            "complexity complexity/tree",
            mark("Size of the game tree"),
            mark("The choices of all steps of a game multiplied: the mean of their logarithms."),
        ),
    ),
    *rows(
        "choices",
        SEARCHED,
        "share",
        NO_GAME,
        (
            "new new_positions/share",
            mark("New positions, of 100"),
            mark("How many of 100 positions in a game no earlier game has reached."),
        ),
    ),
    *rows(
        "choices",
        SEARCHED,
        "power10",
        _ALL_NEW,
        (
            "reachable new_positions/log_sum",
            mark("Positions that games reach"),
            mark("All that games would ever reach if new ones grew rarer at this rate (a geometric sum)."),
        ),
    ),
    *rows(
        "choices",
        SEARCHED,
        "picture",
        NO_GAME,
        (
            "new_positions new_positions/by_step",
            mark("New positions by step"),
            mark("How many games stand, at each step, at a position that no earlier game has reached."),
        ),
    ),
    *rows(
        "choices",
        SEARCHED,
        "number",
        NO_GAME,
        (
            "distinct actions/distinct",
            mark("Different steps"),
            mark("How many different steps players chose in all games."),
        ),
        (
            "better actions/good",
            mark("Popular steps"),
            mark("Those of them that were chosen more often than the average."),
        ),
        (
            "worse actions/bad",
            mark("Unpopular steps"),
            mark("Those of them that were chosen less often than the average."),
        ),
    ),
    *_perft(),
    *rows(
        "choices",
        _COUNTED,
        "exact",
        _TOO_MANY,
        (
            "solutions /perft/depth=3/wins",
            mark("Wins within three steps"),
            mark("How many of these boards end the game."),
        ),
    ),
    *rows(
        "balance",
        SEARCHED,
        "percent",
        NO_GAME,
        (
            "first_wins balance/search/seats/seat=1",
            mark("Wins of the first seat, of 100"),
            mark("How many of 100 games the first seat wins."),
        ),
        (
            "second_wins balance/search/seats/seat=2",
            mark("Wins of the second seat, of 100"),
            mark("How many of 100 games the second seat wins."),
        ),
        ("draws balance/search/draws", mark("Draws, of 100"), mark("How many of 100 games nobody wins alone.")),
        (
            "decisive balance/search/decisive",
            mark("Decided games, of 100"),
            mark("How many of 100 games somebody wins alone."),
        ),
    ),
    *rows(
        "balance",
        SEARCHED,
        "percent",
        _NO_AUCTION,
        (
            "taker taker",
            mark("Wins of whoever takes, of 100"),
            mark("How many of 100 games are won by the player who ends the auction."),
        ),
    ),
    *rows(
        "balance",
        SEARCHED,
        "number",
        _NO_AUCTION,
        (
            "placed auction/placed",
            mark("Stones in the auction"),
            mark("How many stones lie on the board when somebody takes."),
        ),
    ),
)
"""From the games themselves to who wins."""
