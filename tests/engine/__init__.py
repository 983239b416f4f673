"""The tests of the engine: chance, rules at every speed, the cache."""
