"""Shock!: the deck as the rules read it, and the options checked together with it."""

from __future__ import annotations

from typing import Any

from theriac.deck import Deck
from theriac.engine.bits import count_bits
from theriac.faults import BadDeck, quote
from theriac.games.shock import deal
from theriac.games.shock.poisons import JEWELS_WITH_POISON
from theriac.games.shock.state import (
    ANAPHYLAXIS,
    CHEST_KINDS,
    MOST_FRONT,
    MOST_MIDDLE,
    NUMBERS,
    SOBA,
)
from theriac.games.shock.text import POISONS, ShockText, cards_in, name_of, number_of


def fill_options(options: Any, text: ShockText) -> None:
    """SHK-01, SHK-02, SHK-03, SHK-04, SHK-05: the cards, and what is on them."""
    deck = text.deck
    options.edition = text.edition
    options.numbers = sum(1 << card for card in range(NUMBERS) if text.cards[card])
    for kind in range(CHEST_KINDS):
        options.chest_deck[kind] = deck.counts.get(text.cards[NUMBERS + kind], 0)
        options.large[kind], options.small[kind] = text.jewels_of[kind]
    for kind in range(SOBA):
        if POISONS[kind] in deck.marks.get("jewel", ()):
            options.large[kind] = JEWELS_WITH_POISON
    options.with_jewel = marked(deck, "jewel")
    options.with_potion = marked(deck, "potion")
    for kind, name in enumerate(POISONS):
        options.with_poison[kind] = marked(deck, name)
    check_marks(options, deck)


def marked(deck: Deck, mark: str) -> int:
    """The number cards that bear a mark, as a set."""
    cards = 0
    for card in deck.marks.get(mark, ()):
        number = number_of(card)
        if number is not None:
            cards |= 1 << number
        elif mark != "jewel" or card not in POISONS[:SOBA]:
            raise BadDeck(f"mark {mark}: {quote(card)} is not a number card", card)
    return cards


def check_marks(options: Any, deck: Deck) -> None:
    """A card is a poison, a potion, or neither, and there is space for those in front."""
    sets = [int(options.with_potion), *options.with_poison.tolist()]
    if sum(cards.bit_count() for cards in sets) > MOST_FRONT:
        raise BadDeck(f"at most {MOST_FRONT} number cards can be poisons or potions")
    for i, cards in enumerate(sets):
        for other in sets[:i]:
            if both := cards_in(cards & other):
                card = name_of(both[0])
                raise BadDeck(
                    f"card {card}: a number card cannot be two of poison and potion at once",
                    card,
                )
    if sum(deck.counts.get(name, 0) for name in POISONS[:SOBA]) > MOST_MIDDLE:
        raise BadDeck(f"at most {MOST_MIDDLE} poison cards")


def check_options(options: Any, deck: Deck) -> tuple[str, int] | None:
    """SHK-08, SHK-31, SHK-32, SHK-44: enough cards to deal, and a chest that cannot run out."""
    players = int(options.players)
    numbers = count_bits(options.numbers & deal.ranks_played(players))
    if numbers < players + 1:
        needed = f"at least {players + 1} number cards of the ranks in play are needed"
        return f"option deck: {needed}, not {numbers}", 8
    tricks = deal.cards_dealt(players, numbers)
    counts = options.chest_deck.tolist()
    poisons = counts[:SOBA]
    if options.edition == ANAPHYLAXIS:
        if min(poisons) == 0:
            return "option deck: a door card of each poison is needed", 44
        if sum(counts) <= tricks:
            return f"option deck: {sum(counts)} door cards are too few for {tricks} tricks", 32
    elif sum(counts) < 3 * tricks and sum(poisons) <= sum(n > 0 for n in poisons):
        return f"option deck: {sum(counts)} chest cards could run out", 31
    return None
