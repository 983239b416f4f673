"""The review of one record."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import pytest

import theriac
from tests.review.samples import (
    exact_values,
    played,
    played_with_all_cards,
    small_poison,
    small_poison_by_policy,
)
from theriac.engine.records import records_over
from theriac.engine.valuation import words_of
from theriac.faults import BadOption, BadRecord, Fault
from theriac.review import Review, review, review_steps, to_json
from theriac.review.choices import study_choices
from theriac.review.history import Choice, OpenMatch, read_history
from theriac.review.playouts import SLIP, Playouts
from theriac.review.results import PARTS
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("name", [game.name for game in GAMES])


def has_networks(game: Any) -> bool:
    """Does a network ship with the game?"""
    return any((game.folder / "networks").glob("*.npz"))


def residue(account: Any) -> float:
    """By how much the parts miss the result."""
    parts = sum(float(getattr(account, part)) for part in PARTS)
    return abs(parts - float(account.result))


# The account


@each_game
def test_the_parts_add_up_to_the_result(name: str) -> None:
    match = played(name)
    found = review(match.record(), budget=2000)
    results = match.results()
    for account in found.seats:
        own = sum(results) if match.game.together else results[account.seat]
        assert account.result == pytest.approx(own, abs=1e-9)
        assert residue(account) < 1e-9
        assert residue(account.points) < 1e-9
        assert account.points.result == match.look(None).scores[account.seat]
        for each in (account, account.points):
            others = sum(other.total for other in each.from_others)
            assert each.others == pytest.approx(others, abs=1e-9)


@each_game
def test_shares_of_the_win_are_shared(name: str) -> None:
    """All seats together have the whole win at any time, so parts of all seats cancel out."""
    found = review(played(name).record(), budget=2000)
    if found.together:
        assert all(seat.fair == found.seats[0].fair for seat in found.seats)
        return
    for point in found.curve:
        assert sum(point.values) == pytest.approx(1.0)
    assert sum(seat.cards for seat in found.seats) == pytest.approx(0.0, abs=1e-9)


def test_who_plays_as_the_policy_shows_no_skill() -> None:
    """In the mean: a slip loses what all other moves gain by not being one."""
    skills, slips = [], 0
    for seed in range(16):
        found = review(small_poison_by_policy(seed).record(), budget=3000)
        skills += [account.skill for account in found.seats]
        for decision in found.decisions:
            slips += decision.move not in [move.move for move in decision.moves if move.policy]
    assert slips > 10
    assert abs(np.mean(skills)) <= 4 * np.std(skills) / math.sqrt(len(skills))
    worse = review(small_poison(3, slip=1.0).record(), budget=3000)
    assert min(account.skill for account in worse.seats) < -0.2, "this one was played at random"


def test_skill_is_measured_against_all_that_the_policy_might_play() -> None:
    record = small_poison(seed=2).record()
    history, positions = last_round(record)
    playouts = Playouts(history, 0)
    playouts.follow(8)
    choices = [each for each in history.choices if each.moment in positions and len(each.slips) > 1]
    compared = 0
    for study in study_choices(choices, playouts, 12_000):
        study.compare(playouts, 400)
        values = playouts.values()
        by_move = {i: value for i, value, _, _ in study.move_values(values)}
        choice, (skill, error) = study.choice, study.skill(values)
        best = np.mean([by_move[i] for i in choice.policy.tolist()])
        slip = np.mean([by_move[i] for i in choice.slips.tolist()])
        right = by_move[choice.made_index] - (1 - SLIP) * best - SLIP * slip
        assert abs(skill - right) < 4 * error + 0.01
        compared += bool(abs(right) > 8 * error + 0.02)
    assert compared, "these moves are all as good as the policy: choose another game"


def test_more_playouts_are_more_exact() -> None:
    record = small_poison().record()
    few, many = (review(record, budget=budget) for budget in (2000, 60_000))
    assert many.largest_error < few.largest_error / 2
    assert many.playouts > 10 * few.playouts


# Values


def last_round(record: dict[str, Any]) -> tuple[Any, list[int]]:
    """The history of a game, and the positions of its last round, the deal before it included."""
    history = read_history(record)
    last = history.moments[-1].round
    inside = [k for k, moment in enumerate(history.moments) if moment.round == last]
    return history, [k for k in inside if history.moments[k].kind != "start"]


def test_values_are_those_of_full_enumeration() -> None:
    record = small_poison(seed=1).record()
    history, positions = last_round(record)
    found = review(record, budget=40_000)
    compared = 0
    for k in positions[-7:]:
        exact = exact_values(history.game, history.states[k], 3)
        for value, error, right in zip(
            found.curve[k].values, found.curve[k].errors, exact, strict=True
        ):
            assert abs(value - float(right)) <= 4.5 * error + 1e-9, f"position {k}"
            compared += 0 < right < 1
    assert compared > 4, "these positions are decided: choose another game"


def exact_move_values(choice: Choice, game: Any, samples: int) -> np.ndarray:
    """What each move is worth for its seat: full enumeration after each, over imagined states."""
    engine = game.engine("plain")
    states: dict[bytes, int] = {}
    random = np.zeros(3, np.int64)
    engine.seed_stream(random, 99, 0)
    words = np.zeros(words_of(game.shape), np.int64)
    for _ in range(samples):
        engine.imagine(choice.view, random, records_over(words, game.shape.state)[0])
        states[words.tobytes()] = states.get(words.tobytes(), 0) + 1
    total = np.zeros(len(choice.tried))
    for memory, times in states.items():
        for i, move in enumerate(choice.tried):
            after = np.frombuffer(memory, np.int64).copy()
            engine.play(records_over(after, game.shape.state)[0], int(move))
            total[i] += times * float(exact_values(game, after, 3)[choice.seat])
    return total / samples


@pytest.mark.parametrize(("name", "to_the_end"), [("poison", False), ("shock", True)])
def test_playouts_stop_where_a_model_knows_what_comes(
    name: str, to_the_end: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though ends are hardly shared: between rounds of Poison only points are kept, not hands."""
    monkeypatch.setattr("theriac.review.playouts._MAX_UNSHARED", 0.0)
    playouts = Playouts(read_history(played_with_all_cards(name).record()), 0)
    playouts.follow(40)
    assert playouts.to_the_end == to_the_end
    assert len(playouts.ends) == 40


