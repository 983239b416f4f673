"""Every page of the shell in small and large windows, and with text at 200 %: nothing is cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.browser import Visitor
from tests.page.conftest import Visit
from tests.page.windows import MAIN_WINDOWS
from tests.server.server_process import ServerProcess
from theriac.testing.profiles import often

PAGES = (
    "/",
    "/open",
    "/history",
    "/settings",
    "/replay",
    "/learn/poison",
    "/rules/poison",
    "/decks/poison",
    "/nothing/here",
    "TABLE",
)
#: Text at 200 %, in windows of these sizes.
LARGE_TEXT = often(((390, 844),), ((390, 844), (768, 1024), (1280, 800)))
#: What can be read only in part: text wider than its box, in a box that hides it; or text outside
#: of the window. Where three dots say so, the whole is in the title or beside it.
CUT = """() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const found = wide > 0 ? [`the page is ${wide} px too wide`] : [];
    for (const one of document.querySelectorAll("main *, header *")) {
        const style = getComputedStyle(one), box = one.getBoundingClientRect();
        const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const unseen = box.width <= 1 || style.visibility === "hidden";
        if (!own || unseen || one.closest(".hidden-text, [inert], svg")) continue;
        const text = one.textContent.trim().slice(0, 60);
        const dots = style.textOverflow === "ellipsis";
        const hides = ["hidden", "clip"].includes(style.overflowX) && !dots;
        if (hides && one.scrollWidth > one.clientWidth + 1) found.push(`cut: ${text}`);
        const outside = box.left < -1 || box.right > innerWidth + 1;
        if (outside && !one.closest(".tabs, table, pre")) found.push(`outside: ${text}`);
    }
    return found;
}"""


def open_page(ana: Visitor, path: str, table: str) -> None:
    """Open a page, and wait until it shows something."""
    ana.page.goto(f"/table/{table}" if path == "TABLE" else path)
    expect(ana.page.locator("h1").first).to_be_visible()
    ana.page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_cut_off(visit: Visit, server: ServerProcess, path: str) -> None:
    ana = visit()
    table = server.new_player("Cy").open("poison", [None, "easy", "easy"])
    open_page(ana, path, table)
    found = {}
    for width, height in MAIN_WINDOWS:
        ana.page.set_viewport_size({"width": width, "height": height})
        found[f"{width}x{height}"] = ana.page.evaluate(CUT)
    line = ana.context.new_cdp_session(ana.page)
    line.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    for width, height in LARGE_TEXT:
        ana.page.set_viewport_size({"width": width, "height": height})
        found[f"{width}x{height}, text at 200 %"] = ana.page.evaluate(CUT)
        ana.shot(f"large{path.replace('/', '-')}-{width}")
    assert {window: faults for window, faults in found.items() if faults} == {}
