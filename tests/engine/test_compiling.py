"""Compiling for the CPU: what Numba does differently for rules, and only for them."""

from __future__ import annotations

import re
from typing import Any

import numba
import numpy as np

from theriac.engine.compiling import compile_rule
from theriac.engine.rule import Linker, rule


@rule
def card_at(row: Any, i: int) -> int:
    return int(row[i])


def last_of(row: Any) -> int:
    return int(row[-1])


def test_rules_do_not_test_whether_an_index_is_below_zero() -> None:
    compiled = Linker({}, compile_rule).build(card_at)
    assert compiled(np.array([3, 4, 5]), 2) == 5
    (text,) = compiled.inspect_llvm().values()
    found = re.search(r"^define [^\n]*card_at.*?^}", text, re.DOTALL | re.MULTILINE)
    assert found and "getelementptr" in found[0]
    assert "select" not in found[0]


def test_other_functions_still_count_from_the_end() -> None:
    Linker({}, compile_rule).build(card_at)(np.array([3, 4, 5]), 0)
    assert numba.njit(last_of)(np.array([3, 4, 5])) == 5
