"""What all games share: rules at three speeds, chance, loops, search, batches.

Nothing here depends on a particular game. This is the only package that imports Numba, and only
when it compiles something.
"""
