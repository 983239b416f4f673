"""The independent referee: a slow, plain second copy of the rules, for tests only.

Rules are otherwise written once in this project. This package is the one exception: it was
written from the rule ledgers and the rulebooks alone, without looking at the engine, so that a
test that compares the two is an independent check. The product never imports it, and it imports
nothing from the product. When the two differ, read the clause: either may be wrong.
"""
