"""Read a game record: replay it move by move, look at it from each seat, verify its shuffle.

    python replay_and_inspect.py game.json

Without a file, the script plays a short game with a sealed shuffle and inspects that.
"""

import json
import sys
from pathlib import Path
from typing import Any

import theriac
from theriac import seal
from theriac.verification import verify


def sealed_game() -> dict[str, Any]:
    """A record of a few moves, with the proof of its shuffle."""
    secret = bytes(range(32))
    nonces = ["ada", "bo", "cy"]
    match = theriac.new("poison", players=3, first=0, seed=seal.sealed_seed(secret, nonces))
    for _ in range(5):
        match.play(match.legal()[0])
    proof = {"commitment": seal.commitment(secret), "secret": secret.hex(), "nonces": nonces}
    return match.record() | {"seal": proof}


def inspect(record: dict[str, Any]) -> None:
    """Print the game as it went, and what each seat knew at the end."""
    start = theriac.replay(record | {"moves": []})
    match = start
    for number, move in enumerate(record["moves"]):
        print(f"{number:3}  seat {match.to_act} plays {move}, one of {len(match.legal())} moves")
        match.play(move)

    for seat in range(match.players):
        print(f"seat {seat} holds", " ".join(match.view(seat=seat)["hand"]))
    if not match.over:
        # Why is a move not legal? This changes nothing.
        print("X@9 would be refused:", match.refusal("X@9"))
    if "seal" in record:
        for line in verify(record):
            print("verified:", line)


def main() -> None:
    """Inspect the record in a file, or a game of our own."""
    record = json.loads(Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else sealed_game()
    inspect(record)


if __name__ == "__main__":
    main()
