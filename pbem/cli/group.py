"""Groups of commands: their help is plain text in sections, which needs no import, wraps, and loses no word."""

from typing import Any

import typer
from typer.core import TyperGroup


class SectionedGroup(TyperGroup):
    """A group whose help lists its commands in sections, each command with its whole first sentence."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each panel, in the order of their first commands."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            panel = getattr(command, "rich_help_panel", None) or "Commands"
            sections.setdefault(panel, []).append((name, command.get_short_help_str(limit=1000)))
        widest = max(map(len, self.commands))
        for panel, rows in sections.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(widest), sentence) for name, sentence in rows])


def make_group(title: str) -> typer.Typer:
    """Return a group of commands with that help."""
    return typer.Typer(cls=SectionedGroup, no_args_is_help=True, rich_markup_mode=None, help=title)
