"""What is said of ladders: the sentences of reasons, by code. Pure."""

from collections.abc import Mapping

from rules.phrase import mark

REFUSED_IN_LADDERS: Mapping[str, str] = {
    "ladder_already": mark("You’re in the {title} ladder already, as number {place}."),
    "ladder_just_left": mark("You left the {title} ladder only today. You can enter it again tomorrow."),
    "ladder_closed": mark("The person who runs this service has taken you out of the {title} ladder."),
    "ladder_which": mark("You’re in several ladders, {names}. Please write which one: `leave ladder {name}`."),
    "ladder_not_in": mark("You aren’t in a ladder called {name!q}. To see yours, reply `ladder`."),
    "ladder_not_in_any": mark(
        "You aren’t in any ladder. To enter one, write `ladder pipline`, with the game you like."
    ),
    "no_ladder": mark("There’s no ladder called {name!q}. There can be one for {names}."),
    "ladder_not_for_two": mark("Two can’t play {name}, so there’s no ladder for it. There can be one for {names}."),
    "ladder_nobody": mark("Nobody called {who!q} is in a ladder of yours. To see who is, reply `ladder`."),
    "ladder_rivals": mark("More than one player in the {title} ladder is called {who!q}. Please write the whole name."),
    "ladder_which_rival": mark(
        "{who} is in several ladders of yours, {names}. Please write which one: `challenge {who} in {name}`."
    ),
    "ladder_paused": mark("The ladder is paused, so nobody can be challenged just now."),
    "challenge_below": mark("{who} isn’t above you, so you can’t win their place."),
    "challenge_absent": mark("{who} can’t be challenged just now."),
    "challenge_too_high": mark("{who} is more than {most} places above you: that’s too far for now."),
    "challenge_running": mark("You’ve challenged somebody already. When that’s over, you can challenge {who}."),
    "challenge_taken": mark("{who} is being challenged by somebody else, or has been often enough today."),
    "challenge_often": mark("You can make {most} challenges a day in a ladder. Please try again tomorrow."),
    "challenge_waits": mark("Others have waited longer to challenge {who}, so they go first until {until}."),
    "challenge_near": mark("You could challenge {near}."),
}
"""Why nothing came of a wish about ladders, and what could."""

LADDERS: Mapping[str, str] = {
    **REFUSED_IN_LADDERS,
    "ladder_entered": mark(
        "You’re in the {title} ladder, at the bottom. To climb, write `challenge` and the name of somebody up to three"
        " places above you: if you win, you take their place. To leave, reply `leave ladder {name}`."
    ),
    "ladder_left": mark("You’ve left the {title} ladder. Matches that have begun go on, but not for a place in it."),
    "ladder_others": mark("There’s also a ladder for {names}. To enter one, write `ladder {name}`."),
    "ladder_none_yet": mark(
        "There’s no ladder yet, so you’d be the first. To begin one, write `ladder pipline`, with the game you like."
    ),
    "ladder_sank": mark(
        "You haven’t finished a match in it for three months, so you’re at the bottom now. To climb again, write"
        " `challenge` and a name."
    ),
    "challenged": mark(
        "I’ve asked {who} to play you for place {place} of the {title} ladder. If they don’t answer by {until},"
        " it’s yours. To take it back, reply `cancel {number}`."
    ),
    "challenge_by_you": mark(
        "You challenge {who} for place {place} of the {title} ladder. If the match is called off, whoever didn’t begin"
        " has lost it."
    ),
    "challenge_to_you": mark(
        "{who} challenges you for place {place} of the {title} ladder. If the match is called off, whoever didn’t begin"
        " has lost it."
    ),
    "challenged_robot": mark("{who} accepts. Your match for place {place} of the {title} ladder is about to open."),
    "challenge_declined_won": mark(
        "{who} declined your challenge, so you take their place: you’re number {place} now."
    ),
    "challenge_unanswered_won": mark(
        "{who} didn’t answer your challenge in time, so you take their place: you’re number {place} now."
    ),
    "challenge_unanswered_lost": mark(
        "You didn’t answer {who}’s challenge in time, so they take your place: you’re number {place} now."
    ),
    "challenge_declined_lost": mark(
        "You declined {who}’s challenge, so they take your place: you’re number {place} now."
    ),
    "ladder_open_again": mark("You’re back in the {title} ladder, as number {place}."),
    "ladder_place": mark("You’re number {place} in the {title} ladder now."),
    "challenge_over": mark("The challenge between you and {who} is off. You’re still number {place}."),
    "challenge_refused": mark("You’ve declined the challenge, so {who} takes your place."),
}
