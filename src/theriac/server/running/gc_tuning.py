"""When Python's garbage collector runs, and over how much.

With a thousand tables a full collection takes half a second, during which no request is served. It
finds little: reference counting frees nearly everything at once. What requests leave behind is
found in the young generations, which are small and collected often. The reference cycles of a
socket are broken when it closes (`socket/protocols.py`). So the old generation is collected when
nobody is connected, or when it has grown very much.
"""

from __future__ import annotations

import gc

#: The thresholds of generations 0 and 1.
YOUNG_THRESHOLDS = (200, 1)
#: The threshold of generation 2. By then there are about two million more objects: what 2,000
#: tables need.
OLD_THRESHOLD = 5_000


def freeze_and_tune() -> None:
    """Exclude all objects that exist now from collection, and make full collections rare."""
    gc.freeze()
    gc.set_threshold(*YOUNG_THRESHOLDS, OLD_THRESHOLD)


def collect_if_idle() -> None:
    """Run a full collection if the old generation has grown. Call this when nobody waits."""
    if gc.get_count()[2]:
        gc.collect()
