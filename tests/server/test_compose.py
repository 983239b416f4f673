"""docs/deploy/compose.yaml works as written, without Docker: see `compose.py`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.faults.services import find_program

NAMESPACES = ("unshare", "--mount", "--net", "--")
#: What the containers run. A network of their own reaches no package that is missing.
PROGRAMS = ("initdb", "postgres", "redis-server", "nginx")
#: PostgreSQL, Redis, nginx and two servers start, play and stop.
TIMEOUT_S = 600.0


def may_make_networks() -> bool:
    """Is this root on Linux, with `ip` and namespaces?"""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return False
    return subprocess.run([*NAMESPACES, "true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not may_make_networks(), reason="needs root, namespaces and iproute2")
def test_the_compose_file_runs_as_written() -> None:
    for program in PROGRAMS:
        find_program(program)
    command = [*NAMESPACES, sys.executable, "-m", "tests.server.compose"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    status = json.loads(done.stdout.splitlines()[-1])
    assert set(status.values()) == {0}
    assert [name.rstrip("0123456789") for name in status] == [
        "nginx",
        "theriac",
        "redis",
        "postgres",
    ]
