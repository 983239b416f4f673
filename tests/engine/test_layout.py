"""Where the numbers of many games lie on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from theriac.engine.gpu import layout as layouts
from theriac.engine.gpu import simulated
from theriac.engine.gpu.layout import WARP_SIZE, Layout
from theriac.engine.records import records

RECORD = np.dtype(
    [("seat", np.int16), ("cards", np.int8, (5,)), ("scores", np.int64, (2, 3)), ("odd", np.int16)]
)


def filled(n: int) -> Any:
    """Records of which every number is another."""
    made = records(RECORD, n)
    for k, name in enumerate(RECORD.names or ()):
        made[name] = (np.arange(made[name].size) * 7 + k).reshape(made[name].shape) % 120
    return made


@pytest.mark.parametrize("layout", [Layout(RECORD), Layout(RECORD, first=("cards",))])
@pytest.mark.parametrize("n", [1, WARP_SIZE, WARP_SIZE + 1, 3 * WARP_SIZE - 1])
def test_what_is_written_to_a_tile_is_gathered(layout: Layout, n: int) -> None:
    wanted, found = filled(n), records(RECORD, n)
    memory = np.zeros(layout.tile_words() * -(-n // WARP_SIZE), np.int64)
    take_out = simulated.tile_record(layout)
    for i in range(n):
        record = take_out(memory, i)
        record.seat, record.odd = wanted[i].seat, wanted[i].odd
        record.cards[:], record.scores[:] = wanted[i].cards, wanted[i].scores
    layout.gather(memory, found)
    assert found.tobytes() == wanted.tobytes()


def test_a_desk_is_laid_out_as_a_tile_begins() -> None:
    """So a tile can be copied without asking what is where."""
    often = {"cards"}
    tile, desk = Layout(RECORD, first=often), Layout(RECORD, {"seat", *often}, first=often)
    assert desk.rows == {name: tile.rows[name] for name in desk.rows} != {}
    assert desk.row_bytes % layouts.VECTOR_BYTES == 0


def test_rows_that_are_not_kept_are_forgotten() -> None:
    layout = Layout(RECORD, {"seat"})
    record = simulated.buffer_record(layout)(np.zeros(layout.bytes // 8 * 4, np.int64), 4, 1)
    record.cards[2] = 9
    assert layout.discarded.keys() == {"cards", "scores"}
    assert layout.names == ("seat",)


def test_rows_that_stay_behind_are_those_of_the_tile() -> None:
    tile = Layout(RECORD, first={"cards"})
    desk = Layout(RECORD, {"seat", "odd", "cards"}, first={"cards"})
    memory = np.zeros(tile.tile_words() * 2, np.int64)
    room = np.zeros(desk.bytes * WARP_SIZE // 8, np.int64)
    record = simulated.split_record(desk, tile)(room, WARP_SIZE, 3, memory, WARP_SIZE + 3)
    record.scores[1, 2], record.cards[4] = 5, 6
    stored = simulated.tile_record(tile)(memory, WARP_SIZE + 3)
    assert (stored.scores[1, 2], stored.cards[4]) == (5, 0)
    simulated.unstage_tile(tile, desk)(memory, room, WARP_SIZE + 3)
    assert stored.cards[4] == 6


def test_rows_that_are_told_are_read_in_the_tile_and_not_written() -> None:
    tile, desk = Layout(RECORD), Layout(RECORD, {"seat"})
    memory = np.zeros(tile.tile_words() * 2, np.int64)
    stored = simulated.tile_record(tile)(memory, WARP_SIZE + 3)
    stored.scores[1, 2] = 5
    room = np.zeros(desk.bytes // 8 * 4, np.int64)
    record = simulated.split_record(desk, tile, ("scores",))(room, 4, 1, memory, WARP_SIZE + 3)
    record.scores[1, 2], record.scores[1][0] = 6, 7
    record.scores[:] = 8
    assert (record.scores[1, 2], record.scores[1][0], len(record.scores)) == (5, 0, 2)
    record.cards[2] = 9  # forgotten, as ever
    assert stored.cards[2] == 0


def test_types_of_other_places_have_other_names() -> None:
    """Numba takes types of one name for the same, and would read one record as the other."""
    pytest.importorskip("numba_cuda")
    from theriac.engine.gpu.numba_types import SoaRecordType

    layouts = (
        Layout(RECORD),
        Layout(RECORD, first=("cards",)),
        Layout(RECORD, in_registers=("cards",)),
    )
    kinds = [SoaRecordType(layout) for layout in layouts]
    kinds.append(SoaRecordType(layouts[0], backing=layouts[1]))
    kinds.append(SoaRecordType(layouts[0], backing=layouts[1], readonly=("cards",)))
    assert len({kind.name for kind in kinds}) == len(kinds)
