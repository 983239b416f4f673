"""Reviews of finished games: made once, step by step, kept, limited; never of a game in play."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from tests.review.samples import SMALL_DECK, small_poison
from tests.server.server_process import (
    RESPONSE_TIMEOUT_S,
    Player,
    ServerProcess,
    open_clients,
    started_servers,
)
from tests.server.socket_client import SocketClient, seat_players
from tests.server.test_bot_pool import bot_processes, signal_bot_processes
from tests.server.test_own_games import own_games, play_on
from theriac.record import replay_each
from theriac.review import METHOD, review, to_json
from theriac.server.admin.tables import close_table, delete_table
from theriac.server.bots import review_pool
from theriac.server.bots.review_pool import Job, ReviewPool, Step, Task
from theriac.server.bots.reviews import Asker, GameKey, Progress, Reviews
from theriac.server.http.bodies import ReviewProgress
from theriac.server.limits import Limits
from theriac.server.running.metrics import Metrics
from theriac.server.store import events, migrate
from theriac.server.store.database import database_url
from theriac.server.store.events import DealOf, KnownDeal, LogEntry, now_ms
from theriac.server.store.index import index_updates, table_opened
from theriac.server.store.store import ReviewRow, Store, StoreFault
from theriac.server.tables.decisions import Denied
from theriac.server.tables.previews import preview_moves

SEATS: list[str | None] = [None, "easy", "easy"]
OPTIONS = {"deck": SMALL_DECK}
FEW_PLAYOUTS = ("--limit", "review_playouts=1000")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose reviews are quickly made."""
    running = ServerProcess(tmp_path_factory.mktemp("reviews"), *FEW_PLAYOUTS)
    started_servers.pop_all()  # it outlives this test
    yield running
    assert running.stop() == 0
    assert running.unexpected_log_lines() == []


def begin_game(player: Player) -> SocketClient:
    """A short game of Poison with two bots."""
    (client,) = seat_players(player.open("poison", SEATS, options=OPTIONS), player)
    client.until(lambda: client.table_info["stage"] == "playing")
    return client


def finish_game(player: Player) -> str:
    """The table of a short game that is over."""
    client = begin_game(player)
    play_on(client)
    return client.table


def path_of(table: str, number: int = 1) -> str:
    """The address of a review."""
    return f"/api/tables/{table}/games/{number}/review"


def ask(player: Player, path: str, **body: Any) -> dict[str, Any]:
    """Ask for a review."""
    answer = player.http.post(path, json=body)
    assert answer.status_code == 200, answer.text
    progress: dict[str, Any] = answer.json()
    return progress


def follow(server: ServerProcess, path: str) -> list[dict[str, Any]]:
    """All steps of a review, as somebody without a key gets them."""
    steps: list[dict[str, Any]] = []
    while not steps or not steps[-1]["done"]:
        after = steps[-1]["step"] if steps else 0
        answer = server.http.get(path, params={"after": after})
        assert answer.status_code == 200, answer.text
        msgspec.json.decode(answer.content, type=ReviewProgress)
        progress = answer.json()
        assert progress["failed"] is None
        if progress["review"] is not None:
            steps.append(progress)
    return steps


def why(answer: Any, status: int) -> str:
    """The sentence with which a request was refused."""
    assert answer.status_code == status, answer.text
    sentence: str = answer.json()["why"]
    return sentence


