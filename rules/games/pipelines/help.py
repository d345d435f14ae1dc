"""The rules of Pipelines in plain words; where they were left open, it is "our reading"."""

from rules.text import ORDER_BY_LOT, credit, paragraphs

DESIGNERS = ("Ian Wyman",)

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
