"""What is said of ladders: the sentences of reasons, by code. Pure."""

from collections.abc import Mapping

from rules.phrase import mark

REFUSED_IN_LADDERS: Mapping[str, str] = {
    "ladder_already": mark("You’re in the {title} ladder already, at place {place}."),
    "ladder_just_left": mark("You’ve left the {title} ladder today. You can enter it again tomorrow."),
    "ladder_closed": mark("The person who runs this service has taken you out of the {title} ladder."),
    "ladder_which": mark("You’re in several ladders, {names}. Please write which one: `leave ladder {name}`."),
    "ladder_not_in": mark("You’re in no ladder called {name!q}. `ladder` shows the ladders that you’re in."),
    "ladder_not_in_any": mark("You’re in no ladder. To enter one, write `ladder pipline`, with the game you like."),
    "no_ladder": mark("There’s no ladder called {name!q}. There can be one for {names}."),
    "ladder_not_for_two": mark("Two can’t play {name}, so there’s no ladder for it. There can be one for {names}."),
    "ladder_nobody": mark("Nobody called {who!q} stands in a ladder of yours. `ladder` shows who does."),
    "ladder_rivals": mark("Several are called {who!q} in the {title} ladder. Please write the whole name."),
    "ladder_which_rival": mark(
        "{who} is in several ladders of yours, {names}. Please write which one: `challenge {who} in {name}`."
    ),
    "ladder_paused": mark("The ladder pauses, so nobody can be challenged just now."),
    "challenge_below": mark("{who} doesn’t stand above you, so there’s no place to win from them."),
    "challenge_absent": mark("{who} can’t be challenged just now."),
    "challenge_too_high": mark("{who} stands more than {most} places above you, so that’s too far for now."),
    "challenge_running": mark("You’ve challenged somebody already. When that’s over, you can challenge {who}."),
    "challenge_taken": mark("{who} is being challenged by somebody else."),
    "challenge_often": mark("You can make {most} challenges a day in a ladder. Please try again tomorrow."),
    "challenge_again": mark("{who} was the last you challenged, so it’s somebody else’s turn."),
    "challenge_near": mark("You could challenge {near}."),
}
"""Why nothing came of a wish about ladders, and what could."""

LADDERS: Mapping[str, str] = {
    **REFUSED_IN_LADDERS,
    "ladder_entered": mark(
        "You’re in the {title} ladder, at its end. With `challenge` and a name you challenge somebody up to three"
        " places above you; if you win, their place is yours. `leave ladder {name}` ends it."
    ),
    "ladder_left": mark("You’ve left the {title} ladder. Matches that have begun go on, but not for a place in it."),
    "ladder_others": mark("There’s a ladder of {names}, too. To enter one, write `ladder {name}`."),
    "ladder_none_yet": mark(
        "There’s no ladder yet, so you’d be the first. To begin one, write `ladder pipline`, with the game you like."
    ),
    "ladder_sank": mark(
        "You’ve finished no match of the {title} ladder for three months, so you’re at its end now. With `challenge`"
        " and a name you can win places back."
    ),
    "challenged": mark(
        "I’ve asked {who} to play you for place {place} of the {title} ladder. If there’s no answer by {until}, the"
        " place is yours. To take it back, reply `cancel {number}`."
    ),
    "challenged_robot": mark("{who} accepts. Your match for place {place} of the {title} ladder opens at once."),
    "challenge_declined_won": mark(
        "{who} has declined your challenge in the {title} ladder, so the place is yours. You’re at place {place} now."
    ),
    "challenge_unanswered_won": mark(
        "{who} hasn’t answered your challenge in the {title} ladder in time, so the place is yours. You’re at place"
        " {place} now."
    ),
    "challenge_unanswered_lost": mark(
        "You haven’t answered the challenge of {who} in the {title} ladder in time, so your place is theirs. You’re at"
        " place {place} now."
    ),
    "challenge_declined_lost": mark(
        "You’ve declined the challenge of {who} in the {title} ladder, so your place is theirs. You’re at place {place}"
        " now."
    ),
    "ladder_open_again": mark("You’re in the {title} ladder again, at place {place}: that you weren’t is taken back."),
    "ladder_place": mark("You’re at place {place} of the {title} ladder now."),
    "challenge_over": mark(
        "Nothing comes of the challenge between you and {who} in the {title} ladder. You’re still at place {place}."
    ),
    "challenge_refused": mark("You’ve declined the challenge, so your place goes to whoever made it."),
}
