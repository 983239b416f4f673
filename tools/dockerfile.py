"""Reading `docs/deploy/Dockerfile` and `.dockerignore`, as far as we use them."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "docs" / "deploy" / "Dockerfile"


class Instruction(NamedTuple):
    """An instruction: `RUN` and what follows it."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words of a command, which may be written as a JSON list."""
        if self.text.startswith("["):
            return [str(word) for word in json.loads(self.text)]
        return shlex.split(self.text)


class Copy(NamedTuple):
    """A `COPY`: from the context, or from another stage."""

    stage: str | None
    sources: list[str]
    target: str


class HealthCheck(NamedTuple):
    """A `HEALTHCHECK`, with its times in seconds."""

    interval_s: float
    timeout_s: float
    start_period_s: float
    command: list[str]


class Stage(NamedTuple):
    """The instructions after a `FROM`."""

    image: str
    name: str | None
    instructions: list[Instruction]

    def last(self, name: str) -> Instruction:
        """The last instruction of that name, which is the one that counts."""
        return next(each for each in reversed(self.instructions) if each.name == name)


def read_stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile."""
    stages: list[Stage] = []
    for line in _lines(text):
        name, _, rest = line.partition(" ")
        if name == "FROM":
            image, *named = rest.split()
            stages.append(Stage(image, named[1] if named else None, []))
        else:
            stages[-1].instructions.append(Instruction(name, rest.strip()))
    return stages


def _lines(text: str) -> list[str]:
    """The lines without comments, each with its continuations."""
    kept = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(kept))
    return [line for line in joined.splitlines() if line.strip()]


def read_copy(instruction: Instruction) -> Copy:
    """What a `COPY` copies."""
    words = instruction.words
    stage = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else None
    return Copy(stage, words[:-1], words[-1])


def read_environment(instruction: Instruction, before: dict[str, str]) -> dict[str, str]:
    """The variables that an `ENV` sets; it may use those from before."""
    pairs = (word.partition("=") for word in instruction.words)
    return {name: re.sub(r"\$(\w+)", lambda m: before[m[1]], value) for name, _, value in pairs}


def read_health_check(instruction: Instruction) -> HealthCheck:
    """The times and the command of a `HEALTHCHECK`."""
    options, _, command = instruction.text.partition("CMD")
    times = {name: float(value) for name, value in re.findall(r"--([a-z-]+)=(\d+)s", options)}
    words = Instruction("CMD", command.strip()).words
    return HealthCheck(times["interval"], times["timeout"], times["start-period"], words)


# The context: the files that a build can copy


def context(root: Path = ROOT) -> Iterator[str]:
    """The files that `.dockerignore` leaves, relative to the root."""
    lines = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    for folder, folders, files in os.walk(root):
        place = Path(folder).relative_to(root)
        # No pattern of ours includes again what is in an excluded folder.
        folders[:] = [name for name in folders if not is_ignored(str(place / name), patterns)]
        paths = (str(place / name) for name in files)
        yield from (path for path in paths if not is_ignored(path, patterns))


def is_ignored(path: str, patterns: list[str]) -> bool:
    """Does `.dockerignore` exclude a path? The last pattern that matches it or its folders wins."""
    parts = path.split("/")
    prefixes = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
    ignored = False
    for pattern in patterns:
        found = _expression(pattern.removeprefix("!"))
        if any(found.fullmatch(prefix) for prefix in prefixes):
            ignored = not pattern.startswith("!")
    return ignored


def _expression(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression: `*` stays in a folder, `**/` is any folders or none."""
    parts = re.split(r"(\*\*/|\*|\?)", pattern)
    meaning = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts))
