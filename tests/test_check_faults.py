"""`theriac check`: mistakes that would show only in play, in the terminal or on the page."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from theriac.checks import check_target
from theriac.checks.files import SCREEN_PARTS
from theriac.checks.play import Seen, check_play
from theriac.checks.report import Report
from theriac.cli.screen import Screen
from theriac.faults import BadDeck, NothingToDeal
from theriac.game import Text, find
from theriac.match import Match

ROOT = Path(__file__).parent.parent
SOURCES = {
    "smallest": ROOT / "tests" / "smallest_package" / "smallest",
    "envelopes": ROOT / "tests" / "envelopes_package" / "envelopes",
    "theriac_hearts": ROOT / "examples" / "hearts" / "src" / "theriac_hearts",
}
Copy = Callable[[str], Path]


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Copy]:
    """Makes a copy of a game, in a package with another name that is not installed."""
    monkeypatch.setenv("THERIAC_JIT", "0")
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)

    def made(source: str) -> Path:
        folder = tmp_path / f"{source}_{tmp_path.name}".replace("-", "_")
        shutil.copytree(SOURCES[source], folder, ignore=shutil.ignore_patterns("__pycache__"))
        for path in folder.rglob("*.py"):
            text = path.read_text("utf-8")
            for word in ("from", "import"):
                text = text.replace(f"{word} {source}", f"{word} {folder.name}")
            path.write_text(text, "utf-8")
        return folder

    yield made
    for name in sys.modules.keys() - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def errors(folder: Path) -> list[str]:
    return check_target(str(folder), compiled=False)[1].errors


@pytest.mark.parametrize("source", SOURCES)
def test_the_copies_have_no_errors(source: str, copy: Copy) -> None:
    assert errors(copy(source)) == []


# Nature


def endless(copy: Copy) -> Path:
    """A game in which nature deals on when all cards are dealt."""
    folder = copy("smallest")
    replace(folder / "rules.py", "g.receiver == g.leader and is_done", "g.undealt < 0")
    return folder


LEFT = "smallest: nature is to act, but no card is left to deal: set to_act to a seat or NOBODY"


def test_a_game_that_deals_for_ever_is_found(copy: Copy) -> None:
    assert f"a game of 2, interpreted: {LEFT}" in errors(endless(copy))


def test_a_game_that_never_takes_a_card_from_the_pile_is_found(copy: Copy) -> None:
    folder = endless(copy)
    replace(folder / "rules.py", "    g.undealt &= ~bit(card)\n", "")
    assert f"a game of 2, interpreted: {LEFT}" in errors(folder)


def test_a_match_that_would_deal_for_ever_cannot_begin(copy: Copy) -> None:
    game = check_target(str(endless(copy)), compiled=False)[0][0]
    with pytest.raises(NothingToDeal, match=LEFT):
        Match(game, {"players": 2, "first": 0}, seed=bytes(32), speed="plain")


def test_a_move_after_which_nature_deals_for_ever_changes_nothing(copy: Copy) -> None:
    folder = copy("smallest")
    replace(folder / "rules.py", "        g.to_act = 1 - seat\n", "        g.to_act = NATURE\n")
    game = check_target(str(folder), compiled=False)[0][0]
    match = Match(game, {"players": 2, "first": 0}, seed=bytes(32), speed="plain")
    view = match.view()
    with pytest.raises(NothingToDeal):
        for _ in range(9):
            view = match.view()
            match.play(match.legal()[0])
    assert match.view() == view


def test_a_shuffle_that_is_not_counted_is_found(copy: Copy) -> None:
    folder = copy("smallest")
    replace(folder / "rules.py", "    g.shuffles[0] += 1\n", "")
    said = "smallest: nature is to act, but nothing was shuffled: count each shuffle"
    assert any(said in error for error in errors(folder))
    game = check_target(str(folder), compiled=False)[0][0]
    with pytest.raises(NothingToDeal, match=said):
        Match(game, {"players": 2, "first": 0}, seed=bytes(32), speed="plain")


# The deck


def test_a_deck_that_is_larger_than_its_pack_is_found(copy: Copy) -> None:
    """The engine would write beyond the end of a pile."""
    folder = copy("smallest")
    replace(folder / "state.py", "moves=CARDS)", "moves=CARDS, pack=5)")
    said = "the deck has 6 cards, but pack of SHAPE is 5: write pack=6"
    found = errors(folder)
    assert f"deck.toml: {said}" in found
    assert sum(said in one for one in found) == 1, found


def test_a_deck_of_ones_own_that_is_larger_than_the_pack_is_refused(copy: Copy) -> None:
    folder = copy("smallest")
    replace(folder / "state.py", "moves=CARDS)", "moves=CARDS, pack=5)")
    replace(folder / "deck.toml", "C{1..6}", "C{1..5}")
    game = check_target(str(folder), compiled=False)[0][0]
    with pytest.raises(BadDeck, match="6 cards are too many: smallest takes at most 5"):
        game.settings({"players": 2, "first": 0, "deck": ["C1", "C2", "C3", "C4", "C5", "C6"]})


# Moves that are refused

FIRST_ONLY = """