def metric(server: ServerProcess, name: str) -> float:
    """The value of a metric; 0 if it has none yet."""
    lines = server.http.get("/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name + " ")), 0.0)


def test_a_finished_game_is_reviewed_step_by_step_once_for_all(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    client = begin_game(ana)
    path = path_of(client.table)
    for player in (ana, bo):
        assert "is not over" in why(player.http.post(path, json={}), 404)
        assert "is not over" in why(player.http.get(path), 404)
    play_on(client)
    assert "nobody has asked" in why(ana.http.get(path), 404)
    assert "show a key" in why(server.http.post(path, json={}), 401)
    assert [game["reviewed"] for game in own_games(ana)] == [False]
    before = metric(server, 'theriac_reviews_total{end="done"}')

    assert ask(ana, path)["step"] == 0
    assert ask(bo, path)["id"] is None
    steps = follow(server, path)
    assert [step["step"] for step in steps] == [1, 2, 3, 4]
    assert [step["review"]["stage"] for step in steps] == ["curve", "account", "account", "done"]
    parts = [step["progress"] for step in steps]
    assert parts == sorted(parts) and parts[0] > 0 and parts[2] < 1 == parts[3]

    record = ana.get(f"/api/tables/{client.table}/games/1")
    assert steps[-1]["review"] == to_json(review(record, budget=1000))
    assert "Ana" not in str(steps), "a review has seats, and no names"
    # Stored, it comes at once, and nothing is made again.
    stored = ask(bo, path)
    assert stored == {**steps[-1], "waiting": None}
    known = server.http.get(path, params={"after": 4}).json()
    assert known["done"] and known["review"] is None and known["previews"] == {}
    assert metric(server, 'theriac_reviews_total{end="done"}') == before + 1
    assert [game["reviewed"] for game in own_games(ana)] == [True]
    assert "does not exist" in why(ana.http.get(path_of(client.table, 2)), 404)


def test_a_record_that_was_sent_is_reviewed_under_an_id(server: ServerProcess) -> None:
    (ana,) = server.new_players("Ana")
    match = small_poison()
    record = match.record()
    progress = ask(ana, "/api/review", record=record)
    steps = follow(server, f"/api/reviews/{progress['id']}")
    assert steps[-1]["review"] == to_json(review(record, budget=1000))
    assert {step["id"] for step in steps} == {progress["id"]}
    assert "no such review" in why(ana.http.get("/api/reviews/nosuch"), 404)
    unfinished = {**record, "moves": record["moves"][:-1]}
    sent: list[tuple[Any, str]] = [
        (unfinished, "only a finished game can be reviewed"),
        ({**record, "moves": ["R9@1"]}, "move 1"),
        ({**record, "game": "nosuch"}, "nosuch"),
        ({}, '"theriac" must be 1'),
    ]
    for wrong, sentence in sent:
        assert sentence in why(ana.http.post("/api/review", json={"record": wrong}), 400)
    assert "show a key" in why(server.http.post("/api/review", json={"record": record}), 401)


def test_the_previews_say_what_was_sure_after_both_moves() -> None:
    record = small_poison(seed=2, slip=1.0).record()
    *_, last = review_pool.steps_of(Task(record, 2000))
    mistakes = msgspec.json.decode(last.review)["mistakes"]
    previews = msgspec.json.decode(last.previews)
    assert mistakes and set(previews) == {str(mistake["n"]) for mistake in mistakes}
    for mistake in mistakes:
        matches = enumerate(replay_each(record))
        match = next(match for made, match in matches if made == mistake["n"] - 1)
        assert match.to_act == mistake["seat"]
        both = [mistake["move"], mistake["best"]]
        assert previews[str(mistake["n"])] == preview_moves(match, both) and len(both) == 2


# What lasts


def stored_reviews(server: ServerProcess) -> list[Any]:
    """The rows of the store."""
    with sqlite3.connect(server.database) as store:
        rows = list(store.execute("SELECT room, number, method, process FROM reviews"))
    store.close()
    return rows


def in_store(server: ServerProcess, work: Any) -> None:
    """Do something with the store of a server."""

    async def run() -> None:
        store = Store(database_url(str(server.database)))
        await work(store)
        await store.close()

    asyncio.run(run())


async def write_twin(store: Store, source: str, seed: str, people: list[Player]) -> None:
    """A table that cannot be opened any more: several people play the deal of a finished game."""
    known = KnownDeal(DealOf(source, 1), seed)
    opened = events.Opened(
        people[0].id, "poison", {"players": 3, **OPTIONS}, [None, None, "easy"], "00" * 32
    )
    opened = msgspec.structs.replace(opened, known_deal=known)
    now = now_ms()
    await store.append("twin", [LogEntry(1, now, opened)], table_opened("twin", opened, now))
    sat = [events.Sat(player.id, player.name, n, "x") for n, player in enumerate(people)]
    following: list[events.AnyEvent] = [*sat, events.Begun([], seed)]
    for number, event in enumerate(following, 2):
        entry = LogEntry(number, now, event)
        await store.append("twin", [entry], index_updates("twin", entry, [None] * 3))


def test_a_review_outlasts_the_server_and_is_refused_while_others_play_its_deal(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path, *FEW_PLAYOUTS)
    ana, bo = server.new_players("Ana", "Bo")
    first, second = finish_game(ana), finish_game(ana)
    ask(ana, path_of(first))
    done = follow(server, path_of(first))[-1]
    record = ana.get(f"/api/tables/{first}/games/1")
    while stored_reviews(server) != [(first, 1, METHOD, None)]:
        time.sleep(0.05)
    assert server.stop() == 0
    # A server that was killed had begun a review; another game has the deal of the first.
    begun = ReviewRow(METHOD, "killed", None)
    in_store(server, lambda store: store.put_review(second, 1, now_ms(), begun))
    in_store(server, lambda store: write_twin(store, first, record["seed"], [ana, bo]))
    server.start()
    for player in (ana, bo):
        player.http.base_url = server.http.base_url

    sent = {"record": {**record, "seed": record["seed"].upper()}}
    for answer in (
        ana.http.post(path_of(first), json={}),
        bo.http.get(path_of(first)),
        bo.http.post("/api/review", json=sent),
    ):
        assert "people are playing a game with this deal" in why(answer, 409)
    in_store(server, lambda store: close_table(store, "op", "twin"))
    until_follower = time.monotonic() + 60
    while server.http.get(path_of(first)).status_code == 409:
        assert time.monotonic() < until_follower
    assert follow(server, path_of(first)) == [done], "at once, as before the restart"

    assert "nobody has asked" in why(ana.http.get(path_of(second)), 404)
    ask(ana, path_of(second))
    assert follow(server, path_of(second))[-1]["done"]
    # One of another method is made again, but only on request.
    with sqlite3.connect(server.database) as store:
        store.execute("UPDATE reviews SET method = 0 WHERE room = ?", (first,))
    store.close()
    assert {game["table"]: game["reviewed"] for game in own_games(ana)}[first] is False
    assert "nobody has asked" in why(ana.http.get(path_of(first)), 404)
    ask(ana, path_of(first))
    assert follow(server, path_of(first))[-1]["review"] == done["review"]
    in_store(server, lambda store: delete_table(store, "op", first))
    assert [row[0] for row in stored_reviews(server)] == [second]
    assert server.stop() == 0


def test_bots_answer_a_person_while_a_long_review_runs(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--limit", "review_playouts=500000000")
    ana, bo = server.new_players("Ana", "Bo")
    table = finish_game(ana)
    bots = set(bot_processes(server.process.pid))
    progress = ask(ana, path_of(table))
    assert progress["waiting"] is None and not progress["done"]
    second = finish_game(bo)
    progress = ask(bo, path_of(table))
    assert not progress["done"] and progress["failed"] is None, "the game did not wait for it"
    assert ask(bo, path_of(second))["waiting"] == 1
    (process,) = set(bot_processes(server.process.pid)) - bots
    ends = time.monotonic() + RESPONSE_TIMEOUT_S
    while psutil.Process(process).nice() < 19:
        assert time.monotonic() < ends, "it has the lowest priority once it has started"
        time.sleep(0.05)
    assert max(psutil.Process(bot).nice() for bot in bots) < 19
    open_clients.close()
    assert server.stop() == 0, "a stop does not wait for it either"
    assert not psutil.pid_exists(process)
    assert stored_reviews(server) == [] and server.unexpected_log_lines() == []


# The process


def run_job(pool: ReviewPool, task: Task, *kills: float) -> Job:
    """Review a game, and kill the process of the review that often."""

    async def run() -> Job:
        job = pool.start(task, "ana")
        for _ in kills:
            await asyncio.to_thread(signal_bot_processes, os.getpid(), signal.SIGKILL)
            await asyncio.sleep(0.2)
        while not job.ended:
            await job.changed.wait()
        return job

    try:
        return asyncio.run(run())
    finally:
        pool.stop()


def test_a_killed_process_is_started_again_once() -> None:
    record = small_poison().record()
    job = run_job(ReviewPool(1, 300, Metrics()), Task(record, 1000), 1)
    assert job.failed is None and job.latest and job.latest.done
    job = run_job(ReviewPool(1, 300, Metrics()), Task(record, 1000), 1, 2)
    assert job.failed == "the process of the review was ended: ask for it again"


@pytest.mark.parametrize("limit", ["processor", "clock"])
def test_a_review_that_takes_too_long_is_ended(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_pool, "CHECK_EVERY_S", 0.05)
    monkeypatch.setattr(review_pool, "LONGEST_S", 1000 if limit == "processor" else 0.1)
    pool = ReviewPool(1, 0.1 if limit == "processor" else 1000, Metrics())
    job = run_job(pool, Task(small_poison().record(), 10**8))
    assert job.failed == "the review took too long: it was ended" and job.latest is None
    assert bot_processes(os.getpid()) == []


def test_a_process_without_work_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_pool, "IDLE_S", 0.0)
    wrong = {**small_poison().record(), "moves": []}
    pool = ReviewPool(1, 300, Metrics())

    async def run() -> Job:
        job = pool.start(Task(wrong, 1000), "ana")
        while not job.ended:
            await job.changed.wait()
        while bot_processes(os.getpid()):
            await asyncio.sleep(0.05)
        return job

    try:
        job = asyncio.run(run())
    finally:
        pool.stop()
    assert job.failed and "only a finished game can be reviewed" in job.failed


# Limits


class WithoutProcesses(ReviewPool):
    """A pool whose reviews take as long as a test wants."""

    def _start_next(self) -> None:
        pass


LAST = Step(4, True, 1.0, b'{"stage":"done"}', b"{}")


def reviews_of(store: Store, **limits: Any) -> tuple[Reviews, WithoutProcesses]:
    """Reviews with these limits."""
    pool = WithoutProcesses(1, 1.0, Metrics())
    generous = {"review_rate": 1e-9, "review_address_rate": 1e-9}
    return Reviews(store, pool, Limits(**{**generous, **limits}), "process", alone=True), pool


async def open_store(folder: Path) -> Store:
    """A store with one table."""
    url = database_url(str(folder / "t.sqlite"))
    await migrate.upgrade(url)
    store = Store(url)
    opened = events.Opened("ana", "poison", {"players": 3}, [None] * 3, "00" * 32)
    await store.append("t", [LogEntry(1, 5, opened)], table_opened("t", opened, 5))
    return store


def denial(reviews: Reviews, player: str, address: str = "home") -> str | None:
    """Why a player cannot have a record reviewed; None if they can."""
    try:
        reviews.ask_for_record({}, Asker(player, address))
    except Denied as denied:
        return str(denied)
    return None


def test_what_a_player_an_address_and_the_server_may_have_reviewed(tmp_path: Path) -> None:
    async def run() -> None:
        store = await open_store(tmp_path)
        waiting, _ = reviews_of(store, reviews_per_player=2)
        assert [denial(waiting, "ana") for _ in range(3)] == [
            None,
            None,
            "you wait for too many reviews: ask again when one is done",
        ]
        assert denial(waiting, "bo") is None
        often, _ = reviews_of(store, review_burst=1, review_address_burst=3)
        assert denial(often, "ana") is None
        assert denial(often, "ana") == "too many reviews in a short time: try again later"
        assert denial(often, "bo") is None
        assert denial(often, "cy") == "too many reviews for your address: try again later"
        assert denial(often, "cy", "elsewhere") is None
        full, _ = reviews_of(store, reviews=1)
        too_many = "too many reviews wait on this server: try again later"
        assert denial(full, "ana") is None and denial(full, "bo") == too_many
        small, _ = reviews_of(store, reviews_in_memory=1)
        sent = small.ask_for_record({}, Asker("ana", "home"))
        assert denial(small, "bo") == too_many
        small._sent[str(sent.id)].note(LAST)
        assert denial(small, "bo") is None, "a review that is done makes room"
        assert await small.look_for_record(str(sent.id), 0, 0) is None
        for each in (waiting, often, full, small):
            await each.stop()
        assert denial(full, "cy") == "the server stops: come back in a moment"
        await store.close()

    asyncio.run(run())


def test_who_joins_is_not_charged_and_a_failed_review_can_be_asked_for_again(
    tmp_path: Path,
) -> None:
    ana, bo = Asker("ana", "home"), Asker("bo", "home")
    game = GameKey("t", 1)

    async def run() -> None:
        store = await open_store(tmp_path)
        reviews, pool = reviews_of(store, review_burst=2, reviews_per_player=1)
        for asker in (ana, bo):
            all_of_them = await asyncio.gather(*(reviews.ask(game, {}, asker) for _ in range(5)))
            assert {progress.waiting for progress in all_of_them} == {1} and len(pool) == 1
        assert (await reviews.ask(GameKey("t", 2), {}, bo)).waiting == 2
        # Who waits for a step gets it as soon as it is there.
        looking = asyncio.create_task(reviews.look(game, 0, 60))
        await asyncio.sleep(0.05)
        assert not looking.done()
        reviews._jobs[game].fail("broken")
        assert (await looking or Progress()).failed == "broken"
        assert (await reviews.look(game, 0, 60) or Progress()).failed == "broken"
        async with asyncio.timeout(RESPONSE_TIMEOUT_S):
            while await store.find_review(*game):
                await asyncio.sleep(0.01)
        again = await reviews.ask(game, {}, ana)
        assert again.failed is None, "the place of the one that failed is free"
        reviews._jobs[game].note(LAST)
        found = await reviews.look(game, 0, 0)
        assert found and found.done and bytes(found.review) == LAST.review
        while game in reviews._jobs:
            await asyncio.sleep(0.01)
        assert await reviews.ask(game, {}, ana) == found, "from the store, and not charged"
        # A stop lets those go who wait, and says that nobody works on the second any more.
        looking = asyncio.create_task(reviews.look(GameKey("t", 2), 0, 60))
        await asyncio.sleep(0.05)
        reviews.say_goodbye()
        assert (await looking or Progress()).step == 0
        await reviews.stop()
        assert await store.find_review("t", 2) is None
        await store.close()

    asyncio.run(run())


def test_a_review_is_stored_after_the_store_has_failed_and_never_for_a_deleted_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("theriac.server.bots.reviews.STORE_RETRY_S", 0.01)

    async def run() -> None:
        store = await open_store(tmp_path)
        reviews, _ = reviews_of(store)
        games = GameKey("t", 1), GameKey("deleted", 1)
        write, failures = store.write, iter([True, False, True, True, False])

        async def failing(*statements: Any) -> None:
            if next(failures, False):
                raise StoreFault("the disk is full")
            await write(*statements)

        monkeypatch.setattr(store, "write", failing)
        for game in games:
            await reviews.ask(game, {}, Asker("ana", "home"))
            reviews._jobs[game].note(LAST)
        while reviews._jobs:
            await asyncio.sleep(0.01)
        assert next(failures, None) is None
        assert (await store.find_review("t", 1) or ReviewRow(0, None, None)).review
        assert await store.find_review("deleted", 1) is None
        await reviews.stop()
        await store.close()

    asyncio.run(run())
