"""Players in a table (CSV), as spreadsheets write it: a line each, with a name, an address, or both."""

import csv
import io

from pbem.errors import BadFile

_COLUMNS = ("player", "name", "address")


def read_players(text: str, name: str) -> list[str]:
    """Return the players in a table, each as the operator would type them. Raise BadFile for anything else.

    The first line names the columns: player, or name and address.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    delimiter = max(";,\t", key=first.count) if any(one in first for one in ";,\t") else ","
    found: list[str] = []
    columns: list[str] = []
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        for cells in rows:
            values = [" ".join(cell.split()) for cell in cells]
            if any(values) and not columns:
                columns = _read_header(values, name)
            elif any(values):
                told = dict(zip(columns, values, strict=False))
                found.append(_read_line(told, rows.line_num, name))
    except csv.Error as error:
        raise BadFile(f"Line {rows.line_num} of {name} is no line of a table: {error}.") from error
    if not found:
        raise BadFile(f"{name} names no player below its first line, which names the columns, such as “name,address”.")
    return found


def _read_header(values: list[str], name: str) -> list[str]:
    """Return what the columns hold. Raise BadFile where that isn’t known."""
    columns = [value.casefold() for value in values]
    strange = next((value for value in columns if value not in (*_COLUMNS, "")), "")
    if strange or not {"player", "address", "name"} & set(columns):
        raise BadFile(
            f"The first line of {name} names a column “{strange[:40]}”: the columns of a league are player, or name and"
            " address."
        )
    return columns


def _read_line(told: dict[str, str], line: int, name: str) -> str:
    """Return the player of a line. Raise BadFile for a line without one."""
    if player := told.get("player", ""):
        return player
    called, address = told.get("name", ""), told.get("address", "")
    if called and address:
        return f"{called} <{address}>"
    if not called and not address:
        raise BadFile(f"Line {line} of {name} names no player: write a name, an address, or both.")
    return called or address
