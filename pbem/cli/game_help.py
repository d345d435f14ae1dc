"""The help of commands about a game: it ends with the options of the games, which are imported when it is asked for."""

from typing import Any

from pbem.cli.group import PlainCommand


class _GameCommand(PlainCommand):
    """A command whose help is also about the games that are named beside it, or else about all."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed, and keep it for the help."""
        ctx.meta["typed"] = tuple(args)
        return super().parse_args(ctx, args)

    def _write_games(self, ctx: Any, formatter: Any, *, small: bool) -> None:
        """Write a section for each game with its options, as they are unless chosen; ``small``: for a short match."""
        from pbem.match.game_names import find_game
        from pbem.notices.sentences.match import as_typed, describe_seats
        from rules.games import GAMES

        named = [game for game in map(find_game, ctx.meta["typed"]) if game]
        for game in named or GAMES.values():
            usual = game.normalise(game.short if small else {})
            with formatter.section(f"Options of {game.key} ({describe_seats(game)}), and their defaults"):
                chosen = [(one, f" ({one.allowed})" if len(one.values) > 1 else "") for one in game.options]
                formatter.write_dl([(f"{one.key}={as_typed(usual[one.key])}", f"{one.help}{of}") for one, of in chosen])


class PlayCommand(_GameCommand):
    """The command that plays a match in the terminal."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each game."""
        self._write_games(ctx, formatter, small=True)


class OpenCommand(_GameCommand):
    """The command that opens a match."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each game, and one for the clock."""
        self._write_games(ctx, formatter, small=False)
        with formatter.section("Options of the clock, in every game, and their defaults"):
            formatter.write_dl(
                [
                    ("days=7", "days for each move; none for a match without a clock"),
                    (
                        "bank, max",
                        "instead, days for the whole match, more for each move, and the most: bank=20d+1d max=20d",
                    ),
                    ("weekends=count", "free: Saturdays and Sundays don’t count"),
                    ("flag=claim", "when the time is up: claim, forfeit, remind-only, or in a team partner"),
                ]
            )
