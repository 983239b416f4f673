"""The windows that a table must fit into, and what of it lies outside of one."""

from __future__ import annotations

from time import monotonic

from tests.page.browser import Visitor
from theriac.testing.profiles import often

#: How long a page may take to follow the size of its window: the machine may be busy.
SETTLED_S = 20.0

#: Phones, upright and on their side, a tablet, and desktops.
WINDOWS = (
    (360, 640),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1280, 720),
    (1280, 800),
    (1920, 1080),
    (2560, 1440),
)
#: Those that `make test` looks at; `make test-long` and `make gallery` look at all.
MAIN_WINDOWS = often(((360, 640), (844, 390), (1280, 800)), WINDOWS)
#: The phones of these.
PHONES = often(((360, 640),), ((360, 640), (390, 844), (844, 390)))
#: Collects what moves by itself, not by what the player did in the last half second. Flames and
#: bubbles move once, not for ever: to draw them takes a quarter of the processor time of a test.
WATCH_SHIFTS = """
    const once = new CSSStyleSheet();
    once.replaceSync("*, *::before, *::after { animation-iteration-count: 1 !important; }");
    document.adoptedStyleSheets.push(once);
    localStorage.setItem("theriac.pace", "quick");
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const {value, hadRecentInput, sources} of list.getEntries())
            if (!hadRecentInput) shifts.push([value, ...sources.map(({node}) => node?.className)]);
    }).observe({type: "layout-shift", buffered: true});
"""
#: What of the table is missing or not wholly inside the window, and whether the page scrolls.
FAULTS = """() => {
    const faults = [], root = document.documentElement;
    const check = (name, part) => {
        const {left, top, right, bottom} = part.getBoundingClientRect();
        const inside = Math.min(left, top, innerWidth - right, innerHeight - bottom) >= -1;
        if (!inside || right <= left || bottom <= top)
            faults.push(`${name} at ${[left, top, right, bottom].map(Math.round)}`);
    };
    for (const name of ["hand", "action", "status"]) {
        const part = document.querySelector(`[data-part="${name}"]`);
        if (part) check(name, part);
        else faults.push(`no ${name}`);
    }
    for (const button of document.querySelectorAll("[data-part=hand] button, .action button"))
        check(button.textContent.trim(), button);
    if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) faults.push("it scrolls");
    return faults;
}"""


def settled_faults(ana: Visitor) -> list[str]:
    """What lies outside of the window, once the page has had its time to follow its size."""
    latest = monotonic() + SETTLED_S
    while True:
        found: list[str] = ana.page.evaluate(FAULTS)
        if not found or monotonic() > latest:
            return found
        ana.page.wait_for_timeout(100)
