"""The bot that has learnt: which network it takes, which it refuses, and what it plays."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tests.bots.samples import GAMES, NEURAL_BOT, tables
from tests.command import call
from tests.networks import blank_network
from theriac.bots import ask, bot
from theriac.bots.network import Network, layout_of, read_network
from theriac.bots.service import Service
from theriac.faults import Fault
from theriac.game import Game, find

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

POISON = find("poison")
FOUR = POISON.settings({"players": 4, "first": 0})


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A network for Poison with four players."""
    path = tmp_path / "network.npz"
    blank_network(POISON, 4).write(path)
    return path


def relabel(path: Path, **changes: Any) -> None:
    """Another label on the same network."""
    network = read_network(path)
    replace(network, label=msgspec.structs.replace(network.label, **changes)).write(path)


# What it plays


@each_game
def test_it_plays_the_legal_move_that_is_liked_best(game: Game, tmp_path: Path) -> None:
    """However much it likes what is not legal."""
    network = blank_network(game, game.players[-1])
    (seen, _), (policy, bias), value = network.layers
    liked = np.random.default_rng(2).permutation(len(bias)).astype(np.float32) * 10
    wilful = Network(network.label, ((seen, np.zeros(8, np.float32)), (policy * 0, liked), value))
    wilful.write(tmp_path / "n.npz")
    seated = bot(f"neural:file={tmp_path / 'n.npz'}")
    liked_best_illegal = 0
    for match in tables(game, seed=6, count=6):
        question = ask(match)
        engine, catalogue = game.engine("plain"), match.settings.text.catalogue()
        actions = {
            int(engine.action_of(match._g, catalogue, move)): move
            for move in question.legal.tolist()
        }
        best = max(actions, key=lambda action: liked[action])
        assert seated.answer(question) == actions[best]
        liked_best_illegal += best != liked.argmax()
    assert liked_best_illegal, "the best was always legal: this test would hold of anything"


def test_a_temperature_samples_from_the_policy(file: Path) -> None:
    question = ask(next(tables(POISON_FOUR)))
    network = read_network(file)
    seen = np.zeros(network.label.features, np.float32)
    POISON.engine("plain").encode(question.view, seen)
    moves = FOUR.text.catalogue()
    liking = network.think(seen)[0][np.searchsorted(moves, question.legal)].astype(float)
    for temperature in (0.5, 2.0):
        chances = np.exp(liking / temperature) / np.exp(liking / temperature).sum()
        answers = Counter(
            bot(f"neural:file={file},temperature={temperature}", seed).answer(question)
            for seed in range(400)
        )
        often = np.array([answers[move] for move in question.legal.tolist()]) / 400
        assert np.abs(often - chances).max() < 0.08
    cool = {bot(f"neural:file={file}", seed).answer(question) for seed in range(9)}
    assert cool == {int(question.legal[liking.argmax()])}


POISON_FOUR = replace(POISON, players=(4,))


# Which network it takes


@each_game
def test_networks_that_come_with_a_game_fit_it(game: Game) -> None:
    """And where none comes, the bot says so at once."""
    shipped = [read_network(path) for path in (game.folder / "networks").glob("*.npz")]
    for players in game.players:
        settings = game.settings({"players": players, "first": 0})
        if any(n.label.game == game.name and players in n.label.players for n in shipped):
            bot("neural").check(game, settings)
            continue
        with pytest.raises(Fault) as fault:
            bot("neural").check(game, settings)
        assert str(fault.value) == (
            f"bot neural: no network for {game.name} with {players} players comes with it: train "
            f"one (theriac train {game.name} --players {players}) and name it (neural:file=PATH)"
        )


def test_of_several_in_a_folder_it_takes_the_one_that_fits_and_learnt_longest(
    tmp_path: Path,
) -> None:
    for name, players, steps in (("a", 4, 10), ("b", 4, 30), ("c", 3, 99), ("d", 4, 20)):
        blank_network(POISON, players, seed=steps).write(tmp_path / f"{name}.npz")
        relabel(tmp_path / f"{name}.npz", steps=steps)
    blank_network(find("shock"), 4).write(tmp_path / "e.npz")
    seated = bot(f"neural:file={tmp_path}")
    seated.check(POISON, FOUR)
    assert seated._last[1].label.steps == 30  # type: ignore[attr-defined]
    with pytest.raises(Fault, match=r"no network for poison with 5 players comes in /"):
        seated.check(POISON, POISON.settings({"players": 5, "first": 0}))


