"""The games of a name or a folder: installed, part of Theriac, or in a folder that is neither."""

from __future__ import annotations

import ast
import importlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from theriac.checks.report import Report
from theriac.engine.dialect import BadRule, violations
from theriac.faults import Fault, listed, quote
from theriac.game import Game, all_games

_GROUP = "theriac.games"


def find_games(target: str, report: Report) -> list[Game]:
    """The games that a person means by a name or a folder; raises `Fault` if there are none."""
    folder = Path(target)
    if folder.is_dir():
        return [game for module in modules_in(folder) for game in _import(module, folder, report)]
    name = target.strip().lower()
    if name in all_games():
        module = all_games()[name].module
        return [game for game in all_games().values() if game.module == module]
    known = listed(list(all_games()), "and")
    raise Fault(f"{quote(target)} is neither a folder nor a game: there are {known}")


def modules_in(folder: Path) -> list[str]:
    """The modules of the games in a folder, made importable; raises `Fault`.

    The folder is a package itself, or has a `pyproject.toml` with entry points.
    """
    folder = folder.resolve()
    if (folder / "__init__.py").exists():
        root, names = folder.parent, [folder.name]
        while (root / "__init__.py").exists():
            root, names = root.parent, [root.name, *names]
        _make_importable(root)
        return [".".join(names)]
    modules = _entry_points(folder)
    _make_importable(folder / "src" if (folder / "src").is_dir() else folder)
    return modules


def _entry_points(folder: Path) -> list[str]:
    """The modules that `pyproject.toml` names as games; raises `Fault`."""
    file = folder / "pyproject.toml"
    if not file.exists():
        raise Fault(f"{folder}: it has neither an __init__.py nor a pyproject.toml")
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Fault(f"{file}: it is not a TOML file: {error}") from None
    found = content.get("project", {}).get("entry-points", {}).get(_GROUP, {})
    if not isinstance(found, dict) or not found:
        raise Fault(
            f'{file}: it names no game: write [project.entry-points."{_GROUP}"] and a line such '
            f'as hearts = "theriac_hearts"'
        )
    return [str(module) for module in found.values()]


def _make_importable(root: Path) -> None:
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))


def _import(module: str, folder: Path, report: Report) -> tuple[Game, ...]:
    """The games of a module; what is wrong with them goes into the report."""
    with report.guard(f"importing {module}", folder.resolve()):
        try:
            games = getattr(importlib.import_module(module), "GAMES", None)
        except BadRule as bad:  # importing stops at the first rule that is wrong: find all of them
            report.error(str(bad))
            for path in sorted(folder.resolve().rglob("*.py")):
                for another in _syntax_in(path):
                    report.error(str(another))
            return ()
        if isinstance(games, tuple) and games and all(isinstance(game, Game) for game in games):
            return games
        report.error(f"{module} has no tuple GAMES of games: write GAMES = (Game(...),)")
    return ()


def _syntax_in(path: Path) -> Iterator[BadRule]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and _is_marked(node):
            for at, what, instead in violations(node):
                why = f"{what} does not compile: {instead}"
                yield BadRule(node.name, str(path), at.lineno, why)


def _is_marked(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "rule" for mark in node.decorator_list)
