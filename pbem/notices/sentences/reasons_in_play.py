"""What is said of moves, words, offers, lines and plans: the sentences of reasons, by code. Pure."""

from collections.abc import Mapping

from pbem.commands.decision import SIGNED
from rules.phrase import mark, marks

PLAY: Mapping[str, str | tuple[str, str]] = {
    # Asides of a message that was carried out, or of which nothing was.
    "address_withheld": mark(
        "I haven’t passed on {line!q}, because there’s an email address in it. If it’s for everyone, start"
        " the line with `say:`. If it was for me, reply `help commands` to see how it’s written."
    ),
    "asked_enough": mark(
        "You’ve asked for as much email today as I send in a day, so the rest will have to wait until tomorrow."
    ),
    "command_in_sentence": mark(
        "{line!q} may be the end of the sentence above it, so I neither did that nor passed it on. If it’s what you"
        " want, make it the first line."
    ),
    "last_answer": mark("That was the last correction I can send today; moves still count."),
    "fewer_comments": mark(
        "I’ve passed on only part of what you wrote: {passed} of {written} comments, {going} of {characters}"
        " characters. Please send the rest in another email."
    ),
    "more_left_out": mark("I’ve left out more like that in your email."),
    "move_too_early": mark("I didn’t play {text!q}, because the dice have to be rolled first."),
    "no_more_addresses": mark("You’ve had all the new reply addresses I can make."),
    "no_partner": mark("You have no partner right now, so your `team:` line went to nobody."),
    "only_tried": mark(
        "I didn’t play {text!q}, because tried moves are only for looking at. To play one, send just that move."
    ),
    "seed_too_late": mark("The first dice have been rolled, so it’s too late to mix in your words."),
    "shorter_comments": mark(
        "I’ve passed on only part of what you wrote: {going} of {characters} characters. Please send the rest"
        " in another email."
    ),
    SIGNED: mark(
        "I took the end of your email for your signature, and haven’t passed it on: {lines}. If it’s for"
        " everyone, start it with `say:`."
    ),
    "unknown_display": mark("{line!q} isn’t a board I can draw. Write {ways}, or `display test` to see them all."),
    "still_unsubscribed": mark(
        "But you’ve unsubscribed, so nothing comes until you reply with `resume` or play a move."
    ),
    "earlier_words_left_out": mark("So much was said in the meantime that only the latest is shown here."),
    "unsubscribe_alone": mark("If you want no more email, reply with just the word unsubscribe."),
    "words_kept": mark("I haven’t passed on {lines}. To send words without a move, start the line with `say:`."),
    "page_off": mark(
        "The archive has no page about you any more. Your matches stay in it. To have your page back, reply `page on`."
    ),
    "page_off_nowhere": mark("Matches aren’t published here, so there’s no page about you."),
    "page_on_nowhere": mark("Matches aren’t published here, so there’s no page about you."),
    "page_on": mark("The archive has a page about you, with your matches and results."),
    "mails_all": mark("You’ll get an email whenever something happens in one of your matches."),
    "mails_turns": mark(
        "I’ll only email you when it’s your turn or a match is over, and tell you there what happened in"
        " between. I won’t confirm your moves: no answer means they count. To hear of everything again, reply"
        " `mails all`."
    ),
    "no_partner_to_ask": mark("You have no partner right now, so your proposal went to nobody."),
    "robot_no_proposal": mark("{name} is a program, and doesn’t read proposals."),
    "propose_in_turn": mark(
        "You can propose a move when it’s your side’s turn. Until then, write to your partner with `team:`."
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
    "held_part": mark(
        "Your move is {move!q}. Until {until} the others don’t hear of it. If you think better of it, reply"
        " `{number} oops` before that."
    ),
    "nothing_held": mark("You have no move that you could take back alone. To ask the others, reply `undo`."),
    # Offers to everybody, and their answers.
    "draw_is_offered": mark("{name} has offered a draw already. If you agree, write {word!q}."),
    "left_since": mark("Somebody has left the match since your last move, so you can’t take it back."),
    "no_move_to_undo": mark("You’ve made no move here that you could take back."),
    "nothing_moved_yet": mark("Nobody has moved yet, so there’s nothing to agree on."),
    "nothing_offered": mark("That’s no longer on offer: the next move, a no, or a new player ends an offer."),
    "robot_no_draw": mark(
        "{name} is a program, and only answers a draw on its own turn, once everyone else agrees: write"
        " `draw` beside the move before that."
    ),
    "robot_stands_in_alone": mark("{name} is only standing in, and can’t agree to that for somebody else."),
    "robot_no_roll_back": mark(
        "{name} won’t take back moves once dice have been rolled since: everyone has seen them."
    ),
    "undone_enough": mark("You’ve taken moves back {most} times today. Please play on, or try again tomorrow."),
    "offered_already": mark("You’ve said so already. Now it’s up to the others."),
    "offered_enough": mark("You’ve asked for that {most} times in this match. Please play on."),
    "offered_today": mark("You’ve asked for that already, and can ask again from {again}."),
    "over_by_then": mark("Your move has ended the match, so nothing is left to agree on."),
    "only_shown": mark(
        "This is match {match} as it stands. Your email wasn’t a reply to one of mine, so I’ve done nothing"
        " else with it. A reply to this one counts; `show #1` there shows the match’s first entry."
    ),
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
    "to_ask": mark("If you want that, write {command!q} on a line of its own."),
    "to_resume": mark("You’ve unsubscribed. To get email again, reply `resume`."),
    "not_understood": mark("I don’t know what you mean by {line!q}."),
    "nothing_changed": mark("Nothing has changed in the match."),
    "words_not_passed": mark("I haven’t passed on your words."),
    # Looking ahead and back, and planning.
    "after_tried": mark("After {line}:"),
    "after_line": mark("After {line}, you’d read:"),
    "review_before": mark("I’ve sent you that already: each player gets one review of a match."),
    "review_coming": mark("I’m looking at your moves again. What I find comes in another email, to you alone."),
    "review_in_vain": mark(
        "Looking at your moves again took too long, so there’s nothing I can tell you. You can ask once more,"
        " later, with `review`."
    ),
    "review_later": mark("You can have that when the match is over: now it would tell you how to play."),
    "reviews_enough": mark("Each review takes a while, so you can ask for {most} a day. Please ask again tomorrow."),
    "review_off": mark("There’s no robot here that could look at your moves."),
    "meant_entry": mark(
        "I took that for entry {number} of this match. For match {number}, write `show {number}` in a new email, not in"
        " a reply."
    ),
    "board_at": mark("The board after entry {number} of {count}:"),
    "line_before_rolls": mark("The first dice haven’t been rolled yet, so there’s nothing to try."),
    "line_kept": mark("I’ve kept this line, for you alone. To see all you keep, reply `tree`."),
    "line_over": mark("The match would be over before {move!q}."),
    "line_refused": mark("Your line can’t go on with {move!q}. {why}"),
    "line_refused_for": mark("Your line can’t go on with {move!q}: {name} would be told: {why}"),
    "line_rolls": mark(
        "Dice are rolled before {move!q}, and nobody knows how they’ll fall. To go on, name a result from 1 to {faces}"
        " before it, as in `3, {move}`."
    ),
    "line_too_long": mark("A line can have {most} moves and rolls at most."),
    "no_such_entry": marks(
        "There’s no entry {number}: the record has only {count} entry so far.",
        "There’s no entry {number}: the record has only {count} entries so far.",
    ),
    "note_empty": mark("`note:` needs your words on the same line."),
    "note_kept": mark("I’ve kept your note, for you alone. To see all you keep, reply `tree`."),
    "note_too_long": mark("A note can have {most} characters, so I haven’t kept this one."),
    "nothing_kept": mark("You keep nothing in this match, so there’s nothing to publish."),
    "nothing_published": mark("The match page shows nothing that you keep."),
    "plan_answer_rolls": mark(
        "Dice are rolled before {move!q}, so your answer ends there. Go on with the result that you expect, as in"
        " `if 3 then {move}`."
    ),
    "plan_cancelled": mark("I’ve dropped your plan. When it’s your turn, I’ll ask you."),
    "plan_contradicts": mark(
        "Your plan answers the same move with both {first!q} and {second!q}. Please keep one of them."
    ),
    "plan_done": mark("That was the last step of your plan."),
    "plan_empty": mark("There’s no answer in your plan. Write one like this: `{example}`."),
    "plan_ends": mark("Nothing can follow {move!q} in a plan."),
    "plan_goes_on": mark("The rest of your plan stands. To see it, reply `plan`; to drop it, `cancel plan`."),
    "plan_gone": mark("The move your plan built on was taken back, so I’ve dropped the plan."),
    "plan_held": mark(
        "Your plan would answer {move!q}, but a move declines the draw, so it’s waiting. To decline and go on"
        " with the plan, reply `no draw`."
    ),
    "plan_kept": mark(
        "When the others play what you’ve planned for, I’ll play your answer at once. If they play anything"
        " else, the plan ends. Nobody else hears of it. To drop it, reply `cancel plan`."
    ),
    "plan_none": mark("To plan an answer, write what you’d answer to what, such as `{example}`."),
    "plan_not_yours": mark("In your plan, {move!q} would be {name}’s move. Put it behind an “if”."),
    "plan_on_turn": mark("It’s your turn: send your move first, and the plan below it."),
    "plan_over": mark("After {move!q} the match would be over, so there’s nothing to answer."),
    "plan_path": mark("{line}"),
    "plan_played": mark("Your plan answered {moves!q}."),
    "plan_replaced": mark("It replaces the plan you had."),
    "plan_rolls": mark(
        "After {move!q} the dice are rolled before your turn. Name the result that you answer, from 1 to {faces},"
        " behind a comma: `if {move}, 3 then` and your answer."
    ),
    "plan_too_late": mark("You no longer play in this match, so there’s nothing to plan."),
    "plan_too_long": mark("A plan can have {lines} lines, with {steps} answers in each."),
    "plan_voted": mark("Others vote on your moves, so none can be planned. To decide alone again, reply `second off`."),
    "plan_unclear": mark(
        "Is {line!q} a plan? A plan looks like `{example}`, with nothing but moves. If it’s meant for"
        " everyone, start the line with `say:`."
    ),
    "plan_unforeseen": mark("Your plan didn’t foresee that, so it has ended."),
    "plan_waits": mark("After {move!q} it’s {name}’s turn, so name their move too, behind a comma."),
    "plan_your_turn": mark("In your plan, {move!q} would be your own move. Put it behind a “then”."),
    "preview_play": mark("To play it, reply `{move}`."),
    "preview_rolls": mark(
        "The dice are rolled next; to go on, name a result from 1 to {faces}, as in `what {line}, 3`."
    ),
    "publish_later": mark("You can publish what you keep once the match is over. Until then it’s yours alone."),
    "published": marks(
        "The match page now shows the line or note you kept. To take it away, reply `unpublish`.",
        "The match page now shows the {count} lines and notes you kept. To take them away, reply `unpublish`.",
    ),
    "published_before": mark("The match page already shows all you keep."),
    "too_many_boards": mark("I drew only the first {most} boards that you asked for."),
    "tree_full": mark("You keep {most} lines and notes in this match already, and I can’t keep more."),
    "tree_none": mark(
        "To keep a line of moves, reply with one such as `try {example}`; to keep words, reply `note:` and the words."
    ),
    "no_pages": mark("Nothing has changed: matches aren’t published here, so there’s no page to put it on."),
    "tree_yours": mark("Nobody else sees this."),
    "tree_private": mark("Nobody else sees this, unless you reply `publish` after the match."),
    "tree_public": mark("The match page shows what you’ve published. To take it away, reply `unpublish`."),
    "try_unread": mark(
        "I can’t read {text!q} as a line of moves, so I haven’t kept it. Write nothing but moves, such as"
        " `try {example}`."
    ),
    "unpublished": mark("The match page no longer shows what you keep. Whoever has read it may remember it."),
}
"""Two where the argument ``count`` chooses."""