def test_a_network_for_several_numbers_of_players(file: Path) -> None:
    relabel(file, players=(4, 6))
    for players in (4, 6):
        bot(f"neural:file={file}").check(POISON, POISON.settings({"players": players, "first": 0}))


def test_other_options_change_nothing_that_a_network_needs(file: Path) -> None:
    settings = POISON.settings({"players": 4, "first": 2, "open_piles": True})
    bot(f"neural:file={file}").check(POISON, settings)


def test_a_file_that_changes_is_read_again(file: Path) -> None:
    assert read_network(file) is read_network(file)
    relabel(file, steps=7)
    assert read_network(file).label.steps == 7


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": "shock"}, "the network plays shock, not poison"),
        ({"players": (3, 5)}, "the network plays with 3 or 5 players, not 4"),
        ({"moves": "0123456789abcdef"}, "the network was made for another deck"),
        ({"layout": "0123456789abcdef"}, "the network was made by theriac test, where a seat of"),
    ],
)
def test_a_network_that_does_not_fit(changes: dict[str, Any], sentence: str, file: Path) -> None:
    relabel(file, **changes)
    seated = bot(f"neural:file={file}")
    for attempt in (
        lambda: seated.check(POISON, FOUR),
        lambda: seated.answer(ask(next(tables(POISON_FOUR)))),
    ):
        with pytest.raises(Fault) as fault:
            attempt()
        assert f"bot neural:file={str(file)[:10]}" in str(fault.value)
        assert sentence in str(fault.value)


def test_another_deck(file: Path) -> None:
    deck = "R1 R4 R7 B1 B4 B7 P1 P4 P7 X X X".split()
    settings = POISON.settings({"players": 4, "first": 0, "deck": deck})
    with pytest.raises(Fault, match="the network was made for another deck"):
        bot(f"neural:file={file}").check(POISON, settings)


# The layout of what a seat sees


def test_the_layout_is_the_same_at_every_speed() -> None:
    assert layout_of("poison", 4, "plain") == layout_of("poison", 4, "cpu")


@each_game
def test_the_layout_differs_between_games_and_players(game: Game) -> None:
    seen = {layout_of(other.name, other.players[-1]) for other in GAMES}
    assert len(seen) == len(GAMES)
    assert layout_of(game.name, game.players[0]) != layout_of(game.name, game.players[-1])


