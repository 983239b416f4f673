"""What the index keeps of a finished game. The game itself is in the log of its table."""

from __future__ import annotations

from theriac.server.store.index import FinishedGame
from theriac.server.tables.table import Table


def finished_game(table: Table) -> FinishedGame:
    """The game that is over at a table where the next one is not offered yet."""
    end = table.current_match.spectate()
    return FinishedGame(
        number=len(table.finished) + 1,
        game=table.game.name,
        bots=[seat.level for seat in table.seats],
        players=[seat.player for seat in table.seats],
        scores=end["scores"],
        winners=end["winners"],
    )
