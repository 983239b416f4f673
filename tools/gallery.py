"""Play every game in a real browser and take pictures of it: `make gallery`.

Each game is played for a few moves at each size, in both themes, with the moves that the tests of
the page make (`tests/hands.py` of the game); with `--whole` to its end, with the sheet of every
round and the finale. The pictures and a page that shows them lie outside of the repository. At
every step the hand, the action and the status must be inside the window, and the document must not
scroll: what is not is written below its picture, and makes the command fail.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from rich.progress import track

from tests.page.boards import BOARDS, hands_of
from tests.page.browser import SIZES, Visitor, launch
from tests.page.windows import WINDOWS, settled_faults
from tests.server.server_process import ServerProcess
from theriac.game import Game

THEMES = ("dark", "light")
PAGE = """<!doctype html><meta charset="utf-8"><title>Gallery</title>
<style>body{{font:16px system-ui;background:#222;color:#eee}}
figure{{display:inline-block;margin:8px}}
img{{height:420px;display:block}}.bad{{color:#f88}}</style>{figures}"""
FIGURE = """<figure><a href="{name}"><img src="{name}" loading="lazy"></a>
<figcaption>{caption}</figcaption></figure>"""


class Gallery:
    """Takes pictures, and notes what is wrong in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.figures: list[str] = []
        self.faults: list[str] = []

    def shoot(self, visitor: Visitor, name: str) -> None:
        """Take a picture of the window."""
        visitor.page.wait_for_timeout(600)  # cards have arrived
        visitor.page.screenshot(path=self.folder / f"{name}.png")
        outside = settled_faults(visitor)
        caption = name if not outside else f'{name}: <b class="bad">{", ".join(outside)}</b>'
        self.figures.append(FIGURE.format(name=f"{name}.png", caption=caption))
        self.faults += [f"{name}: {one}" for one in outside]

    def write(self) -> Path:
        """Write the page that shows the pictures."""
        page = self.folder / "index.html"
        page.write_text(PAGE.format(figures="\n".join(self.figures)), encoding="utf-8")
        return page


def play(gallery: Gallery, visitor: Visitor, game: Game, name: str, moves: int) -> None:
    """A few moves of a game, with pictures of the first turn, a choice, and what came after."""
    visitor.page.goto(f"/play/{game.name}?level=easy")
    hands = hands_of(game)(visitor, Random(3), "Guest")
    for move in range(moves):
        if not visitor.wait_for_turn():
            break
        gallery.shoot(visitor, f"{name}-{move}-turn")
        hands.choose()
        gallery.shoot(visitor, f"{name}-{move}-chosen")
        visitor.page.keyboard.press("Escape")
        hands.move_by_mouse()


def end(gallery: Gallery, visitor: Visitor, game: Game, name: str) -> None:
    """Play on to the end, with pictures of the sheets and of the finale."""
    hands = hands_of(game)(visitor, Random(4), "Guest")
    turn, over = visitor.page.locator(".status.turn"), visitor.button("Play again")
    sheets = 0
    while True:
        turn.or_(over).or_(visitor.sheet).first.wait_for()
        if visitor.sheet.count():
            sheets += 1
            gallery.shoot(visitor, f"{name}-sheet-{sheets}")
            visitor.read_sheet()
        elif over.count():
            break
        else:
            hands.move_by_mouse()
    gallery.shoot(visitor, f"{name}-finale")


def size(text: str) -> tuple[int, int]:
    """A size as it is typed: 390x844."""
    width, _, height = text.partition("x")
    return int(width), int(height)


def visit(browser: Browser, address: str, window: tuple[int, int], theme: Any) -> Visitor:
    """A visitor with a window of this size."""
    SIZES["gallery"] = window
    return Visitor(browser, address, "gallery", color_scheme=theme)


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="the folder of the pictures")
    parser.add_argument("--games", nargs="*", default=[game.name for game in BOARDS])
    parser.add_argument("--moves", type=int, default=2)
    parser.add_argument("--sizes", nargs="*", type=size, default=WINDOWS, help="such as 390x844")
    parser.add_argument("--themes", nargs="*", choices=THEMES, default=THEMES)
    parser.add_argument("--whole", action="store_true", help="play every game to its end")
    chosen = parser.parse_args()
    folder = chosen.out or Path(tempfile.mkdtemp(prefix="theriac-gallery-"))
    folder.mkdir(parents=True, exist_ok=True)
    gallery = Gallery(folder)
    server = ServerProcess(Path(tempfile.mkdtemp()))
    games = [game for game in BOARDS if game.name in chosen.games]
    rounds = [(game, at, theme) for game in games for at in chosen.sizes for theme in chosen.themes]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for game, window, theme in track(rounds, "Playing"):
            visitor = visit(browser, f"http://{server.host}", window, theme)
            name = f"{game.name}-{window[0]}x{window[1]}-{theme}"
            play(gallery, visitor, game, name, chosen.moves)
            if chosen.whole:
                end(gallery, visitor, game, name)
            elif visitor.wait_for_turn():
                gallery.shoot(visitor, f"{name}-last")
            gallery.faults += [f"{name}: {error}" for error in visitor.console_errors]
            visitor.context.close()
        browser.close()
    server.stop()
    print(f"{len(gallery.figures)} pictures: {gallery.write()}")
    for fault in gallery.faults:
        print(fault)
    sys.exit(bool(gallery.faults))


if __name__ == "__main__":
    main()
