"""What is said of addresses, names, digests and seats: the sentences of reasons, by code. Pure."""

from collections.abc import Mapping

from rules.phrase import mark, marks

PLAYERS: Mapping[str, str | tuple[str, str]] = {
    # Addresses that a message came from.
    "operator_told": mark("I’ve passed that on to the person who runs this service, and to nobody else."),
    "operator_told_nothing": mark(
        "There’s nothing to pass on. Write your words behind `operator:`, and they go to the person who runs this"
        " service."
    ),
    "operator_told_enough": mark(
        "You’ve already told the person who runs this service several things today, so I haven’t passed this"
        " on. Please send it again tomorrow."
    ),
    "operator_unknown": mark(
        "I can’t pass that on: I have no address for the person who runs this service. Nobody else got it."
    ),
    "address_added": mark("{address} has said yes, so now you can write from there as well."),
    "address_asked": mark("I’ve just asked {address} as well."),
    "address_asked_before": mark("I’ve already asked {address}."),
    "address_declined": mark(
        "{address} has said no, so I’ll ignore the email I asked you about, and anything else from there."
    ),
    "address_dropped": mark("I’ll ignore that email, and anything else from {address}."),
    "address_dropped_late": mark(
        "I’ll ignore anything sent from {address} from now on. But I had already acted on the email I asked you about."
    ),
    "address_known": mark("That’s settled already: you can write from {address} as well."),
    "address_left": mark("{address} has said no, so I’ll ignore anything sent from there from now on."),
    "address_never_counts": mark("I ignore anything sent from {address}."),
    "address_not_askable": mark(
        "I can’t ask {address} right now whether it’s yours, so nothing has changed. Please write from this address."
    ),
    "address_refused": mark("{address} has said no, so I ignore anything sent from there in your name."),
    "address_taken": mark("{address} is another player’s by now, so nothing has changed."),
    "message_counts": mark("I’m acting on the email I asked you about. A separate email will tell you the result."),
    "others_unread": mark("I haven’t read other emails from there. Please resend anything that still matters."),
    "address_enough": mark("You have {most} addresses already, which is the most."),
    "address_main": mark(
        "My emails to you go to {address}, so it stays. To get them at another address, reply `operator:` and"
        " the address: that reaches the person who runs this service."
    ),
    "address_not_added": mark("All right, you can’t write from {address}."),
    "address_not_own": mark("{address} isn’t one of your addresses."),
    "address_own": mark("You can write from {address} already."),
    "address_removed": mark("You can no longer write from {address}."),
    "address_says_yes": mark("{address} has said that it’s yours."),
    "address_unread": mark(
        "{text!q} isn’t an email address I can write to. Write it like this: `address ann@work.example`."
    ),
    "address_wanted": mark(
        "If I may, I’ve just asked {address} whether it’s yours. Reply `yes` there; I’ll ask once more here,"
        " and then you can write from there as well."
    ),
    # What a player is called, and what is kept of them.
    "export_coming": mark("All I keep about you goes to {address} in a few minutes, as a file, and nowhere else."),
    "export_today": mark("You get that once a day at most, and today’s has gone to {address}."),
    "name_forgotten": mark("{name!q} can’t be a name: that’s what forgotten players are called."),
    "name_long": mark("That name is too long: it can have {most} characters."),
    "name_leads_away": mark("{name!q} can’t be a name: it looks like an address on the web, or a telephone number."),
    "name_none": mark("{name!q} isn’t a name: it needs a letter, as in `name Ann Lee`."),
    "name_same": mark("You’re called {name} already."),
    "name_set": mark("You’re {name} from now on. The others read it in their next emails."),
    "name_sign": mark("{name!q} can’t be a name, because of the {sign} in it. Please write it without."),
    "name_taken": mark(
        "{name!q} is somebody else’s name, or was until lately, or comes too close to one. Please choose another."
    ),
    "name_too_often": mark("You can change your name {most} times in thirty days, and you have."),
    "name_word": mark("{name!q} can’t be a name: in an email I’d read it as a command or a move."),
    # The digest, and what became of a reply to it.
    "digest_daily": mark(
        "Every day at {at} you’ll get one email with all the boards that wait for you. Your time still runs"
        " from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_mon": mark(
        "Every Monday at {at} you’ll get one email with all the boards that wait for you. Your time still"
        " runs from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_tue": mark(
        "Every Tuesday at {at} you’ll get one email with all the boards that wait for you. Your time still"
        " runs from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_wed": mark(
        "Every Wednesday at {at} you’ll get one email with all the boards that wait for you. Your time still"
        " runs from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_thu": mark(
        "Every Thursday at {at} you’ll get one email with all the boards that wait for you. Your time still"
        " runs from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_fri": mark(
        "Every Friday at {at} you’ll get one email with all the boards that wait for you. Your time still"
        " runs from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_sat": mark(
        "Every Saturday at {at} you’ll get one email with all the boards that wait for you. Your time still"
        " runs from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_sun": mark(
        "Every Sunday at {at} you’ll get one email with all the boards that wait for you. Your time still"
        " runs from the moment it’s your turn. To go back to an email for each match, reply `digest off`."
    ),
    "digest_lost": mark(
        "Match {number} is gone: the service was restored from a backup, made before the match was opened."
    ),
    "digest_no_number": mark(
        "Start each line with the number of its match, such as `{number} show`, so I know which one you mean."
    ),
    "digest_no_seat": mark("You no longer have a seat in match {number}."),
    "digest_seat_passed": mark(
        "Somebody else has had the seat since that email. To play in match {number}, reply to my last email about it."
    ),
    "digest_not_listed": mark("That match wasn’t in my email. To play in it, reply to my last email about it."),
    "digest_off": mark("You’ll get an email for each match again. The boards that wait for you come at once."),
    "digest_played": mark("That was done already."),
    "digest_too_much": mark(
        "I couldn’t read your email: it’s too long, or encrypted. Please write a line for each match."
    ),
    "digest_unread": mark("{line!q} isn’t a time I can read. Write it like `digest 07:30` or `digest mon 07:30`."),
    "digest_utc": mark("That’s in UTC. To get it in your own zone, reply with a city, such as `tz Lisbon`."),
    "letter_off": mark("You get no Sunday letter now. To get it again, reply `letter on`."),
    "letter_on": mark(
        "You’ll get a letter each Sunday while you play in a ladder or a league. To get none, reply `letter off`."
    ),
    "digest_words": mark("{lines} went to nobody, since no match is named in front."),
    # Who has a seat.
    "replace_left": mark(
        "{name} has left the match, and others have moved or left since, so it’s too late to take their seat."
    ),
    "replace_not_waiting": mark("Nobody is waiting for {name}, so nobody can take their seat just now."),
    "replace_oneself": mark("For yourself, name a stand-in: `standin Ann until 14 aug`."),
    "replace_unread": mark(
        "I don’t know whose seat you mean by {line!q}. Write who has left and who should play on, as in"
        " `replace Bob with Carl`."
    ),
    "seat_agreed": mark("You agree that {name} plays on. The seat passes as soon as everyone has agreed."),
    "seat_asked": mark(
        "I’ve asked {who}, unless they want no such emails. You’ll hear if they say yes; until then, nothing changes."
    ),
    "seat_for_robot": mark("{name} can have the seat as soon as everyone else has said yes."),
    "robot_stands_in": mark(
        "{name} can have your seat as soon as everyone else has said yes, and you’ll get it back when that"
        " time is over."
    ),
    "robots_alone": mark("Then robots would play among themselves. At least one of you has to be a person."),
    "seat_declined": mark("All right, I won’t ask you again about that match."),
    "seat_enough": mark("You’ve offered a seat in this match {most} times in a week. Please wait a little."),
    "seat_left": mark("You have no seat in this match to hand on."),
    "seat_lent": mark(
        "In match {number} ({game}) {name} stands in for you until {until}. To have the seat back sooner, write"
        " `standin off {number}`."
    ),
    "seat_nobody": mark("Nobody here is called {who!q}. Write the name as their emails have it, or their address."),
    "seat_plays": mark("{name} plays in this match already."),
    "seat_refused": mark("{name} doesn’t want the seat, so nothing has changed."),
    "seat_taken": mark("Thank you! As soon as the seat is yours, you’ll get the board."),
    "left_chain": marks(
        "I’ve left out match {matches}, where somebody is standing in already.",
        "I’ve left out matches {matches}, where somebody is standing in already.",
    ),
    "left_enough": marks(
        "I’ve left out match {matches}, where you’ve offered your seat {most} times in a week.",
        "I’ve left out matches {matches}, where you’ve offered your seat {most} times in a week.",
    ),
    "left_flagged": marks(
        "I’ve left out match {matches}, where your time is up. Please move.",
        "I’ve left out matches {matches}, where your time is up. Please move.",
    ),
    "left_plays": marks(
        "I’ve left out match {matches}, where {name} plays already.",
        "I’ve left out matches {matches}, where {name} plays already.",
    ),
    "left_robots": marks(
        "I’ve left out match {matches}, since you can be in {most} matches with robots at once.",
        "I’ve left out matches {matches}, since you can be in {most} matches with robots at once.",
    ),
    "left_robots_alone": marks(
        "I’ve left out match {matches}, where robots would play among themselves.",
        "I’ve left out matches {matches}, where robots would play among themselves.",
    ),
    "left_too_early": marks(
        "I’ve left out match {matches}, which has yet to begin.",
        "I’ve left out matches {matches}, which have yet to begin.",
    ),
    "no_match_to_lend": mark("You’re playing in no match just now, so there’s no seat to hand on."),
    "robot_stands_in_all": marks(
        "{name} can have your seat in match {matches} as soon as everyone else there has said yes, and you’ll"
        " get it back when that time is over.",
        "Robots can have your seats in matches {matches} as soon as everyone else there has said yes, and"
        " you’ll get them back when that time is over.",
    ),
    "seats_asked": marks(
        "I’ve asked {who} about match {matches}, unless they want no such emails. You’ll hear if they say yes; until"
        " then, nothing changes.",
        "I’ve asked {who} about matches {matches}, unless they want no such emails. You’ll hear if they say yes;"
        " until then, nothing changes.",
    ),
    "seats_declined": marks(
        "All right, I won’t ask you again about that match.", "All right, I won’t ask you again about those matches."
    ),
    "seats_refused": mark("{name} doesn’t want your seats in matches {matches}, so nothing has changed there."),
    "seats_taken": marks(
        "Thank you! As soon as the seat is yours, you’ll get the board.",
        "Thank you! As soon as the {count} seats are yours, you’ll get the boards.",
    ),
    "seats_enough": mark("You can ask {most} people a day, so I’ve asked nobody. Please try again tomorrow."),
    "seats_kept": marks(
        "All right, you keep your seat: it’s no longer on offer.",
        "All right, you keep your {count} seats: they’re no longer on offer.",
    ),
    "seats_none": mark("There’s no seat to take back: nobody is standing in for you there, or the match is over."),
    "seats_return": marks(
        "Your seat is yours again: the board comes in a moment.",
        "Your {count} seats are yours again: the boards come in a moment.",
    ),
    "own_seconds": marks(
        "In match {number} {names} votes on your moves.", "In match {number} {names} vote on your moves."
    ),
    "second_already": mark("{name} votes on your moves already."),
    "second_dismissed": mark(
        "{name} thanks you for your votes in match {number}. You needn’t vote any more, and I won’t email you about it"
        " again."
    ),
    "second_enough": mark("{most} people vote on your moves already, and that’s as many as may."),
    "second_gone": mark("You no longer vote there, so nothing has changed."),
    "second_joined": mark(
        "{name} votes on your moves from now on. When it’s your turn, your own move is a vote as well, until half of"
        " your time is gone. Then the move with the most votes is played, and you break a tie. A line starting with"
        " `team:` goes to your side only. If you’d planned a move, I’ve dropped it. To decide alone again, reply"
        " `second off`."
    ),
    "second_joined_too": mark("{name} votes on your moves, too, from now on."),
    "second_left": mark("{name} no longer votes on your moves."),
    "second_may_not": mark(
        "Only {name} can write that for your side. You can vote with a move, write to your side with `team:`, or leave"
        " with `second off`. Nothing has changed."
    ),
    "second_off": mark("All right: {who!q} has no vote on your moves, and I won’t ask them any more."),
    "second_of": mark("In match {number} ({game}) you vote on {name}’s moves."),
    "second_over": mark("You no longer vote on {name}’s moves, and I won’t email you about this match again."),
    "second_rated": mark("This match is rated, so each player decides alone."),
    "second_robot": mark("Robots don’t vote. Name a person, such as `second Carl`."),
    "second_shown": mark("Once the match is over, its page shows words to your side, and how many voted for what."),
    "second_too_late": mark("You’re not playing any more, so there’s nothing left to vote on."),
    "second_welcome": mark(
        "From now on you vote on {name}’s moves: when it’s their turn, you get the board, and the move you reply with"
        " is your vote."
    ),
    "seconds_off": mark("All right: you decide alone now. I’m telling those who voted, and won’t ask anybody else."),
    "vote_alone": mark("Your move counts as a vote, so the rest of your email was left out. Please send that alone."),
    "vote_begins": mark(
        "Others vote on this move with you until {until}: your move is your vote, and the one with the most is played."
    ),
    "vote_cast": mark(
        "You’ve voted for {move!q}. So far your side has cast {votes}. Votes count until {until}; to change yours,"
        " reply with another move."
    ),
    "vote_late": mark("It’s too late to vote on that move. You’ll get the board when it’s your side’s turn again."),
    "vote_refused": mark("{why} So you haven’t voted yet."),
    "vote_several": mark("You wrote more than one move. Please reply with just the one you vote for."),
    "vote_tied": mark("Your side has cast {votes}. That’s a tie, so now you alone decide."),
    "vote_unclear": mark(
        "I found no move in your email, so you haven’t voted. To write to your side, start the line with `team:`."
    ),
    "vote_until": mark("You can vote until {until}. Then the move with the most votes is played."),
    "votes_were": mark("Last time your side cast {votes}."),
    "standin_all_whom": mark("Who should stand in for you? Write it like this: `standin all Ann until 14 aug`."),
    "standin_chain": mark("Somebody is standing in there already, and a stand-in can’t hand the seat on."),
    "standin_ended": mark("All right, that seat goes back to its player."),
    "standin_flagged": mark("Your time is up, so it’s too late to hand your seat on. Please move."),
    "standin_none": mark("You aren’t standing in for anybody here, and you haven’t asked anybody to."),
    "standin_too_early": mark("The match has yet to begin. You can name a stand-in after the first move."),
    "standin_too_long": mark("Somebody can stand in for {most} days at most."),
    "standin_until": mark("Until when? Write it like this: `standin {who} until 14 aug`."),
}
"""Two where the argument ``count`` chooses."""
