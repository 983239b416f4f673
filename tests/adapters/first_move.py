"""A bot program that plays the first legal move and writes the end of the game to the file in its
first argument. Without an argument it only greets, and answers every question with an error.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def answer(message: dict[str, Any], files: list[str]) -> dict[str, Any]:
    if "view" not in message:
        return {"name": "first"}
    return {"move": message["view"]["legal"][0]} if files else {"error": "no"}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "end" in message:
            Path(sys.argv[1]).write_text(json.dumps(message["end"]))
        else:
            print(json.dumps(answer(message, sys.argv[1:])), flush=True)
