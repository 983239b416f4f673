"""The start of a game: commitments first, then nonces; a deal that is called off is counted."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient, share_events
from tests.server.table_harness import TableHarness
from tests.server.test_whole_games import play_on
from theriac.faults import Fault
from theriac.sealed_deal import SealedDeal, bound_seed, check_names, check_revealed, short_code
from theriac.server.store import events
from theriac.server.store.events import LogEntry, decode_event, encode_event
from theriac.server.tables import decisions, messages
from theriac.server.tables.dealing import REVEAL_WAIT_S
from theriac.server.tables.decisions import Denied
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.table import Table
from theriac.verification import Kept, Receipt, promise, verify


def sealed(harness: TableHarness) -> None:
    """Two players sit down, and nobody reveals."""
    for seat, player in enumerate(("ana", "bo")):
        commitment = harness.commit(seat, f"nonce of {player}")
        harness.ask(player, messages.Sit("sit", seat, **commitment))
    assert harness.table.stage == "sealing" and harness.table.missing == [0, 1]


def stage_of(harness: TableHarness) -> str:
    return harness.table.stage


def play_to_the_end(harness: TableHarness) -> None:
    while harness.table.stage == "playing":
        harness.play()


@pytest.fixture
def table() -> TableHarness:
    harness = TableHarness("shokoba", [None, None])
    sealed(harness)
    return harness


def test_the_last_player_to_sit_cannot_grind_with_the_server(table: TableHarness) -> None:
    """When Bo commits, the server knows no nonce; when it knows Ana's, Bo cannot change his."""
    known = "".join(encode_event(entry.event) for entry in table.table.log)
    assert "nonce of" not in known, "the server had only hashes when the deal was sealed"
    table.ask("ana", messages.Reveal("reveal", "nonce of ana"))
    for ground in range(50):
        with pytest.raises(Denied, match="not the nonce that your seat committed to"):
            table.ask("bo", messages.Reveal("reveal", f"ground {ground}"))
    with pytest.raises(Denied, match="the deal is sealed"):
        table.ask("bo", messages.Sit("sit", 1, **table.commit(1, "another")))
    with pytest.raises(Denied, match="the deal is sealed"):
        table.ask("bo", messages.Ready("ready", **table.commit(1, "another")))
    table.ask("bo", messages.Reveal("reveal", "nonce of bo"))
    assert table.table.stage == "playing"
    assert table.table.nonces == ["nonce of ana", "nonce of bo"]


def test_the_seed_is_bound_to_the_sealed_deal(table: TableHarness) -> None:
    table.reveal()
    deal = table.table.sealed
    assert deal is not None and table.table.nonces is not None
    assert (deal.table, deal.game, deal.number, deal.called_off) == ("table", "shokoba", 1, 0)
    assert [(seat.name, seat.bot) for seat in deal.seats] == [("Ana", None), ("Bo", None)]
    assert deal.version == 3 and check_names(deal) == []
    assert len({seat.salt for seat in deal.seats}) == 2
    assert deal.options == table.table.options == table.table.current_match.record()["options"]
    check_revealed(deal, table.table.nonces)
    seed = bound_seed(table.table.secret, deal, table.table.nonces)
    assert table.table.current_match.seed == seed


def test_a_nonce_is_revealed_once_and_by_its_own_seat(table: TableHarness) -> None:
    with pytest.raises(Denied, match="not the nonce that your seat committed to"):
        table.ask("bo", messages.Reveal("reveal", "nonce of ana"))
    with pytest.raises(Denied, match="you have no seat"):
        table.ask("eve", messages.Reveal("reveal", "nonce of ana"))
    assert table.ask("ana", messages.Reveal("reveal", "nonce of ana"))
    assert table.ask("ana", messages.Reveal("from another tab", "nonce of ana")) == []
    table.ask("bo", messages.Reveal("reveal", "nonce of bo"))
    assert table.ask("ana", messages.Reveal("late", "nonce of ana")) == []


def test_a_commitment_to_another_commitment_is_refused() -> None:
    harness = TableHarness("shokoba", [None, None])
    stale = {**harness.commit(0, "x"), "to": "0" * 64}
    with pytest.raises(Denied, match="another commitment by now") as denied:
        harness.ask("ana", messages.Sit("sit", 0, **stale))
    assert denied.value.code == "stale"


def call_off(table: TableHarness, monkeypatch: pytest.MonkeyPatch, seconds: int) -> list[Any]:
    monkeypatch.setattr(decisions, "now_ms", lambda: table.now + 1000 * seconds)
    return table.ask("ana", messages.CallOff("off"))


