"""The tests of the engine: chance, sets of cards, rules at every speed, the cache."""
