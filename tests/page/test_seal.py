"""The sealed shuffle on the page: a code to compare, a receipt, and a server that lies is found."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Route, WebSocketRoute, expect

from tests.page.browser import TIMEOUT_MS, Visitor
from tests.page.conftest import Visit
from tests.server.server_process import Player, ServerProcess
from theriac import seal
from theriac.sealed_deal import SealedDeal, SealedSeat, bound_seed, seat_commitment, short_code
from theriac.verification import Kept, read_receipt, verify, verify_steps

KEPT = "The shuffle was the one sealed before the game"
BROKEN = "The server hasn’t kept its promise."


def player_of(visitor: Visitor, server: ServerProcess) -> Player:
    """The visitor's player, to make requests beside the page."""
    visitor.page.goto("/")
    player = server.new_player("Ana")
    kept = json.dumps({"name": "Ana", "key": player.key})
    visitor.page.evaluate(f"localStorage.setItem('theriac.person', {json.dumps(kept)})")
    return player


def code_on(visitor: Visitor) -> str:
    """The code that a page shows, in the drawer."""
    visitor.open_drawer("table")
    summary = visitor.page.locator("summary", has_text="Sealed shuffle")
    expect(summary).to_be_visible(timeout=TIMEOUT_MS)
    expect(summary).to_contain_text("✓")
    return summary.inner_text().rpartition(" ")[2]


def finish(player: Player, table: str) -> None:
    """Play a game to its end without the page."""
    seen = player.get_table(table)
    while seen["room"]["stage"] == "playing":
        version, legal = seen["version"], seen["view"]["legal"]
        if legal:
            player.ask(table, "move", move=legal[0], version=version)
        seen = player.get_table(table, since=version, wait=20)


def test_players_compare_a_code_and_save_a_receipt(visit: Visit, server: ServerProcess) -> None:
    ana, bo = visit(), visit("phone")
    player = player_of(ana, server)
    table = player.open("shokoba", [None, None])
    ana.page.goto(f"/table/{table}?sit=0")
    bo.page.goto(f"/table/{table}")
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.button("Sit here").click()
    code = code_on(ana)
    assert code_on(bo) == code
    for visitor in (ana, bo):
        visitor.page.reload()
        assert code_on(visitor) == code, "it survives a reload"
        summary = visitor.page.locator("summary", has_text="Sealed shuffle")
        summary.focus()
        visitor.page.keyboard.press("Enter")
        expect(visitor.page.get_by_text("✓ Your own nonce is part of the seed.")).to_be_visible()
        expect(visitor.page.get_by_text("✗")).to_have_count(0)
        visitor.check_screen("sealed")
    with ana.page.expect_download() as saved:
        ana.button("Save the receipt").press("Enter")
    receipt = read_receipt(saved.value.path().read_bytes())
    assert receipt.code == code and receipt.seat == 0 and receipt.nonce == receipt.nonces[0]


def test_a_nonce_waits_on_the_device_until_its_player_is_back(
    visit: Visit, server: ServerProcess
) -> None:
    ana, bo = visit(), visit("phone")
    player = player_of(ana, server)
    table = player.open("shokoba", [None, None])
    bo.page.goto(f"/table/{table}")
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.button("Sit here").nth(1).click()
    expect(bo.button("Stand up")).to_be_visible()
    bo.page.goto("about:blank")
    ana.page.goto(f"/table/{table}?sit=0")
    expect(ana.page.get_by_text("Still waiting for the page of Bo.")).to_be_visible()
    ana.check_screen("sealing")
    ana.button("Call the deal off").press("Enter")
    expect(ana.page.get_by_text("others may still reveal their nonces")).to_be_visible()
    ana.button("Stand up").press("Enter")
    expect(ana.page.get_by_text("1 deal has been called off at this table.")).to_be_visible()
    ana.check_screen("called-off")
    ana.button("Sit here").first.click()
    bo.page.goto(f"/table/{table}")
    assert code_on(bo) == code_on(ana), "his page agreed to the next deal and revealed by itself"
    bo.page.locator("summary", has_text="Sealed shuffle").click()
    expect(bo.page.get_by_text("1 deal has been called off at this table.")).to_be_visible()


