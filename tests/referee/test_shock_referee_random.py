"""Tests of the Shock! referee: random play under every option, with invariants."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from .helpers import seeded
from .shock import Anaphylaxis, Shock
from .shock_common import Knights

FLAGS = [False, True]
OPTIONS: list[tuple[type[Knights], dict[str, Any]]] = [
    *(
        (Shock, {"players": p, "simplified": s, "potions": m, "open_bags": o})
        for p, s, m, o in itertools.product([3, 4, 5], FLAGS, ["must", "may"], FLAGS)
    ),
    *(
        (Anaphylaxis, {"players": p, "soba": s, "potions": "must", "open_bags": o})
        for p, s, o in itertools.product([3, 4, 5], FLAGS, FLAGS)
    ),
]


def name(value: Any) -> str:
    if isinstance(value, dict):
        return "-".join(str(v) for v in value.values())
    return str(value.name)


def check_texts(game: Knights, rng: random.Random) -> None:
    """refusal() and legal() are written apart: they must agree."""
    legal = game.legal()
    assert legal == sorted(set(legal)) and bool(legal) is not game.over
    tries = ["open", "stop", "keep", "nonsense", "cure:jellyfish", "cure:spider", "cure:bee"]
    tries += ["cure:soba", *(rng.choice(["", "~", "w~"]) + card for card in game.numbers)]
    for text in legal + tries:
        assert (game.refusal(text) is None) == (text in legal), text


def check_cards(game: Knights) -> None:
    """Every number card and every chest card is somewhere, once."""
    lying = [*game.number_pile, game.trump, *game.discards, *(p.card for p in game.trick)]
    for cards in (*game.hands, *game.front):
        lying += cards
    assert sorted(lying) == sorted(game.numbers)
    assert Counter(game.chest + game.middle + game.chest_discards) == Counter(game.chest_cards)
    if isinstance(game, Anaphylaxis):
        assert len(game.chest_cards) == (12 if game.round <= 2 else 11)
    else:
        assert len(game.chest_cards) == 24 and len(game.chest) >= 2  # SHK-31


def check_table(game: Knights) -> None:
    table = game.table()
    for seat in range(game.players):
        if not game.in_round[seat]:
            assert game.on_bag[seat] == 0  # shocked or stored
        poisons = [card for card in game.front[seat] if game.poison(card) is not None]
        assert set(game.covered[seat]) <= set(poisons)
        assert len(set(game.covered[seat])) == len(game.covered[seat])
        assert 0 <= game.unused_potions(seat) <= 2
        if game.phase != "potion":
            if game.in_round[seat]:
                kinds = [game.poison(card) for card in game.uncovered(seat)] + game.middle
                assert len(kinds) == len(set(kinds))  # SHK-20
            if game.options["potions"] == "must":
                assert not (game.unused_potions(seat) and game.uncovered(seat))  # SHK-25
    sizes = table["hands"]
    if game.over:
        assert table["leader"] is None and game.to_act is None and table["trick"] == []
        assert table["on_bag"] == [0] * game.players
        return
    assert game.leader is not None and game.to_act is not None
    if game.phase == "card":
        assert game.in_round[game.leader] and sum(game.in_round) >= 1
        assert game.to_act not in [played["seat"] for played in table["trick"]]
        assert len(set(sizes)) <= 2 and max(sizes) - min(sizes) <= 1
        if not table["trick"]:
            assert game.to_act == game.leader and sum(game.in_round) >= 2  # SHK-18, SHK-38
            assert len(set(sizes)) == 1
        else:
            first = table["trick"][0]["seat"]
            order = [(first + i) % game.players for i in range(len(table["trick"]))]
            assert [played["seat"] for played in table["trick"]] == order
            face_up = [played for played in table["trick"] if played["card"] is not None]
            if face_up:
                assert face_up[0]["seat"] == game.leader
    else:
        assert table["trick"] == [] and game.in_round[game.to_act]
        assert len(set(sizes)) == 1
    for played in table["trick"]:
        if played["card"] is None:
            assert played["jewels"] == (2 if game.players == 3 else 1)
            assert not game.in_round[played["seat"]]
        else:
            assert played["jewels"] == (1 if int(played["card"][1:]) % 2 == 0 else 0)
            assert game.in_round[played["seat"]]


def check_views(game: Knights) -> None:
    state = game.state()
    for seat in range(game.players):
        view = game.seat_state(seat)
        assert view["hand"] == sorted(game.hands[seat])
        assert view["legal"] == (state["legal"] if seat == state["to_act"] else [])
        known = game.over or game.options["open_bags"]
        for other in range(game.players):
            mine = known or other == seat
            assert view["scores"][other] == (state["scores"][other] if mine else None)
        for key in ("game", "over", "to_act", "round", "winners", "table"):
            assert view[key] == state[key]


def note(game: Knights, text: str, seen: Counter[str]) -> None:
    """What is about to happen that a test should have met."""
    kind = text if text in ("open", "stop", "keep") else text.partition(":")[0]
    if kind in ("open", "stop", "keep", "cure"):
        seen[kind] += 1
        if kind == "cure" and game.options["potions"] == "may" and not game.may_keep():
            seen["cure that must be"] += 1
        if kind in ("open", "stop") and not any(game.hands):
            seen["challenge of the last trick"] += 1
        if kind in ("open", "stop") and sum(game.in_round) == 1:
            seen["challenge of the only one in"] += 1
        return
    if text.startswith("w~"):
        seen["withdraws"] += 1
        if game.to_act == game.leader:
            seen["leader withdraws"] += 1
        if sum(game.in_round) == 1:
            seen["everybody withdraws"] += 1
            if len(game.trick) < game.players - 1:
                seen["everybody withdraws early"] += 1
            if game.last_winner is None:
                seen["no trick won"] += 1
    elif sum(game.in_round) == 1 and game.in_round[game.to_act or 0] and "~" not in text:
        seen["the last one in plays"] += 1


def choose(game: Knights, rng: random.Random, timid: float) -> str:
    legal = game.legal()
    bold = [text for text in legal if not text.startswith("w~")]
    return rng.choice(legal if rng.random() < timid or not bold else bold)


@pytest.mark.parametrize(("cls", "options"), OPTIONS, ids=name)
def test_random_play(cls: type[Knights], options: dict[str, Any]) -> None:
    """SHK-10, SHK-31, SHK-38: never stuck, five rounds, nothing lost, bags only ever grow."""
    for seed in range(12):
        rng = random.Random(seed)
        game = cls({"first": seed % options["players"], **options}, [], seeded(seed))
        timid = [0.0, 0.02, 0.1, 0.5, 1.0][seed % 5]
        rounds = [1]
        while not game.over:
            check_texts(game, rng)
            check_cards(game)
            check_table(game)
            check_views(game)
            text = choose(game, rng, timid)
            bags, shuffles = game.scores(), len(game.draws)
            game.play(text)
            assert all(a <= b for a, b in zip(bags, game.scores(), strict=True))
            assert game.round in (rounds[-1], rounds[-1] + 1)
            if game.round > rounds[-1]:
                rounds.append(game.round)
                extra = 3 if cls is Anaphylaxis and game.round == 3 else 2
                assert len(game.draws) == shuffles + extra  # SHK-44, SHK-47
                assert game.table()["hands"] == [game.hand_size()] * game.players
                assert game.front == game.covered == [[]] * game.players  # SHK-39
                assert all(game.in_round) and game.middle == [] and not any(game.on_bag)
            else:
                assert len(game.draws) == shuffles
        assert rounds == [1, 2, 3, 4, 5]
        check_texts(game, rng)
        check_cards(game)
        check_table(game)
        check_views(game)
        best = max(game.scores())
        assert game.winners == [s for s in range(game.players) if game.scores()[s] == best]


@pytest.mark.parametrize(
    ("cls", "potions"), [(Shock, "must"), (Shock, "may"), (Anaphylaxis, "must")]
)
def test_random_play_meets_everything(cls: type[Knights], potions: str) -> None:
    """What random play is trusted to have tried does come up."""
    seen: Counter[str] = Counter()
    for seed in range(120):
        rng = random.Random(seed)
        players = 3 + seed % 3
        game = cls({"players": players, "first": 0, "potions": potions}, [], seeded(seed))
        while not game.over:
            text = choose(game, rng, [0.0, 0.02, 0.1, 0.3, 0.6][seed % 5])
            note(game, text, seen)
            game.play(text)
    expected = ["cure", "withdraws", "leader withdraws", "everybody withdraws", "no trick won"]
    expected += ["everybody withdraws early", "the last one in plays"]
    if cls is Shock:
        expected += ["open", "stop", "challenge of the last trick", "challenge of the only one in"]
    if potions == "may":
        expected += ["keep", "cure that must be"]
    assert [event for event in expected if not seen[event]] == []
