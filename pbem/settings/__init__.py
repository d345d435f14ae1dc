"""The settings, as the operator chose them: what they may be, reading them, and the text of a new file."""

from pbem.settings.initial import initial_text
from pbem.settings.lmtp_place import LmtpPlace, read_lmtp_place
from pbem.settings.loading import load, settings_of
from pbem.settings.model import FILE, Settings
from pbem.settings.secret import make_secret

__all__ = ["FILE", "LmtpPlace", "Settings", "initial_text", "load", "make_secret", "read_lmtp_place", "settings_of"]
