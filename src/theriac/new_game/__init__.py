"""New games from templates: `theriac new-game`.

- `plan`: what is asked for, checked: the name, the letters of the clauses, the folder;
- `write`: the files of a template, with the name of the new game;
- `templates`: a small complete game of each kind, and the files of a package around it.
"""

from theriac.new_game.plan import KINDS, Plan, plan_game
from theriac.new_game.write import write_game

__all__ = ["KINDS", "Plan", "plan_game", "write_game"]