def test_moves_are_worth_what_full_enumeration_says() -> None:
    record = small_poison(seed=3).record()
    history, positions = last_round(record)
    choice = next(each for each in history.choices if each.moment in positions[-6:])
    playouts = Playouts(history, 0)
    playouts.follow(8)
    (study,) = study_choices([choice], playouts, 8000)
    found = {i: (value, error) for i, value, error, _ in study.move_values(playouts.values())}
    samples = 200
    for i, right in enumerate(exact_move_values(choice, history.game, samples)):
        value, error = found[i]
        assert abs(value - right) <= 4.5 * math.hypot(error, 0.5 / math.sqrt(samples))


def planted(seed: int) -> tuple[dict[str, Any], int, str, float] | None:
    """A game in which a late move was clearly wrong by full enumeration.

    Returns its record, the number of the move, the best move and what it would have won more.
    """
    record = small_poison(seed, slip=0.5).record()
    history, positions = last_round(record)
    for choice in [each for each in history.choices if each.moment in positions[-6:]]:
        values = exact_move_values(choice, history.game, 20)
        loss = values.max() - values[choice.made_index]
        if loss > 0.4 and (values > values.max() - 0.1).sum() == 1:
            best = history.text(int(choice.tried[values.argmax()]))
            return record, choice.n, best, float(loss)
    return None


def test_a_planted_mistake_is_found() -> None:
    found = planted(14)
    assert found is not None
    record, n, best, loss = found
    mistakes = {mistake.n: mistake for mistake in review(record, budget=20_000).mistakes}
    assert mistakes[n].best == best
    assert mistakes[n].word == "blunder"
    assert mistakes[n].loss == pytest.approx(loss, abs=0.2)


# Nothing hidden


@each_game
def test_a_move_is_judged_by_what_its_player_could_know(name: str) -> None:
    """Exchange what the seat cannot know for another possible state: all values stay the same."""
    record = played(name).record()
    for history, choice, other in look_alikes(record, 6):
        columns = np.arange(len(choice.tried))
        one, two = (Playouts(history, 0).imagine(each, columns, 10) for each in (choice, other))
        assert np.array_equal(one, two)
        assert choice.policy.tolist() == other.policy.tolist()


