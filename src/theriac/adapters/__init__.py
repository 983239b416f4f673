"""Our games where researchers work: PettingZoo, Gymnasium and OpenSpiel.

None of the adapters names a game: all is made from what every game promises. `docs/researchers.md`
shows each at work.
"""

from __future__ import annotations


def missing(error: ModuleNotFoundError, extra: str) -> ImportError:
    """What to say when the package that an adapter is for is not installed.

    >>> missing(ModuleNotFoundError(name="pettingzoo"), "pettingzoo")
    ImportError("pettingzoo is not installed: pip install 'theriac[pettingzoo]'")
    """
    package = str(error.name).partition(".")[0]
    return ImportError(f"{package} is not installed: pip install 'theriac[{extra}]'")
