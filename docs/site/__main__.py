"""Build the site; with `--serve`, serve it on this machine afterwards."""

from __future__ import annotations

import argparse
import functools
import http.server
import sys
from pathlib import Path

from docs.site.build import FOLDER, build


def main() -> None:
    """Run with `python -m docs.site`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help="serve the site on port 8001")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to build it")
    parser.add_argument("-D", action="append", default=[], dest="settings", help="as in Sphinx")
    arguments = parser.parse_args()
    html = arguments.folder / "html"
    failed = build(arguments.folder / "source", html, arguments.settings)
    if failed:
        sys.exit(failed)
    print(f"The site is in {html}/index.html")
    if arguments.serve:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(html))
        print("Serving it at http://127.0.0.1:8001 (Ctrl+C stops)")
        http.server.ThreadingHTTPServer(("127.0.0.1", 8001), handler).serve_forever()


if __name__ == "__main__":
    main()