@pytest.mark.parametrize("name", [game.name for game in GAMES if has_networks(game)])
def test_the_network_judges_by_what_the_player_could_know(name: str) -> None:
    record = played_with_all_cards(name).record()
    for history, choice, other in look_alikes(record, 3):
        found = [judged_by_network(history, each) for each in (choice, other)]
        for one, two in zip(*found, strict=True):
            assert np.array_equal(one, two)


def judged_by_network(history: Any, choice: Choice) -> list[np.ndarray]:
    """How the network rates the moves of a choice, and the ends that it comes to after them."""
    columns, playouts = np.arange(len(choice.tried)), Playouts(history, 0)
    assert playouts.has_network
    ways = np.repeat([0, 1], len(columns))
    twice = np.tile(columns, 2)
    return [playouts.rate(choice, columns, 4), playouts.imagine_well(choice, twice, ways, 2)]


def look_alikes(record: dict[str, Any], count: int) -> list[tuple[Any, Choice, Choice]]:
    """Some choices, each with the same one in another state that the seat's view allows."""
    history = read_history(record)
    found = []
    for choice in history.choices[1 :: max(1, len(history.choices) // count)]:
        other = look_alike(record, choice)
        if other is not None:
            assert other.view.tobytes() == choice.view.tobytes()
            found.append((history, choice, other))
    assert found, "no state was exchanged"
    return found


def look_alike(record: dict[str, Any], choice: Choice) -> Choice | None:
    """The same choice in another state that the seat's view allows; None if there is no other."""
    match = OpenMatch.at(record, choice.n - 1)
    before = match.state_words()
    random = np.zeros(3, np.int64)
    match.game.engine().seed_stream(random, 5, choice.n)
    match.game.engine().imagine(choice.view, random, match._g)
    if np.array_equal(match.state_words(), before):
        return None
    return match.choice(choice.moment, choice.made)


# The same again


@each_game
def test_the_same_seed_gives_the_same_review(name: str) -> None:
    record = played_with_all_cards(name).record()
    one, two, other = (review(record, budget=1000, seed=seed) for seed in (7, 7, 8))
    assert one == two
    assert other != one


def test_the_curve_comes_first_and_the_account_gets_finer() -> None:
    steps = list(review_steps(small_poison().record(), budget=20_000))
    assert [step.stage for step in steps] == ["curve", "account", "account", "done"]
    assert steps[0].seats == [] and len(steps[0].curve) == len(steps[-1].curve)
    assert steps[0].playouts < 0.2 * steps[-1].playouts
    assert steps[1].largest_error > steps[-1].largest_error
    assert abs(steps[-1].playouts - 20_000) < 4000


def test_time_is_limited() -> None:
    found = review(played("poison").record(), budget=100_000_000, seconds=0.5)
    assert found.stage == "done"
    assert found.playouts < 50_000_000


def test_a_review_is_json_and_back() -> None:
    found = review(small_poison().record(), budget=1000)
    assert msgspec.convert(to_json(found), Review) == found
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found


# Bad input


def test_an_unfinished_game_is_refused() -> None:
    record = played("poison").record()
    record = {**record, "moves": record["moves"][:-1]}
    with pytest.raises(
        BadRecord, match=r"the game is not over: seat \d is to move after \d+ moves"
    ):
        review(record)


def test_a_record_with_errors_is_refused() -> None:
    record = small_poison().record()
    moves = record["moves"]
    with pytest.raises(Fault, match="move 1: "):
        review({**record, "moves": ["R9@1", *moves[1:]]})
    with pytest.raises(Fault, match=f"move {len(moves) + 1}: "):
        review({**record, "moves": [*moves, moves[-1]]})
    with pytest.raises(BadRecord, match="theriac"):
        review({})


def test_a_budget_says_what_it_can_be() -> None:
    record = small_poison().record()
    for budget in (0, 999, 10**10, 2000.0, True):
        with pytest.raises(BadOption, match="use a number of playouts from 1000 to"):
            review(record, budget=budget)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="seconds 0: use a number above 0"):
        review(record, seconds=0)
    with pytest.raises(Fault, match="seed -1"):
        review(record, seed=-1)


def test_the_library_has_a_function_of_the_name_of_the_package() -> None:
    record = small_poison().record()
    assert theriac.review(record, budget=1000) == review(record, budget=1000)
