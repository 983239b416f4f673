"""Strategies for arbitrary input."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

#: Any text, including what JSON can hold and UTF-8 cannot.
texts = st.text(st.characters(), max_size=12) | st.sampled_from(
    ["\ud800", "\x00", "é", "٣", "\u202e", "𝟙", "R" * 300, "=" * 300, "+".join(["S1"] * 300)]
)
numbers = (
    st.integers(-3, 60)
    | st.integers()
    | st.sampled_from([10**30, -(10**30), 2**31, 2**63, 2**64])
    | st.floats()
)
simple = st.none() | st.booleans() | numbers | texts


def nested(depth: int) -> Any:
    """A list nested this deep."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


#: Any JSON value.
anything = st.recursive(
    simple,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
) | st.builds(nested, st.integers(1, 300))
