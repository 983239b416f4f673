"""Routes: the games, their rules and their decks."""

from __future__ import annotations

from typing import Annotated, cast

from litestar import get, post
from litestar.datastructures import State
from litestar.params import Parameter

from theriac.game import Game, all_games
from theriac.rulebook import describe, read_own_page
from theriac.server.http import bodies, decks
from theriac.server.http.game_files import addresses
from theriac.server.http.requests import AnyRequest, find_game, in_thread, limit_by_address
from theriac.tutorial import has_tutorial


@get("/api/games", summary="The games and their options")
async def list_games(request: AnyRequest) -> list[bodies.GameInfo]:
    """All games, those that are learnt most quickly first."""
    easiest_first = sorted(all_games().values(), key=lambda game: game.effort)
    return await in_thread(request, lambda: [_describe(game) for game in easiest_first])


def _describe(game: Game) -> bodies.GameInfo:
    """A game, and what the page needs to show it."""
    return cast(
        bodies.GameInfo,
        {
            **describe(game),
            "tutorial": has_tutorial(game),
            "per_seat": list(game.text.per_seat),
            "seat_keys": list(game.text.seat_keys),
            "files": addresses(game),
        },
    )


@get("/api/games/{game:str}/rules", media_type="text/markdown", summary="The rule page of a game")
async def show_rules(game: str, language: Annotated[str, Parameter(max_length=10)] = "en") -> str:
    """The rules, as Markdown."""
    return read_own_page(find_game(game), language)


@get("/api/games/{game:str}/deck", summary="The deck that comes with a game")
async def show_deck(game: str) -> bodies.DeckContents:
    """Its cards and their marks."""
    return decks.deck_contents(find_game(game))


@post("/api/games/{game:str}/deck", status_code=200, summary="Check a deck file")
async def check_deck(
    request: AnyRequest, state: State, game: str, data: bodies.DeckText
) -> bodies.DeckCheck:
    """What is wrong with it, and how many can play with it."""
    limit_by_address(request, state.rates.tutorials)
    return await in_thread(request, decks.check_text, find_game(game), data.deck)


@post("/api/games/{game:str}/deck/check", status_code=200, summary="Check the cards of a deck")
async def check_cards(
    request: AnyRequest, state: State, game: str, data: bodies.DeckCards
) -> bodies.DeckCheck:
    """The same for cards and marks; the response has them as a deck file too."""
    limit_by_address(request, state.rates.tutorials)
    return await in_thread(request, decks.check_cards, find_game(game), data.cards, data.marks)
