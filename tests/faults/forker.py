"""Forks servers: `python -m tests.faults.forker`.

It reads orders from standard input, one line of JSON each, and answers with the id of the process.
Bots import this module again, so it imports little itself.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import traceback
from typing import NoReturn

#: What a server imports, before the first one is forked.
IMPORTED = ("alembic.command", "theriac.cli", "theriac.server.app", "theriac.server.serve")


def _serve(order: dict[str, str], arguments: list[str]) -> NoReturn:
    """Become a server: with its own output, log and command line."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for stream, mode, path in ((1, os.O_WRONLY, order["output"]), (2, os.O_APPEND, order["log"])):
        file = os.open(path, mode | os.O_WRONLY | os.O_CREAT)
        os.dup2(file, stream)
        os.close(file)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.argv = ["theriac", *arguments]
    status = 1
    try:
        from theriac.cli import main

        main()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - the log has it, and nothing is above us
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(status)


def _fork_on_order() -> None:
    for module in IMPORTED:
        importlib.import_module(module)
    importlib.import_module("theriac.game").all_games()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that the kernel buries the killed ones
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _serve(order, order["arguments"])
        print(pid, flush=True)


if __name__ == "__main__":
    _fork_on_order()
