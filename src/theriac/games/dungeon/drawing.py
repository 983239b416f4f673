"""The fort of Knock, Knock! Dungeon! drawn with characters.

Cards lie like the black squares of a chessboard, corner to corner. So the numbers on corners are
where the lines of a grid cross, each once, and a card is a box between four of them:

    0──────1         a card that is an empty corridor, danger 5
    │  5   │
    │      │
    2──────2══════3  below it a creature that shares its corner; letter A, danger 9
           ║ A !9 ║
      (c)  ║ ●●●  ║  beside it a place where a card may go
           2══════2

A poisoned corner is Ø. A large fort is drawn with smaller boxes, one too wide even for those in
parts, from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from theriac.games.dungeon.fort import cell_of, danger_of, is_poisoned, is_standing, shown
from theriac.games.dungeon.labels import Place, card_place, creature_labels, place_labels
from theriac.games.dungeon.paint import PIP, PLACE_STYLE, SPELL_STYLE, pips, style_of
from theriac.games.dungeon.state import CORNERS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

_LINE, _SIDE = "─│"
_DOUBLE_LINE, _DOUBLE_SIDE = "═║"
_POISONED: Final = "Ø"
#: What is printed beside the fort: who plays, the hand, the prompt.
_OTHER_LINES: Final = 12


@dataclass(frozen=True)
class Size:
    """How far it is from corner to corner."""

    across: int
    down: int


LARGE: Final = Size(7, 3)
SMALL: Final = Size(4, 2)


class Fort:
    """The fort as far as it reaches, free places included."""

    def __init__(self, v: Any) -> None:
        self.v = v
        self.places = {place: label for label, place in place_labels(v).items()}
        if v.to_act < 0 and v.laid > 0:
            self.places = {}
        self.creatures = {i: label for label, i in creature_labels(v).items()}
        self.cards = {card_place(v, i): i for i in range(int(v.laid))}
        xs, ys = zip(*self.cards, *self.places, strict=True)
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = console.size.height if console.is_terminal else None
        size = self.choose_size(options.max_width, height)
        for left, right in self.strips(size, options.max_width):
            if left > self.left:
                yield Text("\nFurther to the right:", "dim")
            yield from self.draw(size, left, right)

    def choose_size(self, width: int, height: int | None = None) -> Size:
        """Large, if it fits."""
        across = self.ruler + (self.right - self.left + 1) * LARGE.across + 1
        down = (self.bottom - self.top + 1) * LARGE.down + 2
        fits = across <= width and (height is None or down + _OTHER_LINES <= height)
        return LARGE if fits else SMALL

    @property
    def ruler(self) -> int:
        """The room that the numbers of the lines need."""
        return max(len(str(self.top)), len(str(self.bottom)))

    def strips(self, size: Size, width: int) -> list[tuple[int, int]]:
        """From which x to which it is drawn: all at once, or in parts."""
        most = max(1, (width - self.ruler - 1) // size.across)
        starts = range(self.left, self.right + 1, most)
        return [(left, min(left + most - 1, self.right)) for left in starts]

    def draw(self, size: Size, left: int, right: int) -> list[Text]:
        """The lines of the drawing between two columns of places."""
        columns = self.ruler + (right - left + 1) * size.across + 1
        rows = (self.bottom - self.top + 1) * size.down + 2
        canvas = Canvas(columns, rows)
        pen = Pen(self, canvas, size, (left, self.top))
        pen.draw_rulers(right)
        for place, label in self.places.items():
            if left <= place[0] <= right:
                pen.draw_place(place, label)
        for place, i in self.cards.items():
            if left <= place[0] <= right:
                pen.draw_card(place, i)
        return canvas.lines()


class Canvas:
    """Characters in rows, each with a style."""

    def __init__(self, columns: int, rows: int) -> None:
        self._rows = [[(" ", "")] * columns for _ in range(rows)]

    def write(self, column: int, row: int, written: str, style: str = "") -> None:
        """Put a text on one row."""
        for i, character in enumerate(written):
            self._rows[row][column + i] = (character, style)

    def lines(self) -> list[Text]:
        """The rows, each without spaces at its end, up to the last that is not empty."""
        found: list[Text] = []
        for row in self._rows:
            line = Text(no_wrap=True, overflow="crop")
            for character, style in row:
                line.append(character, style)
            line.rstrip()
            found.append(line)
        while not found[-1]:
            found.pop()
        return found


class Pen:
    """Draws cards and places of a fort on a canvas of which the first place is known."""

    def __init__(self, fort: Fort, canvas: Canvas, size: Size, first: Place) -> None:
        self._fort = fort
        self._v = fort.v
        self._canvas = canvas
        self._size = size
        self._first = first

    def _corner(self, place: Place) -> tuple[int, int]:
        """The column and the row of the top left corner of a place."""
        x, y = place[0] - self._first[0], place[1] - self._first[1]
        return self._fort.ruler + x * self._size.across, 1 + y * self._size.down

    def _write_inside(self, place: Place, row: int, written: str, style: str = "") -> None:
        """Centre a text on a row of a place, counted from the one below its upper edge."""
        column, top = self._corner(place)
        inside = self._size.across - 1
        self._canvas.write(column + 1 + (inside - len(written)) // 2, top + 1 + row, written, style)

    def draw_rulers(self, right: int) -> None:
        """The x of each column, the y of each row."""
        for x in range(self._first[0], right + 1):
            column, _ = self._corner((x, 0))
            middle = column + 1 + (self._size.across - 1 - len(str(x))) // 2
            self._canvas.write(middle, 0, str(x), "dim")
        for y in range(self._fort.top, self._fort.bottom + 1):
            _, row = self._corner((self._first[0], y))
            self._canvas.write(0, row + 1, f"{y:>{self._fort.ruler}}", "dim")

    def draw_place(self, place: Place, label: str) -> None:
        """A free place: its letters."""
        written = f"({label})" if self._size == LARGE else label
        self._write_inside(place, 0, written, PLACE_STYLE)

    def draw_card(self, place: Place, i: int) -> None:
        """A box, the numbers on its corners, and what the player needs to know about the card."""
        self._draw_box(place, i)
        style = style_of(self._v, i)
        large = self._size == LARGE
        label = _large_label(self._fort, i) if large else _small_label(self._fort, i)
        for row, written in enumerate(label):
            self._write_inside(place, row, written, style)

    def _draw_box(self, place: Place, i: int) -> None:
        column, row = self._corner(place)
        across, down = self._size.across, self._size.down
        standing = is_standing(self._v, i)
        line, side = (_DOUBLE_LINE, _DOUBLE_SIDE) if standing else (_LINE, _SIDE)
        style = style_of(self._v, i) if standing else "dim"
        for edge in (row, row + down):
            self._canvas.write(column + 1, edge, line * (across - 1), style)
        for below in range(row + 1, row + down):
            for edge in (column, column + across):
                self._canvas.write(edge, below, side, style)
        if self._size == SMALL:
            self._canvas.write(column + 1, row + down, _describe_edge(self._v, i), style)
        for corner in range(CORNERS):
            at = column + across * (corner % 2), row + down * (corner // 2)
            self._canvas.write(*at, *_describe_corner(self._v, i, corner))


def _describe_corner(v: Any, i: int, corner: int) -> tuple[str, str]:
    """KKD-11, KKD-29: the number to be seen at a corner, and its style."""
    if is_poisoned(v, cell_of(v, i), corner):
        return _POISONED, SPELL_STYLE
    return str(shown(v, i, corner)), "bold"


def _large_label(fort: Fort, i: int) -> tuple[str, str]:
    """Two rows of at most six characters."""
    v = fort.v
    danger = int(danger_of(v, i))
    if not is_standing(v, i):
        return str(danger), "fallen" if v.defeated[i] else _describe_chests(v, i)
    tokens = "frozen" if v.frozen[i] else pips(int(v.tokens[i]))
    return f"{fort.creatures[i]} !{danger}", f"{tokens} LAST" if v.tokens[i] == 1 else tokens


def _small_label(fort: Fort, i: int) -> tuple[str]:
    """One row of at most three characters."""
    v = fort.v
    danger = int(danger_of(v, i))
    if not is_standing(v, i):
        return (f"{danger}{'x' if v.defeated[i] else _describe_chests(v, i)}",)
    return (f"{danger}{fort.creatures[i]}",)


def _describe_chests(v: Any, i: int) -> str:
    """KKD-24: the chests on a card, where they count."""
    n = int(v.chests[v.kinds[i]])
    return f"c{n}" if v.treasure and n else ""


def _describe_edge(v: Any, i: int) -> str:
    """What is on the lower edge of a small card: the tokens of a creature."""
    n = int(v.tokens[i])
    if v.frozen[i]:
        return "***"
    return PIP * n if n < SMALL.across else f"{PIP}{n}"
