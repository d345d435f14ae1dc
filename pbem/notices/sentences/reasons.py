"""Why something was done, or was not: a sentence for every code of commands, advice and the pipeline. Pure."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime

from pbem.advice import Advice
from pbem.commands import HIDDEN, TIE, Held, MoveRejected, NoCommand, PlanRefused, Reason, Rejection
from pbem.match import Calendar, read_duration
from pbem.notices.sentences.moments import name_zone, say_day, say_length, say_moment, type_day
from rules import ENGLISH, Argument, Language, Phrase, RulesError, listed, mark, marks, phrase

_TIMES = frozenset({"until", "again", "first", "last"})
"""The arguments that hold times, in ISO 8601."""

_LONGEST_QUOTED = 60  # characters of a line
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:T|$)")
_QUOTATION = re.compile(r"(?:(?<=[a-z]) )?“[^“”]{1,24}”")

_REJECTIONS: Mapping[str, Mapping[str, str]] = {
    "no_command": {
        "contradiction": mark("You wrote “unsubscribe” and also “resume”. Please reply with the one you mean."),
        "empty_seed": mark(
            "There are no words after {line!q} to mix into the dice. Write salt and any words of your own, or just"
            " ready."
        ),
        "end_of_sentence": mark(
            "I’m not sure whether {line!q} is your move or the end of the sentence above it. If it’s your move, make"
            " it the first line."
        ),
        "retracted": mark("You wrote {done!q}, and below it {line!q}. If you still want {done!q}, send just that."),
        "unclear_recipient": mark(
            "I’m not sure who {line!q} is for. Start the line with team: to tell only your partner, or with say: to"
            " tell everyone."
        ),
        "word_in_sentence": mark(
            "I’m not sure whether {line!q} is what you want or the end of the sentence above it. If it’s what you want,"
            " make it the first line."
        ),
    },
    "not_your_turn": {
        "departed": mark("You’ve left this match."),
        "roll_first": mark("The dice are rolled first. Then you’ll hear whose turn it is."),
    },
    "offer_open": {
        "nothing_to_accept": mark("That email proposed nothing, so there’s nothing to say yes to."),
        "nothing_to_decline": mark("That email proposed nothing, so there’s nothing to say no to."),
        "not_meant": mark("All right, I haven’t done anything."),
        "not_meant_to_act": mark("All right, I haven’t done anything. Please reply with your move."),
        "which_one": mark("Which one do you mean: {choices!q}?"),
        "write_it": mark("I only do that when you write it yourself. If you want it, reply with {word!q}."),
    },
    "sealed": {
        "attachment": mark("There’s nothing in it but attached files."),
        "encrypted": mark("It’s encrypted."),
        "signed": mark("All of it lies inside a digital signature."),
        "winmail": mark("All of it lies in a winmail.dat file, which only Outlook can open."),
    },
    "several_moves": {
        "corrected": mark("You wrote {move!q}, and below it {line!q}."),
        "roll_first": mark(
            "You wrote {move!q} and also {other!q}. The dice are rolled after {move!q}, so send that alone and go on"
            " when you see the result."
        ),
        "several_moves": mark("You wrote {move!q} and also {other!q}."),
    },
    "stale_turn": {
        "already_played": mark("Your move {move!q} has already been played."),
        "taken_back": mark("Moves were taken back after that email."),
    },
    "set_back": {
        "set_back": mark(
            "That email showed a later position. Since then the service was set back to an earlier copy, and what came"
            " after it is gone."
        ),
    },
    "too_often": {
        "told_enough": mark("The others have had as much email today as I send in a day."),
        "too_often": mark("You’ve asked for as much email today as I send in a day."),
    },
}
"""The sentences of rejections: by kind, then by code. Where there is none, the template says enough."""

_BRIEFLY: Mapping[str, str] = {
    "already_over": mark("That match is over."),
    "confirm": mark("That match has gone on since that email. To do it, reply to my latest email about it."),
    "no_command": mark("I found nothing in it that I can do."),
    "not_your_turn": mark("It isn’t your turn."),
    "old_mail": mark("That email is too old."),
    "stale_turn": mark("The match has gone on since that email."),
    "too_much": mark("There’s more in it than I can do at once."),
}
"""The sentences of those rejections of which otherwise the template says enough."""

_REASONS: Mapping[str, str | tuple[str, str]] = {
    # Asides of a message that was carried out, or of which nothing was.
    "asked_enough": mark(
        "You’ve asked for as much email today as I send in a day. What you asked for besides will have to wait until"
        " tomorrow."
    ),
    "last_answer": mark(
        "That’s as many answers to mistakes as I can send you in a day, so there may be none to the next one. Your"
        " moves still count."
    ),
    "fewer_comments": mark(
        "Only part of what you wrote was passed on: {passed} of {written} comments, {going} of {characters} characters."
        " Please send the rest in another email."
    ),
    "more_left_out": mark("There was more like that in your email. I left it out as well."),
    "move_too_early": mark("I didn’t play {text!q}, because the dice have to be rolled first."),
    "no_more_addresses": mark("You’ve had all the new reply addresses I can make."),
    "no_partner": mark("You have no partner right now, so your team: line went to nobody."),
    "only_tried": mark(
        "I didn’t play {text!q}, because tried moves are only for looking at. To play one, send just that move."
    ),
    "seed_too_late": mark("The first dice have been rolled, so your words could no longer be mixed in."),
    "shorter_comments": mark(
        "Only part of what you wrote was passed on: {going} of {characters} characters. Please send the rest in another"
        " email."
    ),
    "unknown_display": mark(
        "I don’t know the board you asked for with {line!q}. Write {ways}, or display test to see them all."
    ),
    "still_unsubscribed": mark(
        "But you’ve unsubscribed, so nothing comes until you reply with `resume` or play a move."
    ),
    "earlier_words_left_out": mark("So much was said in the meantime that only the latest is shown here."),
    "unsubscribe_alone": mark("If you want no more email, reply with just the word unsubscribe."),
    "words_kept": mark(
        "Your other words weren’t passed on. To send words without a move, start the line with say: and go on."
    ),
    "page_off": mark(
        "The archive has no page about you any more. Your matches stay in it. To have your page back, reply with"
        " “page on”."
    ),
    "page_on": mark("The archive has a page about you, with your matches and results."),
    "mails_all": mark("From now on you get an email whenever something happens in one of your matches."),
    "mails_turns": mark(
        "From now on you only get an email when it’s your turn or a match is over. What happened in the meantime is in"
        " there as well. To hear of everything again, reply with “mails all”."
    ),
    "no_partner_to_ask": mark("You have no partner right now to propose a move to, so that went to nobody."),
    "propose_in_turn": mark(
        "You can propose a move when it’s your side’s turn. Until then, write to your partner with team:."
    ),
    # Moves that are held.
    "another_held": mark(
        "You’ve moved already, and that move waits until {until}. To play another one instead, reply `oops` on one line"
        " and that move below it."
    ),
    "held": mark(
        "Your move is {move!q}. Until {until} the others don’t hear of it. If you think better of it, reply `oops`"
        " before that."
    ),
    "nothing_held": mark("No move of yours can be taken back just like that. To ask the others, reply with undo."),
    # Offers to everybody, and their answers.
    "draw_is_offered": mark("{name} has offered a draw already. If you agree, write {word!q}."),
    "left_since": mark("Somebody has left the match since your last move, so it can’t be taken back."),
    "no_move_to_undo": mark("You have made no move here that could be taken back."),
    "nothing_moved_yet": mark("Nobody has moved yet, so there’s nothing to agree on."),
    "nothing_offered": mark("Nothing like that is on offer now: the next move ends an offer, and so does a no."),
    "robot_no_draw": mark(
        "{name} is a program, and thinks about a draw only when it’s its turn and everyone else agrees: write `draw`"
        " beside a move after which it’s its turn."
    ),
    "robot_no_roll_back": mark("{name} lets no move be taken back once dice have been rolled since: they’d be known."),
    "undone_enough": mark("You’ve taken moves back {most} times today. Please play on, or try again tomorrow."),
    "offered_already": mark("You’ve said so already. The others have to answer."),
    "offered_enough": mark("You’ve asked for that {most} times in this match. Please play on."),
    "offered_today": mark("You’ve asked for that already, and can ask again from {again}."),
    "over_by_then": mark("Your move has ended the match, so nothing is left to agree on."),
    "other_offer_stands": mark("{name} has made an offer, and that comes first. If you don’t agree, write {word!q}."),
    # What to write instead.
    "ask_help": mark("Reply with help for the rules and everything you can write."),
    "did_you_mean": mark("Did you mean {choices!q}?"),
    "one_turn": mark("If that’s one turn, write {together!q} on one line."),
    "one_turn_or_one": mark("If that’s one turn, write {together!q} on one line. If not, reply with the one you mean."),
    "one_turn_or_roll": mark(
        "If that’s one turn, write {together!q} on one line. If not, send {move!q} alone, because the dice are rolled"
        " after it."
    ),
    "only_unwanted": mark("{line!q} says only what you don’t want."),
    "send_one": mark("Please reply with the one you mean."),
    "send_wanted": mark("Please write just the move you do want, on a line of its own."),
    "several_moves": mark("You wrote {move!q} and also {other!q}."),
    "write_just_that": mark("If you mean {choices!q}, write just that on a line of its own."),
    # What did not happen.
    "not_played": marks("{moves!q} wasn’t played.", "{moves!q} weren’t played."),
    "move_not_played": mark("The move in it wasn’t played."),
    "more_time": mark(
        "If you need more time, ask for a break with `pause 5d`, or say on which days you’re away with"
        " `vacation 3-17 aug`. Or ask whoever waits for you: they can give you time with `give 3d`."
    ),
    "time_enough": mark("This match has no clock, so take as much time as you need."),
    "no_undo": mark("To have your last move back, reply `undo`: it’s yours again when everyone has agreed."),
    "not_understood": mark("I don’t know what you mean by {line!q}."),
    "nothing_changed": mark("Nothing has changed in the match."),
    "words_not_passed": mark("Your words weren’t passed on."),
    # Looking ahead and back, and planning.
    "after_tried": mark("After {line}:"),
    "after_line": mark("After {line}, the next email would say:"),
    "review_before": mark("I’ve sent you that already: there’s one review of a match for each player."),
    "review_coming": mark("I’m looking at your moves again. What I find comes in another email, to you alone."),
    "review_later": mark("You can have that when the match is over: now it would tell you how to play."),
    "review_off": mark("There are no robots here that could look at your moves."),
    "board_at": mark("The board after entry {number} of {count}:"),
    "line_before_rolls": mark("The first dice haven’t been rolled yet, so there’s nothing to try out."),
    "line_kept": mark("I’ve kept this line for you. To see all that you keep, reply `tree`."),
    "line_over": mark("The match would be over before {move!q}."),
    "line_refused": mark("It can’t go on with {move!q}. {why}"),
    "line_rolls": mark(
        "Dice are rolled before {move!q}, and nobody knows how they’ll fall. To go on, name a result from 1 to {faces}"
        " there, as in `what d4, 3`."
    ),
    "line_too_long": mark("A line can have {most} moves and rolls at most."),
    "no_such_entry": marks(
        "There’s no entry {number}: the record has only {count} entry so far.",
        "There’s no entry {number}: the record has only {count} entries so far.",
    ),
    "note_empty": mark("There are no words after `note:`. Write your note on the same line."),
    "note_kept": mark(
        "I’ve kept your note, for you alone: nobody else got it. To see all that you keep, reply `tree`."
    ),
    "note_too_long": mark("A note can have {most} characters at most, so I haven’t kept this one."),
    "nothing_kept": mark("You keep nothing in this match, so there’s nothing to publish."),
    "nothing_published": mark("The page of this match shows nothing that you keep."),
    "plan_answer_rolls": mark(
        "Dice are rolled before {move!q}, so your answer ends there. Go on with the result that you expect, as in"
        " `if d4 then e5, if 3 then f6`."
    ),
    "plan_cancelled": mark("I’ve dropped your plan. When it’s your turn, I’ll ask you."),
    "plan_contradicts": mark("Your plan answers the same with {first!q} and with {second!q}. Please keep one of them."),
    "plan_done": mark("That was the last step of your plan."),
    "plan_empty": mark("There’s no answer in your plan. Write one like this: `if d4 then e5`."),
    "plan_ends": mark("Nothing can follow {move!q} in a plan."),
    "plan_goes_on": mark("The rest of your plan stands. To see it, reply `plan`; to drop it, `cancel plan`."),
    "plan_gone": mark("What your plan followed has been taken back, so I’ve dropped it."),
    "plan_kept": mark(
        "As soon as the others play what you foresee here, I play your answer. If they play anything else, the plan"
        " ends, and I ask you. Nobody else hears of it. To drop it, reply `cancel plan`."
    ),
    "plan_none": mark("To plan an answer, reply with what you’d answer to what, such as `if d4 then e5`."),
    "plan_not_yours": mark("In your plan, {move!q} would be {name}’s move. Put it behind an “if”."),
    "plan_on_turn": mark("It’s your turn: send your move first, and the plan below it."),
    "plan_over": mark("After {move!q} the match would be over, so there’s nothing to answer."),
    "plan_path": mark("{line}"),
    "plan_played": mark("Your plan gave your answer: {moves!q}."),
    "plan_replaced": mark("It replaces the plan you had."),
    "plan_rolls": mark(
        "After {move!q} the dice are rolled before your turn. Name the result that you answer, from 1 to {faces}, as in"
        " `if d4, 3 then e5`."
    ),
    "plan_too_late": mark("You no longer play in this match, so there’s nothing to plan."),
    "plan_too_long": mark("A plan can have {lines} lines at most, and {steps} answers in each."),
    "plan_unclear": mark(
        "I’m not sure whether {line!q} is a plan. A plan looks like `if d4 then e5`, with moves alone in it. If it’s"
        " meant for everyone, start the line with `say:`."
    ),
    "plan_unforeseen": mark("Your plan didn’t foresee that, so it has ended."),
    "plan_waits": mark("After {move!q} it’s {name}’s turn, so name their move too, as in `if d4, c3 then e5`."),
    "plan_your_turn": mark("In your plan, {move!q} would be your own move. Put it behind a “then”."),
    "preview_play": mark("To play it, reply `{move}`."),
    "preview_rolls": mark("The dice are rolled next; to go on, name a result from 1 to {faces}, as in `what d4, 3`."),
    "publish_later": mark("Only after the match can what you keep be published. Until then it’s yours alone."),
    "published": marks(
        "The page of this match now shows the line or note that you kept. To take it away, reply `unpublish`.",
        "The page of this match now shows the {count} lines and notes that you kept. To take them away, reply"
        " `unpublish`.",
    ),
    "published_before": mark("The page of this match shows all that you keep already."),
    "too_many_boards": mark("I drew only the first {most} boards that you asked for."),
    "tree_full": mark("You keep {most} lines and notes in this match already, and that’s as many as I can keep."),
    "tree_none": mark(
        "To keep a line of moves, reply with one such as `try d4 e5`; to keep words, with `note:` and the words."
    ),
    "tree_private": mark("Nobody else sees this, unless you reply `publish` after the match."),
    "tree_public": mark(
        "The page of the match shows what you have published of it. To take that away, reply `unpublish`."
    ),
    "try_unread": mark(
        "I can’t read {text!q} as a line of moves, so I haven’t kept it. Write moves alone, such as `try d4 e5`."
    ),
    "unpublished": mark("The page of this match no longer shows what you keep. Who has read it may remember it."),
    # Addresses that a message came from.
    "address_added": mark("{address} has said yes, so you can write from there as well from now on."),
    "address_asked": mark("I’ve just asked {address} as well."),
    "address_asked_before": mark("I’ve already asked {address}."),
    "address_declined": mark(
        "{address} has said no. The email I asked you about doesn’t count, and neither does anything else from there."
    ),
    "address_dropped": mark("That email doesn’t count, and neither does anything else from {address}."),
    "address_dropped_late": mark(
        "Nothing sent from {address} will count any more. But the email I asked you about had already been carried out."
    ),
    "address_known": mark("That’s been settled already: you can write from {address} as well."),
    "address_left": mark("{address} has said no. Nothing sent from there will count any more."),
    "address_never_counts": mark("Nothing sent from {address} counts."),
    "address_not_askable": mark(
        "I can’t ask {address} right now whether it’s yours, so nothing has changed. Please write from this address."
    ),
    "address_refused": mark("{address} has said no, so nothing sent from there counts for you."),
    "address_taken": mark("{address} belongs to another player by now, so nothing has changed."),
    "message_counts": mark("The email I asked you about counts as yours. A separate email will tell you the result."),
    "others_unread": mark("Other emails from there weren’t read. Please resend anything that still matters."),
    "address_enough": mark("You have {most} addresses already, and that’s the most."),
    "address_main": mark(
        "{address} is where my emails to you go, so it stays. If you want them at another address, ask the operator."
    ),
    "address_not_added": mark("All right, you can’t write from {address}."),
    "address_not_own": mark("{address} isn’t one of your addresses."),
    "address_own": mark("You can write from {address} already."),
    "address_removed": mark("From now on nothing sent from {address} counts as yours."),
    "address_says_yes": mark("{address} has said that it’s yours."),
    "address_unread": mark(
        "{text!q} isn’t an address that email can go to. Write it like this: `address ann@work.example`."
    ),
    "address_wanted": mark(
        "If I may, I’ve just asked {address} whether it’s yours. Reply `yes` there. I then ask you once more here, and"
        " after that you can write from there as well."
    ),
    # What a player is called, and what is kept of them.
    "export_coming": mark("All that’s kept about you goes to {address} in a few minutes, as a file, and nowhere else."),
    "export_today": mark("You get that once a day at most, and today’s has gone to {address}."),
    "name_forgotten": mark("{name!q} can’t be a name: players who were forgotten are called that."),
    "name_long": mark("That name is too long: {most} characters is the most."),
    "name_none": mark("{name!q} isn’t a name: there has to be a letter in it, as in `name Ann Lee`."),
    "name_same": mark("You’re called {name} already."),
    "name_set": mark("You’re {name} from now on. The others read it in their next emails."),
    "name_sign": mark("{name!q} can’t be a name, because {sign} stands in it. Please write it without."),
    "name_taken": mark(
        "Somebody else is called {name!q}, or was until lately, or nearly so. Please take another name."
    ),
    "name_too_often": mark("You can change your name {most} times in thirty days, and you have."),
    "name_word": mark("{name!q} can’t be a name: in an email I’d read it as a command or a move."),
    # The digest, and what became of a reply to it.
    "digest_daily": mark(
        "Every day at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_mon": mark(
        "Every Monday at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_tue": mark(
        "Every Tuesday at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_wed": mark(
        "Every Wednesday at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_thu": mark(
        "Every Thursday at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_fri": mark(
        "Every Friday at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_sat": mark(
        "Every Saturday at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_sun": mark(
        "Every Sunday at {at} you get one email with all boards that wait for you, instead of one for each. Your"
        " time runs from the moment when it’s your turn. To change that, reply `digest off`."
    ),
    "digest_no_number": mark(
        "Begin each line with the number of its match, such as `{number} show`, so that I know which one you mean."
    ),
    "digest_no_seat": mark("You have no seat in match {number} any more."),
    "digest_not_listed": mark(
        "My email was about other matches. To play in this one, reply to my last email about it."
    ),
    "digest_off": mark("From now on you get an email for each match again. Boards that wait for you come at once."),
    "digest_played": mark("That was done already."),
    "digest_too_much": mark(
        "I couldn’t read your email: it’s too long, or encrypted. Please write a line for each match."
    ),
    "digest_unread": mark(
        "I don’t know when you mean by {line!q}. Write it like `digest 07:30` or `digest mon 07:30`."
    ),
    "digest_utc": mark("That’s in UTC. To get it in your own zone, reply with a city, such as `tz Lisbon`."),
    # Who has a seat.
    "replace_left": mark(
        "{name} has left the match, and others have moved or left since. So it’s too late to take their seat."
    ),
    "replace_not_waiting": mark("Nobody is waiting for {name}, so nobody can take their seat just now."),
    "replace_oneself": mark("For yourself, name a stand-in: `standin Ann until 14 aug`."),
    "replace_unread": mark(
        "I don’t know whose seat you mean by {line!q}. Write whom, and then who’s to play on: `replace Bob with Carl`."
    ),
    "seat_agreed": mark("You agree that {name} plays on. The seat passes as soon as everyone has agreed."),
    "seat_asked": mark(
        "I’ve asked {who}, if they play here and may be asked. Nothing changes until they’ve said yes, and then you’ll"
        " hear."
    ),
    "seat_for_robot": mark("{name} can have the seat, as soon as everyone else who plays has said yes."),
    "robots_alone": mark("Then robots would play among themselves. Somebody has to be in the match."),
    "seat_declined": mark("All right, I won’t ask you again about that match."),
    "seat_enough": mark("You’ve offered a seat in this match {most} times in a week. Please wait a little."),
    "seat_left": mark("You have no seat in this match to give."),
    "seat_nobody": mark("Nobody here is called {who!q}. Write the name as their emails have it, or their address."),
    "seat_plays": mark("{name} plays in this match already."),
    "seat_refused": mark("{name} doesn’t want the seat, so nothing has changed."),
    "seat_taken": mark("Thank you! As soon as the seat is yours, you’ll get the board."),
    "standin_chain": mark("Somebody is standing in there already, and a stand-in can’t hand the seat on."),
    "standin_ended": mark("All right, nobody stands in there any more."),
    "standin_flagged": mark("Your time is up, so it’s too late to hand your seat on. Please move."),
    "standin_none": mark("You aren’t standing in for anybody here, and you haven’t asked anybody to."),
    "standin_too_early": mark("The match has yet to begin. You can name a stand-in after the first move."),
    "standin_too_long": mark("Somebody can stand in for {most} days at most."),
    "standin_until": mark("Until when? Write it like this: `standin {who} until 14 aug`."),
    # What is asked about time.
    "away_offer": mark(
        "You seem to be away from {first} to {last}. Write `vacation {days}`, and your time stands still then."
    ),
    "paused_now": mark("The match is paused until {until}, so there’s nothing to claim before that."),
    "flagged_anyway": mark("Your time in this match is up already, so that doesn’t help you here: please move."),
    "give_at_most": mark("Nobody can have more than {most} days left, so I gave none."),
    "give_whose_turn": mark(
        "You’re waiting for {name}, and only whoever you wait for can be given time, so I gave none. To give it to"
        " {name}, reply `give 3d`."
    ),
    "no_claims": mark(
        "Nobody loses on time in this match, so there’s nothing to claim. You can give {name} more time with `wait 3d`,"
        " or ask the operator to decide the match."
    ),
    "no_clock": mark("This match has no clock, so there’s no time to give, to pause or to claim."),
    "no_clocks": mark("None of your matches has a clock, so there’s no time to stop or to be reminded of."),
    "no_pause_proposed": mark("The match isn’t paused, and you haven’t proposed a pause, so there was nothing to do."),
    "not_flagged": mark("{name} still has time, until {until}. You can’t claim anything before that."),
    "not_flagged_yet": mark("{name}’s time isn’t up, so you can’t claim anything yet."),
    "not_waiting": mark("You aren’t waiting for anyone just now, so there was nothing to do."),
    "pause_end_known": mark(
        "You’ve already said that you’d like to end the pause. It ends when everyone has, or on {until}."
    ),
    "pause_too_long": mark("A pause can last {most} days at most. You can agree on another one after it."),
    "time_is_over": mark("This match is over, so its clock has stopped for good."),
    "time_unread": mark(
        "I don’t know how long {text!q} is meant to be. Write a number and a unit, such as `give 3d`, `wait 3d` or"
        " `pause 10d`."
    ),
    "waiting_on": mark(
        "All right, you go on waiting for {name}. If you’d like to give them more time, reply `give 3d`."
    ),
    # What a player has set about time.
    "auto_off": mark(
        "From now on your vacation is never used by itself: when your time is up, it’s up. To change that back, reply"
        " `auto on`."
    ),
    "auto_on": mark(
        "From now on a day of your vacation is used whenever your time is up, as long as you have any. To change that,"
        " reply `auto off`."
    ),
    "back_done": mark("Welcome back! Your time runs again, and no absence lies ahead."),
    "emergency_set": mark(
        "Your time stands still in all your matches until {until}. When you can play again, reply `back`."
    ),
    "emergency_used": mark(
        "You can do that only once in six months, so the next time is from {again} on. Until then there’s `vacation`,"
        " and you can propose a pause with `pause 10d`."
    ),
    "not_away": mark("You aren’t away, and no absence lies ahead, so there was nothing to do."),
    "quiet_off": mark("From now on reminders may come at any hour."),
    "quiet_set": mark(
        "From now on no reminders come between {start}:00 and {end}:00, unless your time would be up by then."
    ),
    "remind_default": mark("From now on reminders come as suits the pace of each match."),
    "remind_off": mark("From now on you get no reminders. To get them again, reply `remind default`."),
    "remind_set": mark("From now on reminders come when you have {steps} left."),
    "vacation_none_left": mark("You have no days of vacation left this year, so I changed nothing."),
    "vacation_set": marks(
        "You’re on vacation from {first} to {last}, and your time stands still then in all your matches. You have"
        " {count} more day of vacation this year. To cancel it, reply `back`.",
        "You’re on vacation from {first} to {last}, and your time stands still then in all your matches. You have"
        " {count} more days of vacation this year. To cancel it, reply `back`.",
    ),
    "vacation_short": marks(
        "That would be {days} days, and you have only {count} day of vacation left this year. So I changed nothing.",
        "That would be {days} days, and you have only {count} days of vacation left this year. So I changed nothing.",
    ),
    "zone_set": mark("From now on all times you read are those of {zone}."),
    # What was written about time and not understood.
    "dates_ambiguous": mark(
        "I can’t tell whether you mean {first} or {second} by {text!q}. Please write the month as a word, as in"
        " `vacation 3-17 aug`."
    ),
    "dates_backwards": mark(
        "In {text!q} the last day comes before the first. Write them like this: `vacation 3-17 aug`."
    ),
    "dates_missing": mark("Which days do you mean? Write them like this: `vacation 3-17 aug`."),
    "dates_month_unread": mark("I don’t know the month {word!q} in {text!q}. Did you mean {month}?"),
    "dates_no_such_day": mark("There’s no such day as {day} in {text!q}. Write it like this: `vacation 3-17 aug`."),
    "dates_not_whole": mark(
        "Absences are counted in whole days, and {text!q} isn’t. Write `vacation 10 days`, for example."
    ),
    "dates_past": mark("The days in {text!q} are over. Write days that lie ahead, such as `vacation 3-17 aug`."),
    "dates_too_far": mark("The days in {text!q} are too far ahead: an absence can begin {most} days from now at most."),
    "dates_too_long": mark("{text!q} is too long: an absence can last {most} days at most."),
    "dates_unread": mark("I don’t know which days you mean by {text!q}. Write them like this: `vacation 3-17 aug`."),
    "dates_weekday_unclear": mark(
        "I can’t tell whether {text!q} means today or a week from today. Please write the date, as in"
        " `vacation 3-17 aug`."
    ),
    "dates_without_end": mark(
        "You’d be away from {first} on, but until when? Write both days, as in `vacation 3-17 aug`."
    ),
    "dates_wrong_weekday": mark("The day and the date in {text!q} don’t match: {day} is another day of the week."),
    "hours_equal": mark("{text!q} begins and ends at the same hour. Write the hours like this: `quiet 22-7`."),
    "hours_missing": mark("Which hours should be quiet? Write them like this: `quiet 22-7`, or `quiet off`."),
    "hours_not_whole": mark("Only whole hours can be quiet, and {text!q} isn’t. Write `quiet {hours}`, for example."),
    "hours_too_many": mark(
        "{text!q} would be {hours} quiet hours a day, and {most} is the most. For no reminders at all, write `remind"
        " off`."
    ),
    "hours_unread": mark("I don’t know which hours you mean by {text!q}. Write them like this: `quiet 22-7`."),
    "step_out_of_range": mark(
        "A reminder can come 1 hour to 60 days before your time is up, and {step!q} isn’t in between. Write `remind 2d"
        " 12h`, for example."
    ),
    "steps_missing": mark(
        "When should reminders come? Write how much time is left then, as in `remind 2d 12h`; for none, `remind off`."
    ),
    "steps_unread": mark(
        "I don’t know when to remind you by {text!q}. Write how much time is left then, as in `remind 2d 12h`; for"
        " none, `remind off`."
    ),
    "too_many_steps": mark("{text!q} would be {count} reminders, and {most} is the most."),
    "zone_abbreviated": mark(
        "{text!q} doesn’t say when clocks change for summer. Please write the zone with its city, such as {zones!q}."
    ),
    "zone_missing": mark("Which zone are you in? Write a city near you, such as `tz Lisbon`."),
    "zone_near": mark("I don’t know a time zone called {text!q}. Did you mean {zones!q}?"),
    "zone_offset": mark(
        "{text!q} doesn’t say when clocks change for summer. Please write a city near you, such as `tz Lisbon`."
    ),
    "zone_several": mark("{text!q} has several time zones. Please write one of them, such as {zones!q}."),
    "zone_unread": mark(
        "I don’t know a time zone called {text!q}. Write a large city near you, or the full name, such as"
        " `tz Europe/Lisbon`."
    ),
    # Starting matches.
    "welcome": mark("Welcome, {name}! You can play here from now on. `help matches` says how matches are started."),
    "not_about_starting": mark(
        "I’ve done nothing about {lines!q}: please write that in a reply to an email about one of your matches."
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
        "Your game of {game} is offered as number {number}. It opens when its places are taken. To take it back, reply"
        " `cancel {number}`."
    ),
    "joined": marks(
        "You have a place in number {number}. One more player has to agree before the match opens.",
        "You have a place in number {number}. {count} more players have to agree before the match opens.",
    ),
    "joined_already": mark("You have your place in number {number} already. It opens when the others have agreed."),
    "no_offer": mark("There’s no game {number} that you could join or cancel. `offers` lists those that there are."),
    "withdrawn": mark("Number {number} is taken back."),
    "declined": mark("You’ve declined, so that match won’t open."),
    "left_offer": mark("You’ve given up your place in number {number}."),
    "unsought": marks("Your offer is taken back.", "Your {count} offers are taken back."),
    "no_own_offer": mark("You’re offering no game just now, so there was nothing to take back."),
    "again_proposed": mark(
        "I’ve asked {who} to play {game} again. The match opens when everyone has said yes. To take it back, reply"
        " `cancel {number}`."
    ),
    "again_too_early": mark("Match {number} isn’t over yet, so it can’t be played again."),
    "again_begun": mark("You’ve all agreed on that already: the next match is open, or about to be."),
    "again_declined": mark("Somebody has declined to play match {number} again, so I don’t ask once more."),
    "again_former": mark("Somebody who played match {number} isn’t here any more, so it can’t be played again."),
    "no_match_again": mark("You have no match {number} that could be played again."),
    "refused": mark(
        "Invitations from {who} don’t reach you any more, and they aren’t told. To change that, reply `unblock {who}`."
    ),
    "refused_no_more": mark("Invitations from {who} reach you again."),
    "yourself": mark("That’s you."),
    "no_game": mark("There’s no game called {game!q} here. There are {games}."),
    "nobody_invited": mark("Whom do you want to play? Write it like this: `{example}`."),
    "nobody_called": mark(
        "I don’t know who {name!q} is: you haven’t played with anyone of that name. Please write their email address."
    ),
    "several_called": mark(
        "You know several players called {name!q}. Please write the whole name, or the email address."
    ),
    "no_address": mark("{address!q} is no email address that I could write to."),
    "members_alone": mark(
        "{address} isn’t a player here, and only players can be invited. The person who runs this service can add them."
    ),
    "invited_twice": mark("Someone is named twice, or you’ve named yourself: each player has one seat."),
    "pair_is_for_two": mark("`pair` is for you and one other player, so please name one."),
    "not_such_a_match": mark("{why} I’ve opened nothing."),
    "invited_enough": mark("You can invite {most} people a day, so I’ve invited nobody. Please try again tomorrow."),
    "open_enough": mark(
        "You have {most} invitations and offers open already. `offers` lists them, and `cancel` with a number takes one"
        " back."
    ),
    "matches_enough": mark("You’re in {most} matches already. That’s as many as one player can have at once."),
    "robots_off": mark("There are no robots here just now."),
    "robot_too_strong": mark(
        "There’s no robot of strength {strength} here. Robots have the strengths 1 to {most}: write `robot:{most}`, for"
        " example."
    ),
    "robot_matches_enough": mark(
        "You can be in {most} matches with robots at once, since each thinks for a while. Please finish one first."
    ),
    "robots_help": mark(
        "A robot has a seat like anybody: `new zipline robot:1` begins a match with one at once. The number, up to"
        " {most}, is how strong it is. Where three can play, people can be in it, too: `new zipline bob@example.org"
        " robot:1`. You can be in {matches} such matches at once; they count for no rating. A robot moves by itself,"
        " usually within minutes. It lets you take moves back (`undo`) unless dice were rolled since, agrees to pauses,"
        " accepts a draw when it’s losing, and doesn’t read what you say. If somebody has vanished, `replace Bob with"
        " robot:1` asks everyone else whether it may play on; `standin robot:1 until 14 aug` gives it your own seat for"
        " some days."
    ),
    "too_many_wishes": mark("I’ve done the first {most} of these. Please send the rest in another email."),
    "guest_joined": mark("{who} has accepted your invitation to {game}. I’m waiting for the others now."),
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
    "invitation_failed": mark("Your game of {game} can’t be opened any more: somebody has left, or may not play."),
    "yes_completes": mark("Once that address also answers yes, you can write from there."),
    "yes_completes_message": mark(
        "Once that address also answers yes, you can write from there, and the email I asked you about counts as yours."
    ),
}
"""The sentences of all other reasons, by code; two where the argument ``count`` chooses."""


_UTC = Calendar()


def explain(reason: Reason, calendar: Calendar = _UTC, at: datetime | None = None) -> Phrase:
    """Return the sentence for ``reason``, told ``at`` a moment; its times are in the zone of the ``calendar``."""
    arguments = dict(reason.arguments)
    code = f"{reason.code}_yet" if arguments.get("until") == "" else reason.code
    message = _REASONS.get(code) or _REASONS[reason.code]
    one, many = (message, "") if isinstance(message, str) else message
    if many and "left" in arguments:
        arguments["count"] = arguments["left"]
    if reason.code == "away_offer":
        arguments["days"] = _type_days(str(arguments["first"]), str(arguments["last"]))
    if reason.code == "remind_set":
        steps = filter(None, map(read_duration, str(arguments["steps"]).split(",")))
        arguments["steps"] = listed(map(say_length, steps), "or")
    if reason.code == "zone_set":
        arguments["zone"] = name_zone(Calendar(zone=str(arguments["zone"])))
    for name in _TIMES & arguments.keys():
        arguments[name] = _say_time(arguments[name], calendar, at)
    return Phrase(one, tuple(arguments.items()), many)


def _say_time(written: Argument, calendar: Calendar, at: datetime | None) -> Argument:
    """Return a day or a moment in ISO 8601 as people say it; anything else as it is."""
    if not isinstance(written, str) or not _ISO.match(written):
        return written
    if len(written) == len("2026-08-03"):
        return say_day(date.fromisoformat(written), at)
    return say_moment(datetime.fromisoformat(written), calendar, at)


def _type_days(first: str, last: str) -> str:
    """Return days in ISO 8601 as a player would type them in a command: "3 aug - 17 aug"."""
    return f"{type_day(date.fromisoformat(first))} - {type_day(date.fromisoformat(last))}"


def explain_rejection(
    rejection: Rejection, advised: Advice | None = None, calendar: Calendar = _UTC, at: datetime | None = None
) -> Phrase | None:
    """Return why a message was rejected, its times as in ``explain``; None where the template says enough."""
    if isinstance(rejection, PlanRefused):
        return explain(rejection.why, calendar, at)
    why = advised.why if advised else None
    if isinstance(why, Reason):
        return explain(why, calendar, at)
    if advised and advised.no_move:
        return None
    if isinstance(rejection, Held):
        return explain(rejection.told, calendar, at)
    if isinstance(rejection, MoveRejected):
        refused = (why or rejection.error).sentence
        after = advised.after if advised else ""
        return (
            phrase("{move!q} was fine, but what you wrote after it wasn’t. {refused}", move=after, refused=refused)
            if after
            else refused
        )
    if isinstance(why, RulesError):
        return why.sentence
    if isinstance(rejection, NoCommand) and rejection.asides:
        return join(explain(aside, calendar, at) for aside in rejection.asides)
    message = _REJECTIONS.get(rejection.kind, {}).get(rejection.code)
    return phrase(message, **rejection.arguments) if message else None


def explain_briefly(rejection: Rejection, language: Language = ENGLISH) -> str:
    """Return in one sentence why lines were rejected that are told among others."""
    return phrase(_BRIEFLY.get(rejection.kind, _BRIEFLY["no_command"])).said(language)


def shorten(lines: Iterable[str]) -> str:
    """Return the first of some lines, so short that it can be quoted within a sentence."""
    first = next((line.strip() for line in lines if line.strip()), "")
    return first if len(first) <= _LONGEST_QUOTED else f"{first[:_LONGEST_QUOTED].rstrip()}…"


def note_rejection(rejection: Rejection) -> str:
    """Return the same in English for the operator, who does not see what may be private."""
    if isinstance(rejection, PlanRefused):
        return ""
    if rejection.private:
        hidden: dict[str, Argument] = dict.fromkeys(rejection.arguments, HIDDEN)
        return str(phrase(_REJECTIONS[rejection.kind][rejection.code], **hidden))
    return str(explain_rejection(rejection) or "")


def join(sentences: Iterable[Phrase]) -> Phrase:
    """Return sentences that follow each other as one phrase."""
    first, *more = sentences
    return phrase("{first} {then}", first=first, then=join(more)) if more else first


def tie_quotations(sentence: str) -> str:
    """Return ``sentence`` with short quotations unbroken, and beside the word before them, like words to write."""
    return _QUOTATION.sub(lambda found: found[0].replace(" ", TIE), sentence)


def say(reason: Reason, language: Language = ENGLISH, calendar: Calendar = _UTC, at: datetime | None = None) -> str:
    """Return the sentence for ``reason``, its short quotations unbroken."""
    return tie_quotations(explain(reason, calendar, at).said(language))


def say_all(
    reasons: Iterable[Reason],
    language: Language = ENGLISH,
    between: str = " ",
    calendar: Calendar = _UTC,
    at: datetime | None = None,
) -> str:
    """Return the sentences for ``reasons``, one behind the other."""
    return between.join(say(reason, language, calendar, at) for reason in reasons)
