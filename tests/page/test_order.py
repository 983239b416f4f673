"""Everything is seen in its order: the last card of a round lands before its sheet opens."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.page.boards import hands_of
from tests.page.browser import Visitor
from tests.page.conftest import Visit
from tests.page.test_seal import player_of
from tests.server.server_process import ServerProcess
from theriac.game import find
from theriac.testing.profiles import often
from theriac.testing.setups import short_options

#: Notes what there is to see, in every frame: a moment's word, whose turn it is, cards that fly.
WATCH = """() => {
    window.seen = [];
    const look = () => {
        const flying = document.getAnimations().filter((one) =>
            one.constructor === Animation && one.playState === "running"
            && one.effect.target?.matches("[data-card], .flying-card"));
        const edge = (part, side) => document.querySelector(part)?.getBoundingClientRect()[side];
        const now = {
            covers: edge(".moment", "top") < edge("[data-part=table]", "bottom") - 12,
            sheet: document.querySelector("[role=dialog]") !== null,
            moment: document.querySelector(".moment .word")?.textContent ?? "",
            turn: document.querySelector("[data-part=status] b")?.textContent ?? "",
            flying: flying.length > 0,
            held: document.querySelectorAll(".hand [data-card]").length,
        };
        if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
        if (!now.sheet) requestAnimationFrame(look);
    };
    look();
}"""


GAMES = ("poison", "shokoba", "shock", "anaphylaxis")
PAIRS = [(game, pace) for game in GAMES for pace in ("instant", "quick")]


def watch_a_round(
    ana: Visitor, server: ServerProcess, game: str, pace: str
) -> list[dict[str, Any]]:
    """Play a round of a few cards at this pace; what was seen until its sheet was open."""
    ana.page.add_init_script(f"localStorage.setItem('theriac.pace', '{pace}')")
    options = short_options(find(game))
    bots = ["easy"] * (options.pop("players") - 1)
    table = player_of(ana, server).open(game, [None, *bots], options=options)
    ana.page.goto(f"/table/{table}?sit=0")
    hands = hands_of(find(game))(ana, Random(7))
    sheet, turn = ana.page.get_by_role("dialog"), ana.page.locator(".status.turn")
    turn.or_(sheet).first.wait_for()
    ana.page.evaluate(WATCH)
    while not sheet.count():
        hands.move_by_mouse()
        turn.or_(sheet).first.wait_for()
    # A function: the page forbids to evaluate strings, as each look but the first would do.
    ana.page.wait_for_function("() => seen.at(-1).sheet")
    seen: list[dict[str, Any]] = ana.page.evaluate("seen")
    return seen


@pytest.mark.parametrize(("game", "pace"), often(PAIRS[::3], PAIRS))
def test_the_last_card_lands_before_the_sheet_opens(
    visit: Visit, server: ServerProcess, game: str, pace: str
) -> None:
    seen = watch_a_round(visit(reduced_motion="no-preference"), server, game, pace)
    end = seen[-1]
    assert end["sheet"] and not end["flying"] and end["turn"] == "", seen[-3:]
    assert not any(one["covers"] for one in seen), "a moment leaves the table in sight"
    if pace == "quick" and game == "shokoba":  # it is said who takes what is left
        assert any(one["moment"] for one in seen[-6:]), seen[-6:]


def test_a_shock_is_seen_before_its_sheet(visit: Visit, server: ServerProcess) -> None:
    """Also where the last card of a trick reveals it: a round soon ends so."""
    ana = visit(reduced_motion="no-preference")
    for _ in range(8):
        seen = watch_a_round(ana, server, "anaphylaxis", "quick")
        shocked = ana.page.get_by_role("dialog").get_by_text("SHOCK!").count()
        if shocked and "withdraw" not in ana.page.get_by_role("dialog").inner_text():
            break
    else:
        pytest.skip("nobody was shocked in eight rounds")
    words = [one["moment"] for one in seen if not one["sheet"]]
    assert "SHOCK!" in words, words
