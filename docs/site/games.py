"""One page per game, all from the same template."""

from __future__ import annotations

import re
import tomllib

import theriac
from docs.site.markdown import nest, table
from docs.site.navigation import toctree
from theriac.encoding import Feature, actions, observation
from theriac.game import Game, Text
from theriac.record import VERSION
from theriac.rulebook import read_page

_TEMPLATE = """\
# {game.title}

{game.summary} For {players} players. In commands, records and code its name is `{game.name}`:
`theriac play {game.name}`, `theriac.new("{game.name}", players={game.usual_players})`.

{rules}

## Cards

{cards}

## Options

{options}

## Observation

An observation is {game.shape.features} numbers (`float32`). The rule `encode` writes them from
what one seat may know. A test finds out which fields of the VIEW each number depends on, and
compares them with the last column.

{observation}

{card_numbers}

## Actions

A mask of legal actions has {mask} entries. [The record format](../record.md) explains how moves are
written.

{actions}

## Versions

This page describes Theriac {version} and record format {record_version}. Another version of Theriac
may have other observations and actions; records stay readable.
"""

#: A longer list of actions is summarised only.
_MOST_LISTED = 2000


def own_games() -> dict[str, Game]:
    """The games of this project, not those of packages that happen to be installed."""
    games = theriac.all_games().items()
    return {name: game for name, game in games if game.module.startswith("theriac.games.")}


def pages() -> dict[str, str]:
    """The page of each game, and the list of them."""
    games = own_games()
    index = [
        "# The games",
        "",
        table(
            ["game", "players", "in short"],
            [
                [f"[{game.title}]({name}.md)", _players(game), game.summary]
                for name, game in games.items()
            ],
        ),
        "",
        toctree(list(games)),
    ]
    return {
        "games/index.md": "\n".join(index),
        **{f"games/{name}.md": page(game) for name, game in games.items()},
    }


def page(game: Game) -> str:
    """Rules, cards, options, moves, observation, actions and versions of a game."""
    text = game.settings({"players": game.players[0], "first": 0}).text
    return _TEMPLATE.format(
        game=game,
        players=_players(game),
        rules=rules(game),
        cards=_cards(game),
        options=_options(game),
        observation=_observation(game),
        card_numbers=_card_numbers(text),
        mask=f"{text.actions:,}",
        actions=_actions(game, text),
        version=theriac.__version__,
        record_version=VERSION,
    )


def rules(game: Game) -> str:
    """The rule page, each clause linked to the table of clauses."""
    page = re.sub(r"^# .*", "# Rules", read_page(game), count=1)
    return re.sub(r"\[([A-Z]+-[0-9]+)\]", _clause, nest(page))


def _clause(match: re.Match[str]) -> str:
    return f"[[{match[1]}]](../clauses.md#{match[1].lower()})"


def _players(game: Game) -> str:
    return f"{game.players[0]} to {game.players[-1]}"


def _cards(game: Game) -> str:
    deck = game.shipped
    rows = [
        [f"`{card}`", count, ", ".join(_marks(game, card))] for card, count in deck.counts.items()
    ]
    if not any(row[2] for row in rows):
        rows = [row[:2] for row in rows]
        head = ["card", "copies"]
    else:
        head = ["card", "copies", "marks"]
    provenance = tomllib.loads((game.folder / game.deck_file).read_text("utf-8"))["provenance"]
    sources = "; ".join(f"{fact}: {source}" for fact, source in provenance.items())
    return (
        f"{len(deck)} cards. `theriac deck show {game.name}` writes them as a file that you can "
        f"change. Where the facts come from: {sources}.\n\n{table(head, rows)}"
    )


def _marks(game: Game, card: str) -> list[str]:
    return [mark for mark, cards in game.shipped.marks.items() if card in cards]


def _options(game: Game) -> str:
    clause = game.clause(game.players_clause)
    rows = [
        ["`players`", ", ".join(map(str, game.players)), "how many play", clause],
        ["`first`", "a seat", game.first_help, ""],
    ]
    rows += [[f"`{o.name}`", o.values_text, o.help, o.clause] for o in game.options]
    return table(["option", "values, the default first", "meaning", "clause"], rows)


def _observation(game: Game) -> str:
    rows: list[list[object]] = []
    group = ""
    for feature in observation(game):
        if feature.group and feature.group != group:
            last = feature.first + feature.repeats * feature.stride - 1
            rows.append(
                [
                    f"{feature.first}–{last}",
                    f"**for each {feature.group}**",
                    f"{feature.repeats} × {feature.stride} numbers, i from 0",
                    "",
                ]
            )
        group = feature.group
        rows.append(
            [_indices(feature), feature.name, _meaning(feature), ", ".join(sorted(feature.reads))]
        )
    return table(["index", "name", "meaning", "depends on"], rows)


def _indices(feature: Feature) -> str:
    last = feature.first + feature.count - 1
    run = str(feature.first) if feature.count == 1 else f"{feature.first}–{last}"
    return f"{run} + {feature.stride}·i" if feature.group else run


def _meaning(feature: Feature) -> str:
    if "," in feature.each:
        return f"in the order {feature.each}: {feature.says}"
    return f"for each {feature.each}: {feature.says}" if feature.each else feature.says


def _card_numbers(text: Text) -> str:
    numbered = [f"{number}\u00a0`{card}`" for number, card in enumerate(text.cards) if card]
    return "Cards are numbered in this order: " + ", ".join(numbered) + "."


def _actions(game: Game, text: Text) -> str:
    rows = []
    for kind in actions(game):
        last = kind.first if kind.first is None else kind.first + kind.count - 1
        numbers = "" if kind.first is None else f"{kind.first}–{last}"
        rows.append([numbers, kind.count, kind.name, kind.says])
    kinds = table(["actions", "how many", "name", "meaning"], rows)
    catalogue = text.catalogue()
    if text.actions != len(catalogue) or len(catalogue) > _MOST_LISTED:
        return kinds
    moves = [f"{number:>4} {text.write(int(move))}" for number, move in enumerate(catalogue)]
    return f"{kinds}\n\nAll of them:\n\n```text\n{_columns(moves)}\n```"


def _columns(cells: list[str]) -> str:
    width = max(map(len, cells)) + 2
    across = max(1, 100 // width)
    lines = [cells[i : i + across] for i in range(0, len(cells), across)]
    return "\n".join("".join(cell.ljust(width) for cell in line).rstrip() for line in lines)
