"""The struct-of-arrays layout of records in GPU memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from theriac.engine.gpu import simulated
from theriac.engine.gpu.layout import VECTOR_BYTES, WARP_SIZE, Layout
from theriac.engine.records import records

RECORD = np.dtype(
    [("seat", np.int16), ("cards", np.int8, (5,)), ("scores", np.int64, (2, 3)), ("odd", np.int16)]
)


def filled(n: int) -> Any:
    """Records with different numbers everywhere."""
    made = records(RECORD, n)
    for k, name in enumerate(RECORD.names or ()):
        made[name] = (np.arange(made[name].size) * 7 + k).reshape(made[name].shape) % 120
    return made


def tiles(layout: Layout, n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Warp tiles for n games."""
    return np.zeros(layout.tile_words() * -(-n // WARP_SIZE), np.int64)


@pytest.mark.parametrize("layout", [Layout(RECORD), Layout(RECORD, first=("cards",))])
@pytest.mark.parametrize("n", [1, WARP_SIZE, WARP_SIZE + 1, 3 * WARP_SIZE - 1])
def test_records_written_to_warp_tiles_are_gathered(layout: Layout, n: int) -> None:
    wanted, found = filled(n), records(RECORD, n)
    memory = tiles(layout, n)
    load = simulated.tile_record(layout)
    for i in range(n):
        record = load(memory, i)
        record.seat, record.odd = wanted[i].seat, wanted[i].odd
        record.cards[:], record.scores[:] = wanted[i].cards, wanted[i].scores
    layout.gather(memory, found)
    assert found.tobytes() == wanted.tobytes()


def test_an_element_is_where_its_field_says() -> None:
    layout = Layout(RECORD)
    memory = tiles(layout, WARP_SIZE)
    simulated.tile_record(layout)(memory, 3).scores[1, 2] = 77
    field = layout.field("scores")
    at = WARP_SIZE * (field.offset + 5 * 8) + 3 * 8
    assert memory[at // 8] == 77
    assert np.count_nonzero(memory) == 1


def test_staged_fields_are_laid_out_as_the_tile_begins() -> None:
    """So a warp copies bytes, whatever their fields."""
    hot = {"cards"}
    tile, staged = Layout(RECORD, first=hot), Layout(RECORD, {"seat", *hot}, first=hot)
    assert staged.rows == {name: tile.rows[name] for name in staged.rows} != {}
    assert staged.row_bytes % VECTOR_BYTES == 0


def test_array_fields_that_a_layout_does_not_have_are_discarded() -> None:
    layout = Layout(RECORD, {"seat"})
    record = simulated.buffer_record(layout)(np.zeros(layout.bytes // 8 * 4, np.int64), 4, 1)
    record.cards[2] = 9
    assert layout.discarded.keys() == {"cards", "scores"}
    assert layout.names == ("seat",)


def test_cold_fields_of_a_split_record_are_those_of_the_tile() -> None:
    tile = Layout(RECORD, first={"cards"})
    staged = Layout(RECORD, {"seat", "odd", "cards"}, first={"cards"})
    memory = tiles(tile, 2 * WARP_SIZE)
    buffer = np.zeros(staged.bytes * WARP_SIZE // 8, np.int64)
    record = simulated.split_record(staged, tile)(buffer, WARP_SIZE, 3, memory, WARP_SIZE + 3)
    record.scores[1, 2], record.cards[4] = 5, 6
    stored = simulated.tile_record(tile)(memory, WARP_SIZE + 3)
    assert (stored.scores[1, 2], stored.cards[4]) == (5, 0)
    simulated.unstage_tile(tile, staged)(memory, buffer, WARP_SIZE + 3)
    assert stored.cards[4] == 6
    record.cards[4] = 0
    simulated.stage_tile(tile, staged)(memory, buffer, WARP_SIZE + 3)
    assert record.cards[4] == 6


def test_readonly_fields_are_read_from_the_tile_and_not_written() -> None:
    tile, layout = Layout(RECORD), Layout(RECORD, {"seat"})
    memory = tiles(tile, 2 * WARP_SIZE)
    stored = simulated.tile_record(tile)(memory, WARP_SIZE + 3)
    stored.scores[1, 2] = 5
    buffer = np.zeros(layout.bytes // 8 * 4, np.int64)
    make = simulated.split_record(layout, tile, readonly=("scores",))
    record = make(buffer, 4, 1, memory, WARP_SIZE + 3)
    record.scores[1, 2], record.scores[1][0] = 6, 7
    record.scores[:] = 8
    assert (record.scores[1, 2], record.scores[1][0], len(record.scores)) == (5, 0, 2)
    record.cards[2] = 9  # discarded: not a readonly field
    assert stored.cards[2] == 0


def test_types_of_different_layouts_have_different_names() -> None:
    """Numba treats types of the same name as equal, and would read one record as the other."""
    pytest.importorskip("numba_cuda")
    from theriac.engine.gpu.numba_types import SoaRecordType

    layouts = [Layout(RECORD), Layout(RECORD, first=("cards",))]
    layouts.append(Layout(RECORD, in_registers=("cards",)))
    kinds = [SoaRecordType(layout) for layout in layouts]
    kinds.append(SoaRecordType(layouts[0], backing=layouts[1]))
    kinds.append(SoaRecordType(layouts[0], backing=layouts[1], readonly=("cards",)))
    assert len({kind.name for kind in kinds}) == len(kinds)
