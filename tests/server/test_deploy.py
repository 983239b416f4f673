"""docs/deploy works as written: nginx and Caddy in front of a server, the files for Docker."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.faults.services import find_program
from tests.nonces import Nonces
from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess
from theriac.cli import serve
from theriac.cli.config_file import settings_of
from tools import dockerfile

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs" / "deploy"
#: nginx as root for a test: everything it writes is in its folder.
NGINX = """
daemon off; pid nginx.pid; error_log stderr warn;
events {}
http {
    access_log off;
    client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4;
    scgi_temp_path t5;
    include site.conf;
}
"""


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def replaced(text: str, **changes: str) -> str:
    """A file with the values of this test; each must be there."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a self-signed certificate for localhost."""
    folder = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([*command.split(), *names, *files], check=True, capture_output=True)
    return folder


@contextlib.contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """A proxy that listens on a port."""
    log = folder / "proxy.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + RESPONSE_TIMEOUT_S
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(RESPONSE_TIMEOUT_S)


def play_through(host: str, tls: ssl.SSLContext | None) -> None:
    """Open a table and make a move through a proxy; what is the operator's is not there."""
    scheme = "https" if tls else "http"
    base = f"{scheme}://{host}"
    with httpx.Client(base_url=base, verify=tls or True, timeout=RESPONSE_TIMEOUT_S) as http:
        assert http.get("/healthz").status_code == 404
        assert http.get("/metrics").status_code == 404
        assert http.get("/").status_code == 200
        key = http.post("/api/players", json={"name": "Ana"}).json()["key"]
        new = {"game": "shokoba", "seats": [None, "easy"], "options": {"first": 0}}
        headers = {"Authorization": f"Bearer {key}"}
        table = http.post("/api/tables", json=new, headers=headers).json()["table"]
    address = f"{base.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    origin = Origin(base)
    with connect(address, ssl=tls, origin=origin, open_timeout=RESPONSE_TIMEOUT_S) as opened:

        def until(key: str) -> Any:
            while True:
                message = json.loads(opened.recv(RESPONSE_TIMEOUT_S))
                if key in message and message.get("id") in (None, "move"):
                    return message

        opened.send(json.dumps({"do": "hello", "id": "hello", "key": key}))
        nonces, room = Nonces(), until("welcome")["welcome"]["room"]
        fields = nonces.commit(room["commitment"], 0, "x")
        opened.send(json.dumps({"do": "sit", "id": "sit", "seat": 0, **fields}))
        while (nonce := nonces.to_reveal(room)) is None:
            room = until("room")["room"]
        opened.send(json.dumps({"do": "reveal", "id": "reveal", "nonce": nonce}))
        update = until("view")
        while not update["view"]["legal"]:  # a bot may be first
            update = until("view")
        move = {"move": update["view"]["legal"][0], "version": update["version"]}
        opened.send(json.dumps({"do": "move", "id": "move", **move}))
        assert until("id")["version"] == update["version"] + 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server behind a proxy."""
    from tests.server.server_process import started_servers

    running = ServerProcess(tmp_path_factory.mktemp("deploy"))
    started_servers.pop_all()
    yield running
    running.stop()


def trusting(certificate: Path) -> ssl.SSLContext:
    """TLS that trusts only the certificate of this test."""
    return ssl.create_default_context(cafile=str(certificate / "cert.pem"))


def nginx(folder: Path, site: str) -> list[str]:
    """The command line of nginx with a site."""
    (folder / "nginx.conf").write_text(NGINX, encoding="utf-8")
    (folder / "site.conf").write_text(site, encoding="utf-8")
    return [find_program("nginx"), "-p", str(folder), "-c", "nginx.conf", "-e", "stderr"]


def test_nginx_with_tls_plays_a_move(
    server: ServerProcess, certificate: Path, tmp_path: Path
) -> None:
    port, plain = free_port(), free_port()
    changes = {
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "club.example;": "localhost;",
        "/etc/ssl/certs/club.example.pem": str(certificate / "cert.pem"),
        "/etc/ssl/private/club.example.key": str(certificate / "key.pem"),
        "127.0.0.1:8765": server.host,
    }
    site = replaced((DEPLOY / "nginx-tls.conf").read_text(encoding="utf-8"), **changes)
    with running(nginx(tmp_path, site), tmp_path, port):
        play_through(f"localhost:{port}", trusting(certificate))
        moved = httpx.get(f"http://localhost:{plain}/table/x", follow_redirects=False)
        assert moved.status_code == 301 and moved.headers["location"].startswith("https://")


def test_nginx_of_the_compose_file_plays_a_move(server: ServerProcess, tmp_path: Path) -> None:
    port = free_port()
    changes = {"listen 80;": f"listen 127.0.0.1:{port};", "theriac:8765": server.host}
    site = replaced((DEPLOY / "nginx.conf").read_text(encoding="utf-8"), **changes)
    with running(nginx(tmp_path, site), tmp_path, port):
        play_through(f"localhost:{port}", None)


def test_caddy_with_tls_plays_a_move(
    server: ServerProcess, certificate: Path, tmp_path: Path
) -> None:
    port = free_port()
    tls = f"tls {certificate / 'cert.pem'} {certificate / 'key.pem'}"
    changes = {
        "club.example {": f"localhost:{port} {{\n\t{tls}",
        "127.0.0.1:8765": server.host,
    }
    site = replaced((DEPLOY / "Caddyfile").read_text(encoding="utf-8"), **changes)
    (tmp_path / "Caddyfile").write_text(
        "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + site, encoding="utf-8"
    )
    command = [find_program("caddy"), "run", "--adapter", "caddyfile", "--config", "Caddyfile"]
    with running(command, tmp_path, port):
        play_through(f"localhost:{port}", trusting(certificate))


def options_in(command: str) -> set[str]:
    """The settings that a `theriac serve` command line names."""
    return {word[2:].replace("-", "_") for word in shlex.split(command) if word.startswith("--")}


def test_the_compose_file_names_what_exists() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    settings = set(settings_of(serve.run, serve.NOT_IN_FILE))
    theriac = services["theriac"]
    assert options_in(theriac["command"]) <= settings
    environment = {name.removeprefix("THERIAC_").lower() for name in theriac["environment"]}
    assert environment <= settings
    build = theriac["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).is_file(), volume
    assert "server theriac:8765;" in (DEPLOY / "nginx.conf").read_text(encoding="utf-8")


def test_the_dockerfile_and_the_unit_name_what_exists() -> None:
    settings = set(settings_of(serve.run, serve.NOT_IN_FILE))
    text = dockerfile.DOCKERFILE.read_text(encoding="utf-8")
    build, image = dockerfile.read_stages(text)
    context = set(dockerfile.context())
    for step in build.instructions:
        if step.name == "COPY":
            for source in dockerfile.read_copy(step).sources:
                assert source in context or any(p.startswith(f"{source}/") for p in context), source
    for lock in re.findall(r"requirements\S*\.lock", text):
        assert lock in context
    command = image.last("CMD").words
    assert command[:2] == ["theriac", "serve"]
    assert options_in(shlex.join(command)) <= settings
    unit = (DEPLOY / "theriac.service").read_text(encoding="utf-8")
    started = re.findall(r"^ExecStart=\S+/theriac serve (.*)$", unit, re.MULTILINE)
    assert started and options_in(started[0]) <= settings


def test_the_dockerfile_is_read_as_docker_reads_it() -> None:
    """`make docker-steps` runs it."""
    build, image = dockerfile.read_stages(dockerfile.DOCKERFILE.read_text(encoding="utf-8"))
    assert build.name == "build" and image.name is None and build.image == image.image
    assert [step.name for step in build.instructions] == (
        "WORKDIR COPY RUN RUN COPY COPY COPY RUN".split()
    )
    assert [step.name for step in image.instructions] == (
        "COPY ENV RUN USER RUN VOLUME EXPOSE HEALTHCHECK CMD".split()
    )
    assert dockerfile.read_copy(image.last("COPY")) == (
        "build",
        ["/opt/theriac"],
        "/opt/theriac",
    )
    environment = dockerfile.read_environment(image.last("ENV"), {"PATH": "/bin"})
    assert environment["PATH"] == "/opt/theriac/bin:/bin"
    assert environment["THERIAC_DATABASE"] == "/data/tables.sqlite"
    health = dockerfile.read_health_check(image.last("HEALTHCHECK"))
    assert (health.interval_s, health.timeout_s, health.start_period_s) == (30, 5, 60)
    assert health.command[:2] == ["python", "-c"] and health.command[2].endswith("/healthz')")


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("src/theriac/match.py", False),
        ("web/src/seal.ts", False),
        ("pyproject.toml", False),
        ("Makefile", True),
        (".git/config", True),
        ("tests/server/test_deploy.py", True),
        ("src/theriac/__pycache__/match.pyc", True),
        ("web/node_modules/vite/package.json", True),
        ("src/theriac/games/poison/tests/cases.py", True),
        ("src/theriac/new_game/templates/map/tests/cases.py", False),
        ("src/theriac/server/page/index.html", True),
        ("src/theriac/server/http/page.py", False),
    ],
)
def test_the_context_of_the_image_is_only_what_it_needs(path: str, *, ignored: bool) -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if not line.startswith("#")]
    assert dockerfile.is_ignored(path, patterns) == ignored
