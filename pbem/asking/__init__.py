"""Who is asked what, how often anybody may be asked, and what their yes or no does.

Whatever somebody is asked by email is a question (``question``): an invitation, an offered seat, an address to be
proven, a match to be followed, being forgotten; each kind is a module in ``kinds``. ``may_ask`` says whether it may be
asked, ``posting`` queues the email, and the token in that leads the answer back. What an email to a seat proposes is a
question too, which ``proposals`` takes up. A player who wants something of others hands over a wish, and ``granting``
makes effects of it. When everybody has agreed, a due thing opens the match or lets the seat pass. ``limits`` says how
much email one person can cause for another.

The operator's changes of a player stand here too (``accounts``): the name, the addresses, or that two players are one.
"""