def test_a_deal_whose_nonce_is_missing_is_called_off_and_counted(
    table: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.table.commitment
    table.ask("ana", messages.Reveal("reveal", "nonce of ana"))
    with pytest.raises(Denied, match="wait 1 s more"):
        call_off(table, monkeypatch, REVEAL_WAIT_S - 1)
    off, stood = call_off(table, monkeypatch, REVEAL_WAIT_S)
    assert isinstance(off, events.CalledOff) and (off.seat, off.missing) == (0, [1])
    assert stood == events.Stood(1), "who does not reveal loses the seat"
    assert stage_of(table) == "gathering" and table.table.called_off == 1
    assert table.table.commitment != before, "the nonce of Ana is known: another secret"
    assert table.table.seats[0].waiting and not table.table.missing
    table.ask("ana", messages.Ready("ready", **table.commit(0, "a new nonce")))
    table.ask("cy", messages.Sit("sit", 1, **table.commit(1, "of cy")))
    table.reveal()
    assert stage_of(table) == "playing"
    deal = table.table.sealed
    assert deal is not None and (deal.called_off, deal.number) == (1, 1)


def test_a_player_who_stands_up_calls_the_deal_off(table: TableHarness) -> None:
    table.ask("ana", messages.Reveal("reveal", "nonce of ana"))
    off, stood = table.ask("ana", messages.Stand("stand"))
    assert isinstance(off, events.CalledOff) and off.missing == [1] and stood == events.Stood(0)
    assert table.table.called_off == 1 and table.table.seats[1].player == "bo"


@pytest.mark.parametrize("reveals", [False, True])
def test_a_player_who_is_removed_takes_the_deal_along(
    table: TableHarness, *, reveals: bool
) -> None:
    if reveals:
        table.ask("bo", messages.Reveal("reveal", "nonce of bo"))
    removed, off = table.ask("opener", messages.Remove("remove", 1))
    assert isinstance(removed, events.Removed) and isinstance(off, events.CalledOff)
    assert off.seat == 1 and table.table.called_off == 1 and table.table.stage == "gathering"


def test_a_bot_takes_the_seat_of_an_absent_player_in_the_next_deal(table: TableHarness) -> None:
    with pytest.raises(Denied, match="is at the table"):
        table.ask("ana", messages.Hand("hand", 1), 0, 1)
    table.ask("ana", messages.Reveal("reveal", "nonce of ana"))
    off, handed = table.ask("ana", messages.Hand("hand", 1), 0)
    assert isinstance(off, events.CalledOff) and handed == events.Handed(1, "medium")
    table.ask("ana", messages.Ready("ready", **table.commit(0, "again")))
    table.reveal()
    deal = table.table.sealed
    assert table.table.stage == "playing" and deal is not None
    assert deal.seats[1].bot == "medium" and table.table.nonces == ["again", "bot"]


def test_a_player_who_returns_does_not_change_the_sealed_deal() -> None:
    harness = TableHarness("dungeon", [None, None], options={"minutes": 1})
    harness.sit("ana", "bo")
    harness.wait(60)
    harness.time_out()
    harness.ask("ana", messages.Hand("hand", 1), 0)
    harness.ask("ana", messages.Ready("ready", **harness.commit(0, "again")))
    assert harness.table.missing == [0]
    harness.ask("bo", messages.Return("return"))
    assert harness.table.missing == [0], "his seat was sealed as a bot's"
    harness.reveal()
    assert harness.table.stage == "playing" and harness.table.nonces == ["again", "bot"]
    deal = harness.table.sealed
    assert deal is not None and deal.number == 2 and deal.seats[1].bot == "medium"


def test_nothing_can_be_called_off_without_a_sealed_deal(table: TableHarness) -> None:
    table.reveal()
    for request in (messages.CallOff("off"), messages.Stand("stand")):
        with pytest.raises(Denied) as denied:
            table.ask("ana", request)
        assert denied.value.code == "stage"


def old_log(*more: events.AnyEvent) -> TableHarness:
    """A table whose first player sat down before commitments came."""
    harness = TableHarness("shokoba", [None, None])
    text = '{"kind":"sat","player":"ana","name":"Ana","seat":0,"nonce":"an old nonce"}'
    for event in (decode_event(text), *more):
        harness.table.apply(LogEntry(harness.table.version + 1, harness.now, event))
    return harness


def test_a_table_where_somebody_sat_before_the_upgrade_continues() -> None:
    harness = old_log()
    harness.ask("bo", messages.Sit("sit", 1, **harness.commit(1, "of bo")))
    assert harness.table.missing == [1], "the old nonce is known"
    harness.reveal()
    assert harness.table.nonces == ["an old nonce", "of bo"]
    assert harness.table.sealed is not None
    check_revealed(harness.table.sealed, harness.table.nonces)


def test_a_table_that_was_full_before_the_upgrade_begins() -> None:
    text = '{"kind":"sat","player":"bo","name":"Bo","seat":1,"nonce":"another old one"}'
    harness = old_log(decode_event(text))
    harness.apply()
    for event in decisions.follow_up(harness.table):
        harness.apply(event)
    assert harness.table.stage == "playing"
    assert harness.table.nonces == ["an old nonce", "another old one"]


def test_a_game_in_play_before_the_upgrade_keeps_its_seal_of_version_1() -> None:
    begun = decode_event('{"kind":"begun","nonces":["an old nonce","another"]}')
    text = '{"kind":"sat","player":"bo","name":"Bo","seat":1,"nonce":"another"}'
    harness = old_log(decode_event(text), begun)
    play_to_the_end(harness)
    (record,) = harness.table.finished
    assert set(record["seal"]) == {"commitment", "secret", "nonces"}
    assert verify(record)[1] == "the seed comes from the secret and 2 nonces"
    for seat, player in enumerate(("ana", "bo")):
        harness.ask(player, messages.Ready("ready", **harness.commit(seat, f"{player} again")))
    harness.reveal()
    play_to_the_end(harness)
    second = harness.table.finished[1]
    assert second["seal"]["version"] == 3 and second["seal"]["number"] == 2
    assert verify(second)


def test_a_deal_sealed_before_the_upgrade_keeps_its_seal_of_version_2(table: TableHarness) -> None:
    before = Table("table", Downtime([]))
    for entry in table.table.log:
        event = entry.event
        if isinstance(event, events.Sealed):
            event = msgspec.structs.replace(event, names=None)
            assert "names" not in encode_event(event), "as it was stored then"
        before.apply(entry._replace(event=event))
    table.table = before
    table.reveal()
    play_to_the_end(table)
    (record,) = table.table.finished
    assert record["seal"]["version"] == 2
    assert record["seal"]["seats"] == [{"name": name, "bot": None} for name in ("Ana", "Bo")]
    assert "version 2" in promise(record) and verify(record)


# Over sockets


def receipt_of(client: SocketClient) -> Receipt:
    """What a client keeps when the game begins, from what it was sent."""
    shown = client.table_info["sealed"]
    deal, nonces = msgspec.convert(shown["deal"], SealedDeal), shown["nonces"]
    return Receipt(deal.version, deal, nonces, short_code(deal, nonces))


def test_every_client_has_the_same_code_and_the_record_agrees(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    one, two, spectator = (SocketClient(server, table, who) for who in (ana, bo, None))
    shown = one.table_info["commitment"]
    one.sit(0, "of ana")
    two.sit(1, "of bo")
    one.until(lambda: one.table_info["stage"] == "playing")
    share_events([one, two, spectator])
    receipts = [receipt_of(client) for client in (one, two, spectator)]
    assert len({receipt.code for receipt in receipts}) == 1
    assert receipts[0].deal.commitment == shown
    assert one.kinds[-5:] == ["sat", "sealed", "revealed", "revealed", "begun"]
    assert spectator.last("revealed").keys() == {"kind", "seat"}
    late = SocketClient(server, table)
    assert receipt_of(late) == receipts[0]
    play_on([one, two], Random(1), 1000)
    one.until(lambda: one.table_info["stage"] == "over")
    assert "sealed" not in one.table_info
    record = ana.get(f"/api/tables/{table}/games/1")
    assert verify(record, kept=Kept(receipts[1]))
    forged = {**record, "seal": {**record["seal"], "called_off": 1}}
    with pytest.raises(Fault):
        verify(forged, kept=Kept(receipts[1]))


def test_against_bots_a_game_begins_one_round_trip_later(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("poison", [None, "easy", "easy"])
    client = SocketClient(server, table, ana)
    client.sit(0)
    assert client.kinds[:5] == ["opened", "sat", "sealed", "revealed", "begun"]
    assert client.table_info["sealed"]["nonces"] == ["nonce", "bot", "bot"]


def test_everybody_sees_how_many_deals_were_called_off(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two, spectator = (SocketClient(server, table, who) for who in (ana, bo, None))
    one.reveals = two.reveals = False
    for seat, client in enumerate((one, two)):
        client.sit(seat, f"of {seat}")
    assert one.refused("call_off")["why"].startswith("others may still reveal their nonces")
    assert two.refused("reveal", nonce="not mine")["code"] == "denied"
    two.do("reveal", nonce="of 1")
    two.do("stand")
    for client in (one, two, spectator, SocketClient(server, table)):
        client.reach(two.version)
        assert client.table_info["stage"] == "gathering"
        assert client.table_info["called_off"] == 1
    assert spectator.last("called_off")["missing"] == [0]
    server.stop()
    server.start()
    assert SocketClient(server, table).table_info["called_off"] == 1
