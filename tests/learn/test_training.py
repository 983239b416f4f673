"""A training that goes on where it was: nothing that it has learnt is lost."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.learn.lessons import recipe_of
from theriac.bots.network import read_network
from theriac.faults import Fault
from theriac.learn import training as lessons
from theriac.learn.folder import KEPT, LOG, NETWORK, RECIPE, TENSORBOARD, Folder
from theriac.learn.recipe import Recipe, usual
from theriac.learn.run import Limits, pace, train
from theriac.learn.training import Training


def equal(one: Any, other: Any) -> bool:
    """Are two heaps of tensors the same?"""
    if isinstance(one, torch.Tensor):
        return bool(torch.equal(one, other))
    if isinstance(one, dict):
        return set(one) == set(other) and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def run(recipe: Recipe, path: Path, steps: int) -> Training:
    with Folder(path) as folder:
        if folder.recipe() is None:
            folder.begin(recipe)
        return train(recipe, folder, "cpu", Limits(steps=steps), lambda *_: None)


def test_the_same_recipe_learns_the_same() -> None:
    twins = [Training(recipe_of()) for _ in range(2)]
    told = [twin.lesson() for twin in twins]
    assert told[0] == told[1]
    assert equal(twins[0].keep(), twins[1].keep())
    assert not equal(twins[0].keep(), Training(recipe_of(seed=1)).keep())


def test_it_goes_on_with_all_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "_EVERY", 1)  # more selves to remember
    begun = run(recipe_of(), tmp_path, 5 * 480)
    with Folder(tmp_path) as folder:
        taken_up = Training(recipe_of(), "cpu", folder.kept("cpu"))
    assert (taken_up.steps, taken_up.lessons, taken_up.seconds) == (2400, 5, begun.seconds)
    assert len(taken_up._past) == 6
    before = {**begun.keep(), "begun": 0}
    assert equal({**taken_up.keep(), "begun": 0}, before)
    assert equal(taken_up.optimiser.state_dict(), begun.optimiser.state_dict())
    # It plays games that it has not played before.
    assert taken_up._clubs[0].batch.numbers.min() >= begun.keep()["begun"]
    taken_up.lesson()
    assert (taken_up.steps, taken_up.lessons) == (2880, 6)
    assert not equal({**taken_up.keep(), "begun": 0}, before)


def test_the_same_command_goes_on_to_the_same_end(tmp_path: Path) -> None:
    run(recipe_of(), tmp_path, 3 * 480)
    assert run(recipe_of(), tmp_path, 3 * 480).lessons == 3
    assert run(recipe_of(), tmp_path, 6 * 480 - 1).lessons == 6
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert [line["steps"] for line in lines if "gain" in line] == [480 * n for n in range(1, 7)]
    assert read_network(tmp_path / NETWORK).label.steps == 6 * 480


def test_what_the_log_has_after_what_was_kept_is_forgotten(tmp_path: Path) -> None:
    run(recipe_of(), tmp_path, 2 * 480)
    with (tmp_path / LOG).open("ab") as log:
        log.write(b'{"steps":1440,"gain":0.5}\n{"steps":19')
    run(recipe_of(), tmp_path, 3 * 480)
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    last = [line for line in lines if line["steps"] == 1440]
    assert [line.get("gain") == 0.5 for line in last] == [False, False]


def test_tensorboard_is_told_too(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    run(recipe_of(), tmp_path, 480)
    written = b"".join(path.read_bytes() for path in (tmp_path / TENSORBOARD).iterdir())
    for name in (b"gain", b"value_error", b"explained", b"against_random/4"):
        assert name in written


def test_past_selves_are_few() -> None:
    training = Training(recipe_of())
    for _ in range(20):
        training._remember()
    assert len(training._past) == lessons._MOST_PAST
    assert equal(training._past[-1], training.net.state_dict())
    kept = copy.deepcopy(training._past[-1])
    training.lesson()
    assert equal(training._past[-1], kept)


def test_several_numbers_of_players() -> None:
    training = Training(recipe_of(players=(3, 6), options={}, games=8, moves=16))
    training.lesson()
    assert training.steps == 2 * 4 * 16
    assert training.network().label.players == (3, 6)
    assert set(training.trial()) == {3, 6}


def test_a_lesson_needs_moves_that_are_known() -> None:
    """Where no seat moves twice and no game ends, there is nothing to learn from."""
    training = Training(recipe_of(options={}, moves=1))
    before = copy.deepcopy(training.net.state_dict())
    with pytest.raises(Fault, match="give more moves or games"):
        for _ in range(3):
            training.lesson()
    assert equal(training.net.state_dict(), before)


def test_how_fast_it_learns() -> None:
    assert [pace(done) for done in (0.0, 0.5, 0.75, 0.99, 1.0)] == [1.0, 1.0, 0.5, 0.05, 0.05]
    training = Training(recipe_of(rate=0.5))
    assert training.lesson(0.002)["pace"] == 0.002
    assert training.optimiser.param_groups[0]["lr"] == 0.001


def test_what_suits_a_device() -> None:
    assert usual("cuda")["games"] > usual("cpu")["games"]
    with pytest.raises(Fault, match="option device: tpu is not cpu or cuda"):
        usual("tpu")


# What cannot be gone on with


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-50])


def of_another_net(path: Path) -> None:
    torch.save({**torch.load(path), "net": {}}, path)


def without_steps(path: Path) -> None:
    kept = torch.load(path)
    del kept["steps"]
    torch.save(kept, path)


def of_other_numbers(path: Path) -> None:
    torch.save({**torch.load(path), "layout": "0" * 16}, path)


def a_list(path: Path) -> None:
    torch.save([1, 2], path)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (torn, f"{KEPT}: it cannot be read"),
        (lambda path: path.write_bytes(b""), f"{KEPT}: it cannot be read"),
        (lambda path: path.write_bytes(b"hello"), f"{KEPT}: it cannot be read"),
        (of_another_net, "does not fit it"),
        (without_steps, "does not fit it"),
        (of_other_numbers, "a seat saw other numbers then"),
        (a_list, "does not fit it"),
    ],
)
def test_what_was_kept_and_is_spoilt(spoil: Any, sentence: str, tmp_path: Path) -> None:
    run(recipe_of(), tmp_path, 480)
    network = (tmp_path / NETWORK).read_bytes()
    spoil(tmp_path / KEPT)
    with pytest.raises(Fault) as fault:
        run(recipe_of(), tmp_path, 960)
    assert sentence in str(fault.value)
    assert (tmp_path / NETWORK).read_bytes() == network


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(Fault, match=r"is not empty, and no training\.json is in it"):
        Folder(tmp_path).__enter__()
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_recipe_that_is_none(tmp_path: Path) -> None:
    (tmp_path / RECIPE).write_text('{"game": 5}')
    with Folder(tmp_path) as folder, pytest.raises(Fault, match="it is no recipe of a training"):
        folder.recipe()


def test_one_training_at_a_time(tmp_path: Path) -> None:
    with Folder(tmp_path), pytest.raises(Fault, match="another training is going on there now"):
        Folder(tmp_path).__enter__()
    with Folder(tmp_path):
        pass


def test_where_nothing_can_be_kept() -> None:
    with pytest.raises(Fault, match="a training cannot be kept there"):
        Folder(Path("/dev/null/here")).__enter__()
