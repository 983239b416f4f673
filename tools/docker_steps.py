"""Run every step of `docs/deploy/Dockerfile` without Docker: `make docker-steps`.

Each stage gets a root of its own: a layer over the files of this machine, in which the steps run
as written, with their absolute paths and users. `python` is that of this machine, at `/usr/local`
as in the image of Python. Then the server is started with the command of the image, in a network
of its own, until its health check passes.

It needs root, and Linux with overlayfs. Nothing outside of a temporary folder is changed: the
mounts are those of this process only. What it cannot show is whether the base image lacks a
program or a library that this machine has.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import multiprocessing
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from theriac.faults import Fault
from tools import dockerfile
from tools.dockerfile import DOCKERFILE, ROOT, HealthCheck, Instruction, Stage

STAGES = dockerfile.read_stages(DOCKERFILE.read_text(encoding="utf-8"))
_NEW_MOUNTS, _NEW_NETWORK = 0x00020000, 0x40000000
#: Read and set the flags of a network interface, and the flag that it is up.
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1
#: The search path in the image of Python.
_PATH = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
#: `docker stop` kills a container that has not stopped after this time, in seconds.
_STOP_TIMEOUT_S = 10
#: These tell pip and npm where to find packages, here as on the machine.
_PASSED_ON = re.compile(r"(PIP|NPM|npm_config)_\w+|\w*_(proxy|PROXY)|SSL_CERT_\w+", re.ASCII)


def unshare(what: int) -> None:
    """Give this process mounts or a network of its own."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(what):
        raise Fault(f"this needs root on Linux ({os.strerror(ctypes.get_errno())})")


def mount(*arguments: str) -> None:
    """Mount something, for this process only."""
    subprocess.run(["mount", *arguments], check=True)


class Root:
    """The root of a stage: a layer over the files of this machine."""

    def __init__(self, folder: Path, python: Path) -> None:
        self._upper, self._folder = folder / "upper", folder / "root"
        for each in (self._upper, folder / "work", self._folder):
            each.mkdir(parents=True)
        layers = f"lowerdir=/,upperdir={self._upper},workdir={folder / 'work'}"
        mount("-t", "overlay", "overlay", "-o", layers, str(self._folder))
        for name in ("proc", "dev"):
            mount("--rbind", f"/{name}", str(self._folder / name))
        # The build must not find the project itself, which is somewhere on this machine.
        mount("-t", "tmpfs", "none", str(self.path(str(ROOT))))
        mount("-t", "tmpfs", "-o", "mode=1777", "none", str(self._folder / "tmp"))
        local = str(self._folder / "usr" / "local")
        mount("--bind", str(python), local)
        mount("-o", "remount,bind,ro", local)
        self.environment = {"PATH": _PATH, "HOME": "/root", "LANG": "C.UTF-8"}
        self.environment |= {k: v for k, v in os.environ.items() if _PASSED_ON.fullmatch(k)}
        self.user, self.workdir = "root", "/"
        if self.run(["ldconfig"]):  # programs find the library of Python there
            raise Fault("ldconfig failed")

    def path(self, inside: str) -> Path:
        """A path inside, as this process sees it."""
        return self._folder / inside.lstrip("/")

    def command(self, words: list[str]) -> list[str]:
        """The command line that runs a command inside, as the user of the stage."""
        moved = ["sh", "-c", f'cd {self.workdir} && exec "$@"', "sh", *words]
        return ["chroot", f"--userspec={self.user}", str(self._folder), *moved]

    def run(self, words: list[str], timeout: float | None = None) -> int:
        """Run a command inside; its status."""
        done = subprocess.run(
            self.command(words), env=self.environment, timeout=timeout, check=False
        )
        return done.returncode


def build(stage: Stage, root: Root, context: Path, others: dict[str | None, Root]) -> None:
    """Run the steps of a stage; raises `Fault` if one fails."""
    for step in stage.instructions:
        print(f"--- {step.name} {step.text}", flush=True)
        match step.name:
            case "WORKDIR":
                root.workdir = step.text
                root.path(step.text).mkdir(parents=True, exist_ok=True)
            case "COPY":
                copy(step, root, context, others)
            case "ENV":
                root.environment |= dockerfile.read_environment(step, root.environment)
            case "USER":
                root.user = step.text
                root.environment["HOME"] = f"/home/{step.text}"
            case "RUN":
                if status := root.run(["sh", "-c", step.text]):
                    raise Fault(f"the step failed with status {status}: {step.text}")
            case "VOLUME" | "EXPOSE" | "HEALTHCHECK" | "CMD":
                pass  # they say how to run the image
            case other:
                raise Fault(f"{other} is not known here: add it to tools/docker_steps.py")


