"""The bot `neural`: which network it uses, which it refuses, and what it plays."""

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
from theriac.bots.levels import LEVELS
from theriac.bots.network import Network, observation_digest, read_network
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


def change_metadata(path: Path, **changes: Any) -> None:
    """Write the same network with other metadata."""
    network = read_network(path)
    replace(network, metadata=msgspec.structs.replace(network.metadata, **changes)).write(path)


# What it plays


@each_game
def test_it_plays_the_most_probable_legal_move(game: Game, tmp_path: Path) -> None:
    """Whatever the logits of illegal moves are."""
    network = blank_network(game, game.players[-1])
    (hidden, _), (policy, bias), value = network.layers
    logits = np.random.default_rng(2).permutation(len(bias)).astype(np.float32) * 10
    biased = Network(
        network.metadata, ((hidden, np.zeros(8, np.float32)), (policy * 0, logits), value)
    )
    biased.write(tmp_path / "n.npz")
    seated = bot(f"neural:file={tmp_path / 'n.npz'}")
    best_was_illegal = 0
    for match in tables(game, seed=6, count=6):
        question = ask(match)
        engine, catalogue = game.engine("plain"), match.settings.text.catalogue()
        actions = {
            int(engine.action_of(match._g, catalogue, move)): move
            for move in question.legal.tolist()
        }
        best = max(actions, key=lambda action: logits[action])
        assert seated.answer(question) == actions[best]
        best_was_illegal += best != logits.argmax()
    assert best_was_illegal, "the largest logit was always legal, so nothing was tested"


def test_a_temperature_samples_from_the_policy(file: Path) -> None:
    question = ask(next(tables(POISON_FOUR)))
    network = read_network(file)
    observation = np.zeros(network.metadata.features, np.float32)
    POISON.engine("plain").encode(question.view, observation)
    moves = FOUR.text.catalogue()
    logits = network.forward(observation)[0][np.searchsorted(moves, question.legal)].astype(float)
    for temperature in (0.5, 2.0):
        probabilities = np.exp(logits / temperature) / np.exp(logits / temperature).sum()
        answers = Counter(
            bot(f"neural:file={file},temperature={temperature}", seed).answer(question)
            for seed in range(400)
        )
        frequencies = np.array([answers[move] for move in question.legal.tolist()]) / 400
        assert np.abs(frequencies - probabilities).max() < 0.08
    greedy = {bot(f"neural:file={file}", seed).answer(question) for seed in range(9)}
    assert greedy == {int(question.legal[logits.argmax()])}


POISON_FOUR = replace(POISON, players=(4,))


# Which network it uses


@each_game
def test_networks_that_ship_with_a_game_fit_it(game: Game) -> None:
    """Where none ships, the bot says so at once."""
    shipped = [read_network(path) for path in (game.folder / "networks").glob("*.npz")]
    for players in game.players:
        settings = game.settings({"players": players, "first": 0})
        if any(n.metadata.game == game.name and players in n.metadata.players for n in shipped):
            bot("neural").check(game, settings)
            continue
        with pytest.raises(Fault) as fault:
            bot("neural").check(game, settings)
        assert str(fault.value) == (
            f"bot neural: no network for {game.name} with {players} players ships with the game: "
            f"train one (theriac train {game.name} --players {players}) and name it "
            "(neural:file=PATH)"
        )


def test_in_a_folder_it_uses_the_fitting_network_with_the_most_steps(
    tmp_path: Path,
) -> None:
    for name, players, steps in (("a", 4, 10), ("b", 4, 30), ("c", 3, 99), ("d", 4, 20)):
        blank_network(POISON, players, seed=steps).write(tmp_path / f"{name}.npz")
        change_metadata(tmp_path / f"{name}.npz", steps=steps)
    blank_network(find("shock"), 4).write(tmp_path / "e.npz")
    seated = bot(f"neural:file={tmp_path}")
    seated.check(POISON, FOUR)
    assert seated._networks.find(POISON, FOUR).metadata.steps == 30  # type: ignore[attr-defined]
    with pytest.raises(Fault, match=r"no network for poison with 5 players is in /"):
        seated.check(POISON, POISON.settings({"players": 5, "first": 0}))


def test_a_network_for_several_numbers_of_players(file: Path) -> None:
    change_metadata(file, players=(4, 6))
    for players in (4, 6):
        bot(f"neural:file={file}").check(POISON, POISON.settings({"players": players, "first": 0}))


def test_a_network_fits_other_options_of_the_game(file: Path) -> None:
    settings = POISON.settings({"players": 4, "first": 2, "open_piles": True})
    bot(f"neural:file={file}").check(POISON, settings)


def test_a_changed_file_is_reloaded(file: Path) -> None:
    assert read_network(file) is read_network(file)
    change_metadata(file, steps=7)
    assert read_network(file).metadata.steps == 7


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": "shock"}, "the network plays shock, not poison"),
        ({"players": (3, 5)}, "the network plays with 3 or 5 players, not 4"),
        ({"catalogue_digest": "0123456789abcdef"}, "the network was trained for another deck"),
        ({"observation_digest": "0123456789abcdef"}, "the network was trained by theriac test"),
    ],
)
def test_a_network_that_does_not_fit(changes: dict[str, Any], sentence: str, file: Path) -> None:
    change_metadata(file, **changes)
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
    with pytest.raises(Fault, match="the network was trained for another deck"):
        bot(f"neural:file={file}").check(POISON, settings)


# The digest of the observation encoding


def test_the_digest_is_the_same_at_every_speed() -> None:
    assert observation_digest("poison", 4, "plain") == observation_digest("poison", 4, "cpu")


