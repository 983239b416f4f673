"""When Python looks for garbage, and among how much.

Among everything it takes half a second with a thousand tables, in which nobody is answered. And it
finds little: nearly all is given back at once when nobody needs it any more. Requests leave some
garbage behind that is found among what is new, which is looked through often and so a little at a
time. A closed socket leaves some kilobytes, in old things of uvicorn and Litestar that hold on to
each other. So the old is looked through when nobody is connected, or when there is very much more
of it than before.
"""

from __future__ import annotations

import gc

#: How many new things there may be before those are looked through, and how often that happens
#: before those that were left by it are looked through again.
FEW, SOON = 200, 1
#: How often that happens in turn before the old is looked through, whoever waits. By then there are
#: about two million more things: what 30,000 closed sockets leave, or what 2,000 tables need.
RARELY = 5_000


def be_patient() -> None:
    """What is there now stays as long as the process: never look through it."""
    gc.freeze()
    gc.set_threshold(FEW, SOON, RARELY)


def tidy() -> None:
    """Look through the old now, if anything has grown old; for when nobody waits."""
    if gc.get_count()[2]:
        gc.collect()
