"""Sealed shuffles: docs/shuffle.md alone is enough to compute every card again."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

import theriac
from theriac import seal
from theriac.faults import Fault
from theriac.game import Game
from theriac.match import Match
from theriac.testing.setups import GAMES, own
from theriac.verification import GAME_OVER, verify

SECRET = bytes(range(32))


def a_word(seed: bytes, purpose: str, number: int) -> int:
    """One word of a purpose, computed from the recipe."""
    block = hmac.new(seed, f"{purpose} {number // 8}".encode(), hashlib.sha256).digest()
    return int.from_bytes(block[4 * (number % 8) :][:4], "big")


def a_shuffle(seed: bytes, number: int, n: int) -> list[int]:
    """A second implementation of the recipe in `docs/shuffle.md`."""
    order, used = list(range(n)), 0
    for i in range(n - 1, 0, -1):
        while (word := a_word(seed, f"shuffle {number}", used)) >= 2**32 // (i + 1) * (i + 1):
            used += 1
        used += 1
        order[i], order[word % (i + 1)] = order[word % (i + 1)], order[i]
    return order


@pytest.mark.parametrize("n", [1, 2, 6, 40, 50, 1000])
def test_the_recipe_gives_the_same_shuffles(n: int) -> None:
    for number in (1, 2, 17):
        assert seal.shuffle(SECRET, number, n) == a_shuffle(SECRET, number, n)


def test_the_published_test_vectors_hold() -> None:
    assert seal.commitment(SECRET) == (
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )
    assert seal.sealed_seed(SECRET, ["a", "b", "c"]) == hmac.digest(
        SECRET, b"theriac seed 1\na\nb\nc", "sha256"
    )
    assert seal.shuffle(bytes(32), 1, 6) == [0, 5, 1, 4, 3, 2]
    assert [seal.first_seat(bytes([n] * 32), 4) for n in range(8)] == [1, 3, 2, 0, 3, 1, 3, 1]


def test_a_word_that_would_favour_low_numbers_is_skipped() -> None:
    assert seal.below(iter([2**32 - 1, 2**32 - 1, 7]), 3) == 1
    assert seal.below(iter([2**32 - 1]), 2) == 1
    assert seal.below(iter([2**32 - 6, 5]), 10) == 5


def test_all_orders_are_equally_likely() -> None:
    counts = Counter(
        tuple(seal.shuffle(bytes([a, b] * 16), 1, 3)) for a in range(40) for b in range(40)
    )
    assert set(counts) == set(permutations(range(3)))
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_every_seed_and_number_gives_another_shuffle() -> None:
    orders = {tuple(seal.shuffle(bytes([n] * 32), k, 40)) for n in range(20) for k in range(1, 20)}
    assert len(orders) == 20 * 19


@pytest.mark.parametrize("nonce", ["a\nb", "x" * 65, "\x00", "\u202e", "tab\t"])
def test_a_nonce_is_one_printable_line(nonce: str) -> None:
    with pytest.raises(Fault, match="a nonce is one line of at most 64 printable characters"):
        seal.sealed_seed(SECRET, ["a", nonce])


def sealed_record(game: Game) -> dict[str, Any]:
    """A finished game with its seal."""
    players = game.players[0]
    nonces = [f"nonce {seat}" for seat in range(players)]
    match = theriac.new(game.name, players=players, seed=seal.sealed_seed(SECRET, nonces))
    random = Random(1)
    while not match.over:
        match.play(random.choice(match.legal()))
    sealed = {"commitment": seal.commitment(SECRET), "secret": SECRET.hex(), "nonces": nonces}
    return {**match.record(), "deals": match.dealt, "seal": sealed}


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_a_sealed_game_can_be_verified(game: Game) -> None:
    record = sealed_record(game)
    steps = verify(record)
    assert steps[0] == "the secret matches the commitment"
    assert steps[-2:] == [f"all {len(record['moves'])} moves are legal", GAME_OVER]


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_any_manipulation_is_detected(game: Game) -> None:
    record = sealed_record(game)
    sealed = record["seal"]
    deals = [list(deal) for deal in record["deals"]]
    last = deals[-1]
    other = next(i for i, card in enumerate(last) if card != last[0])
    last[0], last[other] = last[other], last[0]
    for change, said in (
        ({"seal": {**sealed, "secret": bytes(32).hex()}}, "does not match the commitment"),
        ({"seal": {**sealed, "commitment": "0" * 64}}, "does not match the commitment"),
        ({"seal": {**sealed, "nonces": ["x", *sealed["nonces"][1:]]}}, "seed does not come from"),
        ({"seed": bytes(32).hex()}, "seed does not come from"),
        ({"deals": deals}, f"deal {len(deals)} is not what the seed gives: card 1 should be"),
        ({"moves": [*record["moves"][:-1], "x"]}, f"move {len(record['moves'])}: x"),
        ({"seal": None}, 'no "seal"'),
        ({"seal": {**sealed, "more": 1}}, "nothing else"),
        ({"seal": {**sealed, "nonces": sealed["nonces"][1:]}}, "one per seat"),
    ):
        with pytest.raises(Fault, match=said):
            verify({**record, **change})


# The order of the cards before a shuffle: as the game's notation.md has it


def places(match: Match) -> Callable[[str], Any]:
    """The place of a card before a shuffle: as the game says, or by the numbers of the cards."""
    said: Callable[[str], Any] | None = own(match.game, "place_before_a_shuffle", None)
    return said or list(match.settings.text.cards).index


def check_order(match: Match) -> None:
    """Sorted into the documented order and shuffled by the recipe, the cards are those dealt."""
    assert match.seed is not None
    for number, dealt in enumerate(match.dealt, 1):
        cards = sorted(dealt, key=places(match))
        order = a_shuffle(match.seed, number, len(cards))
        assert [cards[i] for i in order] == dealt


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_the_page_gives_the_order_of_the_cards_before_a_shuffle(game: Game) -> None:
    match = theriac.new(game.name, players=game.players[-1], seed=SECRET)
    random = Random(2)
    while not match.over:
        match.play(random.choice(match.legal()))
    check_order(match)
