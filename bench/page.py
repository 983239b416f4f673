"""What the page costs, measured in a real Chromium with its own tracing.

For each game: the kB sent over the network until the player can play, from an empty cache, for a
player who opens the link of a table and for one who comes by the home page; the time from the
navigation to a table until then; and, over a whole round (at least half a minute) with
animated cards, the frames per second during animations, the dropped frames in the browser's trace,
the tasks of the page's main thread that take longer than 50 ms, and errors in the console; the same
on a CPU made four times slower; and the memory of the page after each of ten games, or as many as
end in five minutes. Moves are made
over HTTP, as by a player with two devices, at a human pace.

The browser is headless and has no GPU: the CPU draws everything.

python -m bench.page [--quick] [--game GAME] [--name NAME]; the page must have been built
(make page).
"""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import monotonic, sleep
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from rich.table import Table

from bench import report
from bench.processes import Process
from tests.page.browser import KNOWS_CLOCKS, SIZES, launch
from theriac.game import all_games
from theriac.sealed_deal import seat_commitment

#: The targets: kB sent, milliseconds until the player can play, frames per second.
MOST_KB, MOST_MS, LEAST_FRAMES = 180, 1000, 60
#: How much slower the CPU is in the second measurement.
SLOWER = 4
#: How long a bot thinks at least, and how long this player does, in seconds.
PACE = 0.6
#: A longer task of the main thread is noticeable, in milliseconds.
LONG = 50.0
#: A frame is late after one and a half frame times, in milliseconds.
LATE = 1.5 * 1000 / 60
#: How long games are played for the memory, in seconds.
MEMORY_SECONDS = 300
#: The timeout of everything, in seconds.
TIMEOUT_SECONDS = 120
_CATEGORIES = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
)
#: Records when the element first appears.
_READY = """(() => {
    const look = () => {
        if (window.readyAt === undefined && document.querySelector(WANTED))
            window.readyAt = performance.now();
        else requestAnimationFrame(look);
    };
    look();
})()"""
#: Records the time of each frame, and whether anything is animated then. This is looked up ten
#: times a second: in each frame it would cost as much as all else that scripts do here.
_WATCH = """() => {
    const mine = window.frames_seen = [];
    let moving = false, looked = -Infinity;
    const step = at => {
        if (mine !== window.frames_seen) return;
        if (at - looked > 100) {
            moving = document.getAnimations().some(one => one.playState === "running");
            looked = at;
        }
        mine.push([at, moving]);
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
}"""
_HOME = "article button.main"
_TURN = ".status.turn"


class Guest:
    """A browser with an empty cache that counts the bytes it receives."""

    def __init__(self, browser: Browser, address: str) -> None:
        width, height = SIZES["desktop"]
        self.context: BrowserContext = browser.new_context(
            base_url=f"http://{address}",
            viewport={"width": width, "height": height},
            locale="en-GB",
            reduced_motion="no-preference",
        )
        self.context.set_default_timeout(1000 * TIMEOUT_SECONDS)
        self.page: Page = self.context.new_page()
        # A game against the clock asks newcomers first.
        self.page.add_init_script(KNOWS_CLOCKS)
        self.sent = 0
        self.complaints: list[str] = []
        self.line = line = self.context.new_cdp_session(self.page)
        line.send("Network.enable")
        line.on("Network.loadingFinished", self._count)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _count(self, event: dict[str, Any]) -> None:
        self.sent += int(event["encodedDataLength"])

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def slow_down(self, times: float) -> None:
        """Make the CPU of the page slower."""
        self.line.send("Emulation.setCPUThrottlingRate", {"rate": times})

    def heap_mb(self) -> float:
        """What the page keeps in memory, without garbage."""
        self.line.send("HeapProfiler.collectGarbage")
        used: float = self.line.send("Runtime.getHeapUsage")["usedSize"]
        return round(used / 1e6, 2)

    def go_on(self) -> None:
        """Close the sheet at the end of a round."""
        button = self.page.locator(".sheet button.main")
        if button.count():
            button.click()

    def time_to(self, path: str, wanted: str) -> float:
        """Milliseconds from the navigation until an element appears."""
        self.page.add_init_script(_READY.replace("WANTED", json.dumps(wanted)))
        self.page.goto(path)
        ready: float | None = None
        while ready is None:  # the policy of the page lets no function be waited for
            self.page.locator(wanted).first.wait_for()
            self.page.wait_for_timeout(50)
            ready = self.page.evaluate("window.readyAt")
        return ready


