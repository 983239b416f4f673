"""What Hatchling does beside packing files: it builds the page, and writes two metadata fields.

The page is not in git. Every wheel and sdist has it, except with THERIAC_WITHOUT_PAGE=1. An
editable installation needs none; it serves what `make page` has built.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGE = "src/theriac/server/page"
WITHOUT_PAGE = "THERIAC_WITHOUT_PAGE"
NO_NODE = (
    "The page cannot be built: that needs npm and Node 20.19, 22.12 or 24. Install Node, or set "
    f"{WITHOUT_PAGE}=1 to install Theriac without the page in the browser."
)


class PageHook(BuildHookInterface[Any]):
    """Builds the page and adds it to the package."""

    def dependencies(self) -> list[str]:
        """Node, for a build environment on a machine that has none."""
        root = Path(self.root)
        if without_page() or has_page(root) or has_node(root):
            return []
        groups = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
        return [str(requirement) for requirement in groups["node"]]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the files are packed."""
        if version == "editable" or without_page():
            return
        root = Path(self.root)
        if not has_page(root):
            if not has_node(root):
                self.app.abort(NO_NODE)
            self.app.display_info("Building the page")
            for arguments in (["ci"], ["run", "build"]):
                self._npm(root, *arguments)
        build_data["artifacts"].append(PAGE)

    def _npm(self, root: Path, *arguments: str) -> None:
        done = _run("npm", "--prefix", str(root / "web"), "--no-update-notifier", *arguments)
        if done.returncode:
            self.app.display_error(done.stdout + done.stderr)
            self.app.abort(
                f"The page cannot be built: see what npm {' '.join(arguments)} says above."
            )


class IndexHook(MetadataHookInterface):
    """The README as a package index can show it, and the project's addresses."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields that pyproject.toml declares as dynamic."""
        root = Path(self.root)
        repository = find_repository(root)
        text = (root / "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(text, repository),
        }
        metadata["urls"] = addresses(repository)


def without_page() -> bool:
    """Whether the user wants no page."""
    return os.environ.get(WITHOUT_PAGE, "0") not in ("", "0")


def is_sdist(root: Path) -> bool:
    """Whether this is an unpacked sdist, and not a clone."""
    return (root / "PKG-INFO").is_file()


def has_page(root: Path) -> bool:
    """Whether the page came with the sources. In a clone it may be older than they are."""
    return is_sdist(root) and (root / PAGE / "index.html").is_file()


def has_node(root: Path) -> bool:
    """Whether there is npm, and a Node that is new enough."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    return _run("node", str(root / "web" / "node-version.js")).returncode == 0


def find_repository(root: Path) -> str | None:
    """The address of the repository: what the clone was cloned from, or the sdist made from."""
    if is_sdist(root):
        info = HeaderParser().parsestr((root / "PKG-INFO").read_text("utf-8"))
        named = dict(line.split(", ", 1) for line in info.get_all("Project-URL", []))
        return named.get("Repository")
    if not (root / ".git").exists() or shutil.which("git") is None:
        return None
    return web_address(_run("git", "-C", str(root), "remote", "get-url", "origin").stdout.strip())


def web_address(remote: str) -> str | None:
    """The address of a git remote on the web, without a user or password; None for a folder.

    >>> web_address("git@example.org:cards/theriac.git")
    'https://example.org/cards/theriac'
    >>> web_address("https://ana:secret@example.org/cards/theriac")
    'https://example.org/cards/theriac'
    >>> web_address("/srv/git/theriac")
    """
    as_url = re.sub(r"^[\w.-]+@([\w.-]+):", r"ssh://\1/", remote)
    parts = urlsplit(as_url)
    if parts.scheme not in ("http", "https", "ssh", "git") or parts.hostname is None:
        return None
    return f"https://{parts.hostname}{parts.path.rstrip('/').removesuffix('.git')}"


def _run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the path to its end."""
    command = [shutil.which(program) or program, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603


def addresses(repository: str | None) -> dict[str, str]:
    """The addresses of the project, by the names that package indexes know."""
    if repository is None:
        return {}
    return {
        "Repository": repository,
        "Documentation": f"{repository}/blob/HEAD/docs/index.md",
        "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def absolute_links(text: str, repository: str | None) -> str:
    """The text with links to files of the repository as addresses; without one, as plain names.

    >>> absolute_links("See [the rules](docs/rules.md).", "https://example.org/cards")
    'See [the rules](https://example.org/cards/blob/HEAD/docs/rules.md).'
    >>> absolute_links("See [the rules](docs/rules.md).", None)
    'See the rules.'
    """
    target = rf"[\1]({repository}/blob/HEAD/\2)" if repository else r"\1"
    return re.sub(r"\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)", target, text)
