"""The referee of the original edition stands beside that of Shock!, with which it shares most."""

from .shock import Anaphylaxis

__all__ = ["Anaphylaxis"]
