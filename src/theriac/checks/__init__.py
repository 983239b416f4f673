"""What is missing or wrong in a game, as a list of plain sentences: `theriac check`.

- `report`: the findings, errors and warnings apart;
- `packages`: the games of a name or a folder, installed or not;
- `parts`: the records and functions of a game;
- `play`: a few games at random, interpreted and compiled, with `texts`, `secrets` and `dealer`;
- `imagined`: what the seats of these games imagine;
- `files`: deck, clauses, rule page, tutorial, test cases, playthroughs;
- `words`: the words and the board of a game on the page.
"""

from theriac.checks.check import check_game, check_target
from theriac.checks.report import Finding, Report

__all__ = ["Finding", "Report", "check_game", "check_target"]
