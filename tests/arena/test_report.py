"""The report: one well-formed file, with text for every plot and no scripts."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from tests.arena.samples import play_here, schedule_of
from theriac.arena import plots
from theriac.arena.metrics import summarize_variants
from theriac.arena.report import arena_report, lab_report
from theriac.arena.results import summarize
from theriac.arena.schedule import Schedule, StudyConfig

RUN = {"version": "1.2.3", "machine": "a slow one"}
VOID = ("meta", "br", "img", "link")


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


class Page(HTMLParser):
    """Checks that tags close in order, and keeps the parts that tests read."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def check(page: Page) -> None:
    assert page.all("script") == []
    assert page.all("html")[0]["lang"] == "en"
    for _, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        link = attributes.get("href") or attributes.get("xlink:href") or attributes.get("src")
        assert link is None or link.startswith("#")
    for drawn in page.all("svg"):
        assert drawn["role"] == "img"
        assert len(drawn["aria-label"] or "") > 20


def report_of(schedule: Schedule) -> str:
    return arena_report(summarize(schedule, [play_here(one) for one in schedule.games()]), RUN)


needs_plots = pytest.mark.skipif(not plots.has_plots(), reason="needs Matplotlib")


@needs_plots
def test_the_report_of_an_arena() -> None:
    schedule = schedule_of("greedy", "crash", deals=3)
    page = Page(report_of(schedule))
    check(page)
    assert len(page.all("svg")) == 5
    labels = " ".join(str(drawn["aria-label"]) for drawn in page.all("svg"))
    assert "win share, 95 % interval: greedy 100%" in labels
    said = page.text.index("After 3 deals it is not decided who is better")
    assert said < page.text.index("All against all")
    assert "a slow one" in page.text
    for title in ("Win share", "Win share by seat, 4 players", "Scores", "Ranks", "Ratings"):
        assert title in page.text
    assert "raised RuntimeError: oh <b>no</b>" in page.text
    assert page.all("b") == []


@needs_plots
def test_the_report_of_a_game_played_together() -> None:
    schedule = schedule_of("random", "crash", game="dungeon", options={"players": 1}, deals=2)
    page = Page(report_of(schedule))
    check(page)
    assert "Causes of loss" in page.text
    assert "by seat" not in page.text


@needs_plots
def test_the_report_of_a_lab() -> None:
    schedule = schedule_of("greedy", deals=3, study=StudyConfig(1, 2))
    games = [play_here(one) for one in schedule.games()]
    page = Page(lab_report(schedule, summarize_variants(schedule, games), RUN))
    check(page)
    assert len(page.all("svg")) >= 2
    for title in ("Scores", "Win share by seat, 4 players"):
        assert title in page.text
    assert "Length" not in page.text  # the same in every run of this test


@needs_plots
def test_every_plot_is_well_formed_xml() -> None:
    schedule = schedule_of("greedy", "random", deals=2)
    source = report_of(schedule)
    drawn = source.split("<figure>\n")[1].split("</svg>")[0] + "</svg>"
    assert ET.fromstring(drawn).tag.endswith("svg")


def test_without_matplotlib_there_is_text_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "has_plots", lambda: False)
    schedule = schedule_of("greedy", "random", deals=1)
    page = Page(report_of(schedule))
    check(page)
    assert "they need Matplotlib" in page.text
    assert page.all("svg") == []


def test_names_of_bots_are_only_text() -> None:
    schedule = schedule_of("greedy", "random", deals=1)
    games = [play_here(one) for one in schedule.games()]
    evil = "<script>alert(1)</script>"
    for game in games:
        game.bots = [evil if bot == "random" else bot for bot in game.bots]
    page = Page(arena_report(summarize(schedule_of("greedy", evil, deals=1), games), RUN))
    check(page)
    assert evil in page.text