@rule
def list_legal(g: Any, moves: Any) -> int:
    for card in range(CARDS):
        if refuse(g, card) == 0:
            moves[0] = card
            return 1
    return 0
"""


def test_a_move_that_is_allowed_and_not_listed_is_found(copy: Copy) -> None:
    folder = copy("smallest")
    with (folder / "rules.py").open("a") as file:
        file.write(FIRST_ONLY)
    said = r"a game of 2, interpreted: refuse allows C\d, which list_legal does not list"
    assert any(re.fullmatch(said, one) for one in errors(folder)), errors(folder)


@pytest.mark.parametrize("clause", [3, 5])
@pytest.mark.parametrize("none", ["{}[clause]", '""'], ids=["no entry", "no words"])
def test_a_clause_that_cannot_be_explained_is_found(clause: int, none: str, copy: Copy) -> None:
    """One refuses a card that is not in hand, the other any move of a game that is over."""
    folder = copy("smallest")
    old = "return " + '"the game is over" if clause == 5 else "a move is'
    replace(folder / "text.py", old, f"return {none} if clause == {clause} else " + '"a move is')
    assert errors(folder) == [f"text.py: explain has no sentence for SMA-0{clause}"]


def test_the_same_mistake_with_several_numbers_of_players_is_one_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(self: Text, text: str) -> int:
        raise OSError("no disk")

    poison, report = find("poison"), Report()
    monkeypatch.setattr(poison.text, "read", fail)
    check_play(poison, report, "plain", Seen())
    games = "games of 3, 4, 5 and 6, interpreted: "
    said = "read raises OSError for '': return a negative number for a text that names no move"
    assert report.errors == [games + said, f"{games}OSError: no disk"]


# Bots, observations, screen


BOTS = """
from typing import Any

from theriac.engine.rule import rule


@rule
def advise(v: Any, move: int) -> float:
    return 1.0 / {below}
