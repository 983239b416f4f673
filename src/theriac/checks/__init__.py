"""What is missing or wrong in a game, as a list of plain sentences: `theriac check`.

- `report`: the findings, errors and warnings apart;
- `packages`: the games of a name or a folder, installed or not;
- `parts`: the records and functions of a game;
- `play`: a few games at random, interpreted and compiled, with `texts`;
- `imagined`: what the seats of these games imagine;
- `files`: deck, clauses, rule page, words, tutorial, test cases, playthroughs.
"""

from theriac.checks.check import check_game, check_target
from theriac.checks.report import Finding, Report

__all__ = ["Finding", "Report", "check_game", "check_target"]
