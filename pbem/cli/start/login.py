"""The command that logs in at a provider whose servers want access tokens, and prints such tokens."""

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from pbem.cli.output import make_printable
from pbem.errors import BadInput, NoFile, PbemError

FILES = {"microsoft": "microsoft.token"}
"""Where the login at each provider is kept, beside the settings."""

_ENDPOINT = "https://login.microsoftonline.com/common/oauth2/v2.0"
_SCOPE = "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access"


def login(
    context: typer.Context,
    provider: Annotated[str, typer.Argument(metavar="PROVIDER", help=f"One of: {', '.join(FILES)}.")],
    token: Annotated[
        bool, typer.Option("--token", help="Print an access token, as imap_token and smtp_token want it.")
    ] = False,
    client_id: Annotated[
        str, typer.Option("--client-id", metavar="ID", help="The ID of your application, as registered with them.")
    ] = "",
    endpoint: Annotated[
        str, typer.Option("--endpoint", metavar="URL", help="Where to ask, if not for accounts of any kind.")
    ] = "",
) -> None:
    """Log in once at a provider whose mail servers take no passwords; then print access tokens for pbem run."""
    from pbem.cli.start.oauth import Login, check_endpoint, keep, locked, log_in, recall, renew

    if provider not in FILES:
        raise BadInput(f"There is no provider “{provider}” to log in at; choose one of: {', '.join(FILES)}.")
    file = (context.obj or Path("pbem.toml")).resolve().parent / FILES[provider]
    if token:
        with locked(file.parent):
            printed, renewed = renew(recall(file))
            keep(renewed, file)
        typer.echo(printed)
        return
    try:
        known = recall(file)
    except NoFile:
        known = Login(_ENDPOINT, "", _SCOPE)
    asked = Login(check_endpoint(endpoint or known.endpoint), client_id or known.client_id, _SCOPE)
    if not asked.client_id:
        raise BadInput(
            "Which application asks? Register one with Microsoft, which is free, and give its ID with --client-id;"
            " the hosting guide shows how."
        )
    found = log_in(asked, _show)
    with locked(file.parent):
        keep(found, file)
    typer.echo(f"\nLogged in. {file} keeps what lets the service in again; only you can read it.")
    typer.echo("Next: put these lines into pbem.toml in place of those that are there, then run “pbem doctor”:\n")
    user = quote(_find_address(context.obj), safe="")
    command = json.dumps(shlex.join([*_find_program(context.obj), "login", provider, "--token"]))
    typer.echo(f'imap_url = "imaps://{user}@outlook.office365.com/INBOX"\nimap_token = {command}')
    typer.echo(f'smtp_url = "smtp://{user}@smtp.office365.com:587"\nsmtp_token = {command}')


def _show(page: str, code: str) -> None:
    """Say where to log in."""
    typer.echo(f"Open {make_printable(page)} in a browser, on any machine, and type this code: {make_printable(code)}")
    typer.echo("Log in there with the account that the service reads and sends by. Waiting; Ctrl-C gives up.")


def _find_address(config: Path | None) -> str:
    """Return the address of the service, or an example of one."""
    from pbem.settings.loading import load

    try:
        return load(config).address or "games@example.org"
    except PbemError:
        return "games@example.org"


def _find_program(config: Path | None) -> list[str]:
    """Return how this program was called."""
    return [str(Path(sys.argv[0]).resolve()), *(["--config", str(config.resolve())] if config else [])]
