"""The contract of a game, tested for every game that is found. No test here knows a game."""
