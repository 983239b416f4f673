"""The contract of a game, tested for every game that is found. No test here knows a game.

`pytest --pyargs theriac.testing --game NAME` tests one game, in this repository or in a package of
its own (`pip install 'theriac-games[testing]'`). What the tests have to know of a game is in its
folder: `tests/cases.py` (small decks and exact counts), `tests/referee.py` (the same rules again)
and `tests/playthroughs` (written by `python -m theriac.testing.playthroughs NAME`).
"""
