"""The order of the pages. Sphinx warns of a page that is in none of these lists."""

from __future__ import annotations

NAVIGATION = {
    "Play": ["play", "review", "games/index", "rulings", "clauses"],
    "Host": ["hosting", "server", "limits", "scaling", "faults"],
    "Research and design": [
        "examples",
        "researchers",
        "adapters",
        "bots",
        "arena",
        "training",
        "gpu",
        "gpu-internals",
        "measurements",
    ],
    "Formats": ["record", "shuffle", "wire"],
    "Add a game": ["adding-a-game", "contract", "page"],
    "Develop": ["architecture", "glossary"],
    "Reference": ["commands", "reference/index"],
}


def toctree(pages: list[str], caption: str = "") -> str:
    """A table of contents of these pages."""
    lines = ["```{toctree}", ":maxdepth: 1"]
    if caption:
        lines += [":hidden:", f":caption: {caption}"]
    return "\n".join([*lines, "", *pages, "```", ""])


def toctrees() -> str:
    """The navigation of the whole site."""
    return "\n".join(toctree(pages, caption) for caption, pages in NAVIGATION.items())
