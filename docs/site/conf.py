"""Sphinx's settings for the site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import theriac

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Theriac"
project_copyright = "The Theriac authors"
version = release = theriac.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_mock_imports = ["torch", "ray", "tensorboard"]
add_module_names = False

html_theme = "furo"
html_title = "Theriac"
html_show_sourcelink = False
html_copy_source = False

_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")

_ABSOLUTE = re.compile(r"\|([^|`]+)\|")


def setup(app: Sphinx) -> None:
    """Register what reads docstrings."""
    app.connect("autodoc-process-docstring", mark_code)


def mark_code(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings write code in single backticks and absolute values as ``|x|``; reStructuredText
    wants two backticks and an escape. The docstring of a generic type says nothing about an alias.
    """
    if getattr(obj, "__origin__", None) is not None:
        lines.clear()
    lines[:] = [_ABSOLUTE.sub(r"\|\1\|", _CODE.sub(r"``\1``", line)) for line in lines]