class Seat:
    """Plays a seat at a table over HTTP."""

    def __init__(self, guest: Guest, address: str, chance: Random) -> None:
        kept = guest.page.evaluate("localStorage.getItem('theriac.person')")
        key = json.loads(kept)["key"]
        self.name = guest.page.evaluate("location.pathname").rpartition("/")[2]
        self.web = httpx.Client(
            base_url=f"http://{address}",
            headers={"Authorization": f"Bearer {key}"},
            timeout=TIMEOUT_SECONDS,
        )
        self.chance = chance
        self.moves = 0
        self.asked = 0

    def look(self) -> Any:
        """The table as it is."""
        return self.web.get(f"/api/tables/{self.name}").json()["welcome"]

    def ask(self, do: str, **more: Any) -> Any:
        """Do something at the table; the answer."""
        self.asked += 1
        body = {"do": do, "id": f"bench{self.asked}", **more}
        return self.web.post(f"/api/tables/{self.name}", json=body).json()

    def agree(self, seen: Any) -> None:
        """Agree to the next game: commit to a nonce, and reveal it when the deal is sealed."""
        shown, nonce = seen["room"]["commitment"], f"bench {self.asked}"
        commitment = seat_commitment(shown, seen["seat"], nonce)
        self.ask("ready", commitment=commitment, to=shown)
        self.ask("reveal", nonce=nonce)

    def play_round(self, guest: Guest, least: float) -> None:
        """Play a whole round and for at least `least` seconds, in another game if needed."""
        begun, first, whole = monotonic(), self.look()["view"]["round"], False
        while not whole or monotonic() - begun < least:
            seen = self.look()
            view = seen["view"]
            whole = whole or view["over"] or view["round"] != first
            if view["over"]:
                self.agree(seen)
            elif view["to_act"] == seen["seat"] and view["legal"]:
                guest.page.wait_for_timeout(1000 * PACE)
                move = self.chance.choice(view["legal"])
                answer = self.ask("move", move=move, version=seen["version"])
                self.moves += "refused" not in answer
            guest.go_on()
            guest.page.wait_for_timeout(100)

    def play_games(self, guest: Guest, games: int) -> list[float]:
        """Play whole games as quickly as they go; the memory of the page after each."""
        heap: list[float] = []
        latest = monotonic() + MEMORY_SECONDS
        while not heap or (len(heap) < games and monotonic() < latest):
            seen = self.look()
            view = seen["view"]
            if view["over"]:
                heap.append(guest.heap_mb())
                self.agree(seen)
            elif view["to_act"] == seen["seat"] and view["legal"]:
                self.ask("move", move=self.chance.choice(view["legal"]), version=seen["version"])
            guest.go_on()
            guest.page.wait_for_timeout(50)
        return heap


def sit_down(guest: Guest, title: str) -> None:
    """From the home page to the first turn at a table with bots."""
    guest.page.goto("/")
    guest.page.get_by_label("Nickname").fill("Ana")
    guest.page.locator("article", has=guest.page.get_by_text(title, exact=True)).locator(
        "button.main"
    ).click()
    guest.page.locator(_TURN).wait_for()


def loading(
    browser: Browser, address: str, path: str, wanted: str, kept: str, n: int
) -> tuple[float, float]:
    """The median of several loads from empty caches: milliseconds, and kB sent."""
    times, sent = [], []
    for _ in range(n):
        guest = Guest(browser, address)
        if kept:
            person = f"localStorage.setItem('theriac.person', {json.dumps(kept)})"
            guest.page.add_init_script(person)
        times.append(guest.time_to(path, wanted))
        sent.append(guest.sent / 1000)
        guest.context.close()
    return round(median(times), 1), round(median(sent), 1)


def smoothness(frames: list[tuple[float, bool]]) -> dict[str, Any]:
    """Statistics of the frames during animations."""
    pairs = pairwise(frames)
    gaps = [after - before for (before, was), (after, moves) in pairs if was and moves]
    if len(gaps) < 2:
        return {"frames": len(gaps)}
    return {
        "frames": len(gaps),
        "per_second": round(1000 * len(gaps) / sum(gaps), 1),
        "gap_ms_99_of_100": round(quantiles(gaps, n=100)[98], 1),
        "late": sum(gap > LATE for gap in gaps),
    }


def read_trace(trace: bytes) -> dict[str, Any]:
    """Dropped frames, and the long tasks of the main thread with what they did."""
    events = json.loads(trace)["traceEvents"]
    threads = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    of_page = [one for one in events if (one["pid"], one["tid"]) in threads and "dur" in one]
    tasks = [one for one in of_page if one["name"].endswith("RunTask")]
    long = [one for one in tasks if one["dur"] > 1000 * LONG]
    return {
        "drawn": sum(one["name"] == "DrawFrame" for one in events),
        "dropped": sum(one["name"] == "DroppedFrame" for one in events),
        "long_tasks": [_describe_task(one, of_page) for one in long],
    }