def copy(step: Instruction, root: Root, context: Path, others: dict[str | None, Root]) -> None:
    """Copy files of the context, or of another stage."""
    copied = dockerfile.read_copy(step)
    for name in copied.sources:
        source = context / name if copied.stage is None else others[copied.stage].path(name)
        target = root.path(str(Path(root.workdir) / copied.target))
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy2(source, target / source.name if target.is_dir() else target)


def check_health(stage: Stage, root: Root) -> None:
    """Start the command of the image until its health check passes; raises `Fault`."""
    unshare(_NEW_NETWORK)
    raise_loopback()
    health = dockerfile.read_health_check(stage.last("HEALTHCHECK"))
    server = subprocess.Popen(root.command(stage.last("CMD").words), env=root.environment)
    try:
        wait_healthy(server, root, health)
        check_page(stage)
        server.send_signal(signal.SIGTERM)
        if status := server.wait(_STOP_TIMEOUT_S):
            raise Fault(f"the server stopped with status {status}")
        print("stopped", flush=True)
    finally:
        server.kill()


def wait_healthy(server: subprocess.Popen[bytes], root: Root, health: HealthCheck) -> None:
    """Run the health check until it passes; raises `Fault`."""
    deadline = time.monotonic() + health.start_period_s + 3 * health.interval_s
    while root.run(health.command, health.timeout_s):
        if server.poll() is not None or time.monotonic() > deadline:
            raise Fault("the server does not become healthy")
        time.sleep(1)
    print("healthy", flush=True)


def check_page(stage: Stage) -> None:
    """Raise `Fault` unless the image has the page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{stage.last('EXPOSE').text}/") as page:
        if b"<script" not in page.read():
            raise Fault("the image has no page")
    print("the page is there", flush=True)


def raise_loopback() -> None:
    """Let programs in a new network reach each other at 127.0.0.1."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        name, flags, rest = struct.unpack("16sH14s", fcntl.ioctl(any_socket, _GET_FLAGS, request))
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14s", name, flags | _UP, rest))


def find_python(image: str) -> Path:
    """The folder of a Python of the version of an image; raises `Fault`."""
    version = re.fullmatch(r"python:(\d+\.\d+)-slim", image)
    if version is None:
        raise Fault(f"{image} is not an image of Python")
    asked = [f"python{version[1]}", "-c", "import sys; print(sys.base_prefix)"]
    try:
        done = subprocess.run(asked, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        raise Fault(
            f"there is no {asked[0]} here: install it, or name its folder with --python"
        ) from None
    return Path(done.stdout.strip())


def run_steps(folder: Path, chosen: Path | None) -> None:
    """Build all stages in a folder, and check the last one; raises `Fault`."""
    unshare(_NEW_MOUNTS)
    mount("--make-rprivate", "/")
    roots: dict[str | None, Root] = {}
    for number, stage in enumerate(STAGES):
        root = Root(folder / f"stage{number}", chosen or find_python(stage.image))
        build(stage, root, folder / "context", roots)
        roots[stage.name] = root
    check_health(STAGES[-1], root)


def run_apart(folder: Path, chosen: Path | None) -> None:
    """Do it in a process of its own, and end that process with a sentence where it fails."""
    try:
        run_steps(folder, chosen)
    except Fault as fault:
        sys.exit(str(fault))


def main() -> int:
    """Copy the context, and run all steps."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", type=Path, help="the folder of a Python (its sys.base_prefix)")
    chosen: Path | None = parser.parse_args().python
    with tempfile.TemporaryDirectory(prefix="docker-steps-") as name:
        folder = Path(name)
        for path in dockerfile.context():
            copied = folder / "context" / path
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copied)
        # The mounts end with the other process: this one deletes the folder and never sees them.
        apart = multiprocessing.get_context("fork").Process(target=run_apart, args=(folder, chosen))
        apart.start()
        apart.join()
        return apart.exitcode or 0


if __name__ == "__main__":
    sys.exit(main())