"""


@pytest.mark.parametrize(
    ("below", "said"),
    [
        ("(move - move)", "ZeroDivisionError: float division by zero (bots.py:9, in advise)"),
        ("v.in_trick", "return a finite number"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_heuristic_that_fails_is_found(below: str, said: str, copy: Copy) -> None:
    folder = copy("smallest")
    (folder / "bots.py").write_text(BOTS.format(below=below))
    assert any(said in error for error in errors(folder)), errors(folder)


def test_a_number_that_the_usual_encode_would_cut_is_found(copy: Copy) -> None:
    folder = copy("smallest")
    replace(folder / "state.py", '("scores", np.int16', '("scores", np.int64')
    replace(folder / "rules.py", "g.scores[winner] += 1", "g.scores[winner] += 64")
    said = (
        "VIEW.scores has the value 64, but the usual encode takes a 64-bit number for a set of 6 "
        "cards, and would cut it: use np.int32 for what is not a set"
    )
    assert any(said in error for error in errors(folder)), errors(folder)


def test_a_screen_without_a_function_is_found(copy: Copy) -> None:
    folder = copy("theriac_hearts")
    replace(folder / "screen.py", "def describe_move(", "def describe_the_move(")
    said = (
        "screen.py has no describe_move: write it, or take the plain one with from "
        "theriac.game.plain_screen import describe_move"
    )
    assert errors(folder) == [said]


def test_all_that_the_terminal_needs_of_a_screen_is_checked() -> None:
    functions = {name for name in vars(Screen) if not name.startswith("_")}
    assert {*functions, *Screen.__annotations__} == set(SCREEN_PARTS)


# Secrets


def test_a_secret_move_that_everybody_sees_is_found(copy: Copy) -> None:
    """The choices are open to everybody, and no longer private."""
    folder = copy("envelopes")
    replace(folder / "state.py", '        ("choices", np.int16, (SEATS,)),', "        #")
    replace(folder / "state.py", ', ("choice", np.int16)]', "]")
    chosen = '    ("times_opened", np.int16),\n'
    replace(folder / "state.py", chosen, f'{chosen}    ("choices", np.int16, (SEATS,)),\n')
    replace(folder / "view.py", "    for seat in range(SEATS):\n        g.choices", "    #\n    #")
    replace(folder / "view.py", "    g.choices[v.seat] = v.choice\n", "")
    replace(folder / "text.py", "self.cards[v.choice] if waits", "None if waits")
    said = (
        "text.py: write_public hides moves that everybody sees in choices: make that field private "
        "(state.py), or let write_public show the move"
    )
    assert said in errors(folder)


def test_a_text_that_gives_a_secret_move_away_is_found(copy: Copy) -> None:
    folder = copy("envelopes")
    replace(folder / "text.py", 'return "~"', "return self.write(move)")
    found = errors(folder)
    assert any("look alike, but write_public gives them different texts" in one for one in found)


def test_an_open_field_that_tells_who_has_a_card_is_found(copy: Copy) -> None:
    """It is set when the card is dealt, and the deal is all that is imagined."""
    folder = copy("smallest")
    replace(folder / "state.py", '    ("led", ', '    ("with_six", np.int16),\n    ("led", ')
    dealt = "    g.hands[g.receiver] |= bit(card)\n"
    leak = "    if card == CARDS - 1:\n        g.with_six = 1 + g.receiver\n"
    replace(folder / "rules.py", dealt, dealt + leak)
    replace(
        folder / "rules.py", "    g.led = 0\n    for", "    g.led = 0\n    g.with_six = 0\n    for"
    )
    said = (
        "a game of 2, interpreted: seat 0 sees with_six differ between deals that it cannot tell "
        "apart: either VIEW.with_six leaks what is hidden, or imagine deals what it rules out"
    )
    assert errors(folder) == [said]


# The page


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("title", "board/words/en.json lacks title, which the page shows"),
        ("option.moon", "board/words/en.json lacks option.moon, which the page shows"),
        ("key.trick", "board/words/en.json lacks key.trick, which the page shows"),
        ("refused.HEA-11", "board/words/en.json lacks refused.HEA-11, which the page shows"),
        ("action.wait", "board/words/en.json lacks action.wait, which board.js says"),
        ("sheet.taken", "board/words/en.json lacks sheet.taken, which sheet.js says"),
    ],
)
def test_a_sentence_that_the_page_shows_is_missed(key: str, said: str, copy: Copy) -> None:
    folder = copy("theriac_hearts")
    for path in (folder / "board" / "words").glob("*.json"):
        replace(path, f'"{key}":', '"other":')
    assert said in errors(folder)


def test_a_sentence_of_a_step_is_missed(copy: Copy) -> None:
    folder = copy("theriac_hearts")
    for path in (folder / "tutorial" / "words").glob("*.json"):
        replace(path, '"goal":', '"gaol":')
    assert "tutorial/words/en.json lacks goal, which step 0 says" in errors(folder)


def test_words_that_are_no_json_are_not_called_missing(copy: Copy) -> None:
    folder = copy("theriac_hearts")
    replace(folder / "board" / "words" / "en.json", '"title":', '"title"')
    found = errors(folder)
    assert len(found) == 1
    assert found[0].startswith("board/words/en.json: JSONDecodeError: ")


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_a_board_that_cannot_be_parsed_is_found(copy: Copy) -> None:
    folder = copy("theriac_hearts")
    with (folder / "board" / "sheet.js").open("a") as file:
        file.write("\nconst broken = (;\n")
    lines = len((folder / "board" / "sheet.js").read_text().splitlines())
    assert errors(folder) == [f"board/sheet.js:{lines}: SyntaxError: Unexpected token ';'"]


def test_without_node_it_is_said_that_a_board_is_not_parsed(
    copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    _, report = check_target(str(copy("theriac_hearts")), compiled=False)
    assert "board: its modules were not parsed, since there is no node" in report.notes


# One mistake, one error


def test_a_long_title_has_no_false_consequences(copy: Copy) -> None:
    folder = copy("theriac_hearts")
    file = folder / "clauses.toml"
    text = file.read_text("utf-8")
    first = text.index('title = "') + len('title = "')
    file.write_text(f"{text[:first]}{'x' * 80}{text[first:]}", "utf-8")
    found = errors(folder)
    assert len(found) == 1
    assert found[0].startswith("clauses.toml: the title of HEA-01 is ")


def test_braces_that_do_not_match_do_not_ask_for_playthroughs(copy: Copy) -> None:
    folder = copy("theriac_hearts")
    replace(folder / "deck.toml", "{C,D,S,H}", "{C,D,S,H")
    found = errors(folder)
    assert any("the braces do not match" in error for error in found)
    assert not any("--write-playthroughs" in error for error in found)


def test_a_description_that_is_too_long_says_where_its_groups_begin(copy: Copy) -> None:
    folder = copy("theriac_hearts")
    replace(folder / "encoding.toml", "count = 52", "count = 53")
    assert any(": as described, " in error and " at 0, " in error for error in errors(folder))


def test_a_description_of_the_usual_encode_says_from_where_on_it_differs(copy: Copy) -> None:
    folder = copy("smallest")
    group = '[[observation]]\nname = "{}"\ncount = {}\nsays = "cards"\nreads = ["deck"]\n'
    action = '[[action]]\nname = "card"\nfirst = 0\ncount = 6\nnotation = "."\nsays = "a card"\n'
    file = folder / "encoding.toml"
    file.write_text(group.format("deck", 6) + group.format("seen", 7) + action)
    said = "they differ from seen on, where encode writes the 6 numbers of seen"
    assert any(said in error for error in errors(folder)), errors(folder)
    file.write_text(group.format("deck", 6) + action)
    said = ": seen, 6 numbers from 6 on, is missing"
    assert any(said in error for error in errors(folder)), errors(folder)
