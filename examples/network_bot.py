"""A player for a Theriac server: python network_bot.py http://127.0.0.1:8765 TABLE [KEY]."""

import hashlib
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
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
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


def commit(shown: str, seat: int) -> str:
    """The commitment to our nonce, in reply to the one that the server shows."""
    return hashlib.sha256(f"theriac nonce 2\n{shown}\n{seat}\n{nonce}".encode()).hexdigest()


def choose(view: dict) -> str:
    """Any legal move: write something better here."""
    return random.choice(view["legal"])


key = key or call("/api/players", {"name": "Network bot"})["key"]
nonce = ""
state = {"version": 0, "room": {"stage": "gathering"}}
while state["room"]["stage"] not in ("over", "closed"):
    state = call(f"/api/tables/{table}?wait=20&since={state['version']}")["welcome"]
    seats, own = state["room"]["seats"], state.get("seat")
    if own is None:
        free = [n for n, seat in enumerate(seats) if not seat["taken"]]
        if not free:
            sys.exit("no seat is free")
        nonce, shown = uuid.uuid4().hex, state["room"]["commitment"]
        do("sit", seat=free[0], commitment=commit(shown, free[0]), to=shown)
    elif own in state["room"].get("sealed", {}).get("missing", ()):
        deal = state["room"]["sealed"]["deal"]
        if deal["commitments"][own] != commit(deal["commitment"], own):
            sys.exit("the server changed the deal: we keep our nonce")
        do("reveal", nonce=nonce)
    elif seats[own]["stand_in"]:
        do("return")
    elif state["room"]["stage"] == "gathering" and not seats[own]["ready"]:
        # A deal was called off: commit to another nonce.
        nonce, shown = uuid.uuid4().hex, state["room"]["commitment"]
        do("ready", commitment=commit(shown, own), to=shown)
    elif state.get("view") and state["view"]["legal"]:
        do("move", move=choose(state["view"]), version=state["version"])
print("scores", state["view"]["scores"])
