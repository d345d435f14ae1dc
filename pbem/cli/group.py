"""Groups of commands: a command's module is imported when it is asked for, and their help is plain text in sections."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

_DIGITS = re.compile(r"-?[0-9]{1,40}")


class _Plain:
    """Reads the value of an option, where that is what was typed, or a number; leaves all else to typer."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value as the command takes it."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        kind = param.type_descriptor.annotation
        if kind is str and isinstance(value, str):
            return value
        if kind == list[str] and isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
            return list(value)
        if kind is int:
            return _read_number(value, param, ctx)
        if kind == list[int]:
            return [_read_number(one, param, ctx) for one in value]
        param._runtime_param = None  # typer makes its own then
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _read_number(value: Any, param: Any, ctx: Any) -> int:
    """Return a whole number within the bounds of an option or argument. Raise BadParameter."""
    least, most = param.min, param.max
    if _DIGITS.fullmatch(str(value)):
        number = int(value)
        if (least is None or number >= least) and (most is None or number <= most):
            return number
    bounds = "" if least is None else f" from {least} to {most}" if most is not None else f" from {least} on"
    raise typer.BadParameter(f"“{value}” is not a whole number{bounds}.", ctx=ctx, param=param)


class PlainCommand(TyperCommand):
    """A command whose options are read without the library that typer reads them with, where they are plain.

    To import that takes a fifth of the time of a list.
    """

    def get_params(self, ctx: Any) -> Any:
        """Return the options and arguments, and the option for help."""
        return _read_plainly(super().get_params(ctx))


def _read_plainly(options: list[Any]) -> list[Any]:
    """Return the same options, each read plainly at first."""
    for option in options:
        option._runtime_param = option._runtime_param or _Plain()
    return options


class SectionedGroup(TyperGroup):
    """A group whose help lists its commands in sections, each command with its whole first sentence."""

    def get_params(self, ctx: Any) -> Any:
        """Return the options that stand before the command, and the option for help."""
        return _read_plainly(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each panel."""
        known = self.commands
        sections = known.sections if isinstance(known, Commands) else {"Commands": _read_sentences(known)}
        widest = max(map(len, known))
        for panel, sentences in sections.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(widest), sentence) for name, sentence in sentences.items()])


def _read_sentences(commands: Mapping[str, Any]) -> dict[str, str]:
    """Return the first sentence of the help of each command."""
    return {name: command.get_short_help_str(limit=1000) for name, command in commands.items()}


class Commands(Mapping[str, Any]):
    """Commands by their names, each imported when it is asked for.

    ``panels`` are the sections of the help, with the place of each of their commands, a module below this package and
    what it is called there, which may be a group; and the first sentence of its help, for which no command is imported.
    """

    def __init__(self, panels: Mapping[str, Mapping[str, tuple[str, str]]]) -> None:
        self.sections = {panel: {name: told for name, (_, told) in found.items()} for panel, found in panels.items()}
        self._places = {name: place for found in panels.values() for name, (place, _) in found.items()}
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            path, _, called = self._places[name].rpartition(".")
            module = import_module(f"{__package__}.{path}")
            made = getattr(module, called)
            if not isinstance(made, typer.Typer):
                function, made = made, _Group(rich_markup_mode=None, add_completion=False)
                made.command(name, cls=getattr(module, "CLASSES", {}).get(called))(function)
            command = self._made[name] = cast(Any, typer.main.get_command(made))
            command.name = name
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class _Group(typer.Typer):
    """Commands that are read plainly."""

    def command(self, name: str | None = None, *, cls: Any = None, **options: Any) -> Any:
        """Return the decorator that adds a function as a command."""
        return super().command(name, cls=cls or PlainCommand, **options)


def make_group(title: str) -> typer.Typer:
    """Return a group of commands with that help."""
    return _Group(cls=SectionedGroup, no_args_is_help=True, rich_markup_mode=None, add_completion=False, help=title)