def test_the_layout_changes_with_what_is_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two features that change places are another layout."""
    before = layout_of("poison", 3)
    engine = POISON.engine("plain")
    observe = engine.observe

    def swapped(g: Any, v: Any, out: Any) -> None:
        observe(g, v, out)
        out[[0, 1]] = out[[1, 0]]

    monkeypatch.setattr(engine, "observe", swapped)
    assert layout_of.__wrapped__("poison", 3) != before
    monkeypatch.undo()
    assert layout_of.__wrapped__("poison", 3) == before


# Files that are no networks


def save(path: Path, **changes: Any) -> None:
    """The file with other arrays; None leaves one out."""
    with np.load(path) as arrays:
        kept = dict(arrays) | changes
    np.savez(path, **{name: array for name, array in kept.items() if array is not None})


def label(path: Path, **changes: Any) -> None:
    """The file with another label, whatever that is."""
    with np.load(path) as arrays:
        told = json.loads(arrays["label"].tobytes()) | changes
    save(path, label=np.frombuffer(json.dumps(told).encode(), np.uint8))


def fill(path: Path) -> None:
    with np.load(path) as arrays:
        weight = arrays["weight_1"].copy()
    weight[3, 3] = np.nan
    save(path, weight_1=weight)


Spoil = Callable[[Path], object]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda path: path.unlink(), "No such file or directory"),
        (lambda path: path.write_bytes(b""), "it is no .npz file"),
        (lambda path: path.write_bytes(b"x" * 999), "it is no .npz file"),
        (lambda path: path.write_bytes(path.read_bytes()[:-100]), "it is no .npz file"),
        (lambda path: save(path, label=None), "it lacks label"),
        (lambda path: save(path, bias_1=None), "it lacks bias_1"),
        (lambda path: save(path, weight_2=None), "do not fit"),
        (lambda path: save(path, label=np.zeros(3, np.uint8)), "its label is wrong"),
        (lambda path: label(path, game=7), "its label is wrong"),
        (lambda path: label(path, theriac_network=2), "its format is 2, not 1"),
        (lambda path: label(path, features=5), "its layers do not fit each other"),
        (lambda path: label(path, actions=5), "its layers do not fit its label"),
        (lambda path: label(path, players=[]), "it has no layers or no players"),
        (lambda path: save(path, weight_0=np.zeros((3, 8))), "its layers do not fit each other"),
        (lambda path: save(path, weight_0=np.zeros(8)), "its layers do not fit each other"),
        (lambda path: save(path, weight_0=np.array([{}])), "allow_pickle"),
        (lambda path: save(path, weight_0=np.array(["a"] * 8)), "could not convert"),
        (fill, "some of its numbers are none"),
    ],
)
def test_a_file_that_is_no_network(spoil: Spoil, sentence: str, file: Path) -> None:
    spoil(file)
    with pytest.raises(Fault) as fault:
        bot(f"neural:file={file}").check(POISON, FOUR)
    assert str(fault.value).startswith(f"network {file}: ")
    assert sentence in str(fault.value)


def test_a_file_that_would_fill_the_memory(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("theriac.bots.network.MOST_BYTES", 1000)
    with pytest.raises(Fault, match="it is too large"):
        read_network(file)


def test_numbers_of_half_the_size(file: Path, tmp_path: Path) -> None:
    network = read_network(file)
    network.write(tmp_path / "half.npz", half=True)
    half = read_network(tmp_path / "half.npz")
    assert half.label == network.label
    assert (tmp_path / "half.npz").stat().st_size < 0.75 * file.stat().st_size
    seen = np.random.default_rng(0).random(network.label.features, np.float32)
    assert np.allclose(half.think(seen)[0], network.think(seen)[0], atol=0.02)


# Nothing begins with a bot that cannot play


@pytest.mark.parametrize(
    "command",
    [
        ["arena", "shokoba", "{bot}", "random"],
        ["lab", "shokoba", "--bot", "{bot}", "--vary", "target=11,16"],
        ["play", "shokoba", "--bots", "{bot}", "--save", "{home}/game.json"],
    ],
)
def test_commands_say_what_is_missing_first(
    command: list[str], file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(bot=f"neural:file={file}", home=tmp_path) for word in command]
    said = call(capsys, *words)
    assert (said.status, said.out) == (2, "")
    assert "the network plays poison, not shokoba" in said.err
    assert not (tmp_path / "game.json").exists()


def test_a_program_is_told_when_it_greets(file: Path) -> None:
    service = Service(f"neural:file={file}")
    hello = {"theriac": 1, "options": {"players": 4, "first": 0}, "seat": 1, "seed": 7}
    answer = service.answer({**hello, "game": "shock"})
    assert answer is not None
    assert "the network plays poison, not shock" in answer["error"]
    assert service.answer({"view": {}}) == {"error": "a question before the greeting"}
    assert service.answer({**hello, "game": "poison"}) == {"name": f"neural:file={file}"}


def test_a_level_asks_the_bot_that_it_is(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POISON.levels, "hard", f"neural:file={file}")
    bot("hard").check(POISON, FOUR)
    with pytest.raises(Fault, match="plays with 4 players, not 5"):
        bot("hard").check(POISON, POISON.settings({"players": 5, "first": 0}))


def test_networks_of_the_tests_fit() -> None:
    for game in GAMES:
        bot(NEURAL_BOT).check(game, game.settings({"players": game.players[-1], "first": 0}))