def test_the_digest_differs_between_games_and_players() -> None:
    tables = [(game.name, n) for game in GAMES for n in {game.players[0], game.players[-1]}]
    assert len({observation_digest(*table) for table in tables}) == len(tables)


def test_the_digest_changes_with_the_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Swapping two features changes it."""
    before = observation_digest("poison", 3)
    engine = POISON.engine("plain")
    observe = engine.observe

    def swapped(g: Any, v: Any, out: Any) -> None:
        observe(g, v, out)
        out[[0, 1]] = out[[1, 0]]

    monkeypatch.setattr(engine, "observe", swapped)
    assert observation_digest.__wrapped__("poison", 3) != before
    monkeypatch.undo()
    assert observation_digest.__wrapped__("poison", 3) == before


# Files that are not networks


def save(path: Path, **changes: Any) -> None:
    """The file with other arrays; None removes one."""
    with np.load(path) as arrays:
        kept = dict(arrays) | changes
    np.savez(path, **{name: array for name, array in kept.items() if array is not None})


def store(path: Path, **changes: Any) -> None:
    """The file with other values in its stored metadata, valid or not."""
    with np.load(path) as arrays:
        stored = json.loads(arrays["label"].tobytes()) | changes
    save(path, label=np.frombuffer(json.dumps(stored).encode(), np.uint8))


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
        (lambda path: path.write_bytes(b""), "it is not an .npz file"),
        (lambda path: path.write_bytes(b"x" * 999), "it is not an .npz file"),
        (lambda path: path.write_bytes(path.read_bytes()[:-100]), "it is not an .npz file"),
        (lambda path: save(path, label=None), "it lacks label"),
        (lambda path: save(path, bias_1=None), "it lacks bias_1"),
        (lambda path: save(path, weight_2=None), "do not fit"),
        (lambda path: save(path, label=np.zeros(3, np.uint8)), "its metadata is invalid"),
        (lambda path: store(path, game=7), "its metadata is invalid"),
        (lambda path: store(path, theriac_network=3), "its format is 3, not 1 or 2"),
        (lambda path: store(path, features=5), "its layers do not fit each other"),
        (lambda path: store(path, actions=5), "its layers do not fit its metadata"),
        (lambda path: store(path, players=[]), "it has no layers or no players"),
        (lambda path: save(path, weight_0=np.zeros((3, 8))), "its layers do not fit each other"),
        (lambda path: save(path, weight_0=np.zeros(8)), "its layers do not fit each other"),
        (lambda path: save(path, weight_0=np.array([{}])), "allow_pickle"),
        (lambda path: save(path, weight_0=np.array(["a"] * 8)), "could not convert"),
        (fill, "some of its weights are not finite"),
    ],
)
def test_a_file_that_is_no_network(spoil: Spoil, sentence: str, file: Path) -> None:
    spoil(file)
    with pytest.raises(Fault) as fault:
        bot(f"neural:file={file}").check(POISON, FOUR)
    assert str(fault.value).startswith(f"network {file}: ")
    assert sentence in str(fault.value)


def test_a_file_that_is_too_large(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("theriac.bots.network.MAX_BYTES", 1000)
    with pytest.raises(Fault, match="it is larger than"):
        read_network(file)


def test_half_precision(file: Path, tmp_path: Path) -> None:
    network = read_network(file)
    network.write(tmp_path / "half.npz", half=True)
    half = read_network(tmp_path / "half.npz")
    assert half.metadata == network.metadata
    assert (tmp_path / "half.npz").stat().st_size < 0.75 * file.stat().st_size
    observation = np.random.default_rng(0).random(network.metadata.features, np.float32)
    assert np.allclose(half.forward(observation)[0], network.forward(observation)[0], atol=0.02)


# A bot that cannot play is refused before anything starts


@pytest.mark.parametrize(
    "command",
    [
        ["arena", "shokoba", "{bot}", "random"],
        ["lab", "shokoba", "--bot", "{bot}", "--vary", "target=11,16"],
        ["play", "shokoba", "--bots", "{bot}", "--save", "{home}/game.json"],
    ],
)
def test_commands_refuse_it_before_they_start(
    command: list[str], file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(bot=f"neural:file={file}", home=tmp_path) for word in command]
    said = call(capsys, *words)
    assert (said.status, said.out) == (2, "")
    assert "the network plays poison, not shokoba" in said.err
    assert not (tmp_path / "game.json").exists()


def test_the_bot_service_refuses_it_in_its_greeting(file: Path) -> None:
    service = Service(f"neural:file={file}")
    hello = {"theriac": 1, "options": {"players": 4, "first": 0}, "seat": 1, "seed": 7}
    answer = service.answer({**hello, "game": "shock"})
    assert answer is not None
    assert "the network plays poison, not shock" in answer["error"]
    assert service.answer({"view": {}}) == {
        "error": "a question before the greeting: send the greeting first"
    }
    assert service.answer({**hello, "game": "poison"}) == {"name": f"neural:file={file}"}


def test_a_level_checks_its_bot(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POISON.levels, "hard", f"neural:file={file}")
    monkeypatch.setitem(LEVELS, "hard", f"neural:file={file}")
    bot("hard").check(POISON, FOUR)
    with pytest.raises(Fault, match="plays with 4 players, not 5"):
        bot("hard").check(POISON, POISON.settings({"players": 5, "first": 0}))


def test_the_networks_of_the_tests_fit() -> None:
    for game in GAMES:
        bot(NEURAL_BOT).check(game, game.settings({"players": game.players[-1], "first": 0}))
