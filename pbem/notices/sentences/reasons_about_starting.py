"""What is said of invitations, offers and new matches: the sentences of reasons, by code. Pure."""

from collections.abc import Mapping

from rules.phrase import mark, marks

REFUSED: Mapping[str, str | tuple[str, str]] = {
    # Why nothing came of a wish.
    "no_offer": mark("There’s no game {number} that you could join or cancel. `offers` lists those that there are."),
    "no_own_offer": mark("You’re offering no game just now, so there was nothing to take back."),
    "again_too_early": mark("Match {number} isn’t over yet, so it can’t be played again."),
    "again_declined": mark("Somebody has declined to play match {number} again, so I won’t ask once more."),
    "again_former": mark("Somebody who played match {number} isn’t here any more, so it can’t be played again."),
    "no_match_again": mark("You have no match {number} that could be played again."),
    "yourself": mark("That’s you."),
    "no_game": mark("There’s no game called {game!q} here. There are {games}."),
    "nobody_invited": mark("Whom do you want to play? Write it like this: `{example}`."),
    "nobody_called": mark(
        "I don’t know who {name!q} is: you haven’t played with anyone of that name. Please write their email address."
    ),
    "several_called": mark(
        "You know several players called {name!q}. Please write the whole name, or the email address."
    ),
    "no_address": mark("{address!q} isn’t an email address I can write to."),
    "members_alone": mark(
        "{address} isn’t a player here, and you can only invite players. The person who runs this service can add them."
    ),
    "invited_twice": mark("Someone is named twice, or you’ve named yourself: each player has one seat."),
    "pair_is_for_two": mark("`pair` is for you and one other player, so please name one."),
    "rated_with_robot": mark("A match with a robot can’t be rated, so I’ve opened nothing. Please leave out `rated`."),
    "rated_and_private": mark(
        "A private match can’t be rated: ratings are public. Please leave out one of the two words."
    ),
    "rated_without_end": mark(
        "Nobody could run out of time in that match, so whoever is losing could just stop. Please leave out `rated`,"
        " or choose a time limit such as `days=3 flag=forfeit`."
    ),
    "reliable_is_for_offers": mark(
        "`reliable` is for offers to whoever comes first, such as `seek pipline reliable=90`."
    ),
    "not_so_reliable": mark("{value!q} isn’t a percentage. Write it like this: `seek pipline reliable=90`."),
    "too_new": mark(
        "Number {number} is for players who are at least {least} percent reliable. I can only tell once you’ve"
        " finished {fewest} matches with a time limit within a year; so far it’s {matches}. Other offers are open to"
        " you."
    ),
    "too_unreliable": mark(
        "Number {number} is for players who are at least {least} percent reliable, and in the last year you were"
        " {percent}. Other offers are open to you."
    ),
    "not_such_a_match": mark("{why} I’ve opened nothing."),
    "invited_enough": mark("You can invite {most} people a day, so I’ve invited nobody. Please try again tomorrow."),
    "open_enough": mark(
        "You already have {most} invitations and offers open. `offers` lists them, and `cancel` with a number"
        " takes one back."
    ),
    "matches_enough": mark("You’re in {most} matches already. That’s as many as one player can have at once."),
    "after_which": mark("Which match do you mean? Please write its number, as in `{example}`."),
    "after_nowhere": mark("There’s no match {number} that you could write about."),
    "after_unplayed": mark("You didn’t play match {number}, so that’s for its players to say."),
    "after_private": mark("Match {number} is private, so nobody can write under its moves."),
    "after_later": mark("Match {number} isn’t over yet. Once it is, you can write under its moves."),
    "after_closed": mark("One of the players of match {number} wants nothing under its moves."),
    "after_nobody": mark("Nobody from match {number} is still here to agree to it."),
    "after_enough": mark("You can write about {most} matches of others a day. Please try again tomorrow."),
    "after_empty": mark(
        "I found no words to put there. Write them behind the number, such as `comment 17#12 Well played`."
    ),
    "after_too_long": mark("Under a move there’s room for {most} characters, so I’ve kept nothing."),
    "after_leads_away": mark(
        "Addresses, links and long numbers can’t stand under a move, so I’ve kept nothing. Please send it without them."
    ),
    "after_line_unread": mark(
        "That isn’t a line of moves, so I’ve kept nothing. Write one like this: `line 17#12: d4, e5`."
    ),
    "after_none": mark("There’s nothing there in match {number} that you could take away."),
    "robots_off": mark("There are no robots here just now."),
    "robot_too_strong": mark(
        "Robots have the strengths 1 to {most} here, not {strength}: write `robot:{most}`, for example."
    ),
    "robot_matches_enough": mark(
        "Robots need time to think, so you can be in {most} matches with them at once. Please finish one first."
    ),
}
"""Two where the argument ``count`` chooses."""

