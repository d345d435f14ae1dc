"""The three ways into the demonstration: look on, take a seat, or come in with a mail program."""

import asyncio
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.archive import status
from pbem.demo.performance import bold_words, follow_examples, perform, pace
from pbem.demo.review import Review, review
from pbem.demo.screen import Screen
from pbem.demo.script import CAST, SCENES
from pbem.demo.seat import take_a_seat
from pbem.demo.show import Show
from pbem.demo.stage import ADDRESS, Stage, stage
from pbem.errors import PbemError

_LIMIT = 60
_LAST_LOOK = 2.5
