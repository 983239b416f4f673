"""Sealed shuffles: docs/shuffle.md alone is enough to compute every card again."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

import theriac
from tests.contract.setups import GAMES
from theriac import seal
from theriac.faults import Fault
from theriac.game import Game
from theriac.match import Match
from theriac.record import verify

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
    assert steps[-1] == f"all {len(record['moves'])} moves are legal"


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


# The order of the cards before a shuffle, as the table in docs/shuffle.md has it


def poison_place(card: str) -> tuple[int, ...]:
    return "RBPX".index(card[0]), int(card[1:] or 0)


def shokoba_place(card: str) -> tuple[int, ...]:
    return int(card[1:]), "SRED".index(card[0])


def shock_place(card: str) -> tuple[Any, ...]:
    poisons = ["jellyfish", "spider", "bee"]
    if card in poisons:
        return 4, poisons.index(card)
    return (5, card) if card[0] == "J" else ("HSDC".index(card[0]), int(card[1:]))


def dungeon_place(card: str) -> int:
    deck = list(dict.fromkeys(theriac.all_games()["dungeon"].shipped.cards()))
    return [*deck, "fireball", "ice", "poison", "silence"].index(card)


PLACES: dict[str, Any] = {
    "poison": poison_place,
    "shokoba": shokoba_place,
    "shock": shock_place,
    "anaphylaxis": shock_place,
    "dungeon": dungeon_place,
}


def check_order(match: Match) -> None:
    """Sorted into the documented order and shuffled by the recipe, the cards are those dealt."""
    assert match.seed is not None
    for number, dealt in enumerate(match.dealt, 1):
        cards = sorted(dealt, key=PLACES[match.game.name])
        order = a_shuffle(match.seed, number, len(cards))
        assert [cards[i] for i in order] == dealt


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_the_page_gives_the_order_of_the_cards_before_a_shuffle(game: Game) -> None:
    match = theriac.new(game.name, players=game.players[-1], seed=SECRET)
    random = Random(2)
    while not match.over:
        match.play(random.choice(match.legal()))
    check_order(match)


def test_the_page_gives_the_order_of_the_spells() -> None:
    options: dict[str, Any] = {"players": 1, "first": 0, "level": 1, "spells": ["ice"]}
    options["deck"] = ["0000"] * 8 + ["2211t3K"]
    match = theriac.new("dungeon", seed=SECRET, **options)
    for move in "0000@1,1 0000@2,2 2211t3K@3,3 0000@4,2".split():
        match.play(move)
    assert match.winners() == [0]
    spells = ["fireball", "poison", "silence"]
    assert match.dealt[1] == [spells[i] for i in a_shuffle(SECRET, 2, 3)]
    assert set(match.view()["table"]["spells"]) == {"ice", match.dealt[1][0]}


@pytest.mark.clause("SHK-44", "SHK-47")
def test_the_page_numbers_the_shuffles_of_anaphylaxis() -> None:
    match = theriac.new("anaphylaxis", players=3, seed=SECRET)
    random = Random(3)
    while not match.over:
        match.play(random.choice(match.legal()))
    doors = {number: len(deal) for number, deal in enumerate(match.dealt, 1) if "J1" in deal}
    assert doors == {2: 12, 4: 12, 7: 11, 9: 11, 11: 11}
    assert sorted(match.dealt[4]) == ["bee", "jellyfish", "spider"]
    assert len(match.dealt) == 11
