"""The games as environments for PettingZoo, Gymnasium, OpenSpiel and JAX.

The adapters use only the contract that every game fulfils, so a new game needs no adapter code.
`docs/adapters.md` has examples for each.
"""

from __future__ import annotations


def missing(error: ModuleNotFoundError, extra: str) -> ImportError:
    """The error for an adapter whose package is not installed.

    >>> missing(ModuleNotFoundError(name="pettingzoo"), "pettingzoo")
    ImportError("pettingzoo is not installed: pip install 'theriac-games[pettingzoo]'")
    """
    package = str(error.name).partition(".")[0]
    return ImportError(f"{package} is not installed: pip install 'theriac-games[{extra}]'")
