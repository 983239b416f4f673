"""On a phone nothing lies over anything else: full tables, replays with open hands, moments."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Visit
from tests.page.test_seal import player_of
from tests.page.test_whole_games import SIX
from tests.page.windows import PHONES
from tests.server.server_process import ServerProcess
from theriac.game import find
from theriac.match import Match
from theriac.testing.profiles import often

GAMES = ("poison", "shokoba", "shock", "anaphylaxis", "dungeon", "hearts")
#: What of the seats and of the open hands lies outside of the window or over something else, and
#: whether the sentence of a move is cut.
FAULTS = """() => {
    const faults = [], stage = document.querySelector(".stage");
    const boxOf = (part) => part.getBoundingClientRect();
    const seen = (part) => boxOf(part).width > 2 && getComputedStyle(part).visibility !== "hidden";
    const all = (selector) => [...stage.querySelectorAll(selector)].filter(seen);
    const over = (a, b) => {
        const [one, two] = [boxOf(a), boxOf(b)];
        return Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1
            && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;
    };
    const inside = (part) => {
        const {left, top, right, bottom} = boxOf(part);
        if (Math.min(left, top, innerWidth - right, innerHeight - bottom) < -1)
            faults.push(`${part.className} at ${[left, top, right, bottom].map(Math.round)}`);
    };
    const facts = (seat) => [...seat.querySelectorAll(".name, .score, .facts [title]")].filter(seen)
        .filter((one) => getComputedStyle(one).position === "static");
    const seats = all(".seats .seat");
    seats.flatMap(facts).forEach(inside);
    const texts = [...all(".brand h1, .rail button"), ...all("[data-part=hands] .face")];
    for (const [i, seat] of seats.entries())
        for (const one of facts(seat)) {
            const others = [...seats.filter((_, n) => n !== i).flatMap(facts), ...texts];
            for (const other of others)
                if (over(one, other)) faults.push(`${one.textContent} over ${other.textContent}`);
        }
    const hands = stage.querySelector("[data-part=hands]");
    if (hands) {
        all("[data-part=hands] .face").forEach(inside);
        const find = (one) => stage.querySelector(one);
        const [table, status] = [find("[data-part=table]"), find(".status b")];
        for (const part of [table, status]) {
            if (over(hands, part)) faults.push(`hands over ${part.className}`);
            for (const seat of seats)
                if (over(seat, part)) faults.push(`seat over ${part.className}`);
        }
        const {scrollHeight, clientHeight, scrollWidth, clientWidth} = status;
        if (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1)
            faults.push(`cut: ${status.textContent}`);
    }
    return faults;
}"""


def write_record(path: Path, name: str, **options: object) -> int:
    """The record of a game of as many as can play, each at random; its number of moves."""
    game, chance = find(name), Random(5)
    most = {"players": game.players[-1], **options}
    match = Match(game, most, seed=bytes(range(32)), speed="plain")
    while not match.over:
        match.play(chance.choice(match.legal()))
    path.write_text(json.dumps(match.record()))
    return len(match.moves)


def settled(page: Page) -> list[str]:
    """What is wrong once the page has followed the size of its window."""
    for _ in range(100):
        found: list[str] = page.evaluate(FAULTS)
        if not found:
            return []
        page.wait_for_timeout(100)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_all_hands_of_a_replay_are_in_sight(visit: Visit, game: str, tmp_path: Path) -> None:
    ana = visit("phone")
    page = ana.page
    kept = tmp_path / "game.json"
    options = {"minutes": 0} if game == "dungeon" else {}
    moves = write_record(kept, game, **options)
    page.goto("/replay")
    page.get_by_label("Game record").set_input_files(kept)
    for move in often((moves // 2,), (1, moves // 3, moves // 2)):
        page.get_by_role("slider").fill(str(move))
        expect(page.get_by_text(f"Move {move} of {moves}", exact=True)).to_be_visible()
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("[data-part=hands] li")).to_have_count(find(game).players[-1])
            assert settled(page) == [], f"move {move} at {width}x{height}"
    ana.check_screen(f"replay-{game}")


@pytest.mark.parametrize("game", GAMES)
def test_a_full_table_has_room_for_its_seats(
    visit: Visit, server: ServerProcess, game: str
) -> None:
    ana = visit("phone")
    page = ana.page
    player = player_of(ana, server)
    table = player.open(game, [None, *["easy"] * (find(game).players[-1] - 1)])
    page.goto(f"/table/{table}?sit=0")
    expect(page.locator("[data-part=hand]")).to_be_visible()
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        assert settled(page) == [], f"{width}x{height}"


def test_a_replay_stops_at_the_end_of_a_round(visit: Visit, tmp_path: Path) -> None:
    ana = visit("phone")
    page = ana.page
    kept = tmp_path / "game.json"
    moves = write_record(kept, "poison", players=3, deck=SIX)
    in_round = moves // 3
    page.goto("/replay")
    page.get_by_label("Game record").set_input_files(kept)
    page.get_by_role("slider").fill(str(in_round - 1))
    sheet = page.get_by_role("dialog", name="Round 1 is over")
    expect(sheet).to_have_count(0)
    forward = page.get_by_role("button", name="One move forward")
    forward.click()
    expect(sheet).to_be_visible()
    expect(page.locator(".brand")).to_contain_text("Round 1")
    expect(page.locator("[data-part=hands] .card")).to_have_count(0)
    ana.check_screen("replay-round-end")
    forward.click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".brand")).to_contain_text("Round 2")
    expect(page.get_by_text(f"Move {in_round} of {moves}", exact=True)).to_be_visible()
    ana.button("Moves").click()
    listed = page.locator("ol li", has=page.locator(f"[data-move='{in_round}']"))
    following = listed.locator("xpath=following-sibling::li[1]")
    expect(following).to_have_text("Round 2")


def test_a_moment_fits_into_the_window_and_covers_no_other_words(
    visit: Visit, server: ServerProcess
) -> None:
    ana = visit("phone", reduced_motion="no-preference")
    page = ana.page
    ana.page.add_init_script("localStorage.setItem('theriac.pace', 'calm')")
    player = player_of(ana, server)
    table = player.open("shock", [None, "easy", "easy"])
    page.goto(f"/table/{table}?sit=0")
    assert ana.wait_for_turn()
    page.evaluate("""() => {
        window.widths = [];
        const look = () => {
            const word = document.querySelector(".moment .word")?.getBoundingClientRect();
            if (word) widths.push([word.left, innerWidth - word.right]);
            const caption = document.querySelector(".caption");
            if (word && getComputedStyle(caption).visibility !== "hidden") widths.push([-9, -9]);
            requestAnimationFrame(look);
        };
        look();
    }""")
    ana.press(page.locator(".hand button").first)
    page.locator(".quiet-way").click()
    page.locator(".action .act").click()
    expect(page.locator(".moment .word")).to_be_visible()
    expect(page.locator(".moment")).to_have_count(0)
    seen = page.evaluate("widths")
    assert len(seen) > 5
    assert min(min(sides) for sides in seen) >= 0


def test_the_own_turn_is_called_so_while_moves_are_still_shown(
    visit: Visit, server: ServerProcess
) -> None:
    ana = visit("phone", reduced_motion="no-preference")
    page = ana.page
    ana.page.add_init_script("localStorage.setItem('theriac.pace', 'quick')")
    player = player_of(ana, server)
    table = player.open("poison", [None, "easy", "easy"])
    page.goto(f"/table/{table}?sit=0")
    assert ana.wait_for_turn()
    page.evaluate("""() => {
        window.said = new Set();
        const text = (selector) => document.querySelector(selector)?.textContent.trim();
        const look = () => {
            said.add(`${text(".status b")}: ${text(".action .act")}`);
            requestAnimationFrame(look);
        };
        look();
    }""")
    ana.play_a_card(Random(1))
    expect(page.locator(".status.turn")).to_have_count(0)
    assert ana.wait_for_turn()
    said = page.evaluate("[...said]")
    assert any("Your turn: One moment" in one for one in said), said
    assert not any(one.startswith("Ana’s turn") for one in said), said
    assert "Your turn: Not your turn yet" not in said


def test_unfinished_games_leave_room_and_can_be_dropped(
    visit: Visit, server: ServerProcess
) -> None:
    ana = visit("phone")
    page = ana.page
    player = player_of(ana, server)
    for _ in range(3):
        player.ask(player.open("poison", [None, "easy", "easy"]), "sit", seat=0, nonce="0" * 64)
    page.goto("/")
    current = page.get_by_role("region", name="Pick up where you left off")
    expect(current.get_by_role("listitem")).to_have_count(2)
    ana.check_screen("home-current")
    current.get_by_role("link", name="All unfinished games (3)").click()
    expect(current.get_by_role("listitem")).to_have_count(3)
    page.once("dialog", lambda question: question.dismiss())
    current.get_by_role("button", name="Drop").first.click()
    expect(current.get_by_role("listitem")).to_have_count(3)
    page.once("dialog", lambda question: question.accept())
    current.get_by_role("button", name="Drop").first.click()
    expect(current.get_by_role("listitem")).to_have_count(2)
    ana.check_screen("history-current")
