"""The command that lends a machine to the service: it processes messages, and neither reads nor sends email."""

import logging
import signal
from threading import Event
from typing import Annotated

import typer

from pbem.cli.output import open_service


def worker(
    context: typer.Context,
    name: Annotated[
        str, typer.Option("--name", help="What “pbem doctor” calls it; machine and process number unless you say.")
    ] = "",
) -> None:
    """Process messages beside “pbem run”, on as many machines as you like, until told to stop (PostgreSQL)."""
    from pbem.running.machine import settle
    from pbem.running.watchman import tell_systemd
    from pbem.running.worker import require_server, work

    logging.getLogger("pbem").setLevel(logging.INFO)
    with open_service(context) as service:
        require_server(service.database)
        stop = Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        settle()
        typer.echo(f"Working for {service.settings.address}. Stop with Ctrl-C.")
        tell_systemd("READY=1")
        work(service, stop, name=name)
        tell_systemd("STOPPING=1")
