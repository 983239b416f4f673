"""Hints: from what a seat may know, told to that seat alone, and marked in the record."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import theriac
from tests.command import call
from tests.playing import some_move
from tests.server.alone import Alone
from tests.server.club import Club, Person, visits
from tests.server.line import Line, seated
from theriac.game import Game
from theriac.server.bots import hints
from theriac.server.bots.bot_pool import BotPool
from theriac.server.rate_limit import RateLimiter
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied, Requester, hint_seat
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService

GAMES = list(theriac.all_games().values())
NAMES = [game.name for game in GAMES]


def pair(club: Club, **wish: Any) -> tuple[str, list[Person], list[Line]]:
    """Ana and Bo at Shokoba, Ana to act."""
    people = club.persons("Ana", "Bo")
    table = people[0].open("shokoba", [None, None], options={"first": 1}, **wish)
    return table, people, seated(table, *people)


def hinted(line: Line) -> list[Any]:
    """The hints that a line has heard of."""
    return [told["event"] for told in line.events if told["event"]["kind"] == "hinted"]


def times_asked(club: Club) -> int:
    """How often a bot of that level has been asked for a move."""
    found = re.search(r'bot_seconds_count\{level="expert"\} (\d+)', club.web.get("/metrics").text)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_who_asks_is_told_a_move_and_all_others_that_one_has_asked(club: Club, game: Game) -> None:
    people = club.persons("Ana", "Bo")
    seats = [None, None, *["easy"] * (game.usual_players - 2)]
    table = people[0].open(game.name, seats)
    lines = seated(table, *people)
    lines[0].until(lambda: lines[0].view["to_act"] in (0, 1))
    asks = lines[lines[0].view["to_act"]]
    other, watcher = lines[1 - lines.index(asks)], Line(club, table)
    asks.reach(lines[0].version)
    version = asks.do("hint")
    for line in (asks, other, watcher):
        line.reach(version)
    assert asks.view["hint"] in asks.view["legal"]
    seen = {"kind": "hinted", "seat": asks.seat}
    assert hinted(asks) == [{**seen, "move": asks.view["hint"]}]
    assert hinted(other) == hinted(watcher) == [seen]
    assert "hint" not in other.view and "hint" not in watcher.view
    fresh = Line(club, table, people[asks.seat or 0])
    assert fresh.view["hint"] == asks.view["hint"], "who comes back is told again"
    asks.play(asks.view["hint"])
    assert "hint" not in asks.view


def test_a_bot_is_asked_once_a_position(club: Club) -> None:
    table, (ana, _), (one, two) = pair(club)
    other = Line(club, table, ana)
    before = times_asked(club)
    names = [line.send("hint") for line in (one, other, one)]
    one.until(lambda: names[0] in one.answers and names[2] in one.answers)
    other.until(lambda: names[1] in other.answers)
    version = one.do("hint")
    assert ana.ask(table, "hint")["version"] == version
    assert times_asked(club) == before + 1
    two.reach(two.do("ping"))
    assert len(hinted(two)) == 1 and two.version == version


def test_the_same_message_is_done_once_even_after_the_turn(club: Club) -> None:
    _, _, (one, two) = pair(club)
    version = one.do("hint", id="my-hint")
    one.play(one.view["hint"])
    assert one.do("hint", id="my-hint") == version
    two.reach(one.version)
    assert len(hinted(two)) == 1


def test_while_the_bot_thinks_the_line_goes_on(club: Club) -> None:
    _, _, (one, _) = pair(club)
    name = one.send("hint")
    one.do("ping")
    assert name not in one.answers, "the answer to ping came first"
    one.until(lambda: name in one.answers)


def test_it_is_refused_in_plain_words(club: Club) -> None:
    table, _, (one, two) = pair(club)
    assert two.refused("hint") == {
        "code": "turn",
        "why": "it is not your turn: ask for a hint when it is",
    }
    cy = club.person("Cy")
    assert Line(club, table, cy).refused("hint")["code"] == "seat"
    assert Line(club, table).refused("hint")["code"] == "denied"
    waiting = cy.open("shokoba", [None, None])
    line = Line(club, waiting, cy)
    line.sit(0)
    assert line.refused("hint")["code"] == "stage"
    assert hinted(one) == []


def test_hints_can_be_off(club: Club) -> None:
    table, (ana, _), (one, _) = pair(club, hints=False, listed=True)
    assert one.room["hints"] is False
    assert one.refused("hint") == {"code": "denied", "why": "hints are off at this table"}
    listed = {told["table"]: told for told in ana.get("/api/tables")}
    assert listed[table]["hints"] is False
    with_hints = ana.open("shokoba", [None, None], listed=True)
    assert Line(club, with_hints).room["hints"] is True
    listed = {told["table"]: told for told in ana.get("/api/tables")}
    assert "hints" not in listed[with_hints], "it is the usual thing"


def test_a_hint_outlives_the_server(tmp_path: Path) -> None:
    club = Club(tmp_path)
    table, (ana, bo), (one, _) = pair(club)
    version = one.do("hint")
    one.reach(version)
    advised = one.view["hint"]
    visits.close()
    assert club.stop() == 0
    club.start()
    again, other = Line(club, table, ana), Line(club, table, bo)
    assert again.view["hint"] == advised and "hint" not in other.view
    assert again.do("hint") == version
    assert times_asked(club) == 0, "what was told is told again"
    again.play(advised)
    visits.close()
    assert club.stop() == 0
    assert club.complaints() == []


# Without a server


def alone_pair() -> Alone:
    """Ana and Bo at Shokoba, Ana to act."""
    alone = Alone("shokoba", [None, None], options={"first": 1})
    alone.sit("ana", "bo")
    return alone


def take_hint(alone: Alone) -> None:
    """Let whoever is to act take a hint: the first legal move."""
    seat = alone.table.to_act
    assert seat is not None
    alone.apply(events.Hinted(seat, alone.table.current_match.legal()[0]))


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_record_marks_it_and_can_be_replayed(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(7)
    alone = Alone(game.name, [None] * game.usual_players)
    alone.sit(*(f"p{seat}" for seat in range(game.usual_players)))
    marked = []
    while alone.table.stage == "playing":
        table = alone.table.current_match
        if len(table.moves) in (1, 4):
            take_hint(alone)
            assert table.to_act is not None
            marked.append((len(table.moves) + 1, table.to_act, table.legal()[0]))
        alone.play(some_move(table, random))
    (record,) = alone.table.finished
    told = [(hint["move"], hint["seat"], hint["advised"]) for hint in record["x_hints"]]
    assert told == marked and len(marked) == 2
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert call(capsys, "verify", file).status == 0
    assert call(capsys, "replay", file, "--json").status == 0


def test_a_record_without_hints_has_no_mark() -> None:
    alone = alone_pair()
    while alone.table.stage == "playing":
        alone.play()
    assert "x_hints" not in alone.table.finished[0]
    assert alone.table.hint is None


def test_after_a_move_was_taken_back_the_hint_of_that_position_stands() -> None:
    alone = alone_pair()
    take_hint(alone)
    first = alone.table.hint
    alone.play()
    take_hint(alone)
    assert alone.table.hint != first
    alone.ask("ana", messages.TakeBack("undo"))
    alone.ask("bo", messages.Answer("answer", agree=True))
    assert alone.table.to_act == 0 and alone.table.hint == first
    alone.play()
    assert alone.table.hint is None, "that of a position which was never played on is forgotten"


def requester(player: str) -> Requester:
    """Somebody who asks."""
    return Requester(player, player.title(), frozenset(), 0)


def test_hints_are_for_those_who_play_themselves() -> None:
    alone = alone_pair()
    alone.ask("bo", messages.Hand("hand", 0, "medium"))
    with pytest.raises(Denied, match="a bot plays for you"):
        hint_seat(alone.table, requester("ana"))


def test_there_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "RateLimiter", lambda rate, burst: RateLimiter(rate, 0))
    advisor = hints.Advisor(BotPool(1), Metrics())
    alone = alone_pair()
    request = messages.Hint("hint")
    with pytest.raises(Denied, match="too many hints at once") as refused:
        asyncio.run(advisor.advise(alone.table, requester("ana"), request))
    assert refused.value.code == "rate"
    take_hint(alone)
    told = asyncio.run(advisor.advise(alone.table, requester("ana"), request))
    assert alone.table.hint is not None and told.move == alone.table.hint.move


def test_who_asked_too_often_leaves_the_others_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HINT_RATE", 0.0)  # however long it takes
    monkeypatch.setattr(hints, "HINT_LEVEL", "easy")  # which takes no second
    alone = alone_pair()

    async def ask_often() -> None:
        bot_pool = BotPool(1)
        advisor, request = hints.Advisor(bot_pool, Metrics()), messages.Hint("hint")
        for _ in range(int(hints.HINT_BURST)):
            await advisor.advise(alone.table, requester("ana"), request)
        with pytest.raises(Denied, match="too many hints at once"):
            await advisor.advise(alone.table, requester("ana"), request)
        alone.play()
        told = await advisor.advise(alone.table, requester("bo"), request)
        assert told.move in alone.table.current_match.legal()
        bot_pool.stop()

    asyncio.run(ask_often())


def test_two_processes_write_one_hint_down(tmp_path: Path) -> None:
    url = database_url(str(tmp_path / "shared.sqlite"))

    async def ask_both() -> list[str]:
        await upgrade(url)
        stores = [Store(url), Store(url)]
        services = [
            TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0) for store in stores
        ]
        for store in stores:
            await store.open()
        alone = alone_pair()
        opened = alone.table.opened
        await stores[0].append("room", alone.table.log, table_opened("room", opened, alone.now))
        sessions = [await service.find("room") for service in services]
        done = await asyncio.gather(
            *(
                service.handle(session, requester("ana"), messages.Hint(f"hint{number}"))
                for number, (service, session) in enumerate(zip(services, sessions, strict=True))
                if session is not None
            )
        )
        log = await stores[0].read_log("room")
        for service, store in zip(services, stores, strict=True):
            await service.stop()
            await store.close()
        assert [one.refused for one in done] == [None, None]
        assert {one.version for one in done} == {len(log)}
        return [type(entry.event).__name__ for entry in log[len(alone.table.log) :]]

    assert asyncio.run(ask_both()) == ["Hinted"]
