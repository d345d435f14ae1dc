"""The command by which the operator says that the clock of the machine is right."""

import typer

from pbem.cli.output import open_service, print_text


def trust_clock(context: typer.Context) -> None:
    """Say that the clock of this machine is right, after it has jumped: what was put off happens now.

    Without it pbem finds out by itself: it waits an hour, and asks your mail server what time it is.
    """
    with open_service(context) as service:
        service.heartbeats.trust()
        print_text(f"The clock says {service.clock.now():%Y-%m-%d %H:%M} UTC, and is trusted.")
