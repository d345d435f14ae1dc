"""Chromium without a window, steered over its debugging pipe: pages as a reader has them, measured and pictured.

Needs Debian's chromium, which .ci/run installs, and bash, which moves the pipe to where Chromium looks for it.
"""

import json
import os
import subprocess
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking"
    " --disable-component-update --force-prefers-reduced-motion"
)
"""Start a browser that shows no window and calls nobody."""

_STEERED = (
    f"{FLAGS} --hide-scrollbars --force-color-profile=srgb --font-render-hinting=none --disable-lcd-text"
    " --remote-debugging-pipe"
)
_SECONDS = 20
"""How long the browser may take to end."""


class BrowserError(Exception):
    """The browser refused a command, or has gone."""


class Browser:
    """A browser with one page, as wide and as light as it is told to be."""

    def __init__(self, commands: BinaryIO, answers: BinaryIO, *, policies: bool = False) -> None:
        self._commands, self._messages = commands, _read_messages(answers)
        self._number, self._session, self._wishes = 0, "", dict[str, str]()
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")
        # Scripts that look at a page are none of the page's.
        self._call("Page.setBypassCSP", enabled=not policies)

    def show(
        self,
        page: Path | str,
        *,
        width: int,
        height: int,
        dark: bool = False,
        scale: int = 1,
        place: str = "",
        wishes: Mapping[str, str] | None = None,
        paper: bool = False,
    ) -> None:
        """Open a file, or an address, in a window of so many CSS pixels, as somebody reads it who prefers this scheme.

        ``place`` is one within the page, ``wishes`` are other features of media that are asked for; without
        them nothing moves by itself. ``paper``: as it is printed.
        """
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", **size)
        self._wishes = {"prefers-reduced-motion": "reduce"} | dict(wishes or {})
        self.prefer(dark=dark, paper=paper)
        address = (page if isinstance(page, str) else page.resolve().as_uri()) + (f"#{place}" if place else "")
        self._call("Page.navigate", url="about:blank")  # else another place of the same page is no new page
        while next(self._messages).get("method") != "Page.loadEventFired":
            pass
        if refused := self._call("Page.navigate", url=address).get("errorText"):
            raise BrowserError(f"{page}: {refused}")
        while next(self._messages).get("method") != "Page.loadEventFired":
            pass

    def prefer(self, *, dark: bool, paper: bool = False) -> None:
        """Let whoever reads the page prefer a scheme from now on."""
        features = {"prefers-color-scheme": "dark" if dark else "light"} | self._wishes
        asked = [{"name": name, "value": value} for name, value in features.items()]
        self._call("Emulation.setEmulatedMedia", media="print" if paper else "screen", features=asked)

    def fill(self, html: str) -> None:
        """Put another document, which needs nothing beside itself, into the window; what scripts defined there stays.

        That takes a tenth of what it takes to open one.
        """
        frame = self._call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self._call("Page.setDocumentContent", frameId=frame, html=html)

    def print_page(self, width: float, height: float) -> bytes:
        """Return a PDF of the page on paper of so many inches."""
        self._call("Emulation.setEmulatedMedia", media="", features=[])
        return b64decode(self._call("Page.printToPDF", paperWidth=width, paperHeight=height)["data"])

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression in the page, waited for if it is a promise."""
        found = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise BrowserError(json.dumps(found["exceptionDetails"])[:2000])
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key, named as scripts see it: ``ArrowLeft``, or a blank."""
        more = {"text": "\r", "windowsVirtualKeyCode": 13} if key == "Enter" else {}
        more |= {"windowsVirtualKeyCode": 9} if key == "Tab" else {}
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key, **more)

    def click(self, place: str) -> None:
        """Press the mouse on the middle of the first element that a selector finds; it is scrolled into view before."""
        x, y = self.evaluate(
            f"(({{left, right, top, bottom}}) => [(left + right) / 2, (top + bottom) / 2])((found =>"
            f" (found.scrollIntoView({{block: 'nearest'}}), found))(document.querySelector({json.dumps(place)}))"
            ".getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def write(self, text: str) -> None:
        """Type a text where the focus is."""
        self._call("Input.insertText", text=text)

    def swipe(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw a finger from one place of the window to another."""
        self._call("Emulation.setTouchEmulationEnabled", enabled=True)
        for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
            self._call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def picture(self, height: int | None = None) -> bytes:
        """Return a PNG of the first ``height`` pixels of the page; of what the window shows, if None."""
        asked: dict[str, Any] = {"format": "png"}
        if height is not None:
            clip = {"x": 0, "y": 0, "width": self.evaluate("innerWidth"), "height": height, "scale": 1}
            asked |= {"clip": clip, "captureBeyondViewport": True}
        return b64decode(self._call("Page.captureScreenshot", **asked)["data"])

    def _call(self, method: str, **parameters: Any) -> Any:
        """Carry out a command, and return its result; what happens meanwhile is passed over."""
        self._number += 1
        command: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        self._commands.write(json.dumps(command).encode() + b"\0")
        self._commands.flush()
        while (answer := next(self._messages)).get("id") != self._number:
            pass
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']}")
        return answer["result"]


@contextmanager
def open_browser(profile: Path, *, policies: bool = False) -> Iterator[Browser]:
    """Run a browser that keeps its files in ``profile``; it has ended when this does.

    ``policies``: it holds to the policies of pages, as a reader's does.
    """
    (their_commands, our_commands), (our_answers, their_answers) = os.pipe(), os.pipe()
    moved = f'exec "$@" 3<&{their_commands} 4>&{their_answers}'  # the lower of the two numbers comes first
    command = ["bash", "-c", moved, "bash", "chromium", *_STEERED.split(), f"--user-data-dir={profile}", "about:blank"]
    quiet = subprocess.DEVNULL
    theirs = (their_commands, their_answers)
    with open(our_commands, "wb") as commands, open(our_answers, "rb") as answers:
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, pass_fds=theirs)
        for end in theirs:
            os.close(end)
        try:
            yield Browser(commands, answers, policies=policies)
        finally:
            process.terminate()
            try:
                process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _read_messages(answers: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield what the browser says: JSON, each message ended by a zero byte. Raise BrowserError at its end."""
    waiting = b""
    while part := os.read(answers.fileno(), 1 << 16):
        *whole, waiting = (waiting + part).split(b"\0")
        yield from map(json.loads, whole)
    raise BrowserError("the browser has ended")


def dump_page(address: str, profile: Path) -> str:
    """Return a page as a browser has it that has run its scripts, as far as the policy of the page lets it."""
    command = ["chromium", *FLAGS.split(), f"--user-data-dir={profile}", "--virtual-time-budget=10000", "--dump-dom"]
    done = subprocess.run([*command, address], capture_output=True, text=True, timeout=120, check=True)
    return done.stdout
