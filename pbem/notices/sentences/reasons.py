"""Why something was done, or was not: a sentence for every code of commands, advice and the pipeline. Pure."""

import re
from collections.abc import Iterable, Mapping

from pbem.advice import Advice
from pbem.commands import HIDDEN, TIE, MoveRejected, NoCommand, Reason, Rejection
from rules import ENGLISH, Argument, Language, Phrase, RulesError, mark, marks, phrase

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
    "stale_turn": {"already_played": mark("Your move {move!q} has already been played.")},
    "too_often": {
        "told_enough": mark("The others have had as much email today as I send in a day."),
        "too_often": mark("You’ve asked for as much email today as I send in a day."),
    },
}
"""The sentences of rejections: by kind, then by code. Where there is none, the template says enough."""

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
    "mails_all": mark("From now on you get an email whenever something happens in one of your matches."),
    "mails_turns": mark(
        "From now on you only get an email when it’s your turn or a match is over. What happened in the meantime is in"
        " there as well. To hear of everything again, reply with “mails all”."
    ),
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
    "no_undo": mark("A move that has been played can’t be taken back."),
    "not_understood": mark("I don’t know what you mean by {line!q}."),
    "nothing_changed": mark("Nothing has changed in the match."),
    "words_not_passed": mark("Your words weren’t passed on."),
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
    "yes_completes": mark("Once that address also answers yes, you can write from there."),
    "yes_completes_message": mark(
        "Once that address also answers yes, you can write from there, and the email I asked you about counts as yours."
    ),
}
"""The sentences of all other reasons, by code; two where the argument ``count`` chooses."""


def explain(reason: Reason) -> Phrase:
    """Return the sentence for ``reason``."""
    message = _REASONS[reason.code]
    one, many = (message, "") if isinstance(message, str) else message
    return Phrase(one, reason.arguments, many)


def explain_rejection(rejection: Rejection, advised: Advice | None = None) -> Phrase | None:
    """Return why a message was rejected; None where the template of its kind says enough."""
    why = advised.why if advised else None
    if isinstance(why, Reason):
        return explain(why)
    if advised and advised.no_move:
        return None
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
        return join(map(explain, rejection.asides))
    message = _REJECTIONS.get(rejection.kind, {}).get(rejection.code)
    return phrase(message, **rejection.arguments) if message else None


def note_rejection(rejection: Rejection) -> str:
    """Return the same in English for the operator, who does not see what may be private."""
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


def say(reason: Reason, language: Language = ENGLISH) -> str:
    """Return the sentence for ``reason``, its short quotations unbroken."""
    return tie_quotations(explain(reason).said(language))


def say_all(reasons: Iterable[Reason], language: Language = ENGLISH, between: str = " ") -> str:
    """Return the sentences for ``reasons``, one behind the other."""
    return between.join(say(reason, language) for reason in reasons)
