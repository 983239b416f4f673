"""Trainers and run folders: a run resumes with everything it had learned."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.learn.small_runs import small_config
from theriac.bots.network import read_network
from theriac.faults import Fault
from theriac.learn import trainer as trainer_module
from theriac.learn.config import TrainingConfig, device_defaults
from theriac.learn.run import Budget, lr_schedule, train
from theriac.learn.run_folder import CHECKPOINT, CONFIG, LOG, NETWORK, TENSORBOARD, RunFolder
from theriac.learn.trainer import Trainer


def equal(one: Any, other: Any) -> bool:
    """Are two nested structures of tensors equal?"""
    if isinstance(one, torch.Tensor):
        return bool(torch.equal(one, other))
    if isinstance(one, dict):
        return set(one) == set(other) and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def stored(trainer: Trainer, **changes: Any) -> dict[str, Any]:
    """The checkpoint of a trainer as it is saved."""
    return trainer.checkpoint().to_stored() | changes


def run(config: TrainingConfig, path: Path, steps: int) -> Trainer:
    with RunFolder(path) as folder:
        if folder.load_config() is None:
            folder.save_config(config)
        return train(config, folder, "cpu", Budget(steps=steps), lambda *_: None)


def logged_steps(path: Path) -> list[int]:
    """The step counts of all updates in the log."""
    lines = [json.loads(line) for line in (path / LOG).read_text().splitlines()]
    return [line["steps"] for line in lines if "gain" in line]


def test_equal_configurations_learn_the_same() -> None:
    twins = [Trainer(small_config()) for _ in range(2)]
    metrics = [twin.update() for twin in twins]
    assert metrics[0] == metrics[1]
    assert equal(stored(twins[0]), stored(twins[1]))
    assert not equal(stored(twins[0]), stored(Trainer(small_config(seed=1))))


def test_a_resumed_run_has_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer_module, "SNAPSHOT_INTERVAL", 1)
    first = run(small_config(), tmp_path, 5 * 480)
    with RunFolder(tmp_path) as folder:
        resumed = Trainer(small_config(), "cpu", folder.load_checkpoint("cpu"))
    assert (resumed.steps, resumed.updates, resumed.seconds) == (2400, 5, first.seconds)
    assert len(resumed._snapshots) == 6
    before = stored(first, begun=0)
    assert equal(stored(resumed, begun=0), before)
    assert equal(resumed.optimizer.state_dict(), first.optimizer.state_dict())
    # It plays games that it has not played before.
    assert resumed.pools[0].batch.numbers.min() >= first.checkpoint().next_game
    resumed.update()
    assert (resumed.steps, resumed.updates) == (2880, 6)
    assert not equal(stored(resumed, begun=0), before)


def test_the_same_command_continues_to_the_same_end(tmp_path: Path) -> None:
    run(small_config(), tmp_path, 3 * 480)
    assert run(small_config(), tmp_path, 3 * 480).updates == 3
    assert run(small_config(), tmp_path, 6 * 480 - 1).updates == 6
    assert logged_steps(tmp_path) == [480 * n for n in range(1, 7)]
    assert read_network(tmp_path / NETWORK).metadata.steps == 6 * 480


def test_log_lines_after_the_checkpoint_are_dropped(tmp_path: Path) -> None:
    run(small_config(), tmp_path, 2 * 480)
    with (tmp_path / LOG).open("ab") as log:
        log.write(b'{"steps":1440,"gain":0.5}\n{"steps":19')
    run(small_config(), tmp_path, 3 * 480)
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    last = [line for line in lines if line["steps"] == 1440]
    assert [line.get("gain") == 0.5 for line in last] == [False, False]


def test_metrics_go_to_tensorboard(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    run(small_config(), tmp_path, 480)
    written = b"".join(path.read_bytes() for path in (tmp_path / TENSORBOARD).iterdir())
    for tag in (b"gain", b"value_error", b"explained", b"against_random/4"):
        assert tag in written


def test_the_number_of_snapshots_is_limited() -> None:
    trainer = Trainer(small_config())
    for _ in range(20):
        trainer._add_snapshot()
    assert len(trainer._snapshots) == trainer_module.MAX_SNAPSHOTS
    assert equal(trainer._snapshots[-1], trainer.policy.state_dict())
    snapshot = copy.deepcopy(trainer._snapshots[-1])
    trainer.update()
    assert equal(trainer._snapshots[-1], snapshot)


def test_several_player_counts() -> None:
    trainer = Trainer(small_config(players=(3, 6), options={}, num_envs=8, num_steps=16))
    trainer.update()
    assert trainer.steps == 2 * 4 * 16
    assert trainer.network().metadata.players == (3, 6)
    assert set(trainer.evaluate()) == {3, 6}


def test_an_update_needs_moves_with_a_known_successor() -> None:
    """Where no seat moves twice and no game ends, there is nothing to learn from."""
    trainer = Trainer(small_config(options={}, num_steps=1))
    before = copy.deepcopy(trainer.policy.state_dict())
    with pytest.raises(Fault, match="increase --num-steps or --num-envs"):
        for _ in range(3):
            trainer.update()
    assert equal(trainer.policy.state_dict(), before)


def test_learning_rate_schedule() -> None:
    progress = (0.0, 0.5, 0.75, 0.99, 1.0)
    assert [lr_schedule(done) for done in progress] == [1.0, 1.0, 0.5, 0.05, 0.05]
    trainer = Trainer(small_config(learning_rate=0.5))
    trainer.update(lr_scale=0.002)
    assert trainer.optimizer.param_groups[0]["lr"] == 0.001


def test_the_schedule_is_applied_and_logged(tmp_path: Path) -> None:
    trainer = run(small_config(), tmp_path, 4 * 480)
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert [line["pace"] for line in lines if "pace" in line] == [1.0, 1.0, 1.0, 0.5]
    assert trainer.optimizer.param_groups[0]["lr"] == 0.0005


def test_device_defaults() -> None:
    small, large = device_defaults("cuda", 100, 50), device_defaults("cuda", 3000, 5000)
    assert small["num_envs"] > device_defaults("cpu", 100, 50)["num_envs"]
    assert large["num_envs"] < small["num_envs"]
    for sizes, row in ((small, 250), (large, 11000)):
        assert sizes["num_envs"] * sizes["num_steps"] * row < 8e9
    with pytest.raises(Fault, match="option device: tpu is not cpu or cuda"):
        device_defaults("tpu", 100, 50)


# Runs that cannot be resumed


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-50])


def of_another_policy(path: Path) -> None:
    torch.save({**torch.load(path), "net": {}}, path)


def without_steps(path: Path) -> None:
    kept = torch.load(path)
    del kept["steps"]
    torch.save(kept, path)


def of_another_encoding(path: Path) -> None:
    torch.save({**torch.load(path), "layout": "0" * 16}, path)


def a_list(path: Path) -> None:
    torch.save([1, 2], path)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (torn, f"{CHECKPOINT}: the checkpoint cannot be loaded"),
        (lambda path: path.write_bytes(b""), f"{CHECKPOINT}: the checkpoint cannot be loaded"),
        (lambda path: path.write_bytes(b"hello"), "the file is damaged or incomplete"),
        (of_another_policy, "the checkpoint does not fit this run"),
        (without_steps, "it lacks steps"),
        (of_another_encoding, "it was made with another observation encoding"),
        (a_list, "it holds a list, not a dictionary"),
    ],
)
def test_a_damaged_checkpoint_is_refused(spoil: Any, sentence: str, tmp_path: Path) -> None:
    run(small_config(), tmp_path, 480)
    network = (tmp_path / NETWORK).read_bytes()
    spoil(tmp_path / CHECKPOINT)
    with pytest.raises(Fault) as fault:
        run(small_config(), tmp_path, 960)
    assert sentence in str(fault.value)
    assert (tmp_path / NETWORK).read_bytes() == network


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(Fault, match=r"is not empty and has no training\.json"):
        RunFolder(tmp_path).__enter__()
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_an_invalid_configuration_is_refused(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text('{"game": 5}')
    with (
        RunFolder(tmp_path) as folder,
        pytest.raises(Fault, match="it is not a training configuration"),
    ):
        folder.load_config()


def test_a_folder_has_one_run_at_a_time(tmp_path: Path) -> None:
    with (
        RunFolder(tmp_path),
        pytest.raises(Fault, match="another training run is active there now"),
    ):
        RunFolder(tmp_path).__enter__()
    with RunFolder(tmp_path):
        pass


def test_a_folder_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(Fault, match="a training run cannot be stored there"):
        RunFolder(Path("/dev/null/here")).__enter__()
