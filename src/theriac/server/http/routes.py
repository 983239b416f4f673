"""All routes of the HTTP interface, for programs: whatever needs no socket."""

from __future__ import annotations

from theriac.server.http import (
    game_files,
    games,
    players,
    replays,
    reports,
    reviews,
    status,
    tables,
    tutorials,
)
from theriac.server.http.errors import ERROR_RESPONSES

ROUTES = [
    games.list_games,
    games.show_rules,
    games.show_deck,
    games.check_deck,
    games.check_cards,
    game_files.send_file,
    tutorials.show_tutorial,
    tutorials.try_tutorial,
    tutorials.preview_tutorial,
    players.add_player,
    players.rename,
    players.renew_key,
    players.export,
    players.delete_me,
    players.own_tables,
    players.own_games,
    tables.lobby,
    tables.open_table,
    tables.show_table,
    tables.show_events,
    tables.act,
    tables.preview,
    reports.report,
    replays.show_record,
    replays.show_replay,
    replays.replay_record,
    replays.verify_game,
    reviews.ask_for_review,
    reviews.show_review,
    reviews.ask_for_review_of_record,
    reviews.show_review_of_record,
    status.health,
    status.metrics,
]
for route in ROUTES:
    route.responses = {**ERROR_RESPONSES, **(route.responses or {})}
