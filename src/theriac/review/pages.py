"""Pages from templates: HTML files without scripts, which load nothing else."""

from __future__ import annotations

from typing import Any

import jinja2


def render(package: str, template: str, **content: Any) -> str:
    """A page from a template in the folder `templates` of a package. Texts are escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(template).render(**content)
