"""What is said of entering and leaving leagues: the sentences of reasons, by code. Pure."""

from collections.abc import Mapping

from rules.phrase import mark, marks

LEAGUE_REFUSED: Mapping[str, str | tuple[str, str]] = {
    "no_league": mark("There’s no league called {name!q} here. There’s one for each of these games: {games}."),
    "no_own_league": mark("You aren’t in any league, so there was nothing to leave."),
    "league_not_entered": mark("You aren’t in the {league} league, so there was nothing to leave."),
    "which_league": mark("You’re in several leagues. Which do you want to leave? Reply one of these: {commands}."),
}

LEAGUES: Mapping[str, str | tuple[str, str]] = {
    **LEAGUE_REFUSED,
    "league_entered": mark("You’re in the {league} league."),
    "league_entered_already": mark("You’re in the {league} league already."),
    "league_begins": marks(
        "Season {season} begins on {first}. So far {count} player has entered.",
        "Season {season} begins on {first}. So far {count} players have entered.",
    ),
    "league_needs_more": marks(
        "Season {season} begins on {first} if {least} players have entered by then; otherwise on the first of the next"
        " month. So far {count} has.",
        "Season {season} begins on {first} if {least} players have entered by then; otherwise on the first of the next"
        " month. So far {count} have.",
    ),
    "league_goes_on": mark(
        "Season {season} is being played. You’re in for season {following}, which begins on the first of a month, at"
        " least a week after the last match of this one. I’ll tell you."
    ),
    "league_until_left": mark(
        "You’re in for later seasons, too, until you write `{command}`. You play all your matches of a season at the"
        " same time, and they’re rated."
    ),
    "league_left": mark("You’ve left the {league} league, so you won’t play in its next season."),
    "league_left_already": mark("You aren’t in the next season of the {league} league anyway."),
    "league_matches_go_on": marks(
        "Your match of this season goes on. If you can’t finish it, resign it, or let somebody stand in for you.",
        "Your {count} matches of this season go on. If you can’t finish one, resign it, or let somebody stand in for"
        " you.",
    ),
    "league_match": mark(
        "This is a match of the {league} league, season {season}. If it’s called off, whoever didn’t begin has lost it."
    ),
    "league_match_of_division": mark(
        "This is a match of the {league} league, season {season}, division {division}. If it’s called off, whoever"
        " didn’t begin has lost it."
    ),
    "league_unplayed": mark(
        "In the {league} league that’s a point for you if {who} plays at least half of their matches; if not, the match"
        " counts for nobody."
    ),
    "league_unplayed_by_you": mark(
        "In the {league} league that’s a loss for you. If you leave more than half of your matches unplayed, none of"
        " them counts."
    ),
    # What the operator did.
    "league_entered_by": mark("The person who runs this service has put you into the {league} league."),
    "league_moved_back": mark("The next season of the {league} league begins on its usual day again."),
    "league_paused": mark("The {league} league is paused until {until}: nobody’s clock runs, and you can move anyway."),
    "league_resumed": mark("The {league} league goes on: the clocks run again."),
    "league_extended": mark("Everyone in the {league} league has {time} more in each match that goes on."),
    "league_shortened": mark("I’ve taken back the {time} that everyone in the {league} league had been given."),
    "league_moved": mark("Season {season} of the {league} league begins on {first}."),
    "league_replaced": mark("{heir} has {name}’s place in the {league} league, and plays on in {name}’s matches."),
    "league_replaced_you": mark("You have {name}’s place in the {league} league, and play on in {name}’s matches."),
    "league_replaced_undone_you": mark("You have your place in the {league} league again, and your matches."),
    "league_disqualified_you": mark(
        "You no longer play in the {league} league. The person who runs this service has decided so; if it’s a"
        " surprise, please ask them."
    ),
    "league_disqualified_undone_you": mark("You play in the {league} league again, and your matches go on."),
    "league_replaced_undone": mark("{name} has their place in the {league} league again, and their matches."),
    "league_disqualified": mark(
        "{name} no longer plays in the {league} league. If they’ve played at least half of their matches, they lose the"
        " others; if not, none of theirs counts."
    ),
    "league_disqualified_undone": mark("{name} plays in the {league} league again, and their matches go on."),
}
"""Two where the argument ``count`` chooses."""
