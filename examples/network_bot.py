"""A player for a Theriac server: python network_bot.py http://127.0.0.1:8765 TABLE [KEY]."""

import json
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

if len(sys.argv) not in (3, 4):
    sys.exit(__doc__)
server, table, key = [*sys.argv[1:], ""][:3]


def call(path: str, body: dict | None = None) -> dict:
    """Send a request; retry while the server is busy or down. Each id is carried out only once."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    data = body and json.dumps(body).encode()
    request = urllib.request.Request(server + path, data, headers)  # noqa: S310
    while True:
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                sys.exit(json.load(error)["why"])
        except OSError as error:
            print(error, file=sys.stderr)
        time.sleep(1)


def do(what: str, **more: object) -> None:
    """Do something at the table, and print what the server refuses."""
    answer = call(f"/api/tables/{table}", {"do": what, "id": uuid.uuid4().hex, **more})
    print(what, *more.values(), answer.get("refused", ""))


def choose(view: dict) -> str:
    """Any legal move: write something better here."""
    return random.choice(view["legal"])


key = key or call("/api/players", {"name": "Network bot"})["key"]
state = {"version": 0, "room": {"stage": "gathering"}}
while state["room"]["stage"] not in ("over", "closed"):
    state = call(f"/api/tables/{table}?wait=20&since={state['version']}")["welcome"]
    seats, own = state["room"]["seats"], state.get("seat")
    if own is None:
        free = [n for n, seat in enumerate(seats) if not seat["taken"]]
        do("sit", seat=free[0], nonce=uuid.uuid4().hex) if free else sys.exit("no seat is free")
    elif seats[own]["stand_in"]:
        do("return")
    elif state.get("view") and state["view"]["legal"]:
        do("move", move=choose(state["view"]), version=state["version"])
print("scores", state["view"]["scores"])