def forge(record: Any) -> Any:
    """The record with a secret that was chosen after the nonces were known; it fits itself."""
    sealed, secret = record["seal"], bytes([7] * 32)
    shown = seal.commitment(secret)
    commitments = [seat_commitment(shown, n, nonce) for n, nonce in enumerate(sealed["nonces"])]
    seats = [SealedSeat(**seat) for seat in sealed["seats"]]
    numbers = (sealed["number"], sealed["called_off"])
    options = record["options"]
    deal = SealedDeal(sealed["table"], record["game"], *numbers, options, seats, shown, commitments)
    changed = {"commitment": shown, "commitments": commitments, "secret": secret.hex()}
    code = short_code(deal, sealed["nonces"])
    seed = bound_seed(secret, deal, sealed["nonces"]).hex()
    return {**record, "seed": seed, "seal": {**sealed, **changed, "code": code}}


def test_a_forged_record_is_found_out_at_the_end(visit: Visit, server: ServerProcess) -> None:
    ana = visit()
    player = player_of(ana, server)
    table = player.open("dungeon", [None, "easy"], options={"minutes": 0})
    ana.page.goto(f"/table/{table}?sit=0")
    code = code_on(ana)
    receipts = ana.page.evaluate("localStorage.getItem('theriac.receipts')")
    ana.close_drawer()
    finish(player, table)
    ana.wait_for_end()
    ana.page.locator("summary", has_text=f"✓ Shuffle checked: {code}").press("Enter")
    expect(ana.page.get_by_text(KEPT)).to_contain_text(code)
    ana.check_screen("seal-at-the-end")
    record = player.get(f"/api/tables/{table}/games/1")
    assert verify(record, kept=Kept(read_receipt(json.dumps(json.loads(receipts)[-1]))))
    with ana.page.expect_download() as saved:
        ana.button("Save the receipt").press("Enter")
    receipt = read_receipt(saved.value.path().read_bytes())
    lines = list(verify_steps(record, kept=Kept(receipt)))
    assert f"all {len(record['moves'])} moves are those in the receipt" in lines

    def fulfil(route: Route) -> None:
        route.fulfill(json=forge(record))

    ana.page.route(f"**/api/tables/{table}/games/1", fulfil)
    ana.page.reload()
    alert = ana.page.get_by_role("alert")
    expect(alert).to_contain_text("✗ Failed: The record agrees with this device’s receipt")
    expect(ana.page.get_by_text(KEPT)).to_have_count(0)
    ana.check_screen("forged")

    def fulfil_replay(route: Route) -> None:
        replay = route.fetch().json()
        route.fulfill(json={**replay, "record": forge(record)})

    ana.page.route(f"**/api/tables/{table}/games/1/replay*", fulfil_replay)
    ana.page.goto(f"/table/{table}/games/1")
    ana.button("Check the shuffle").press("Enter")
    expect(
        ana.page.get_by_text("✗ Failed: The record agrees with this device’s receipt")
    ).to_be_visible()
    expect(ana.page.get_by_text("This browser recomputed all of it.")).to_have_count(0)


def test_a_server_that_changes_its_commitment_gets_no_nonce(
    visit: Visit, server: ServerProcess
) -> None:
    ana = visit("phone")
    player = player_of(ana, server)
    table = player.open("poison", [None, "easy", "easy"])

    def lie(socket: WebSocketRoute) -> None:
        real = socket.connect_to_server()

        def on_message(text: Any) -> None:
            message = json.loads(text)
            info = message.get("room") or message.get("welcome", {}).get("room") or {}
            if "sealed" in info:
                info["sealed"]["deal"]["commitment"] = "0" * 64
            socket.send(json.dumps(message))

        real.on_message(on_message)

    ana.page.route_web_socket("**/socket", lie)
    ana.page.goto(f"/table/{table}?sit=0")
    alert = ana.page.get_by_role("alert")
    expect(alert).to_contain_text(BROKEN)
    expect(alert).to_contain_text("✗ Failed: The server still has the commitment")
    ana.check_screen("changed-commitment")
    info = player.get_table(table)["room"]
    assert info["stage"] == "sealing" and info["sealed"]["missing"] == [0]
