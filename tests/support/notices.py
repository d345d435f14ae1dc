"""The kinds of notices, by what they are for."""

from pbem.commands.rejections import Rejection

TELLING = {
    "address_settled",
    "own_address",
    "opened",
    "waiting",
    "your_turn",
    "partner_turn",
    "move_made",
    "match_over",
    "remark",
    "partly_done",
    "passed_on",
    "was_this_you",
    "whose_words",
    "reminder",
    "time_news",
    "time_up",
    "proposal",
    "backup_restored",
}
ASKED = {
    *(
        "help",
        "help_commands",
        "help_dice",
        "show",
        "history",
        "answer",
        "board",
        "display",
        "unsubscribe",
        "resume",
        "new_address",
    ),
    *("earlier", "preview", "record", "plan", "tree"),
    "taken_back",
}
OUTSIDE = {
    "unknown_sender",
    "unknown_match",
    "needs",
    "review",
    "confirm_address",
    "confirm_follow",
    "followed",
    "following",
    "watching",
    "status",
    "settings",
    "replaced",
    "forget",
    "account_changed",
    "broadcast",
    "invitation",
    "invitation_news",
    "confirm_start",
    "starting",
    "not_started",
    "come_back",
    "export",
    "digest",
    "digest_done",
    "seat_offered",
    "seat_question",
    "comment_asked",
    "commented",
}
REJECTIONS = {rejection.kind for rejection in Rejection.__subclasses__()} - {"unknown_address"}
"""The kinds that are answered with a template of their own; an unknown address is answered with a question."""
KINDS_IN_MATCHES = sorted((TELLING | ASKED | REJECTIONS) - OUTSIDE)
