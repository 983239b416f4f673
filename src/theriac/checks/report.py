"""The findings of a check: errors, which must be repaired, warnings, and notes."""

from __future__ import annotations

import contextlib
import difflib
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from theriac.faults import Fault

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One sentence, and how bad it is."""

    level: Level
    text: str


@dataclass
class Report:
    """What a check found."""

    findings: list[Finding] = field(default_factory=list)

    def error(self, text: str) -> None:
        """Note what does not work."""
        self._add(Finding("error", text))

    def warn(self, text: str) -> None:
        """Note what is missing, but can be done without."""
        self._add(Finding("warning", text))

    def note(self, text: str) -> None:
        """Note what is as it should be, but not written in the game."""
        self._add(Finding("note", text))

    def _add(self, finding: Finding) -> None:
        if finding not in self.findings:
            self.findings.append(finding)

    @property
    def errors(self) -> list[str]:
        """The sentences about what does not work."""
        return self._texts("error")

    @property
    def warnings(self) -> list[str]:
        """The sentences about what is missing."""
        return self._texts("warning")

    @property
    def notes(self) -> list[str]:
        """The sentences about what is derived."""
        return self._texts("note")

    def _texts(self, level: Level) -> list[str]:
        return [finding.text for finding in self.findings if finding.level == level]

    @contextlib.contextmanager
    def guard(self, doing: str, folder: Path) -> Iterator[None]:
        """A context in which an exception of the game becomes an error of the report."""
        try:
            yield
        except Fault as fault:
            self.error(f"{doing}: {fault}")
        except Exception as error:  # noqa: BLE001 - a game under check may raise anything
            # A SyntaxError says where it is in a form of its own; `_place` says it for all.
            text = error.msg if isinstance(error, SyntaxError) else str(error)
            said = " ".join(text.split()) or "no message"
            kind = type(error).__name__
            self.error(f"{doing}: {kind}: {said}{_near(error)}{_place(error, folder)}")


def _near(error: Exception) -> str:
    """For an attribute that is not there, one with almost the same name."""
    if not isinstance(error, AttributeError) or not error.name:
        return ""
    near = difflib.get_close_matches(error.name, dir(error.obj), n=1)
    return f": did you mean {near[0]}?" if near else ""


def _place(error: BaseException, folder: Path) -> str:
    """The last line of the game itself that led to an exception: " (rules.py:14)"."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({_relative(Path(error.filename), folder)}:{error.lineno})"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(folder):
            return f" ({path.relative_to(folder)}:{frame.lineno}, in {frame.name})"
    return ""


def _relative(path: Path, folder: Path) -> Path:
    return path.relative_to(folder) if path.is_relative_to(folder) else path
