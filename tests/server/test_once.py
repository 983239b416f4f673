"""What is sent twice is done once; what answers to another position is refused."""

from __future__ import annotations

from typing import Any

from tests.server.club import Club, Person
from tests.server.line import Line, seated


def pair(club: Club) -> tuple[str, list[Person], list[Line]]:
    """Ana and Bo at Shokoba, Ana to act."""
    people = club.persons("Ana", "Bo")
    table = people[0].open("shokoba", [None, None], options={"first": 1})
    return table, people, seated(table, *people)


def test_the_same_message_over_any_line_is_done_once(club: Club) -> None:
    table, (ana, _), (one, two) = pair(club)
    move = {"do": "move", "id": "my-move", "move": one.view["legal"][0], "version": one.version}
    first = one.do(**move)
    assert one.do(**move) == first
    again = Line(club, table, ana)
    assert again.do(**move) == first
    assert ana.ask(table, **move) == {"id": "my-move", "version": first}
    one.hang_up()
    assert ana.ask(table, **move) == {"id": "my-move", "version": first}
    assert two.do("ping") == first
    two.reach(first)
    assert two.kinds.count("moved") == 1


def test_sent_over_two_lines_at_the_same_time_it_is_done_once(club: Club) -> None:
    table, (ana, _), (one, two) = pair(club)
    other = Line(club, table, ana)
    for turn in range(5):
        said = {"do": "say", "id": f"hello-{turn}", "text": "hello"}
        for line in (one, other, one, other):
            line.send(**said)
        for line in (one, other):
            line.until(lambda line=line, name=said["id"]: len(line.answers.get(name, [])) == 2)  # type: ignore[misc]
        versions = {a["version"] for line in (one, other) for a in line.answers[said["id"]]}
        assert len(versions) == 1
        two.reach(*versions)
    assert two.kinds.count("said") == 5


def test_everything_that_lasts_is_done_once(club: Club) -> None:
    ana = club.person()
    table = ana.open("shokoba", [None, None, None])
    line = Line(club, table, ana)
    requests: list[dict[str, Any]] = [
        {"do": "sit", "id": "a", "seat": 0, "nonce": "x"},
        {"do": "say", "id": "b", "text": "hi"},
        {"do": "react", "id": "c", "to": 1, "sign": "wow"},
        {"do": "hand", "id": "d", "seat": 1, "level": "easy"},
        {"do": "stand", "id": "e"},
        {"do": "close", "id": "f"},
    ]
    for request in requests:
        version = line.do(**request)
        assert line.do(**request) == version
    line.reach(line.do("ping"))
    assert line.kinds == ["opened", "sat", "said", "reacted", "handed", "stood", "closed"]


def test_what_was_refused_may_be_tried_again_under_its_id(club: Club) -> None:
    _, _, (one, two) = pair(club)
    legal = one.view["legal"][0]
    assert one.refused("move", id="m", move="nonsense", version=one.version)["code"] == "illegal"
    version = one.do("move", id="m", move=legal, version=one.version)
    two.reach(version)
    assert two.kinds[-1] == "moved"


def test_ids_of_others_are_others(club: Club) -> None:
    _, _, (one, two) = pair(club)
    assert one.do("say", id="same", text="I") < two.do("say", id="same", text="me too")


def test_a_move_for_another_position_is_stale(club: Club) -> None:
    _, _, (one, two) = pair(club)
    before = one.version
    one.play(one.view["legal"][0])
    two.reach(one.version)
    legal = two.view["legal"][0]
    refusal = two.refused("move", move=legal, version=before)
    assert refusal["code"] == "stale" and str(two.version) in refusal["why"]
    assert two.refused("move", move=legal, version=two.version + 1)["code"] == "stale"
    said = one.do("say", text="your turn")
    assert two.do("move", move=legal, version=said - 1) > said, "words change no position"


def test_who_is_not_to_act_is_told_so(club: Club) -> None:
    _, _, (one, two) = pair(club)
    assert two.refused("move", move=one.view["legal"][0], version=two.version) == {
        "code": "turn",
        "why": "it is seat 0's turn",
    }
