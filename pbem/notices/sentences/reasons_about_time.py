"""What is said of time, clocks, reminders and zones: the sentences of reasons, by code. Pure."""

from collections.abc import Mapping

from rules.phrase import mark, marks

TIME: Mapping[str, str | tuple[str, str]] = {
    # What is asked about time.
    "away_offer": mark(
        "You seem to be away from {first} to {last}. Write `vacation {days}`, and your time stands still then."
    ),
    "paused_now": mark("The match is paused until {until}, so there’s nothing to claim before that."),
    "flagged_anyway": mark("Your time in this match is up already, so that doesn’t help you here: please move."),
    "give_at_most": mark("Nobody can have more than {most} days left, so I’ve given none."),
    "give_whose_turn": mark(
        "You’re waiting for {name}, and you can only give time to whoever you’re waiting for. To give it to"
        " {name}, reply `give 3d`."
    ),
    "no_claims": mark(
        "Nobody loses on time in this match, so there’s nothing to claim. You can give {name} more time with `wait 3d`."
        " Or reply `operator: please decide` to have the match decided."
    ),
    "no_clock": mark("This match has no clock, so there’s no time to give, to pause or to claim."),
    "no_clocks": mark("None of your matches has a clock, so there’s no time to stop, and nothing to remind you of."),
    "no_pause_proposed": mark("The match isn’t paused, and you haven’t proposed a pause, so there was nothing to do."),
    "not_flagged": mark("{name} still has time, until {until}. You can’t claim anything before that."),
    "not_flagged_yet": mark("{name}’s time isn’t up, so you can’t claim anything yet."),
    "not_waiting": mark("You aren’t waiting for anyone just now, so there was nothing to do."),
    "pause_end_known": mark("You’ve already said so. The pause ends when everyone has, or on {until}."),
    "pause_too_long": mark("A pause can last {most} days at most. You can agree on another after it."),
    "time_is_over": mark("This match is over, so its clock has stopped for good."),
    "time_unread": mark("{text!q} isn’t a length of time I can read. Write a number and a unit, such as `{example}`."),
    "waiting_on": mark(
        "All right, you go on waiting for {name}. If you’d like to give them more time, reply `give 3d`."
    ),
    # What a player has set about time.
    "auto_off": mark(
        "I won’t use your vacation by myself: when your time is up, it’s up. To change that, reply `auto on`."
    ),
    "auto_on": mark(
        "I’ll use a day of your vacation whenever your time is up, as long as you have any. To change that,"
        " reply `auto off`."
    ),
    "back_done": mark("Welcome back! Your time runs again."),
    "emergency_set": mark(
        "Your time stands still in all your matches until {until}. When you can play again, reply `back`."
    ),
    "emergency_used": mark(
        "You can do that once in six months, so not before {again}. Until then there’s `vacation`, and you"
        " can propose a pause with `pause 10d`."
    ),
    "not_away": mark("You aren’t away, nor about to be, so there was nothing to do."),
    "quiet_off": mark("Reminders may now come at any hour."),
    "quiet_set": mark("No reminders come between {start}:00 and {end}:00 now, unless your time would be up by then."),
    "remind_default": mark("Reminders now come at a pace that suits each match."),
    "remind_off": mark("You’ll get no more reminders. To get them again, reply `remind default`."),
    "remind_set": mark("Reminders now come when you have {steps} left."),
    "vacation_cancelled": mark("Your vacation is cancelled."),
    "vacation_none_left": mark("You have no days of vacation left in {year}, so I’ve changed nothing."),
    "vacation_set": marks(
        "You’re on vacation from {first} to {last}, and your time stands still then in all your matches. You have"
        " {count} more day of vacation in {year}. To cancel it, reply `back`.",
        "You’re on vacation from {first} to {last}, and your time stands still then in all your matches. You have"
        " {count} more days of vacation in {year}. To cancel it, reply `back`.",
    ),
    "vacation_short": marks(
        "That would be {days} days, and you have only {count} day of vacation left in {year}, so I’ve changed nothing.",
        "That would be {days} days, and you have only {count} days of vacation left in {year}, so I’ve"
        " changed nothing.",
    ),
    "zone_set": mark("Your times are now those of {zone}."),
    # What was written about time and not understood.
    "dates_ambiguous": mark(
        "Does {text!q} mean {first} or {second}? Please write the month as a word, as in `{example}`."
    ),
    "dates_backwards": mark("In {text!q} the last day comes before the first. Write them like this: `{example}`."),
    "dates_missing": mark("Which days do you mean? Write them like this: `{example}`."),
    "dates_month_unread": mark("I don’t know the month {word!q} in {text!q}. Did you mean {month}?"),
    "dates_no_such_day": mark("There’s no such day as {day} in {text!q}. Write it like this: `{example}`."),
    "dates_not_whole": mark("I can only count whole days, not {text!q}. Write them like this: `{example}`."),
    "dates_past": mark("The days in {text!q} are over. Write days to come, such as `{example}`."),
    "dates_too_far": mark(
        "The days in {text!q} are too far ahead: your absence can start {most} days from now at most."
    ),
    "dates_too_long": mark("{text!q} is too long: you can be away {most} days at most."),
    "dates_unread": mark("I can’t read {text!q} as days. Write them like this: `{example}`."),
    "dates_weekday_unclear": mark(
        "Does {text!q} mean today, or a week from today? Please write the date, as in `{example}`."
    ),
    "dates_without_end": mark("You’ll be away from {first}, but until when? Write both days, as in `{example}`."),
    "dates_wrong_weekday": mark("The day and the date in {text!q} don’t match: {day} isn’t that day of the week."),
    "hours_equal": mark("{text!q} starts and ends at the same hour. Write the hours like this: `quiet 22-7`."),
    "hours_missing": mark("Which hours should be quiet? Write them like this: `quiet 22-7`, or `quiet off`."),
    "hours_not_whole": mark("Quiet hours are whole hours, so {text!q} won’t do. Write `quiet {hours}`, for example."),
    "hours_too_many": mark(
        "{text!q} would be {hours} quiet hours a day; {most} is the most. For no reminders at all, write `remind off`."
    ),
    "hours_unread": mark("I can’t read {text!q} as hours. Write them like this: `quiet 22-7`."),
    "step_out_of_range": mark(
        "I can remind you 1 hour to 60 days before your time is up, so {step!q} won’t do. Write `remind 2d"
        " 12h`, for example."
    ),
    "steps_missing": mark(
        "When should I remind you? Write how much time you’ll have left, as in `remind 2d 12h`; for no"
        " reminders, `remind off`."
    ),
    "steps_unread": mark(
        "{text!q} doesn’t tell me when to remind you. Write how much time you’ll have left, as in `remind 2d"
        " 12h`; for no reminders, `remind off`."
    ),
    "too_many_steps": mark("{text!q} would be {count} reminders; {most} is the most."),
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
}
"""Two where the argument ``count`` chooses."""
