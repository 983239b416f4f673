"""The usual rules: what the contract asks for and most games would write in the same way.

A game that has no function of that name gets the usual one (`usual_rules`). Some need to know
something: `result` who wins, `imagine` which cards were seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from theriac.engine.bits import bit, count_bits, lowest
from theriac.engine.chance import Stream, below
from theriac.engine.contract import NOBODY, refuse, result, score
from theriac.engine.open_fields import encode_fields as encode_fields_of
from theriac.engine.records import Features, Moves, State, View
from theriac.engine.rule import rule, slot, value_slot
from theriac.engine.shape import Shape

#: Which score wins.
Wins = Literal["highest", "lowest"]
Rules = Mapping[str, Callable[..., Any]]

# What is made from the records of a game (`engine.open_fields`)

MOVES: int = value_slot("MOVES")
PLAYERS: int = value_slot("PLAYERS")


@slot
def copy_open(source: Any, target: Any) -> None:
    """Copy the open fields from STATE to VIEW, or back."""


@slot
def fill_view(g: State, seat: int, v: View) -> None:
    """Fill a view: all that is open, and what the seat itself has."""


@slot
def encode_fields(v: View, out: Features) -> None:
    """Write every field of a view as features."""


@slot
def count_players(g: State) -> int:
    """The number of players of this game."""
    return 0


@slot
def cards_in(g: State, seat: int) -> int:
    """How many cards a hand has: a set, or a count of each card."""
    return 0


@rule
def players_in_state(g: State) -> int:
    """A STATE has them if their number can vary."""
    return g.players


@rule
def players_in_shape(g: State) -> int:
    """The only number of players."""
    return PLAYERS


# The rules


@rule
def usual_see(g: State, seat: int, v: View) -> None:
    """All that is open, and one's own cards."""
    fill_view(g, seat, v)


@rule
def usual_list_legal(g: State, moves: Moves) -> int:
    """Every move that `refuse` accepts, ascending."""
    n = 0
    for move in range(MOVES):
        if refuse(g, move) == 0:
            moves[n] = move
            n += 1
    return n


@rule
def highest_wins(g: State, seat: int) -> float:
    """The highest score wins; equal ones share the win."""
    return share_of_win(g, seat, 1.0)


@rule
def lowest_wins(g: State, seat: int) -> float:
    """The lowest score wins; equal ones share the win."""
    return share_of_win(g, seat, -1.0)


@rule
def share_of_win(g: State, seat: int, sign: float) -> float:
    """Nothing if another seat has a better score, else an equal share with those that have the
    same. The higher score is better; with the sign -1, the lower one.
    """
    mine = float(score(g, seat))
    equal = 0
    for other in range(count_players(g)):
        better_by = sign * (float(score(g, other)) - mine)
        if better_by > 0.0:
            return 0.0
        equal += int(better_by == 0.0)
    return 1.0 / equal


@rule
def prospect_if_highest_wins(g: State, seat: int) -> float:
    """A share by the scores so far: more is better."""
    return result(g, seat) if g.to_act == NOBODY else share_by_scores(g, seat, 0.5)


@rule
def prospect_if_lowest_wins(g: State, seat: int) -> float:
    """A share by the scores so far: less is better."""
    return result(g, seat) if g.to_act == NOBODY else share_by_scores(g, seat, -0.5)


@rule
def share_by_scores(g: State, seat: int, weight: float) -> float:
    """Each pair of seats shares a point: half each, more for the better score, by how much larger
    the difference is than both scores together. A seat's share is that of all these points.
    """
    players = count_players(g)
    mine = float(score(g, seat))
    points = 0.0
    for other in range(players):
        if other != seat:
            theirs = float(score(g, other))
            points += 0.5 + weight * (mine - theirs) / (abs(mine) + abs(theirs) + 1.0)
    return 1.0 if players == 1 else points / (0.5 * players * (players - 1))


@rule
def usual_encode(v: View, out: Features) -> None:
    """Every field of the view, in the order of VIEW."""
    encode_fields(v, out)


@rule
def usual_advise(v: View, move: int) -> float:
    """No advice: every move is as good as any other."""
    return 0.0


@rule
def no_advise_source(g: State, view: View) -> View:
    """The usual `advise` reads nothing: nothing has to be filled."""
    return view


# Cards: sets of bits, or a count of each


@rule
def odds_in_set(g: State, pile: int, card: int) -> int:
    """Nature deals from the cards not yet dealt."""
    return (g.undealt >> card) & 1


@rule
def odds_in_counts(g: State, pile: int, card: int) -> int:
    """Nature deals from the cards not yet dealt."""
    return g.undealt[card]


@rule
def imagine_sets(v: View, random: Stream, g: State) -> None:
    """Deal the unseen cards to the other hands and the pile: each takes a free place at random,
    which makes all deals equally likely.
    """
    copy_open(v, g)
    g.undealt = 0
    for seat in range(len(g.hands)):
        g.hands[seat] = 0
    rest = int(v.deck) & ~(int(v.seen) | int(v.hand))
    free = count_bits(rest)
    while rest:
        card = lowest(rest)
        seat = draw_hand(v, random, g, free)
        if seat < len(g.hands):
            g.hands[seat] |= bit(card)
        else:
            g.undealt |= bit(card)
        rest &= rest - 1
        free -= 1
    g.hands[v.seat] = v.hand


