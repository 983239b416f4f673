"""What all games share: rules at three speeds, chance, loops, batches.

Nothing here knows a game. This is the only package that imports Numba, and it does so only when
something is to be compiled.
"""
