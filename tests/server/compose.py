"""Run docs/deploy/compose.yaml without Docker, with the programs of this machine.

Every container is a network namespace of its own on one bridge, so that each has its usual port and
finds the others by the names of their services. Command, environment, replicas, volumes, health
checks, dependencies and signals are those of the file. What the images of PostgreSQL, Redis and
nginx do at their start is done here as their documentation says.

It needs root and Linux, and namespaces of its own, so that nothing outside is changed:

    unshare --mount --net python -m tests.server.compose
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import yaml  # type: ignore[import-untyped]

from tests.faults.services import find_program, unprivileged
from tests.server.test_deploy import DEPLOY, NGINX, play_through
from tools import dockerfile

COMPOSE = DEPLOY / "compose.yaml"
#: What the operator sets.
SECRETS = {"THERIAC_PASSWORD": "a password of this test"}
_NETWORK = "10.77.0"
_BRIDGE = f"{_NETWORK}.1"
#: How long a service may take to be healthy, in seconds: the machine may be busy.
HEALTHY_TIMEOUT_S = 120.0
_SECONDS = re.compile(r"(\d+)s")


def substitute(text: str, values: Mapping[str, str]) -> str:
    """A text of the file with the variables that the operator set; a missing one is an error."""
    return re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda found: values[found[1]], text)


def run(*command: str) -> None:
    """Run a command, which must succeed."""
    subprocess.run(command, check=True)


class Container:
    """One container of a service."""

    def __init__(self, service: str, settings: dict[str, Any], number: int, folder: Path) -> None:
        self.service = service
        self.name = f"{service}{number}"
        self.settings = settings
        self.address = f"{_NETWORK}.{number + 10}"
        self.folder = folder / self.name
        self.folder.mkdir()
        self._process: subprocess.Popen[bytes] | None = None

    def connect(self) -> None:
        """Give it a network, on the bridge."""
        run("ip", "netns", "add", self.name)
        inside, outside = f"i{self.address[8:]}", f"o{self.address[8:]}"
        run(*f"ip link add {outside} type veth peer name {inside} netns {self.name}".split())
        run(*f"ip link set {outside} master bridge up".split())
        within = f"ip -n {self.name}"
        run(*f"{within} address add {self.address}/24 dev {inside}".split())
        run(*f"{within} link set {inside} up".split())
        run(*f"{within} link set lo up".split())

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the file sets."""
        given = self.settings.get("environment", {})
        return {name: substitute(value, SECRETS) for name, value in given.items()}

    def start(self) -> None:
        """Start its program, as the image would."""
        command, account = getattr(self, f"_{self.service}")()
        kept = ("PATH", "HOME", "THERIAC_CACHE")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                ["ip", "netns", "exec", self.name, *account, *command],
                cwd=self.folder,
                env={**environment, "THERIAC_JIT": "0", **self.environment},
                stdout=log,
                stderr=log,
            )

    def _postgres(self) -> tuple[list[str], list[str]]:
        """A cluster with the user, the password and the database; others must show a password."""
        data = self.folder / "data"
        account = unprivileged()
        as_user = ["setpriv", f"--reuid={account['user']}", f"--regid={account['group']}"]
        as_user += ["--clear-groups"]
        os.chown(self.folder, account["user"], account["group"])
        Path("/run/postgresql").mkdir()
        os.chown("/run/postgresql", account["user"], account["group"])
        given = self.environment
        password = self.folder / "password"
        password.write_text(given["POSTGRES_PASSWORD"], encoding="utf-8")
        password.chmod(0o644)
        run(
            *as_user,
            find_program("initdb"),
            f"--pgdata={data}",
            f"--username={given['POSTGRES_USER']}",
            f"--pwfile={password}",
            *"--auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --no-sync".split(),
        )
        rules = data / "pg_hba.conf"
        rules.write_text(rules.read_text() + "host all all all scram-sha-256\n", encoding="utf-8")
        create = f"CREATE DATABASE {given['POSTGRES_DB']};\n".encode()
        single = [find_program("postgres"), "--single", "-D", str(data), "postgres"]
        subprocess.run([*as_user, *single], input=create, check=True, stdout=subprocess.DEVNULL)
        return [find_program("postgres"), "-D", str(data), "-c", "listen_addresses=*"], as_user

    def _redis(self) -> tuple[list[str], list[str]]:
        return [find_program("redis-server"), "--protected-mode", "no", "--save", ""], []

    def _nginx(self) -> tuple[list[str], list[str]]:
        """With the site that the file mounts."""
        source, target, _ = self.settings["volumes"][0].split(":")
        assert target == "/etc/nginx/conf.d/default.conf"
        shutil.copy(DEPLOY / source, self.folder / "site.conf")
        (self.folder / "nginx.conf").write_text(NGINX, encoding="utf-8")
        options = ["-p", str(self.folder), "-c", "nginx.conf", "-e", "stderr"]
        return [find_program("nginx"), *options], []

    def _theriac(self) -> tuple[list[str], list[str]]:
        return [sys.executable, "-m", *shlex.split(self.settings["command"])], []

    def _health_check(self) -> list[str]:
        """The command of the file, else of the image."""
        if self.service == "theriac":
            image = dockerfile.read_stages(dockerfile.DOCKERFILE.read_text(encoding="utf-8"))[-1]
            command = dockerfile.read_health_check(image.last("HEALTHCHECK")).command
            return [sys.executable, *command[1:]]
        kind, *command = self.settings["healthcheck"]["test"]
        assert kind == "CMD"
        program = find_program("postgres" if command[0] == "pg_isready" else "redis-server")
        return [str(Path(program).resolve().with_name(command[0])), *command[1:]]

    def wait_until_healthy(self) -> None:
        """Ask as Docker does, until it is healthy."""
        deadline = time.monotonic() + HEALTHY_TIMEOUT_S
        command = ["ip", "netns", "exec", self.name, *self._health_check()]
        while subprocess.run(command, check=False, capture_output=True).returncode:
            assert self._process is not None and self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.2)

    @property
    def log(self) -> str:
        """What it printed last."""
        return f"{self.name}: {(self.folder / 'log').read_text()[-2000:]}"

    def kill(self) -> None:
        """Kill it."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Stop it as `docker compose down` does; its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        grace = _SECONDS.fullmatch(self.settings.get("stop_grace_period", "10s"))
        assert grace is not None
        return self._process.wait(int(grace[1]))


def in_order(services: dict[str, Any]) -> Iterator[str]:
    """The services, each after those that it depends on."""
    left = list(services)
    while left:
        first = next(n for n in left if not set(services[n].get("depends_on", ())) & set(left))
        left.remove(first)
        yield first


def containers(services: dict[str, Any], folder: Path) -> list[Container]:
    """All containers, in the order in which they start."""
    made: list[Container] = []
    for service in in_order(services):
        for _ in range(services[service].get("deploy", {}).get("replicas", 1)):
            made.append(Container(service, services[service], len(made), folder))
    return made


def set_up_network(made: list[Container], folder: Path) -> None:
    """A bridge with all containers, which find each other by the names of their services."""
    run("mount", "--make-rprivate", "/")
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    hosts = folder / "hosts"
    lines = [f"{each.address} {each.service}" for each in made]
    hosts.write_text("\n".join(["127.0.0.1 localhost", *lines, ""]), encoding="utf-8")
    run("mount", "--bind", str(hosts), "/etc/hosts")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "bridge", "type", "bridge")
    run("ip", "address", "add", f"{_BRIDGE}/24", "dev", "bridge")
    run("ip", "link", "set", "bridge", "up")
    for each in made:
        each.connect()


def start_all(made: list[Container], services: dict[str, Any]) -> None:
    """Start each as soon as what it depends on is healthy."""
    needed = {
        name
        for service in services.values()
        for name, how in service.get("depends_on", {}).items()
        if how["condition"] == "service_healthy"
    }
    for each in made:
        each.start()
        if each.service in needed:
            each.wait_until_healthy()
            print(f"{each.name} is healthy", flush=True)


def play(made: list[Container], services: dict[str, Any]) -> None:
    """Play through nginx, kill a server, and play on with the other."""
    proxy = next(each for each in made if each.service == "nginx")
    servers = [each for each in made if each.service == "theriac"]
    published, port = services["nginx"]["ports"][0].split(":")
    assert (published, port) == ("8080", "80")
    host = proxy.address
    play_through(host, None)
    print("a move was made through nginx", flush=True)
    with httpx.Client(base_url=f"http://{host}", timeout=30) as http:
        key = http.post("/api/players", json={"name": "Ana"}).json()["key"]
        new = {"game": "poison", "seats": [None, None, None]}
        headers = {"Authorization": f"Bearer {key}"}
        table = http.post("/api/tables", json=new, headers=headers).json()["table"]
        seen = [
            httpx.get(f"http://{each.address}:8765/api/tables/{table}").status_code
            for each in servers
        ]
        assert seen == [200] * len(servers), seen
        servers[0].kill()
        found = [http.get(f"/api/tables/{table}").status_code for _ in range(4)]
        assert found == [200] * 4, found
    play_through(host, None)
    print("a server was killed: the other continues", flush=True)


def main() -> None:
    """Start everything, play, stop everything."""
    compose = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    services = compose["services"]
    with tempfile.TemporaryDirectory(prefix="theriac-compose-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        made = containers(services, folder)
        set_up_network(made, folder)
        try:
            start_all(made, services)
            play(made, services)
        except BaseException:
            print("\n".join(each.log for each in made if (each.folder / "log").exists()))
            raise
        finally:
            killed = next(each for each in made if each.service == "theriac")
            status = {each.name: each.stop() for each in reversed(made) if each is not killed}
    print(json.dumps(status))


if __name__ == "__main__":
    main()