STARTING: Mapping[str, str | tuple[str, str]] = {
    # Starting matches.
    **REFUSED,
    "welcome": mark("You can play here from now on. To learn how to start a match, reply `help matches`."),
    "unnamed": mark("You’re called {name} here. For another name, reply `name Robin`."),
    "words_beside": mark(
        "I haven’t passed on {lines}: nobody is there yet to read it. To write to the players of a match, reply to one"
        " of its emails with `say:` and your words."
    ),
    "words_to_players": mark(
        "I’ve passed on what you wrote only to people who already play here: {lines}. Once you’ve made a move"
        " in a match, others can read such words too, if they’re short and hold no addresses or long numbers."
    ),
    "not_about_starting": mark(
        "I’ve done nothing about {lines!q}. Please write that in a reply to an email about one of your matches."
    ),
    "invited": mark(
        "I’ve invited {who} to {game}. The match opens when everyone has accepted. To take it back, reply"
        " `cancel {number}`."
    ),
    "invited_both": mark(
        "I’ve invited {who} to two games of {game}, so that each of you plays both sides. They open when {who} has"
        " accepted. To take it back, reply `cancel {number}`."
    ),
    "may_not_ask": mark(
        "I can’t write to {who} about it myself. If they’d like to play, they can write `join {number}` to {address}."
    ),
    "offered": mark(
        "I’ve offered your game of {game} as number {number}. It opens when its places are taken. To take it back,"
        " reply `cancel {number}`."
    ),
    "joined": marks(
        "You have a place in number {number}. One more player has to agree before the match opens.",
        "You have a place in number {number}. {count} more players have to agree before the match opens.",
    ),
    "not_wished": mark("All right, I’ve done nothing."),
    "joined_already": mark("You have your place in number {number} already. It opens when the others have agreed."),
    "withdrawn": mark("You’ve taken number {number} back."),
    "declined": mark("You’ve declined, so that match won’t open."),
    "left_offer": mark("You’ve given up your place in number {number}."),
    "unsought": marks("You’ve taken your offer back.", "You’ve taken your {count} offers back."),
    "again_proposed": mark(
        "I’ve asked {who} to play {game} again. The match opens when everyone has said yes. To take it back, reply"
        " `cancel {number}`."
    ),
    "again_begun": mark("You’ve all agreed already: the next match is open, or about to be."),
    "refused": mark(
        "Invitations from {who} don’t reach you any more, and they aren’t told. To change that, reply `unblock {who}`."
    ),
    "refused_no_more": mark("Invitations from {who} reach you again."),
    "robots_help": mark(
        "`new zipline robot:1` starts a match against a robot at once. The number, up to {most}, is its"
        " strength. Where three can play, other people can join in: `new zipline bob@example.org robot:1`."
        " You can be in {matches} such matches at once; they aren’t rated. A robot moves by itself, usually"
        " within minutes. It lets you take moves back (`undo`) unless dice were rolled since, agrees to"
        " pauses, accepts a draw when it’s losing, and doesn’t read what you say. If somebody has vanished,"
        " `replace Bob with robot:1` asks the others whether it may play on; `standin robot:1 until 14 aug`"
        " asks whether it may have your own seat for some days."
    ),
    "after_shown": mark("It’s at {page} now. To take it away, reply `comment off {where}`."),
    "after_asked": mark(
        "You didn’t play match {number}, so I’ve asked its players. Once they’ve all agreed, your words appear there."
    ),
    "after_off": mark("I’ve taken it away. Whoever has read {where} may remember it."),
    "after_shut": mark(
        "There’s nothing under the moves of match {number} any more, and nobody can write there until you reply"
        " `comment on {number}`."
    ),
    "after_open": mark("People can write under the moves of match {number} again."),
    "after_agreed": mark("It’s on the page of match {number} now. If you change your mind, reply `no`."),
    "after_agreed_first": mark("Thank you! It appears once everyone else from match {number} has agreed, too."),
    "after_declined": mark("All right, it won’t appear under the moves of match {number}."),
    "too_many_wishes": mark("I’ve done the first {most} of these. Please send the rest in another email."),
    "guest_joined": marks(
        "{who} has accepted your invitation to {game}. I’m waiting for one more player.",
        "{who} has accepted your invitation to {game}. I’m waiting for {count} more players.",
    ),
    "guest_took": mark("{who} has taken a place in your game of {game}. Others are still free."),
    "guest_took_unnamed": mark("Somebody has taken a place in your game of {game}. Others are still free."),
    "guest_left": mark("{who} has given up their place in your game of {game}."),
    "guest_left_unnamed": mark("Somebody has given up their place in your game of {game}."),
    "guest_joined_unnamed": mark("Somebody has taken a place in your game of {game}."),
    "guest_declined": mark("{who} has declined your invitation to {game}, so that match won’t open."),
    "guest_declined_unnamed": mark("Somebody can’t play, so your game of {game} won’t open."),
    "not_agreed": mark("Somebody can’t play, so the game of {game} that you’d accepted won’t open."),
    "invitation_expired": mark("Not everyone has answered in time, so your game of {game} won’t open."),
    "invitation_withdrawn": mark("The game of {game} that you’d accepted was taken back, so it won’t open."),
    "invitation_failed": mark("Your game of {game} can’t open any more: somebody has left, or may not play."),
    "yes_completes": mark("Once that address answers yes too, you can write from there."),
    "yes_completes_message": mark(
        "Once that address answers yes too, you can write from there, and I’ll act on the email I asked you about."
    ),
}
"""Two where the argument ``count`` chooses."""