@rule
def imagine_counts(v: View, random: Stream, g: State) -> None:
    """Deal the unseen cards to the other hands and the pile: each takes a free place at random,
    which makes all deals equally likely.
    """
    copy_open(v, g)
    free = 0
    for card in range(len(g.undealt)):
        g.undealt[card] = 0
        free += v.deck[card] - v.seen[card] - v.hand[card]
        for seat in range(len(g.hands)):
            g.hands[seat, card] = 0
    for card in range(len(g.undealt)):
        for _ in range(v.deck[card] - v.seen[card] - v.hand[card]):
            seat = draw_hand(v, random, g, free)
            if seat < len(g.hands):
                g.hands[seat, card] += 1
            else:
                g.undealt[card] += 1
            free -= 1
    for card in range(len(g.undealt)):
        g.hands[v.seat, card] = v.hand[card]


@rule
def draw_hand(v: View, random: Stream, g: State, free: int) -> int:
    """The other hand that gets the next unseen card, or the number of hands: the pile gets it.
    Each of the free places is equally likely.

    It is `hidden.take_place` for a STATE that need not have a row of free places to count down,
    and a VIEW that must not be written to, because threads of a search share it.
    """
    i = below(random, free)
    for seat in range(len(g.hands)):
        if seat != v.seat:
            free_here = v.sizes[seat] - cards_in(g, seat)
            if i < free_here:
                return seat
            i -= free_here
    return len(g.hands)


@rule
def cards_in_set(g: State, seat: int) -> int:
    """How many cards a hand has."""
    return count_bits(g.hands[seat])


@rule
def cards_in_counts(g: State, seat: int) -> int:
    """How many cards a hand has."""
    n = 0
    for card in range(len(g.undealt)):
        n += g.hands[seat, card]
    return n


# Which of them a game gets

_RESULTS: Final[Rules] = {"highest": highest_wins, "lowest": lowest_wins}
_PROSPECTS: Final[Rules] = {
    "highest": prospect_if_highest_wins,
    "lowest": prospect_if_lowest_wins,
}


def is_usual(function: Any) -> bool:
    """Is this one of the usual rules?"""
    return getattr(function, "__module__", None) == __name__


def usual_rules(own: Rules, shape: Shape, wins: Wins | None, together: bool) -> Rules:
    """The usual rules for those that a game lacks, where they can be derived."""
    usual: dict[str, Callable[..., Any]] = {
        "list_legal": usual_list_legal,
        "encode": usual_encode,
        "advise": usual_advise,
    }
    if not shape.fields.unfilled:
        usual["see"] = usual_see
    if "advise" not in own:
        usual["advise_source"] = no_advise_source
    if wins and not together:
        usual |= {"result": _RESULTS[wins], "prospect": _PROSPECTS[wins]}
    if _deals_from_undealt(shape):
        in_sets = not shape.state["undealt"].shape
        usual["odds"] = odds_in_set if in_sets else odds_in_counts
        if not why_no_imagine(shape):
            usual["imagine"] = imagine_sets if in_sets else imagine_counts
    return {name: function for name, function in usual.items() if name not in own}


def _deals_from_undealt(shape: Shape) -> bool:
    """Is there one pile, whose cards are in the field `undealt`?"""
    names = shape.state.names or ()
    shapes = [(), (shape.cards,)]
    return len(shape.piles) == 1 and "undealt" in names and shape.state["undealt"].shape in shapes


def why_no_imagine(shape: Shape) -> str:
    """Why the usual `imagine` does not fit a game; "" if it does."""
    if not _deals_from_undealt(shape):
        return "STATE has no field undealt with the cards left in the only pile"
    for name in ("seat", "hand", "sizes", "deck", "seen"):
        if name not in (shape.view.names or ()):
            return f"VIEW has no field {name}"
    one = shape.state["undealt"]
    for name in ("hand", "deck", "seen"):
        if shape.view[name].shape != one.shape:
            return f"VIEW.{name} does not hold cards as STATE.undealt does"
    if shape.fields.own.get("hand") != "hands":
        return "VIEW.hand is not the viewer's own of STATE.hands"
    for name in shape.state.names or ():
        if name not in ("undealt", "hands", *shape.fields.open):
            return f"STATE.{name} is not in VIEW, and it is neither hands nor undealt"
    return ""


def fill_usual(rules: Rules, shape: Shape) -> dict[Any, Any]:
    """What fills the slots of the usual rules that a game has."""
    has_players = "players" in (shape.state.names or ())
    filled: dict[Any, Any] = {
        MOVES: shape.moves,
        PLAYERS: shape.players,
        count_players: players_in_state if has_players else players_in_shape,
    }
    if rules.get("see") is usual_see:
        filled[fill_view] = shape.fill_view
    if rules.get("encode") is usual_encode:
        filled[encode_fields] = encode_fields_of(shape.fields)
    if rules.get("imagine") in (imagine_sets, imagine_counts):
        in_sets = rules["imagine"] is imagine_sets
        filled[copy_open] = shape.copy_open
        filled[cards_in] = cards_in_set if in_sets else cards_in_counts
    return filled
