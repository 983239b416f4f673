"""The words of a game on the page, and the code of its board: what the page would miss."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from theriac.checks.report import Report
from theriac.faults import listed
from theriac.game import Game
from theriac.rulebook import languages
from theriac.tutorial import has_tutorial, read_tutorial

#: English is enough; the page has these too.
LANGUAGES: Final = ("en", "fr", "ja", "pt")
#: A key that a board's source gives to `say` as it is written: say("hand"), say('hand').
_SAID: Final = re.compile(r"""\bsay\(\s*(?:"([^"\n]+)"|'([^'\n]+)')\s*[,)]""")
#: The sentences that all boards can say, where the sources of the page are.
_SHELL: Final = Path(__file__).parents[3] / "web" / "src" / "words" / "en.json"
_SECONDS: Final = 20


def check_words(game: Game, report: Report) -> None:
    """Check that every language has every sentence; English alone is enough."""
    missing = {language: ["rules"] for language in LANGUAGES if language not in languages(game)}
    for part in ("board", "tutorial"):
        folder = game.folder / part / "words"
        if folder.is_dir():
            for language in _check_languages(folder, f"{part}/words", report):
                missing.setdefault(language, []).append(f"{part}/words")
    missing.pop("en", None)
    if missing:
        parts = sorted({part for parts in missing.values() for part in parts})
        lacking = listed(list(missing), "and")
        where = listed(parts, "and")
        report.warn(f"there is no translation into {lacking} in {where}: English is shown")


def _check_languages(folder: Path, name: str, report: Report) -> list[str]:
    """Compare the languages of a folder; the languages that it lacks."""
    found: dict[str, set[str]] = {}
    for path in sorted(folder.glob("*.json")):
        with report.guard(f"{name}/{path.name}", folder):
            found[path.stem] = set(json.loads(path.read_text(encoding="utf-8")))
    if not (folder / "en.json").exists():
        report.error(f"{name}/en.json is missing")
    for language, keys in found.items():
        for key in sorted(found.get("en", keys) - keys):
            report.error(f"{name}/{language}.json lacks {key}, which en.json has")
        for key in sorted(keys - found.get("en", keys)):
            report.error(f"{name}/{language}.json has {key}, which en.json lacks")
    return [language for language in LANGUAGES if not (folder / f"{language}.json").exists()]


def check_page_words(
    game: Game, report: Report, keys: Iterable[str], refusals: Iterable[str]
) -> None:
    """Check that the board has the sentences that the page shows for this game.

    `keys` are the keys of its table, `refusals` the clauses that refused a move.
    """
    known = _read_words(game.folder / "board" / "words" / "en.json")
    if known is None:
        return
    wanted = [
        *("title", "summary"),
        *(f"option.{option.name}" for option in game.options),
        *(f"key.{key}" for key in sorted(keys)),
        *(f"refused.{clause}" for clause in sorted(refusals)),
    ]
    for key in wanted:
        if not _has(game, known, key):
            report.error(f"board/words/en.json lacks {key}, which the page shows")
    for path in _modules(game):
        _check_said(path, known, report)


def _modules(game: Game) -> list[Path]:
    return sorted((game.folder / "board").rglob("*.js"))


def _check_said(path: Path, known: dict[str, Any], report: Report) -> None:
    """Check the keys that a module of the board gives to `say`."""
    shell = _read_words(_SHELL)
    # A key of one game of the folder is known under the name of that game, too.
    there = {*known, *(key.partition(".")[2] for key in known), *(shell or ())}
    for double, single in _SAID.findall(path.read_text(encoding="utf-8")):
        key = double or single
        if key not in there:
            said = f"board/words/en.json lacks {key}, which {path.name} says"
            if shell is None:
                report.warn(f"{said}, unless the page itself has that sentence")
            else:
                report.error(said)


def check_tutorial_words(game: Game, report: Report) -> None:
    """Check that each step of the tutorial has its sentence."""
    known = _read_words(game.folder / "tutorial" / "words" / "en.json")
    if known is None or not has_tutorial(game):
        return
    with report.guard(f"tutorial/{game.name}.toml", game.folder):
        for number, step in enumerate(read_tutorial(game).steps):
            if not _has(game, known, step.say):
                report.error(f"tutorial/words/en.json lacks {step.say}, which step {number} says")


def _read_words(file: Path) -> dict[str, Any] | None:
    """The sentences of a file; None if there are none that can be read, which is said elsewhere."""
    try:
        words = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return words if isinstance(words, dict) else None


def _has(game: Game, known: dict[str, Any], key: str) -> bool:
    return bool(known.get(f"{game.name}.{key}") or known.get(key))


def check_board(game: Game, report: Report) -> None:
    """Check that the modules of a board can be parsed, if Node is there to do it."""
    modules = _modules(game)
    if not modules:
        return
    node = shutil.which("node")
    if node is None:
        report.note("board: its modules were not parsed, since there is no node")
        return
    for path in modules:
        # From standard input: a file that ends with .js would not be taken for a module.
        parsed = subprocess.run(  # noqa: S603 - it is only parsed, without a shell
            [node, "--input-type=module", "--check"],
            input=path.read_text(encoding="utf-8"),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        if parsed.returncode:
            name = path.relative_to(game.folder)
            report.error(f"{name}{_first_fault(parsed.stderr)}")


def _first_fault(said: str) -> str:
    """What Node says of a module: ":12: SyntaxError: ..."."""
    line = re.search(r"^\S+:(\d+)$", said, re.MULTILINE)
    why = re.search(r"^\w*Error: .*$", said, re.MULTILINE)
    return f"{f':{line[1]}' if line else ''}: {why[0] if why else 'it cannot be parsed'}"
