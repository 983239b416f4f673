"""All checks of a game, in the order in which one would repair what they find."""

from __future__ import annotations

from theriac.checks import files, imagined, parts, play, words
from theriac.checks.packages import find_games
from theriac.checks.report import Report
from theriac.game import Game


def check_target(target: str, compiled: bool = True) -> tuple[list[Game], Report]:
    """Check the games of a name or a folder; raises `Fault` if there is neither.

    `compiled`: play compiled games too, which takes longer the first time.
    """
    report = Report()
    games = find_games(target, report)
    for game in games:
        check_game(game, report, compiled)
    return games, report


def check_game(game: Game, report: Report, compiled: bool = True) -> None:
    """Check one game. It is played only if its parts are right."""
    before = len(report.errors)
    parts.check_descriptor(game, report)
    parts.check_records(game, report)
    with report.guard("the functions", game.folder):
        parts.check_functions(game, report)
        parts.check_dialect(game, report)
    before_deck = len(report.errors)
    files.check_deck(game, report)
    has_deck = len(report.errors) == before_deck
    seen = play.Seen()
    if len(report.errors) == before:
        play.check_play(game, report, "plain", seen)
    if len(report.errors) == before:
        imagined.check_imagination(game, report)
    if len(report.errors) == before and compiled:
        play.compare_speeds(game, report)
    files.check_clauses(game, report)
    if has_deck:  # without its deck a game cannot be played
        files.check_cases(game, report)
        files.check_playthroughs(game, report)
    files.check_encoding(game, report)
    files.check_notation(game, report)
    words.check_words(game, report)
    words.check_page_words(game, report, seen.keys, seen.refusals)
    words.check_board(game, report)
    words.check_tutorial_words(game, report)
    files.check_tutorial(game, report)
    files.check_optional_files(game, report)
