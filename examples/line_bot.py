"""A bot for Theriac in twenty lines: theriac play poison --bots "process:python line_bot.py"."""

import json
import random
import sys


def choose(view: dict, dice: random.Random) -> str:
    """Any legal move: write something better here."""
    return dice.choice(view["legal"])


for line in sys.stdin:
    message = json.loads(line)
    if "theriac" in message:
        seed = message["seed"]
        answer = {"name": "My first bot"}
    elif "view" in message:
        answer = {"move": choose(message["view"], random.Random(f"{seed} {line}"))}
    else:
        continue
    print(json.dumps(answer), flush=True)
