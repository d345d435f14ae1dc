"""Why something was done, or was not: a sentence for every code of commands, advice and the pipeline. Pure."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime

from pbem.advice.advice import Advice
from pbem.commands.decision import HIDDEN
from pbem.commands.rejections import Held, MoveRejected, NoCommand, PlanRefused, Rejection
from pbem.match.time.calendar import Calendar
from pbem.notices.sentences.contests.reasons_about_ladders import LADDERS
from pbem.notices.sentences.contests.reasons_about_leagues import LEAGUES
from pbem.notices.sentences.moments import name_zone, say_day, say_length, say_moment, type_day
from pbem.notices.sentences.reasons_about_players import PLAYERS
from pbem.notices.sentences.reasons_about_starting import STARTING
from pbem.notices.sentences.reasons_about_time import TIME
from pbem.notices.sentences.reasons_in_play import PLAY
from pbem.reading.move_phrases import TIE
from pbem.reading.reason import Reason
from pbem.reading.when.lengths import read_duration
from rules.errors import RulesError
from rules.phrase import ENGLISH, Argument, Language, Phrase, listed, mark, phrase

_TIMES = frozenset({"until", "again", "first", "last"})
"""The arguments that hold times, in ISO 8601."""

_LONGEST_QUOTED = 60  # characters of a line
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:T|$)")
_QUOTATION = re.compile(r"(?:(?<=[a-z]) )?“[^“”]{1,24}”")

_REJECTIONS: Mapping[str, Mapping[str, str]] = {
    "no_command": {
        "contradiction": mark("You wrote “unsubscribe” and also “resume”. Please reply with the one you mean."),
        "empty_seed": mark(
            "{line!q} needs words to mix into the dice. Write `salt` and any words of your own, or just `ready`."
        ),
        "end_of_sentence": mark(
            "Is {line!q} your move, or the end of the sentence above it? If it’s your move, make it the first line."
        ),
        "retracted": mark("You wrote {done!q}, and below it {line!q}. If you still want {done!q}, send just that."),
        "unclear_recipient": mark(
            "I’m not sure who {line!q} is for. Please put your move on a line of its own. Start the line below it"
            " with `team:` to tell only your partner, or with `say:` to tell everyone."
        ),
        "word_in_sentence": mark(
            "Is {line!q} what you want, or the end of the sentence above it? If it’s what you want, make it the"
            " first line."
        ),
    },
    "not_your_turn": {
        "departed": mark("You’ve left this match."),
    },
    "offer_open": {
        "nothing_to_accept": mark("There’s no open question in that email, so I can’t tell what you meant."),
        "nothing_to_decline": mark("There’s no open question in that email, so I can’t tell what you meant."),
        "closed": mark("That’s no longer open, so I’ve done nothing."),
        "not_meant": mark("All right, I’ve done nothing."),
        "not_meant_to_act": mark("All right, I’ve done nothing. Please reply with your move."),
        "for_whom": mark("Who may read {line!q}? Nobody has so far. Please reply with just one of these: {choices!q}."),
        "kept_back": mark("All right, nobody gets those words."),
        "said_yes": mark("You’ve said yes to that already, and it’s done."),
        "unclear": mark(
            "Is that a yes or a no to {choices!q}? Please reply with just yes, or just no. Nothing has happened yet."
        ),
        "unclear_own_address": mark(
            "Is that a yes or a no about the other address? Please reply with just yes, or just no. Nothing has"
            " happened yet."
        ),
        "unclear_seat_question": mark(
            "Is that a yes or a no about the seat? Please reply with just yes, or just no. Nothing has happened yet."
        ),
        "unclear_was_this_you": mark(
            "Is that a yes or a no about the email in your name? Please reply with just yes, or just no. Nothing has"
            " happened yet."
        ),
        "which_one": mark("Which one do you mean: {choices!q}?"),
        "write_it": mark("I only do that if you write it yourself. If you want it, reply {word!q}."),
    },
    "sealed": {
        "attachment": mark("There’s nothing in it but attachments."),
        "encrypted": mark("It’s encrypted."),
        "signed": mark("It’s all inside a digital signature."),
        "winmail": mark("It’s all in a winmail.dat file, which only Outlook can open."),
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
        "set_back": mark("That email showed a later position, which is gone: the service was restored from a backup."),
    },
    "too_often": {
        "told_enough": mark("The others have had as much email from you today as I pass on in a day."),
        "too_often": mark("You’ve asked for as much email today as I send in a day."),
    },
}
"""The sentences of rejections: by kind, then by code. Where there is none, the template says enough."""

_BRIEFLY: Mapping[str, str] = {
    "already_over": mark("That match is over."),
    "confirm": mark("The match has gone on since that email. To do that, reply to my latest email about it."),
    "no_command": mark("I found nothing in it that I can do."),
    "not_your_turn": mark("It isn’t your turn."),
    "old_mail": mark("That email is too old."),
    "stale_turn": mark("The match has gone on since that email."),
    "too_much": mark("It asks for more than I can do at once."),
}
"""The sentences of those rejections of which otherwise the template says enough."""

_REASONS: Mapping[str, str | tuple[str, str]] = {**PLAY, **PLAYERS, **TIME, **STARTING, **LADDERS, **LEAGUES}
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
