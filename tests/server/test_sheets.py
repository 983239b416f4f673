"""The score sheet of a round, in games that keep one: told to all, and in a replay."""

from __future__ import annotations

from tests.server.club import Club
from tests.server.line import Line, seated


def test_a_round_leaves_its_sheet_for_all_to_see(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None], options={"target": 16})
    lines = [*seated(table, ana, bo), Line(club, table)]
    assert "sheet" not in lines[0].view
    assert lines[0].room["options"]["target"] == 16
    assert lines[0].room["options"]["teams"] is False
    while lines[0].view["round"] == 1:
        mover = lines[lines[0].view["to_act"]]
        mover.reach(lines[0].version)
        mover.play(mover.view["legal"][0])
        lines[0].reach(mover.version)
    for line in lines:
        line.reach(lines[0].version)
        sheet = line.view["sheet"]
        assert sheet["round"] == 1
        assert [sheet["gems"][seat] for seat in (0, 1)] == line.view["scores"]
    again = Line(club, table, bo)
    assert again.view["sheet"] == lines[0].view["sheet"]


def test_a_replay_has_the_sheets_too(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    lines = seated(table, ana, bo)
    while lines[0].room["stage"] != "over":
        mover = lines[lines[0].view["to_act"]]
        mover.reach(lines[0].version)
        mover.play(mover.view["legal"][0])
        lines[0].reach(mover.version)
        if lines[0].view["over"]:
            lines[0].until(lambda: lines[0].room["stage"] == "over")
    answer = ana.web.get(f"/api/tables/{table}/games/1/replay")
    steps = answer.json()["steps"]
    assert "sheet" not in steps[0]
    last = steps[-1]
    assert last["sheet"]["round"] == last["view"]["round"]
    assert last["sheet"]["gems"] == last["view"]["scores"]
