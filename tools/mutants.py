"""Break every clause once and see which test notices: `make mutants`.

Each game lists its mutants in `tests/mutants.toml`, at least one for each clause: a small change of
the rules that breaks the clause, and in words what is wrong then. A mutant is applied to a copy of
the project, and the tests that name its clause run there, interpreted (`tools.mutant_tests`). They
must fail. The tests that did run once more without a mutant, and must pass.

`python -m tools.mutants POI KKD-07` runs the mutants of some games or clauses only.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from theriac.testing.clauses import Marked, clauses_in, folders, marked_in

ROOT = Path(__file__).resolve().parent.parent

#: What a copy of the project needs to run the tests of a clause.
COPIED = ("src", "tests", "docs", "tools", "examples", "conftest.py", "pyproject.toml")
_TESTS_FAILED = 1


class BadMutant(ValueError):
    """A mutant that cannot be applied, or whose tests do not run."""


@dataclass(frozen=True)
class Mutant:
    """One way to break a clause."""

    clause: str
    #: What is wrong then, in words.
    breaks: str
    #: The file, and the text in it that is replaced. The text occurs exactly once: in the whole
    #: file or, with `within`, in the function of that name.
    path: Path
    find: str
    replace: str
    within: str = ""

    def apply(self, source: str) -> str:
        """The broken source; raises `BadMutant`."""
        start, end = self._range(source)
        found = source.count(self.find, start, end)
        if found != 1:
            where = f"{self.path.name}, {self.within}" if self.within else self.path.name
            raise BadMutant(
                f"{self.clause}: {self.find!r} occurs {found} times in {where}, not once"
            )
        at = source.index(self.find, start, end)
        return source[:at] + self.replace + source[at + len(self.find) :]

    def _range(self, source: str) -> tuple[int, int]:
        """Where the text is searched for: from one offset to another."""
        if not self.within:
            return 0, len(source)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and node.name == self.within:
                lines = source.splitlines(keepends=True)
                start = len("".join(lines[: node.lineno - 1]))
                return start, start + len("".join(lines[node.lineno - 1 : node.end_lineno]))
        raise BadMutant(f"{self.clause}: {self.path.name} has no function {self.within}")


def own_folders() -> list[Path]:
    """The folders of the games in this repository: mutants need their tests."""
    return [folder for folder in folders() if ROOT in folder.parents]


def mutants_of(folder: Path) -> list[Mutant]:
    """The mutants of the games in a folder."""
    rows = tomllib.loads((folder / "tests" / "mutants.toml").read_text(encoding="utf-8"))
    return [
        Mutant(
            row["clause"],
            row["breaks"],
            folder / row["file"],
            row["find"],
            row["replace"],
            row.get("within", ""),
        )
        for row in rows["mutants"]
    ]


def unbroken(folder: Path) -> list[str]:
    """The clauses of a folder that no mutant breaks."""
    broken = {mutant.clause for mutant in mutants_of(folder)}
    return [clause for clause in clauses_in(folder) if clause not in broken]


# Running them


def write_broken(path: Path, source: str, number: int) -> None:
    """Write a broken module; `number` is another one each time.

    Python knows for which source a module was compiled by its size and the second it was written.
    Two mutants of the same size that were tested within a second would be the same one.
    """
    before = path.stat().st_mtime
    path.write_text(source, encoding="utf-8")
    os.utime(path, (before - number, before - number))


class Copy:
    """A copy of the project in which one mutant at a time is tested."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._written = 0
        skipped = shutil.ignore_patterns("node_modules", "__pycache__", "page", "shots")
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, root / name, ignore=skipped)
            else:
                shutil.copy(source, root / name)
        self._tests = self._start()

    def _start(self) -> subprocess.Popen[str]:
        """The process that runs tests in this copy."""
        paths = [self.root, self.root / "src", *(self.root / "examples").glob("*/src")]
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "THERIAC_JIT": "0",
        }
        return subprocess.Popen(
            [sys.executable, "-m", "tools.mutant_tests"],
            cwd=self.root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        """End the process that runs tests."""
        self._tests.communicate()

    def check_unbroken(self, tests: list[str]) -> None:
        """Raise `BadMutant` if a test fails without any mutant."""
        status, output = self._run(tests) if tests else (0, "")
        if status != 0:
            raise BadMutant(f"a test does not pass without a mutant:\n{output[-2000:]}")

    def noticed_by(self, mutant: Mutant, tests: Iterable[Marked]) -> str:
        """The first test that fails with this mutant; "" if none does."""
        path = self.root / mutant.path.relative_to(ROOT)
        source = path.read_text(encoding="utf-8")
        self._written += 1
        write_broken(path, mutant.apply(source), self._written)
        try:
            for group in _near_first(mutant, tests):
                failed = self._failed(mutant, group)
                if failed:
                    return failed
            return ""
        finally:
            # With the time of the original, for which Python has compiled it.
            shutil.copy2(mutant.path, path)

    def _failed(self, mutant: Mutant, tests: list[Marked]) -> str:
        status, output = self._run(f"{test.path.relative_to(ROOT)}::{test.name}" for test in tests)
        if status < 0:
            return f"no test: they were ended by {signal.Signals(-status).name}"
        if status not in (0, _TESTS_FAILED):
            raise BadMutant(
                f"{mutant.clause}: {mutant.breaks}: the tests could not run:\n{output[-2000:]}"
            )
        return output.splitlines()[-1] if status else ""

    def _run(self, tests: Iterable[str]) -> tuple[int, str]:
        """The exit status and the output of pytest."""
        assert self._tests.stdin is not None and self._tests.stdout is not None
        print(json.dumps(list(tests)), file=self._tests.stdin, flush=True)
        status, output = json.loads(self._tests.stdout.readline())
        return status, output


def _near_first(mutant: Mutant, tests: Iterable[Marked]) -> Iterator[list[Marked]]:
    """The tests of a clause, those in the folder of the game first: the others are slower."""
    named = [test for test in tests if mutant.clause in test.clauses]
    near = [test for test in named if mutant.path.parent in test.path.parents]
    yield from filter(None, (near, [test for test in named if test not in near]))


def run(mutants: list[Mutant], workers: int, console: Console) -> dict[Mutant, str]:
    """Test all mutants, each in one of the copies; the test that noticed each."""
    tests = marked_in(ROOT / "tests", *(folder / "tests" for folder in own_folders()))
    noticed: dict[Mutant, str] = {}
    copies: SimpleQueue[Copy] = SimpleQueue()
    with contextlib.ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="theriac-mutants-"))
        for number in range(workers):
            copy = Copy(Path(home) / str(number))
            stack.callback(copy.close)
            copies.put(copy)

        def test(mutant: Mutant) -> str:
            copy = copies.get()
            try:
                return copy.noticed_by(mutant, tests)
            finally:
                copies.put(copy)

        pool = ThreadPoolExecutor(workers)
        stack.callback(pool.shutdown, cancel_futures=True)
        progress = stack.enter_context(Progress(console=console))
        bar = progress.add_task("Mutants", total=len(mutants))
        waiting = {pool.submit(test, mutant): mutant for mutant in mutants}
        for future in as_completed(waiting):
            noticed[waiting[future]] = future.result()
            progress.advance(bar)
        copies.get().check_unbroken(sorted({name for name in noticed.values() if "::" in name}))
    return noticed


def show(mutants: list[Mutant], noticed: dict[Mutant, str], console: Console) -> None:
    """A table of all mutants."""
    table = Table("clause", "broken", "noticed by")
    for mutant in mutants:
        name = noticed[mutant].rpartition("::")[2]
        table.add_row(mutant.clause, mutant.breaks, escape(name) or "[red]nothing[/red]")
    console.print(table)


def main() -> int:
    """Run the mutants that are asked for; 1 if one goes unnoticed."""
    parser = argparse.ArgumentParser(description="Break every clause once.")
    parser.add_argument("only", nargs="*", help="clauses (POI-07) or the letters of games (POI)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    only = tuple(arguments.only)
    every = [mutant for folder in own_folders() for mutant in mutants_of(folder)]
    mutants = [mutant for mutant in every if not only or mutant.clause.startswith(only)]
    console = Console()
    noticed = run(mutants, arguments.workers, console)
    show(mutants, noticed, console)
    missed = sum(1 for mutant in mutants if not noticed[mutant])
    clauses = len({mutant.clause for mutant in mutants})
    console.print(f"{len(mutants)} mutants of {clauses} clauses, {missed} unnoticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