def _describe_task(task: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """The duration of a task, its CPU time, and its longest parts."""
    end = task["ts"] + task["dur"]
    inside = [
        one
        for one in events
        if one["tid"] == task["tid"]
        and one is not task
        and task["ts"] <= one["ts"] <= end
        and not one["name"].endswith("RunTask")
    ]
    most = sorted(inside, key=lambda one: -int(one["dur"]))[:3]
    return {
        "ms": round(task["dur"] / 1000, 1),
        "cpu_ms": round(task["tdur"] / 1000, 1) if "tdur" in task else None,
        "most": {one["name"]: round(one["dur"] / 1000, 1) for one in most},
    }


def measure_game(browser: Browser, address: str, game: Any, n: int, least: float) -> dict[str, Any]:
    """A round of one game, one with a slower CPU, and some games for the memory."""
    guest = Guest(browser, address)
    title = _title(game)
    sit_down(guest, title)
    sent = guest.sent
    seat = Seat(guest, address, Random(game.name))
    kept = guest.page.evaluate("localStorage.getItem('theriac.person')")
    table_ms, table_kb = loading(browser, address, f"/table/{seat.name}?sit=0", _TURN, kept, n)
    usual = measure_round(browser, guest, seat, least)
    guest.slow_down(SLOWER)
    slower = measure_round(browser, guest, seat, least)
    guest.slow_down(1)
    guest.page.evaluate("localStorage.setItem('theriac.pace', 'instant')")
    guest.page.reload()
    heap = seat.play_games(guest, 10 if n > 2 else 1)
    seat.web.close()
    guest.context.close()
    return {
        "table_kb": table_kb,
        "home_and_table_kb": round(sent / 1000, 1),
        "table_ms": table_ms,
        **usual,
        "slower": slower,
        "heap_mb": heap,
        "complaints": guest.complaints,
    }


def measure_round(browser: Browser, guest: Guest, seat: Seat, least: float) -> dict[str, Any]:
    """The frames and tasks of a round."""
    moves = seat.moves
    guest.page.evaluate(_WATCH)
    browser.start_tracing(page=guest.page, categories=list(_CATEGORIES))
    seat.play_round(guest, least)
    frames = guest.page.evaluate("frames_seen")
    traced = read_trace(browser.stop_tracing())
    moving = smoothness([(at, moved) for at, moved in frames])
    return {"moves": seat.moves - moves, "moving": moving, **traced}


def _title(game: Any) -> str:
    """What the page calls a game."""
    words = json.loads((game.folder / "board" / "words" / "en.json").read_text(encoding="utf-8"))
    title: str = words.get(f"{game.name}.title") or words["title"]
    return title


def own_fault(tasks: list[dict[str, Any]]) -> int:
    """How many of these tasks were long by their own CPU time, not because the machine was busy."""
    return sum((task["cpu_ms"] or task["ms"]) > LONG for task in tasks)


def show(found: dict[str, dict[str, Any]], home: float) -> None:
    """Print a table, and the targets."""
    columns = (
        "game",
        "kB, by home",
        "to play ms",
        "frames/s",
        "late",
        "dropped",
        "long",
        "4× slower",
        "heap MB",
    )
    rows = Table(*columns)
    for name, one in found.items():
        moving = one["moving"]
        rows.add_row(
            name,
            f"{one['table_kb']}, {one['home_and_table_kb']}",
            f"{one['table_ms']}",
            f"{moving.get('per_second', '-')}",
            f"{moving.get('late', '-')} of {moving['frames']}",
            f"{one['dropped']} of {one['drawn'] + one['dropped']}",
            f"{len(one['long_tasks'])}, {own_fault(one['long_tasks'])} its own",
            f"{one['slower']['moving'].get('per_second', '-')} frames/s, "
            f"{own_fault(one['slower']['long_tasks'])} long",
            f"{one['heap_mb'][0]} to {one['heap_mb'][-1]}",
        )
    report.console.print(rows)
    for name, one in found.items():
        for complaint in one["complaints"]:
            report.console.print(f"{name}: {complaint}", markup=False)
    report.console.print(
        f"The home page is usable after {home} ms. Targets: below {MOST_KB} kB, below "
        f"{MOST_MS} ms, {LEAST_FRAMES} frames per second, no task above {LONG:.0f} ms, no errors."
    )


def main() -> None:
    """Measure, print and save."""
    given = report.arguments("What the page costs.", "page", game={"choices": sorted(all_games())})
    n, least = (2, 5.0) if given.quick else (7, 30.0)
    before = report.show_machine()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "theriac", "serve", "--log-level", "warning"]
        command += ["--port", "0", "--database", f"{folder}/page.sqlite", "--bot-delay", str(PACE)]
        with Process(command, Path(folder) / "log") as server:
            browser = launch(playwright)
            before["browser"] = f"Chromium {browser.version}, no screen, no graphics card"
            home, _ = loading(browser, server.address, "/", _HOME, "", n)
            found = {}
            chosen = [given.game] if given.game else list(all_games())
            for name in chosen:
                game = all_games()[name]
                report.console.print(f"A round of {name}")
                found[name] = measure_game(browser, server.address, game, n, least)
                sleep(0.1)
            browser.close()
    show(found, home)
    report.write(given.name, before, {"home_ms": home, "pace_seconds": PACE, "games": found})


if __name__ == "__main__":
    main()
